// A snapshot's collision algorithms: which there are, down to the children of compound shapes, and which manifold
// belongs to which.
//
// Which children of a compound hold an algorithm is history, not a function of the poses: a child that came near once
// keeps its own while the boxes of both overlap, and its contact points with it. So exactly the saved children are
// made.

#include <BulletCollision/CollisionDispatch/btBoxBoxCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btConvexConcaveCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btConvexPlaneCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btEmptyCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btHashedSimplePairCache.h>
#include <BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btSphereTriangleCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>

#include <algorithm>
#include <typeinfo>

#include "host/class_of.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// The one private member that is needed. Naming it in an explicit instantiation is the way the language offers.
struct ChildPairs {
    using Pointer = btHashedSimplePairCache* btCompoundCompoundCollisionAlgorithm::*;
    friend Pointer memberOf(ChildPairs);
};
template <class Tag, typename Tag::Pointer member>
struct Expose {
    friend typename Tag::Pointer memberOf(Tag) { return member; }
};
template struct Expose<ChildPairs, &btCompoundCompoundCollisionAlgorithm::m_childCollisionAlgorithmCache>;

std::optional<AlgorithmKind> kindOf(const btCollisionAlgorithm& algorithm) {
    const std::type_info& type = classOf(algorithm);
    if (type == typeid(btBoxBoxCollisionAlgorithm)) return AlgorithmKind::BoxBox;
    if (type == typeid(btConvexConvexAlgorithm)) return AlgorithmKind::ConvexConvex;
    if (type == typeid(btConvexPlaneCollisionAlgorithm)) return AlgorithmKind::ConvexPlane;
    if (type == typeid(btConvexConcaveCollisionAlgorithm)) return AlgorithmKind::ConvexConcave;
    if (type == typeid(btSphereSphereCollisionAlgorithm)) return AlgorithmKind::SphereSphere;
    if (type == typeid(btCompoundCollisionAlgorithm)) return AlgorithmKind::Compound;
    if (type == typeid(btCompoundCompoundCollisionAlgorithm)) return AlgorithmKind::CompoundCompound;
    if (type == typeid(btSphereTriangleCollisionAlgorithm)) return AlgorithmKind::SphereTriangle;
    if (type == typeid(btEmptyAlgorithm)) return AlgorithmKind::Empty;
    return std::nullopt;
}

bool isCompound(AlgorithmKind kind) {
    return kind == AlgorithmKind::Compound || kind == AlgorithmKind::CompoundCompound;
}

struct Child {
    btCollisionAlgorithm* algorithm;
    int childA;
    int childB;  // -1: of a compound against another shape
};

// In an order that making them again repeats.
std::vector<Child> childrenOf(AlgorithmKind kind, btCollisionAlgorithm& algorithm) {
    std::vector<Child> children;
    const auto& ofCompound = CompoundInternals::children(static_cast<btCompoundCollisionAlgorithm&>(algorithm));
    for (int i = 0; i < ofCompound.size(); ++i) {
        if (ofCompound[i] != nullptr) {
            children.push_back({ofCompound[i], i, -1});
        }
    }
    if (kind == AlgorithmKind::CompoundCompound) {
        const btSimplePairArray& pairs =
            childPairs(static_cast<btCompoundCompoundCollisionAlgorithm&>(algorithm)).getOverlappingPairArray();
        for (int i = 0; i < pairs.size(); ++i) {
            auto* child = static_cast<btCollisionAlgorithm*>(pairs[i].m_userPointer);
            if (child != nullptr) {
                children.push_back({child, pairs[i].m_indexA, pairs[i].m_indexB});
            }
        }
    }
    return children;
}

// The manifold that an algorithm of two shapes owns, or null.
btPersistentManifold* manifoldOf(btCollisionAlgorithm& algorithm, btManifoldArray& scratch) {
    scratch.resize(0);
    algorithm.getAllContactManifolds(scratch);
    return scratch.size() == 1 ? scratch[0] : nullptr;
}

void save(const SnapshotWorld& from, btCollisionAlgorithm& algorithm, Child place, const PairRecord& bodies,
          btManifoldArray& scratch, std::vector<AlgorithmRecord>& records) {
    const std::optional<AlgorithmKind> kind = kindOf(algorithm);
    if (!kind) {
        from.refuse(from.nameOf(bodies.bodyA) + " and " + from.nameOf(bodies.bodyB) + " collide by an algorithm (" +
                    classOf(algorithm).name() +
                    ") whose state a snapshot does not know; run the world again from its start instead");
    }
    const std::size_t index = records.size();
    records.push_back({*kind, -1, place.childA, place.childB, 0});
    if (!isCompound(*kind)) {
        const btPersistentManifold* manifold = manifoldOf(algorithm, scratch);
        records[index].manifold = manifold != nullptr ? manifold->m_index1a : -1;
        return;
    }
    for (const Child& child : childrenOf(*kind, algorithm)) {
        save(from, *child.algorithm, child, bodies, scratch, records);
        records[index].children += 1;
    }
}

