#pragma once
/// @file placement.h
/// Where an element sits: its two bodies, its geometry and its frames.

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

#include <memory>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class PlacementAccess;

/// Frames of a gear pair's wheels, which turn about the z axes: in the wheel, and in the carrier where the angle is 0.
struct GearFrames {
    Eigen::Quaterniond inWheel1 = Eigen::Quaterniond::Identity();  ///< frame of wheel 1 -> its body's
    Eigen::Quaterniond inWheel2 = Eigen::Quaterniond::Identity();  ///< frame of wheel 2 -> its body's
    /// Frame of wheel 1 at angle 0 -> the carrier's (the world's).
    Eigen::Quaterniond ofWheel1InCarrier = Eigen::Quaterniond::Identity();
    /// Frame of wheel 2 at angle 0 -> the carrier's (the world's).
    Eigen::Quaterniond ofWheel2InCarrier = Eigen::Quaterniond::Identity();
};

/// The two bodies of an element, what it measures between them and the frames it is attached to.
///
/// Flange (frame) a is body A, flange b is body B, in this order everywhere. Frames and pivots are given in the
/// body's own frame, whose origin is the centre of mass, as Bullet's constraints take them; for the world they are
/// world coordinates. Lengths in m.
///
/// - alongAxis: s_rel = n . (origin of frame B - origin of frame A), n = x axis of frame A. The force acts along n
///   through the origin of frame B, on both bodies.
/// - alongLine: s = distance of the two pivots. The force acts along the line from A's pivot to B's.
/// - aboutAxis: phi_rel = angle by which frame B is turned against frame A about the z axis of frame A. A torque about
///   that axis.
/// - gearPair: phi_rel = phi_1 - ratio phi_2, the angles by which two wheels have turned against a carrier about the z
///   axes of their frames. Body B is wheel 1, body A is wheel 2, which the gear turns into wheel 1's place: with ratio
///   1 and one axis a gear pair is aboutAxis. tau turns wheel 1 back (-tau), wheel 2 with ratio x tau, and the carrier
///   with what is left. Internal gears: ratio > 0, external: ratio < 0. Wheels' geometry is not needed, nor a gear
///   constraint; what holds their axes are the joints of the wheels.
/// - eulerAngle: phi_rel = one of the three angles by which frame A, turned about one of its axes after the other,
///   becomes frame B: R_A^T R_B = R_first(phi_1) R_middle(phi_2) R_last(phi_3), right-handed turns, all 0 where both
///   frames coincide. A moment along the gradient of the angle, which is the axis of its turn where the others are 0:
///   its power is tau times the rate of this angle, whatever the two others do. phi_1 and phi_3 count turns; phi_2 is
///   within -pi/2 ... pi/2, at which phi_1 and phi_3 have no meaning.
/// - swingClearance: s = bound - swing. swing is the angle between the x axes of frames A and B, bound the half opening
///   of a cone about B's, the way A's leans: bound = 1/sqrt((n_y/spanY)^2 + (n_z/spanZ)^2), n = unit axis of the swing
///   in frame B, an ellipse as of btConeTwistConstraint. For an ElastoGap with s_rel0 = 0, which acts outside. A moment
///   along the gradient: about n where both spans are the same. At a swing of 0 or pi its direction has no meaning.
///
/// The bodies are referred to, not owned: they must outlive every element that uses them.
class ELASTO_API Placement {
public:
    /// Between two bodies, along the x axis of frame A (Bullet's slider convention). A transverse offset of B's
    /// origin gives body A a moment, as the force acts through the origin of frame B.
    static Placement alongAxis(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                               const btTransform& frameInB);
    /// Between the world (flange a, frame in world coordinates) and a body.
    static Placement alongAxis(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld);

    /// Between two points of two bodies.
    static Placement alongLine(btRigidBody& rbA, btRigidBody& rbB, const btVector3& pivotInA,
                               const btVector3& pivotInB);
    /// Between a point of the world (flange a) and a point of a body.
    static Placement alongLine(btRigidBody& rbB, const btVector3& pivotInB, const btVector3& pivotInWorld);

    /// Between two bodies, about the z axis of frame A (Bullet's hinge convention). Only the orientation of the
    /// frames matters: a torque has no point of attack.
    static Placement aboutAxis(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                               const btTransform& frameInB);
    /// Between the world (flange a, frame in world coordinates) and a body.
    static Placement aboutAxis(btRigidBody& rbB, const btTransform& frameInB, const btTransform& frameInWorld);

    /// Between two bodies, one of the three angles that turn frame A into frame B. Only the orientations count.
    /// @param turns axes of the first and the last turn, which differ, and the axis of the turn that is measured
    static Placement eulerAngle(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                                const btTransform& frameInB, const EulerTurns& turns);
    /// Between the x axes of two bodies, which swing freely inside a cone. Only the orientations count.
    /// @param spanY, spanZ half openings [rad] > 0 of the cone where A's axis swings about B's y (z) axis alone; pi or
    ///        more: no bound that way
    static Placement swingClearance(btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                                    const btTransform& frameInB, double spanY, double spanZ);

