// Servos, controllers and trajectories in scene files.

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "small_robot.h"
#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;
using nlohmann::json;

namespace {

/// A scene of the small robot, whose elbow has a motor.
class ServoFolder {
public:
    ServoFolder() {
        writeText(
            m_folder.path() / "small.urdf",
            smallRobotWith(R"(<elasto:backlash joint="elbow" c="1e4" d="20" b="0.01" inertia="1e-4" ratio="50"/>)"));
        writeText(m_folder.path() / "moves.csv", "time,shoulder,elbow\n0,0,1\n1,0.5,2\n");
    }

    RobotScene parse(const json& fields) const {
        json scene = {{"elasto", 1}, {"name", "small"}, {"robot", "small.urdf"}};
        scene.update(fields);
        return parseRobotScene(scene.dump(), m_folder.path() / "s.json");
    }
    RobotServo servo(const json& fields, json scene = json::object()) const {
        json item = {{"joint", "shoulder"}, {"type", "constant"}};
        item.update(fields);
        scene["servos"] = {item};
        return parse(scene).servos.at(0);
    }
    std::string refusal(const json& fields, const json& scene = json::object()) const {
        try {
            servo(fields, scene);
        } catch (const SceneError& refused) {
            const std::string said = refused.what();
            return said.substr(said.find("s.json: ") + 8);
        }
        return "";
    }

private:
    TemporaryFolder m_folder;
};

const json kPosition = {{"position", 0.5}, {"stiffness", 40}, {"damping", 4}};

json with(json fields, const json& more) {
    fields.update(more);
    return fields;
}

}  // namespace

TEST_CASE("a servo reads at the scene's rate where nothing else is said") {
    const RobotServo servo = ServoFolder().servo(kPosition);
    CHECK(servo.mode == RobotServo::Mode::Position);
    CHECK_FALSE(servo.control.isContinuous);
    CHECK_FALSE(servo.control.rate);
    CHECK(servo.control.delay == 0);
    CHECK(servo.maxEffort == 10);   // of the joint's limit
    CHECK(servo.maxVelocity == 5);  // the same
    CHECK_FALSE(servo.gravity);
}

TEST_CASE("a scene says how all servos read, and a servo how it does") {
    const ServoFolder folder;
    const json scene = {{"control", {{"rate", 500}, {"delay", 0.002}}}};
    CHECK(folder.servo(kPosition, scene).control == RobotControl{false, 500, 0.002});
    const RobotServo own = folder.servo(with(kPosition, {{"control", {{"rate", 100}}}}), scene);
    CHECK(own.control == RobotControl{false, 100, 0});
    const RobotServo continuous = folder.servo(with(kPosition, {{"control", "continuous"}}), scene);
    CHECK(continuous.control.isContinuous);
    CHECK(std::isinf(continuous.maxEffort));
    CHECK(std::isinf(continuous.maxVelocity));
}

TEST_CASE("a servo follows a position, a velocity or an effort") {
    const ServoFolder folder;
    const RobotServo velocity = folder.servo({{"mode", "velocity"},
                                              {"velocity", 2},
                                              {"damping", 4},
                                              {"integral", 30},
                                              {"maxIntegral", 3},
                                              {"feedforward", -1},
                                              {"maxVelocity", 1.5},
                                              {"maxEffort", 6},
                                              {"gravity", true}});
    CHECK(velocity.mode == RobotServo::Mode::Velocity);
    CHECK(velocity.target.at(1) == 2);
    CHECK(velocity.integral == 30);
    CHECK(velocity.maxIntegral == 3);
    CHECK(velocity.feedforward.at(1) == -1);
    CHECK(velocity.maxVelocity == 1.5);
    CHECK(velocity.maxEffort == 6);
    CHECK(velocity.gravity);
    const RobotServo effort = folder.servo(
        {{"mode", "effort"}, {"type", "sine"}, {"effort", 3}, {"frequency", 1}, {"phase", M_PI / 2}, {"offset", 1}});
    CHECK(effort.mode == RobotServo::Mode::Effort);
    CHECK(effort.target.at(0) == Approx(6));
    const RobotServo pushed = folder.servo(
        with(kPosition, {{"feedforward", {{"type", "sine"}, {"effort", 2}, {"frequency", 0.25}}}, {"integral", 1}}));
    CHECK(pushed.feedforward.at(1) == Approx(2));
    CHECK(pushed.maxIntegral == 10);  // as maxEffort
}

