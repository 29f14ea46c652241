// Bodies that touch and slide, whatever Bullet's detectors find and however soon their points die.

#include <catch2/catch.hpp>

#include <cmath>

#include "touching_shapes.h"

namespace closed_pairs_test {

using namespace elasto;
using namespace elasto::test;

namespace {

std::string anyBody() {
    return GENERATE(as<std::string>{}, "box", "sphere", "capsule", "cylinder", "lying cylinder", "cone", "hull",
                    "two spheres", "two boxes", "table", "wagon");
}

}  // namespace

TEST_CASE("whatever slides on whatever slows down by its friction alone") {
    const std::string ground = GENERATE(as<std::string>{}, "box", "plane", "hull", "mesh", "height field", "compound");
    const std::string kind = anyBody();
    const double hz = GENERATE(30., 60., 240., 1000.);
    constexpr double kFriction = 0.4, kSpeed = 3, kEnd = 0.5;
    TestWorld world;
    TouchingShapes shapes(world);
    btRigidBody& floor = shapes.ground(ground);
    btRigidBody& body = shapes.body(kind, 2, -1.5, TouchingShapes::restHeight(kind));
    floor.setFriction(1);
    body.setFriction(btScalar(kFriction));
    body.setAngularFactor(0);
    addThread(world, body);
    body.setLinearVelocity(vec(kSpeed, 0, 0));
    double lowest = 0, highest = 0;
    for (int t = 0; t < static_cast<int>(kEnd * hz); ++t) {
        world.tick(1, hz);
        const double height = heightOf(body) - TouchingShapes::restHeight(kind);
        lowest = std::min(lowest, height);
        highest = std::max(highest, height);
    }
    CAPTURE(ground, kind, hz, lowest, highest);
    const double a = kFriction * TestWorld::kGravity;
    const double way = static_cast<double>(body.getWorldTransform().getOrigin().x()) + 1.5;
    // In single precision some are lifted by 0.1 mm, and slide 0.2 mm farther.
    const double ofSingle = 3e-4;
    CHECK(way == Approx(kSpeed * kEnd - a * kEnd * kEnd / 2).margin(byPrecision(1e-6, ofSingle)));
    CHECK(static_cast<double>(body.getLinearVelocity().x()) ==
          Approx(kSpeed - a * kEnd).margin(byPrecision(1e-6, ofSingle)));
    // Triangles are no flatter than Bullet's distances.
    const bool hasTriangles = ground == "mesh" || ground == "height field";
    const double flat = hasTriangles ? 1e-4 : byPrecision(1e-6, 1e-4);
    CHECK(lowest > -flat);
    CHECK(highest < flat);
}

// Rounding tilts the box, and of its four corners Bullet's detector sees those that are inside the plate. The plate
// slides away under what it saw before.
TEST_CASE("a box on a plate that slides away under it stays level") {
    const double speed = GENERATE(0.3, 0.488, 0.7);
    constexpr double kThick = 0.03455, kHeight = 0.05 + kThick;
    TestWorld world;
    btRigidBody& plate = world.body(10.9, new btBoxShape(vec(2, 0.05, 2)), at(0, 0, 0));
    plate.setLinearFactor(vec(1, 0, 0));
    plate.setAngularFactor(0);
    btRigidBody& box = world.body(3.07, new btBoxShape(vec(0.1365, kThick, 0.0685)), at(-0.6, kHeight, 0));
    plate.setFriction(btScalar(0.754));
    box.setFriction(btScalar(0.163));
    addThread(world, box);
    addThread(world, plate);
    plate.setLinearVelocity(vec(-speed, 0, 0));
    double lowest = 0, fastest = 0;
    for (int t = 0; t < 30; ++t) {
        world.tick(1, 60);
        lowest = std::min(lowest, heightOf(box) - kHeight);
        fastest = std::max(fastest, static_cast<double>(box.getAngularVelocity().length()));
    }
    CAPTURE(speed, lowest, fastest);
    CHECK(lowest > -byPrecision(1e-6, 1e-4));
    CHECK(fastest < byPrecision(1e-3, 1e-2));
}

}  // namespace closed_pairs_test
