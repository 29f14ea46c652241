#include "sdf_frames.h"

namespace elasto::robot {

namespace {

/// Frames are placed in one another; more than this is a circle.
constexpr int kMostFrames = 2000;

RobotPose inverseOf(const RobotPose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {-(back * pose.position), back};
}

}  // namespace

RobotPose SdfFrames::inWorld(const std::string& name) {
    return placeOf(name, kSdfWorld, 0);
}

/// Pose in `stop`, which is one of those that carry it.
RobotPose SdfFrames::placeOf(const std::string& name, const std::string& stop, int depth) {
    RobotPose pose;
    std::string at = name;
    for (int steps = 0; at != stop && at != kSdfWorld; ++steps) {
        const auto found = m_frames.find(at);
        if (found == m_frames.end()) return pose;
        const SdfFrame& frame = found->second;
        if (!m_frames.contains(frame.parent)) {
            if (frame.isNamed)
                problem(frame, at, "relative_to = \"" + frame.parent + "\" is not allowed: there is no such frame");
            return pose;
        }
        if (steps + depth > kMostFrames) {
            problem(frame, at, "is placed in itself, through other frames");
            return pose;
        }
        RobotPose own = frame.pose;
        if (!frame.placement.empty() && m_frames.contains(frame.placement)) {
            // Found once: models in models would ask for it again and again. In a circle it is the identity.
            const bool isNew = m_placements.try_emplace(at).second;
            if (isNew) {
                const RobotPose place = inverseOf(placeOf(frame.placement, at, depth + steps + 1));
                m_placements[at] = place;
            }
            own = own * m_placements[at];
        }
        pose = own * pose;
        at = frame.parent;
    }
    return pose;
}

std::string SdfFrames::linkOf(std::string name) const {
    for (int steps = 0; steps < kMostFrames; ++steps) {
        const auto found = m_frames.find(name);
        if (found == m_frames.end()) return "";
        if (found->second.attached.empty()) return name;
        name = found->second.attached;
    }
    return "";
}

void SdfFrames::problem(const SdfFrame& frame, const std::string& name, const std::string& message) {
    if (m_isSaid[name] || frame.file == nullptr) return;
    m_isSaid[name] = true;
    frame.file->problem(frame.line, "frame \"" + name + "\": " + message);
}

}  // namespace elasto::robot
