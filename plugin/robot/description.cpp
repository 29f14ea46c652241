#include <elasto/robot/description.h>

#include <algorithm>
#include <utility>

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

/// Of a joint's own limits that are rigid.
RobotRange rigidRange(const RobotJoint& joint) {
    RobotRange range;
    if (!joint.hasRange()) return range;
    if (!joint.limits->isLowerElastic) range.lower = joint.limits->lower;
    if (!joint.limits->isUpperElastic) range.upper = joint.limits->upper;
    return range;
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

RobotRange heldRange(const RobotDescription& robot, int joint, std::vector<int>* ignored) {
    constexpr double kSame = 1e-9;  // of bounds: rounding
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const RobotJoint& leader = robot.joints.at(static_cast<std::size_t>(joint));
    RobotRange range = rigidRange(leader);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
        // q_i = multiplier q + offset, along the joints that are followed.
        double multiplier = 1, offset = 0;
        auto at = static_cast<int>(i);
        while (at != joint && robot.joints[static_cast<std::size_t>(at)].mimic) {
            const RobotMimic& mimic = *robot.joints[static_cast<std::size_t>(at)].mimic;
            offset += multiplier * mimic.offset;
            multiplier *= mimic.multiplier;
            at = mimic.leader;
        }
        if (at != joint || static_cast<int>(i) == joint || multiplier == 0) continue;
        const RobotRange own = rigidRange(robot.joints[i]);
        RobotRange held{(own.lower - offset) / multiplier, (own.upper - offset) / multiplier};
        if (multiplier < 0) std::swap(held.lower, held.upper);
        // What the leader's own limits leave, rigid or not, is theirs.
        if (leader.hasRange() && held.lower <= leader.limits->lower + kSame) held.lower = -kInfinity;
        if (leader.hasRange() && held.upper >= leader.limits->upper - kSame) held.upper = kInfinity;
        held = {std::max(held.lower, range.lower), std::min(held.upper, range.upper)};
        if (held.lower <= held.upper) {
            range = held;
        } else if (ignored != nullptr) {
            ignored->push_back(static_cast<int>(i));
        }
    }
    return range;
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
