// What rubs on a motor before its gear, against closed forms; in joint coordinates and among bodies.

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "multibody_momentum.h"
#include "multibody_world.h"
#include "pressing_arm.h"

namespace multibody_motor_friction_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

constexpr double kInertia = 1e-4;   // of the rotor [kg.m^2]
constexpr double kFriction = 0.02;  // on it [N.m]

/// Keeps a multibody from being solved in joint coordinates alone.
void keepAmongBodies(MultiBodyWorld& world, btMultiBody& body) {
    world.element(
        LinkPlacement::alongAxis(Flange::world(), Flange(body, 0), at(0, -100, 0), btTransform::getIdentity()),
        ElastoGapLaw({.c = 1e3, .d = 0, .s_rel0 = -1000}));
}

/// A motor behind its gear on a bar; nothing pulls at it but what the test adds.
struct Motor {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    MultiBodyElement* drive = nullptr;
    MultiBodyElement* friction = nullptr;

    Motor(double barMass, const Law& gear, double ratio, const FrictionParameters& rubs, bool isAmongBodies) {
        world.world->setGravity(vec(0, 0, 0));
        world.bar(body, 0, -1, barMass, 1, vec(0, 0, 0));
        world.add(body);
        drive = &world.element(Drive{.body = &body, .link = 0, .inertia = kInertia, .ratio = ratio}, gear);
        friction = &world.element(RotorCoordinate{drive}, FrictionLaw(rubs));
        if (isAmongBodies) keepAmongBodies(world, body);
    }
};

/// A bar on a turning bar, or what slides along it, behind a motor that swings it and rubs.
struct OnTurningParent {
    OnTurningParent(bool slides, double ratio, bool isAmongBodies) : body(world.multiBody(2)) {
        world.bar(body, 0, -1, 1, 1, vec(0, 0, 0));
        if (slides) {
            body.setupPrismatic(1, btScalar(0.5), vec(0.02, 0.03, 0.04), 0, btQuaternion::getIdentity(), vec(1, 0, 0),
                                vec(0.5, 0, 0), vec(0.2, 0, 0), true);
        } else {
            world.bar(body, 1, 0, 0.5, 0.4, vec(0.5, 0, 0));
        }
        world.add(body);
        drive = &world.element(Drive{.body = &body, .link = 1, .inertia = 1e-4, .ratio = ratio},
                               ElastoBacklashLaw({.c = 1e4, .d = 50, .b = 0.01}));
        drive->setMotorTorque([](double t) { return 0.05 * std::sin(9 * t); });
        friction = &world.element(
            RotorCoordinate{drive},
            FrictionLaw({.F_Coulomb = 0.01, .F_prop = 1e-5, .F_Stribeck = 0.005, .fexp = 0.1, .peak = 1.1}));
        if (isAmongBodies) keepAmongBodies(world, body);
    }

    MultiBodyWorld world;
    btMultiBody& body;
    MultiBodyElement* drive = nullptr;
    MultiBodyElement* friction = nullptr;
};

}  // namespace

