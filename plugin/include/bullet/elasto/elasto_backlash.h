#pragma once
/// @file elasto_backlash.h
/// Modelica.Mechanics.Rotational.Components.ElastoBacklash between rigid bodies.

#include <elasto/export.h>
#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Backlash in series with a rotational spring and damper, about the z axis of frame A (Bullet's hinge convention).
///
///     phi_diff = phi_rel - phi_rel0;  phi_diff > b/2:  tau_c = c (phi_diff - b/2), tau_d = d w_rel
///     tau = tau_c + tau_d <= 0 ? 0 : tau_c + min(tau_c, tau_d);  the mirror image below -b/2;  0 between
///
/// b is the TOTAL play. phi_rel counts turns. tau > 0 turns body B back against the axis and body A along it.
/// Between two gears: `ElastoBacklash(Placement::gearPair(wheel1, wheel2, axis1, axis2, ratio), parameters)`, with
/// phi_rel = phi_1 - ratio phi_2; see Placement. b and phi_rel0 are angles of wheel 1 then, c and d act about its axis.
/// The element is a pure torque: it holds no axis; use joints for that. ElastoBacklash2 and the unmodified linear
/// characteristic: BacklashCharacteristic in elasto_backlash_law.h. Parameters and ranges: ElastoBacklashParameters.
class ELASTO_API ElastoBacklash : public LawElement<ElastoBacklashLaw> {
public:
    /// @throws InvalidParameter
    ElastoBacklash(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA, const btTransform& frameInB,
                   const ElastoBacklashParameters& parameters);
    /// With the world as A: frame A is where frame B stands now, so phi_rel is 0 now.
    ElastoBacklash(btRigidBody& rbB, const btTransform& frameInB, const ElastoBacklashParameters& parameters);
    /// With the world as A and its frame in world coordinates.
    ElastoBacklash(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld,
                   const ElastoBacklashParameters& parameters);
    /// Any placement; along an axis or a line the play is one of length [m].
    ElastoBacklash(const Placement& placement, const ElastoBacklashParameters& parameters);
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
