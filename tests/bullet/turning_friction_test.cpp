// Friction against rolling and spinning of bodies that elements act on.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_scenes.h"

namespace turning_friction_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kGravity = TestWorld::kGravity;
constexpr double kRadius = 0.25;

// A ball of 1 kg on a floor, in a network with an element that does not pull.
struct RollingBall {
    TestWorld world;
    btRigidBody& floor;
    btRigidBody& ball;
    ForceElement& element;

    RollingBall()
        : floor(addFloor(world)),
          ball(world.body(1, new btSphereShape(btScalar(kRadius)), at(0, kRadius, 0))),
          element(addThread(world, ball)) {
        floor.setFriction(1);
        ball.setFriction(btScalar(0.5));
    }
    double x() const { return static_cast<double>(ball.getWorldTransform().getOrigin().x()); }
};

}  // namespace

TEST_CASE("a ball rolls as far as Bullet's rolling friction lets it") {
    const double hz = GENERATE(60., 240.);
    RollingBall scene;
    scene.ball.setRollingFriction(btScalar(0.02));  // times the floor's friction of 1
    constexpr double v = 1.5;
    scene.ball.setLinearVelocity(vec(v, 0, 0));
    scene.ball.setAngularVelocity(vec(0, 0, -v / kRadius));
    const double brake = 0.02 * kGravity / (1.4 * kRadius);
    double worst = 0;
    for (int i = 1; i <= static_cast<int>(4 * hz); ++i) {
        scene.world.tick(1, hz);
        const double t = std::min(i / hz, v / brake);
        worst = std::max(worst, std::abs(scene.x() - v * t + brake * t * t / 2));
    }
    CAPTURE(hz, worst, scene.x());
    CHECK_FALSE(scene.element.uncoupled());
    CHECK(scene.world.messages.empty());
    CHECK(worst < byPrecision(1e-5, 1e-3));
    CHECK(static_cast<double>(scene.ball.getLinearVelocity().length()) < 1e-6);
}

TEST_CASE("a ball spins down as Bullet's spinning friction says, with any number of iterations") {
    const double hz = GENERATE(60., 240.);
    const auto run = [&](int iterations) {
        RollingBall scene;
        scene.world.world->getSolverInfo().m_numIterations = iterations;
        scene.ball.setRollingFriction(btScalar(0.01));
        scene.ball.setSpinningFriction(btScalar(0.03));
        scene.ball.setAngularVelocity(vec(0, 10, 0));
        const double brake = 0.03 * kGravity / (0.4 * kRadius * kRadius);
        scene.world.tick(static_cast<int>(0.5 * hz), hz);
        CHECK_FALSE(scene.element.uncoupled());
        CHECK(static_cast<double>(scene.ball.getAngularVelocity().y()) ==
              Approx(10 - 0.5 * brake).epsilon(byPrecision(1e-6, 1e-4)));
        return scene.ball.getWorldTransform();
    };
    const btTransform few = run(1);
    CHECK(few == run(10));
    CHECK(few == run(50));
}

TEST_CASE("a ball rolls into a stop and back") {
    const double hz = GENERATE(60., 240.);
    RollingBall scene;
    scene.ball.setRollingFriction(btScalar(0.01));
    const btQuaternion back(vec(0, 1, 0), SIMD_PI);  // x to the left
    auto& stop =
        scene.world.add<ElastoGap>(scene.ball, btTransform(back, vec(0, 0, 0)), btTransform(back, vec(0.5, kRadius, 0)),
                                   ElastoGapParameters{.c = 1e4, .d = 20});
    scene.ball.setLinearVelocity(vec(2, 0, 0));
    scene.ball.setAngularVelocity(vec(0, 0, -2 / kRadius));
    double energy = energyOf(scene.ball);
    double farthest = 0;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        scene.world.tick(1, hz);
        const double now = energyOf(scene.ball) + stop.storedEnergy();
        CHECK(now <= energy + byPrecision(1e-9, 1e-4));
        energy = now;
        farthest = std::max(farthest, scene.x());
    }
    CHECK_FALSE(stop.uncoupled());
    CHECK(farthest > 0.5);
    CHECK(scene.x() < 0.4);
}

}  // namespace turning_friction_test
