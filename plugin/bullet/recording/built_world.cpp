#include "recording/built_world.h"

#include <elasto/law_element.h>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cmath>

#include "host/class_of.h"
#include "host/element_of.h"
#include "host/installed_solver.h"
#include "recording/joint_kinds.h"
#include "recording/placement_access.h"
#include "snapshot/snapshot_internals.h"
#include "snapshot/snapshot_values.h"
#include "tick/call_tape.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

btCollisionObjectArray& objectsOf(btDiscreteDynamicsWorld& world) {
    return world.getCollisionObjectArray();
}

// A mass whose inverse Bullet rounds to that: it keeps the inverse only.
btScalar massOf(btScalar inverse) {
    if (inverse == 0) return 0;
    btScalar mass = btScalar(1) / inverse;
    const btScalar infinite = std::numeric_limits<btScalar>::infinity();
    for (const btScalar candidate : {mass, std::nextafter(mass, infinite), std::nextafter(mass, -infinite)}) {
        if (btScalar(1) / candidate == inverse) return candidate;
    }
    return mass;
}

class ObjectLists : private btCollisionObject {
public:
    static void setPlace(btCollisionObject& object, int place) { object.*(&ObjectLists::m_worldArrayIndex) = place; }
};

[[noreturn]] void refuseWorld(const std::string& problem) {
    throw InvalidParameter("recording", problem + ": the file is damaged");
}

}  // namespace

// In this order: what refers to others comes after them, and goes before them.
struct BuiltWorld::Parts {
    class EndWatcher final : public TickWatcher {
    public:
        explicit EndWatcher(WorldTick& tick) : m_tick(tick) {}
        void tickEnds(btScalar /*h*/) override { end = stateOf(m_tick, "WorldReplay"); }

        WorldState end;

    private:
        WorldTick& m_tick;
    };

    Parts(const WorldState& from, CallTape& tape) : answers(tape), shapes(from.build.shapes) {
        configuration.setConvexConvexMultipointIterations(from.build.multipoint[0], from.build.multipoint[1]);
        makeWorld(from.build);
        for (const MultiBodyBuild& build : from.build.multiBodies) multiBodies.push_back(makeMultiBody(build));
        makeObjects(from);
        for (const auto& body : multiBodies) ofMultiBodies().addMultiBody(body.get());
        for (const auto& [conductance, ambient] : from.build.heatPorts) {
            ports.push_back(std::make_shared<HeatPort>(conductance, ambient));
        }
        makeJoints(from);
        makeMultiBodyJoints(from);
        giveMasses(from);
        plugin.emplace(world.get());
        for (const LoadBuild& load : from.build.loads) {
            Load made = playing(bodyAt(load.body), load.kind, answers);
            const btVector3 point = vectorOf(load.point);
            if (point.length2() > 0) made = made.at(point);
            plugin->addLoad(made.resolvedIn(load.axes));
        }
        for (const JointLoadBuild& load : from.build.jointLoads) {
            plugin->addJointLoad(playing(multiBodyAt(load.body), load.link, answers));
        }
        plugin->setMessageHandler(nullptr);
        auto& worldTick = dynamic_cast<WorldTick&>(*eventsOf(*world->getConstraintSolver()));
        watcher = std::make_shared<EndWatcher>(worldTick);
        worldTick.watcher = watcher;
    }

    ~Parts() {
        plugin.reset();
        for (const auto& joint : multiBodyJoints) ofMultiBodies().removeMultiBodyConstraint(joint.get());
        for (const auto& body : multiBodies) ofMultiBodies().removeMultiBody(body.get());
        for (const auto& joint : joints) world->removeConstraint(joint.get());
        for (const auto& object : objects) world->removeCollisionObject(object.get());
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    void makeWorld(const BuildRecord& build) {
        if (build.solver == 2) {
            solver = std::make_unique<btMultiBodyConstraintSolver>();
        } else if (build.solver == 1) {
            solver = std::make_unique<btNNCGConstraintSolver>();
        } else {
            solver = std::make_unique<btSequentialImpulseConstraintSolver>();
        }
        if (build.isMultiBodyWorld) {
            auto* ofMultiBodies = castTo<btMultiBodyConstraintSolver*>(solver.get());
            if (ofMultiBodies == nullptr) refuseWorld("its world has a solver that it cannot have");
            world = std::make_unique<btMultiBodyDynamicsWorld>(&dispatcher, &broadphase, ofMultiBodies, &configuration);
        } else {
            world = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher, &broadphase, solver.get(), &configuration);
        }
    }

