#include "coupled_scenes.h"

#include "car_scenes.h"
#include "machine_scenes.h"

#include <algorithm>
#include <ctime>
#include <utility>

namespace elasto::bench {

namespace {

double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

/// What looking at the clock takes.
double clockTime() {
    static const double time = [] {
        double least = 1e300;
        for (int i = 0; i < 1000; ++i) {
            const double begin = now();
            least = std::min(least, now() - begin);
        }
        return least;
    }();
    return time;
}

btRigidBody& bar(CoupledWorld& world, double x, double y, double half = 0.5, bool upright = false) {
    const btVector3 size = upright ? vec(0.02, half, 0.02) : vec(half, 0.02, 0.02);
    btRigidBody& body = world.box(1, size, vec(x, y, 0));
    body.getBroadphaseHandle()->m_collisionFilterMask = 0;  // links do not touch each other
    return body;
}

void ballAboveStop(CoupledWorld& world) {
    btRigidBody& ball = world.box(1, vec(0.05, 0.05, 0.05), vec(0, 0.3, 0));
    world.element<ElastoGap>(ball, upwards(vec(0, 0, 0)), upwards(vec(0, 0, 0)), ElastoGapParameters{.c = 1e6, .d = 5});
}

void pendulum(CoupledWorld& world) {
    btRigidBody& door = bar(world, 0.5, 0);
    world.join<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.element<ElastoGap>(door, upwards(vec(0.5, 0, 0)), upwards(vec(1, -5, 0)),
                             ElastoGapParameters{.c = 1e5, .d = 0});
}

void hingeWithStop(CoupledWorld& world) {
    btRigidBody& door = bar(world, 0.5, 0);
    world.join<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    world.element<ElastoGap>(door, upwards(vec(0.5, 0, 0)), upwards(vec(1, -0.5, 0)),
                             ElastoGapParameters{.c = 1e5, .d = 0});
}

void fourBar(CoupledWorld& world) {
    const btVector3 z = vec(0, 0, 1);
    btRigidBody& left = bar(world, 0, 0.5, 0.5, true);
    btRigidBody& coupler = bar(world, 0.75, 1, 0.75);
    btRigidBody& right = bar(world, 1.5, 0.5, 0.5, true);
    world.join<btHingeConstraint>(left, vec(0, -0.5, 0), z);
    world.join<btHingeConstraint>(left, coupler, vec(0, 0.5, 0), vec(-0.75, 0, 0), z, z);
    world.join<btHingeConstraint>(coupler, right, vec(0.75, 0, 0), vec(0, 0.5, 0), z, z);
    world.join<btHingeConstraint>(right, vec(0, -0.5, 0), z);
    left.setAngularVelocity(vec(0, 0, -1));
    right.setAngularVelocity(vec(0, 0, -1));
    coupler.setLinearVelocity(vec(1, 0, 0));
    world.element<ElastoGap>(coupler, upwards(vec(0, 0, 0)), upwards(vec(0.75, 0.3, 0)),
                             ElastoGapParameters{.c = 1e5, .d = 0});
}

void chainOfTen(CoupledWorld& world) {
    btRigidBody* last = nullptr;
    for (int i = 0; i < 10; ++i) {
        btRigidBody& link = bar(world, 0.1 + 0.2 * i, 0, 0.1);
        if (last == nullptr) {
            world.join<btPoint2PointConstraint>(link, vec(-0.1, 0, 0));
        } else {
            world.join<btPoint2PointConstraint>(*last, link, vec(0.1, 0, 0), vec(-0.1, 0, 0));
        }
        last = &link;
    }
    world.element<ElastoGap>(*last, upwards(vec(0.1, 0, 0)), upwards(vec(2, -1, 0)),
                             ElastoGapParameters{.c = 1e4, .d = 0});
}

/// Boxes on the ground, the uppermost one pressed down with 1 kN.
/// @param isChanging besides with a small force that changes, so that no tick is like the one before
void pressedStack(CoupledWorld& world, int boxes, bool isChanging = false) {
    world.box(0, vec(5, 0.5, 5), vec(0, -0.5, 0));
    btRigidBody* top = nullptr;
    for (int i = 0; i < boxes; ++i) top = &world.box(1, vec(0.5, 0.5, 0.5), vec(0, 0.5 + i, 0));
    const btTransform downwards(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, boxes + 3, 0));
    const btTransform onTop(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, 0, 0));
    world.element<ElastoGap>(*top, onTop, downwards, ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = 3.5 + 1e-3});
    if (isChanging) world.pressAnew(*top);
}

