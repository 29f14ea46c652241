#pragma once
// Bodies that come at each other from farther away than Bullet's collision detection looks, and touch within the tick.

#include <elasto/precision.h>

#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// True if the manifold has no point yet, and its bodies, as they move now, touch within the tick. Of balls and convex
/// shapes, of boxes and hulls and planes, and of boxes that meet flat: of these all points are known, while another
/// pair would be struck at one corner. They, and what a kinematic body comes at, are met as Bullet finds them.
bool touchesWithin(const btPersistentManifold& manifold, const btContactSolverInfo& info);

/// Adds where they will touch.
void addFastPoints(btPersistentManifold& manifold, const btContactSolverInfo& info, std::vector<ContactPoint>& points);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
