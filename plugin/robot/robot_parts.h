#pragma once
/// @file robot_parts.h
/// Links and joints as a file has them, in its order, before they are a tree.

#include "xml_file.h"

#include <elasto/robot/description.h>

#include <optional>
#include <string>
#include <vector>

namespace elasto::robot {

/// A link and the file it stands in.
struct LinkPart {
    RobotLink link;
    XmlFile* file = nullptr;
    /// Mass and moments are there. If not, a link that a joint moves needs assumed ones: see assumed_inertia.h.
    bool hasInertial = false;
    int inertiaLine = 0;  ///< where its tensor stands
};

/// A joint, its ends by name, and the file it stands in.
struct JointPart {
    RobotJoint joint;  ///< its parent and child do not count
    std::string parent;
    std::string child;
    std::string leader;  ///< of `joint.mimic`; empty: it follows none
    XmlFile* file = nullptr;
};

/// What a file says of a robot. Names of links are unique, and those of joints.
struct RobotParts {
    std::string name;
    std::vector<LinkPart> links;
    std::vector<JointPart> joints;
    /// Links that are carried by a joint which has another mistake: that no joint carries them is none of theirs. Empty
    /// for a joint that does not say whom it carries: it may be any of them.
    std::vector<std::string> carriedByWrong;
};

}  // namespace elasto::robot
