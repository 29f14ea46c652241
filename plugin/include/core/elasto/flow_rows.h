#pragma once
/// @file flow_rows.h
/// Joints in the flow's terms: scalar relations between two bodies that are held, driven or limited.

#include <elasto/eigen.h>
#include <elasto/export.h>
#include <elasto/flow_load.h>

#include <limits>

namespace elasto {

/// Index of a body in FlowNetwork::bodies; kWorld is the world frame.
inline constexpr int kWorld = -1;

/// What an element, a motor or a limit measures and along what it acts.
enum class Geometry {
    AlongAxis,   ///< s = axis . (pB - pA), axis fixed in frame a. The force acts on both bodies along the axis through
                 ///< pB
    AlongLine,   ///< s = |pB - pA|; the force acts along the line from pA to pB
    AboutAxis,   ///< phi = angle by which frame b is turned against frame a about the axis (fixed in a and b); counts
                 ///< turns
    EulerAngle,  ///< phi = one of the three angles by which frame a, turned about one of its axes after the other,
                 ///< becomes frame b; counts turns. Where the second one is 90 degrees, first and third have no meaning
    SwingClearance,  ///< s = angle by which a's x may still swing away from x of frame b, the way it leans, until it
                     ///< is on an elliptical cone about it; < 0 outside. Counts to a whole turn
    SwingCone,  ///< s = (1 - n^2) min(spans) / 2, where n = 1 on an elliptical cone about x of frame b; > 0 where a's x
                ///< lies inside. Limits only
};

/// True for coordinates that are angles and count turns.
constexpr bool countsTurns(Geometry geometry) {
    return geometry == Geometry::AboutAxis || geometry == Geometry::EulerAngle;
}

/// True for coordinates along which moments act, not forces.
constexpr bool isRotational(Geometry geometry) {
    return geometry != Geometry::AlongAxis && geometry != Geometry::AlongLine;
}

/// Which Euler angle: axes are 0, 1, 2 for x, y, z.
struct EulerTurns {
    int first = 2;  ///< axis of the first turn, fixed in frame a
    int last = 0;   ///< axis of the third turn, fixed in frame b; the second turn is about the remaining one
    int about = 0;  ///< axis of the turn that is measured

    int middle() const { return 3 - first - last; }      ///< axis of the second turn: the one that is left
    bool operator==(const EulerTurns&) const = default;  ///< equal where all three axes are
};

/// One scalar relation that a joint holds between two bodies, or a body and the world: value = 0. A joint is made of
/// several: a ball joint of three AlongAxis with a's axes, a hinge of these and two Orthogonal. Relations that follow
/// from one another (closed loops) are legal.
struct HeldRow {
    /// What is held.
    enum class Kind {
        AlongAxis,   ///< value = axisA . (pB - pA) - offset
        Orthogonal,  ///< value = axisA . axisB - offset
        Gear,        ///< axisA . wA + ratio axisB . wB = 0: a rate only, its value is always 0
    };
    Kind kind = Kind::AlongAxis;                       ///< decides which of the fields below count
    int a = kWorld;                                    ///< body of frame a, or kWorld
    int b = kWorld;                                    ///< body of frame b, or kWorld
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< in body a's frame (world coordinates for kWorld) [m]
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< in body b's frame [m]
    Eigen::Vector3d axisA = Eigen::Vector3d::UnitX();  ///< unit vector in body a's frame
    Eigen::Vector3d axisB = Eigen::Vector3d::UnitX();  ///< Orthogonal, Gear: unit vector in body b's frame
    double offset = 0;                                 ///< AlongAxis [m], Orthogonal: cosine of the angle
    double ratio = 1;                                  ///< Gear
    int reaction = -1;  ///< place in TickResult::reactions to which the row's impulse is added; -1: nowhere

    bool operator==(const HeldRow&) const = default;  ///< equal where all fields are
};

/// Dry friction as a motor to rest: see FrictionLaw.
struct ELASTO_API DryFriction {
    int element = -1;      ///< of FlowNetwork::elements, whose friction it is; -1: it is a motor
    double slow = 0;       ///< force of sliding at speed 0: F_Coulomb + F_Stribeck [N, N.m]
    double peak = 1;       ///< force at which it gives way, over `slow`
    double bySpeed = 0;    ///< F_prop [N.s/m, N.m.s/rad]
    double stribeck = 0;   ///< F_Stribeck [N, N.m]
    double decay = 0;      ///< fexp [s/m, s/rad]
    QuadraticShare share;  ///< of all these forces, over the tick: FlowElement::f_normalized

