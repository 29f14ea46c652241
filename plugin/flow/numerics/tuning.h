#pragma once
// The numbers that were tuned in integrators and searches, and why each is what it is.

#include <limits>

namespace elasto::flow {

/// @name box_qp
///@{
/// Slope that counts as none, as a share of what it is the difference of.
inline constexpr double kFlat = 1e-10;
inline constexpr int kRoundsPerRow = 20;
/// Regularises rows that follow from one another, relative to the diagonal; refinement takes its error out again.
inline constexpr double kRegular = 1e-12;
///@}

/// @name hybrid_integrator
///@{
inline constexpr double kSafety = 0.9;
inline constexpr double kMinFactor = 0.1;
inline constexpr double kMaxFactor = 5;
/// An event this close to a step's beginning, as a share of the step or of the whole span, takes place there.
inline constexpr double kImmediate = 1e-12;
/// A step ends on its event when a Newton step would move its end by less than this share of the step.
inline constexpr double kEventTolerance = 1e-10;
inline constexpr int kMaxRepeats = 60;
/// Tries after which an event is given up that no step has shown.
inline constexpr int kMaxDoubts = 8;
/// Relative rounding of a state that a step has computed.
inline constexpr double kStateRounding = 4 * std::numeric_limits<double>::epsilon();
///@}

/// @name polynomial_crossing
///@{
/// Halvings of the interval after which a dip that is still in doubt is looked into directly.
inline constexpr int kDepth = 6;
/// Third derivatives that series have, as multiples of their slopes: a step covers a phase of some 3 rad.
inline constexpr double kThird = 10;
///@}

/// @name split_rosenbrock
///@{
/// Share of the correction that may still be wrong.
inline constexpr double kDoubt = 0.25;
/// Correction, in units of the error that is allowed, that need not be filtered.
inline constexpr double kNegligible = 0.02;
///@}

/// @name zero_crossing
///@{
/// A dip that is narrower than 2^-20 is too shallow to tell from a touch.
inline constexpr int kMaxHalvings = 20;
/// Depth of a dip that is rounding, as a share of the largest coefficient.
inline constexpr double kIgnored = 1e-12;
///@}

}  // namespace elasto::flow
