#pragma once
/// @file rotational_spring_damper.h
/// Modelica.Mechanics.Rotational.Components.SpringDamper between rigid bodies.

#include <elasto/export.h>
#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Linear rotational spring and damper in parallel about the z axis of frame A (Bullet's hinge convention):
///
///     tau = c (phi_rel - phi_rel0) + d w_rel,   phi_rel0 = SpringDamperParameters::s_rel0
///
/// c in N.m/rad, d in N.m.s/rad. phi_rel counts turns. A pure torque: it holds no axis.
class ELASTO_API RotationalSpringDamper : public LawElement<SpringDamperLaw> {
public:
    /// @throws InvalidParameter
    RotationalSpringDamper(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA, const btTransform& frameInB,
                           const SpringDamperParameters& parameters);
    /// With the world as A: frame A is where frame B stands now, so phi_rel is 0 now.
    RotationalSpringDamper(btRigidBody& rbB, const btTransform& frameInB, const SpringDamperParameters& parameters);
    /// With the world as A and its frame in world coordinates.
    RotationalSpringDamper(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld,
                           const SpringDamperParameters& parameters);
    /// A placement of an angle. @throws InvalidParameter for another one
    RotationalSpringDamper(const Placement& placement, const SpringDamperParameters& parameters);
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
