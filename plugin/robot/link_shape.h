#pragma once
/// @file link_shape.h
/// Bullet's collision shape of a link.

#include <elasto/precision.h>
#include <elasto/robot/description.h>

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// All of a link's shapes as one, in the frame of its principal axes. An empty shape for a link that has none.
/// @param parts gets the shapes that the result refers to
btCollisionShape& makeLinkShape(const RobotLink& link, std::vector<std::unique_ptr<btCollisionShape>>& parts);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
