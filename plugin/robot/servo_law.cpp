#include "servo_law.h"

#include <algorithm>
#include <cmath>

namespace elasto::robot {

namespace {

/// Without integral part and feed-forward.
double proportional(const RobotServo& servo, const ServoReading& now) {
    switch (servo.mode) {
        case RobotServo::Mode::Position:
            return servo.stiffness * (now.target - now.q) + servo.damping * (now.targetRate - now.v);
        case RobotServo::Mode::Velocity:
            return servo.damping * (now.target - now.v);
        case RobotServo::Mode::Effort:
            return now.target;
    }
    return 0;
}

double errorOf(const RobotServo& servo, const ServoReading& now) {
    switch (servo.mode) {
        case RobotServo::Mode::Position:
            return now.target - now.q;
        case RobotServo::Mode::Velocity:
            return now.target - now.v;
        case RobotServo::Mode::Effort:
            return 0;
    }
    return 0;
}

double bounded(const RobotServo& servo, const ServoReading& now, double effort) {
    // As a damper to the largest rate does: from below, it is reached and not passed.
    if (servo.damping > 0 && std::isfinite(servo.maxVelocity)) {
        effort = std::clamp(effort, servo.damping * (-servo.maxVelocity - now.v),
                            servo.damping * (servo.maxVelocity - now.v));
    }
    return std::clamp(effort + now.gravity, -servo.maxEffort, servo.maxEffort);
}

}  // namespace

double servoEffort(const RobotServo& servo, const ServoReading& now, double& integral) {
    const double rest = proportional(servo, now) + now.feedforward;
    const double grown =
        std::clamp(integral + servo.integral * errorOf(servo, now) * now.period, -servo.maxIntegral, servo.maxIntegral);
    const double wanted = rest + grown + now.gravity;
    const bool isAgainstBound = (wanted - bounded(servo, now, rest + grown)) * (grown - integral) > 0;
    if (!isAgainstBound) integral = grown;
    return bounded(servo, now, rest + integral);
}

}  // namespace elasto::robot