/// Twelve boxes that tumble onto each other, the lowest four onto bumpers.
/// @param variant another start for each
void pile(CoupledWorld& world, double c, int variant) {
    world.box(0, vec(20, 0.5, 20), vec(0, -0.5, 0));
    std::vector<btRigidBody*> boxes;
    unsigned seed = 1 + 2654435761u * static_cast<unsigned>(variant);
    const auto random = [&] {
        seed = seed * 1664525u + 1013904223u;
        return 2.0 * (seed >> 8) / (1u << 24) - 1;
    };
    for (int i = 0; i < 12; ++i) {
        const double x = 0.4 * random();
        const double z = 0.4 * random();
        const btVector3 axis = vec(random(), random(), random()).normalized();
        const btQuaternion turn(axis, btScalar(0.3 * random()));
        boxes.push_back(&world.box(1, vec(0.5, 0.5, 0.5), vec(x, 1 + 1.1 * i, z), turn));
    }
    for (int i = 0; i < 4; ++i) {
        const btVector3 at = boxes[static_cast<std::size_t>(i)]->getWorldTransform().getOrigin();
        world.element<ElastoGap>(*boxes[static_cast<std::size_t>(i)], upwards(vec(0, 0, 0)),
                                 upwards(vec(double(at.x()), 0, double(at.z()))),
                                 ElastoGapParameters{.c = c, .d = 0, .s_rel0 = 0.55});
    }
}

/// Scenes of which there is one.
auto only(void (*build)(CoupledWorld&)) {
    return [build](CoupledWorld& world, int) { build(world); };
}

auto stackOf(int boxes, bool isChanging = false) {
    return [=](CoupledWorld& world, int) { pressedStack(world, boxes, isChanging); };
}

/// Piles are chaotic: the last digit of a start decides about a tenth of what one costs. So there are several.
constexpr int kPiles = 9;

auto pilesOn(double c) {
    return [=](CoupledWorld& world, int variant) { pile(world, c, variant); };
}

}  // namespace

CoupledWorld::CoupledWorld(bool withElements, Accuracy accuracy) : m_withElements(withElements) {
    m_world.setGravity(vec(0, -9.81, 0));
    if (!withElements) return;
    m_plugin = std::make_unique<Plugin>(&m_world);
    m_plugin->setAccuracy(accuracy);
    m_plugin->setMessageHandler([](const std::string&) {});  // the table says what is uncoupled
}

CoupledWorld::~CoupledWorld() {
    for (const auto& joint : m_joints) m_world.removeConstraint(joint.get());
    for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
}

btRigidBody& CoupledWorld::box(double mass, const btVector3& half, const btVector3& at, const btQuaternion& turn) {
    return body(mass, std::make_unique<btBoxShape>(half), btTransform(turn, at));
}

btRigidBody& CoupledWorld::ball(double mass, double radius, const btVector3& at) {
    return body(mass, std::make_unique<btSphereShape>(btScalar(radius)), btTransform(btQuaternion::getIdentity(), at));
}

btRigidBody& CoupledWorld::wheel(double mass, double radius, double halfWidth, const btVector3& at) {
    return body(mass, std::make_unique<btCylinderShapeZ>(vec(radius, radius, halfWidth)),
                btTransform(btQuaternion::getIdentity(), at));
}

btRigidBody& CoupledWorld::ground(std::unique_ptr<btCollisionShape> shape) {
    return body(0, std::move(shape), btTransform::getIdentity());
}

void CoupledWorld::allowSleep() {
    if (m_plugin) m_plugin->setRestThresholds(RestThresholds::asBullet());
    for (const auto& body : m_bodies) body->forceActivationState(ACTIVE_TAG);
}

bool CoupledWorld::isAsleep() const {
    return std::all_of(m_bodies.begin(), m_bodies.end(), [](const auto& body) {
        return body->isStaticObject() || body->getActivationState() == ISLAND_SLEEPING;
    });
}

