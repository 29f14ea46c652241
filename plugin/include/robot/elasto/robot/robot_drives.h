#pragma once
/// @file robot_drives.h
/// What drives a robot's joints: loads as functions of time, and servos.

#include <elasto/export.h>
#include <elasto/plugin.h>
#include <elasto/robot/robot.h>
#include <elasto/robot/robot_scene.h>

#include <optional>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The loads and servos of a robot scene on a robot: torques of its motors, and joint loads where it has none.
class ELASTO_API RobotDrives {
public:
    /// Robot and Plugin take their torques from here, which must outlive their ticks.
    RobotDrives(Robot& robot, const RobotScene& scene, Plugin& plugin);
    RobotDrives(const RobotDrives&) = delete;
    RobotDrives& operator=(const RobotDrives&) = delete;

    /// Servos look at their joints and motors. @param start of the tick that begins now @param end of it
    /// @param h its length [s]
    void look(double start, double end, double h);
    /// What drives a joint, or its motor on its side of the gear, at a time of this tick [N.m, N].
    double torque(int joint, double t) const;

private:
    struct Drive {
        int joint = 0;
        std::vector<RobotFunction> loads;
        std::optional<RobotServo> servo;
        double servoTorque = 0;  ///< in the tick that begins now, on the side it acts on
    };

    Drive& driveOf(int joint);
    double servoTorque(const RobotServo& servo, double start, double end, double h) const;
    static double loadTorque(const Drive& drive, double t);

    Robot& m_robot;
    std::vector<Drive> m_drives;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
