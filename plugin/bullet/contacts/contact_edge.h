#pragma once
// Edges inside a surface of triangles, which nothing can run against.

#include <elasto/precision.h>

#include <optional>

#include "contacts/contact_shape.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What Bullet finds between a body and each single triangle may be a contact with an edge on which another triangle
/// goes on: the body is over that one. A contact at a point of the surface can only have a normal above which no
/// triangle rises there.
/// @param outward the contact's normal, away from the surface; point: on the surface, both in the body's frame
/// @return the outward normal of the triangle that rises most; empty if none does or the shape has no triangles
std::optional<btVector3> normalOfRise(const TouchingShape& touching, const btVector3& outward, const btVector3& point);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
