// Drives and gear pairs whose multibody touches something: links are bodies then, and rotors bodies of their own.

#include <catch2/catch.hpp>

#include "multibody_world.h"
#include "pressing_arm.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A bar on a drive at the origin, with a second, idle bar behind it that a distant element keeps from being solved in
// joint coordinates alone.
class Driven {
public:
    explicit Driven(bool isAmongBodies) : m_body(world.multiBody(2)) {
        world.world->setGravity(vec(0, 0, 0));
        world.bar(m_body, 0, -1, 1, 1, vec(0, 0, 0));
        world.bar(m_body, 1, 0, 0.5, 0.4, vec(0.5, 0, 0));
        world.add(m_body);
        drive = &world.element(Drive{.body = &m_body, .link = 0, .inertia = 1e-4, .ratio = 100},
                               ElastoBacklashLaw({.c = 1e4, .d = 20, .b = 0.02}));
        drive->setMotorTorque([](double t) { return 0.02 * std::sin(9 * t); });
        world.element(JointCoordinate{&m_body, 1}, SpringDamperLaw({.c = 50, .d = 0.5}));
        if (isAmongBodies) {
            world.element(LinkPlacement::alongAxis(Flange::world(), Flange(m_body, 0), at(0, -100, 0),
                                                   btTransform::getIdentity()),
                          ElastoGapLaw({.c = 1e3, .d = 0, .s_rel0 = -1000}));
        }
    }
    double angle() const { return drive->linkAngle(); }

    MultiBodyWorld world;
    MultiBodyElement* drive = nullptr;

private:
    btMultiBody& m_body;
};

}  // namespace

TEST_CASE("a drive on a fixed base moves alike in joint coordinates and among bodies") {
    Driven inCoordinates(false);
    Driven amongBodies(true);
    for (int i = 0; i < 120; ++i) {
        inCoordinates.world.tick();
        amongBodies.world.tick();
        REQUIRE(amongBodies.angle() == Approx(inCoordinates.angle()).margin(byPrecision(2e-6, 1e-3)));
        REQUIRE(amongBodies.drive->motorAngle() ==
                Approx(inCoordinates.drive->motorAngle()).margin(byPrecision(2e-4, 1e-1)));
    }
    CHECK(inCoordinates.angle() != 0);
    CHECK(inCoordinates.world.plugin->totals().events > 0);
    CHECK(amongBodies.world.messages.empty());
}

namespace {

// A distant element between a link and the world, which keeps a multibody from being solved in joint coordinates alone.
void keepAmongBodies(MultiBodyWorld& world, btMultiBody& body) {
    world.element(
        LinkPlacement::alongAxis(Flange::world(), Flange(body, 0), at(0, -100, 0), btTransform::getIdentity()),
        ElastoGapLaw({.c = 1e3, .d = 0, .s_rel0 = -1000}));
}

// What is driven hangs on a link that turns.
struct OnTurningParent {
    enum class Kind { Revolute, Prismatic, GearPair };

    OnTurningParent(Kind kind, bool isAmongBodies) : body(world.multiBody(2)) {
        world.bar(body, 0, -1, 1, 1, vec(0, 0, 0));
        if (kind == Kind::Prismatic) {
            body.setupPrismatic(1, btScalar(0.5), vec(0.02, 0.03, 0.04), 0, btQuaternion::getIdentity(), vec(1, 0, 0),
                                vec(0.5, 0, 0), vec(0.2, 0, 0), true);
        } else {
            world.bar(body, 1, 0, 0.5, 0.4, vec(0.5, 0, 0));
        }
        world.add(body);
        const ElastoBacklashLaw play({.c = 1e4, .d = 50, .b = 0.01});
        if (kind == Kind::GearPair) {
            world.element(GearPair{{&body, 1}, {&body, 0}, -1.5}, play);
        } else {
            drive = &world.element(Drive{.body = &body, .link = 1, .inertia = 1e-4, .ratio = 80}, play);
            drive->setMotorTorque([](double t) { return 0.05 * std::sin(9 * t); });
        }
        if (isAmongBodies) keepAmongBodies(world, body);
    }

    MultiBodyWorld world;
    btMultiBody& body;
    MultiBodyElement* drive = nullptr;
};

}  // namespace

TEST_CASE("what is geared on a link that turns moves alike in joint coordinates and among bodies") {
    using Kind = OnTurningParent::Kind;
    const Kind kind = GENERATE(Kind::Revolute, Kind::Prismatic, Kind::GearPair);
    OnTurningParent inCoordinates(kind, false);
    OnTurningParent amongBodies(kind, true);
    double apart = 0;
    double largest = 0;
    for (int i = 0; i < 60; ++i) {
        inCoordinates.world.tick(1, 120);
        amongBodies.world.tick(1, 120);
        for (const int link : {0, 1}) {
            const auto q = static_cast<double>(inCoordinates.body.getJointPos(link));
            apart = std::max(apart, std::abs(static_cast<double>(amongBodies.body.getJointPos(link)) - q));
            largest = std::max(largest, std::abs(q));
        }
        if (kind == Kind::GearPair) continue;
        apart = std::max(apart, std::abs(amongBodies.drive->motorAngle() - inCoordinates.drive->motorAngle()) / 80);
    }
    CAPTURE(static_cast<int>(kind), apart, largest);
    CHECK(apart < byPrecision(2e-5, 2e-3));
    CHECK(largest > 0.3);
    CHECK(amongBodies.world.messages.empty());
    CHECK(amongBodies.world.plugin->totals().uncoupled == 0);
}

TEST_CASE("a drive presses its link on the floor with the torque of its motor") {
    MultiBodyWorld world;
    MultiBodyElement& drive = addPressingArm(world);
    drive.setMotorTorque(0.1);  // 5 N.m on the joint, downwards
    world.tick(300);
    CHECK(besideGrades(world.messages) == std::vector<std::string>());
    CHECK(drive.contact());
    CHECK(std::abs(drive.motorSpeed()) < 1e-3);
    CHECK(drive.tau() == Approx(5).epsilon(byPrecision(1e-6, 1e-3)));
    // Torque about the joint: motor, weight and floor, which bears the tip.
    double floor = 0;
    for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k)
            floor += double(manifold.getContactPoint(k).m_appliedImpulse);
    }
    CHECK(60 * floor > 5);
}
