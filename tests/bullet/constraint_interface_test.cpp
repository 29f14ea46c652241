// The element as one of Bullet's constraints: feedback, breaking, enabling, parameters, serialization, joint limits.

#include <LinearMath/btSerializer.h>

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("joint feedback holds the mean force and its moment about each body") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& a = world.ball(1, 0, 0, 0);
    btRigidBody& b = world.ball(1, 1, 0.2, 0);
    for (btRigidBody* body : {&a, &b}) {  // hardly turns in a tick
        body->setMassProps(1, vec(10, 10, 10));
        body->updateInertiaTensor();
    }
    auto& spring = world.add<SpringDamperParallel>(Placement::alongAxis(a, b, at(0, 0, 0), at(0, 0.1, 0)),
                                                   SpringDamperParameters{.c = 50, .d = 0, .s_rel0 = 0});
    btJointFeedback feedback;
    spring.setJointFeedback(&feedback);
    spring.enableFeedback(true);
    world.tick();
    const double h = 1.0 / 60;
    CHECK(static_cast<double>(feedback.m_appliedForceBodyA.x()) == Approx(spring.meanForce()).epsilon(1e-3));
    CHECK(static_cast<double>(feedback.m_appliedForceBodyB.x()) == Approx(-spring.meanForce()).epsilon(1e-3));
    CHECK(static_cast<double>(feedback.m_appliedForceBodyA.x()) * h ==
          Approx(static_cast<double>(a.getLinearVelocity().x())).epsilon(1e-5));
    // About A: arm (1, 0.3) x (F, 0); about B: arm (0, 0.1) x (-F, 0).
    CHECK(static_cast<double>(feedback.m_appliedTorqueBodyA.z()) == Approx(-0.3 * spring.meanForce()).epsilon(1e-2));
    CHECK(static_cast<double>(feedback.m_appliedTorqueBodyB.z()) == Approx(0.1 * spring.meanForce()).epsilon(1e-2));
    CHECK(static_cast<double>(spring.getAppliedImpulse()) == Approx(spring.impulse()));
    spring.setEnabled(false);
    world.tick();
    CHECK(feedback.m_appliedForceBodyA.isZero());
}

TEST_CASE("joint feedback of a torque") {
    TestWorld world;
    btRigidBody& wheel = world.ball(1, 0, 0, 0);
    auto& spring = world.add<RotationalSpringDamper>(wheel, btTransform::getIdentity(),
                                                     SpringDamperParameters{.c = 1, .d = 0, .s_rel0 = 0.5});
    btJointFeedback feedback;
    spring.setJointFeedback(&feedback);
    world.tick();
    CHECK(spring.meanForce() < 0);
    CHECK(static_cast<double>(feedback.m_appliedTorqueBodyB.z()) == Approx(-spring.meanForce()));
    CHECK(static_cast<double>(feedback.m_appliedTorqueBodyA.z()) == Approx(spring.meanForce()));
    CHECK(feedback.m_appliedForceBodyB.isZero());
}

TEST_CASE("an element breaks when its impulse in a tick reaches the threshold") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, -1, 0);
    auto& spring = world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 0, 0),
                                                   SpringDamperParameters{.c = 1e4, .d = 50, .s_rel0 = 1});
    spring.setBreakingImpulseThreshold(btScalar(0.5));  // 30 N at 60 Hz
    world.tick(300);
    CHECK(spring.isEnabled());
    mass.applyCentralForce(vec(0, -30, 0));
    world.tick();
    world.tick();
    mass.applyCentralImpulse(vec(0, -1, 0));
    world.tick();
    CHECK_FALSE(spring.isEnabled());
    const double v = climbOf(mass);
    world.tick();
    CHECK(climbOf(mass) == Approx(v - TestWorld::kGravity / 60).epsilon(1e-5));
}

TEST_CASE("a disabled element does not act at all, and starts again where its bodies are") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    auto& spring = world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    spring.setEnabled(false);
    world.tick(10);
    CHECK(climbOf(mass) == Approx(-TestWorld::kGravity / 6).epsilon(1e-5));
    CHECK(world.plugin->statistics().elements == 0);
    const double y = heightOf(mass);
    spring.setEnabled(true);
    CHECK(spring.f() == Approx(-100 * y).epsilon(1e-5));
    world.tick();
    CHECK(world.plugin->statistics().elements == 1);
}

