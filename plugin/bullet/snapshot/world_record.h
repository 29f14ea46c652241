#pragma once
// What a WorldSnapshot holds: plain values, with indices in the place of pointers. A body's index is its place in the
// world, a joint's its place in the world's list, a manifold's its place in the dispatcher's list.
//
// The order of pairs and manifolds is state as much as their contents: Bullet solves in that order.

#include <elasto/element_state.h>
#include <elasto/heat_port.h>
#include <elasto/law.h>
#include <elasto/multibody_element.h>
#include <elasto/placement.h>
#include <elasto/plugin.h>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <array>
#include <cstdint>
#include <optional>
#include <typeindex>
#include <vector>

#include "contacts/contact_cache.h"
#include "multibody/multibody_table.h"
#include "network/body_table.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

using Triple = std::array<btScalar, 3>;
using Frame = std::array<btScalar, 12>;  ///< basis row by row, origin

/// A collision object.
struct ObjectRecord {
    // Compared only: a world that differs here is another world.
    int type = 0;             ///< btCollisionObject::CollisionObjectTypes
    std::uint64_t shape = 0;  ///< fingerprint
    btScalar inverseMass = 0;
    Triple inverseInertia{};

    // Motion.
    Frame pose{};
    Frame interpolation{};
    Triple interpolationVelocity{};
    Triple interpolationAngularVelocity{};
    int activation = 0;
    btScalar asleep = 0;
    btScalar hitFraction = 0;
    int revision = 0;

    // Values that the user sets.
    Triple anisotropicFriction{};
    int anisotropicFrictionMode = 0;
    btScalar contactProcessingThreshold = 0;
    int collisionFlags = 0;
    btScalar friction = 0;
    btScalar restitution = 0;
    btScalar rollingFriction = 0;
    btScalar spinningFriction = 0;
    btScalar contactDamping = 0;
    btScalar contactStiffness = 0;
    btScalar sweptRadius = 0;
    btScalar motionThreshold = 0;
    int filterGroup = 0;
    int filterMask = 0;

    int rigid = -1;  ///< its RigidBodyRecord

    int multiBody = -1;  ///< compared only: of a link's collider, the multibody's place in the world's list
    int link = -1;       ///< compared only: -1: the base
};

/// What a btRigidBody has besides.
struct RigidBodyRecord {
    Triple velocity{};
    Triple angularVelocity{};
    std::array<btScalar, 9> inverseInertiaInWorld{};
    Triple force{};
    Triple torque{};
    Triple deltaVelocity{};
    Triple deltaAngularVelocity{};
    Triple pushVelocity{};
    Triple turnVelocity{};

    Triple gravity{};
    Triple linearFactor{};
    Triple angularFactor{};
    Triple inverseMassByAxis{};
    btScalar linearDamping = 0;
    btScalar angularDamping = 0;
    btScalar linearSleepingThreshold = 0;
    btScalar angularSleepingThreshold = 0;
    int flags = 0;
};

/// A point of contact.
struct PointRecord {
    Triple localA{};
    Triple localB{};
    Triple onA{};
    Triple onB{};
    Triple normalOnB{};
    Triple frictionDirection1{};
    Triple frictionDirection2{};
    btScalar distance = 0;
    btScalar friction = 0;
    btScalar rollingFriction = 0;
    btScalar spinningFriction = 0;
    btScalar restitution = 0;
    btScalar appliedImpulse = 0;
    btScalar lastRightSide = 0;
    btScalar frictionImpulse1 = 0;
    btScalar frictionImpulse2 = 0;
    btScalar motion1 = 0;
    btScalar motion2 = 0;
    btScalar cfmOrStiffness = 0;
    btScalar erpOrDamping = 0;
    btScalar frictionCfm = 0;
    int partA = 0;
    int partB = 0;
    int indexA = 0;
    int indexB = 0;
    int flags = 0;
    int lifeTime = 0;
};

struct ManifoldRecord {
    int bodyA = 0;
    int bodyB = 0;
    btScalar breakingThreshold = 0;
    btScalar processingThreshold = 0;
    int firstPoint = 0;
    int points = 0;
};

/// The classes of Bullet's collision algorithms whose state is known.
enum class AlgorithmKind : std::uint8_t {
    Empty,
    SphereSphere,
    SphereTriangle,
    BoxBox,
    ConvexPlane,
    ConvexConvex,
    ConvexConcave,
    Compound,
    CompoundCompound
};

/// An algorithm of a pair, followed by those of its children (of compound shapes), depth first.
struct AlgorithmRecord {
    AlgorithmKind kind = AlgorithmKind::Empty;
    int manifold = -1;  ///< -1: none
    int childA = -1;    ///< of the compound that it belongs to: the child's place; -1: the algorithm of a pair
    int childB = -1;    ///< where both shapes are compounds: the place of the other's child
    int children = 0;   ///< algorithms of its own children
};

