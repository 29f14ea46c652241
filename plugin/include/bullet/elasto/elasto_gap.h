#pragma once
/// @file elasto_gap.h
/// Modelica.Mechanics.Translational.Components.ElastoGap between rigid bodies.

#include <elasto/export.h>
#include <elasto/law_element.h>

class btHingeConstraint;
class btSliderConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ElastoGap;

/// The two stops that replace the limits of one of Bullet's joints.
struct StopPair {
    std::unique_ptr<ElastoGap> lower;  ///< pushes where the joint's position is below its lower limit
    std::unique_ptr<ElastoGap> upper;  ///< pushes where it is above its upper limit
};

/// A stop: a spring and damper that can lift off.
///
///     contact = s_rel < s_rel0
///     f_c = -c s_ref |(s_rel - s_rel0)/s_ref|^n,  f_d2 = d v_rel      (in contact, else 0)
///     f   = f_c + min(max(f_d2, f_c), -f_c)                          in [2 f_c, 0]
///
/// It only pushes: f <= 0, so body B is pushed along +axis and body A along -axis. It never pulls, its force never
/// jumps. B must lie ahead of A on the axis where there is no contact (s_rel > s_rel0).
/// Other characteristics: GapCharacteristic in elasto_gap_law.h. Parameters and ranges: ElastoGapParameters.
class ELASTO_API ElastoGap : public LawElement<ElastoGapLaw> {
public:
    /// Along the x axis of frame A. @throws InvalidParameter
    ElastoGap(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA, const btTransform& frameInB,
              const ElastoGapParameters& parameters);
    /// As above with the world as A: frame A is where frame B stands now, so s_rel is 0 now.
    ElastoGap(btRigidBody& rbB, const btTransform& frameInB, const ElastoGapParameters& parameters);
    /// As above with the world as A and its frame in world coordinates.
    ElastoGap(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld,
              const ElastoGapParameters& parameters);
    /// Any placement: along an axis, along a line, or of an angle (c is then in N.m/rad).
    ElastoGap(const Placement& placement, const ElastoGapParameters& parameters);

    /// A stop of the world for a point of a body, without a frame: the body is free on the side of the stop that the
    /// normal points to, s_rel = normal . (point - stop).
    /// @param pointInBody in the body's frame [m]
    /// @param stopInWorld a point of the stop [m]
    /// @param normalInWorld where the body is free; of any length > 0
    /// @param parameters s_rel0 is where contact begins, 0 at the stop's point
    /// @throws InvalidParameter
    static std::unique_ptr<ElastoGap> against(btRigidBody& rbB, const btVector3& pointInBody,
                                              const btVector3& stopInWorld, const btVector3& normalInWorld,
                                              const ElastoGapParameters& parameters);

    /// A bumper between two points: s_rel is their distance, so s_rel0 > 0.
    static std::unique_ptr<ElastoGap> alongLine(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA,
                                                const btVector3& pivotInB, const ElastoGapParameters& parameters);

    /// Stops at the limits that a hinge has now, with stiffness c [N.m/rad] and damping d [N.m.s/rad]. They take the
    /// place of the hinge's own limits, which are released (setLimit(1, -1)). The angles count turns from the hinge's
    /// present position, so a limit at +170 degrees is not met at -190 degrees from the other side. The stops are
    /// solved together with the hinge.
    /// @throws InvalidParameter if the hinge has no limits, or c or d is not allowed
    static StopPair fromHingeLimit(btHingeConstraint& hinge, double c, double d);
    /// Stops at the linear limits that a slider has now, with c [N/m] and d [N.s/m], in the place of its own, which are
    /// released (setLowerLinLimit(1), setUpperLinLimit(-1)). See fromHingeLimit for what else holds.
    static StopPair fromSliderLimit(btSliderConstraint& slider, double c, double d);
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
