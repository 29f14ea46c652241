#pragma once
/// @file robot_guest.h
/// A robot with what drives it, in the world of a scene that one plays with.

#include <elasto/robot/robot_drives.h>
#include <elasto/scene/scene_world.h>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Gravity, ground and ticks are those of the scene; of the robot scene, which has one robot and nothing around it,
/// count robot, start, pose, loads and servos. Servos read at the starts of the scene's ticks; what they remember
/// begins anew where one has gone back.
class RobotGuest final : public SceneGuest {
public:
    /// Adds the robot to a world that takes multibodies.
    /// @param pose of the robot scene's world in the scene's (URDF has z upwards)
    /// @throws std::logic_error if the world takes none, InvalidParameter as Robot, and for several robots or what is
    /// around them
    RobotGuest(SceneWorld& world, RobotScene scene, const RobotPose& pose);

    void beginTick(double t, double /*h*/) override {
        t > m_begun ? m_drives.look(t) : m_drives.restart(t);
        m_begun = t;
    }

    const RobotScene& scene() const { return m_scene; }
    const Robot& robot() const { return m_robot; }

private:
    RobotScene m_scene;
    Robot m_robot;
    RobotDrives m_drives;
    double m_begun = -1;  ///< time of the last tick [s]
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
