// A snapshot's pairs of the broadphase, in their order, and the dispatcher's manifolds, in theirs.

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <utility>

#include "snapshot/snapshot_parts.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

int bodyOf(const btBroadphaseProxy& proxy) {
    return static_cast<const btCollisionObject*>(proxy.m_clientObject)->getWorldArrayIndex();
}

// Going back is no contact event: the user's callbacks stay silent. (The one that frees a point's user data does not.)
class SilentContacts {
public:
    SilentContacts()
        : m_added(gContactAddedCallback),
          m_processed(gContactProcessedCallback),
          m_started(gContactStartedCallback),
          m_ended(gContactEndedCallback) {
        gContactAddedCallback = nullptr;
        gContactProcessedCallback = nullptr;
        gContactStartedCallback = nullptr;
        gContactEndedCallback = nullptr;
    }
    ~SilentContacts() {
        gContactAddedCallback = m_added;
        gContactProcessedCallback = m_processed;
        gContactStartedCallback = m_started;
        gContactEndedCallback = m_ended;
    }
    SilentContacts(const SilentContacts&) = delete;
    SilentContacts& operator=(const SilentContacts&) = delete;

private:
    ContactAddedCallback m_added;
    ContactProcessedCallback m_processed;
    ContactStartedCallback m_started;
    ContactEndedCallback m_ended;
};

struct AcceptAll : btOverlapFilterCallback {
    bool needBroadphaseCollision(btBroadphaseProxy* /*a*/, btBroadphaseProxy* /*b*/) const override { return true; }
};

void fill(btAlignedObjectArray<int>& array, int value) {
    for (int i = 0; i < array.size(); ++i) {
        array[i] = value;
    }
}

}  // namespace

void savePairs(const SnapshotWorld& from, WorldRecord& record) {
    btBroadphasePairArray& pairs = from.pairs.getOverlappingPairArray();
    record.pairs.reserve(static_cast<std::size_t>(pairs.size()));
    for (int i = 0; i < pairs.size(); ++i) {
        PairRecord& saved = record.pairs.emplace_back();
        saved.bodyA = bodyOf(*pairs[i].m_pProxy0);
        saved.bodyB = bodyOf(*pairs[i].m_pProxy1);
        if (pairs[i].m_algorithm != nullptr) {
            saved.algorithm = static_cast<int>(record.algorithms.size());
            saveAlgorithm(from, *pairs[i].m_algorithm, saved, record.algorithms);
        }
    }
    btAlignedObjectArray<btPersistentManifold*>& predictive = DynamicsWorldInternals::predictive(from.world);
    for (int i = 0; i < predictive.size(); ++i) {
        record.predictiveManifolds.push_back(predictive[i]->m_index1a);
    }
    const int manifolds = from.dispatcher.getNumManifolds();
    std::vector<char> isKnown(static_cast<std::size_t>(manifolds), 0);
    for (const AlgorithmRecord& algorithm : record.algorithms) {
        if (algorithm.manifold >= 0) {
            isKnown[static_cast<std::size_t>(algorithm.manifold)] = 1;
        }
    }
    for (const int manifold : record.predictiveManifolds) {
        isKnown[static_cast<std::size_t>(manifold)] = 1;
    }
    record.manifolds.reserve(isKnown.size());
    for (int i = 0; i < manifolds; ++i) {
        if (isKnown[static_cast<std::size_t>(i)] == 0) {
            from.refuse(
                "the dispatcher has contact manifolds that belong to no pair of the broadphase (made by the "
                "user, or by a ghost object), which a snapshot does not hold; release them before");
        }
        record.manifolds.push_back(recordOf(from, *from.dispatcher.getManifoldByIndexInternal(i), record.points));
    }
    record.dispatcher = dispatcherFingerprint(from);
}

void checkPairs(const SnapshotWorld& to, const WorldRecord& record) {
    if (dispatcherFingerprint(to) != record.dispatcher) {
        to.refuse(
            "the world's dispatcher makes other collision algorithms than in the snapshot (see "
            "btCollisionDispatcher::registerCollisionCreateFunc)");
    }
    btBroadphasePairArray& pairs = to.pairs.getOverlappingPairArray();
    int known = DynamicsWorldInternals::predictive(to.world).size();
    for (int i = 0; i < pairs.size(); ++i) {
        known += pairs[i].m_algorithm != nullptr ? countManifolds(*pairs[i].m_algorithm) : 0;
    }
    if (known != to.dispatcher.getNumManifolds()) {
        to.refuse(
            "the dispatcher has contact manifolds that belong to no pair of the broadphase (made by the user, or "
            "by a ghost object); release them before");
    }
}

