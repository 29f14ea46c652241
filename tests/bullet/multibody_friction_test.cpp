// Dry friction in the joints of multibodies: as the same machine of rigid bodies, beside contacts, as a brake.

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "multibody_world.h"

namespace multibody_friction_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kLength = 0.6;
const FrictionParameters kShoulder{.F_Coulomb = 0.3, .F_prop = 0.02, .F_Stribeck = 0.2, .fexp = 5, .peak = 1.1};
const FrictionParameters kElbow{.F_Coulomb = 0.1};

/// A ball at the free end of a bar, in the frame of the bar's centre of mass.
btCollisionShape* ballAtEnd(std::vector<std::unique_ptr<btCollisionShape>>& shapes) {
    shapes.push_back(std::make_unique<btSphereShape>(btScalar(0.05)));
    auto* compound = new btCompoundShape;
    compound->addChildShape(at(kLength / 2, 0, 0), shapes.back().get());
    return compound;
}

/// Two bars that rub in both joints; a wall stands in the way of the second one where there is a floor.
struct Arm {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    MultiBodyElement* shoulder = nullptr;
    MultiBodyElement* elbow = nullptr;

    explicit Arm(bool hasFloor = false) {
        MultiBodyWorld::bar(body, 0, -1, 1, kLength, vec(0, 0, 0));
        MultiBodyWorld::bar(body, 1, 0, 0.5, kLength, vec(kLength / 2, 0, 0));
        if (hasFloor) {
            world.collider(body, 1, ballAtEnd(world.shapes)).setRestitution(btScalar(0.5));
            world.rigid(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, -0.7, 0)).setRestitution(1);
        }
        world.add(body);
        shoulder = &world.element(JointCoordinate{&body, 0}, FrictionLaw(kShoulder));
        elbow = &world.element(JointCoordinate{&body, 1}, FrictionLaw(kElbow));
    }
    double angle(int link) const { return static_cast<double>(body.getJointPos(link)); }
};

/// The same of rigid bodies and hinges.
struct Hinged {
    TestWorld world;
    Friction* shoulder = nullptr;
    Friction* elbow = nullptr;

    explicit Hinged(bool hasFloor = false) {
        world.world->setGravity(vec(0, -MultiBodyWorld::kGravity, 0));
        const auto bar = [&](double mass, double x, btCollisionShape* shape) -> btRigidBody& {
            btRigidBody& added = world.body(mass, shape, at(x, 0, 0));
            const double across = mass * 0.02 * 0.02 / 6, along = mass * (kLength * kLength + 0.02 * 0.02) / 12;
            added.setMassProps(btScalar(mass), vec(across, along, along));
            added.updateInertiaTensor();
            return added;
        };
        btRigidBody& first = bar(1, kLength / 2, new btSphereShape(btScalar(0.001)));
        btRigidBody& second = bar(0.5, 1.5 * kLength, ballAtEnd(world.shapes));
        second.setRestitution(btScalar(0.5));
        if (hasFloor) {
            world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, -0.7, 0)).setRestitution(1);
        }
        world.add<btHingeConstraint>(first, vec(-kLength / 2, 0, 0), vec(0, 0, 1));
        world.add<btHingeConstraint>(first, second, vec(kLength / 2, 0, 0), vec(-kLength / 2, 0, 0), vec(0, 0, 1),
                                     vec(0, 0, 1));
        shoulder = &world.add<Friction>(
            Placement::aboutAxis(Placement::world(), first, at(0, 0, 0), at(-kLength / 2, 0, 0)), kShoulder);
        elbow = &world.add<Friction>(Placement::aboutAxis(first, second, at(kLength / 2, 0, 0), at(-kLength / 2, 0, 0)),
                                     kElbow);
    }
};

/// A mass on a vertical guide.
struct Guide {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    MultiBodyElement* friction = nullptr;

    explicit Guide(const FrictionParameters& parameters) {
        body.setupPrismatic(0, 2, vec(0.1, 0.1, 0.1), -1, btQuaternion::getIdentity(), vec(0, 1, 0), vec(0, 0, 0),
                            vec(0, 0, 0), true);
        world.add(body);
        friction = &world.element(JointCoordinate{&body, 0}, FrictionLaw(parameters));
    }
    double height() const { return friction->s_rel(); }
    double speed() const { return friction->v_rel(); }
};

