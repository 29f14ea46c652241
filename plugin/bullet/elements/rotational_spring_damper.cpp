#include <elasto/errors.h>
#include <elasto/rotational_spring_damper.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

RotationalSpringDamper::RotationalSpringDamper(const Placement& placement, const SpringDamperParameters& parameters)
    : LawElement(placement, parameters, "RotationalSpringDamper") {
    if (!isRotational(placement.geometry())) {
        throw InvalidParameter("RotationalSpringDamper",
                               "the placement is not that of an angle; use SpringDamperParallel");
    }
}

RotationalSpringDamper::RotationalSpringDamper(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                                               const btTransform& frameInB, const SpringDamperParameters& parameters)
    : RotationalSpringDamper(Placement::aboutAxis(rbA, rbB, frameInA, frameInB), parameters) {}

RotationalSpringDamper::RotationalSpringDamper(btRigidBody& rbB, const btTransform& frameInB,
                                               const SpringDamperParameters& parameters)
    : RotationalSpringDamper(rbB, frameInB, rbB.getWorldTransform() * frameInB, parameters) {}

RotationalSpringDamper::RotationalSpringDamper(btRigidBody& rbB, const btTransform& frameInB,
                                               const btTransform& frameInWorld,
                                               const SpringDamperParameters& parameters)
    : RotationalSpringDamper(Placement::aboutAxis(rbB, frameInB, frameInWorld), parameters) {}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
