#include <elasto/spring_damper_series.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

SpringDamperSeries::SpringDamperSeries(const Placement& placement, const SpringDamperSeriesParameters& parameters)
    : LawElement(placement, parameters, "SpringDamperSeries") {}

SpringDamperSeries::SpringDamperSeries(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA,
                                       const btVector3& pivotInB, const SpringDamperSeriesParameters& parameters)
    : SpringDamperSeries(Placement::alongLine(rbA, rbB, pivotInA, pivotInB), parameters) {}

SpringDamperSeries::SpringDamperSeries(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld,
                                       const SpringDamperSeriesParameters& parameters)
    : SpringDamperSeries(Placement::alongLine(rbB, pivotInB, pivotInWorld), parameters) {}

std::unique_ptr<SpringDamperSeries> SpringDamperSeries::alongAxis(btRigidBody& rbA, btRigidBody& rbB,
                                                                  const btTransform& frameInA,
                                                                  const btTransform& frameInB,
                                                                  const SpringDamperSeriesParameters& parameters) {
    return std::make_unique<SpringDamperSeries>(Placement::alongAxis(rbA, rbB, frameInA, frameInB), parameters);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
