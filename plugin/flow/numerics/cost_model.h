#pragma once
// What the parts of a tick with contacts cost, so that its budget can be counted instead of timed: about nanoseconds on
// a processor of 2020 (ten instructions each), found by counting instructions in piles of twelve boxes.

#include <elasto/flow.h>

namespace elasto::flow::price {

inline constexpr long kStep = 1600;  ///< what the budget of steps gives for each
inline constexpr long kCost = 300;   ///< a unit of TickResult::cost

/// @name BlockFactor: by row, by row that is held, by body, by pair of bodies that share rows, and by pair that is
/// changed when another body is eliminated; where friction slides each pair has two sides
///@{
inline constexpr long kListRow = 28;
inline constexpr long kFactorRow = 5, kFactorHeld = 18, kFactorBody = 37, kFactorEntry = 37, kFactorTarget = 37;
inline constexpr long kSolveRow = 1, kSolveHeld = 17, kSolveBody = 17, kSolveEntry = 17;  // a round; rows: all of it
///@}

/// @name Trees among contacts: by coordinate, for what all bodies do, and by product of two numbers of rows
///@{
inline constexpr long kTreeCoordinate = 150, kReducedEntry = 2;
///@}

/// @name By contact and body
///@{
inline long partsOf(const FlowNetwork& network) {
    return static_cast<long>(network.contacts.size() + network.bodies.size());
}
inline constexpr long kGather = 366;   ///< to find them, and to hand them over
inline constexpr long kTick = 183;     ///< once per tick
inline constexpr long kAttempt = 159;  ///< a frame, and the balance in the end
inline constexpr long kLift = 244;     ///< with gradients of the middle
inline constexpr long kChoose = 122;   ///< to look for what bears, but for the sets
inline constexpr long kRebound = 37;
inline constexpr long kTrial = 85;  ///< a set, but for the factor
inline constexpr long kPrepare = 110;
inline constexpr long kAccept = 33;
inline constexpr long kLook = 43;
inline constexpr long kFollow =
    100;  ///< gradients where bodies are, and again for the forces there, but for the factor
inline constexpr long kOvershoot = 1800;  ///< by which what is begun within an attempt's budget may exceed it
inline constexpr long kRecovery = 439;    ///< but for Newton's method
///@}

/// @name The implicit step: a sub-step and an iteration of Newton's method, by body, row, element and point
///@{
inline long implicitPartsOf(const FlowNetwork& network) {
    return static_cast<long>(network.bodies.size() + network.joints.size() + network.bounded.size() +
                             network.elements.size() + network.contacts.size());
}
inline constexpr long kSubstep = 280, kNewton = 75;
/// Iterations of a kick: as most take, and as many as the bound of a tick has for each.
inline constexpr long kUsualNewton = 5, kMostNewton = 20;
/// The first kick is solved twice, and one more ends the last sub-step.
inline long kicksOf(int substeps) {
    return substeps + 2L;
}
inline long implicitTick(const FlowNetwork& network, int substeps, long newton = kUsualNewton) {
    return (substeps * kSubstep + kicksOf(substeps) * newton * kNewton) * implicitPartsOf(network);
}
///@}

/// @name Elements between two changes: a solution, by element, and by step
///@{
inline constexpr long kElements = 183, kElement = 146, kElementStep = 122;
///@}

}  // namespace elasto::flow::price
