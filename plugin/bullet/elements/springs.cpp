#include <elasto/errors.h>
#include <elasto/springs.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

SpringDamperParallel::SpringDamperParallel(const Placement& placement, const SpringDamperParameters& parameters,
                                           const char* typeName)
    : LawElement(placement, parameters, typeName) {
    if (isRotational(placement.geometry())) {
        throw InvalidParameter(typeName, "the placement is that of an angle; use RotationalSpringDamper");
    }
}

SpringDamperParallel::SpringDamperParallel(const Placement& placement, const SpringDamperParameters& parameters)
    : SpringDamperParallel(placement, parameters, "SpringDamperParallel") {}

SpringDamperParallel::SpringDamperParallel(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA,
                                           const btVector3& pivotInB, const SpringDamperParameters& parameters)
    : SpringDamperParallel(Placement::alongLine(rbA, rbB, pivotInA, pivotInB), parameters) {}

SpringDamperParallel::SpringDamperParallel(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld,
                                           const SpringDamperParameters& parameters)
    : SpringDamperParallel(Placement::alongLine(rbB, pivotInB, pivotInWorld), parameters) {}

std::unique_ptr<SpringDamperParallel> SpringDamperParallel::alongAxis(btRigidBody& rbA, btRigidBody& rbB,
                                                                      const btTransform& frameInA,
                                                                      const btTransform& frameInB,
                                                                      const SpringDamperParameters& parameters) {
    return std::make_unique<SpringDamperParallel>(Placement::alongAxis(rbA, rbB, frameInA, frameInB), parameters);
}

Spring::Spring(const Placement& placement, double c, double s_unstretched)
    : SpringDamperParallel(placement, {.c = c, .d = 0, .s_rel0 = s_unstretched}, "Spring") {}

Spring::Spring(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA, const btVector3& pivotInB, double c,
               double s_unstretched)
    : Spring(Placement::alongLine(rbA, rbB, pivotInA, pivotInB), c, s_unstretched) {}

Spring::Spring(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld, double c,
               double s_unstretched)
    : Spring(Placement::alongLine(rbB, pivotInB, pivotInWorld), c, s_unstretched) {}

Damper::Damper(const Placement& placement, double d, double d_rebound)
    : SpringDamperParallel(placement, {.c = 0, .d = d, .d_rebound = d_rebound}, "Damper") {}

Damper::Damper(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA, const btVector3& pivotInB, double d,
               double d_rebound)
    : Damper(Placement::alongLine(rbA, rbB, pivotInA, pivotInB), d, d_rebound) {}

Damper::Damper(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld, double d, double d_rebound)
    : Damper(Placement::alongLine(rbB, pivotInB, pivotInWorld), d, d_rebound) {}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
