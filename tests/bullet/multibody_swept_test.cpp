// Links that meet something within the tick: feet, bats and tools at 60 Hz as at 1000 Hz.

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <LinearMath/btDefaultMotionState.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

enum class Foot { Ball, Box, Capsule, StandingCapsule, Cylinder, StandingCylinder, Hull, Compound };
enum class Ground { Plane, Box, Field, Mesh };

btCollisionShape* shapeOf(Foot foot, MultiBodyWorld& world) {
    switch (foot) {
        case Foot::Ball:
            return new btSphereShape(btScalar(0.03));
        case Foot::Box:
            return new btBoxShape(vec(0.03, 0.03, 0.03));
        case Foot::Capsule:
            return new btCapsuleShapeZ(btScalar(0.03), btScalar(0.1));
        case Foot::StandingCapsule:
            return new btCapsuleShape(btScalar(0.02), btScalar(0.02));
        case Foot::Cylinder:
            return new btCylinderShapeZ(vec(0.03, 0.03, 0.05));
        case Foot::StandingCylinder:
            return new btCylinderShape(vec(0.03, 0.03, 0.03));
        case Foot::Hull: {
            auto* hull = new btConvexHullShape;
            hull->setMargin(0);
            for (int i = 0; i < 8; ++i) {
                hull->addPoint(vec(i & 1 ? 0.03 : -0.03, i & 2 ? 0.03 : -0.03, i & 4 ? 0.03 : -0.03), i == 7);
            }
            return hull;
        }
        case Foot::Compound:
            break;
    }
    auto* compound = new btCompoundShape;
    for (const double z : {-0.05, 0.05}) {
        world.shapes.emplace_back(new btSphereShape(btScalar(0.02)));
        compound->addChildShape(at(0, -0.01, z), world.shapes.back().get());
    }
    return compound;
}

class Terrain {
public:
    btCollisionShape* shapeOf(Ground ground) {
        switch (ground) {
            case Ground::Plane:
                return new btStaticPlaneShape(vec(0, 1, 0), 0);
            case Ground::Box:
                return new btBoxShape(vec(2, 0.5, 2));
            case Ground::Field:
                return new btHeightfieldTerrainShape(5, 5, m_heights.data(), btScalar(1), btScalar(-1), btScalar(1), 1,
                                                     PHY_FLOAT, false);
            case Ground::Mesh:
                break;
        }
        m_mesh.addTriangle(vec(-2, 0, -2), vec(-2, 0, 2), vec(2, 0, -2));
        m_mesh.addTriangle(vec(2, 0, 2), vec(2, 0, -2), vec(-2, 0, 2));
        return new btBvhTriangleMeshShape(&m_mesh, true);
    }

private:
    std::array<btScalar, 25> m_heights{};  // Bullet reads PHY_FLOAT as btScalar
    btTriangleMesh m_mesh;
};

// A body of 5 kg that is guided along y, on a leg of 0.4 m with a spring and a foot of 0.3 kg.
btMultiBody& hopper(MultiBodyWorld& world, btCollisionShape* foot) {
    btMultiBody& body = world.multiBody(2);
    const btQuaternion straight = btQuaternion::getIdentity();
    body.setupPrismatic(0, 5, vec(0.05, 0.05, 0.05), -1, straight, vec(0, 1, 0), vec(0, 0, 0), vec(0, 0, 0), true);
    body.setupPrismatic(1, btScalar(0.3), vec(1e-3, 1e-3, 1e-3), 0, straight, vec(0, 1, 0), vec(0, 0, 0),
                        vec(0, -0.4, 0), true);
    world.collider(body, 1, foot);
    world.add(body);
    body.setJointPos(0, btScalar(0.9));
    world.place(body);
    world.element(JointCoordinate{&body, 1}, SpringDamperLaw({.c = 8000, .d = 2}));
    return body;
}

// A bar of 1 kg and 1 m that turns about z at the origin, with a soft spring.
btMultiBody& bat(MultiBodyWorld& world, btCollisionShape* shape, double speed) {
    btMultiBody& body = world.multiBody(1);
    MultiBodyWorld::bar(body, 0, -1, 1, 1, vec(0, 0, 0));
    world.collider(body, 0, shape).setRestitution(1);
    world.add(body);
    body.setJointPos(0, btScalar(-1));
    body.setJointVel(0, btScalar(speed));
    world.place(body);
    world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 20, .d = 0.05}));
    return body;
}

