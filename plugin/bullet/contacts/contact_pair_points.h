#pragma once
// The contact points of two bodies among those of a network, which are in order: those of a pair follow each other.

#include <elasto/precision.h>

#include <cstddef>
#include <span>

#include "contacts/contact_points.h"
#include "contacts/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Past the last of the points of the pair that begins there.
std::size_t endOfPair(std::span<const ContactPoint> points, std::size_t begin);

/// True if there is a point of these two bodies, whichever is first.
bool hasPoint(std::span<const ContactPoint> points, const btCollisionObject& a, const btCollisionObject& b);

/// True if one of them has several parts.
bool isOfCompound(const btCollisionObject& a, const btCollisionObject& b);

/// The diameter of the sphere around a body [m].
double sizeOf(const btCollisionObject& body);

/// Points of a pair closer than this are one [m].
double samePlace(const ContactPoint& point);

/// True if there is one at the same place of the body whose vertex it is: they stay together as the bodies move.
bool isThere(const ContactPoint& point, std::span<const ContactPoint> present, double samePlace);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
