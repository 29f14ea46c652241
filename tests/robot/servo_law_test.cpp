#include "servo_law.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace elasto;
using elasto::robot::servoEffort;
using elasto::robot::ServoReading;

namespace {

RobotServo servoWith(double stiffness, double damping) {
    RobotServo servo;
    servo.stiffness = stiffness;
    servo.damping = damping;
    return servo;
}

ServoReading reading(double q, double v, double target, double targetRate = 0) {
    ServoReading now;
    now.q = q;
    now.v = v;
    now.target = target;
    now.targetRate = targetRate;
    now.period = 0.01;
    return now;
}

}  // namespace

TEST_CASE("a position servo is a spring and a damper to its target") {
    double integral = 0;
    ServoReading now = reading(0.2, -1, 0.5, 2);
    now.feedforward = 0.7;
    now.gravity = -0.1;
    CHECK(servoEffort(servoWith(40, 4), now, integral) == Approx(40 * 0.3 + 4 * 3 + 0.7 - 0.1));
    CHECK(integral == 0);
}

TEST_CASE("a velocity servo is a damper to its target, an effort servo hands it on") {
    double integral = 0;
    RobotServo servo = servoWith(0, 4);
    servo.mode = RobotServo::Mode::Velocity;
    CHECK(servoEffort(servo, reading(9, -1, 0.5, 77), integral) == Approx(4 * 1.5));
    servo.mode = RobotServo::Mode::Effort;
    CHECK(servoEffort(servo, reading(9, -1, 0.5, 77), integral) == 0.5);
}

TEST_CASE("the integral part grows with the error, up to its bound") {
    RobotServo servo = servoWith(0, 0);
    servo.integral = 100;
    servo.maxIntegral = 0.25;
    double integral = 0;
    const ServoReading now = reading(0, 0, 0.1);  // 100 * 0.1 * 0.01 at each reading
    CHECK(servoEffort(servo, now, integral) == Approx(0.1));
    CHECK(servoEffort(servo, now, integral) == Approx(0.2));
    CHECK(servoEffort(servo, now, integral) == Approx(0.25));
    CHECK(servoEffort(servo, now, integral) == Approx(0.25));
}

TEST_CASE("the integral part does not grow against a bound, and shrinks from it at once") {
    RobotServo servo = servoWith(10, 0);
    servo.integral = 100;
    servo.maxIntegral = 50;
    servo.maxEffort = 5;
    double integral = 0;
    for (int i = 0; i < 100; ++i) CHECK(servoEffort(servo, reading(0, 0, 1), integral) == 5);
    CHECK(integral == 0);
    // The error has another sign: what it says counts from the first reading on.
    CHECK(servoEffort(servo, reading(0.2, 0, 0.1), integral) == Approx(-10 * 0.1 - 100 * 0.1 * 0.01));
}

TEST_CASE("a servo does not push a joint beyond its largest rate, whatever it adds up") {
    RobotServo servo = servoWith(1e4, 4);
    servo.maxVelocity = 2;
    double integral = 0;
    ServoReading now = reading(0, 1.5, 10);
    now.feedforward = 300;
    CHECK(servoEffort(servo, now, integral) == Approx(4 * 0.5));
    now.v = 2;
    CHECK(servoEffort(servo, now, integral) == 0);
    now.v = 3;
    CHECK(servoEffort(servo, now, integral) == Approx(-4));
    now = reading(0, -2, -10);
    CHECK(servoEffort(servo, now, integral) == 0);
    now.gravity = 7;  // is borne, too
    CHECK(servoEffort(servo, now, integral) == 7);
}

TEST_CASE("the largest effort bounds the sum") {
    RobotServo servo = servoWith(40, 4);
    servo.maxEffort = 3;
    double integral = 0;
    ServoReading now = reading(0, 0, 1);
    now.gravity = 100;
    CHECK(servoEffort(servo, now, integral) == 3);
    now.gravity = -100;
    CHECK(servoEffort(servo, now, integral) == -3);
}
