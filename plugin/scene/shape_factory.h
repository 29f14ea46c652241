#pragma once
// Bullet's collision shapes from the scene's.

#include <elasto/precision.h>
#include <elasto/scene/description.h>

#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include <memory>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

std::unique_ptr<btCollisionShape> makeShape(const SceneShape& shape);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
