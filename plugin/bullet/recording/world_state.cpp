#include "recording/world_state.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <numeric>

#include "snapshot/snapshot.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_version.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// What there is once.
template <class Stream>
void passWorld(Stream& s, WorldState& state) {
    WorldRecord& r = state.record;
    BuildRecord& b = state.build;
    s(b.solver, b.isMultiBodyWorld, b.multipoint, b.heatPorts, state.numbers);
    s(r.movingOrder, r.predictiveManifolds, r.dispatcher, r.broadphase, r.solverSeed);
    for (TreeRecord& tree : r.broadphase.trees) s(tree.optimizedPath);
    s(r.own.time, r.own.energy, r.own.totals.ticks);
}

// A body, and what it has if it is a rigid one.
template <class Stream>
void passObject(Stream& s, WorldState& state, std::size_t i) {
    ObjectRecord& object = state.record.objects[i];
    s(state.build.objects[i], object, state.record.broadphase.proxies[i]);
    bool isRigid = object.rigid >= 0;
    s(isRigid);
    if (!isRigid) return;
    if (object.rigid < 0) {
        object.rigid = static_cast<int>(state.record.rigidBodies.size());
        state.record.rigidBodies.emplace_back();
    }
    s(state.record.rigidBodies[static_cast<std::size_t>(object.rigid)]);
}

void readObject(ByteReader& s, WorldState& state) {
    state.build.objects.emplace_back();
    state.record.objects.emplace_back();
    state.record.broadphase.proxies.emplace_back();
    passObject(s, state, state.record.objects.size() - 1);
}

void writeJoint(ByteWriter& s, WorldState& state, std::size_t i) {
    JointRecord& joint = state.record.joints[i];
    s(state.build.joints[i], joint);
    const auto first = state.record.jointValues.begin() + static_cast<std::ptrdiff_t>(joint.firstValue);
    Bytes values(first, first + static_cast<std::ptrdiff_t>(joint.values));
    s(values);
}

void readJoint(ByteReader& s, WorldState& state) {
    JointRecord& joint = state.record.joints.emplace_back();
    Bytes values;
    s(state.build.joints.emplace_back(), joint, values);
    joint.firstValue = state.record.jointValues.size();
    joint.values = values.size();
    state.record.jointValues.insert(state.record.jointValues.end(), values.begin(), values.end());
}

template <class Stream>
void passElement(Stream& s, WorldState& state, std::size_t i) {
    ElementRecord& element = state.record.own.elements[i];
    s(state.build.elements[i], element.law, element.s_small, element.T, element.state, element.heatPort);
}

// Stands where a law will be read.
Law anyLaw() {
    return SpringDamperLaw({.c = 1, .d = 0}, "recording");
}

void readElement(ByteReader& s, WorldState& state) {
    state.build.elements.emplace_back();
    // Its own place and law follow: these only stand for them until then.
    const Placement anywhere = Placement::alongLine(Placement::world(), btVector3(0, 0, 0), btVector3(0, 0, 0));
    state.record.own.elements.push_back({anywhere, anyLaw(), 0, 0, {}, {}});
    passElement(s, state, state.record.own.elements.size() - 1);
}

void writeMultiBodyElement(ByteWriter& s, WorldState& state, std::size_t i) {
    s(state.record.own.multiBodyElements[i]);
}

void readMultiBodyElement(ByteReader& s, WorldState& state) {
    s(state.record.own.multiBodyElements.emplace_back(MultiBodyElementRecord{anyLaw(), 0, {}, {}}));
}

// Those of children follow, depth first, up to those of the next pair that has one.
std::vector<AlgorithmRecord> algorithmsOf(const WorldRecord& record, std::size_t pair) {
    if (record.pairs[pair].algorithm < 0) return {};
    const auto from = record.pairs.begin() + static_cast<std::ptrdiff_t>(pair);
    const auto next = std::find_if(from + 1, record.pairs.end(), [](const PairRecord& p) { return p.algorithm >= 0; });
    const auto all = record.algorithms.begin();
    return {all + from->algorithm, next == record.pairs.end() ? record.algorithms.end() : all + next->algorithm};
}

void writePair(ByteWriter& s, WorldState& state, std::size_t i) {
    std::vector<AlgorithmRecord> algorithms = algorithmsOf(state.record, i);
    s(state.record.pairs[i], algorithms);
}

void readPair(ByteReader& s, WorldState& state) {
    PairRecord& pair = state.record.pairs.emplace_back();
    std::vector<AlgorithmRecord> algorithms;
    s(pair, algorithms);
    pair.algorithm = algorithms.empty() ? -1 : static_cast<int>(state.record.algorithms.size());
    state.record.algorithms.insert(state.record.algorithms.end(), algorithms.begin(), algorithms.end());
}

