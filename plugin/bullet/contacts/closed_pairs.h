#pragma once
// Bodies that touch although Bullet has no point of them.
//
// Its detectors of two boxes, of two balls and of what compounds are made of see what overlaps. Bodies that bear each
// other do not, here: they just touch. What Bullet has found of them lives on until they have slid by some
// millimetres, and then they would fall freely for a tick, into each other.

#include <elasto/precision.h>

#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Bullet finds nothing of the pair before its bodies overlap.
bool seesOverlapOnly(const btCollisionObject& a, const btCollisionObject& b);

/// True if two bodies touch of which Bullet has no point. Those that bore each other in the last tick do up to
/// kHairline, and are closed there. Others do that Bullet sees only as they overlap: where they start as near to each
/// other as they move within the tick, but for those that touchesWithin finds.
bool isClosed(const btCollisionObject& a, const btCollisionObject& b, const btContactSolverInfo& info, bool hasBorne);

/// Adds where the bodies of a manifold without points do.
void addClosedPoints(btPersistentManifold& manifold, const btContactSolverInfo& info, bool hasBorne,
                     std::vector<ContactPoint>& points);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
