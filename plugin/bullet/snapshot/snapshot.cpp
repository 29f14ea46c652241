#include "snapshot/snapshot.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Vehicle/btRaycastVehicle.h>

#include <stdexcept>
#include <typeinfo>

#include "host/class_of.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"
#include "snapshot/snapshot_version.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr const char* kSave = "Plugin::saveWorld";
constexpr const char* kRestore = "Plugin::restoreWorld";

[[noreturn]] void refuseClass(const char* caller, const char* what, const char* name, const char* allowed) {
    throw InvalidParameter(caller, std::string("the world's ") + what + " is a " + name +
                                       ", whose state a snapshot does not know; it must be a " + allowed);
}

btDbvtBroadphase& broadphaseOf(btDiscreteDynamicsWorld& world, const char* caller) {
    btBroadphaseInterface& broadphase = *world.getBroadphase();
    if (classOf(broadphase) != typeid(btDbvtBroadphase)) {
        refuseClass(caller, "broadphase", classOf(broadphase).name(), "btDbvtBroadphase");
    }
    return static_cast<btDbvtBroadphase&>(broadphase);
}

btHashedOverlappingPairCache& pairsOf(btDiscreteDynamicsWorld& world, const char* caller) {
    btOverlappingPairCache& pairs = *world.getPairCache();
    if (classOf(pairs) != typeid(btHashedOverlappingPairCache)) {
        refuseClass(caller, "pair cache", classOf(pairs).name(), "btHashedOverlappingPairCache");
    }
    return static_cast<btHashedOverlappingPairCache&>(pairs);
}

btCollisionDispatcher& dispatcherOf(btDiscreteDynamicsWorld& world, const char* caller) {
    btDispatcher& dispatcher = *world.getDispatcher();
    if (auto* known = castTo<btCollisionDispatcher*>(&dispatcher)) {
        return *known;
    }
    refuseClass(caller, "dispatcher", classOf(dispatcher).name(), "btCollisionDispatcher");
}

// Actions of Bullet's own that have a memory. Those of the user are his, as callbacks are.
void requireKnownActions(const SnapshotWorld& from) {
    const btAlignedObjectArray<btActionInterface*>& actions = WorldInternals::actions(from.world);
    for (int i = 0; i < actions.size(); ++i) {
        const char* what = castTo<btRaycastVehicle*>(actions[i]) != nullptr ? "a vehicle (btRaycastVehicle)"
                           : castTo<btKinematicCharacterController*>(actions[i]) != nullptr
                               ? "a character (btKinematicCharacterController)"
                               : nullptr;
        if (what != nullptr) {
            from.refuse(std::string("the world has ") + what +
                        ", whose state a snapshot does not hold; run the world again from its start instead");
        }
    }
}

btDiscreteDynamicsWorld& worldOf(const WorldTick& tick, const char* caller) {
    if (tick.world() == nullptr) {
        throw std::logic_error(std::string(caller) + ": the world is gone");
    }
    if (!isOurs(*tick.world()->getConstraintSolver())) {
        throw std::logic_error(std::string(caller) +
                               ": the world's solver was replaced while the Plugin is installed; destroy the Plugin "
                               "first");
    }
    if (tick.isTicking()) {
        throw std::logic_error(std::string(caller) +
                               ": a tick is under way; call it between two calls of stepSimulation");
    }
    return *tick.world();
}

}  // namespace

SnapshotWorld::SnapshotWorld(btDiscreteDynamicsWorld& from, const char* function)
    : world(from),
      objects(from.getCollisionObjectArray()),
      dispatcher(dispatcherOf(from, function)),
      broadphase(broadphaseOf(from, function)),
      pairs(pairsOf(from, function)),
      solver(static_cast<btSequentialImpulseConstraintSolver&>(*from.getConstraintSolver())),
      multiBodies(castTo<btMultiBodyDynamicsWorld*>(&from)),
      caller(function) {
    requireKnownActions(*this);
}

int SnapshotWorld::multiBodyCount() const {
    return multiBodies != nullptr ? multiBodies->getNumMultibodies() : 0;
}

int SnapshotWorld::multiBodyJointCount() const {
    return multiBodies != nullptr ? multiBodies->getNumMultiBodyConstraints() : 0;
}

void requireBetweenTicks(const WorldTick& tick, const char* caller) {
    static_cast<void>(worldOf(tick, caller));
}

void fillRecord(const WorldTick& tick, const SnapshotWorld& from, WorldRecord& record) {
    saveBodies(from, record);
    saveJoints(from, record);
    saveMultiBodies(from, record);
    saveMultiBodyJoints(from, record);
    savePairs(from, record);
    saveBroadphase(from, record);
    saveOwn(tick, from, record);
    record.solverSeed = from.solver.getRandSeed();
    record.localTime = DynamicsWorldInternals::localTime(from.world);
    record.fixedTimeStep = DynamicsWorldInternals::fixedTimeStep(from.world);
}

WorldSnapshot saveWorld(const WorldTick& tick) {
    requireKnownBullet(btGetVersion(), kSave);
    auto record = std::make_shared<WorldRecord>();
    fillRecord(tick, SnapshotWorld(worldOf(tick, kSave), kSave), *record);
    return WorldSnapshot(std::move(record));
}

void restoreWorld(WorldTick& tick, const WorldSnapshot& snapshot) {
    const SnapshotWorld to(worldOf(tick, kRestore), kRestore);
    if (snapshot.isEmpty()) {
        to.refuse("the snapshot is empty; it must come from Plugin::saveWorld");
    }
    requireKnownBullet(btGetVersion(), kRestore);
    putRecord(tick, to, *snapshot.record());
}

void putRecord(WorldTick& tick, const SnapshotWorld& to, const WorldRecord& record) {
    checkMultiBodies(to, record);  // first: objects name theirs
    checkBodies(to, record);
    checkJoints(to, record);
    checkMultiBodyJoints(to, record);
    checkBroadphase(to, record);
    checkPairs(to, record);
    checkOwn(to, record);
    PairsToRestore pairs(to, record);

    restoreBodies(to, record);
    pairs.putIn();
    restoreBroadphase(to, record);
    restoreJoints(to, record);
    restoreMultiBodies(to, record);
    restoreMultiBodyJoints(to, record);
    restoreOwn(tick, to, record);
    to.solver.setRandSeed(record.solverSeed);
    DynamicsWorldInternals::localTime(to.world) = record.localTime;
    DynamicsWorldInternals::fixedTimeStep(to.world) = record.fixedTimeStep;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
