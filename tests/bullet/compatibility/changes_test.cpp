// Compatibility: what the user switches, removes and moves while elements and joints are at work.
// (Callbacks that remove: removal_test.cpp. Free bodies that are set elsewhere: user_changes_test.cpp.)

#include <BulletDynamics/Dynamics/btActionInterface.h>

#include "compatibility.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Three links on ball joints, hung up on both ends; the last one on a spring.
class Chain : public CompatibilityScene {
public:
    explicit Chain(Kind kind) : CompatibilityScene(kind) {
        for (int i = 0; i < 3; ++i) {
            body(1, new btBoxShape(vec(0.5, 0.02, 0.02)), at(0.5 + i, 0, 0));
        }
        joints.push_back(&add<btPoint2PointConstraint>(*bodies[0], vec(-0.5, 0, 0)));
        for (std::size_t i = 0; i < 2; ++i) {
            joints.push_back(
                &add<btPoint2PointConstraint>(*bodies[i], *bodies[i + 1], vec(0.5, 0, 0), vec(-0.5, 0, 0)));
        }
        if (hasElements()) {
            spring = &add<SpringDamperParallel>(*bodies[2], vec(0.5, 0, 0), vec(3, 1, 0),
                                                SpringDamperParameters{.c = 300, .d = 3, .s_rel0 = 1});
        }
    }
    double gapOfJoint(std::size_t i) const {  // between link i and the one before
        return static_cast<double>(
            (bodies[i - 1]->getWorldTransform() * vec(0.5, 0, 0) - bodies[i]->getWorldTransform() * vec(-0.5, 0, 0))
                .length());
    }
    double fastest() const {
        double most = 0;
        for (const auto& link : bodies) {
            most = std::max(most, static_cast<double>(link->getLinearVelocity().length()));
        }
        return most;
    }
    std::vector<btTypedConstraint*> joints;
    SpringDamperParallel* spring = nullptr;
};

class Unhooked : public Chain {
public:
    using Chain::Chain;
    void change(int tick) override {
        if (tick == 40 || tick == 44) {
            joints[2]->setEnabled(tick == 44);
        }
    }
};

class Teleported : public Chain {
public:
    using Chain::Chain;
    void change(int tick) override {
        if (tick % 60 == 59) {
            bodies[1]->translate(vec(0, 0.01, 0.005));
        }
    }
};

// A mass that falls on its stop; at this tick it has pressed it.
class Pressed : public CompatibilityScene {
public:
    explicit Pressed(Kind kind) : CompatibilityScene(kind) {
        mass = &ball(1, 0, 0.2, 0);
        neighbour = &ball(1, 1, 0.2, 0);
        if (hasElements()) {
            stop = &add<ElastoGap>(*mass, upwards(), upwards(), ElastoGapParameters{.c = 2e3, .d = 5});
            add<ElastoGap>(*neighbour, upwards(), upwards(1, 0, 0), ElastoGapParameters{.c = 2e3, .d = 5});
        }
    }
    static constexpr int kPressed = 15;  // ticks after which it stands deepest, about
    btRigidBody* mass;
    btRigidBody* neighbour;
    ElastoGap* stop = nullptr;
};

// The world changes at a tick; the neighbour must not notice.
template <class Change>
void changeWhilePressed(const Change& change, bool isGone) {
    Pressed scene(CompatibilityScene::Kind::WithElements);
    Pressed untouched(CompatibilityScene::Kind::WithElements);
    scene.tick(Pressed::kPressed);
    untouched.tick(Pressed::kPressed);
    REQUIRE(scene.stop->contact());
    change(scene);
    for (int i = 0; i < 60; ++i) {
        scene.tick();
        untouched.tick();
        requireFinite(scene);
        REQUIRE(scene.neighbour->getWorldTransform() == untouched.neighbour->getWorldTransform());
    }
    CHECK(scene.plugin->statistics().elements == (isGone ? 1 : 2));
}

}  // namespace

