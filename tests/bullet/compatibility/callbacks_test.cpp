// Compatibility: vehicles and other actions, tick callbacks, several worlds in one process.

#include <BulletDynamics/Vehicle/btRaycastVehicle.h>

#include "compatibility.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A vehicle on a floor that brakes, drives and parks; with a crate on a mast and a spring.
class Ride : public CompatibilityScene {
public:
    explicit Ride(Kind kind) : CompatibilityScene(kind), m_raycaster(world.get()) {
        body(0, new btBoxShape(vec(50, 1, 50)), at(0, -1, 0));
        auto* hull = new btBoxShape(vec(0.8, 0.2, 1.6));
        shapes.emplace_back(hull);
        auto* shape = new btCompoundShape();
        shape->addChildShape(at(0, 0.6, 0), hull);
        chassis = &body(800, shape, at(0, 0.3, 0));
        btRaycastVehicle::btVehicleTuning tuning;
        m_vehicle = std::make_unique<btRaycastVehicle>(tuning, chassis, &m_raycaster);
        m_vehicle->setCoordinateSystem(0, 1, 2);
        for (int i = 0; i < 4; ++i) {
            const btVector3 place = vec(i % 2 == 0 ? -0.8 : 0.8, 0.5, i < 2 ? 1.2 : -1.2);
            btWheelInfo& wheel =
                m_vehicle->addWheel(place, vec(0, -1, 0), vec(-1, 0, 0), btScalar(0.3), btScalar(0.35), tuning, i < 2);
            wheel.m_suspensionStiffness = 20;
            wheel.m_wheelsDampingRelaxation = btScalar(2.3);
            wheel.m_wheelsDampingCompression = btScalar(4.4);
            wheel.m_frictionSlip = 10;
            wheel.m_rollInfluence = btScalar(0.1);
        }
        world->addAction(m_vehicle.get());
        crate = &body(20, new btBoxShape(vec(0.3, 0.2, 0.3)), at(0, 1.9, 0));
        auto& mast = add<btSliderConstraint>(*chassis, *crate, upwards(0, 0.8, 0), upwards(), true);
        mast.setLowerLinLimit(btScalar(0.4));
        mast.setUpperLinLimit(btScalar(1.2));
        if (hasElements()) {
            add<SpringDamperParallel>(Placement::alongAxis(*chassis, *crate, upwards(0, 0.8, 0), upwards()),
                                      SpringDamperParameters{.c = 4e3, .d = 300, .s_rel0 = 0.8});
        }
    }
    ~Ride() override { world->removeAction(m_vehicle.get()); }

    bool setsVelocities() const override { return true; }
    void change(int tick) override {
        const bool isDriving = tick >= 60 && tick < 180;
        for (int wheel = 0; wheel < 4; ++wheel) {
            m_vehicle->applyEngineForce(isDriving && wheel >= 2 ? btScalar(900) : btScalar(0), wheel);
            m_vehicle->setBrake(tick >= 180 ? btScalar(100) : btScalar(0), wheel);
        }
    }
    btRigidBody* chassis;
    btRigidBody* crate;

private:
    btDefaultVehicleRaycaster m_raycaster;
    std::unique_ptr<btRaycastVehicle> m_vehicle;
};

// The user's callbacks push a mass before each tick, and set that of another after each tenth.
class Called : public CompatibilityScene {
public:
    explicit Called(Kind kind) : CompatibilityScene(kind) {
        world->setGravity(vec(0, 0, 0));
        pushed = &ball(1, 0, 0, 0);
        set = &ball(1, 2, 0, 0);
        world->setInternalTickCallback(
            [](btDynamicsWorld* called, btScalar) {
                auto& scene = *static_cast<Called*>(called->getWorldUserInfo());
                scene.pushed->applyCentralForce(vec(0, -5, 0));
            },
            this, true);
        world->setInternalTickCallback(
            [](btDynamicsWorld* called, btScalar) {
                auto& scene = *static_cast<Called*>(called->getWorldUserInfo());
                if (++scene.ticks % 10 == 0) {
                    scene.set->setLinearVelocity(vec(0, 0.2, 0));
                }
            },
            this);
        set->setLinearVelocity(vec(0, 1, 0));
        if (hasElements()) {
            add<Spring>(Placement::alongAxis(*pushed, upwards(), upwards()), 100);
            add<Spring>(Placement::alongAxis(*set, upwards(), upwards(2, 0, 0)), 100);
        }
    }
    bool setsVelocities() const override { return true; }
    btRigidBody* pushed;
    btRigidBody* set;
    int ticks = 0;
};

