#pragma once
/// @file robot_drives.h
/// What drives a robot's joints, and brakes them: loads as functions of time, servos, brakes.

#include <elasto/export.h>
#include <elasto/plugin.h>
#include <elasto/robot/robot.h>
#include <elasto/robot/robot_scene.h>

#include <functional>
#include <optional>
#include <span>
#include <vector>

class btDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What a sampled servo remembers, all on the joint's side of the gear.
struct RobotServoState {
    /// What a reading says, which does not act yet.
    struct Pending {
        double time;    ///< from when on it acts [s]
        double effort;  ///< [N.m, N]
    };
    long readings = 0;             ///< the next one is at readings / rate
    double effort = 0;             ///< what acts now [N.m, N]
    double integral = 0;           ///< the integral part [N.m, N]
    std::vector<Pending> pending;  ///< in the order of time
};

/// What loads and servos remember between two ticks.
struct RobotDrivesState {
    std::vector<RobotServoState> servos;  ///< in the scene's order; a continuous one remembers nothing
    double late = 0;  ///< by how much Bullet's ticks were too short: what single precision makes of parts [s]
};

/// The loads, servos and brakes of a robot scene on a robot: torques of its motors, joint loads where it has none, and
/// strengths of its friction.
///
/// In a program of your own `drives.step(world, h)` takes the place of `world.stepSimulation(h, 0)`.
class ELASTO_API RobotDrives {
public:
    /// Robot and Plugin take their torques from here, which must outlive their ticks. A continuous servo becomes an
    /// element on the robot. @param index of the robot in the scene
    /// @throws InvalidParameter for a servo that RobotServo and RobotControl do not allow
    RobotDrives(Robot& robot, const RobotScene& scene, Plugin& plugin, std::size_t index = 0);
    RobotDrives(const RobotDrives&) = delete;
    RobotDrives& operator=(const RobotDrives&) = delete;

    /// Called after each part of a tick, with its length [s].
    using PartDone = std::function<void(double length)>;
    /// One tick of h [s]: stepSimulation with one substep, or, where a controller reads, or what it said begins to act,
    /// inside the tick, with one for each part in between. @param start of the tick [s]
    void step(btDynamicsWorld& world, double start, double h, const PartDone& partDone = {});
    /// The same from the Plugin's time on.
    void step(btDynamicsWorld& world, double h) { step(world, m_plugin.time(), h); }
    /// Makes a part of a tick: stepSimulation with one substep. @param end of the part [s] @param length of it [s]
    using MakePart = std::function<void(double end, double length)>;
    /// One tick of a world with several robots, in parts where the controllers of any of them need it.
    /// @param all of them, at least one
    static void step(std::span<RobotDrives* const> all, double start, double h, const MakePart& makePart);

    /// Servos whose time has come by t [s] read their joints, once each, and what is to act by then does; those that
    /// have read later than t begin anew. step() calls it; a world that makes its ticks itself may do so at their
    /// starts.
    void look(double t);
    /// Forgets what servos remember, and looks at a robot that begins at t [s].
    void restart(double t);
    /// What drives a joint, or its motor on its side of the gear, at a time [s]: loads then, servos as they are now
    /// [N.m, N].
    double torque(int joint, double t) const;

    /// Another target for a joint's servo in the place of the scene's, constant until it is set again: a sampled servo
    /// takes it with its next reading, a continuous one at once. To be called between ticks; restart() keeps it.
    /// @param target as RobotServo::target; nothing: the scene's again
    /// @throws InvalidParameter unless finite, and for a joint without a servo
    void setTarget(int joint, std::optional<double> target);
    /// Target of a joint's servo at t [s]. @throws InvalidParameter for a joint without a servo
    double target(int joint, double t) const;

    const RobotDrivesState& state() const { return m_state; }  ///< with it a restored world goes on as it did
    /// Goes on from such a state. @throws InvalidParameter unless it is of as many servos
    void restoreState(const RobotDrivesState& state);

private:
    struct Drive {
        int joint = 0;
        std::vector<RobotFunction> loads;
        int servo = -1;    ///< index; -1: none
        double ratio = 1;  ///< turns of a motor per turn of the joint
    };

    Drive& driveOf(int joint);
    void setBrake(const RobotBrake& brake);
    void reserve(std::size_t servo);
    void findGravity();
    void beginAt(std::size_t servo, double t);
    void connect(std::size_t drive);
    void addContinuous(std::size_t servo, Plugin& plugin);
    double rateOf(const RobotServo& servo) const { return servo.control.rate.value_or(m_sceneRate); }
    double nextChange(double t) const;
    double read(std::size_t servo, double t);
    double continuousEffort(std::size_t servo, double t) const;
    std::size_t servoOf(int joint) const;
    double targetAt(std::size_t servo, double t) const;
    double targetRate(std::size_t servo, double t) const;
    double jointCoordinate(int joint) const;
    double jointRate(int joint) const;

    Robot& m_robot;
    Plugin& m_plugin;
    double m_sceneRate;
    Eigen::Vector3d m_sceneGravity;
    std::vector<RobotServo> m_servos;
    std::vector<std::optional<double>> m_targets;  ///< of setTarget, by servo
    RobotEfforts m_gravity;                        ///< what holds the robot where it is, for those that read now
    RobotDrivesState m_state;
    std::vector<Drive> m_drives;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
