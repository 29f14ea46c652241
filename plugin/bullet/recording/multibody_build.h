#pragma once
// Multibodies, their constraints and elements as plain values, from which the same can be built.

#include <elasto/multibody_element.h>

#include <memory>
#include <vector>

#include "recording/record_fields.h"
#include "snapshot/snapshot_parts.h"

class btMultiBody;
class btMultiBodyConstraint;
class btMultiBodyLinkCollider;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct CallTape;

/// What a link is: all that does not change from tick to tick.
struct LinkBuild {
    int jointType = 0;  ///< btMultibodyLink::eFeatherstoneJointType
    int parent = -1;
    btScalar mass = 0;
    Triple inertia{};
    std::array<btScalar, 4> zeroTurn{};  ///< m_zeroRotParentToThis
    Triple d{};
    Triple e{};
    std::array<Triple, 12> axes{};    ///< top and bottom, one joint coordinate after the other
    std::array<btScalar, 6> notes{};  ///< damping, friction, limits, largest force and speed, which others may read
    int collider = -1;                ///< its place in the world
};

struct MultiBodyBuild {
    bool hasFixedBase = false;
    bool canSleep = false;
    btScalar baseMass = 0;
    Triple baseInertia{};
    int baseCollider = -1;
    std::vector<LinkBuild> links;
};

/// JointCoordinate, with the multibody's place in the world.
struct CoordinateRecord {
    int body = -1;
    int link = 0;
    double offset = 0;
    double sign = 1;
};
struct FlangeRecord {
    int multiBody = -1;
    int link = -1;
    int rigid = -1;
};
/// A MultiBodyElement::Placing; which of the values it uses says its index.
struct PlacingRecord {
    std::uint8_t index = 0;
    CoordinateRecord first;
    CoordinateRecord second;  ///< its body, of what is on a rotor: the drive's place among the world's constraints
    double ratio = 1;
    double inertia = 1;
    FlangeRecord a;
    FlangeRecord b;
    Geometry geometry = Geometry::AlongAxis;
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
    Eigen::Quaterniond frameA = Eigen::Quaterniond::Identity();
    Eigen::Quaterniond frameB = Eigen::Quaterniond::Identity();

    bool isOnRotor() const { return index == 4; }
};

/// A constraint on multibodies, or an element: what is not in its MultiBodyJointRecord.
struct MultiBodyJointBuild {
    std::int8_t kind = -1;  ///< in the list of classes (multibody_build.cpp); -1: an element
    PlacingRecord placing;
    std::uint8_t law = 0;
    int heatPort = -1;
    bool hasTorque = false;  ///< MultiBodyElement::setMotorTorque
    bool hasTorqueBreak = false;
    bool hasShare = false;  ///< ElementCommon::setF_normalized
    bool hasShareBreak = false;
};

struct JointLoadBuild {
    int body = -1;
    int link = 0;
    bool operator==(const JointLoadBuild&) const = default;
};

/// @throws InvalidParameter for what cannot be built again
MultiBodyBuild describe(btMultiBody& body, const SnapshotWorld& world);
MultiBodyJointBuild describe(btMultiBodyConstraint& joint, const SnapshotWorld& world);

/// With its links and joints; colliders are put in by who makes them.
std::unique_ptr<btMultiBody> makeMultiBody(const MultiBodyBuild& build);

/// Bodies by their places. @throws InvalidParameter where there is none
struct BodiesByPlace {
    std::function<btMultiBody&(int)> multiBody;
    std::function<btRigidBody&(int)> rigid;
    std::function<const MultiBodyElement&(int)> drive;  ///< among the constraints on multibodies
};
/// Its values have no meaning yet. @param record says which bodies it joins
std::unique_ptr<btMultiBodyConstraint> makeMultiBodyJoint(const MultiBodyJointBuild& build,
                                                          const MultiBodyJointRecord& record,
                                                          const BodiesByPlace& bodies);
std::unique_ptr<MultiBodyElement> makeMultiBodyElement(const MultiBodyJointBuild& build, const Law& law,
                                                       const BodiesByPlace& bodies, CallTape& answers);

template <class Stream>
void fields(Stream& s, LinkBuild& l) {
    s(l.jointType, l.parent, l.mass, l.inertia, l.zeroTurn, l.d, l.e, l.axes, l.notes, l.collider);
}
template <class Stream>
void fields(Stream& s, MultiBodyBuild& b) {
    s(b.hasFixedBase, b.canSleep, b.baseMass, b.baseInertia, b.baseCollider, b.links);
}
template <class Stream>
void fields(Stream& s, CoordinateRecord& c) {
    s(c.body, c.link, c.offset, c.sign);
}
template <class Stream>
void fields(Stream& s, FlangeRecord& f) {
    s(f.multiBody, f.link, f.rigid);
}
template <class Stream>
void fields(Stream& s, PlacingRecord& p) {
    s(p.index, p.first, p.second, p.ratio, p.inertia, p.a, p.b, p.geometry, p.pointA, p.pointB, p.axis, p.frameA,
      p.frameB);
}
template <class Stream>
void fields(Stream& s, MultiBodyJointBuild& j) {
    s(j.kind, j.placing, j.law, j.heatPort, j.hasTorque, j.hasTorqueBreak, j.hasShare, j.hasShareBreak);
}
template <class Stream>
void fields(Stream& s, JointLoadBuild& l) {
    s(l.body, l.link);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