TEST_CASE("a motor in its play coasts for J w / tau until its friction stops it") {
    const bool isAmongBodies = GENERATE(false, true);
    const double ratio = GENERATE(1., -80.);
    const double hz = GENERATE(60., 240., 1000.);
    CAPTURE(isAmongBodies, ratio, hz);
    Motor motor(1, ElastoBacklashLaw({.c = 1e3, .d = 0, .b = 4000}), ratio, {.F_Coulomb = kFriction}, isAmongBodies);
    const double w = 100;
    motor.drive->setMotor(0, w);
    const double stop = kInertia * w / kFriction;  // 0.5 s
    motor.world.tick(static_cast<int>(0.4 * hz), hz);
    CHECK(motor.drive->motorSpeed() == Approx(w * (1 - 0.4 / stop)).epsilon(1e-6));
    CHECK(motor.friction->w_rel() == motor.drive->motorSpeed());
    CHECK(motor.friction->tau() == Approx(kFriction));
    CHECK(motor.friction->meanForce() == Approx(kFriction).epsilon(1e-6));
    CHECK(motor.friction->dissipatedPower() == Approx(kFriction * motor.drive->motorSpeed()));
    motor.world.tick(static_cast<int>(0.2 * hz), hz);
    CHECK(std::abs(motor.drive->motorSpeed()) < 1e-6);
    CHECK(motor.drive->motorAngle() == Approx(w * stop / 2).epsilon(1e-6));
    CHECK(motor.friction->phi_rel() == motor.drive->motorAngle());
    CHECK(motor.friction->contact());
    const double energy = kInertia * w * w / 2;
    CHECK(motor.friction->heat() == Approx(energy).epsilon(1e-6));
    const EnergyBook book = motor.world.plugin->energy();
    CHECK(book.dissipated == Approx(energy).epsilon(1e-6));
    CHECK(std::abs(book.numerical) < 1e-6 * energy);
    CHECK(motor.world.messages.empty());
}

TEST_CASE("a motor on a spring moves when its torque exceeds the friction, and stays where it turns back") {
    const bool isAmongBodies = GENERATE(false, true);
    const double ratio = GENERATE(1., -50.);
    const double hz = GENERATE(60., 1000.);
    CAPTURE(isAmongBodies, ratio, hz);
    const double stiffness = 2;  // of the gear, on the motor's side [N.m/rad]
    Motor motor(1e9, SpringDamperLaw({.c = stiffness * ratio * ratio, .d = 0}), ratio, {.F_Coulomb = kFriction},
                isAmongBodies);
    motor.drive->setMotorTorque(0.99 * kFriction);
    motor.world.tick(static_cast<int>(0.5 * hz), hz);
    CHECK(motor.drive->motorAngle() == Approx(0).margin(1e-12));
    CHECK(motor.friction->tau() == Approx(0.99 * kFriction));
    // Half a swing of the rotor on its spring, about where the torque without friction would hold it.
    motor.drive->setMotorTorque(1.4 * kFriction);
    motor.world.tick(static_cast<int>(0.5 * hz), hz);
    const double end = 2 * (1.4 - 1) * kFriction / stiffness;
    CHECK(motor.drive->motorAngle() == Approx(end).epsilon(1e-6));
    CHECK(motor.friction->heat() == Approx(kFriction * end).epsilon(1e-5));
    motor.drive->setMotorTorque(0);
    motor.world.tick(static_cast<int>(0.5 * hz), hz);
    CHECK(motor.drive->motorAngle() == Approx(end).epsilon(1e-6));
    CHECK(motor.friction->tau() == Approx(-stiffness * end).epsilon(1e-5));
}

TEST_CASE("a motor that rubs on a spring has a hysteresis of twice its friction over the stiffness") {
    const bool isAmongBodies = GENERATE(false, true);
    const double ratio = 50, stiffness = 2;
    Motor motor(1e9, SpringDamperLaw({.c = stiffness * ratio * ratio, .d = 0.02 * ratio * ratio}), ratio,
                {.F_Coulomb = kFriction}, isAmongBodies);
    // Up to five times the friction, and back.
    motor.drive->setMotorTorque([](double t) { return 5 * kFriction * (t < 5 ? t / 5 : 2 - t / 5); }, breaksAt({5}));
    const auto angleAt = [&](double t) {
        motor.world.tick(static_cast<int>(std::lround((t - motor.world.plugin->time()) * 240)), 240);
        return motor.drive->motorAngle();
    };
    const double up = angleAt(3), down = angleAt(7);                      // the same torque
    CHECK(down - up == Approx(2 * kFriction / stiffness).epsilon(0.03));  // it lags by d w
    CHECK(up == Approx((3 - 1) * kFriction / stiffness).epsilon(0.03));
}