TEST_CASE("an element has none of Bullet's parameters and is not serialized") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    auto& spring = world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    CHECK(spring.getConstraintType() == MAX_CONSTRAINT_TYPE);
    CHECK(spring.getUserConstraintType() == kForceElementType);
    CHECK_THROWS_WITH(spring.setParam(BT_CONSTRAINT_ERP, 1), Catch::Contains("setParameters"));
    CHECK_THROWS_WITH(spring.getParam(BT_CONSTRAINT_CFM), Catch::Contains("none of Bullet's"));
    btDefaultSerializer serializer;
    std::vector<char> buffer(static_cast<std::size_t>(spring.calculateSerializeBufferSize()));
    CHECK(buffer.size() == sizeof(btTypedConstraintData2));
    CHECK_THROWS_WITH(spring.serialize(buffer.data(), &serializer), Catch::Contains(".bullet"));
    CHECK_THROWS_AS(world.world->serialize(&serializer), std::logic_error);
    serializer.finishSerialization();  // frees what the world had written
    btTypedConstraint::btConstraintInfo1 info{9, 9};
    spring.getInfo1(&info);
    CHECK(info.m_numConstraintRows == 0);
    spring.setUserConstraintType(7);  // the user's to use
    world.tick();
    CHECK(world.plugin->statistics().elements == 1);
}

TEST_CASE("a hinge's limits become stops at the same angles") {
    const bool refersToA = GENERATE(true, false);
    const double side = GENERATE(1.0, -1.0);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& arm = world.box(1, 0.5, 0, 0);
    btHingeConstraint hinge(base, arm, vec(0, 0, 0), vec(-0.5, 0, 0), vec(0, 0, 1), vec(0, 0, 1), refersToA);
    hinge.setLimit(btScalar(-0.4), btScalar(0.7));
    world.world->addConstraint(&hinge, true);
    StopPair stops = ElastoGap::fromHingeLimit(hinge, 3000, 10);
    hinge.setLimit(1, -1);
    world.world->addConstraint(stops.lower.get(), true);
    world.world->addConstraint(stops.upper.get(), true);
    arm.setLinearVelocity(vec(0, 0.5 * side, 0));
    arm.setAngularVelocity(vec(0, 0, side));
    double lowest = 0;
    double highest = 0;
    int touchedLower = 0;
    int touchedUpper = 0;
    for (int i = 0; i < 600; ++i) {
        world.tick(1, 240);
        const auto angle = static_cast<double>(hinge.getHingeAngle());
        lowest = std::min(lowest, angle);
        highest = std::max(highest, angle);
        touchedLower += stops.lower->contact() ? 1 : 0;
        touchedUpper += stops.upper->contact() ? 1 : 0;
        if (std::fabs(angle) > 0.01 && angle > -0.39 && angle < 0.69) {
            CHECK_FALSE(stops.lower->contact());
            CHECK_FALSE(stops.upper->contact());
        }
    }
    CAPTURE(refersToA, side, lowest, highest);
    CHECK(touchedLower + touchedUpper > 0);
    CHECK(lowest > -0.45);
    CHECK(highest < 0.75);
    CHECK_THROWS_WITH(ElastoGap::fromHingeLimit(hinge, 1, 1), Catch::Contains("no limits"));
    world.world->removeConstraint(stops.lower.get());
    world.world->removeConstraint(stops.upper.get());
    world.world->removeConstraint(&hinge);
}

TEST_CASE("a slider's limits become stops at the same positions") {
    const bool refersToA = GENERATE(true, false);
    const double side = GENERATE(1.0, -1.0);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& cart = world.box(1, 0, 0, 0);
    btSliderConstraint slider(base, cart, at(0, 0, 0), at(0, 0, 0), refersToA);
    slider.setLowerLinLimit(btScalar(-0.2));
    slider.setUpperLinLimit(btScalar(0.3));
    world.world->addConstraint(&slider, true);
    StopPair stops = ElastoGap::fromSliderLimit(slider, 1e4, 20);
    slider.setLowerLinLimit(1);
    slider.setUpperLinLimit(-1);
    world.world->addConstraint(stops.lower.get(), true);
    world.world->addConstraint(stops.upper.get(), true);
    cart.setLinearVelocity(vec(side, 0, 0));
    double lowest = 0;
    double highest = 0;
    for (int i = 0; i < 480; ++i) {
        world.tick(1, 240);
        // getLinearPos() is that of the tick's start.
        const double position = (refersToA ? 1 : -1) * static_cast<double>(cart.getWorldTransform().getOrigin().x());
        lowest = std::min(lowest, position);
        highest = std::max(highest, position);
        if (position > -0.199 && position < 0.299) {
            CHECK_FALSE(stops.lower->contact());
            CHECK_FALSE(stops.upper->contact());
        }
        if (stops.lower->contact()) {
            CHECK(position < -0.199);
        }
        if (stops.upper->contact()) {
            CHECK(position > 0.299);
        }
    }
    CAPTURE(refersToA, side, lowest, highest);
    CHECK(lowest > -0.25);
    CHECK(highest < 0.35);
    CHECK(std::min(0.3 - highest, lowest + 0.2) < 0.01);
    CHECK_THROWS_WITH(ElastoGap::fromSliderLimit(slider, 1, 1), Catch::Contains("no limits"));
    world.world->removeConstraint(stops.lower.get());
    world.world->removeConstraint(stops.upper.get());
    world.world->removeConstraint(&slider);
}