    // Added in the order in which they were; then put at their places in the world's lists.
    void makeObjects(const WorldState& from) {
        const std::vector<ObjectRecord>& records = from.record.objects;
        for (std::size_t i = 0; i < records.size(); ++i) objects.push_back(makeObject(from, i));
        for (std::size_t i = 0; i < records.size(); ++i) {
            for (const int other : from.build.objects[i].withoutCollision) {
                objects[i]->setIgnoreCollisionCheck(&objectAt(other), true);
            }
        }
        for (const int place : addingOrder(from.record.broadphase)) {
            const auto i = static_cast<std::size_t>(place);
            btCollisionObject* object = objects[i].get();
            if (btRigidBody* body = btRigidBody::upcast(object)) {
                world->addRigidBody(body, records[i].filterGroup, records[i].filterMask);
            } else {
                world->addCollisionObject(object, records[i].filterGroup, records[i].filterMask);
            }
        }
        for (std::size_t i = 0; i < objects.size(); ++i) {
            objectsOf(*world)[static_cast<int>(i)] = objects[i].get();
            ObjectLists::setPlace(*objects[i], static_cast<int>(i));
        }
        btAlignedObjectArray<btRigidBody*>& moving = DynamicsWorldInternals::moving(*world);
        moving.resize(0);
        for (const int place : from.record.movingOrder) moving.push_back(&bodyAt(place));
    }