TEST_CASE("friction on a motor behind a rigid gear is that of the joint over the ratio") {
    const bool isAmongBodies = GENERATE(false, true);
    const double ratio = GENERATE(20., -20.);
    CAPTURE(isAmongBodies, ratio);
    const auto swing = [&](bool isOnMotor) {
        MultiBodyWorld world;
        btMultiBody& body = world.multiBody(1);
        MultiBodyWorld::bar(body, 0, -1, 1, 0.6, vec(0, 0, 0));
        world.add(body);
        const auto& drive = world.element(Drive{.body = &body, .link = 0, .inertia = kInertia, .ratio = ratio},
                                          SpringDamperLaw({.c = 1e6, .d = 200}));
        const FrictionParameters slow = {.F_Coulomb = 0.01, .F_prop = 2e-4, .F_Stribeck = 0.01, .fexp = 0.05};
        const double r = std::abs(ratio);
        const FrictionParameters joint = {.F_Coulomb = slow.F_Coulomb * r,
                                          .F_prop = slow.F_prop * r * r,
                                          .F_Stribeck = slow.F_Stribeck * r,
                                          .fexp = slow.fexp * r};
        const auto& friction = isOnMotor ? world.element(RotorCoordinate{&drive}, FrictionLaw(slow))
                                         : world.element(JointCoordinate{&body, 0}, FrictionLaw(joint));
        if (isAmongBodies) keepAmongBodies(world, body);
        world.tick(240, 240);
        return std::pair(drive.linkAngle(), friction.heat());
    };
    const auto [angle, heat] = swing(true);
    const auto [sameAngle, sameHeat] = swing(false);
    CHECK(angle == Approx(sameAngle).epsilon(1e-5));
    CHECK(heat == Approx(sameHeat).epsilon(1e-4));
    CHECK(heat > 0.3);
}

TEST_CASE("a motor that rubs on a turning link moves alike in joint coordinates and among bodies") {
    const bool slides = GENERATE(false, true);
    const double ratio = GENERATE(80., -80.);
    OnTurningParent inCoordinates(slides, ratio, false), amongBodies(slides, ratio, true);
    double apart = 0, largest = 0;
    for (int i = 0; i < 60; ++i) {
        inCoordinates.world.tick(1, 120);
        amongBodies.world.tick(1, 120);
        for (const int link : {0, 1}) {
            const auto q = static_cast<double>(inCoordinates.body.getJointPos(link));
            apart = std::max(apart, std::abs(static_cast<double>(amongBodies.body.getJointPos(link)) - q));
            largest = std::max(largest, std::abs(q));
        }
        apart = std::max(apart, std::abs(amongBodies.drive->motorAngle() - inCoordinates.drive->motorAngle()) / 80);
    }
    CAPTURE(slides, ratio, apart, largest);
    CHECK(apart < byPrecision(2e-5, 2e-3));
    CHECK(largest > 0.3);
    CHECK(amongBodies.friction->heat() == Approx(inCoordinates.friction->heat()).epsilon(byPrecision(1e-4, 1e-2)));
    CHECK(inCoordinates.friction->heat() > 0.1);
    CHECK(amongBodies.world.messages.empty());
    CHECK(amongBodies.world.plugin->totals().uncoupled == 0);
}