void writeManifold(ByteWriter& s, WorldState& state, std::size_t i) {
    ManifoldRecord& manifold = state.record.manifolds[i];
    const auto first = state.record.points.begin() + manifold.firstPoint;
    std::vector<PointRecord> points(first, first + manifold.points);
    s(manifold, points);
}

void readManifold(ByteReader& s, WorldState& state) {
    ManifoldRecord& manifold = state.record.manifolds.emplace_back();
    std::vector<PointRecord> points;
    s(manifold, points);
    manifold.firstPoint = static_cast<int>(state.record.points.size());
    manifold.points = static_cast<int>(points.size());
    state.record.points.insert(state.record.points.end(), points.begin(), points.end());
}

/// Things of one kind, each a chunk.
struct Section {
    std::size_t (*count)(WorldState& state);
    void (*write)(ByteWriter& s, WorldState& state, std::size_t i);
    void (*read)(ByteReader& s, WorldState& state);  ///< one more
};

/// Of records that are written as they are. @param first, more: their lists in a state, which go side by side
template <auto first, auto... more>
constexpr Section listed() {
    return {[](WorldState& state) { return first(state).size(); },
            [](ByteWriter& s, WorldState& state, std::size_t i) { s(first(state)[i], more(state)[i]...); },
            [](ByteReader& s, WorldState& state) { s(first(state).emplace_back(), more(state).emplace_back()...); }};
}
/// Of those that take more. @param of list that tells how many there are
template <auto of, auto write, auto read>
constexpr Section custom() {
    return {[](WorldState& state) { return of(state).size(); }, write, read};
}

// In the order of the file: new ones go to the end.
using S = WorldState;
constexpr Section kSections[] = {listed < [](S & s) -> auto& {return s.build.shapes;
}  // namespace
> (), custom < [](S& s) -> auto& {
    return s.record.objects;
}
, &passObject<ByteWriter>, &readObject > (), custom < [](S& s) -> auto& {
    return s.record.joints;
}
, &writeJoint, &readJoint > (), custom < [](S& s) -> auto& {
    return s.record.own.elements;
}
, &passElement<ByteWriter>, &readElement > (), listed < [](S& s) -> auto& {
    return s.build.loads;
}
> (), custom < [](S& s) -> auto& {
    return s.record.pairs;
}
, &writePair, &readPair > (), custom < [](S& s) -> auto& {
    return s.record.manifolds;
}
, &writeManifold, &readManifold > (), listed < [](S& s) -> auto& {
    return s.record.broadphase.trees[0].nodes;
}
> (), listed < [](S& s) -> auto& {
    return s.record.broadphase.trees[1].nodes;
}
> (), listed < [](S& s) -> auto& {
    return s.record.own.tiedBodies;
}
> (), listed < [](S& s) -> auto& {
    return s.record.own.contacts;
}
> (), listed < [](S& s) -> auto& {
    return s.build.multiBodies;
}
, [](S& s) -> auto& {
    return s.record.multiBodies;
}
> (), listed < [](S& s) -> auto& {
    return s.build.multiBodyJoints;
}
, [](S& s) -> auto& {
    return s.record.multiBodyJoints;
}
> (), custom < [](S& s) -> auto& {
    return s.record.own.multiBodyElements;
}
, &writeMultiBodyElement, &readMultiBodyElement > (), listed < [](S& s) -> auto& {
    return s.record.own.multiBodies;
}
> (), listed < [](S& s) -> auto& {
    return s.build.jointLoads;
}
> (), listed < [](S& s) -> auto& {
    return s.notes;
}
> (),
};  // namespace ELASTO_BULLET_NAMESPACE

// How many things of each section there are, the first chunk.
using Directory = std::array<std::uint32_t, std::size(kSections)>;

// Those that others move.
bool isMovedByOthers(const ObjectRecord& object) {
    constexpr int kEither = btCollisionObject::CF_STATIC_OBJECT | btCollisionObject::CF_KINEMATIC_OBJECT;
    return (object.collisionFlags & kEither) != 0;
}

