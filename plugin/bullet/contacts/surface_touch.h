#pragma once
// Where a convex part touches a surface of triangles: a mesh, or a height field.

#include <elasto/precision.h>

#include <functional>
#include <optional>

#include "contacts/contact_touch.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The triangles of a surface whose boxes are within a box [surface's frame], each shown as a shape of its own: the
/// touch that is least. Where a part comes to an edge and to the triangle beside it, as it does on flat surfaces, it is
/// the triangle.
/// @param find the touch with a triangle, which is its shape b; empty for none
/// @param key what is to be least: Touch::time or Touch::distance @param alike by so much they may differ there
std::optional<Touch> leastOnSurface(const TouchingShape& surface, const btVector3& least, const btVector3& most,
                                    const std::function<std::optional<Touch>(const TouchingShape&)>& find,
                                    btScalar Touch::*key, btScalar alike);

/// As findNearest, for a convex shape a and a surface b, or the other way round. @return false if they are farther from
/// each other than reach [m]
bool findNearestOnSurface(Touch& touch, btScalar reach);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