TEST_CASE("a satellite takes the momentum of a wheel that its bearings stop") {
    const bool isAmongBodies = GENERATE(false, true);
    const double ratio = GENERATE(1., -30.);
    const double hz = GENERATE(60., 240.);
    CAPTURE(isAmongBodies, ratio, hz);
    MultiBodyWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btMultiBody& body = world.multiBody(1, false, 5, vec(0.1, 0.15, 0.12));
    body.setupRevolute(0, 1, vec(0.004, 0.004, 0.006), -1, btQuaternion::getIdentity(), vec(0, 0, 1), vec(0.1, 0, 0),
                       vec(0, 0, 0), true);
    world.add(body);
    body.setBaseOmega(vec(0.3, 0.2, 0));
    const double inertia = 2e-3;
    auto& drive = world.element(Drive{.body = &body, .link = 0, .inertia = inertia, .ratio = ratio},
                                ElastoBacklashLaw({.c = 1e3, .d = 0, .b = 4000}));
    auto& friction = world.element(RotorCoordinate{&drive}, FrictionLaw({.F_Coulomb = 0.05}));
    if (isAmongBodies) keepAmongBodies(world, body);
    drive.setMotor(0, 20);
    const auto momentNow = [&] {
        const btQuaternion turn = body.getWorldToBaseRot().inverse();
        const Vector3d axis =
            Eigen::Quaterniond(turn.w(), turn.x(), turn.y(), turn.z()).normalized() * Vector3d::UnitZ();
        return Vector3d(momentumOf(body).angular +
                        inertia * (axis.dot(eigen(body.getBaseOmega())) + drive.motorSpeed()) * axis);
    };
    const Vector3d before = momentNow();
    world.tick(static_cast<int>(1.5 * hz), hz);
    CHECK(std::abs(drive.motorSpeed()) < 1e-6);
    CHECK(std::abs(friction.s_damper()) <= 1);  // it sticks
    CHECK((momentNow() - before).norm() < byPrecision(1e-5, 1e-4) * before.norm());
    CHECK(world.messages.empty());
}

TEST_CASE("a motor that rubs presses its link on the floor with what friction leaves of its torque") {
    MultiBodyWorld world;
    const double ratio = kPressingRatio, torque = 0.1;
    MultiBodyElement& drive = addPressingArm(world);
    MultiBodyElement& friction = world.element(RotorCoordinate{&drive}, FrictionLaw({.F_Coulomb = kFriction}));
    drive.setMotorTorque(torque);
    int told = 0;  // that it sticks and gives way is no contact
    friction.onContactBegin([&](MultiBodyElement&, const ContactInfo&) { ++told; });
    friction.onContactEnd([&](MultiBodyElement&, const ContactInfo&) { ++told; });
    world.tick(300);
    CHECK(told == 0);
    CHECK(besideGrades(world.messages) == std::vector<std::string>());
    CHECK(drive.contact());
    CHECK(std::abs(drive.motorSpeed()) < 1e-6);
    CHECK(friction.contact());
    CHECK(std::abs(friction.meanForce()) <= kFriction * (1 + 1e-6));
    CHECK(drive.tau() / ratio + torque == Approx(friction.meanForce()).margin(byPrecision(1e-5, 1e-4)));
    // Friction holds the wound up spring when the motor is off.
    drive.setMotorTorque(0);
    world.tick(60);
    CHECK(std::abs(drive.tau() / ratio) == Approx(kFriction).epsilon(0.5));
    CHECK(drive.tau() / ratio == Approx(friction.meanForce()).margin(byPrecision(1e-5, 1e-4)));
}

TEST_CASE("a brake on a motor lets go inside a tick") {
    const bool isAmongBodies = GENERATE(false, true);
    Motor motor(1, ElastoBacklashLaw({.c = 1e3, .d = 0, .b = 4000}), 10, {.F_Coulomb = 1}, isAmongBodies);
    motor.drive->setMotorTorque(0.01);
    const double release = 0.5 + 0.4 / 60;
    motor.friction->setF_normalized([release](double t) { return t < release ? 1. : 0.; }, breaksAt({release}));
    motor.world.tick(30);
    CHECK(motor.drive->motorAngle() == Approx(0).margin(1e-12));
    motor.world.tick(30);
    CHECK(motor.drive->motorSpeed() == Approx(0.01 / kInertia * (1 - release)).epsilon(1e-6));
}

