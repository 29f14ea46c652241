// Small things that are thrown on the ground: Bullet finds one corner of them in a tick.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : m_engine(seed) {}
    double operator()(double from, double to) {
        return from + (to - from) * (static_cast<double>(m_engine()) / 4294967296.0);
    }

private:
    std::mt19937 m_engine;
};

struct Thrown {
    std::vector<btVector3> corners;
    btRigidBody* body = nullptr;

    double depth() const {
        double lowest = 0;
        for (const btVector3& corner : corners) {
            lowest = std::min(lowest, static_cast<double>((body->getWorldTransform() * corner).y()));
        }
        return -lowest;
    }
};

Thrown throwOne(TestWorld& world, const std::string& shape, double size, unsigned seed) {
    Dice dice(seed);
    const btVector3 half = vec(size * dice(0.4, 1), size * dice(0.4, 1), size * dice(0.4, 1));
    Thrown thrown;
    btCollisionShape* collision = nullptr;
    if (shape == "box") {
        collision = new btBoxShape(half);
        for (int i = 0; i < 8; ++i) {
            thrown.corners.push_back(btVector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1) * half);
        }
    } else if (shape == "cylinder") {
        collision = new btCylinderShape(vec(half.x(), half.y(), half.x()));
        for (int i = 0; i < 72; ++i) {
            const double turn = i % 36 * 3.14159265358979 / 18;
            thrown.corners.push_back(
                vec(half.x() * std::cos(turn), i < 36 ? -half.y() : half.y(), half.x() * std::sin(turn)));
        }
    } else {
        auto* hull = new btConvexHullShape();
        hull->setMargin(btScalar(0.001));
        for (int i = 0; i < 20; ++i) {
            hull->addPoint(vec(dice(-1, 1), dice(-1, 1), dice(-1, 1)).normalized() * half);
            thrown.corners.push_back(hull->getScaledPoint(i));
        }
        collision = hull;
    }
    const btQuaternion turned(vec(dice(-1, 1), dice(-1, 1), dice(-1, 1)).normalized(), btScalar(dice(0, 3)));
    thrown.body = &world.body(1, collision, btTransform(turned, vec(0, 2 * size + 0.02, 0)));
    thrown.body->setFriction(btScalar(dice(0.4, 0.9)));
    thrown.body->setLinearVelocity(vec(dice(-1, 1), -3, dice(-1, 1)));
    thrown.body->setAngularVelocity(vec(dice(-8, 8), dice(-8, 8), dice(-8, 8)));
    addThread(world, *thrown.body);
    return thrown;
}

}  // namespace

TEST_CASE("what falls on a plane does not stay in it", "[slow]") {
    const std::string shape = GENERATE(as<std::string>{}, "box", "hull", "cylinder");
    const double size = GENERATE(0.05, 0.1);
    for (unsigned seed = 0; seed < 10; ++seed) {
        TestWorld world;
        world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
        const Thrown thrown = throwOne(world, shape, size, seed);
        world.tick(180, 60);
        CAPTURE(shape, size, seed);
        CHECK(thrown.depth() < 0.5e-3);
    }
}

TEST_CASE("a box that has fallen on a plane lies still") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        TestWorld world;
        world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
        const Thrown thrown = throwOne(world, "box", 0.05, seed);
        world.tick(180, 60);
        CAPTURE(seed);
        CHECK(thrown.body->getLinearVelocity().length() < 1e-3);
        CHECK(thrown.body->getAngularVelocity().length() < 1e-2);
    }
}

TEST_CASE("rocks that have fallen on a box lie still, all but a few") {
    int moving = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        TestWorld world;
        world.body(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -0.5, 0));
        const Thrown thrown = throwOne(world, "hull", 0.05, seed);
        world.tick(240, 60);
        moving += thrown.body->getAngularVelocity().length() > 1 ? 1 : 0;
    }
    CHECK(moving <= 4);
}
