#pragma once
// What a sampled servo says.

#include <elasto/export.h>
#include <elasto/robot/robot_scene.h>

namespace elasto::robot {

/// What a servo knows at one of its readings, on the joint's side of the gear.
struct ServoReading {
    double q = 0;            ///< [rad, m]
    double v = 0;            ///< [rad/s, m/s]
    double target = 0;       ///< as RobotServo::target
    double targetRate = 0;   ///< its rate
    double feedforward = 0;  ///< [N.m, N]
    double gravity = 0;      ///< what holds the joint against gravity [N.m, N]; 0 without gravity compensation
    double period = 0;       ///< since the reading before [s]
};

/// The servo's torque or force until the next reading, by the equations of RobotServo.
/// @param integral the integral part [N.m, N], which the reading changes
ELASTO_API double servoEffort(const RobotServo& servo, const ServoReading& reading, double& integral);

}  // namespace elasto::robot
