#pragma once
// Where the flat face of a shape ends.

#include <elasto/precision.h>

#include "contacts/contact_shape.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// True if a point lies over a face with this outward normal (both in the body's frame), not past its edges: of boxes,
/// cylinders, cones, hulls, and of surfaces made of triangles if one of these with the same normal is there within a
/// millimetre. False if there is no such face.
bool isOverFace(const TouchingShape& touching, const btVector3& outward, const btVector3& point);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
