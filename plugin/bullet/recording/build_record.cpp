#include "recording/build_record.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btConvexConvexAlgorithm.h>
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <LinearMath/btSerializer.h>

#include <algorithm>

#include "host/class_of.h"
#include "network/element_access.h"
#include "recording/joint_kinds.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Bullet tells some of a body's values to serializers only. This one takes nothing down.
class NoSerializer final : public btSerializer {
public:
    const unsigned char* getBufferPointer() const override { return nullptr; }
    int getCurrentBufferSize() const override { return 0; }
    btChunk* allocate(size_t /*size*/, int /*count*/) override { return nullptr; }
    void finalizeChunk(btChunk* /*chunk*/, const char* /*type*/, int /*code*/, void* /*old*/) override {}
    void* findPointer(void* /*old*/) override { return nullptr; }
    void* getUniquePointer(void* /*old*/) override { return nullptr; }
    void startSerialization() override {}
    void finishSerialization() override {}
    const char* findNameForPointer(const void* /*pointer*/) const override { return nullptr; }
    void registerNameForPointer(const void* /*pointer*/, const char* /*name*/) override {}
    void serializeName(const char* /*name*/) override {}
    int getSerializationFlags() const override { return 0; }
    void setSerializationFlags(int /*flags*/) override {}
    int getNumChunks() const override { return 0; }
    const btChunk* getChunk(int /*place*/) const override { return nullptr; }
};

void describeDamping(const btRigidBody& body, ObjectBuild& build) {
    static NoSerializer serializer;
    btRigidBodyData data;
    body.serialize(&data, &serializer);
    build.hasAdditionalDamping = data.m_additionalDamping != 0;
    build.additionalDamping = {
        static_cast<btScalar>(data.m_additionalDampingFactor),
        static_cast<btScalar>(data.m_additionalLinearDampingThresholdSqr),
        static_cast<btScalar>(data.m_additionalAngularDampingThresholdSqr),
        static_cast<btScalar>(data.m_additionalAngularDampingFactor),
    };
}

int placeOf(const btRigidBody& body, const SnapshotWorld& world, const char* what) {
    const int place = body.getWorldArrayIndex();
    if (place < 0 && &body != &Placement::world()) {
        world.refuse(std::string(what) + " acts on a body that is not in the world; add it, or remove what acts on it");
    }
    return place;
}

PlacementRecord recordOf(const Placement& placement, const SnapshotWorld& world) {
    PlacementRecord record;
    record.geometry = placement.geometry();
    record.bodyA = placeOf(placement.bodyA(), world, "an element");
    record.bodyB = placeOf(placement.bodyB(), world, "an element");
    record.pointA = placement.pointA();
    record.pointB = placement.pointB();
    record.frameA = placement.frameA();
    record.frameB = placement.frameB();
    record.axis = placement.axis();
    record.isGearPair = placement.isGearPair();
    if (record.isGearPair) {
        record.carrier = placeOf(placement.carrier(), world, "an element");
        record.ratio = placement.ratio();
        record.gear = placement.gearFrames();
    }
    record.turns = placement.turns();
    record.spans = placement.spans();
    return record;
}

}  // namespace

