#pragma once
// Cylinders and capsules that lie on a face.

#include <elasto/precision.h>

#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Puts the points of what lies on a face along a line at the ends of that line. Bullet finds one or two of it in a
/// tick, anywhere, and drops others as the body rolls: wheels would tip from one edge to the other.
/// @param points of a network, in order; they are so afterwards
void putOnLines(std::vector<ContactPoint>& points);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
