// Motors, limits, feedback and breaking of joints that the flow holds, on a driven body too.

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "../flow/planar_oracle.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kGravity = TestWorld::kGravity;

double angleOf(const btRigidBody& body) {
    const btVector3 x = body.getWorldTransform().getBasis().getColumn(0);
    return std::atan2(static_cast<double>(x.y()), static_cast<double>(x.x()));
}

// A bar of 1 m and 1 kg along its x.
btRigidBody& bar(TestWorld& world, double x, double y) {
    return world.body(1, new btBoxShape(vec(0.5, 0.02, 0.02)), at(x, y, 0));
}

double inertiaOf(const btRigidBody& body) {
    return static_cast<double>(body.getLocalInertia().z()) + 0.25;
}

}  // namespace

TEST_CASE("a motor of 20 N.m presses an arm on its stop", "[slow]") {
    const double c = GENERATE(1e3, 1e5, 1e7);
    const double hz = GENERATE(60., 240.);
    const bool isReferenceA = GENERATE(true, false);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& arm = bar(world, 0.5, 0);
    btHingeConstraint hinge(arm, vec(-0.5, 0, 0), vec(0, 0, 1), isReferenceA);
    const btScalar rate(isReferenceA ? -3 : 3);
    // The arm is A, the world B: it turns the other way.
    hinge.enableAngularMotor(true, -rate, btScalar(20 / hz));
    world.world->addConstraint(&hinge);
    const btQuaternion up(vec(0, 0, 1), SIMD_HALF_PI);
    auto& stop = world.add<ElastoGap>(arm, btTransform(up, vec(0.5, 0, 0)), btTransform(up, vec(1, -0.1, 0)),
                                      ElastoGapParameters{.c = c, .d = 50});
    world.tick(static_cast<int>(3 * hz), hz);
    CAPTURE(c, hz, isReferenceA, stop.f(), angleOf(arm));
    CHECK_FALSE(stop.uncoupled());
    CHECK(-stop.f() * std::cos(angleOf(arm)) == Approx(20).epsilon(byPrecision(1e-6, 1e-3)));
    world.world->removeConstraint(&hinge);
}

TEST_CASE("a hinge meets its limit at its time and bounces as Bullet's row says") {
    const double hz = GENERATE(60., 240.);
    const double bounce = GENERATE(0., 0.3, 0.8);
    TestWorld world;
    btRigidBody& door = bar(world, 0.5, 0);
    btHingeConstraint hinge(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    const double bound = -0.6;
    // The hinge's angle is the door's, or its negative.
    const double sign = hinge.getUseReferenceFrameA() ? -1 : 1;
    const auto limit = [&](double angle) { return btScalar(sign * angle); };
    hinge.setLimit(std::min(limit(bound), limit(1)), std::max(limit(bound), limit(1)), 1, btScalar(bounce), 1);
    world.world->addConstraint(&hinge);
    ForceElement& element = addThread(world, door);
    const double inertia = inertiaOf(door);
    const auto pendulum = [inertia](const Eigen::VectorXd& y) -> Eigen::VectorXd {
        return Eigen::Vector2d(y[1], -0.5 * kGravity * std::cos(y[0]) / inertia);
    };
    Eigen::VectorXd oracle = Eigen::Vector2d::Zero();
    double worst = 0;
    bool isAtRest = false;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        world.tick(1, hz);
        double left = 1 / hz;
        while (left > 0 && !isAtRest) {
            const Eigen::VectorXd next = rungeKutta(pendulum, oracle, left, 100);
            if (next[0] >= bound) {
                oracle = next;
                break;
            }
            double before = 0;
            double after = left;
            for (int k = 0; k < 50; ++k) {
                const double middle = (before + after) / 2;
                (rungeKutta(pendulum, oracle, middle, 100)[0] < bound ? after : before) = middle;
            }
            oracle = rungeKutta(pendulum, oracle, before, 100);
            oracle = Eigen::Vector2d(bound, -bounce * oracle[1]);
            left -= before;
            isAtRest = oracle[1] < 1e-3;
        }
        worst = std::max(worst, std::abs(angleOf(door) - oracle[0]));
    }
    CAPTURE(hz, bounce, worst);
    CHECK(worst < byPrecision(1e-6, 3e-4));
    CHECK_FALSE(element.uncoupled());
    CHECK(world.messages.empty());
    world.world->removeConstraint(&hinge);
}

