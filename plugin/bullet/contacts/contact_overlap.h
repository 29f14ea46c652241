#pragma once
// Where two boxes lie on each other.

#include <elasto/precision.h>

#include <vector>

#include "contacts/contact_shape.h"
#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The corners of the area in which the faces of two boxes lie over each other, on the first one's face.
/// @param poseA, poseB of the bodies @param outward of A's face, nearly against that of B's [world] @param mayTilt A's
/// face is the one that looks there most, however far it has turned away @return in the world's frame; none if one is
/// not a box, or does not have such a face
std::vector<btVector3> overlapCorners(const TouchingShape& a, const btTransform& poseA, const TouchingShape& b,
                                      const btTransform& poseB, const btVector3& outward, bool mayTilt = false);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