    std::unique_ptr<btCollisionObject> makeObject(const WorldState& from, std::size_t i) {
        const ObjectRecord& record = from.record.objects[i];
        const ObjectBuild& build = from.build.objects[i];
        btCollisionShape* shape = shapes.at(build.shape);
        std::unique_ptr<btCollisionObject> object;
        if (record.multiBody >= 0) {
            btMultiBody& body = multiBodyAt(record.multiBody);
            if (record.link < -1 || record.link >= body.getNumLinks()) refuseWorld("a link is missing in it");
            auto collider = std::make_unique<btMultiBodyLinkCollider>(&body, record.link);
            collider->setCollisionShape(shape);
            if (record.link < 0) {
                body.setBaseCollider(collider.get());
            } else {
                body.getLink(record.link).m_collider = collider.get();
            }
            object = std::move(collider);
        } else if (record.rigid < 0) {
            object = std::make_unique<btCollisionObject>();
            object->setCollisionShape(shape);
        } else {
            // It gets its mass when elements are on it: they would refuse two bodies that do not move.
            btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, shape);
            info.m_additionalDamping = build.hasAdditionalDamping;
            info.m_additionalDampingFactor = build.additionalDamping[0];
            info.m_additionalLinearDampingThresholdSqr = build.additionalDamping[1];
            info.m_additionalAngularDampingThresholdSqr = build.additionalDamping[2];
            info.m_additionalAngularDampingFactor = build.additionalDamping[3];
            object = std::make_unique<btRigidBody>(info);
        }
        if (record.rigid < 0) object->setCollisionFlags(record.collisionFlags);
        btTransform pose;
        Restore()(pose, record.pose);
        object->setWorldTransform(pose);
        return object;
    }

    void giveMasses(const WorldState& from) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            const ObjectRecord& record = from.record.objects[i];
            btRigidBody* body = btRigidBody::upcast(objects[i].get());
            if (body == nullptr) continue;
            body->setMassProps(massOf(record.inverseMass), btVector3(0, 0, 0));
            body->setInvInertiaDiagLocal(vectorOf(record.inverseInertia));
            body->setCollisionFlags(record.collisionFlags);
            body->setGravity(vectorOf(from.record.rigidBodies[static_cast<std::size_t>(record.rigid)].gravity));
        }
    }

    void makeJoints(const WorldState& from) {
        std::size_t nextElement = 0;
        for (const JointBuild& build : from.build.joints) {
            if (build.kind < 0) {
                joints.push_back(makeElement(from, nextElement++));
            } else {
                joints.push_back(makeJoint(build.kind, bodyAt(build.bodyA), bodyAt(build.bodyB)));
            }
            world->addConstraint(joints.back().get());
        }
    }

    std::unique_ptr<btTypedConstraint> makeElement(const WorldState& from, std::size_t i) {
        if (i >= from.build.elements.size()) refuseWorld("an element is missing in it");
        const ElementBuild& build = from.build.elements[i];
        const Placement placement =
            PlacementAccess::placementOf(build.placement, [&](int place) -> btRigidBody& { return bodyAt(place); });
        std::unique_ptr<ForceElement> element = std::visit(
            [&](const auto& law) -> std::unique_ptr<ForceElement> {
                return std::make_unique<LawElement<std::decay_t<decltype(law)>>>(placement, law.parameters());
            },
            from.record.own.elements[i].law);
        if (build.hasShare) {
            element->setF_normalized(
                [this](double) { return answers.again(); },
                build.hasShareBreak ? NextBreak([this](double) { return answers.again(); }) : NextBreak());
        }
        setPort(build.heatPort, *element);
        elements.push_back(element.get());
        return element;
    }

    void makeMultiBodyJoints(const WorldState& from) {
        multiBodyJoints.resize(from.build.multiBodyJoints.size());
        for (const bool isOnRotor : {false, true}) {  // after their drives
            for (std::size_t i = 0; i < multiBodyJoints.size(); ++i) {
                if (from.build.multiBodyJoints[i].placing.isOnRotor() == isOnRotor) makeMultiBodyConstraint(from, i);
            }
        }
        for (const auto& joint : multiBodyJoints) {
            if (MultiBodyElement* element = elementOf(joint.get())) elements.push_back(element);
            ofMultiBodies().addMultiBodyConstraint(joint.get());
        }
    }

    void makeMultiBodyConstraint(const WorldState& from, std::size_t i) {
        const BodiesByPlace bodies{[this](int place) -> btMultiBody& { return multiBodyAt(place); },
                                   [this](int place) -> btRigidBody& { return bodyAt(place); },
                                   [this](int place) -> const MultiBodyElement& { return driveAt(place); }};
        const MultiBodyJointBuild& build = from.build.multiBodyJoints[i];
        const MultiBodyJointRecord& record = from.record.multiBodyJoints[i];
        if (build.kind >= 0) {
            multiBodyJoints[i] = makeMultiBodyJoint(build, record, bodies);
            return;
        }
        const auto place = static_cast<std::size_t>(record.element);
        if (place >= from.record.own.multiBodyElements.size()) refuseWorld("an element is missing in it");
        std::unique_ptr<MultiBodyElement> element =
            makeMultiBodyElement(build, from.record.own.multiBodyElements[place].law, bodies, answers);
        setPort(build.heatPort, *element);
        multiBodyJoints[i] = std::move(element);
    }

    const MultiBodyElement& driveAt(int place) {
        const bool isThere = place >= 0 && place < static_cast<int>(multiBodyJoints.size());
        const auto* element = isThere ? elementOf(multiBodyJoints[static_cast<std::size_t>(place)].get()) : nullptr;
        if (element == nullptr) refuseWorld("a drive is missing in it");
        return *element;
    }

    void setPort(int place, ElementCommon& element) {
        if (place < 0) return;
        if (place >= static_cast<int>(ports.size())) refuseWorld("a heat port is missing in it");
        element.setHeatPort(ports[static_cast<std::size_t>(place)]);
    }

    btMultiBodyDynamicsWorld& ofMultiBodies() {
        auto* own = castTo<btMultiBodyDynamicsWorld*>(world.get());
        if (own == nullptr) refuseWorld("its world cannot have the multibodies that are in it");
        return *own;
    }
    btMultiBody& multiBodyAt(int place) {
        if (place < 0 || place >= static_cast<int>(multiBodies.size())) refuseWorld("a multibody is missing in it");
        return *multiBodies[static_cast<std::size_t>(place)];
    }

    btCollisionObject& objectAt(int place) {
        if (place < 0 || place >= static_cast<int>(objects.size())) refuseWorld("a body is missing in it");
        return *objects[static_cast<std::size_t>(place)];
    }
    btRigidBody& bodyAt(int place) {
        if (place < 0) return Placement::world();
        btRigidBody* body = btRigidBody::upcast(&objectAt(place));
        if (body == nullptr) refuseWorld("something acts on what is no body in it");
        return *body;
    }

    CallTape& answers;
    BuiltShapes shapes;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btMultiBody>> multiBodies;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<std::shared_ptr<HeatPort>> ports;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;               ///< and elements
    std::vector<std::unique_ptr<btMultiBodyConstraint>> multiBodyJoints;  ///< and elements
    std::vector<ElementCommon*> elements;  ///< on rigid bodies first, then on multibodies
    std::optional<Plugin> plugin;
    std::shared_ptr<EndWatcher> watcher;
};

