#pragma once
// The parts of a snapshot. Each has three functions: save reads the world and changes nothing, check throws
// InvalidParameter where a record does not fit the world and changes nothing, restore makes the world equal the record
// and does not throw.

#include <elasto/errors.h>

#include "snapshot/snapshot_internals.h"
#include "snapshot/world_record.h"

class btDbvtBroadphase;
class btMultiBody;
class btMultiBodyDynamicsWorld;
class btSequentialImpulseConstraintSolver;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class WorldTick;

/// A world whose classes a snapshot knows.
struct SnapshotWorld {
    /// @throws InvalidParameter for a broadphase, pair cache, dispatcher or Bullet that a snapshot does not know
    /// @param caller for messages: the function of Plugin
    SnapshotWorld(btDiscreteDynamicsWorld& world, const char* caller);

    btDiscreteDynamicsWorld& world;
    btCollisionObjectArray& objects;
    btCollisionDispatcher& dispatcher;
    btDbvtBroadphase& broadphase;
    btHashedOverlappingPairCache& pairs;
    btSequentialImpulseConstraintSolver& solver;
    btMultiBodyDynamicsWorld* multiBodies;  ///< the world, if it can have multibodies; else null
    const char* caller;

    int multiBodyCount() const;
    int multiBodyJointCount() const;
    /// In the world's list of multibodies; -1: it is not there, or null.
    int placeOf(const btMultiBody* body) const;

    [[noreturn]] void refuse(const std::string& problem) const { throw InvalidParameter(caller, problem); }
    /// A body for messages: its place.
    static std::string nameOf(int body) { return "body " + std::to_string(body); }
};

/// True for two heat ports of the same values, or for none and none.
bool isSamePort(const std::optional<HeatPort>& saved, const HeatPort* present);

void saveBodies(const SnapshotWorld& from, WorldRecord& record);
void checkBodies(const SnapshotWorld& to, const WorldRecord& record);
void restoreBodies(const SnapshotWorld& to, const WorldRecord& record);

void saveJoints(const SnapshotWorld& from, WorldRecord& record);
void checkJoints(const SnapshotWorld& to, const WorldRecord& record);
void restoreJoints(const SnapshotWorld& to, const WorldRecord& record);

void saveMultiBodies(const SnapshotWorld& from, WorldRecord& record);
void checkMultiBodies(const SnapshotWorld& to, const WorldRecord& record);
void restoreMultiBodies(const SnapshotWorld& to, const WorldRecord& record);

void saveMultiBodyJoints(const SnapshotWorld& from, WorldRecord& record);
void checkMultiBodyJoints(const SnapshotWorld& to, const WorldRecord& record);
void restoreMultiBodyJoints(const SnapshotWorld& to, const WorldRecord& record);

void saveBroadphase(const SnapshotWorld& from, WorldRecord& record);
void checkBroadphase(const SnapshotWorld& to, const WorldRecord& record);
void restoreBroadphase(const SnapshotWorld& to, const WorldRecord& record);

void saveOwn(const WorldTick& from, const SnapshotWorld& world, WorldRecord& record);
void checkOwn(const SnapshotWorld& to, const WorldRecord& record);
void restoreOwn(WorldTick& to, const SnapshotWorld& world, const WorldRecord& record);

/// Pairs, their algorithms and manifolds.
void savePairs(const SnapshotWorld& from, WorldRecord& record);
void checkPairs(const SnapshotWorld& to, const WorldRecord& record);

/// What the world lacks of the record's algorithms and manifolds, made beside it; gone again with this object unless
/// put in. Algorithms make their manifolds themselves, so nobody can know beforehand whether they will.
class PairsToRestore {
public:
    /// @throws InvalidParameter if an algorithm makes other manifolds than it did; nothing is changed then
    PairsToRestore(const SnapshotWorld& to, const WorldRecord& record);
    ~PairsToRestore();
    PairsToRestore(const PairsToRestore&) = delete;
    PairsToRestore& operator=(const PairsToRestore&) = delete;

    void putIn();

private:
    btBroadphasePair* presentPair(const PairRecord& pair) const;
    void destroyMade();
    void replacePairs();
    void replacePredictive();
    void arrangeManifolds();

    const SnapshotWorld& m_to;
    const WorldRecord& m_record;
    std::vector<btCollisionAlgorithm*> m_algorithms;  ///< by pair; null: none
    std::vector<char> m_isMade;                       ///< by pair: else it is the world's present one
    std::vector<btPersistentManifold*> m_manifolds;   ///< by place in the dispatcher
    std::vector<btPersistentManifold*> m_predictive;  ///< made
};

/// Contents of a manifold, without its place.
ManifoldRecord recordOf(const SnapshotWorld& from, const btPersistentManifold& manifold,
                        std::vector<PointRecord>& points);
void restoreManifold(const SnapshotWorld& to, const WorldRecord& record, const ManifoldRecord& from,
                     btPersistentManifold& manifold);

/// Adds the records of an algorithm and its children. @param bodies for messages
void saveAlgorithm(const SnapshotWorld& from, btCollisionAlgorithm& algorithm, const PairRecord& bodies,
                   std::vector<AlgorithmRecord>& records);
/// True if the algorithm has the same classes, children and number of manifolds as the record that begins at `first`.
/// Its manifolds are then entered by their records' places.
bool collectIfEqual(const WorldRecord& record, btCollisionAlgorithm& algorithm, std::size_t first,
                    std::vector<btPersistentManifold*>& manifolds);
/// Makes an algorithm that is equal in this sense if it can be. @return null if it cannot
btCollisionAlgorithm* makeAlgorithm(const SnapshotWorld& to, const WorldRecord& record, const PairRecord& pair);
void destroyAlgorithm(const SnapshotWorld& of, btCollisionAlgorithm* algorithm);
/// Manifolds of an algorithm and its children.
int countManifolds(btCollisionAlgorithm& algorithm);
/// Which algorithms the dispatcher makes for the shapes of this world.
std::uint64_t dispatcherFingerprint(const SnapshotWorld& world);

/// Type, size and children of a shape.
std::uint64_t shapeFingerprint(const btCollisionShape& shape);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