constexpr double kWeight = 2 * MultiBodyWorld::kGravity;

}  // namespace

TEST_CASE("two bars of a multibody that rub in their joints move as rigid bodies on hinges do") {
    const double hz = GENERATE(60., 240., 1000.);
    CAPTURE(hz);
    Arm arm;
    Hinged hinged;
    for (int tick = 0; tick < static_cast<int>(4 * hz); ++tick) {
        arm.world.tick(1, hz);
        hinged.world.tick(1, hz);
        REQUIRE(arm.shoulder->phi_rel() == Approx(hinged.shoulder->s_rel()).margin(1e-6));
        REQUIRE(arm.elbow->phi_rel() == Approx(hinged.elbow->s_rel()).margin(1e-6));
    }
    CHECK(arm.world.messages.empty());
    CHECK(arm.shoulder->heat() == Approx(hinged.shoulder->heat()).epsilon(1e-6));
    CHECK(arm.elbow->heat() == Approx(hinged.elbow->heat()).epsilon(1e-6));
    CHECK(arm.shoulder->heat() + arm.elbow->heat() > 2);
}

TEST_CASE("the motion of a multibody that rubs does not depend on the tick") {
    std::vector<double> ends;
    for (const double hz : {60., 240., 1000.}) {
        Arm arm;
        arm.world.tick(static_cast<int>(3 * hz), hz);
        ends.push_back(arm.shoulder->phi_rel());
    }
    CHECK(ends[0] == Approx(ends[2]).margin(1e-8));
    CHECK(ends[1] == Approx(ends[2]).margin(1e-8));
}

TEST_CASE("a multibody that strikes the floor rubs in its joints as rigid bodies do") {
    const double hz = GENERATE(60., 240., 1000.);
    CAPTURE(hz);
    Arm arm(true);
    Hinged hinged(true);
    int touched = 0;
    for (int tick = 0; tick < static_cast<int>(1.2 * hz); ++tick) {
        arm.world.tick(1, hz);
        hinged.world.tick(1, hz);
        if (arm.world.dispatcher.getNumManifolds() > 0 &&
            arm.world.dispatcher.getManifoldByIndexInternal(0)->getNumContacts() > 0) {
            ++touched;
        }
    }
    CHECK(touched > 0);
    // In contact friction has the force of its first speed in the tick.
    const double margin = hz < 100 ? 2e-5 : 1e-6;
    CHECK(arm.shoulder->phi_rel() == Approx(hinged.shoulder->s_rel()).margin(margin));
    CHECK(arm.elbow->phi_rel() == Approx(hinged.elbow->s_rel()).margin(margin));
    CHECK(arm.shoulder->heat() == Approx(hinged.shoulder->heat()).epsilon(1e-4));
}

TEST_CASE("a joint that rubs holds what is light, and says with how much") {
    Guide guide({.F_Coulomb = 25});
    CHECK(guide.friction->f() == 0);
    guide.world.tick(120);
    CHECK(guide.height() == Approx(0).margin(1e-15));
    CHECK(guide.friction->contact());
    CHECK(guide.friction->f() == Approx(-kWeight).epsilon(1e-6));
    CHECK(guide.friction->meanForce() == Approx(-kWeight).epsilon(1e-6));
    CHECK(guide.friction->heat() == Approx(0).margin(1e-9));
}

TEST_CASE("what is thrown up a guide of a multibody comes to rest where Coulomb says, and the books close") {
    const double hz = GENERATE(60., 240.);
    Guide guide({.F_Coulomb = 25});
    guide.body.setJointVel(0, 4);
    guide.world.tick(static_cast<int>(hz), hz);
    const double way = 0.5 * 16 * 2 / (25 + kWeight);
    CHECK(guide.height() == Approx(way).epsilon(1e-6));
    CHECK(std::abs(guide.speed()) < 1e-6);
    CHECK(guide.friction->heat() == Approx(25 * way).epsilon(1e-5));
    const EnergyBook book = guide.world.plugin->energy();
    CHECK(book.dissipated == Approx(25 * way).epsilon(1e-5));
    CHECK(0.5 * 2 * 16 + book.work == Approx(book.dissipated).epsilon(1e-5));
    CHECK(std::abs(book.numerical) < 1e-6);
}