BuiltWorld::BuiltWorld(const WorldState& state, CallTape& answers) : m_parts(std::make_unique<Parts>(state, answers)) {}
BuiltWorld::~BuiltWorld() = default;

btDiscreteDynamicsWorld& BuiltWorld::world() {
    return *m_parts->world;
}
Plugin& BuiltWorld::plugin() {
    return *m_parts->plugin;
}

void BuiltWorld::restore(WorldState& state) {
    Parts& parts = *m_parts;
    const WorldNumbers& n = state.numbers;
    btDiscreteDynamicsWorld& world = *parts.world;
    DynamicsWorldInternals::gravity(world) = vectorOf(n.gravity);
    static_cast<btContactSolverInfoData&>(world.getSolverInfo()) = n.solver;
    btDispatcherInfo& info = world.getDispatchInfo();
    info.m_useContinuous = n.useContinuous;
    info.m_enableSatConvex = n.enableSatConvex;
    info.m_useEpa = n.useEpa;
    info.m_useConvexConservativeDistanceUtil = n.useConservativeDistance;
    info.m_deterministicOverlappingPairs = n.deterministicPairs;
    info.m_allowedCcdPenetration = n.allowedPenetration;
    info.m_convexConservativeDistanceThreshold = n.conservativeDistance;
    parts.dispatcher.setDispatcherFlags(n.dispatcherFlags);
    world.setForceUpdateAllAabbs(n.updatesAllBoxes);
    world.setApplySpeculativeContactRestitution(n.speculativeRestitution);
    world.setLatencyMotionStateInterpolation(n.latencyInterpolation);
    world.getSimulationIslandManager()->setSplitIslands(n.splitsIslands);
    parts.broadphase.m_prediction = n.prediction;
    parts.broadphase.m_fupdates = n.fixedUpdates;
    parts.broadphase.m_dupdates = n.dynamicUpdates;
    parts.broadphase.m_cupdates = n.cleanUps;
    parts.broadphase.m_deferedcollide = n.defersCollisions;
    gDeactivationTime = n.deactivationTime;
    gDisableDeactivation = n.disablesDeactivation;
    gContactBreakingThreshold = n.breakingThreshold;

    Plugin& plugin = *parts.plugin;
    plugin.setSettings(n.flow);
    plugin.setWorldBudget({n.budgetCost, n.budgetFreeShare});
    plugin.setAudit({n.auditEvery, n.auditShare});
    plugin.setRestThresholds({n.restSpeed, n.restAngularSpeed, n.restAcceleration, n.restAngularAcceleration});
    plugin.setContactCache(n.keepsContacts);
    plugin.setFreeFlight(n.freeFlight);
    plugin.setLinearIslands(n.linearIslands);
    plugin.setRefusal(n.throwsRefusals ? Refusal::Throw : Refusal::SwitchOff);

    WorldRecord& record = state.record;
    if (state.notes.size() != parts.elements.size()) refuseWorld("an element is missing in it");
    for (std::size_t i = 0; i < parts.elements.size(); ++i) {
        ElementCommon& element = *parts.elements[i];
        const ElementNotes& notes = state.notes[i];
        if (element.name() != notes.name) element.setName(notes.name);
        element.setPriority(notes.priority);
        element.setAccuracy(notes.accuracy);
    }
    for (std::size_t i = 0; i < record.own.elements.size(); ++i) {
        record.own.elements[i].placement = static_cast<ForceElement&>(*parts.elements[i]).placement();
    }
    for (std::size_t i = 0; i < record.multiBodyJoints.size(); ++i) {
        const btMultiBodyConstraint& joint = *parts.multiBodyJoints[i];
        record.multiBodyJoints[i].type = classOf(joint);
    }
    for (int i = 0; i < static_cast<int>(record.joints.size()); ++i) {
        const btTypedConstraint& joint = *world.getConstraint(i);
        record.joints[static_cast<std::size_t>(i)].type = classOf(joint);
    }
    plugin.restoreWorld(WorldSnapshot(std::make_shared<const WorldRecord>(record)));
}

WorldState BuiltWorld::step(btScalar h) {
    DynamicsWorldInternals::tick(*m_parts->world, h);
    return std::move(m_parts->watcher->end);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
