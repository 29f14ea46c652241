// Compatibility: ticks that change their length, frames of several ticks with interpolation, sleeping and waking.
// (Free bodies: drawing_test.cpp, sleep_test.cpp.)

#include "compatibility.h"

using namespace elasto;
using namespace elasto::test;

namespace {

struct Drawn : btMotionState {
    btTransform pose = btTransform::getIdentity();
    void getWorldTransform(btTransform& target) const override { target = pose; }
    void setWorldTransform(const btTransform& drawn) override { pose = drawn; }
};

constexpr double rateOf(int tick) {
    return tick < 60 ? 60 : tick < 180 ? 240 : tick < 240 ? 30 : 60;
}

// A mass that bounces for ever, and a double pendulum with a spring.
class Rates : public CompatibilityScene {
public:
    explicit Rates(Kind kind) : CompatibilityScene(kind) {
        mass = &ball(0.2, 0, 0.3, 0);
        btRigidBody& upper = body(1, new btBoxShape(vec(0.5, 0.05, 0.05)), at(3.5, 0, 0));
        btRigidBody& lower = body(1, new btBoxShape(vec(0.5, 0.05, 0.05)), at(4.5, 0, 0));
        add<btHingeConstraint>(upper, vec(-0.5, 0, 0), vec(0, 0, 1));
        add<btHingeConstraint>(upper, lower, vec(0.5, 0, 0), vec(-0.5, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
        if (hasElements()) {
            add<ElastoGap>(*mass, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 0});
            add<SpringDamperParallel>(lower, vec(0.5, 0, 0), vec(4, 2, 0),
                                      SpringDamperParameters{.c = 20, .d = 0, .s_rel0 = 1});
        }
    }
    void change(int tick) override { m_hz = rateOf(tick); }
    void step() override {
        time += 1 / m_hz;
        tick(1, m_hz);
    }
    btRigidBody* mass;
    double time = 0;

private:
    double m_hz = 60;
};

// A pendulum on a hinge with a stop, drawn at 144 Hz.
class Frames : public CompatibilityScene {
public:
    explicit Frames(Kind kind) : CompatibilityScene(kind) {
        door = &body(1, new btBoxShape(vec(0.5, 0.02, 0.02)), at(0.5, 0, 0));
        door->setMotionState(&drawn);
        add<btHingeConstraint>(*door, vec(-0.5, 0, 0), vec(0, 0, 1));
        if (hasElements()) {
            add<ElastoGap>(*door, upwards(0.5, 0, 0), upwards(1, -0.5, 0), ElastoGapParameters{.c = 1e5, .d = 0});
        }
    }
    void step() override {
        const btTransform before = door->getWorldTransform();
        m_local += kFrame;
        if (world->stepSimulation(btScalar(kFrame), 4, btScalar(kTick)) > 0) {
            m_local -= kTick;
            last = before;
            next = door->getWorldTransform();
        }
    }
    /// Where it is between the last two ticks, 0 to 1.
    double share() const { return m_local / kTick; }

    static constexpr double kFrame = 1.0 / 144;
    static constexpr double kTick = 1.0 / 60;
    Drawn drawn;
    btRigidBody* door;
    btTransform last = at(0.5, 0, 0);
    btTransform next = at(0.5, 0, 0);

private:
    double m_local = 0;
};

// A damped door that comes to rest on its stop.
class Resting : public CompatibilityScene {
public:
    explicit Resting(Kind kind) : CompatibilityScene(kind) {
        door = &body(1, new btBoxShape(vec(0.5, 0.02, 0.02)), at(0.5, 0, 0));
        door->forceActivationState(ACTIVE_TAG);
        add<btHingeConstraint>(*door, vec(-0.5, 0, 0), vec(0, 0, 1));
        if (hasElements()) {
            stop = &add<ElastoGap>(*door, upwards(0.5, 0, 0), upwards(1, -0.2, 0),
                                   ElastoGapParameters{.c = 1e4, .d = 300});
            second = &add<ElastoGap>(*door, upwards(0.5, 0, 0), upwards(1, -0.1, 0),
                                     ElastoGapParameters{.c = 1e4, .d = 300});
            second->setEnabled(false);
        }
    }
    bool fallsAsleep() {
        for (int i = 0; i < 2000 && door->getActivationState() != ISLAND_SLEEPING; ++i) {
            step();
        }
        return door->getActivationState() == ISLAND_SLEEPING;
    }
    btRigidBody* door;
    ElastoGap* stop = nullptr;
    ElastoGap* second = nullptr;
};

}  // namespace

TEST_CASE("compatibility: ticks may change their length") {
    requireBulletsBits<Rates>(300);
    Rates scene(CompatibilityScene::Kind::WithElements);
    const DroppedMass oracle(0.2, 0.3, 1e5);
    const EnergyBook before = scene.plugin->energy();
    double worst = 0;
    double lasted = 0;
    requireSound(scene, 300, [&](int) {
        lasted = scene.time;
        worst = std::max(worst, std::abs(heightOf(*scene.mass) - oracle.at(scene.time).y));
        const EnergyBook now = scene.plugin->energy();
        REQUIRE(now.kinetic + now.stored - before.kinetic - before.stored ==
                Approx(now.work).margin(byPrecision(1e-5, 1e-2)));
    });
    CHECK(worst < byPrecision(1e-8, 1e-4));
    CHECK(lasted == Approx(1 + 0.5 + 2 + 1));
}

TEST_CASE("compatibility: jointed bodies are drawn between the poses of their ticks") {
    requireBulletsBits<Frames>(300);
    Frames scene(CompatibilityScene::Kind::WithElements);
    double off = 0;
    requireSound(scene, 600, [&](int frame) {
        if (frame < 4) {
            return;  // no tick yet that could be drawn
        }
        const btVector3 line = scene.last.getOrigin().lerp(scene.next.getOrigin(), btScalar(scene.share()));
        off = std::max(off, static_cast<double>((scene.drawn.pose.getOrigin() - line).length()));
    });
    CHECK(off < byPrecision(1e-12, 1e-5));
}

TEST_CASE("compatibility: jointed networks sleep at rest and wake") {
    requireBulletsBits<Resting>(300);
    Resting scene(CompatibilityScene::Kind::WithElements);
    REQUIRE(scene.fallsAsleep());
    const btTransform asleep = scene.door->getWorldTransform();
    scene.tick(100);
    CHECK(scene.door->getWorldTransform() == asleep);
    CHECK(scene.plugin->statistics().elements == 0);
    SECTION("by a call, where they were") {
        scene.door->activate();
        CHECK(kickOf(*scene.door, [&] { scene.tick(); }) < byPrecision(1e-6, 1e-4));
    }
    SECTION("by a push") {
        scene.door->activate();
        scene.door->applyImpulse(vec(0, 1, 0), vec(0.5, 0, 0));
        scene.tick(2);
        CHECK(climbOf(*scene.door) > 0.3);
        CHECK(scene.fallsAsleep());
        CHECK((scene.door->getWorldTransform().getOrigin() - asleep.getOrigin()).length() < btScalar(1e-4));
    }
    SECTION("without their support") {
        scene.world->removeConstraint(scene.stop);
        scene.door->activate();
        scene.tick(10);
        CHECK(heightOf(*scene.door) < asleep.getOrigin().y() - 0.05);
    }
    SECTION("by another element") {
        scene.second->setEnabled(true);
        scene.door->activate();
        scene.tick(60);
        CHECK(heightOf(*scene.door) > asleep.getOrigin().y() + 0.01);
    }
    requireSound(scene, 10);
}
