#pragma once
/// @file multibody_placement.h
/// Where an element sits that acts on a btMultiBody: on a joint coordinate, in a drive, between two coordinates, or
/// between links.

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

#include <functional>

class btMultiBody;
class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class MultiBodyElement;
class PlacementAccess;

/// The coordinate q of a revolute [rad] or prismatic [m] joint: that between a link and its parent.
struct JointCoordinate {
    btMultiBody* body = nullptr;  ///< must be given, and outlive the element
    int link = 0;                 ///< the child link
    double offset = 0;            ///< [rad, m]
    double sign = 1;              ///< +1 or -1: the coordinate is sign (q - offset)
};

/// A rotor behind a gear, which is no link and has no collider. It rides on the joint's parent link, its carrier, and
/// turns about the joint's axis (of a prismatic joint about that of the slide). Its angle phi counts against the
/// carrier, and counts turns. Where the carrier turns with omega, the rotor spins with a . omega + w, a the axis: the
/// carrier bears its inertia about the axis and its gyroscopic moment, and whatever turns the rotor, motor or element,
/// has its reaction there. Mass and moments across the axis belong to the parent link's own.
struct Drive {
    btMultiBody* body = nullptr;  ///< must be given, and outlive the element
    int link = 0;                 ///< the child link of the revolute or prismatic joint that is driven
    double inertia = 0;           ///< of the rotor, on its own side of the gear [kg.m^2], > 0
    double ratio = 1;  ///< turns of the rotor for one of the joint (prismatic: [rad/m]), not 0; < 0: it turns back
    double phi = 0;    ///< angle of the rotor against its carrier at the start [rad]
    double w = 0;      ///< its rate at the start [rad/s]
};

/// Two joints of one or of two multibodies, geared: first against ratio times second.
struct GearPair {
    JointCoordinate first;   ///< flange b
    JointCoordinate second;  ///< flange a; of another joint than the first
    double ratio = 1;        ///< > 0: internal, both turn the same way; < 0: external. Not 0
};

/// The angle phi of a drive's rotor against its carrier, on its own side of the gear [rad]: where a motor's bearings
/// and seals rub.
struct RotorCoordinate {
    /// Must be given, placed as a Drive, and outlive the element; both go into the same world.
    const MultiBodyElement* drive = nullptr;
};

/// Something that an end of an element may be fixed to: a link or the base of a multibody, a rigid body, or the world.
class Flange {
public:
    static Flange world() { return {}; }  ///< what does not move; frames and pivots are world coordinates
    /// A rigid body: frames and pivots are in its own frame (of its centre of mass).
    Flange(btRigidBody& body) : m_rigidBody(&body) {}
    /// @param link -1: the base
    Flange(btMultiBody& body, int link) : m_multiBody(&body), m_link(link) {}

    btMultiBody* multiBody() const { return m_multiBody; }  ///< null: no multibody
    int link() const { return m_link; }                     ///< -1: base
    btRigidBody* rigidBody() const { return m_rigidBody; }  ///< null: no rigid body
    /// True for world().
    bool isWorld() const { return m_multiBody == nullptr && m_rigidBody == nullptr; }
    bool operator==(const Flange&) const = default;  ///< equal where body and link are

private:
    Flange() = default;

    btMultiBody* m_multiBody = nullptr;
    int m_link = -1;
    btRigidBody* m_rigidBody = nullptr;
};

/// Between frames on links, rigid bodies or the world; at least one end is on a multibody. Frames and pivots are in the
/// link's own frame (of its centre of mass, in which Bullet has its inertia), in the rigid body's, or in the world's.
/// Geometries as in Placement.
class ELASTO_API LinkPlacement {
public:
    // Those with frames throw InvalidParameter if a frame's basis is no rotation.

    /// Along the x axis of frame A, through the origin of frame B.
    static LinkPlacement alongAxis(const Flange& a, const Flange& b, const btTransform& frameInA,
                                   const btTransform& frameInB);
    /// Between two points.
    static LinkPlacement alongLine(const Flange& a, const Flange& b, const btVector3& pivotInA,
                                   const btVector3& pivotInB);
    /// About the z axis of frame A.
    static LinkPlacement aboutAxis(const Flange& a, const Flange& b, const btTransform& frameInA,
                                   const btTransform& frameInB);

    const Flange& a() const { return m_a; }  ///< what flange a is fixed to
    const Flange& b() const { return m_b; }  ///< what flange b is fixed to
    /// AlongAxis, AlongLine or AboutAxis.
    Geometry geometry() const { return m_geometry; }
    const Eigen::Vector3d& pointA() const { return m_pointA; }     ///< in a's frame [m]
    const Eigen::Vector3d& pointB() const { return m_pointB; }     ///< in b's frame [m]
    const Eigen::Vector3d& axis() const { return m_axis; }         ///< unit vector in a's frame
    const Eigen::Quaterniond& frameA() const { return m_frameA; }  ///< AboutAxis: frame A in a's frame
    const Eigen::Quaterniond& frameB() const { return m_frameB; }  ///< AboutAxis: frame B in b's frame

private:
    friend class PlacementAccess;  // see plugin/bullet/recording/built_world.cpp
    LinkPlacement(const Flange& a, const Flange& b, Geometry geometry) : m_a(a), m_b(b), m_geometry(geometry) {}

    Flange m_a;
    Flange m_b;
    Geometry m_geometry;
    Eigen::Vector3d m_pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d m_pointB = Eigen::Vector3d::Zero();
    Eigen::Vector3d m_axis = Eigen::Vector3d::UnitX();
    Eigen::Quaterniond m_frameA = Eigen::Quaterniond::Identity();
    Eigen::Quaterniond m_frameB = Eigen::Quaterniond::Identity();
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
