#include "motion_backup.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void MotionBackup::save(const btDiscreteDynamicsWorld& world) {
    m_motions.clear();
    const btCollisionObjectArray& objects = world.getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
        // The world's list is of bodies that may be changed, which its constant access hides.
        auto* body = const_cast<btRigidBody*>(btRigidBody::upcast(objects[i]));
        if (body == nullptr || body->isStaticOrKinematicObject() || !body->isActive()) continue;
        m_motions.push_back({body, body->getWorldTransform(), body->getLinearVelocity(), body->getAngularVelocity()});
    }
}

void MotionBackup::restore() {
    for (const Motion& motion : m_motions) {
        motion.body->setWorldTransform(motion.pose);
        motion.body->setLinearVelocity(motion.velocity);
        motion.body->setAngularVelocity(motion.angularVelocity);
    }
    m_motions.clear();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
