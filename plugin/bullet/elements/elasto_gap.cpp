#include <elasto/elasto_gap.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

ElastoGap::ElastoGap(const Placement& placement, const ElastoGapParameters& parameters)
    : LawElement(placement, parameters, "ElastoGap") {}

ElastoGap::ElastoGap(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA, const btTransform& frameInB,
                     const ElastoGapParameters& parameters)
    : ElastoGap(Placement::alongAxis(rbA, rbB, frameInA, frameInB), parameters) {}

ElastoGap::ElastoGap(btRigidBody& rbB, const btTransform& frameInB, const ElastoGapParameters& parameters)
    : ElastoGap(rbB, frameInB, rbB.getWorldTransform() * frameInB, parameters) {}

ElastoGap::ElastoGap(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld,
                     const ElastoGapParameters& parameters)
    : ElastoGap(Placement::alongAxis(rbB, frameInB, frameInWorld), parameters) {}

std::unique_ptr<ElastoGap> ElastoGap::against(btRigidBody& rbB, const btVector3& pointInBody,
                                              const btVector3& stopInWorld, const btVector3& normalInWorld,
                                              const ElastoGapParameters& parameters) {
    return std::make_unique<ElastoGap>(Placement::alongAxis(Placement::world(), rbB, toEigen(stopInWorld),
                                                            toEigen(pointInBody), toEigen(normalInWorld)),
                                       parameters);
}

std::unique_ptr<ElastoGap> ElastoGap::alongLine(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA,
                                                const btVector3& pivotInB, const ElastoGapParameters& parameters) {
    return std::make_unique<ElastoGap>(Placement::alongLine(rbA, rbB, pivotInA, pivotInB), parameters);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
