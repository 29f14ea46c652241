#pragma once
/// @file springs.h
/// Modelica's Spring, Damper and SpringDamperParallel (MultiBody.Forces) and SpringDamper (Translational) between
/// rigid bodies.

#include <elasto/export.h>
#include <elasto/law_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Linear spring and damper in parallel along the line between two points:
///
///     f = c (s - s_unstretched) + d v,   s_unstretched = SpringDamperParameters::s_rel0
///
/// It pulls and pushes without limit. As a shock absorber it has d for compression (v < 0) and
/// SpringDamperParameters::d_rebound for rebound (v > 0). Along an axis (alongAxis) it is
/// Translational.Components.SpringDamper.
class ELASTO_API SpringDamperParallel : public LawElement<SpringDamperLaw> {
public:
    /// @throws InvalidParameter
    SpringDamperParallel(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA, const btVector3& pivotInB,
                         const SpringDamperParameters& parameters);
    /// With the world as A.
    SpringDamperParallel(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld,
                         const SpringDamperParameters& parameters);
    /// Any placement along an axis or a line; of an angle use RotationalSpringDamper.
    SpringDamperParallel(const Placement& placement, const SpringDamperParameters& parameters);

    /// Along the x axis of frame A instead of a line; s_rel may then be negative.
    static std::unique_ptr<SpringDamperParallel> alongAxis(btRigidBody& rbA, btRigidBody& rbB,
                                                           const btTransform& frameInA, const btTransform& frameInB,
                                                           const SpringDamperParameters& parameters);

protected:
    /// For derived types. @param typeName Modelica's name; it must last as long as the element
    SpringDamperParallel(const Placement& placement, const SpringDamperParameters& parameters, const char* typeName);
};

/// Linear spring along the line between two points: f = c (s - s_unstretched).
class ELASTO_API Spring : public SpringDamperParallel {
public:
    /// @param c [N/m], >= 0; @param s_unstretched [m], finite. @throws InvalidParameter
    Spring(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA, const btVector3& pivotInB, double c,
           double s_unstretched = 0);
    /// With the world as A.
    Spring(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld, double c,
           double s_unstretched = 0);
    /// Any placement along an axis or a line.
    Spring(const Placement& placement, double c, double s_unstretched = 0);
};

/// Linear damper along the line between two points: f = d v, where v > 0 f = d_rebound v.
class ELASTO_API Damper : public SpringDamperParallel {
public:
    /// @param d [N.s/m], >= 0; @param d_rebound likewise, of rebound; at first the same as d. @throws InvalidParameter
    Damper(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA, const btVector3& pivotInB, double d,
           double d_rebound = kSameDamping);
    /// With the world as A.
    Damper(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld, double d,
           double d_rebound = kSameDamping);
    /// Any placement along an axis or a line.
    Damper(const Placement& placement, double d, double d_rebound = kSameDamping);
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