TEST_CASE("compatibility: a joint may be switched off and on again") {
    requireBulletsBits<Unhooked>(200);
    Unhooked scene(CompatibilityScene::Kind::WithElements);
    Chain untouched(CompatibilityScene::Kind::WithElements);
    double before = 0;
    const EnergyBook start = scene.plugin->energy();
    requireSound(scene, 200, [&](int tick) {
        if (tick == 43) {
            CHECK(scene.gapOfJoint(2) > 1e-4);
        }
        if (tick == 44) {
            // Held again where the ends are: no faster than both could meet, and gravity.
            CHECK(scene.fastest() < before + 2);
        }
        before = scene.fastest();
        REQUIRE(scene.fastest() < 12);
        REQUIRE(std::abs(gapOf(start, scene.plugin->energy())) < byPrecision(1e-6, 1e-2));
    });
    CHECK(scene.gapOfJoint(2) < 1e-3);
}

TEST_CASE("compatibility: one body of a jointed network may be set elsewhere") {
    requireBulletsBits<Teleported>(200);
    Teleported scene(CompatibilityScene::Kind::WithElements);
    Chain untouched(CompatibilityScene::Kind::WithElements);
    double fastestUntouched = 0;
    requireSound(scene, 300, [&](int tick) {
        untouched.step();
        fastestUntouched = std::max(fastestUntouched, untouched.fastest());
        if (tick % 60 == 59) {
            CHECK(scene.fastest() < 8);  // a centimetre in a tick would be 0.6 m/s more, a stiff pull far more
        }
        if (tick % 60 == 58 && tick > 60) {
            CHECK(scene.gapOfJoint(1) < 1e-3);  // closed again
        }
    });
    CHECK(fastestUntouched < 8);
}

TEST_CASE("compatibility: an element is switched off and on while it is pressed") {
    Pressed scene(CompatibilityScene::Kind::WithElements);
    scene.tick(Pressed::kPressed);
    REQUIRE(scene.stop->contact());
    scene.stop->setEnabled(false);
    CHECK(kickOf(*scene.mass, [&] { scene.tick(); }) == Approx(TestWorld::kGravity / 60).epsilon(1e-3));  // falls
    const double depth = -heightOf(*scene.mass);
    scene.stop->setEnabled(true);
    CHECK(kickOf(*scene.mass, [&] { scene.tick(); }) < (2e3 * (depth + 0.1) + TestWorld::kGravity) / 60);
    requireSound(scene, 60);
}

TEST_CASE("compatibility: elements and bodies are removed while they are pressed") {
    SECTION("the element, between ticks") {
        changeWhilePressed([](Pressed& s) { s.world->removeConstraint(s.stop); }, true);
    }
    SECTION("element and body, between ticks") {
        changeWhilePressed(
            [](Pressed& s) {
                s.world->removeConstraint(s.stop);
                s.world->removeRigidBody(s.mass);
            },
            true);
    }
    SECTION("the element, deferred to the end of a tick") {
        changeWhilePressed([](Pressed& s) { s.plugin->defer([&s] { s.world->removeConstraint(s.stop); }); }, true);
    }
    SECTION("element and body, in a pre-tick callback") {
        changeWhilePressed(
            [](Pressed& s) {
                s.world->setInternalTickCallback(
                    [](btDynamicsWorld* called, btScalar) {
                        auto& scene = *static_cast<Pressed*>(called->getWorldUserInfo());
                        if (scene.mass->isInWorld()) {
                            called->removeConstraint(scene.stop);
                            called->removeRigidBody(scene.mass);
                        }
                    },
                    &s, true);
            },
            true);
    }
    SECTION("element and body, in an action of the user") {
        struct Remover : btActionInterface {
            explicit Remover(Pressed& from) : scene(from) {}
            void updateAction(btCollisionWorld* /*world*/, btScalar /*h*/) override {
                if (scene.mass->isInWorld()) {
                    scene.world->removeConstraint(scene.stop);
                    scene.world->removeRigidBody(scene.mass);
                }
            }
            void debugDraw(btIDebugDraw* /*drawer*/) override {}
            Pressed& scene;
        };
        std::unique_ptr<Remover> remover;
        changeWhilePressed(
            [&](Pressed& s) {
                remover = std::make_unique<Remover>(s);
                s.world->addAction(remover.get());
            },
            true);
    }
    SECTION("nothing") {
        changeWhilePressed([](Pressed&) {}, false);
    }
}