// As btRigidBody::updateDeactivation, wantsSleeping and btDiscreteDynamicsWorld::updateActivationState have it.
void getTired(const WorldNumbers& numbers, btScalar h, ObjectRecord& object, RigidBodyRecord& body) {
    const auto set = [&](int activation) {
        if (object.activation != DISABLE_DEACTIVATION && object.activation != DISABLE_SIMULATION) {
            object.activation = activation;
        }
    };
    const auto length2 = [](const Triple& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
    if (object.activation != ISLAND_SLEEPING && object.activation != DISABLE_DEACTIVATION) {
        if (length2(body.velocity) < body.linearSleepingThreshold * body.linearSleepingThreshold &&
            length2(body.angularVelocity) < body.angularSleepingThreshold * body.angularSleepingThreshold) {
            object.asleep += h;
        } else {
            object.asleep = 0;
            set(0);
        }
    }
    const bool canSleep = object.activation != DISABLE_DEACTIVATION && !numbers.disablesDeactivation &&
                          numbers.deactivationTime != btScalar(0);
    const bool wantsSleep =
        canSleep && (object.activation == ISLAND_SLEEPING || object.activation == WANTS_DEACTIVATION ||
                     object.asleep > numbers.deactivationTime);
    if (!wantsSleep) {
        if (object.activation != DISABLE_DEACTIVATION) set(ACTIVE_TAG);
        return;
    }
    if (isMovedByOthers(object)) {
        set(ISLAND_SLEEPING);
        return;
    }
    if (object.activation == ACTIVE_TAG) set(WANTS_DEACTIVATION);
    if (object.activation == ISLAND_SLEEPING) {
        body.velocity = {};
        body.angularVelocity = {};
    }
}

// The force that Bullet's gravity is on a body that nothing else acts on.
void feelGravityOnly(const ObjectRecord& object, RigidBodyRecord& body) {
    body.force = {};
    body.torque = {};
    const bool isActive = object.activation != FIXED_BASE_MULTI_BODY && object.activation != ISLAND_SLEEPING &&
                          object.activation != DISABLE_SIMULATION;
    if (!isActive || isMovedByOthers(object) || object.inverseMass == 0) return;
    for (std::size_t i = 0; i < 3; ++i) {
        body.force[i] += body.gravity[i] * (btScalar(1) / object.inverseMass) * body.linearFactor[i];
    }
}

}  // namespace elasto

WorldState stateOf(WorldTick& tick, const char* caller) {
    requireKnownBullet(btGetVersion(), caller);
    WorldState state;
    const SnapshotWorld world(*tick.world(), caller);
    fillRecord(tick, world, state.record);
    state.record.localTime = 0;  // how far time has gone beyond the ticks: for drawing only
    state.record.fixedTimeStep = 0;
    state.build = describe(tick, world);
    state.numbers = numbersOf(tick, world);
    state.notes = notesOf(world);
    return state;
}

void goOnToNextTick(WorldState& state, btScalar h) {
    for (ObjectRecord& object : state.record.objects) {
        if (object.rigid < 0) continue;
        RigidBodyRecord& body = state.record.rigidBodies[static_cast<std::size_t>(object.rigid)];
        if ((object.collisionFlags & btCollisionObject::CF_STATIC_OBJECT) == 0) {
            getTired(state.numbers, h, object, body);
        }
        feelGravityOnly(object, body);
    }
}

ChunkList chunksOf(WorldState& state) {
    ChunkList chunks;
    Directory directory{};
    std::transform(std::begin(kSections), std::end(kSections), directory.begin(),
                   [&](const Section& section) { return static_cast<std::uint32_t>(section.count(state)); });
    chunks.addWritten([&](ByteWriter& s) { s(directory); });
    chunks.addWritten([&](ByteWriter& s) { passWorld(s, state); });
    for (std::size_t k = 0; k < directory.size(); ++k) {
        for (std::size_t i = 0; i < directory[k]; ++i) {
            chunks.addWritten([&](ByteWriter& s) { kSections[k].write(s, state, i); });
        }
    }
    return chunks;
}

namespace {

// What is read may come from a file that somebody has changed: a place that is none would be looked up.
class PlaceCheck {
public:
    explicit PlaceCheck(const WorldRecord& record) : m_record(record) {}

    void run() const {
        const auto objects = static_cast<int>(m_record.objects.size());
        const auto manifolds = static_cast<int>(m_record.manifolds.size());
        for (const int place : m_record.movingOrder) {
            require(isIn(place, objects) && m_record.objects[static_cast<std::size_t>(place)].rigid >= 0);
        }
        for (const PairRecord& pair : m_record.pairs) require(isIn(pair.bodyA, objects) && isIn(pair.bodyB, objects));
        for (const AlgorithmRecord& a : m_record.algorithms) {
            require(a.manifold == -1 || isIn(a.manifold, manifolds));
            require(a.childA >= -1 && a.childB >= -1 && a.children >= 0);
        }
        for (const ManifoldRecord& m : m_record.manifolds) {
            require(isIn(m.bodyA, objects) && isIn(m.bodyB, objects) && m.points <= MANIFOLD_CACHE_SIZE);
        }
        for (const int place : m_record.predictiveManifolds) require(isIn(place, manifolds));
        for (const auto& stage : m_record.broadphase.stages) {
            for (const int place : stage) require(isIn(place, objects));
        }
        for (const TreeRecord& tree : m_record.broadphase.trees) checkTree(tree, objects);
        for (const auto& kept : m_record.own.contacts)
            require(isIn(kept.placeA, objects) && isIn(kept.placeB, objects));
        for (const auto& kept : m_record.own.tiedBodies)
            require(kept.place >= 0 && (kept.isGone || isIn(kept.place, objects)));
        const auto multiBodies = static_cast<int>(m_record.multiBodies.size());
        for (const auto& kept : m_record.own.multiBodies) require(kept.body >= -1 && kept.body < multiBodies);
        const auto elements = static_cast<int>(m_record.own.multiBodyElements.size());
        for (const auto& joint : m_record.multiBodyJoints) require(joint.element >= -1 && joint.element < elements);
        checkManifoldsOnce(manifolds);
    }

private:
    static bool isIn(int place, int count) { return place >= 0 && place < count; }
    static void require(bool isRight) {
        if (!isRight) throw InvalidParameter("recording", "a place in it is none: the file is damaged");
    }

