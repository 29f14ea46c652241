#pragma once
// Whether a body is in a world: Bullet's own flag says only that it is in one.

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <elasto/precision.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline bool isThere(const btCollisionWorld& world, const btCollisionObject& body) {
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    const int place = body.getWorldArrayIndex();
    return place >= 0 && place < objects.size() && objects[place] == &body;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