TEST_CASE("servos follow the columns of one table") {
    const ServoFolder folder;
    const json scene = {{"trajectory", {{"file", "moves.csv"}, {"interpolation", "linear"}}}};
    const json gains = {{"type", "trajectory"}, {"stiffness", 40}, {"damping", 4}};
    const RobotServo own = folder.servo(with(gains, {{"startTime", 2}}), scene);
    CHECK(own.target.at(2.5) == 0.25);
    CHECK(own.target.rate(2.5) == 0.5);
    CHECK(own.target.nextBreak(2.5) == 3);
    CHECK(own.target.nextBreak(2) > 2);
    const RobotServo other = folder.servo(with(gains, {{"column", "elbow"}, {"position", -2}}), scene);
    CHECK(other.target.at(0.5) == -3);
    CHECK(folder.servo(gains, {{"trajectory", {{"file", "moves.csv"}}}}).target.rate(0) == 0);  // cubic
    CHECK(folder.refusal(gains) ==
          "/servos/0/type: \"trajectory\" is not allowed: the scene names no file in a field trajectory");
    CHECK(folder.refusal(with(gains, {{"column", "knee"}}), scene) ==
          "/servos/0/column: \"knee\" is not allowed: the trajectory has no such column. Columns: shoulder, elbow");
    CHECK_THAT(folder.refusal(gains, {{"trajectory", {{"file", "none.csv"}}}}),
               Catch::StartsWith("/trajectory/file: ") && Catch::Contains("none.csv: cannot be read"));
}

TEST_CASE("a servo that cannot be is refused with path, value and what is allowed") {
    const ServoFolder folder;
    CHECK(folder.refusal({{"stiffness", 1}, {"damping", 1}}) ==
          "/servos/0/position: is missing; it must be a number: what a servo of mode position follows");
    CHECK(folder.refusal({{"mode", "velocity"}, {"damping", 1}}) ==
          "/servos/0/velocity: is missing; it must be a number: what a servo of mode velocity follows");
    CHECK(folder.refusal({{"mode", "velocity"}, {"velocity", 1}}) ==
          "/servos/0/damping: is missing; it must be a number >= 0. Torque or force per error of the rate, on the "
          "joint's side of the gear [N.m.s/rad, N.s/m]");
    CHECK(folder.refusal({{"mode", "velocity"}, {"velocity", 1}, {"damping", 1}, {"stiffness", 1}}) ==
          "/servos/0/stiffness: is not allowed in mode velocity");
    CHECK(folder.refusal({{"mode", "effort"}, {"effort", 1}, {"position", 1}}) ==
          "/servos/0/position: is not allowed: a servo of mode effort follows its field effort");
    CHECK_THAT(folder.refusal(with(kPosition, {{"mode", "torque"}})),
               Catch::StartsWith("/servos/0/mode: \"torque\" is not allowed"));
    CHECK(folder.refusal({{"mode", "effort"}, {"effort", 1}, {"maxVelocity", 1}}) ==
          "/servos/0/maxVelocity: is not allowed without damping > 0, which is what keeps it");
    CHECK(
        folder.refusal(with(kPosition, {{"control", "continous"}})) ==
        "/servos/0/control: \"continous\" is not allowed; it must be \"continuous\" or an object with rate and delay");
    CHECK_THAT(folder.refusal(with(kPosition, {{"control", {{"rate", 0}}}})),
               Catch::StartsWith("/servos/0/control/rate: 0 is not allowed"));
    CHECK(folder.refusal(with(kPosition, {{"control", "continuous"}, {"maxEffort", 3}})) ==
          "/servos/0/control: \"continuous\" is not allowed with maxEffort; give it a rate");
    CHECK(folder.refusal(with(kPosition, {{"joint", "elbow"}, {"control", "continuous"}})) ==
          "/servos/0/control: \"continuous\" is not allowed for a joint with a motor; give it a rate");
    CHECK(folder.refusal({{"mode", "effort"}, {"effort", 1}, {"control", "continuous"}}) ==
          "/servos/0/control: \"continuous\" is not allowed in mode effort; give it a rate");
    CHECK(folder.refusal(with(kPosition, {{"joint", "elbow"}, {"integral", 1}})) ==
          "/servos/0/maxIntegral: is missing; it must be a number >= 0, for nothing else bounds the integral part: "
          "there is no maxEffort");
    CHECK(folder.refusal(with(kPosition, {{"feedforward", {{"type", "sine"}, {"effort", 2}}}})) ==
          "/servos/0/feedforward/frequency: is missing; a sine must have one, a number >= 0 [Hz]");
}