// Ends of a machine at several rates, whose ticks must all be exact.
using Machine = std::function<std::function<std::vector<double>()>(MultiBodyWorld&)>;
std::vector<double> endOf(const Machine& machine, double duration, double hz,
                          const std::function<void(double)>& before = {}) {
    MultiBodyWorld world;
    const auto read = machine(world);
    for (int i = 0; i < std::lround(duration * hz); ++i) {
        if (before) before((i + 1) / hz);
        world.tick(1, hz);
    }
    CAPTURE(hz);
    CHECK(world.plugin->totals().approximateTicks == 0);
    CHECK(world.plugin->totals().failedTicks == 0);
    CHECK(std::accumulate(world.messages.begin(), world.messages.end(), std::string()) == "");
    return read();
}

void checkRates(const Machine& machine, double duration, double error, const std::function<void(double)>& before = {}) {
    const std::vector<double> fine = endOf(machine, duration, 960, before);
    for (const double hz : {60., 240.}) {
        const std::vector<double> end = endOf(machine, duration, hz, before);
        CAPTURE(hz);
        for (std::size_t i = 0; i < fine.size(); ++i) CHECK(end[i] == Approx(fine[i]).margin(error));
    }
}

double toDouble(btScalar value) {
    return static_cast<double>(value);
}

}  // namespace

TEST_CASE("a hopper's foot stands on the ground at any rate") {
    const Foot foot = GENERATE(Foot::Ball, Foot::Box, Foot::Capsule, Foot::StandingCapsule, Foot::Cylinder,
                               Foot::StandingCylinder, Foot::Hull, Foot::Compound);
    const Ground ground = GENERATE(Ground::Plane, Ground::Box, Ground::Field, Ground::Mesh);
    CAPTURE(static_cast<int>(foot), static_cast<int>(ground));
    Terrain terrain;
    double lowest = 1;
    const Machine machine = [&](MultiBodyWorld& world) {
        btMultiBody& body = hopper(world, shapeOf(foot, world));
        world.rigid(0, terrain.shapeOf(ground), at(0.3, ground == Ground::Box ? -0.5 : 0, 0.2));
        return [&] {
            return std::vector<double>{toDouble(body.getJointPos(0)), toDouble(body.getJointVel(0)),
                                       toDouble(body.getJointPos(1))};
        };
    };
    checkRates(machine, 1.5, byPrecision(1e-6, 1e-3));
    MultiBodyWorld world;
    btMultiBody& body = hopper(world, shapeOf(foot, world));
    world.rigid(0, terrain.shapeOf(ground), at(0.3, ground == Ground::Box ? -0.5 : 0, 0.2));
    for (int i = 0; i < 90; ++i) {
        world.tick();
        lowest = std::min(lowest, toDouble(body.getJointPos(0)) + toDouble(body.getJointPos(1)) - 0.43);
    }
    CHECK(lowest > -byPrecision(1e-8, 1e-5));
}

TEST_CASE("a bat strikes a ball that flies past at any rate") {
    const double speed = GENERATE(5., 20., 40.);
    CAPTURE(speed);
    const Machine machine = [&](MultiBodyWorld& world) {
        world.world->setGravity(vec(0, 0, 0));
        btMultiBody& body = bat(world, new btBoxShape(vec(0.5, 0.02, 0.02)), speed);
        btRigidBody& ball = world.rigid(0.2, new btSphereShape(btScalar(0.05)), at(0.8, 0.2, 0));
        ball.setRestitution(btScalar(0.5));
        return [&] {
            return std::vector<double>{toDouble(ball.getLinearVelocity().x()), toDouble(ball.getLinearVelocity().y()),
                                       toDouble(body.getJointVel(0))};
        };
    };
    checkRates(machine, 0.5, byPrecision(1e-6, 1e-3));
}

TEST_CASE("what a bat strikes with one edge it strikes with the next in the same tick") {
    const Machine machine = [](MultiBodyWorld& world) {
        world.world->setGravity(vec(0, 0, 0));
        btMultiBody& body = bat(world, new btBoxShape(vec(0.5, 0.02, 0.02)), 20);
        btRigidBody& box = world.rigid(0.2, new btBoxShape(vec(0.05, 0.05, 0.05)), at(0.8, 0.2, 0));
        box.setRestitution(btScalar(0.5));
        return [&] {
            return std::vector<double>{toDouble(box.getLinearVelocity().x()), toDouble(box.getLinearVelocity().y()),
                                       toDouble(body.getJointVel(0))};
        };
    };
    checkRates(machine, 0.3, byPrecision(1e-5, 1e-2));
}

