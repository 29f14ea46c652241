#include "gallery/robot_stage.h"

#include "play/joint_hold.h"
#include "scene_input.h"
#include "tool_errors.h"

#include <elasto/robot/robot_world.h>

#include <fmt/format.h>

#include <algorithm>

namespace elasto::gallery {

namespace {

constexpr std::string_view kPrefix = "robot:";

/// Of the robot's scene, z upwards, in the gallery's, y upwards.
Eigen::Vector3d upright(const Eigen::Vector3d& v) {
    return {v.x(), v.z(), -v.y()};
}

Scene sceneAround(const RobotScene& robot) {
    Scene scene;
    scene.name = robot.name;
    scene.description = robot.description;
    scene.gravity = upright(robot.gravity);
    scene.rate = robot.rate;
    scene.duration = robot.duration;
    scene.solverIterations = robot.solverIterations;
    scene.record.push_back({"totalHeat", ""});  // a scene records something; its other signals are those of bodies
    if (!robot.ground) return scene;
    SceneBody floor;
    floor.name = "floor";
    floor.motion = BodyMotion::Fixed;
    floor.shape.type = SceneShape::Type::Plane;
    floor.friction = robot.friction;
    scene.bodies.push_back(std::move(floor));
    return scene;
}

double massOf(const RobotDescription& robot) {
    double sum = 0;
    for (const RobotLink& link : robot.links) sum += link.mass;
    return sum;
}

std::string countsOf(const RobotDescription& robot) {
    const auto moving = std::count_if(robot.joints.begin(), robot.joints.end(),
                                      [](const RobotJoint& joint) { return joint.type != RobotJoint::Type::Fixed; });
    const auto counted = [](std::size_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return counted(robot.links.size(), "link") + ", " + counted(static_cast<std::size_t>(moving), "moving joint") +
           ", " + counted(robot.elements.size(), "element") + ".";
}

std::string pressOf(const RobotScene& robot, bool isPlayed) {
    if (!isPlayed) return "Pull a link and let go.";
    return robot.servos.empty() ? "Pull a link, or pause and place its joints on the left; Hold keeps them there."
                                : "Move the targets of its servos on the left, or pause and place its joints.";
}

}  // namespace

RobotStage loadRobotStage(const std::filesystem::path& file) {
    const tools::SceneInput input(file);
    if (!input.isRobot()) {
        throw tools::InputError(file.string() + ": is no robot (a URDF or SDF file, or a scene with a robot)");
    }
    RobotStage stage;
    RobotScene robot = input.robot([&](const std::string& line) { stage.warnings.push_back(line); });
    if (robot.name.empty()) robot.name = file.stem().string();
    if (robot.description.empty()) robot.description = countsOf(robot.robot);
    const Robot built(robot.robot, robotOptions(robot, 1 / robot.rate));
    const Eigen::AlignedBox3d box = play::boundsOf(built);
    const bool isFree = !built.multiBody().hasFixedBase();
    if (input.isRobotFile() && isFree) {
        robot.ground = true;
        robot.pose.position.z() -= box.min().z();
    }
    constexpr double kBall = 0.05;  // of the robot's size, and of its mass
    stage.ballRadius = kBall * std::max(box.diagonal().norm(), 1e-3);
    if (massOf(robot.robot) > 0) stage.ballMass = kBall * massOf(robot.robot);
    stage.scene = sceneAround(robot);
    const std::vector<RobotJoint>& joints = robot.robot.joints;
    const bool isPlayed = std::any_of(joints.begin(), joints.end(),
                                      [](const RobotJoint& joint) { return joint.isScalar() && !joint.mimic; });
    stage.demo = {.name = "robot",
                  .title = robot.name,
                  .look = robot.description,
                  .press = pressOf(robot, isPlayed),
                  .scene = file.string(),
                  .azimuth = 0.6,
                  .zoom = 0.8};  // the caption lies over its upper edge
    // A robot that may go anywhere is followed.
    if (isFree) stage.demo.followed = robot.robot.links[built.bulletLink(0) < -1 ? 1 : 0].name;
    stage.demo.guest = robotOf(std::move(robot));
    return stage;
}

std::string preparedByRobot(const std::filesystem::path& file) {
    return std::string(kPrefix) + std::filesystem::absolute(file).lexically_normal().string();
}

std::filesystem::path robotThatPrepared(const std::string& preparedBy) {
    return preparedBy.starts_with(kPrefix) ? preparedBy.substr(kPrefix.size()) : "";
}

}  // namespace elasto::gallery
