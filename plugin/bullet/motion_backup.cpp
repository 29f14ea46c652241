#include "motion_backup.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void MotionBackup::save(const btAlignedObjectArray<btSolverBody>& bodies) {
    for (int i = 0; i < bodies.size(); ++i) {
        btRigidBody* body = bodies[i].m_originalBody;
        if (body == nullptr || body->isStaticOrKinematicObject()) continue;
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
