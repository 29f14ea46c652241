#pragma once
// How a body moves as the tick begins, whatever kind of body it is.

#include <elasto/precision.h>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include "host/body_status.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Velocities of the centre of mass.
struct BodyMotion {
    btVector3 velocity = btVector3(0, 0, 0);  ///< [m/s]
    btVector3 spin = btVector3(0, 0, 0);      ///< [rad/s]

    /// @param arm from the centre of mass [m]
    btVector3 at(const btVector3& arm) const { return velocity + spin.cross(arm); }
};

/// Of a rigid body, or of a link in the tick of an element on its multibody: Bullet tells a link's joint rates only, so
/// MultiBodyTick notes its velocities where Bullet has those that objects are interpolated with. 0 of what stands
/// still.
inline BodyMotion motionOf(const btCollisionObject& object) {
    if (const btRigidBody* body = btRigidBody::upcast(&object)) {
        return {body->getLinearVelocity(), body->getAngularVelocity()};
    }
    if (!isLink(object)) return {};
    return {object.getInterpolationLinearVelocity(), object.getInterpolationAngularVelocity()};
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