TEST_CASE("the book closes with motors and limits in it") {
    TestWorld world;
    btRigidBody& door = bar(world, 0.5, 0);
    btHingeConstraint hinge(door, vec(-0.5, 0, 0), vec(0, 0, 1));
    hinge.setLimit(-1, 1);
    world.world->addConstraint(&hinge);
    const btQuaternion up(vec(0, 0, 1), SIMD_HALF_PI);
    world.add<ElastoGap>(door, btTransform(up, vec(0.5, 0, 0)), btTransform(up, vec(1, -0.3, 0)),
                         ElastoGapParameters{.c = 1e4, .d = 20});
    const EnergyBook before = world.plugin->energy();
    for (int i = 0; i < 10; ++i) {
        hinge.enableAngularMotor(true, i % 2 == 0 ? 5 : -5, btScalar(12. / 60));
        world.tick(30);
    }
    const EnergyBook after = world.plugin->energy();
    const double gain = after.kinetic + after.stored - before.kinetic - before.stored;
    CHECK(gain ==
          Approx(after.work + after.pushed - after.exchanged - after.damping - after.dissipated + after.numerical)
              .margin(byPrecision(1e-9, 1e-4)));
    CHECK(after.exchanged > 1);   // what the limit took
    CHECK(after.dissipated > 1);  // the stop
    CHECK(std::abs(after.numerical) < byPrecision(1e-6, 1e-2));
    CHECK(after.handedOut <= byPrecision(1e-9, 1e-5));
    world.world->removeConstraint(&hinge);
}

TEST_CASE("feedback of joints at rest is Bullet's") {
    struct Forces {
        btJointFeedback first, second;
        double impulse = 0;
    };
    const int budget = GENERATE(2000, 1);  // the passive end knows what joints do, too
    const auto run = [budget](bool withPlugin) {
        TestWorld world(withPlugin);
        if (withPlugin) world.plugin->setBudget(budget);
        world.world->getSolverInfo().m_numIterations = 1000;
        btRigidBody& upper = bar(world, 0.5, 0);
        btRigidBody& lower = world.box(2, 0.9, -0.5, 0);
        btFixedConstraint wall(upper, Placement::world(), at(-0.5, 0, 0), at(0, 0, 0));
        btPoint2PointConstraint hook(upper, lower, vec(0.4, 0, 0), vec(0, 0.5, 0));
        Forces forces;
        wall.setJointFeedback(&forces.first);
        hook.setJointFeedback(&forces.second);
        hook.enableFeedback(true);
        world.world->addConstraint(&wall, true);
        world.world->addConstraint(&hook, true);
        if (withPlugin) addThread(world, lower);
        world.tick(300);
        if (withPlugin) CHECK(world.messages.empty());
        forces.impulse = static_cast<double>(hook.getAppliedImpulse());
        world.world->removeConstraint(&wall);
        world.world->removeConstraint(&hook);
        return forces;
    };
    const Forces ours = run(true);
    const Forces plain = run(false);
    const auto check = [](const btVector3& x, const btVector3& y) {
        CHECK(static_cast<double>((x - y).length()) < byPrecision(1e-3, 0.1));
    };
    check(ours.first.m_appliedForceBodyA, plain.first.m_appliedForceBodyA);
    check(ours.first.m_appliedForceBodyB, plain.first.m_appliedForceBodyB);
    check(ours.first.m_appliedTorqueBodyA, plain.first.m_appliedTorqueBodyA);
    check(ours.second.m_appliedForceBodyA, plain.second.m_appliedForceBodyA);
    check(ours.second.m_appliedForceBodyB, plain.second.m_appliedForceBodyB);
    check(ours.second.m_appliedTorqueBodyA, plain.second.m_appliedTorqueBodyA);
    CHECK(static_cast<double>(ours.second.m_appliedForceBodyB.y()) ==
          Approx(2 * kGravity).epsilon(byPrecision(1e-6, 1e-4)));
    CHECK(static_cast<double>(ours.first.m_appliedForceBodyA.y()) ==
          Approx(3 * kGravity).epsilon(byPrecision(1e-6, 1e-4)));
    CHECK(ours.impulse == Approx(plain.impulse).margin(byPrecision(1e-5, 1e-3)));
}

TEST_CASE("a joint breaks under the load at which Bullet's breaks") {
    const auto brokenAfter = [](bool withPlugin, double load) {
        TestWorld world(withPlugin);
        btRigidBody& mass = world.ball(1, 0, 0, 0);
        btPoint2PointConstraint hook(mass, vec(0, 0, 0));
        hook.setBreakingImpulseThreshold(btScalar(2 * kGravity / 60));
        world.world->addConstraint(&hook);
        ForceElement* element = withPlugin ? &addThread(world, mass) : nullptr;
        int ticks = 0;
        while (hook.isEnabled() && ticks < 100) {
            ++ticks;
            mass.applyCentralForce(vec(0, -load * ticks, 0));
            world.tick();
        }
        if (element != nullptr) CHECK_FALSE(element->uncoupled());
        world.tick(30);
        CHECK((heightOf(mass) < -1) == (ticks < 100));
        world.world->removeConstraint(&hook);
        return ticks;
    };
    CHECK(brokenAfter(true, 0) == 100);
    CHECK(brokenAfter(true, 0.25) == brokenAfter(false, 0.25));
    CHECK(brokenAfter(true, 0.25) == 40);  // 0.25 n >= 9.80665
}

