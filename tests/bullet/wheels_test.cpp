// Cylinders that lie on a floor and roll: Bullet finds their line of contact in pieces, here and there.

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace wheels_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kRadius = 0.4;

btCollisionShape* wheelShape(bool isSphere) {
    if (isSphere) return new btSphereShape(btScalar(kRadius));
    return new btCylinderShapeZ(vec(kRadius, kRadius, 0.12));
}

// Four wheels under springs and dampers; the rear ones have motors.
struct Car {
    static constexpr double kMass = 800, kWheelMass = 20, kTorque = 300, kTopSpeed = 15;  // [kg, N.m, rad/s]

    Car(TestWorld& itsWorld, bool hasSpheres)
        : world(itsWorld), chassis(world.body(kMass, new btBoxShape(vec(2, 0.3, 0.8)), at(0, 0.9, 0))) {
        for (int i = 0; i < 4; ++i) {
            const btVector3 place = vec(i < 2 ? -1.4 : 1.4, 0.45, i % 2 == 0 ? -0.9 : 0.9);
            btRigidBody& wheel =
                world.body(kWheelMass, wheelShape(hasSpheres), at(double(place.x()), 0.45, double(place.z())));
            wheel.setFriction(1);
            btVector3 anchor = place, up = vec(0, 1, 0), axle = vec(0, 0, 1);
            auto joint = std::make_unique<btHinge2Constraint>(chassis, wheel, anchor, up, axle);
            joint->setLowerLimit(0);
            joint->setUpperLimit(0);
            joint->enableSpring(2, false);
            joint->setLimit(2, btScalar(-0.3), btScalar(0.3));
            if (i < 2) {
                joint->enableMotor(3, true);
                joint->setMaxMotorForce(3, btScalar(kTorque));
                joint->setTargetVelocity(3, btScalar(kTopSpeed));
            }
            world.world->addConstraint(joint.get(), true);
            joints.push_back(std::move(joint));
            world.add<SpringDamperParallel>(chassis, wheel, place - vec(0, 0.4, 0), vec(0, 0, 0),
                                            SpringDamperParameters{.c = 2e4, .d = 1500, .s_rel0 = 0.6});
        }
    }
    ~Car() {
        for (const auto& joint : joints) world.world->removeConstraint(joint.get());
    }

    double speed() const { return double(chassis.getLinearVelocity().x()); }

    TestWorld& world;
    btRigidBody& chassis;
    std::vector<std::unique_ptr<btHinge2Constraint>> joints;
};

}  // namespace

TEST_CASE("a car on wheels drives as its motors drive it", "[slow]") {
    const bool hasSpheres = GENERATE(false, true);
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.body(0, new btBoxShape(vec(100, 1, 100)), at(0, -1, 0)).setFriction(1);
    Car car(world, hasSpheres);
    const auto drive = [&](double time) { world.tick(static_cast<int>(time * hz), hz); };
    drive(1);
    const double before = car.speed();
    drive(2);
    CAPTURE(hasSpheres, hz, world.plugin->totals().implicit);
    const double turning = (hasSpheres ? 0.4 : 0.5) * Car::kWheelMass;  // J/r^2
    const double acceleration = 2 * Car::kTorque / kRadius / (Car::kMass + 4 * (Car::kWheelMass + turning));
    CHECK((car.speed() - before) / 2 == Approx(acceleration).epsilon(3e-3));
    drive(3);
    CHECK(car.speed() == Approx(Car::kTopSpeed * kRadius).epsilon(1e-4));
    CHECK(double(car.chassis.getWorldTransform().getOrigin().z()) == Approx(0).margin(0.01));
    CHECK(world.plugin->totals().elementsPerMethod[static_cast<std::size_t>(FlowMethod::BackwardEuler)] == 0);
}

TEST_CASE("a ball rolls down a ground of a kilometre as down a small one") {
    const double half = GENERATE(20., 100., 500.);
    const double along = GENERATE(0., -0.8);  // of half the ground: where it starts
    constexpr double kSlope = 0.3, kRadius = 0.2;
    CAPTURE(half, along);
    TestWorld world;
    const btTransform tilt(btQuaternion(vec(0, 0, 1), btScalar(-kSlope)), vec(0, 0, 0));
    world.body(0, new btBoxShape(vec(half, 0.5, half)), tilt).setFriction(1);
    const btVector3 place = tilt * vec(along * half, 0.5 + kRadius, -0.3 * along * half);
    btRigidBody& ball = world.body(1, new btSphereShape(btScalar(kRadius)), at(place.x(), place.y(), place.z()));
    ball.setFriction(1);
    addThread(world, ball);
    world.tick(120);
    const double v = 5. / 7 * TestWorld::kGravity * std::sin(kSlope) * 2;
    CHECK(double(ball.getLinearVelocity().length()) == Approx(v).epsilon(byPrecision(1e-6, 1e-4)));
}

}  // namespace wheels_test