btRigidBody& CoupledWorld::body(double mass, std::unique_ptr<btCollisionShape> shape, const btTransform& pose) {
    m_shapes.push_back(std::move(shape));
    btVector3 inertia(0, 0, 0);
    if (mass > 0) m_shapes.back()->calculateLocalInertia(btScalar(mass), inertia);
    const btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, m_shapes.back().get(), inertia);
    m_bodies.push_back(std::make_unique<btRigidBody>(info));
    m_bodies.back()->setCenterOfMassTransform(pose);
    m_bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    m_world.addRigidBody(m_bodies.back().get());
    return *m_bodies.back();
}

double CoupledWorld::step() {
    if (m_pressed != nullptr) m_pressed->applyCentralForce(vec(0, -1 - 0.1 * (m_ticks % 7), 0));
    if (onTick) onTick(m_ticks * kTick);
    ++m_ticks;
    const double begin = now();
    if (m_substeps == 1) {
        m_world.stepSimulation(btScalar(kTick), 0);
    } else {
        for (int i = 0; i < m_substeps; ++i) m_world.stepSimulation(btScalar(kTick / m_substeps), 0);
    }
    return now() - begin - clockTime();
}

double CoupledWorld::jointGap() const {
    double largest = 0;
    const auto look = [&](const btTypedConstraint& joint, const btVector3& inA, const btVector3& inB) {
        const btRigidBody &a = joint.getRigidBodyA(), &b = joint.getRigidBodyB();
        const btVector3 apart = a.getWorldTransform() * inA - b.getWorldTransform() * inB;
        largest = std::max(largest, static_cast<double>(apart.length()));
    };
    for (const auto& joint : m_joints) {
        if (const auto* hinge = dynamic_cast<const btHingeConstraint*>(joint.get())) {
            look(*joint, hinge->getAFrame().getOrigin(), hinge->getBFrame().getOrigin());
        } else if (const auto* ball = dynamic_cast<const btPoint2PointConstraint*>(joint.get())) {
            if (ball->m_setting.m_impulseClamp == 0) look(*joint, ball->getPivotInA(), ball->getPivotInB());
        } else if (const auto* cone = dynamic_cast<const btConeTwistConstraint*>(joint.get())) {
            look(*joint, cone->getAFrame().getOrigin(), cone->getBFrame().getOrigin());
        }
    }
    return largest;
}

double CoupledWorld::energy() const {
    if (!m_plugin) return 0;
    const EnergyBook book = m_plugin->energy();
    return book.kinetic + book.stored - book.work - book.pushed + book.carried;
}

const std::vector<CoupledScene>& coupledScenes() {
    static const std::vector<CoupledScene> scenes = [] {
        std::vector<CoupledScene> all = {
            {"free element", only(ballAboveStop), 600, 8},
            {"pendulum", only(pendulum), 600, 8},
            {"hinge with stop", only(hingeWithStop), 600, 8},
            {"four-bar", only(fourBar), 600, 8},
            {"chain of ten", only(chainOfTen), 300, 8},
            {"stack of 1", stackOf(1), 300, 4},
            {"stack of 5", stackOf(5), 300, 4},
            {"stack of 15", stackOf(15), 300, 4},
            {"stack of 100", stackOf(100), 120, 4},
            {"changing, 1", stackOf(1, true), 300, 4},
            {"changing, 5", stackOf(5, true), 300, 4},
            {"changing, 15", stackOf(15, true), 300, 4},
            {"changing, 100", stackOf(100, true), 120, 4},
            {"car on hinges", carOn(CarKind::Hinges), 300, 4},
            {"car on springs", carOn(CarKind::Springs), 300, 5},
            {"car on struts", carOn(CarKind::Struts), 300, 6, 1, true},
            {"car over kerbs", carOn(CarKind::StrutsOverKerbs), 300, 6, 1, true},
            {"eight cars", carOn(CarKind::EightOnStruts), 180, 6, 1, true},
            {"piles, c 1e4", pilesOn(1e4), 180, 6, kPiles, true},
            {"piles, c 1e6", pilesOn(1e6), 180, 6, kPiles, true},
        };
        all.insert(all.end(), machineScenes().begin(), machineScenes().end());
        return all;
    }();
    return scenes;
}

}  // namespace elasto::bench
