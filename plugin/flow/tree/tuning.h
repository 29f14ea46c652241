#pragma once
// The numbers that were tuned in articulated trees, and why each is what it is.

namespace elasto::flow {

/// @name backward_euler
///@{
inline constexpr int kBackwardEulerIterations = 60;
inline constexpr int kBackwardEulerHalvings = 40;
inline constexpr double kPrecision = 1e-12;
/// Share of a step's displacement over which a damper force that would be discontinuous grows.
inline constexpr double kRamp = 1e-3;
/// By how much motors and limits give way, as a share of what their impulse does.
inline constexpr double kCompliance = 1e-6;
///@}

/// @name tree_elements
///@{
/// Part of the error of a step that an event may be missed by.
inline constexpr double kSlackShare = 0.1;
/// Way of a coordinate [rad, m] over which responses count as unchanged: the dear part of the rates makes up for it.
inline constexpr double kSamePlace = 2e-3;
///@}

/// @name tree_system
///@{
/// Angle [rad] from which a rotation vector is counted anew.
inline constexpr double kTreeLargestTurn = 1;
/// Share of the tick with which implicit steps begin: what is stiff is mostly at rest already.
inline constexpr double kFirstImplicit = 0.5;
///@}

/// @name tree_tick
///@{
/// Errors of steps in units of the settings' tolerance: each evaluation is dear. Of 886 random ticks with something
/// stiff the energy of one in 70 is off by more than 1e-7, by 5e-7 at most; at 1e5 of one in six, by up to 3e-4, for
/// half the steps.
inline constexpr double kTreeLooseness = 30;
inline constexpr int kFewestBackwardEulerSteps = 4;
inline constexpr int kMostBackwardEulerSteps = 256;
/// Gain that makes steps of backward Euler shorter, and gain that is not to be had, as shares of the energy in play.
inline constexpr double kBackwardEulerGain = 1e-9;
inline constexpr double kTreeLargestGain = 1e-4;
/// Cost of an evaluation, in units of TickResult::cost: per link, and by itself.
inline constexpr double kLinkCost = 0.3;
inline constexpr double kEvaluationCost = 1;
/// Links and rotors up to which a network may use all steps of the budget.
inline constexpr double kTreeFullBudgetSize = 32;
/// Evaluations of a step, about.
inline constexpr double kStepEvaluations = 12;
///@}

}  // namespace elasto::flow
