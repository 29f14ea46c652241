#pragma once
// The numbers that were tuned in loads, joints and energy, and why each is what it is.

#include <cstddef>

namespace elasto::flow {

/// @name energy_repair
///@{
/// Share of the kinetic energy that is taken at most for what an integration has got wrong.
inline constexpr double kMostToTake = 0.5;
///@}

/// @name finer_attempts
///@{
/// Energy that an integration may get wrong, as a share of the energy in play: steps that keep their tolerance got at
/// most 7e-8 wrong in cranks and chains, loose ones 1e-2, and machines were off by per cents.
inline constexpr double kTrustedError = 1e-7;
/// Energy, as a share of that in play, that may be taken out of the motion after an integration: steps that gain more
/// are not to be trusted.
inline constexpr double kTakenError = 1e-4;
/// Where the balance does not come out within its bounds the tick is solved again with this share of the tolerance,
/// down to that share of it.
inline constexpr double kFiner = 1. / 30, kFinest = 1e-3;
///@}

/// @name joint_projection
///@{
/// Newton steps on the joints' values: near the end each squares the error. No body is turned by more than this in one
/// [rad]; beyond it a row says little about where its zero is.
inline constexpr int kPoseRounds = 20;
inline constexpr double kLargestTurn = 0.3;
/// Values [m, -] at which a joint needs no more steps, and, beyond what it is to have, up to which it counts as closed.
inline constexpr double kJointClosed = 1e-14;
/// Values from which the next step is the last if it turns no body by more than this [rad]: what it leaves goes with
/// its square, and the rows that were taken before it still stand.
inline constexpr double kAlmostClosed = 1e-10;
inline constexpr double kHardlyATurn = 1e-8;
inline constexpr double kNearlyClosed = 1e-6;
/// Value of a joint's row from which on it is open: by no integration [m, rad].
inline constexpr double kOpenJoint = 1e-4;
///@}

/// @name load_pieces
///@{
/// Of the largest value in the tick: how far a parabola may be from the function. Twice as much, and
/// load_stops of `elasto verify` misses its target at 60 Hz; a third brings load_rattle no nearer.
inline constexpr double kMisfit = 1e-5;
/// Most pieces that a tick is solved in.
inline constexpr std::size_t kMostPieces = 24;
/// Of the tick: breaks that are closer to each other or to the tick's ends are one. What a jump of the load's own size
/// gives in such a time is 1e-9 of what the load gives in the tick.
inline constexpr double kSameTime = 1e-9;
/// Halvings of a smooth piece: 16 pieces, in which a parabola is 4000 times as exact as in one.
inline constexpr int kHalvings = 4;
/// Breaks that nobody stated and that are looked for in a tick.
inline constexpr int kMostFound = 8;
/// Parts of which it matters that each is compared with all that it may be joined with.
inline constexpr std::size_t kMany = 64;
/// Share of a period by which a time may miss one of its breaks by rounding.
inline constexpr double kSamePeriod = 1e-9;
///@}

/// @name network_energy
///@{
/// See mostBrought. A hundred times less, and what kinematic bodies drive through joints is done coarsely (tests of
/// bullet-world fail); a hundred times more, and what is pushed through dead points makes more heat than tests/fuzz
/// allows.
inline constexpr double kMostBrought = 100;
///@}

}  // namespace elasto::flow
