#pragma once
// What a world is made of, as plain values: what a recording must have besides the world's state (a WorldRecord) so
// that another process can build the same world. Bodies are named by their places in the world, -1: Placement::world().

#include <elasto/load.h>
#include <elasto/placement.h>

#include <cstdint>
#include <string>
#include <vector>

#include "recording/multibody_build.h"
#include "recording/record_fields.h"
#include "recording/shape_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class WorldTick;
struct SnapshotWorld;

/// A collision object besides its ObjectRecord.
struct ObjectBuild {
    int shape = -1;
    std::vector<int> withoutCollision;  ///< objects that it does not touch
    bool hasAdditionalDamping = false;
    std::array<btScalar, 4> additionalDamping{};  ///< as btRigidBodyConstructionInfo has them

    bool operator==(const ObjectBuild&) const = default;
};

/// One of Bullet's joints: what is not in its JointRecord. Elements are ElementBuilds.
struct JointBuild {
    std::int8_t kind = 0;  ///< in the list of classes (built_world.cpp); -1: an element
    int bodyA = -1;
    int bodyB = -1;

    bool operator==(const JointBuild&) const = default;
};

/// A Placement with places of bodies.
struct PlacementRecord {
    Geometry geometry = Geometry::AlongAxis;
    int bodyA = -1;
    int bodyB = -1;
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
    Eigen::Quaterniond frameA = Eigen::Quaterniond::Identity();
    Eigen::Quaterniond frameB = Eigen::Quaterniond::Identity();
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
    bool isGearPair = false;
    int carrier = -1;
    double ratio = 0;
    GearFrames gear;
    EulerTurns turns;
    Eigen::Vector2d spans = Eigen::Vector2d::Ones();
};

/// An element besides its ElementRecord.
struct ElementBuild {
    PlacementRecord placement;
    std::uint8_t law = 0;   ///< which alternative of Law
    int heatPort = -1;      ///< elements with the same number share one
    bool hasShare = false;  ///< ElementCommon::setF_normalized
    bool hasShareBreak = false;
};

/// What the user may set of an element at any time and a snapshot does not hold.
struct ElementNotes {
    std::string name;
    int priority = 0;
    std::optional<Accuracy> accuracy;
};

struct LoadBuild {
    int body = -1;
    Load::Kind kind = Load::Kind::Force;
    Load::Axes axes = Load::Axes::World;
    Triple point{};

    bool operator==(const LoadBuild&) const = default;
};

/// Numbers that the user sets of the world and the Plugin, and Bullet's global ones.
struct WorldNumbers {
    Triple gravity{};
    btContactSolverInfoData solver{};
    bool useContinuous = true;
    bool enableSatConvex = false;
    bool useEpa = true;
    bool useConservativeDistance = false;
    bool deterministicPairs = false;
    btScalar allowedPenetration = 0;
    btScalar conservativeDistance = 0;
    int dispatcherFlags = 0;
    bool updatesAllBoxes = true;
    bool speculativeRestitution = false;
    bool latencyInterpolation = true;
    bool splitsIslands = true;
    btScalar prediction = 0;  ///< of the broadphase, and what follows
    int fixedUpdates = 0;
    int dynamicUpdates = 0;
    int cleanUps = 0;
    bool defersCollisions = false;
    btScalar deactivationTime = 0;
    bool disablesDeactivation = false;
    btScalar breakingThreshold = 0;

    FlowSettings flow;
    double budgetCost = 0;
    double budgetFreeShare = 0;
    int auditEvery = 0;
    double auditShare = 0;
    double restSpeed = 0;
    double restAngularSpeed = 0;
    double restAcceleration = 0;
    double restAngularAcceleration = 0;
    bool keepsContacts = true;
    bool freeFlight = false;
    bool linearIslands = true;
    bool throwsRefusals = true;
};

