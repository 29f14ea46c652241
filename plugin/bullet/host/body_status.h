#pragma once
// Whether a body is in a world (Bullet's own flag says only that it is in one), and whether forces can move it.

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <elasto/precision.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

inline bool isThere(const btCollisionWorld& world, const btCollisionObject& body) {
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    const int place = body.getWorldArrayIndex();
    return place >= 0 && place < objects.size() && objects[place] == &body;
}

/// True for a link of a btMultiBody.
inline bool isLink(const btCollisionObject& object) {
    return object.getInternalType() == btCollisionObject::CO_FEATHERSTONE_LINK;
}

/// True for what never moves. Bullet calls a kinematic body without mass static, too.
inline bool isFixed(const btCollisionObject& object) {
    return object.isStaticObject() && !object.isKinematicObject();
}

/// True for a body that forces can move in this tick: not static, kinematic, or taken out of the simulation.
inline bool isMovable(const btCollisionObject& body) {
    return btRigidBody::upcast(&body) != nullptr && !body.isStaticOrKinematicObject() && body.isActive();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