TEST_CASE("a brake in a joint holds until it is released, inside a tick too, and lets nothing fall asleep") {
    Guide guide({.F_Coulomb = 50});
    guide.body.setCanSleep(true);
    const double release = 3.0 + 0.4 / 60;
    guide.friction->setF_normalized([release](double t) { return t < release ? 1. : 0.; }, breaksAt({release}));
    guide.world.tick(180);
    CHECK(guide.height() == Approx(0).margin(1e-15));
    guide.world.tick(1);
    CHECK(guide.speed() == Approx(-MultiBodyWorld::kGravity * 0.6 / 60).epsilon(1e-5));
    guide.world.tick(59);
    const double fall = 1 - 0.4 / 60;
    CHECK(guide.height() == Approx(-MultiBodyWorld::kGravity * fall * fall / 2).epsilon(1e-5));
    guide.friction->setF_normalized([](double) { return std::nan(""); });
    CHECK_THROWS_WITH(guide.world.tick(1), Catch::Contains("f_normalized"));
}

TEST_CASE("a saved multibody goes on as it did where it sticks and slides") {
    Guide guide({.F_Coulomb = 8, .F_Stribeck = 14, .fexp = 3, .peak = 1.2});
    guide.body.setJointVel(0, 2);
    guide.friction->setF_normalized([](double t) { return 0.8 + 0.4 * std::sin(9 * t); });
    guide.world.tick(20);
    const WorldSnapshot snapshot = guide.world.plugin->saveWorld();
    guide.world.tick(100);
    const double height = guide.height(), heat = guide.friction->heat(), stick = guide.friction->s_damper();
    guide.world.plugin->restoreWorld(snapshot);
    guide.world.tick(100);
    CHECK(guide.height() == height);
    CHECK(guide.friction->heat() == heat);
    CHECK(guide.friction->s_damper() == stick);
}

TEST_CASE("friction between a link and the world acts along their axis") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1, false, 1);
    MultiBodyWorld::bar(body, 0, -1, 1, kLength, vec(0, 0, 0));
    world.add(body);
    world.world->setGravity(vec(0, 0, 0));
    body.setBaseVel(vec(3, 0, 0));
    auto& friction =
        world.element(LinkPlacement::alongAxis(Flange::world(), Flange(body, -1), at(0, 0, 0), at(0, 0, 0)),
                      FrictionLaw({.F_Coulomb = 4}));
    world.tick(30);
    CHECK(friction.s_rel() == Approx(3 * 0.5 - 0.5 * 2 * 0.25).epsilon(1e-5));
    world.tick(90);
    CHECK(friction.s_rel() == Approx(0.5 * 9 * 2 / 4).epsilon(1e-5));
    CHECK(friction.contact());
}

TEST_CASE("friction where a multibody cannot have it is refused with a message") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    MultiBodyWorld::bar(body, 0, -1, 1, kLength, vec(0, 0, 0));
    MultiBodyWorld::bar(body, 1, 0, 1, kLength, vec(kLength / 2, 0, 0));
    world.add(body);
    const Law law = FrictionLaw({.F_Coulomb = 1});
    const Drive drive{.body = &body, .link = 0, .inertia = 1e-4};
    const auto refused = Catch::Contains("acts on one joint (JointCoordinate)");
    CHECK_THROWS_WITH(MultiBodyElement(drive, law), refused);
    CHECK_THROWS_WITH(MultiBodyElement(GearPair{{&body, 0}, {&body, 1}}, law), refused);
    CHECK_THROWS_WITH(
        MultiBodyElement(LinkPlacement::alongLine(Flange::world(), Flange(body, 1), vec(0, 2, 0), vec(0, 0, 0)), law),
        refused);
    MultiBodyElement gear(drive, SpringDamperLaw({.c = 100, .d = 1}));
    CHECK_THROWS_WITH(gear.setLaw(law), refused);
    CHECK(std::holds_alternative<SpringDamperLaw>(gear.law()));
}

}  // namespace multibody_friction_test
