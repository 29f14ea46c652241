#include "networks.h"

#include <cmath>

namespace elasto::bench {

namespace {

btVector3 vec(double x, double y, double z) {
    return {btScalar(x), btScalar(y), btScalar(z)};
}

btTransform downwards(const btVector3& at) {
    return btTransform(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), at);
}

}  // namespace

btTransform upwards(const btVector3& at) {
    return btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI), at);
}

Workshop::Workshop(bool withElements, double gravity) {
    m_world.setGravity(vec(0, -gravity, 0));
    if (!withElements) return;
    m_plugin = std::make_unique<Plugin>(&m_world);
    m_plugin->setMessageHandler([](const std::string&) {});
}

Workshop::~Workshop() {
    for (const auto& joint : m_joints) m_world.removeConstraint(joint.get());
    for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
}

btRigidBody& Workshop::box(double mass, const btVector3& half, const btVector3& at, bool isTurning, bool isTouching) {
    m_shapes.push_back(std::make_unique<btBoxShape>(half));
    btVector3 inertia(0, 0, 0);
    if (mass > 0) m_shapes.back()->calculateLocalInertia(btScalar(mass), inertia);
    const btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, m_shapes.back().get(), inertia);
    m_bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *m_bodies.back();
    body.setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), at));
    body.setActivationState(DISABLE_DEACTIVATION);
    if (!isTurning) body.setAngularFactor(0);
    if (isTouching) {
        m_world.addRigidBody(&body);
    } else {
        m_world.addRigidBody(&body, btBroadphaseProxy::DefaultFilter, 0);
    }
    return body;
}

void Workshop::plane() {
    m_shapes.push_back(std::make_unique<btStaticPlaneShape>(vec(0, 1, 0), btScalar(0)));
    const btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, m_shapes.back().get());
    m_bodies.push_back(std::make_unique<btRigidBody>(info));
    m_world.addRigidBody(m_bodies.back().get());
}

void chain(Workshop& workshop, int links, double x) {
    constexpr double kStiffness = 1e4;
    constexpr double kSpacing = 0.2;
    constexpr double kOmega = 11 / kNetworkTick;  // of the fastest mode: 2 sqrt(c / m)
    constexpr double kMass = 4 * kStiffness / (kOmega * kOmega);
    btRigidBody* below = nullptr;
    for (int i = 0; i < links; ++i) {
        btRigidBody& mass = workshop.box(kMass, vec(0.05, 0.05, 0.05), vec(x, kSpacing * i + 0.01, 0), false, false);
        const ElastoGapParameters gap{.c = kStiffness, .d = 0, .s_rel0 = below == nullptr ? 0 : kSpacing};
        if (below == nullptr) {
            workshop.element<ElastoGap>(mass, upwards(vec(0, 0, 0)), upwards(vec(x, 0, 0)), gap);
        } else {
            workshop.element<ElastoGap>(*below, mass, upwards(vec(0, 0, 0)), upwards(vec(0, 0, 0)), gap);
        }
        below = &mass;
    }
}

void grid(Workshop& workshop, int side) {
    constexpr double kSpacing = 0.2;
    std::vector<btRigidBody*> masses;
    const SpringDamperParameters spring{.c = 1e4, .d = 0.1};
    const btTransform up = upwards(vec(0, 0, 0));
    for (int i = 0; i < side * side; ++i) {
        const int row = i / side;
        const int column = i % side;
        const double y = 0.01 * std::sin(0.7 * row) * std::sin(0.4 * column);
        btRigidBody& mass =
            workshop.box(0.1, vec(0.05, 0.05, 0.05), vec(kSpacing * column, y, kSpacing * row), false, false);
        masses.push_back(&mass);
        const auto tie = [&](btRigidBody& other) {
            workshop.element<SpringDamperParallel>(Placement::alongAxis(other, mass, up, up), spring);
        };
        if (column > 0) tie(*masses[static_cast<std::size_t>(i - 1)]);
        if (row > 0) tie(*masses[static_cast<std::size_t>(i - side)]);
    }
}

void doors(Workshop& workshop, int count) {
    for (int i = 0; i < count; ++i) {
        btRigidBody& door = workshop.box(1, vec(0.5, 0.02, 0.02), vec(0.5, 0, i), true, false);
        workshop.join<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
        workshop.element<ElastoGap>(door, upwards(vec(0.5, 0, 0)), upwards(vec(1, -0.5, i)),
                                    ElastoGapParameters{.c = 1e5, .d = 0});
    }
}

