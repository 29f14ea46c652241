#pragma once
// The numbers that were tuned in rows and their factors, and why each is what it is.

#include <cstddef>

namespace elasto::flow {

/// @name block_matrix
///@{
/// Pivots of a symmetric K are at least 1. Friction makes them smaller, and negative where it wedges.
inline constexpr double kSmallestPivot = 1e-3;
///@}

/// @name bounded_impact
///@{
/// Rebound that counts as none, as a share of the network's speed.
inline constexpr double kNoRebound = 1e-6;
/// Share of what a motor may do in a tick, and in what is left of it, that it may do at once: one that is strong enough
/// to be at its rate in no time is there.
inline constexpr double kAtOnce = 2e-3;
inline constexpr double kAtOnceOfRest = 0.1;
/// Energy that counts as rounding, as a share of the kinetic energy.
inline constexpr double kImpactRounding = 1e-12;
///@}

/// @name bounded_rest
///@{
/// Distance [m, rad] from its bound at which a limit counts as reached.
inline constexpr double kTouching = 1e-9;
/// How far it may be passed before it is hit again: at least so much, and where it moves at a rate that counts as none
/// so that this is looked at so many times per tick.
inline constexpr double kNotHit = 1e-12;
inline constexpr double kTimesPerTick = 4;
/// Share of that, and of the largest force that is held, to which the ends of phases are found: rounding lets them be
/// found no better.
inline constexpr double kFound = 0.1;
inline constexpr double kNoForce = 1e-9;
/// Difference from a rate that counts as none, as a share of the network's speed.
inline constexpr double kSameRate = 1e-9;
/// A row that the others leave less of its mobility than this cannot move.
inline constexpr double kBlocked = 1e-9;
/// A bounce that would last for less than this share of the tick is not followed.
inline constexpr double kShortestBounce = 1e-3;
///@}

/// @name contact_geometry
///@{
/// Gap up to which a point counts as closed [m].
inline constexpr double kClosedGap = 1e-9;
/// Radius of an edge that is sharp [m]: what goes over it turns about it.
inline constexpr double kSharp = 1e-12;
///@}

/// @name held_rows
///@{
/// Of a ball's rows, from axes that are at right angles.
inline constexpr double kRightAngle = 1e-14;
///@}

/// @name multipliers
///@{
/// Share of what is wanted that may be missing.
inline constexpr double kExactRows = 1e-13;
/// Rounds at most. Rows contradict each other where one leaves more than this share of what was missing. Motors' rows
/// are solved for after so many such rounds: all else is met by then, by factors of a hundred and more in each.
inline constexpr int kRounds = 16, kSlowRounds = 3;
inline constexpr double kNoGain = 0.5;
/// Share that is left from which on it is rounding that makes rows differ, as where normals are parallel but for the
/// places of points in single precision.
inline constexpr double kSameLeft = 0.999;
/// Share that motors have at least in what contradicts itself and is solved for: loops of joints have none. In legs
/// that stand side by side they have a third. Without it "what rows nearly contradict each other in is given up" fails.
inline constexpr double kMotorShare = 1e-2;
/// Share of what is wanted that may be missing of what is solved for so. Side by side, legs miss 1e-9; where 1e-3 and
/// more is missing rows hold what cannot be held together, and the sum is of no use ("a multibody that strikes the
/// floor rubs in its joints as rigid bodies do").
inline constexpr double kNearlyMet = 1e-6;
///@}

/// @name row_factor
///@{
inline constexpr int kRefinements = 3;
/// Passes in which what contradicts other rows is found and no more asked for: forces of 1 / kRegular let each see it
/// with an error of rounding / kRegular, 1e-4, and a fourth finds less than rounding.
inline constexpr int kContradictionPasses = 4;
/// Rows of a ball joint, and of the joints that leave least.
inline constexpr std::size_t kFew = 3;
inline constexpr std::size_t kMost = 6;
///@}

}  // namespace elasto::flow
