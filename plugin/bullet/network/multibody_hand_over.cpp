#include "network/multibody_hand_over.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void writeEnd(const MovedMultiBody& moved) {
    btMultiBody& body = *moved.body;
    setState(body, moved.end);
    // What Bullet's rows have changed before they were put out of action (warm start).
    auto* change = const_cast<btScalar*>(body.getDeltaVelocityVector());
    std::fill(change, change + 6 + body.getNumDofs(), btScalar(0));
    // Bullet then adds this buffer to the pose instead of a step along the velocities.
    const int dofs = body.getNumDofs();
    auto* step = const_cast<btScalar*>(body.getVelocityVector()) + 6 + dofs + dofs * dofs;
    std::fill(step, step + 6 + dofs, btScalar(0));
    body.setPosUpdated(true);
}

void writeExactly(const MovedMultiBody& moved) {
    btMultiBody& body = *moved.body;
    setState(body, moved.end);
    btAlignedObjectArray<btQuaternion> toLocal;
    btAlignedObjectArray<btVector3> origins;
    toLocal.resize(body.getNumLinks() + 1);
    origins.resize(body.getNumLinks() + 1);
    body.updateCollisionObjectWorldTransforms(toLocal, origins);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
