#pragma once
// Points in the middle of an edge whose ends touch too.

#include <elasto/precision.h>

#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Leaves out rigid points of flat faces that lie on the straight line between two others of their pair, no nearer than
/// these: whatever they bear their ends bear as well. Where edges of two boxes lie on each other, Bullet finds a point
/// anywhere on them, and what is held at more points than it needs may share its forces in any way.
/// @param points of a network, in order; they stay so
void leaveOutBetween(std::vector<ContactPoint>& points);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
