#pragma once
/// @file tree_reference.h
/// The oracle that runs of articulated trees are compared with (see reference.h).
///
/// Shares the plain data of flow_tree.h and none of its algorithms: equations of motion come from the Jacobians of all
/// links and a dense mass matrix, M(q) u' = sum of J' (forces - what the motion itself asks for).

#include <elasto/flow_tree.h>
#include <elasto/reference/reference.h>

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace elasto {

/// A torque [N.m] (force [N]) as a function of the time [s].
using TorqueOfTime = std::function<double(double t)>;

/// Trees, their elements and what drives them from time 0 on.
struct TreeReferenceProblem {
    TreeNetwork network;  ///< state at time 0; quadratic loads count from time 0. No motors and no limits
    /// On joints and rotors, besides what the network says: (tree, index) -> torque.
    std::map<std::pair<int, int>, TorqueOfTime> jointTorques;
    std::map<std::pair<int, int>, TorqueOfTime> rotorTorques;
    std::vector<double> breaks;  ///< times at which a torque is not smooth [s]; any order
};

/// Solves from time 0 and returns the state at the given times: ReferenceState::trees and elements.
/// @param times [s], not falling, >= 0
/// @throws InvalidParameter on a problem or times that make no sense; ReferenceError if CVODE gives up
ReferenceSolution solveReference(const TreeReferenceProblem& problem, std::span<const double> times,
                                 const ReferenceOptions& options = {});

}  // namespace elasto
