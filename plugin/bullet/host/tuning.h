#pragma once
// Numbers of Bullet's own, and those that were tuned in what touches it.

#include <elasto/precision.h>

#include <cstddef>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Bullet takes what is slower for rest, without rebound [m/s] (btContactSolverInfo: m_restitutionVelocityThreshold).
inline constexpr double kBulletRestSpeed = 0.2;
/// Where there are few constraints and many contacts (pairs of bodies), Bullet looks through the constraints for each
/// of its islands in less time than it takes to find the islands' contacts here.
inline constexpr int kFewConstraints = 4;
inline constexpr int kManyContacts = 64;
/// How far a matrix may be from a rotation: far more than the rounding of a product of floats.
inline constexpr double kBent = 1e-3;
/// Of a list that is gone through, this many places ahead are on their way from memory.
inline constexpr std::size_t kFetchAhead = 6;

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