TEST_CASE("what rubs on a motor is saved and goes on, and ends with the drive") {
    const bool isAmongBodies = GENERATE(false, true);
    CAPTURE(isAmongBodies);
    OnTurningParent robot(false, 80, isAmongBodies);
    robot.world.tick(40, 120);
    const WorldSnapshot snapshot = robot.world.plugin->saveWorld();
    robot.world.tick(60, 120);
    const double angle = robot.drive->motorAngle(), heat = robot.friction->heat();
    robot.world.plugin->restoreWorld(snapshot);
    robot.world.tick(60, 120);
    CHECK(robot.drive->motorAngle() == angle);
    CHECK(robot.friction->heat() == heat);

    robot.drive->setEnabled(false);  // its rotor stays as it is
    robot.world.tick(10, 120);
    CHECK(robot.friction->heat() == heat);
    CHECK(robot.friction->tau() == 0);
    robot.drive->setEnabled(true);
    robot.world.tick(10, 120);
    CHECK(robot.friction->heat() > heat);
}

TEST_CASE("the order in which a motor and its friction are added does not matter") {
    const auto run = [](bool isFrictionFirst) {
        MultiBodyWorld world;
        btMultiBody& body = world.multiBody(1);
        MultiBodyWorld::bar(body, 0, -1, 1, 0.6, vec(0, 0, 0));
        world.add(body);
        const Drive placed{.body = &body, .link = 0, .inertia = kInertia, .ratio = 20};
        auto drive = std::make_unique<MultiBodyElement>(placed, SpringDamperLaw({.c = 1e3, .d = 1}));
        auto friction =
            std::make_unique<MultiBodyElement>(RotorCoordinate{drive.get()}, FrictionLaw({.F_Coulomb = kFriction}));
        for (MultiBodyElement* one :
             {isFrictionFirst ? friction.get() : drive.get(), isFrictionFirst ? drive.get() : friction.get()}) {
            world.world->addMultiBodyConstraint(one);
        }
        world.tick(30);
        const double angle = drive->motorAngle();
        for (MultiBodyElement* one : {friction.get(), drive.get()}) world.world->removeMultiBodyConstraint(one);
        return angle;
    };
    CHECK(run(true) == run(false));
}

TEST_CASE("what cannot rub on a motor is refused with a message") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    MultiBodyWorld::bar(body, 0, -1, 1, 0.6, vec(0, 0, 0));
    world.add(body);
    const Law rubs = FrictionLaw({.F_Coulomb = 1});
    const Law spring = SpringDamperLaw({.c = 1, .d = 0});
    const Drive placed{.body = &body, .link = 0, .inertia = kInertia};
    auto drive = std::make_unique<MultiBodyElement>(placed, spring);
    MultiBodyElement onJoint(JointCoordinate{&body, 0}, spring);
    CHECK_THROWS_WITH(MultiBodyElement(RotorCoordinate{}, rubs), Catch::Contains("the rotor's drive is null"));
    CHECK_THROWS_WITH(MultiBodyElement(RotorCoordinate{&onJoint}, rubs),
                      Catch::Contains("the rotor's drive is an element without a motor"));
    CHECK_THROWS_WITH(MultiBodyElement(RotorCoordinate{drive.get()}, spring),
                      Catch::Contains("cannot act on a rotor (RotorCoordinate), on which Friction alone does"));
    MultiBodyElement friction(RotorCoordinate{drive.get()}, rubs);
    CHECK_THROWS_WITH(friction.setLaw(spring), Catch::Contains("cannot act on a rotor"));
    CHECK_THROWS_AS(friction.motorAngle(), std::logic_error);

    world.world->addMultiBodyConstraint(&friction);
    CHECK(check(*world.world).size() == 1);
    CHECK_THROWS_WITH(world.tick(), Catch::Contains("its drive is not in the world"));
    world.world->removeMultiBodyConstraint(&friction);
}

}  // namespace multibody_motor_friction_test
