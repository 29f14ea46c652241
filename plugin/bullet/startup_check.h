#pragma once
// Does the Bullet that is linked work as Elasto expects it to?

#include <elasto/precision.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Runs a mass that rests on a stop in a world of its own, once per process.
/// @throws std::runtime_error that says what is different and names Bullet's version
void requireExpectedBullet();

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