// A child of a compound shape as the dispatcher sees it.
struct ChildWrapper {
    ChildWrapper(const btCollisionObjectWrapper& parent, int child)
        : pose(parent.getWorldTransform() * compoundOf(parent).getChildTransform(child)),
          wrapper(&parent, compoundOf(parent).getChildShape(child), parent.getCollisionObject(), pose, -1, child) {}

    static const btCompoundShape& compoundOf(const btCollisionObjectWrapper& wrapper) {
        return static_cast<const btCompoundShape&>(*wrapper.getCollisionShape());
    }

    btTransform pose;
    btCollisionObjectWrapper wrapper;
};

// Makes an algorithm with exactly the saved children.
class Maker {
public:
    Maker(const SnapshotWorld& to, const WorldRecord& record, std::size_t first)
        : m_to(to), m_record(record), m_next(first) {}

    btCollisionAlgorithm* make(const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b) {
        btCollisionAlgorithm* algorithm = m_to.dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        const AlgorithmRecord& record = m_record.algorithms[m_next++];
        m_isPossible = m_isPossible && kindOf(*algorithm) == record.kind;
        if (!m_isPossible) {
            return algorithm;
        }
        if (isCompound(record.kind)) {
            makeChildren(record, static_cast<btCompoundCollisionAlgorithm&>(*algorithm), a, b);
        } else if (record.manifold >= 0 && manifoldOf(*algorithm, m_scratch) == nullptr) {
            btManifoldResult result(&a, &b);  // some make their manifold only when they work for the first time
            algorithm->processCollision(&a, &b, m_to.world.getDispatchInfo(), &result);
        }
        return algorithm;
    }

    bool isPossible() const { return m_isPossible; }

private:
    void makeChildren(const AlgorithmRecord& record, btCompoundCollisionAlgorithm& algorithm,
                      const btCollisionObjectWrapper& a, const btCollisionObjectWrapper& b) {
        btAlignedObjectArray<btCollisionAlgorithm*>& children = CompoundInternals::children(algorithm);
        for (int i = 0; i < children.size(); ++i) {
            destroyAlgorithm(m_to, children[i]);  // a compound without a tree of boxes has made all of them
            children[i] = nullptr;
        }
        const bool isSwapped = CompoundInternals::isSwapped(algorithm);
        const btCollisionObjectWrapper& compound = isSwapped ? b : a;
        const btCollisionObjectWrapper& other = isSwapped ? a : b;
        for (int i = 0; i < record.children && m_isPossible; ++i) {
            const AlgorithmRecord& child = m_record.algorithms[m_next];
            if (child.childB >= 0) {
                const ChildWrapper ofA(a, child.childA);
                const ChildWrapper ofB(b, child.childB);
                btCollisionAlgorithm* made = make(ofA.wrapper, ofB.wrapper);
                childPairs(static_cast<btCompoundCompoundCollisionAlgorithm&>(algorithm))
                    .addOverlappingPair(child.childA, child.childB)
                    ->m_userPointer = made;
            } else {
                const int place = child.childA;
                const ChildWrapper ofCompound(compound, place);
                children[place] = make(ofCompound.wrapper, other);
            }
        }
    }

    const SnapshotWorld& m_to;
    const WorldRecord& m_record;
    std::size_t m_next;  // record of the algorithm that is made next
    bool m_isPossible = true;
    btManifoldArray m_scratch;
};

// Two sleepers get no manifold, and need none until one of them is woken; but they may have had one.
class Awake {
public:
    explicit Awake(btCollisionObject& object) : m_state(ObjectInternals::activation(object)), m_was(m_state) {
        m_state = ACTIVE_TAG;
    }
    ~Awake() { m_state = m_was; }
    Awake(const Awake&) = delete;
    Awake& operator=(const Awake&) = delete;

private:
    int& m_state;
    int m_was;
};

