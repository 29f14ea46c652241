#pragma once
/// @file flow_contact.h
/// Contacts in the flow's terms: points where two rigid bodies touch, or may touch within the tick.

#include <elasto/eigen.h>

#include <limits>

namespace elasto {

/// A box of a body's surface, where that is known: how far its faces go, and what is beyond their edges.
struct ContactBox {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< in the frame of the body that has it (world for kWorld) [m]
    Eigen::Matrix3d half = Eigen::Matrix3d::Zero();    ///< columns, at right angles to each other: from the centre to
                                                       ///< the middle of a face [m]; 0: no box is known
    double rounding = 0;  ///< [m] >= 0: the surface is so far outside the box, with round edges and corners

    bool isKnown() const { return !half.isZero(0); }  ///< false: faces go on for ever

    bool operator==(const ContactBox&) const = default;  ///< equal where all fields are
};

/// Where a contact is: a vertex of one body over a plane of the other, which owns the normal and carries it along when
/// it turns; or over a rounding of the other. The normal points from b to a: the contact pushes a along +normal and b
/// along -normal, and never pulls.
struct ContactPlace {
    int a = -1;                                            ///< index of a body, or kWorld
    int b = -1;                                            ///< index of a body, or kWorld
    bool isVertexOnA = true;                               ///< false: b has the vertex and a the plane
    Eigen::Vector3d vertex = Eigen::Vector3d::Zero();      ///< in the frame of the body that has it (world for
                                                           ///< kWorld) [m]: a corner, or the centre of a rounding
    double radius = 0;                                     ///< [m] of the rounding about the vertex (sphere, capsule)
    Eigen::Vector3d planePoint = Eigen::Vector3d::Zero();  ///< of the plane, in the owner's frame [m]
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();     ///< unit vector in the owner's frame, from b to a
    double ownerRadius = 0;  ///< [m] >= 0: of a rounding that the owner's surface has at planePoint; 0: it is flat. The
                             ///< normal goes from the rounding's axis or centre to the vertex then, wherever that is
    Eigen::Vector3d ownerAxis = Eigen::Vector3d::Zero();  ///< unit vector along the rounding's axis, in the owner's
                                                          ///< frame; 0: it is round about its centre
    /// [m] added to the gap, so that it is at the start what collision detection measured:
    /// gap = +-(normal . (vertex - planePoint)) - radius + offset, + where a has the vertex. Negative: penetration.
    /// The same over a rounding, whose point under the vertex is the plane's then
    double offset = 0;
    /// Of a vertex with a radius: the owner's surface is that of this box. Plane or rounding are those of the part of
    /// it that is nearest to the vertex, see faceVertex(), and become those of another part when the vertex goes there.
    /// Of one without, where vertexBox is known too: its face has the plane.
    ContactBox ownerBox;
    /// Of a vertex without radius: its body touches with a face of this box, which lies on that of ownerBox. The bodies
    /// are apart where the two faces do not overlap.
    ContactBox vertexBox;

    bool isRoundOnBox() const { return radius > 0 && ownerBox.isKnown(); }  ///< what is round touches a box
    /// Two faces of boxes touch.
    bool areFaces() const { return radius == 0 && ownerBox.isKnown() && vertexBox.isKnown(); }

    /// Of a round owner: a point of the axis, or the centre, in the owner's frame [m].
    Eigen::Vector3d ownerCentre() const { return planePoint - (isVertexOnA ? ownerRadius : -ownerRadius) * normal; }
    /// Of a round owner: the part of a way, in the owner's frame, that does not go along the axis.
    Eigen::Vector3d acrossOwner(const Eigen::Vector3d& way) const { return way - ownerAxis.dot(way) * ownerAxis; }

    bool operator==(const ContactPlace&) const = default;  ///< equal where all fields are
};

/// How the surfaces of a contact act on each other.
struct ContactMaterial {
    double friction = 0;          ///< >= 0: most tangential force over normal force, sticking or slipping
    double rollingFriction = 0;   ///< [m] >= 0: most torque about the tangents over normal force
    double spinningFriction = 0;  ///< [m] >= 0: most torque about the normal over normal force, beyond what friction
                                  ///< on the surface of contact gives
    double restitution = 0;       ///< 0 ... 1: speed after over speed before an impact, where
    double restitutionVelocity = 0.2;  ///< [m/s] >= 0: it was faster than this; slower impacts do not rebound
    /// [m/s] world: what b's surface moves at beyond its body (a conveyor belt), or a's at with the opposite sign
    Eigen::Vector3d surfaceVelocity = Eigen::Vector3d::Zero();
    double stiffness = std::numeric_limits<double>::infinity();  ///< [N/m] > 0 of a soft contact; infinity: rigid
    double damping = 0;                                          ///< [N.s/m] >= 0 of a soft contact

    bool operator==(const ContactMaterial&) const = default;  ///< equal where all fields are
};

/// What an engine remembers of a contact from earlier ticks. The defaults are those of a new one.
struct ContactHistory {
    /// [m/s] >= 0: bodies that an engine left at rest here, which pushes them apart where they penetrate. If no point
    /// of the surface is faster at the tick's start, approaching or parting, that is no motion and is taken away,
    double restSpeed = 0;
    bool hasStuck = false;  ///< and so is what it slips then, because friction held it
    /// [m] >= 0: how much of a soft contact's depth the bodies entered before they were found inside each other. Their
    /// approach loses the energy that the spring then holds.
    double entered = 0;
    /// [m] >= 0 of a soft contact: depth in which its spring is not compressed. The bodies move apart by a fifth of it
    /// per tick, as they do out of the penetration of rigid contacts
    double slack = 0;
    /// [N.s] >= 0: what it bore in the tick before; 0 if that is not known. Implicit ticks begin with it
    double impulse = 0;
    /// [m] world: way that the contact and its sticking friction had given when the last tick ended, if that was an
    /// implicit one. It is taken back
    Eigen::Vector3d creep = Eigen::Vector3d::Zero();

    bool operator==(const ContactHistory&) const = default;  ///< equal where all fields are
};

/// A point where two bodies touch or may touch within the tick. List every point that may close within the tick; a box
/// that rests on a floor has four. Points of one pair of bodies with the same normal act as one surface.
struct FlowContact : ContactPlace, ContactMaterial, ContactHistory {
    bool operator==(const FlowContact&) const = default;  ///< equal where place, material and history are
};

/// A contact over one tick.
struct ContactTick {
    double impulse = 0;  ///< [N.s] >= 0 along the normal. Points that share a surface share its impulse; how is not
                         ///< unique where there are more than three
    Eigen::Vector3d frictionImpulse = Eigen::Vector3d::Zero();  ///< on a, world [N.s]
    /// On a, of rolling and spinning, and of friction that acts beside this point of its surface, world [N.m.s].
    Eigen::Vector3d frictionTorque = Eigen::Vector3d::Zero();
    double gap = 0;                                   ///< at the tick's end [m]
    bool isClosed = false;                            ///< it touches at the tick's end
    double slack = 0;                                 ///< of a soft contact at the tick's end, for the next one [m]
    Eigen::Vector3d creep = Eigen::Vector3d::Zero();  ///< as FlowContact::creep, for the next tick [m]
};

}  // namespace elasto