    // Depth first: each inner node has two that follow.
    static void checkTree(const TreeRecord& tree, int objects) {
        std::vector<char> isLeaf(static_cast<std::size_t>(objects), 0);
        std::size_t wanted = tree.nodes.empty() ? 0 : 1;
        for (const TreeRecord::Node& node : tree.nodes) {
            require(wanted > 0);
            if (node.body < 0) {
                ++wanted;
                continue;
            }
            require(isIn(node.body, objects) && isLeaf[static_cast<std::size_t>(node.body)] == 0);
            isLeaf[static_cast<std::size_t>(node.body)] = 1;
            --wanted;
        }
        require(wanted == 0);
    }

    // Each manifold is of one algorithm, or predictive.
    void checkManifoldsOnce(int manifolds) const {
        std::vector<char> isKnown(static_cast<std::size_t>(manifolds), 0);
        const auto know = [&](int manifold) {
            require(isKnown[static_cast<std::size_t>(manifold)] == 0);
            isKnown[static_cast<std::size_t>(manifold)] = 1;
        };
        for (const AlgorithmRecord& a : m_record.algorithms) {
            if (a.manifold >= 0) know(a.manifold);
        }
        for (const int place : m_record.predictiveManifolds) know(place);
        require(std::find(isKnown.begin(), isKnown.end(), 0) == isKnown.end());
    }

    const WorldRecord& m_record;
};

}  // namespace

WorldState stateFrom(const ChunkList& chunks) {
    if (chunks.size() < 2) throw InvalidParameter("recording", "a state in it is empty: the file is damaged");
    WorldState state;
    Directory directory{};
    chunks.reader(0)(directory);
    ByteReader world = chunks.reader(1);
    passWorld(world, state);
    std::size_t next = 2;
    for (std::size_t k = 0; k < directory.size(); ++k) {
        for (std::size_t i = 0; i < directory[k]; ++i) {
            if (next >= chunks.size()) throw InvalidParameter("recording", "a state in it lacks a part: it is damaged");
            ByteReader chunk = chunks.reader(next++);
            kSections[k].read(chunk, state);
        }
    }
    if (next != chunks.size()) throw InvalidParameter("recording", "a state in it has too many parts: it is damaged");
    PlaceCheck(state.record).run();
    return state;
}

Bytes buildBytes(WorldState& state) {
    BuildRecord& build = state.build;
    Bytes bytes;
    ByteWriter s(bytes);
    s(build.solver, build.isMultiBodyWorld, build.multipoint, build.heatPorts, build.shapes, build.objects,
      build.joints, build.elements, build.multiBodies, build.multiBodyJoints, build.loads, build.jointLoads);
    // What a restore asks for, too.
    for (ObjectRecord& object : state.record.objects) {
        s(object.type, object.inverseMass, object.inverseInertia, object.multiBody, object.link);
    }
    for (MultiBodyJointRecord& joint : state.record.multiBodyJoints) {
        s(joint.bodyA, joint.bodyB, joint.linkA, joint.linkB, joint.rigidA, joint.rigidB);
    }
    std::vector<int> order = addingOrder(state.record.broadphase);
    s(state.record.movingOrder, order);
    return bytes;
}

std::vector<int> addingOrder(const BroadphaseRecord& broadphase) {
    std::vector<int> order(broadphase.proxies.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return broadphase.proxies[static_cast<std::size_t>(a)].id < broadphase.proxies[static_cast<std::size_t>(b)].id;
    });
    return order;
}

std::uint64_t hashOf(const WorldState& state) {
    return WorldSnapshot(std::shared_ptr<const WorldRecord>(std::shared_ptr<const WorldRecord>(), &state.record))
        .hash();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
