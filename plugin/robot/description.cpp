#include <elasto/robot/description.h>

namespace elasto {

namespace {

template <typename Things>
int indexOf(const Things& things, std::string_view name) {
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (things[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

RobotPose jointMotion(const RobotJoint& joint, double q) {
    RobotPose motion;
    if (joint.type == RobotJoint::Type::Prismatic) {
        motion.position = q * joint.axis;
    } else if (joint.isScalar()) {
        motion.orientation = Eigen::AngleAxisd(q, joint.axis);
    }
    return motion;
}

}  // namespace

int RobotDescription::linkIndex(std::string_view linkName) const {
    return indexOf(links, linkName);
}

int RobotDescription::jointIndex(std::string_view jointName) const {
    return indexOf(joints, jointName);
}

const char* jointTypeName(RobotJoint::Type type) {
    switch (type) {
        case RobotJoint::Type::Revolute:
            return "revolute";
        case RobotJoint::Type::Continuous:
            return "continuous";
        case RobotJoint::Type::Prismatic:
            return "prismatic";
        case RobotJoint::Type::Planar:
            return "planar";
        case RobotJoint::Type::Floating:
            return "floating";
        case RobotJoint::Type::Ball:
            return "spherical";
        case RobotJoint::Type::Fixed:
            break;
    }
    return "fixed";
}

const char* robotElementName(ElementType type) {
    const char* name = infoOf(type).robotElement;
    return name != nullptr ? name : "damping";
}

void placeFollowers(const RobotDescription& robot, std::vector<double>& q, const std::vector<bool>& isKept) {
    // One that follows another follower comes after it, whatever the order of the joints is: chains are short.
    for (std::size_t round = 0; round < robot.joints.size(); ++round) {
        bool hasChanged = false;
        for (std::size_t i = 0; i < robot.joints.size(); ++i) {
            const RobotJoint& joint = robot.joints[i];
            if (!joint.mimic || (!isKept.empty() && isKept[i])) continue;
            const double wanted =
                joint.mimic->multiplier * q.at(static_cast<std::size_t>(joint.mimic->leader)) + joint.mimic->offset;
            hasChanged = hasChanged || q.at(i) != wanted;
            q.at(i) = wanted;
        }
        if (!hasChanged) return;
    }
}

std::vector<RobotPose> linkPoses(const RobotDescription& robot, const RobotPose& base, const std::vector<double>& q) {
    std::vector<RobotPose> poses = {base};
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
        const RobotJoint& joint = robot.joints[i];
        poses.push_back(poses[static_cast<std::size_t>(joint.parent)] * joint.pose * jointMotion(joint, q.at(i)));
    }
    return poses;
}

}  // namespace elasto
