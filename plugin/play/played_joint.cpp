#include "played_joint.h"

#include <limits>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

PlayedJoint describe(const RobotGuest& robot, int robotIndex, int index) {
    const RobotJoint& joint = robot.robot().description().joints[static_cast<std::size_t>(index)];
    PlayedJoint described;
    described.robot = robotIndex;
    described.joint = index;
    described.name = joint.name;
    described.turns = joint.type != RobotJoint::Type::Prismatic;
    described.lower = joint.hasRange() ? joint.limits->lower : -kEndless;
    described.upper = joint.hasRange() ? joint.limits->upper : kEndless;
    for (const RobotServo& servo : robot.scene().servos) {
        if (servo.joint == index) described.servo = servo.mode;
    }
    described.canBeHeld = robot.canBeHeld();
    return described;
}

}  // namespace

std::vector<RobotGuest*> robotsOf(const SceneWorld& world) {
    std::vector<RobotGuest*> robots;
    for (const std::unique_ptr<SceneGuest>& guest : world.guests()) {
        if (auto* owner = dynamic_cast<RobotOwner*>(guest.get())) robots.push_back(&owner->robotGuest());
    }
    return robots;
}

std::vector<PlayedJoint> playedJoints(const SceneWorld& world) {
    const std::vector<RobotGuest*> robots = robotsOf(world);
    std::vector<PlayedJoint> joints;
    for (std::size_t i = 0; i < robots.size(); ++i) {
        const RobotDescription& robot = robots[i]->robot().description();
        for (std::size_t k = 0; k < robot.joints.size(); ++k) {
            if (!robot.joints[k].isScalar() || robot.joints[k].mimic) continue;
            joints.push_back(describe(*robots[i], static_cast<int>(i), static_cast<int>(k)));
            if (robots.size() == 1) continue;
            const std::string& stated = robots[i]->scene().prefix;
            joints.back().prefix = stated.empty() ? robot.name + "." : stated;
            joints.back().name.insert(0, joints.back().prefix);
        }
    }
    return joints;
}

JointSample sampleOf(const PlayedJoint& joint, const SceneWorld& world) {
    const RobotGuest& robot = *robotsOf(world).at(static_cast<std::size_t>(joint.robot));
    JointSample sample{robot.robot().q(joint.joint), robot.robot().v(joint.joint),
                       std::numeric_limits<double>::quiet_NaN()};
    if (joint.servo) sample.target = robot.drives().target(joint.joint, world.time());
    if (const HeldJoint* held = robot.heldJoint(joint.joint)) sample.target = held->target;
    return sample;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
