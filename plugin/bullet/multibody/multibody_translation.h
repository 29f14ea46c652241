#pragma once
// A btMultiBody in the flow's terms: links as free bodies, joints as the rows that hold them together. Links that are
// fixed to one another are one body; those fixed to a fixed base are the world.

#include <elasto/flow.h>
#include <elasto/flow_tree.h>
#include <elasto/multibody_placement.h>
#include <elasto/precision.h>

#include <string>
#include <vector>

#include "multibody/multibody_state.h"

class btCollisionObject;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What pulls at a multibody over a tick: Bullet keeps it until the user's forces are cleared.
struct MultiBodyLoads {
    std::vector<Eigen::Vector3d> forces;   ///< on the base (first) and the links, world [N]
    std::vector<Eigen::Vector3d> torques;  ///< about their centres of mass, world [N.m]
    std::vector<QuadraticTorque> joints;   ///< by m_dofOffset, over the whole tick [N.m, N]
    /// Torques of joints that are made of several pieces.
    struct JointTorque {
        int link = 0;
        std::vector<LoadPiece> pieces;  ///< all that acts on the joint
    };
    std::vector<JointTorque> jointTorques;
};
MultiBodyLoads loadsOf(const btMultiBody& body);

/// Where a link (or the base) is in the flow.
struct LinkPlace {
    int body = kWorld;                                         ///< in FlowNetwork::bodies
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();          ///< of the link's frame in that body's frame [m]
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  ///< link's frame -> that body's

    Eigen::Vector3d point(const Eigen::Vector3d& inLink) const { return origin + turn * inLink; }
    /// The link is all of that body, and has its frame.
    bool isWhole() const { return body != kWorld && origin.isZero(0) && turn.coeffs() == Eigen::Vector4d(0, 0, 0, 1); }
};

/// A link that a body of the flow carries.
BodyState carried(const BodyState& body, const LinkPlace& place);

class MultiBodyElement;
struct JointBound;

/// The rotor of a drive among the flow's bodies: see multibody/multibody_rotors.h.
struct ReflectedRotor {
    const MultiBodyElement* element = nullptr;
    int link = 0;          ///< the joint's child
    bool slides = false;   ///< the joint is prismatic
    int body = 0;          ///< in FlowNetwork::bodies
    int carrier = kWorld;  ///< the body that it rides on, in FlowNetwork::bodies, or kWorld
    Eigen::Vector3d axisOnCarrier = Eigen::Vector3d::UnitZ();          ///< in that body's frame
    Eigen::Quaterniond carrierFrame = Eigen::Quaterniond::Identity();  ///< as GearedCoordinate::carrierFrame
    std::vector<LoadPiece> torque;  ///< of the motor, on the joint's side of the gear [N.m, N]: the first component
    double inertia = 0;       ///< on its own side [kg.m^2]
    double ratio = 1;         ///< as Drive::ratio
    double displacement = 0;  ///< of that body at the tick's start [rad, m]

    /// Along or about which it moves, in the world.
    static Eigen::Vector3d axis() { return Eigen::Vector3d::UnitZ(); }
};

/// A multibody of a network over one tick.
struct MovedMultiBody {
    btMultiBody* body = nullptr;
    MultiBodyState start;
    MultiBodyState end;
    MultiBodyLoads loads;
    std::vector<LinkPlace> places;  ///< of the base (first) and the links
    std::vector<ReflectedRotor> rotors;
    double startKinetic = 0;  ///< [J]
    double endKinetic = 0;    ///< [J]
    double endRotors = 0;     ///< kinetic energy of rotors, where it was solved as a tree [J]

    const LinkPlace& place(int link) const { return places[static_cast<std::size_t>(link + 1)]; }
};

/// Why elements cannot move it at all: "a kinematic link", ...; null if they can.
const char* whyRefused(const btMultiBody& body);
/// Why its links cannot be bodies of the flow: "a link without mass", ...; null if they can.
const char* whyNotInFlow(const btMultiBody& body);

/// Adds bodies and joints; fills places and startKinetic.
void addMultiBody(MovedMultiBody& moved, FlowNetwork& network);

/// Sets the loads of the multibody's flow bodies. Those that depend on the motion (torques of joints whose axes turn,
/// Bullet's damping) are taken from the start, and from the end and the middle where an end is given.
/// @param end of the same network, or null
/// @return true if there are any that depend on the motion
bool setLoads(const MovedMultiBody& moved, double h, const std::vector<BodyTick>* end, FlowNetwork& network);

/// Sets what depends on how the carriers of rotors turn over the tick: that of GearedCoordinate::carrierFrame, and
/// FlowBody::spinMomentum. In multibody/multibody_rotors.cpp.
/// @param end of the same network
/// @return true if there are any
bool followCarriers(const MovedMultiBody& moved, const std::vector<BodyTick>& end, FlowNetwork& network);

/// Reads the end from a solved tick.
/// @param bounds with the gears of its joints, which are closed
void readEnd(MovedMultiBody& moved, const std::vector<JointBound>& bounds, const TickResult& result, double h);

/// The coordinate of a revolute or prismatic joint, as elements, motors and limits measure it: parent is a, link is b.
struct JointRow {
    Geometry geometry = Geometry::AboutAxis;
    int a = kWorld;
    int b = kWorld;
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
    Eigen::Quaterniond frameA = Eigen::Quaterniond::Identity();
    Eigen::Quaterniond frameB = Eigen::Quaterniond::Identity();
    double phi = 0;  ///< at the tick's start

    template <class Row>
    void placeIn(Row& row) const {
        row.geometry = geometry;
        row.a = a;
        row.b = b;
        row.pointA = pointA;
        row.pointB = pointB;
        row.axis = axis;
        row.frameA = frameA;
        row.frameB = frameB;
        row.phi = phi;
    }
};
/// @param joint of this multibody
JointRow jointRow(const MovedMultiBody& moved, const JointCoordinate& joint);

/// "link 'shin'", "link 3" or "the base": of a multibody that has names, or not.
std::string nameOfLink(const btMultiBody& body, int link);

/// The multibody and the link (-1: base) that a collision object is; null for another object.
btMultiBody* multiBodyOf(const btCollisionObject& object, int& link);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
