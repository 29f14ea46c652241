#pragma once
/// @file robot_world.h
/// An ordinary Bullet world with one robot in it, built from a robot scene.

#include <elasto/export.h>
#include <elasto/plugin.h>
#include <elasto/robot/robot.h>
#include <elasto/robot/robot_drives.h>
#include <elasto/robot/robot_readouts.h>
#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_signals.h>
#include <elasto/scene/tick_grid.h>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <memory>
#include <optional>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// How a scene wants its robot built. @param tickLength of the world [s]
ELASTO_API RobotOptions robotOptions(const RobotScene& scene, double tickLength);

/// A btMultiBodyDynamicsWorld with a Plugin, the robot of a scene, its loads and servos, and the ground.
///
/// Nothing in it is special: a program that builds its world by hand gets the same bits. Loads and servos act on a
/// joint by a JointLoad, or on its motor by MultiBodyElement::setMotorTorque.
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
    /// Puts all of it back to the start of the scene, for another episode: the same bits each time. Nothing is
    /// allocated.
    void restart();

    const RobotScene& scene() const { return m_scene; }     ///< what it was built from
    double rate() const { return m_grid.rate(); }           ///< [Hz]
    double tickLength() const { return m_grid.length(); }   ///< [s], see TickGrid
    long ticks() const { return m_ticks; }                  ///< ticks done
    double time() const { return m_grid.timeOf(m_ticks); }  ///< simulated time [s]
    /// Says which tick the world is at, after Plugin::restoreWorld: time(), loads and servos go on from there, servos
    /// as from a start: one that reads at this time does. @param ticks done, >= 0
    void setTicks(long ticks);
    /// The same; servos go on as they did. @param drives drives().state() when the world was saved
    void setTicks(long ticks, const RobotDrivesState& drives);
    /// Ticks that the scene's duration has. @throws InvalidParameter if it is shorter than one tick
    long ticksToEnd() const;

    btMultiBodyDynamicsWorld& world() { return m_world; }    ///< Bullet's world
    Plugin& plugin() { return *m_plugin; }                   ///< that of the world
    const Plugin& plugin() const { return *m_plugin; }       ///< that of the world
    Robot& robot() { return *m_robot; }                      ///< the one in the world
    const Robot& robot() const { return *m_robot; }          ///< the one in the world
    RobotDrives& drives() { return *m_drives; }              ///< what drives it
    const RobotDrives& drives() const { return *m_drives; }  ///< what drives it
    /// What one reads of it, of the last tick. Worked out when it is asked for: not for two threads at once.
    const RobotReadouts& readouts() const;

    /// Value of a signal now.
    double value(const RobotSignal& signal) const;

private:
    void addGround();
    void notePart(double length);
    void clearReadouts();

    RobotScene m_scene;
    TickGrid m_grid;
    long m_ticks = 0;
    std::vector<double> m_impulses;  ///< of the elements in the last tick
    TickGrade m_grade;               ///< of the last tick
    // In the order in which they may be destroyed, last first.
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    btMultiBodyConstraintSolver m_solver;
    std::unique_ptr<btStaticPlaneShape> m_groundShape;
    std::unique_ptr<btRigidBody> m_ground;
    btMultiBodyDynamicsWorld m_world;
    std::unique_ptr<Plugin> m_plugin;
    std::unique_ptr<Robot> m_robot;
    std::unique_ptr<RobotDrives> m_drives;
    std::unique_ptr<RobotReadouts> m_readouts;
    mutable bool m_isUnread = false;  ///< m_readouts is to read the last tick
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
