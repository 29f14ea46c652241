#pragma once
// Bullet's joints whose state a snapshot knows, and that can be made again: of their class and bodies, all else of them
// is in their JointRecord.

#include <elasto/precision.h>

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <cstdint>
#include <memory>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Its class by number. @throws InvalidParameter for another class
std::int8_t kindOfJoint(const btTypedConstraint& joint);
/// One of that class, whose values have no meaning yet. @throws InvalidParameter for another number
std::unique_ptr<btTypedConstraint> makeJoint(std::int8_t kind, btRigidBody& a, btRigidBody& b);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
