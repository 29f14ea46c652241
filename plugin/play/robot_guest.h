#pragma once
/// @file robot_guest.h
/// A robot with what drives it, in the world of a scene that one plays with.

#include "joint_hold.h"

#include <elasto/robot/robot_drives.h>
#include <elasto/scene/scene_world.h>

#include <map>
#include <memory>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

class RobotGuest;

/// A guest of a scene that is a robot, or shows one.
class RobotOwner {
public:
    virtual ~RobotOwner() = default;
    virtual RobotGuest& robotGuest() = 0;
};

/// Gravity, ground and ticks are those of the scene; of the robot scene, which has one robot and nothing around it,
/// count robot, start, pose, loads and servos. Servos read at the starts of the scene's ticks. What they remember goes
/// back in time with the world, for as long as it is kept; before that they begin anew.
class RobotGuest final : public SceneGuest, public RobotOwner {
public:
    /// Adds the robot to a world that takes multibodies.
    /// @param pose of the robot scene's world in the scene's (URDF has z upwards)
    /// @throws std::logic_error if the world takes none, InvalidParameter as Robot, and for several robots or what is
    /// around them
    RobotGuest(SceneWorld& world, RobotScene scene, const RobotPose& pose);

    void beginTick(double t, double h) override;
    RobotGuest& robotGuest() override { return *this; }

    const RobotScene& scene() const { return m_scene; }
    Robot& robot() { return m_robot; }
    const Robot& robot() const { return m_robot; }
    const RobotDrives& drives() const { return m_drives; }

    /// Places a joint at rest, and the joints that follow it.
    /// @throws InvalidParameter unless q [rad, m] is finite and within the joint's range
    void place(int joint, double q);
    /// RobotDrives::setTarget.
    void setTarget(int joint, std::optional<double> target) { m_drives.setTarget(joint, target); }
    /// Whether it has no servos, so that its joints can be held.
    bool canBeHeld() const { return m_hold != nullptr; }
    /// JointHold::hold. @throws InvalidParameter as that, and if it has servos
    void hold(const std::vector<HeldJoint>& joints);
    /// By joint of the description; empty: all are let go.
    const std::vector<HeldJoint>& held() const { return m_hold->held(); }
    /// What holds a joint now; null: nothing.
    const HeldJoint* heldJoint(int joint) const;

private:
    RobotScene m_scene;
    Robot m_robot;
    RobotDrives m_drives;
    void keepPast(double t);

    std::unique_ptr<JointHold> m_hold;          ///< null: it has servos
    bool m_remembers = false;                   ///< a servo has an integral part or a delay; others read all anew
    std::map<double, RobotDrivesState> m_past;  ///< what servos remembered when ticks began, by time [s]
    double m_begun = -1;                        ///< time of the last tick [s]
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
