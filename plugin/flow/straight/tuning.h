#pragma once
// The numbers that were tuned in rows of fixed direction, and why each is what it is.

namespace elasto::flow {

/// @name closed_form
///@{
/// Ends a rattle that does not die out within the tick: a bouncing ball needs 10 events, a damped rattle 4 per impact.
inline constexpr int kMaxEvents = 2000;
///@}

/// @name linear_mode
///@{
/// Below this (b t, and w t) S and I come from their power series: the closed expressions cancel there.
inline constexpr double kShort = 0.2;
/// The same for J and K, which cancel earlier.
inline constexpr double kShortIntegrals = 2;
/// Decay rates closer than this (times t) do not allow partial fractions.
inline constexpr double kCloseRates = 0.05;
///@}

/// @name row_system
///@{
/// Tolerance of impacts with n != 1, in that of the settings: they begin where forces are not smooth, and steps of
/// order 8 err more there than they tell. What bounces without damping for half an hour is to keep its energy to 1e-7.
inline constexpr double kPowerLawShare = 0.03;
/// What an event is missed by, of speeds: it is put right. Events that are crossed late are further off.
inline constexpr double kRowRounding = 1e-9;
///@}

/// @name taylor
///@{
/// What elements feel of an event elsewhere is left out below this share of the error of a step.
inline constexpr double kFelt = 0.1;
/// Series are taken to the order whose terms are below this share of the tolerance, if all goes on as fast as it can.
inline constexpr double kKept = 0.01;
///@}

}  // namespace elasto::flow