PairsToRestore::PairsToRestore(const SnapshotWorld& to, const WorldRecord& record)
    : m_to(to),
      m_record(record),
      m_algorithms(record.pairs.size(), nullptr),
      m_isMade(record.pairs.size(), 0),
      m_manifolds(record.manifolds.size(), nullptr) {
    const SilentContacts silent;
    for (std::size_t i = 0; i < record.pairs.size(); ++i) {
        const PairRecord& pair = record.pairs[i];
        if (pair.algorithm < 0) {
            continue;
        }
        const auto first = static_cast<std::size_t>(pair.algorithm);
        if (const btBroadphasePair* present = presentPair(pair)) {
            if (present->m_algorithm != nullptr && collectIfEqual(record, *present->m_algorithm, first, m_manifolds)) {
                m_algorithms[i] = present->m_algorithm;
                continue;
            }
        }
        m_algorithms[i] = makeAlgorithm(to, record, pair);
        m_isMade[i] = 1;
        if (m_algorithms[i] == nullptr || !collectIfEqual(record, *m_algorithms[i], first, m_manifolds)) {
            destroyMade();
            to.refuse(to.nameOf(pair.bodyA) + " and " + to.nameOf(pair.bodyB) +
                      " were in touch in the snapshot, and the world does not let them collide now; set their "
                      "collision filters and joints as they were");
        }
    }
    for (const int place : record.predictiveManifolds) {
        const ManifoldRecord& saved = record.manifolds[static_cast<std::size_t>(place)];
        m_predictive.push_back(to.dispatcher.getNewManifold(to.objects[saved.bodyA], to.objects[saved.bodyB]));
        m_manifolds[static_cast<std::size_t>(place)] = m_predictive.back();
    }
}

PairsToRestore::~PairsToRestore() {
    const SilentContacts silent;
    destroyMade();
}

// What is behind the present manifolds in the dispatcher's list goes, so that their order stays.
void PairsToRestore::destroyMade() {
    for (std::size_t i = 0; i < m_algorithms.size(); ++i) {
        if (m_isMade[i] != 0) {
            destroyAlgorithm(m_to, m_algorithms[i]);
        }
    }
    for (btPersistentManifold* manifold : m_predictive) {
        m_to.dispatcher.releaseManifold(manifold);
    }
    m_algorithms.clear();
    m_predictive.clear();
}

btBroadphasePair* PairsToRestore::presentPair(const PairRecord& pair) const {
    return m_to.pairs.findPair(m_to.objects[pair.bodyA]->getBroadphaseHandle(),
                               m_to.objects[pair.bodyB]->getBroadphaseHandle());
}

void PairsToRestore::putIn() {
    const SilentContacts silent;
    replacePairs();
    replacePredictive();
    arrangeManifolds();
    m_algorithms.clear();  // they are the world's now
    m_predictive.clear();
}

void PairsToRestore::replacePairs() {
    for (std::size_t i = 0; i < m_algorithms.size(); ++i) {
        if (m_algorithms[i] != nullptr && m_isMade[i] == 0) {
            presentPair(m_record.pairs[i])->m_algorithm = nullptr;  // goes over to the pair of the snapshot
        }
    }
    btBroadphasePairArray& pairs = m_to.pairs.getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
        destroyAlgorithm(m_to, pairs[i].m_algorithm);
    }
    pairs.resize(0);
    fill(PairCacheInternals::hashTable(m_to.pairs), BT_NULL_PAIR);
    fill(PairCacheInternals::next(m_to.pairs), BT_NULL_PAIR);

    // The filter has spoken when the pair was made; there are no ghosts that want to know.
    AcceptAll acceptAll;
    btOverlapFilterCallback* filter = m_to.pairs.getOverlapFilterCallback();
    btOverlappingPairCallback* ghosts = std::exchange(PairCacheInternals::ghostCallback(m_to.pairs), nullptr);
    m_to.pairs.setOverlapFilterCallback(&acceptAll);
    for (std::size_t i = 0; i < m_algorithms.size(); ++i) {
        const PairRecord& saved = m_record.pairs[i];
        btBroadphasePair* pair = m_to.pairs.addOverlappingPair(m_to.objects[saved.bodyA]->getBroadphaseHandle(),
                                                               m_to.objects[saved.bodyB]->getBroadphaseHandle());
        pair->m_algorithm = m_algorithms[i];
    }
    m_to.pairs.setOverlapFilterCallback(filter);
    PairCacheInternals::ghostCallback(m_to.pairs) = ghosts;
}

void PairsToRestore::replacePredictive() {
    btAlignedObjectArray<btPersistentManifold*>& predictive = DynamicsWorldInternals::predictive(m_to.world);
    for (int i = 0; i < predictive.size(); ++i) {
        m_to.dispatcher.releaseManifold(predictive[i]);
    }
    predictive.resize(0);
    for (btPersistentManifold* manifold : m_predictive) {
        predictive.push_back(manifold);
    }
}

void PairsToRestore::arrangeManifolds() {
    btPersistentManifold** places = m_to.dispatcher.getInternalManifoldPointer();
    for (std::size_t i = 0; i < m_manifolds.size(); ++i) {
        restoreManifold(m_to, m_record, m_record.manifolds[i], *m_manifolds[i]);
        places[i] = m_manifolds[i];
        places[i]->m_index1a = static_cast<int>(i);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
