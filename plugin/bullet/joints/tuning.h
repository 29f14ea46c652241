#pragma once
// The numbers that were tuned in joints, and why each is what it is.

#include <elasto/precision.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @name cone_twist_rows
///@{
/// Limits end before the angle farthest from the middle, where the swing turns round [rad].
inline constexpr double kFarthest = 3.1;
///@}

/// @name six_dof_angles
///@{
/// Cosine between directions below which a joint counts as turned over; with the second angle in it.
inline constexpr double kTurnedOver = 0.5;
inline constexpr double kNearlyAcross = 0.05;
///@}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