BuildRecord describe(WorldTick& tick, const SnapshotWorld& world) {
    BuildRecord build;
    build.isMultiBodyWorld = world.multiBodies != nullptr;
    btConstraintSolver* solver = world.world.getConstraintSolver();
    build.solver = castTo<btMultiBodyConstraintSolver*>(solver) != nullptr ? 2
                   : castTo<btNNCGConstraintSolver*>(solver) != nullptr    ? 1
                                                                           : 0;
    const auto* convex = castTo<const btConvexConvexAlgorithm::CreateFunc*>(
        &DispatcherInternals::creator(world.dispatcher, CONVEX_HULL_SHAPE_PROXYTYPE, CONVEX_HULL_SHAPE_PROXYTYPE));
    if (convex != nullptr) {
        build.multipoint = {convex->m_numPerturbationIterations, convex->m_minimumPointsPerturbationThreshold};
    }

    ShapeList shapes;
    for (int i = 0; i < world.objects.size(); ++i) {
        btCollisionObject& object = *world.objects[i];
        ObjectBuild& made = build.objects.emplace_back();
        made.shape = shapes.place(*object.getCollisionShape(), world.caller);
        for (int other = 0; other < object.getNumObjectsWithoutCollision(); ++other) {
            const int place = object.getObjectWithoutCollision(other)->getWorldArrayIndex();
            if (place >= 0) made.withoutCollision.push_back(place);
        }
        if (const btRigidBody* body = btRigidBody::upcast(&object)) describeDamping(*body, made);
    }
    build.shapes = shapes.records();

    std::vector<const HeatPort*> ports;  // each once: looked up only
    const auto placeOfPort = [&](const HeatPort* port) {
        if (port == nullptr) return -1;
        const auto found = std::find(ports.begin(), ports.end(), port);
        const auto place = static_cast<int>(found - ports.begin());
        if (found == ports.end()) {
            ports.push_back(port);
            build.heatPorts.push_back({port->conductance(), port->ambientTemperature()});
        }
        return place;
    };
    for (int i = 0; i < world.world.getNumConstraints(); ++i) {
        btTypedConstraint& joint = *world.world.getConstraint(i);
        JointBuild& made = build.joints.emplace_back();
        const ForceElement* element = elementOf(&joint);
        made.kind = element != nullptr ? std::int8_t(-1) : kindOfJoint(joint);
        made.bodyA = placeOf(joint.getRigidBodyA(), world, "a joint or element");
        made.bodyB = placeOf(joint.getRigidBodyB(), world, "a joint or element");
        if (element == nullptr) continue;
        ElementBuild& own = build.elements.emplace_back();
        own.placement = recordOf(element->placement(), world);
        own.law = static_cast<std::uint8_t>(element->law().index());
        own.heatPort = placeOfPort(element->heatPort().get());
        own.hasShare = static_cast<bool>(ElementAccess::f_normalized(*element));
        own.hasShareBreak = static_cast<bool>(ElementAccess::nextBreak(*element));
    }
    for (int i = 0; i < world.multiBodyCount(); ++i) {
        build.multiBodies.push_back(describe(*world.multiBodies->getMultiBody(i), world));
    }
    for (int i = 0; i < world.multiBodyJointCount(); ++i) {
        btMultiBodyConstraint& joint = *world.multiBodies->getMultiBodyConstraint(i);
        MultiBodyJointBuild& made = build.multiBodyJoints.emplace_back(describe(joint, world));
        if (const MultiBodyElement* element = elementOf(&joint)) made.heatPort = placeOfPort(element->heatPort().get());
    }
    for (const auto& load : tick.loads.jointLoads) {
        const int body = world.placeOf(&load->body());
        if (body < 0) world.refuse("a joint load acts on a multibody that is not in the world");
        build.jointLoads.push_back({body, load->link()});
    }

    for (const auto& load : tick.loads.loads) {
        const int place = load->body().getWorldArrayIndex();
        if (place < 0) continue;  // what is not in the world is not asked
        build.loads.push_back({place, load->kind(), load->axes(), valuesOf(load->point())});
    }
    return build;
}

WorldNumbers numbersOf(WorldTick& tick, const SnapshotWorld& world) {
    WorldNumbers n;
    btDiscreteDynamicsWorld& from = world.world;
    n.gravity = valuesOf(from.getGravity());
    n.solver = from.getSolverInfo();
    const btDispatcherInfo& info = from.getDispatchInfo();
    n.useContinuous = info.m_useContinuous;
    n.enableSatConvex = info.m_enableSatConvex;
    n.useEpa = info.m_useEpa;
    n.useConservativeDistance = info.m_useConvexConservativeDistanceUtil;
    n.deterministicPairs = info.m_deterministicOverlappingPairs;
    n.allowedPenetration = info.m_allowedCcdPenetration;
    n.conservativeDistance = info.m_convexConservativeDistanceThreshold;
    n.dispatcherFlags = world.dispatcher.getDispatcherFlags();
    n.updatesAllBoxes = from.getForceUpdateAllAabbs();
    n.speculativeRestitution = from.getApplySpeculativeContactRestitution();
    n.latencyInterpolation = from.getLatencyMotionStateInterpolation();
    n.splitsIslands = from.getSimulationIslandManager()->getSplitIslands();
    n.prediction = world.broadphase.m_prediction;
    n.fixedUpdates = world.broadphase.m_fupdates;
    n.dynamicUpdates = world.broadphase.m_dupdates;
    n.cleanUps = world.broadphase.m_cupdates;
    n.defersCollisions = world.broadphase.m_deferedcollide;
    n.deactivationTime = gDeactivationTime;
    n.disablesDeactivation = gDisableDeactivation;
    n.breakingThreshold = gContactBreakingThreshold;

    const WorldSettings& settings = tick.settings;
    n.flow = settings.flow;
    n.budgetCost = settings.budget.cost;
    n.budgetFreeShare = settings.budget.freeShare;
    n.auditEvery = settings.audit.every;
    n.auditShare = settings.audit.share;
    n.restSpeed = settings.restThresholds.speed;
    n.restAngularSpeed = settings.restThresholds.angularSpeed;
    n.restAcceleration = settings.restThresholds.acceleration;
    n.restAngularAcceleration = settings.restThresholds.angularAcceleration;
    n.keepsContacts = settings.keepsContacts;
    n.freeFlight = settings.freeFlight;
    n.linearIslands = tick.islands().isWanted;
    n.throwsRefusals = settings.refusal == Refusal::Throw;
    return n;
}

std::vector<ElementNotes> notesOf(const SnapshotWorld& world) {
    std::vector<ElementNotes> notes;
    const auto note = [&](const ElementCommon* element) {
        if (element != nullptr) notes.push_back({element->name(), element->priority(), element->accuracy()});
    };
    for (int i = 0; i < world.world.getNumConstraints(); ++i) note(elementOf(world.world.getConstraint(i)));
    for (int i = 0; i < world.multiBodyJointCount(); ++i) {
        note(elementOf(world.multiBodies->getMultiBodyConstraint(i)));
    }
    return notes;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
