#pragma once
// Bullet's collision shapes from the scene's.

#include <elasto/precision.h>
#include <elasto/scene/description.h>

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/CollisionShapes/btStridingMeshInterface.h>

#include <memory>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What mesh shapes refer to; it must outlast them.
using ShapeMeshes = std::vector<std::unique_ptr<btStridingMeshInterface>>;

/// @param shape a height field refers to its heights @param meshes takes what a mesh refers to
std::unique_ptr<btCollisionShape> makeShape(const SceneShape& shape, ShapeMeshes& meshes);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
