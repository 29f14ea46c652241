#include "host/motion_backup.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void MotionBackup::save(const btAlignedObjectArray<btSolverBody>& bodies) {
    for (int i = 0; i < bodies.size(); ++i) {
        const btSolverBody& body = bodies[i];
        if (body.m_originalBody == nullptr) continue;
        m_motions.push_back(
            {body.m_originalBody, body.m_worldTransform, body.m_linearVelocity, body.m_angularVelocity});
    }
}

void MotionBackup::restore() {
    for (const Motion& motion : m_motions) {
        if (motion.body->isStaticOrKinematicObject()) continue;
        motion.body->setWorldTransform(motion.pose);
        motion.body->setLinearVelocity(motion.velocity);
        motion.body->setAngularVelocity(motion.angularVelocity);
    }
    m_motions.clear();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