// A mass that bounces, and a pair on a hinge.
class Busy : public CompatibilityScene {
public:
    explicit Busy(Kind kind) : CompatibilityScene(kind) {
        body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
        ball(0.2, 3, 0.5, 0);
        btRigidBody& door = body(1, new btBoxShape(vec(0.5, 0.05, 0.05)), at(0.5, 2, 0));
        btRigidBody& flap = body(1, new btBoxShape(vec(0.3, 0.05, 0.05)), at(1.3, 2, 0));
        add<btHingeConstraint>(door, vec(-0.5, 0, 0), vec(0, 0, 1));
        add<btHingeConstraint>(door, flap, vec(0.5, 0, 0), vec(-0.3, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
        box(1, -2, 0.5, 0);
        if (hasElements()) {
            add<ElastoGap>(*bodies[1], upwards(), upwards(3, 0.2, 0), ElastoGapParameters{.c = 1e5, .d = 1});
            add<SpringDamperParallel>(flap, vec(0.3, 0, 0), vec(1.5, 3, 0),
                                      SpringDamperParameters{.c = 40, .d = 0.2, .s_rel0 = 1});
        }
    }
};

}  // namespace

TEST_CASE("compatibility: a vehicle carries elements, and its impulses are pushes") {
    requireBulletsBits<Ride>(300);
    Ride scene(CompatibilityScene::Kind::WithElements);
    btScalar fastest = 0;
    btVector3 last = scene.crate->getLinearVelocity();
    btVector3 place = scene.chassis->getWorldTransform().getOrigin();
    int steady = 0;
    double kick = 0;
    const BookInTick book(*scene.plugin);
    requireSound(scene, 420, [&](int tick) {
        fastest = btMax(fastest, scene.chassis->getLinearVelocity().length());
        if (tick > 60) {
            kick = std::max(kick, static_cast<double>((scene.crate->getLinearVelocity() - last).length()));
        }
        last = scene.crate->getLinearVelocity();
        steady = (scene.chassis->getWorldTransform().getOrigin() - place).length() < btScalar(byPrecision(1e-5, 1e-4))
                     ? steady + 1
                     : 0;
        place = scene.chassis->getWorldTransform().getOrigin();
    });
    CHECK(book.largestGap() < byPrecision(1e-6, 20));
    CHECK(fastest > btScalar(1));
    // Parked. (The suspension acts on the velocities after each tick, against the next one's gravity.)
    CHECK(steady > 100);
    CHECK(std::abs(static_cast<double>(scene.chassis->getLinearVelocity().z())) < 1e-3);
    CHECK(heightOf(*scene.crate) - heightOf(*scene.chassis) ==
          Approx(0.8 + 0.8 - 20 * TestWorld::kGravity / 4e3).margin(0.01));
    CHECK(kick < 2);  // the springs' worst, while it drives and brakes
}

TEST_CASE("compatibility: what tick callbacks apply acts, what they set is a push") {
    requireBulletsBits<Called>(100);
    Called scene(CompatibilityScene::Kind::WithElements);
    const BookInTick book(*scene.plugin);
    double worst = 0;
    requireSound(scene, 120, [&](int tick) {
        const double t = (tick + 1) / 60.0;
        worst = std::max(worst, std::abs(heightOf(*scene.pushed) - 5.0 / 100 * (std::cos(10 * t) - 1)));
        if ((tick + 1) % 10 == 0) {
            CHECK(scene.set->getLinearVelocity() == vec(0, 0.2, 0));
        }
    });
    CHECK(worst < byPrecision(1e-9, 1e-4));  // the force is constant over each tick
    CHECK(book.largestGap() < byPrecision(1e-9, 1e-4));
    Called again(CompatibilityScene::Kind::WithElements);
    for (int i = 0; i < 61; ++i) {
        again.step();
    }
    CHECK(again.plugin->energy().pushed < -0.01);
}

TEST_CASE("compatibility: worlds in one process do not know of each other") {
    constexpr double kRates[] = {60, 240, 100};
    std::vector<std::vector<std::uint64_t>> alone;
    for (const double hz : kRates) {
        Busy scene(CompatibilityScene::Kind::WithElements);
        alone.emplace_back();
        for (int i = 0; i < 200; ++i) {
            scene.tick(1, hz);
            alone.back().push_back(hashOf(*scene.world));
        }
    }
    Busy first(CompatibilityScene::Kind::WithElements);
    Busy second(CompatibilityScene::Kind::WithElements);
    Busy third(CompatibilityScene::Kind::WithElements);
    Busy plain(CompatibilityScene::Kind::Plain);
    Busy* const scenes[] = {&first, &second, &third};
    for (std::size_t i = 0; i < 200; ++i) {
        plain.step();
        for (std::size_t k = 0; k < 3; ++k) {
            scenes[k]->tick(1, kRates[k]);
            REQUIRE(hashOf(*scenes[k]->world) == alone[k][i]);
        }
    }
    Busy plainAlone(CompatibilityScene::Kind::Plain);
    for (int i = 0; i < 200; ++i) {
        plainAlone.step();
    }
    CHECK(hashOf(*plain.world) == hashOf(*plainAlone.world));
}
