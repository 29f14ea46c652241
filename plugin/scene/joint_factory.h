#pragma once
// Bullet's joints from the scene's.

#include <elasto/precision.h>
#include <elasto/scene/description.h>

#include <memory>

class btRigidBody;
class btTypedConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @param tick length of a tick [s]: Bullet wants a hinge's motor as an impulse per tick
std::unique_ptr<btTypedConstraint> makeJoint(const Scene& scene, const SceneJoint& joint, btRigidBody& a,
                                             btRigidBody& b, double tick);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