    bool isDry() const { return element >= 0; }  ///< false: a motor that has nothing to do with friction
    /// Force of sliding with a share of 1; it goes on smoothly to speeds < 0.
    double sliding(double speed) const;
    bool operator==(const DryFriction&) const = default;  ///< equal where all fields are
};

/// A second coordinate that an element, a motor or a limit along or about an axis counts with, as gears and drives do:
/// s = own coordinate - ratio x second coordinate. What pushes on the own coordinate with f pushes on the second one
/// with -ratio f. Measured like an element's own; its bodies may be the element's own ones, such as a carrier.
struct GearedCoordinate {
    double ratio = 0;                                  ///< 0: there is none
    Geometry geometry = Geometry::AboutAxis;           ///< AlongAxis or AboutAxis
    int a = kWorld;                                    ///< what it is measured from, or kWorld
    int b = kWorld;                                    ///< the body that is measured, or kWorld; another than a
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< attachment in body a's frame (world for kWorld) [m]
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< attachment in body b's frame [m]
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   ///< unit vector in body a's frame
    Eigen::Quaterniond frameA = Eigen::Quaterniond::Identity();  ///< AboutAxis: frame a in body a's frame
    /// AboutAxis: frame b in body b's; phi = 0 where both coincide.
    Eigen::Quaterniond frameB = Eigen::Quaterniond::Identity();

    /// Not 0: b is a rotor that rides on the element's own body a. It is a body that turns about (or slides along) one
    /// axis of the world, as fast as it spins, its carrier's turning included; its angle against the carrier is less by
    /// what the carrier turns about the element's axis. This share of the carrier's turn is taken off the second
    /// coordinate: 1 for an angle, [m/rad] or 1 / a gear's ratio where b moves as the rotor does behind its gear.
    double carried = 0;
    /// Orientation of body a from which that turn counts. Where it is that of the tick's middle, what the rotor makes
    /// its carrier feel points along the axis but for a quarter of the angle by which the axis tilts in the tick, first
    /// to one side, then to the other. The turn must stay below half a one.
    Eigen::Quaterniond carrierFrame = Eigen::Quaterniond::Identity();

    // State carried from tick to tick.
    double phi = 0;  ///< AboutAxis: last known angle [rad]; the angle is measured as the one nearest to it

    bool operator==(const GearedCoordinate&) const = default;  ///< equal where all fields are
};

/// A joint's motor, or a limit of a joint's coordinate: a relation whose force is bounded. Dry friction is a motor to
/// rest. The coordinate is measured as a FlowElement's of the same geometry; forces are along it, positive on body b.
struct BoundedRow {
    /// What its force is for.
    enum class Kind {
        Motor,  ///< drives the rate to targetRate with a force of at most maxForce
        Limit,  ///< keeps the coordinate on one side of the bound
    };
    Kind kind = Kind::Motor;                           ///< decides which of the fields below count
    Geometry geometry = Geometry::AlongAxis;           ///< all but AlongLine; SwingCone for limits only
    int a = kWorld;                                    ///< body of frame a, or kWorld
    int b = kWorld;                                    ///< body of frame b, or kWorld
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< in body a's frame (world coordinates for kWorld) [m]
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< in body b's frame [m]
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   ///< unit vector in body a's frame
    /// Rotations: orientation of frame a in body a's frame (world for kWorld).
    Eigen::Quaterniond frameA = Eigen::Quaterniond::Identity();
    /// Rotations: orientation of frame b in body b's frame; angles are 0 where both frames coincide.
    Eigen::Quaterniond frameB = Eigen::Quaterniond::Identity();
    EulerTurns turns = {};                            ///< EulerAngle
    Eigen::Vector2d spans = Eigen::Vector2d::Ones();  ///< swings: half opening where a's x swings about y, z of b
                                                      ///< [rad] > 0
    double targetRate = 0;                            ///< Motor: of the coordinate [m/s, rad/s]
    double maxForce = 0;     ///< Motor: [N, N.m] >= 0; infinity: the rate is prescribed, unless a limit stops it
    double bound = 0;        ///< Limit: of the coordinate [m, rad]
    int side = 1;            ///< Limit: +1: coordinate >= bound, -1: coordinate <= bound
    double restitution = 0;  ///< Limit: share of the rate that an impact gives back, 0..1
    int reaction = -1;       ///< as HeldRow::reaction
    /// Motor, of elements: exact where nothing touches; maxForce stands for it where something does.
    DryFriction friction = {};
    /// AlongAxis, AboutAxis: what the coordinate counts with besides its own. A motor to rest whose force has no bound
    /// is a gear without play. A reaction has the own coordinate's share.
    GearedCoordinate geared = {};

    // State carried from tick to tick.
    double phi = 0;  ///< angles: last known own one [rad]; the angle is measured as the one nearest to it

    bool isGeared() const { return geared.ratio != 0; }  ///< it has a second coordinate

    bool operator==(const BoundedRow&) const = default;  ///< equal where all fields are
};

}  // namespace elasto
