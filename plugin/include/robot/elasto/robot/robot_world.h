#pragma once
/// @file robot_world.h
/// An ordinary Bullet world with robots in it and what stands around them, built from a robot scene.

#include <elasto/export.h>
#include <elasto/plugin.h>
#include <elasto/robot/robot.h>
#include <elasto/robot/robot_drives.h>
#include <elasto/robot/robot_readouts.h>
#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_signals.h>
#include <elasto/scene/sample.h>
#include <elasto/scene/scene_world.h>
#include <elasto/scene/signals.h>
#include <elasto/scene/tick_grid.h>
#include <elasto/world_snapshot.h>

#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// How a scene wants a robot built. @param tickLength of the world [s] @param index of the robot in the scene
ELASTO_API RobotOptions robotOptions(const RobotScene& scene, double tickLength, std::size_t index = 0);

/// Ties robots to what is around them, as RobotWorld does: heat of their elements goes to the heat ports of the scene,
/// and its elements with an end on a link are added to the world. These must be removed from it
/// (removeMultiBodyConstraint) before their bodies and robots are.
/// @param around world whose first bodies, and heat ports, are those of scene.around, in the same order
/// @param robots in it, as many as the scene has
ELASTO_API std::vector<std::unique_ptr<MultiBodyElement>> joinSurroundings(const RobotScene& scene, SceneWorld& around,
                                                                           const std::vector<Robot*>& robots);

/// A btMultiBodyDynamicsWorld with a Plugin, the robots of a scene, their loads and servos, the ground, and what stands
/// around them (a SceneWorld).
///
/// Nothing in it is special: a program that builds its world by hand gets the same bits. Loads and servos act on a
/// joint by a JointLoad, or on its motor by MultiBodyElement::setMotorTorque. Elements between a link and a body, or
/// links of two robots, are MultiBodyElements; unlike the two bodies of another element their ends collide.
class ELASTO_API RobotWorld {
public:
    /// @param rate ticks per second [Hz]; without it the scene's
    /// @throws InvalidParameter if the rate is not in (0, 1e6], or naming what cannot be built
    explicit RobotWorld(RobotScene scene, std::optional<double> rate = std::nullopt);
    ~RobotWorld();
    RobotWorld(const RobotWorld&) = delete;
    RobotWorld& operator=(const RobotWorld&) = delete;

    /// One tick of 1/rate: stepSimulation with exactly one substep, or, where a servo reads or what it said begins to
    /// act inside the tick, with one for each part in between.
    void step();
    /// Only the first part of a tick, for who looks inside it: values are those at its end, time() and ticks() are as
    /// before. Before the world goes on it must be put back: Plugin::restoreWorld, setTicks. @param length [s], > 0
    void stepPart(double length);
    /// Puts all of it back to the start of the scene, for another episode: the same bits each time. Of robots without
    /// anything around them nothing is allocated.
    void restart();

    const RobotScene& scene() const { return m_scene; }     ///< what it was built from
    double rate() const { return m_grid.rate(); }           ///< [Hz]
    double tickLength() const { return m_grid.length(); }   ///< [s], see TickGrid
    long ticks() const { return m_ticks; }                  ///< ticks done
    double time() const { return m_grid.timeOf(m_ticks); }  ///< simulated time [s]
    /// Says which tick the world is at, after Plugin::restoreWorld: time(), loads and servos go on from there, servos
    /// as from a start: one that reads at this time does. @param ticks done, >= 0
    void setTicks(long ticks);
    /// The same; servos go on as they did. @param drives drivesStates() when the world was saved
    /// @throws InvalidParameter unless they are of as many robots, with as many servos
    void setTicks(long ticks, const std::vector<RobotDrivesState>& drives);
    /// What the drives of each robot remember now.
    std::vector<RobotDrivesState> drivesStates() const;
    /// Ticks that the scene's duration has. @throws InvalidParameter if it is shorter than one tick
    long ticksToEnd() const;

    btMultiBodyDynamicsWorld& world() { return *m_around.multiBodyWorld(); }  ///< Bullet's world
    Plugin& plugin() { return m_around.plugin(); }                            ///< that of the world
    const Plugin& plugin() const { return m_around.plugin(); }                ///< that of the world
    /// By its index in the scene, the first one by default. The next ones throw the same.
    /// @throws std::out_of_range
    Robot& robot(std::size_t index = 0) { return *m_robots.at(index).robot; }
    const Robot& robot(std::size_t index = 0) const { return *m_robots.at(index).robot; }          ///< the same
    RobotDrives& drives(std::size_t index = 0) { return *m_robots.at(index).drives; }              ///< what drives it
    const RobotDrives& drives(std::size_t index = 0) const { return *m_robots.at(index).drives; }  ///< the same
    /// What one reads of it, of the last tick. Worked out when it is asked for: not for two threads at once.
    const RobotReadouts& readouts(std::size_t index = 0) const;
    /// Bodies, joints, elements and heat ports around the robots, but for elements on links. step() is this world's.
    SceneWorld& around() { return m_around; }
    const SceneWorld& around() const { return m_around; }  ///< the same
    /// An element with an end on a link, by its name. @throws std::out_of_range
    MultiBodyElement& tie(std::string_view name);

    /// Value of a signal now.
    double value(const RobotSignal& signal) const;
    /// What is around the robots now, as RobotScene::around has it: with the links on which elements have ends, and
    /// these elements.
    const SceneSample& sampleAround() const;

private:
    /// A robot in the world.
    struct Member {
        std::unique_ptr<Robot> robot;
        std::unique_ptr<RobotDrives> drives;
        std::unique_ptr<RobotReadouts> readouts;
        std::vector<double> impulses;  ///< of its elements in the last tick
    };

    void addGround();
    void addRobot(std::size_t index);
    void notePart(double length);
    void clearReadouts();
    double robotValue(const RobotSignal& signal) const;
    void sumStartOfHeatPorts(SceneSample& sample) const;

    RobotScene m_scene;
    TickGrid m_grid;
    long m_ticks = 0;
    TickGrade m_grade;  ///< of the last tick
    // In the order in which they may be destroyed, last first: what is around goes before the robots do, whose joints
    // its Plugin knows.
    std::unique_ptr<btStaticPlaneShape> m_groundShape;
    std::unique_ptr<btRigidBody> m_ground;
    SceneWorld m_around;
    std::vector<Member> m_robots;
    std::vector<RobotDrives*> m_drives;  ///< of all robots
    std::vector<std::unique_ptr<MultiBodyElement>> m_ties;
    std::optional<WorldSnapshot> m_start;  ///< where there is something around
    std::vector<Signal> m_signals;         ///< of what is around
    std::vector<double> m_impulses;        ///< of the elements around in the last tick
    mutable bool m_isUnread = false;       ///< readouts are to read the last tick
    mutable std::optional<SceneSample> m_sample;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
