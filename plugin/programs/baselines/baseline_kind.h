#pragma once
/// @file baseline_kind.h
/// Bullet's own ways to a spring, a stop or a play.

#include <elasto/scene/description.h>

namespace elasto {

/// How the elements are replaced.
enum class BaselineKind {
    ExplicitForce,  ///< the law's force at the tick's start, applied over the tick
    /// btGeneric6DofSpring2Constraint: a limit with the ERP and CFM that c, d and the tick ask for, as far as Bullet
    /// can: its iterations on a row run away where the CFM exceeds 1 (the tick is short against the oscillation), so
    /// that softer limits become stiffer than they should be.
    SoftLimit,
    /// btGeneric6DofSpring2Constraint: a hard limit with the restitution that c, d and the masses ask for, and ERP 1:
    /// with less Bullet brakes bodies before the limit, and nothing bounces.
    Restitution,
    /// Bullet's contact of the two bodies' shapes with the stiffness and damping of the gap
    /// (btCollisionObject::setContactStiffnessAndDamping, changeDynamics() in PyBullet), shared by the contact points.
    SoftContact,
    /// The same contact without these numbers: hard (contactStiffness=-1 in PyBullet).
    HardContact,
};
inline constexpr int kBaselineKinds = 5;
/// In a few words, e.g. "6-dof limit with ERP and CFM".
/// @param scene one without gaps and backlashes has no limits but springs
const char* baselineName(BaselineKind kind, const Scene& scene);

/// Whether a kind does anything in a scene that the explicit force does not.
bool baselineSuits(BaselineKind kind, const Scene& scene);
/// The number of points that carry a gap as contact of its bodies' shapes: Bullet takes stiffness and damping per
/// point, and a box lies on four. 0: the element is no gap along an axis, or one of its bodies has no shape.
int contactPointsOf(const Scene& scene, std::size_t element);
/// Whether the kind replaces elements by contacts of their bodies' shapes.
bool isContactKind(BaselineKind kind);

}  // namespace elasto
