#pragma once
// The numbers that were tuned in networks of Bullet's bodies, and why each is what it is.

#include "host/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @name idle_network
///@{
/// Speed up to which bodies rest [m/s]: above what most of Bullet's stacks jitter with, below kBulletRestSpeed, up to
/// which who is Bullet's own stays it; and for how long before they are idle [s]: longer than anything turns round.
inline constexpr double kIdleSpeed = 0.05;
inline constexpr double kRestTime = 0.15;
/// Bodies whose motion is followed unasked.
inline constexpr std::size_t kMostFollowed = 8;
///@}

/// @name load_table
///@{
/// Breaks of a tick that are looked at; a load that has more is cut where it bends.
inline constexpr std::size_t kMostBreaks = 1000;
///@}

/// @name motion_ccd
///@{
/// Parts of a path between two events that are swept as straight ones.
inline constexpr int kEvenParts = 4;
///@}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
