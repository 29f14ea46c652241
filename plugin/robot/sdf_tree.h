#pragma once
/// @file sdf_tree.h
/// Joints of an SDF model, which may be written either way round, as the tree that a robot is.

#include <set>
#include <string>
#include <vector>

namespace elasto::robot {

/// The links that a joint connects, by name.
struct JointEnds {
    std::string parent;
    std::string child;
};

struct SdfTree {
    std::string root;              ///< "world", or one of the links
    std::set<std::string> links;   ///< those that are part of it, and "world" where a joint names it
    std::vector<bool> isReversed;  ///< of each joint: its parent hangs on its child
};

/// The part with most links of what joints connect (of several the first one), from the world where it hangs on it,
/// else from the first link that no joint carries. A joint is only reversed where its parent would hang on nothing.
/// What closes a loop stays as it is.
/// @param links in the file's order, at least one
/// @param joints whose ends are links or "world"
SdfTree findTree(const std::vector<std::string>& links, const std::vector<JointEnds>& joints);

}  // namespace elasto::robot
