#include "gallery/robot_stage.h"

#include "play/joint_hold.h"
#include "play/robot_file.h"
#include "play/turned_scene.h"
#include "scene_input.h"
#include "tool_errors.h"

#include <elasto/robot/robot_world.h>

#include <fmt/format.h>

#include <algorithm>

namespace elasto::gallery {

namespace {

/// What stands around the robots, and their ground, in the gallery's world.
Scene sceneAround(const RobotScene& robots) {
    Scene scene = play::turned(robots.aroundAlone(), play::upright());
    scene.description = robots.description;
    scene.record.push_back({"totalHeat", ""});  // a scene records something; its other signals are those of bodies
    if (!robots.ground) return scene;
    SceneBody floor;
    floor.name = "floor";
    floor.motion = BodyMotion::Fixed;
    floor.shape.type = SceneShape::Type::Plane;
    floor.friction = robots.friction;
    floor.restitution = robots.restitution;
    const auto isTaken = [&] {
        return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                           [&](const SceneBody& body) { return body.name == floor.name; });
    };
    while (isTaken()) floor.name += "_";
    scene.bodies.push_back(std::move(floor));
    return scene;
}

double massOf(const RobotDescription& robot) {
    double sum = 0;
    for (const RobotLink& link : robot.links) sum += link.mass;
    return sum;
}

std::string countsOf(const RobotScene& scene) {
    std::size_t links = 0, moving = 0, elements = scene.around.elements.size();
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        const RobotDescription& robot = scene.at(i).robot;
        links += robot.links.size();
        elements += robot.elements.size();
        moving += static_cast<std::size_t>(
            std::count_if(robot.joints.begin(), robot.joints.end(),
                          [](const RobotJoint& joint) { return joint.type != RobotJoint::Type::Fixed; }));
    }
    const auto counted = [](std::size_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return (scene.robots() > 1 ? counted(scene.robots(), "robot") + ", " : "") + counted(links, "link") + ", " +
           counted(moving, "moving joint") + ", " + counted(elements, "element") + ".";
}

std::string pressOf(const RobotScene& scene) {
    bool isPlayed = false, isHoldable = false;
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        const std::vector<RobotJoint>& joints = scene.at(i).robot.joints;
        const bool hasJoints = std::any_of(joints.begin(), joints.end(),
                                           [](const RobotJoint& joint) { return joint.isScalar() && !joint.mimic; });
        isPlayed = isPlayed || hasJoints;
        isHoldable = isHoldable || (hasJoints && scene.at(i).servos.empty());
    }
    if (!isPlayed) return "Pull a link and let go.";
    return isHoldable ? "Pull a link, or pause and place the joints on the left; Hold keeps them there."
                      : "Move the targets of the servos on the left, or pause and place the joints.";
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
    if (robot.description.empty()) robot.description = countsOf(robot);
    Eigen::AlignedBox3d box;
    double mass = 0;
    std::string followed;
    for (std::size_t i = 0; i < robot.robots(); ++i) {
        const RobotDescription& description = robot.at(i).robot;
        const Robot built(description, robotOptions(robot, 1 / robot.rate, i));
        box.extend(play::boundsOf(built));
        mass += massOf(description);
        // One that may go anywhere is followed, where there is nothing else.
        const bool isFree = !built.multiBody().hasFixedBase();
        if (isFree && robot.robots() == 1 && robot.bodies() == 0) {
            followed = description.links[built.bulletLink(0) < -1 ? 1 : 0].name;
        }
    }
    if (input.isRobotFile()) robot = play::standingOnGround(std::move(robot));
    constexpr double kBall = 0.05;  // of the robots' size, and of their mass
    stage.ballRadius = kBall * std::max(box.diagonal().norm(), 1e-3);
    if (mass > 0) stage.ballMass = kBall * mass;
    stage.scene = sceneAround(robot);
    stage.demo = {.name = "robot",
                  .title = robot.name,
                  .look = robot.description,
                  .press = pressOf(robot),
                  .scene = file.string(),
                  .azimuth = 0.6,
                  .zoom = 0.8};  // the caption lies over its upper edge
    stage.demo.followed = std::move(followed);
    stage.demo.guests = robotsOf(std::move(robot));
    return stage;
}

}  // namespace elasto::gallery