    // The same in double precision throughout (world coordinates where the body is world()).
    /// Along axisInA, a vector in A's frame of any length > 0.
    static Placement alongAxis(btRigidBody& rbA, btRigidBody& rbB, const Eigen::Vector3d& pointInA,
                               const Eigen::Vector3d& pointInB, const Eigen::Vector3d& axisInA);
    /// Between two points.
    static Placement alongLine(btRigidBody& rbA, btRigidBody& rbB, const Eigen::Vector3d& pointInA,
                               const Eigen::Vector3d& pointInB);
    /// About axisInA, a vector in A's frame of any length > 0; the angle is 0 where both frames coincide.
    static Placement aboutAxis(btRigidBody& rbA, btRigidBody& rbB, const Eigen::Quaterniond& frameInA,
                               const Eigen::Quaterniond& frameInB, const Eigen::Vector3d& axisInA);

    /// Between two wheels that turn on a carrier, which world() may be. The angles are 0 as the bodies stand now;
    /// frames that say it otherwise: below. Axes are given in the world, as they point now; a wheel's angle counts
    /// about its own.
    static Placement gearPair(btRigidBody& rbWheel1, btRigidBody& rbWheel2, const btVector3& axis1InWorld,
                              const btVector3& axis2InWorld, double ratio, btRigidBody& rbCarrier = world());
    /// A wheel's angle is 0 where its frame and its frame in the carrier coincide. Only the frames' orientations count.
    static Placement gearPair(btRigidBody& rbWheel1, btRigidBody& rbWheel2, btRigidBody& rbCarrier,
                              const GearFrames& frames, double ratio);

    /// Bullet's immovable body, which stands for the world: pass it as rbB to attach flange b to the world.
    static btRigidBody& world();

    btRigidBody& bodyA() const { return *m_bodyA; }  ///< flange a; world() for the world
    btRigidBody& bodyB() const { return *m_bodyB; }  ///< flange b; world() for the world
    /// What is measured; AboutAxis of a gear pair, too.
    Geometry geometry() const { return m_geometry; }

    const Eigen::Vector3d& pointA() const { return m_pointA; }     ///< origin of frame A, in A's frame [m]
    const Eigen::Vector3d& pointB() const { return m_pointB; }     ///< origin of frame B, in B's frame [m]
    const Eigen::Quaterniond& frameA() const { return m_frameA; }  ///< orientation of frame A in A's frame
    const Eigen::Quaterniond& frameB() const { return m_frameB; }  ///< orientation of frame B in B's frame
    const Eigen::Vector3d& axis() const { return m_axis; }         ///< unit vector in A's frame; not used alongLine

    bool isGearPair() const { return m_gear != nullptr; }        ///< its geometry() is AboutAxis then
    double ratio() const { return m_gear ? m_gear->ratio : 0; }  ///< of a gear pair; 0 for any other
    /// Of a gear pair; else body A.
    btRigidBody& carrier() const { return m_gear ? *m_gear->carrier : *m_bodyA; }
    /// Frames of a gear pair's wheels; all identities for any other.
    const GearFrames& gearFrames() const;

    EulerTurns turns() const { return m_turning ? m_turning->turns : EulerTurns{}; }  ///< of an eulerAngle
    /// Of a swingClearance: spanY, spanZ [rad].
    Eigen::Vector2d spans() const { return m_turning ? m_turning->spans : Eigen::Vector2d::Ones(); }

    /// Throws unless the placement is one an element can act on.
    /// @param owner name used in messages
    /// @throws InvalidParameter if both bodies are the same or both immovable (static or kinematic), a frame is not
    ///         finite, or the frame's axis is zero; of a gear pair too if the carrier is one of the wheels, or the
    ///         ratio 0 or not finite; of an eulerAngle if the axes are not 0, 1 or 2, or first and last the same; of a
    ///         swingClearance if a span is not finite or not > 0
    void validate(const char* owner) const;

private:
    friend class PlacementAccess;  // see plugin/bullet/recording/built_world.cpp
    Placement(Geometry geometry, btRigidBody& rbA, btRigidBody& rbB);

    btRigidBody* m_bodyA;
    btRigidBody* m_bodyB;
    Geometry m_geometry;
    Eigen::Vector3d m_pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d m_pointB = Eigen::Vector3d::Zero();
    Eigen::Quaterniond m_frameA = Eigen::Quaterniond::Identity();
    Eigen::Quaterniond m_frameB = Eigen::Quaterniond::Identity();
    Eigen::Vector3d m_axis = Eigen::Vector3d::UnitX();
    struct Gear {
        btRigidBody* carrier;
        double ratio;
        GearFrames frames;
    };
    std::shared_ptr<const Gear> m_gear;  // of a gear pair
    struct Turning {
        EulerTurns turns;
        Eigen::Vector2d spans = Eigen::Vector2d::Ones();
    };
    static Placement turning(Geometry geometry, btRigidBody& rbA, btRigidBody& rbB, const btTransform& frameInA,
                             const btTransform& frameInB, int axis, const Turning& turning);
    std::shared_ptr<const Turning> m_turning;  // of an eulerAngle or a swingClearance
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
