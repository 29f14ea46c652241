// Towers and pyramids that hold an element: they come to rest, and cost what a look at them costs.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// From the middle of the first box to that of the last, at its length.
void addSpringAcross(TestWorld& world, double c) {
    btRigidBody& first = *world.bodies[1];
    btRigidBody& last = *world.bodies.back();
    const double length = (last.getWorldTransform().getOrigin() - first.getWorldTransform().getOrigin()).length();
    world.add<Spring>(first, last, vec(0, 0, 0), vec(0, 0, 0), c, length);
}

void addTower(TestWorld& world, int boxes, double half, double offset) {
    for (int i = 0; i < boxes; ++i) {
        world.body(1, new btBoxShape(vec(0.2, half, 0.2)), at(offset * (i % 3), half + 2 * half * i, 0));
    }
}

void addPyramid(TestWorld& world, int base) {
    for (int row = 0; row < base; ++row) {
        for (int i = 0; i < base - row; ++i) {
            world.body(1, new btBoxShape(vec(0.2, 0.1, 0.1)), at(0.41 * i + 0.205 * row, 0.1 + 0.2 * row, 0));
        }
    }
}

double farthest(const TestWorld& world, const std::vector<btVector3>& start) {
    double way = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        way = std::max(way, double((world.bodies[i]->getWorldTransform().getOrigin() - start[i]).length()));
    }
    return way;
}

std::vector<btVector3> places(const TestWorld& world) {
    std::vector<btVector3> places;
    for (const auto& body : world.bodies) places.push_back(body->getWorldTransform().getOrigin());
    return places;
}

}  // namespace

TEST_CASE("a tower with a soft spring from its lowest to its highest box stands", "[slow]") {
    // Bullet finds no points between faces that just touch: the boxes fall into each other first.
    const double c = GENERATE(1., 50.);
    const double half = GENERATE(0.1, 0.2);
    const double offset = GENERATE(0., 0.005);
    const auto pushed = [&](TestWorld& world, bool hasSpring) {
        addFloor(world);
        addTower(world, 10, half, offset);
        if (hasSpring) addSpringAcross(world, c);
        const std::vector<btVector3> start = places(world);
        world.tick(4 * 60);
        return farthest(world, start);
    };
    TestWorld world, plain;
    CAPTURE(c, half, offset, world.plugin->totals().fallbacks);
    const double way = pushed(world, true);
    CHECK(way < 0.2 * pushed(plain, false));
    CHECK(static_cast<double>(world.plugin->totals().fallbacks) < byPrecision(60, 180));
}

TEST_CASE("a tower on a stop stands still in implicit ticks, to the last bit") {
    TestWorld world;
    world.plugin->setAccuracy(Accuracy::Implicit);
    addFloor(world);
    addTower(world, 20, 0.25, 0);
    world.add<ElastoGap>(*world.bodies[1], upwards(), upwards(),
                         ElastoGapParameters{.c = 1e5, .d = 0, .s_rel0 = 0.2505});
    world.tick(300);
    CHECK(world.plugin->totals().implicit > 0);
    const std::vector<btVector3> stood = places(world);
    world.tick(60);
    CHECK(farthest(world, stood) == 0);
}

TEST_CASE("a pyramid with a soft spring comes to rest", "[slow]") {
    const int base = GENERATE(4, 5, 6);
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    addFloor(world);
    addPyramid(world, base);
    addSpringAcross(world, 5);
    const std::vector<btVector3> start = places(world);
    world.tick(static_cast<int>(2 * hz), hz);
    const TickStatistics before = world.plugin->totals();
    world.tick(static_cast<int>(hz), hz);
    CAPTURE(base, hz, before.fallbacks, world.plugin->totals().fallbacks);
    CHECK(farthest(world, start) < 0.003);
    // Twenty-one bricks have 150 points: where distances are rounded the search for what bears is too dear.
    if (base < 6 || byPrecision(1, 0) > 0)
        CHECK(static_cast<double>(world.plugin->totals().fallbacks - before.fallbacks) < hz / 10);
}
