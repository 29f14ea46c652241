#pragma once
// The length of a tick in double precision.

#include <elasto/precision.h>

#include <LinearMath/btScalar.h>

#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Bullet's tick length [s]. In single precision 1/60 s is 1.7e-8 s off per second: a float that is nearest to 1/n, n
/// whole, means 1/n.
inline double exactTick(btScalar h) {
    const double length = static_cast<double>(h);
    const double n = std::floor(1 / length + 0.5);
    return n >= 1 && static_cast<btScalar>(1 / n) == h ? 1 / n : length;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