bool collect(const WorldRecord& record, btCollisionAlgorithm& algorithm, std::size_t& next,
             std::vector<btPersistentManifold*>& manifolds, btManifoldArray& scratch) {
    const AlgorithmRecord& saved = record.algorithms[next++];
    if (kindOf(algorithm) != saved.kind) {
        return false;
    }
    if (!isCompound(saved.kind)) {
        btPersistentManifold* manifold = manifoldOf(algorithm, scratch);
        if ((manifold != nullptr) != (saved.manifold >= 0)) {
            return false;
        }
        if (manifold != nullptr) {
            manifolds[static_cast<std::size_t>(saved.manifold)] = manifold;
        }
        return true;
    }
    const std::vector<Child> children = childrenOf(saved.kind, algorithm);
    if (static_cast<int>(children.size()) != saved.children) {
        return false;
    }
    return std::all_of(children.begin(), children.end(), [&](const Child& child) {
        const AlgorithmRecord& savedChild = record.algorithms[next];
        return savedChild.childA == child.childA && savedChild.childB == child.childB &&
               collect(record, *child.algorithm, next, manifolds, scratch);
    });
}

void addTypes(const btCollisionShape& shape, std::vector<char>& types) {
    types[static_cast<std::size_t>(shape.getShapeType())] = 1;
    if (shape.isCompound()) {
        const auto& compound = static_cast<const btCompoundShape&>(shape);
        for (int i = 0; i < compound.getNumChildShapes(); ++i) {
            addTypes(*compound.getChildShape(i), types);
        }
    }
}

}  // namespace

btHashedSimplePairCache& childPairs(btCompoundCompoundCollisionAlgorithm& algorithm) {
    return *(algorithm.*memberOf(ChildPairs()));
}

void saveAlgorithm(const SnapshotWorld& from, btCollisionAlgorithm& algorithm, const PairRecord& bodies,
                   std::vector<AlgorithmRecord>& records) {
    btManifoldArray scratch;
    save(from, algorithm, {nullptr, -1, -1}, bodies, scratch, records);
}

bool collectIfEqual(const WorldRecord& record, btCollisionAlgorithm& algorithm, std::size_t first,
                    std::vector<btPersistentManifold*>& manifolds) {
    btManifoldArray scratch;
    return collect(record, algorithm, first, manifolds, scratch);
}

btCollisionAlgorithm* makeAlgorithm(const SnapshotWorld& to, const WorldRecord& record, const PairRecord& pair) {
    btCollisionObject& a = *to.objects[pair.bodyA];
    const btCollisionObject& b = *to.objects[pair.bodyB];
    const btCollisionObjectWrapper wrapperA(nullptr, a.getCollisionShape(), &a, a.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper wrapperB(nullptr, b.getCollisionShape(), &b, b.getWorldTransform(), -1, -1);
    const Awake awake(a);
    Maker maker(to, record, static_cast<std::size_t>(pair.algorithm));
    btCollisionAlgorithm* made = maker.make(wrapperA, wrapperB);
    if (!maker.isPossible()) {
        destroyAlgorithm(to, made);
        return nullptr;
    }
    return made;
}

void destroyAlgorithm(const SnapshotWorld& of, btCollisionAlgorithm* algorithm) {
    if (algorithm != nullptr) {
        algorithm->~btCollisionAlgorithm();
        of.dispatcher.freeCollisionAlgorithm(algorithm);
    }
}

int countManifolds(btCollisionAlgorithm& algorithm) {
    btManifoldArray scratch;
    const std::optional<AlgorithmKind> kind = kindOf(algorithm);
    if (!kind || !isCompound(*kind)) {
        algorithm.getAllContactManifolds(scratch);
        return scratch.size();
    }
    int count = 0;
    for (const Child& child : childrenOf(*kind, algorithm)) {
        count += countManifolds(*child.algorithm);
    }
    return count;
}

std::uint64_t dispatcherFingerprint(const SnapshotWorld& world) {
    std::vector<char> types(MAX_BROADPHASE_COLLISION_TYPES, 0);
    for (int i = 0; i < world.objects.size(); ++i) {
        addTypes(*world.objects[i]->getCollisionShape(), types);
    }
    Fingerprint fingerprint;
    for (int a = 0; a < MAX_BROADPHASE_COLLISION_TYPES; ++a) {
        for (int b = 0; types[static_cast<std::size_t>(a)] != 0 && b < MAX_BROADPHASE_COLLISION_TYPES; ++b) {
            if (types[static_cast<std::size_t>(b)] != 0) {
                const btCollisionAlgorithmCreateFunc& creator = DispatcherInternals::creator(world.dispatcher, a, b);
                // The name and not its address: snapshots in recordings go to other processes.
                for (const char* name = classOf(creator).name(); *name != 0; ++name) {
                    fingerprint.add(static_cast<int>(*name));
                }
            }
        }
    }
    return fingerprint.value();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