void stacks(Workshop& workshop, int count, int boxes) {
    workshop.box(0, vec(2.0 * count, 0.5, 5), vec(0, -0.5, 0));
    for (int k = 0; k < count; ++k) {
        const double x = 2 * (k - count / 2);
        btRigidBody* top = nullptr;
        for (int i = 0; i < boxes; ++i) top = &workshop.box(1, vec(0.5, 0.5, 0.5), vec(x, 0.5 + i, 0));
        workshop.element<ElastoGap>(*top, downwards(vec(0, 0, 0)), downwards(vec(x, boxes + 3, 0)),
                                    ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = 3.5 + 1e-3});
    }
}

void preLoad(Workshop& workshop, bool onSliders) {
    btRigidBody& ground = Placement::world();
    const auto part = [&](double mass, const btVector3& half, double place) -> btRigidBody& {
        btRigidBody& body = workshop.box(mass, half, vec(place, 0, 0), onSliders, false);
        const btTransform here(btQuaternion::getIdentity(), vec(place, 0, 0));
        if (onSliders) workshop.join<btSliderConstraint>(ground, body, here, btTransform::getIdentity(), true);
        return body;
    };
    btRigidBody& spool = part(0.15, vec(0.095, 0.004, 0.004), 0.01475);
    btRigidBody& plateA = part(0.01, vec(0.001, 0.012, 0.012), -0.093);
    btRigidBody& plateB = part(0.01, vec(0.001, 0.012, 0.012), -0.06925);
    const auto between = [](btRigidBody& a, double onA, btRigidBody& b, double onB) {
        const btQuaternion straight = btQuaternion::getIdentity();
        return Placement::alongAxis(a, b, btTransform(straight, vec(onA, 0, 0)), btTransform(straight, vec(onB, 0, 0)));
    };
    const auto contact = [](double s_rel0) { return ElastoGapParameters{.c = 1e6, .d = 250, .s_rel0 = s_rel0}; };
    workshop.element<ElastoGap>(between(ground, -0.0955, plateA, -0.001), contact(0.0015));
    workshop.element<ElastoGap>(between(plateB, 0.001, ground, -0.065), contact(0.0015));
    workshop.element<ElastoGap>(between(spool, -0.10075, plateA, 0.008), contact(0.001));
    workshop.element<ElastoGap>(between(plateB, -0.008, spool, -0.08925), contact(0.001));
    workshop.element<SpringDamperParallel>(between(plateA, 0.001, plateB, -0.001),
                                           SpringDamperParameters{.c = 2e4, .d = 0, .s_rel0 = 0.025});
    workshop.element<SpringDamperParallel>(between(ground, -0.0955, spool, -0.10075),
                                           SpringDamperParameters{.c = 0, .d = 2500});
    workshop.load(Load::sine(spool, Load::Kind::Force, vec(150, 0, 0), {.f = 0.01}));
}

void bumpers(Workshop& workshop, int count, bool isPlane) {
    if (isPlane) {
        workshop.plane();
    } else {
        workshop.box(0, vec(500, 0.5, 500), vec(0, -0.5, 0));
    }
    for (int i = 0; i < count; ++i) {
        const btVector3 place = vec(3. * (i % 25), 200, 3. * (i / 25));
        btRigidBody& box = workshop.box(1, vec(0.5, 0.5, 0.5), place);
        workshop.element<ElastoGap>(box, upwards(vec(0, 0, 0)), upwards(place - vec(0, 500, 0)),
                                    ElastoGapParameters{.c = 1e6, .d = 5});
    }
}

void pile(Workshop& workshop, int boxes) {
    workshop.box(0, vec(50, 0.5, 50), vec(0, -0.5, 0));
    const int side = static_cast<int>(std::lround(std::cbrt(boxes)));
    btRigidBody* one = nullptr;
    for (int i = 0; i < boxes; ++i) {
        const int layer = i / (side * side);
        const double shift = 0.3 * (layer % 2);
        const double x = 1.05 * (i % side) + shift;
        const double z = 1.05 * (i / side % side) + shift;
        btRigidBody& box = workshop.box(1, vec(0.5, 0.5, 0.5), vec(x, 0.5 + 1.001 * layer, z));
        if (i == boxes / 2) one = &box;
    }
    const btVector3 below = one->getWorldTransform().getOrigin() - vec(0, 100, 0);
    workshop.element<ElastoGap>(*one, upwards(vec(0, 0, 0)), upwards(below), ElastoGapParameters{.c = 1e6, .d = 5});
}

}  // namespace elasto::bench