/// A pair of the broadphase.
struct PairRecord {
    int bodyA = 0;
    int bodyB = 0;
    int algorithm = -1;  ///< its AlgorithmRecord; -1: none
};

/// btDbvtBroadphase.
struct TreeRecord {
    struct Node {
        btDbvtVolume volume;
        int body = -1;  ///< of a leaf
    };
    std::vector<Node> nodes;  ///< depth first, first child first
    unsigned optimizedPath = 0;
};
struct ProxyRecord {
    Triple lower{};
    Triple upper{};
    int stage = 0;
    int id = 0;  ///< only the order of the ids counts
};
struct BroadphaseRecord {
    std::array<TreeRecord, 2> trees;
    std::vector<ProxyRecord> proxies;
    std::array<std::vector<int>, 3> stages;  ///< bodies in the order of the lists
    int stage = 0;
    int newPairs = 0;
    int fixedLeft = 0;
    unsigned updateCalls = 0;
    unsigned updatesDone = 0;
    btScalar updateRatio = 0;
    int runs = 0;
    int cleanUpAt = 0;
    bool needsCleanUp = false;
};

/// One of Bullet's joints, or an element (whose state is in its ElementRecord).
struct JointRecord {
    std::type_index type = typeid(void);
    int bodyA = -1;  ///< -1: the world
    int bodyB = -1;
    bool isEnabled = true;
    int iterations = -1;
    btScalar breakingImpulse = 0;
    btScalar appliedImpulse = 0;
    std::size_t firstValue = 0;  ///< in WorldRecord::jointValues
    std::size_t values = 0;      ///< [bytes]
    std::optional<std::array<Triple, 4>> feedback;
};

/// A btMultiBody.
struct MultiBodyRecord {
    std::uint64_t fingerprint = 0;  ///< compared only: links, joints, masses
    int links = 0;                  ///< compared only

    std::vector<btScalar> values;  ///< motion, then what Bullet derives from it, and settings
    std::size_t motion = 0;        ///< how many are the motion's

    struct Feedback {
        int link = 0;
        Triple top{};
        Triple bottom{};
    };
    std::vector<Feedback> feedback;  ///< of links that have one
};

/// A constraint on multibodies, or an element (whose state is in its MultiBodyElementRecord).
struct MultiBodyJointRecord {
    // Compared only.
    std::type_index type = typeid(void);
    int bodyA = -1;  ///< multibody; -1: none
    int bodyB = -1;
    int linkA = -1;
    int linkB = -1;
    int rigidA = -1;  ///< rigid body; -1: none
    int rigidB = -1;
    std::size_t placing = 0;  ///< of an element: which of MultiBodyElement::Placing

    int element = -1;  ///< its MultiBodyElementRecord
    int dofsFinalized = -1;
    btScalar maxImpulse = 0;
    std::vector<btScalar> data;         ///< impulses, Jacobians, positions
    std::vector<unsigned char> values;  ///< of the class
};

struct MultiBodyElementRecord {
    Law law;
    double T = 0;
    MultiBodyElementState state;
    std::optional<HeatPort> heatPort;
};

struct ElementRecord {
    Placement placement;  ///< compared only; its bodies may be gone
    Law law;
    double s_small = 0;
    double T = 0;
    ElementState state;
    std::optional<HeatPort> heatPort;
};

/// The plugin's own memory between ticks.
struct OwnRecord {
    std::vector<ElementRecord> elements;
    std::vector<MultiBodyElementRecord> multiBodyElements;
    double time = 0;
    EnergyBook energy;
    TickStatistics statistics;
    TickStatistics totals;
    std::vector<BodyTable::Kept> tiedBodies;
    std::vector<MultiBodyTable::Kept> multiBodies;
    std::vector<ContactCache::Kept> contacts;
};

/// A whole world.
struct WorldRecord {
    std::vector<ObjectRecord> objects;
    std::vector<RigidBodyRecord> rigidBodies;
    std::vector<int> movingOrder;  ///< bodies in the world's list of those that are not static

    std::vector<JointRecord> joints;
    std::vector<unsigned char> jointValues;

    std::vector<MultiBodyRecord> multiBodies;
    std::vector<MultiBodyJointRecord> multiBodyJoints;

    std::vector<PairRecord> pairs;
    std::vector<AlgorithmRecord> algorithms;
    std::vector<ManifoldRecord> manifolds;
    std::vector<PointRecord> points;
    std::vector<int> predictiveManifolds;  ///< in the world's order
    std::uint64_t dispatcher = 0;          ///< which algorithms it makes

    BroadphaseRecord broadphase;

    unsigned long solverSeed = 0;
    btScalar localTime = 0;
    btScalar fixedTimeStep = 0;

    OwnRecord own;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