/// All of it.
struct BuildRecord {
    std::int8_t solver = 0;  ///< in the list of classes (built_world.cpp)
    bool isMultiBodyWorld = false;
    std::array<int, 2> multipoint{};  ///< btConvexConvexAlgorithm's perturbations: how many, below how many points
    std::vector<ShapeRecord> shapes;
    std::vector<ObjectBuild> objects;
    std::vector<JointBuild> joints;
    std::vector<ElementBuild> elements;
    std::vector<MultiBodyBuild> multiBodies;
    std::vector<MultiBodyJointBuild> multiBodyJoints;
    std::vector<LoadBuild> loads;
    std::vector<JointLoadBuild> jointLoads;
    std::vector<std::array<double, 2>> heatPorts;  ///< conductance [W/K], ambient temperature [K]
};

/// @throws InvalidParameter naming what a recording cannot build again
BuildRecord describe(WorldTick& tick, const SnapshotWorld& world);
WorldNumbers numbersOf(WorldTick& tick, const SnapshotWorld& world);
/// Of elements on rigid bodies first, then of those on multibodies.
std::vector<ElementNotes> notesOf(const SnapshotWorld& world);

template <class Stream>
void fields(Stream& s, ObjectBuild& o) {
    s(o.shape, o.withoutCollision, o.hasAdditionalDamping, o.additionalDamping);
}
template <class Stream>
void fields(Stream& s, JointBuild& j) {
    s(j.kind, j.bodyA, j.bodyB);
}
template <class Stream>
void fields(Stream& s, PlacementRecord& p) {
    s(p.geometry, p.bodyA, p.bodyB, p.pointA, p.pointB, p.frameA, p.frameB, p.axis, p.isGearPair, p.carrier, p.ratio,
      p.gear, p.turns, p.spans);
}
template <class Stream>
void fields(Stream& s, ElementBuild& e) {
    s(e.placement, e.law, e.heatPort, e.hasShare, e.hasShareBreak);
}
template <class Stream>
void fields(Stream& s, ElementNotes& n) {
    s(n.name, n.priority, n.accuracy);
}
template <class Stream>
void fields(Stream& s, LoadBuild& l) {
    s(l.body, l.kind, l.axes, l.point);
}
template <class Stream>
void fields(Stream& s, btContactSolverInfoData& i) {
    s(i.m_tau, i.m_damping, i.m_friction, i.m_restitution, i.m_numIterations, i.m_maxErrorReduction, i.m_sor, i.m_erp,
      i.m_erp2, i.m_deformable_erp, i.m_deformable_cfm, i.m_deformable_maxErrorReduction, i.m_globalCfm,
      i.m_frictionERP, i.m_frictionCFM, i.m_splitImpulse, i.m_splitImpulsePenetrationThreshold, i.m_splitImpulseTurnErp,
      i.m_linearSlop, i.m_warmstartingFactor, i.m_articulatedWarmstartingFactor, i.m_solverMode,
      i.m_restingContactRestitutionThreshold, i.m_minimumSolverBatchSize, i.m_maxGyroscopicForce,
      i.m_singleAxisRollingFrictionThreshold, i.m_leastSquaresResidualThreshold, i.m_restitutionVelocityThreshold,
      i.m_jointFeedbackInWorldSpace, i.m_jointFeedbackInJointFrame, i.m_reportSolverAnalytics,
      i.m_numNonContactInnerIterations);
}
template <class Stream>
void fields(Stream& s, WorldNumbers& n) {
    s(n.gravity, n.solver, n.useContinuous, n.enableSatConvex, n.useEpa, n.useConservativeDistance,
      n.deterministicPairs, n.allowedPenetration, n.conservativeDistance, n.dispatcherFlags, n.updatesAllBoxes,
      n.speculativeRestitution, n.latencyInterpolation, n.splitsIslands, n.prediction, n.fixedUpdates, n.dynamicUpdates,
      n.cleanUps, n.defersCollisions, n.deactivationTime, n.disablesDeactivation, n.breakingThreshold);
    s(n.flow, n.budgetCost, n.budgetFreeShare, n.auditEvery, n.auditShare, n.restSpeed, n.restAngularSpeed,
      n.restAcceleration, n.restAngularAcceleration, n.keepsContacts, n.freeFlight, n.linearIslands, n.throwsRefusals);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
