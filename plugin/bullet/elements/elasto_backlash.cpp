#include <elasto/elasto_backlash.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

ElastoBacklash::ElastoBacklash(const Placement& placement, const ElastoBacklashParameters& parameters)
    : LawElement(placement, parameters, "ElastoBacklash") {}

ElastoBacklash::ElastoBacklash(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                               const btTransform& frameInB, const ElastoBacklashParameters& parameters)
    : ElastoBacklash(Placement::aboutAxis(rbA, rbB, frameInA, frameInB), parameters) {}

ElastoBacklash::ElastoBacklash(btRigidBody& rbB, const btTransform& frameInB,
                               const ElastoBacklashParameters& parameters)
    : ElastoBacklash(rbB, frameInB, rbB.getWorldTransform() * frameInB, parameters) {}

ElastoBacklash::ElastoBacklash(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld,
                               const ElastoBacklashParameters& parameters)
    : ElastoBacklash(Placement::aboutAxis(rbB, frameInB, frameInWorld), parameters) {}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