TEST_CASE("an arm that strikes the floor with friction springs back as restitution says") {
    const double friction = GENERATE(0., 0.25, 0.5, 1.);
    CAPTURE(friction);
    MultiBodyWorld world;
    auto* tip = new btCompoundShape;
    world.shapes.emplace_back(new btSphereShape(btScalar(0.05)));
    tip->addChildShape(at(0.5, 0, 0), world.shapes.back().get());
    btMultiBody& arm = bat(world, tip, 0);
    arm.getLinkCollider(0)->setFriction(1);
    arm.setJointPos(0, btScalar(0.5));
    world.place(arm);
    btRigidBody& floor = world.rigid(0, new btStaticPlaneShape(vec(0, 1, 0), btScalar(-0.5)), at(0, 0, 0));
    floor.setRestitution(btScalar(0.7));
    floor.setFriction(btScalar(friction));
    double before = 0;
    for (int i = 0; i < 4000 && arm.getJointVel(0) <= 0; ++i) {
        before = toDouble(arm.getJointVel(0));
        world.tick(1, 4000);
    }
    // It has one way only: the rate after the impact does not depend on friction. Weight and spring act for a tick.
    CHECK(toDouble(arm.getJointVel(0)) == Approx(-0.7 * before).epsilon(2e-3));
    CHECK(world.plugin->totals().approximateTicks == 0);
}

TEST_CASE("a hopper lands on a platform that rises, and a link strikes another machine's") {
    btDefaultMotionState motion(at(0, -0.3, 0));
    const Machine onPlatform = [&](MultiBodyWorld& world) {
        btMultiBody& body = hopper(world, new btSphereShape(btScalar(0.03)));
        motion.m_graphicsWorldTrans = at(0, -0.3, 0);
        btRigidBody& platform = world.rigid(0, new btBoxShape(vec(1, 0.1, 1)), at(0, -0.3, 0));
        platform.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
        platform.setMotionState(&motion);
        return [&] { return std::vector<double>{toDouble(body.getJointPos(0)), toDouble(body.getJointVel(0))}; };
    };
    checkRates(onPlatform, 1.2, byPrecision(1e-6, 1e-3),
               [&](double t) { motion.m_graphicsWorldTrans = at(0, -0.3 + 0.3 * t, 0); });

    const Machine links = [](MultiBodyWorld& world) {
        world.world->setGravity(vec(0, 0, 0));
        btMultiBody& first = bat(world, new btBoxShape(vec(0.5, 0.02, 0.02)), 12);
        btMultiBody& second = world.multiBody(1);
        MultiBodyWorld::bar(second, 0, -1, 1, 1, vec(0, 0, 0));
        second.setBasePos(vec(0.2, 0.4, 0));
        world.collider(second, 0, new btSphereShape(btScalar(0.1))).setRestitution(btScalar(0.6));
        world.add(second);
        world.element(JointCoordinate{&second, 0}, SpringDamperLaw({.c = 20, .d = 0.05}));
        return [&] { return std::vector<double>{toDouble(first.getJointVel(0)), toDouble(second.getJointVel(0))}; };
    };
    checkRates(links, 0.5, byPrecision(1e-6, 1e-3));
}

TEST_CASE("a link that is found inside something is named once, with its depth") {
    MultiBodyWorld world;
    btMultiBody& body = hopper(world, new btSphereShape(btScalar(0.03)));
    body.getLink(1).m_linkName = "foot";
    const double depth = GENERATE(5e-4, 5e-3);  // half of a millimetre needs no word
    body.setJointPos(0, btScalar(0.43 - depth));
    world.place(body);
    world.rigid(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    world.tick(3);
    const std::vector<std::string> messages = besideGrades(world.messages);
    REQUIRE(messages.size() == (depth > 1e-3 ? 1u : 0u));
    if (depth > 1e-3) CHECK_THAT(messages[0], Catch::Contains("link 'foot' was found 0.005 m inside"));
}