TEST_CASE("a joint to a driven body follows it") {
    // A cart that is driven to and fro carries a pendulum, whose elements hang on the joint.
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    btRigidBody& cart = world.body(0, new btBoxShape(vec(0.1, 0.1, 0.1)), at(0, 0, 0));
    cart.setCollisionFlags(cart.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    btPoint2PointConstraint joint(mass, cart, vec(0, 1, 0), vec(0, 0, 0));
    world.world->addConstraint(&joint, true);
    ForceElement& element = addThread(world, mass);
    struct Drive : btMotionState {
        btTransform pose = at(0, 0, 0);
        void getWorldTransform(btTransform& transform) const override { transform = pose; }
        void setWorldTransform(const btTransform&) override {}
    } drive;
    cart.setMotionState(&drive);
    world.tick(1, hz);
    double worst = 0;
    double x = 0;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
        const double speed = 0.5 * std::sin(6 * i / hz);  // constant over the tick
        x += speed / hz;
        drive.pose.setOrigin(vec(x, 0, 0));
        world.tick(1, hz);
        const btVector3 hook = mass.getWorldTransform() * vec(0, 1, 0);
        worst = std::max(worst, static_cast<double>((hook - vec(x, 0, 0)).length()));
    }
    CAPTURE(hz, worst);
    CHECK_FALSE(element.uncoupled());
    CHECK(worst < byPrecision(1e-9, 1e-5));
    const EnergyBook book = world.plugin->energy();
    CHECK(std::abs(book.numerical) < byPrecision(1e-7, 1e-3));
    CHECK(book.work > 0.001);
    cart.setMotionState(nullptr);
    world.world->removeConstraint(&joint);
}

TEST_CASE("a gear between two wheels carries an element's moment over") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& small = world.box(1, 0, 0, 0);
    btRigidBody& large = world.box(4, 1, 0, 0, 0.2);
    btHingeConstraint smallAxle(small, vec(0, 0, 0), vec(0, 0, 1));
    btHingeConstraint largeAxle(large, vec(0, 0, 0), vec(0, 0, 1));
    btGearConstraint gear(small, large, vec(0, 0, 1), vec(0, 0, 1), 2);
    for (btTypedConstraint* joint :
         {static_cast<btTypedConstraint*>(&smallAxle), static_cast<btTypedConstraint*>(&largeAxle),
          static_cast<btTypedConstraint*>(&gear)}) {
        world.world->addConstraint(joint, true);
    }
    auto& spring =
        world.add<RotationalSpringDamper>(large, at(0, 0, 0), at(1, 0, 0), SpringDamperParameters{.c = 2, .d = 0});
    small.setAngularVelocity(vec(0, 0, -4));
    large.setAngularVelocity(vec(0, 0, 2));
    world.tick(60);
    CHECK_FALSE(spring.uncoupled());
    CHECK(static_cast<double>(small.getAngularVelocity().z()) ==
          Approx(-2 * static_cast<double>(large.getAngularVelocity().z())).margin(byPrecision(1e-12, 1e-5)));
    world.world->removeConstraint(&gear);
    world.world->removeConstraint(&smallAxle);
    world.world->removeConstraint(&largeAxle);
}

TEST_CASE("limits that joints stand at without a force are not hit again and again") {
    const double hz = GENERATE(60., 240.);
    const bool falls = GENERATE(false, true);
    TestWorld world;
    if (!falls) world.world->setGravity(vec(0, 0, 0));
    std::vector<std::unique_ptr<btHingeConstraint>> hinges;
    btRigidBody* first = nullptr;
    btRigidBody* last = nullptr;
    for (int i = 0; i < 5; ++i) {
        btRigidBody& limb = world.body(2, new btBoxShape(vec(0.05, 0.15, 0.05)), at(0, -0.3 * i, 0));
        if (last != nullptr) {
            hinges.push_back(std::make_unique<btHingeConstraint>(*last, limb, vec(0, -0.15, 0), vec(0, 0.15, 0),
                                                                 vec(0, 0, 1), vec(0, 0, 1)));
            hinges.back()->setLimit(0, 2);
            world.world->addConstraint(hinges.back().get(), true);
        }
        if (i == 1) first = last;
        last = &limb;
        if (i == 1) {
            world.add<SpringDamperParallel>(*first, limb, vec(-0.05, 0, 0), vec(-0.05, 0, 0),
                                            SpringDamperParameters{.c = 100, .d = 1, .s_rel0 = 0.319});
        }
    }
    std::int64_t passive = 0, steps = 0;
    for (int i = 0; i < 60; ++i) {
        world.tick(1, hz);
        passive += world.plugin->statistics().fallbacks;
        steps += world.plugin->statistics().steps;
    }
    CAPTURE(hz, falls);
    CHECK(passive == 0);
    CHECK(steps < 4 * 60);
    for (const auto& hinge : hinges) {
        CHECK(double(hinge->getHingeAngle()) == Approx(0).margin(byPrecision(1e-9, 1e-5)));
        world.world->removeConstraint(hinge.get());
    }
}
