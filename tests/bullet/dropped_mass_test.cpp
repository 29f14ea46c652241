// A mass dropped on an undamped stop: closed form known for ever.

#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a dropped mass follows its closed form at every rate and stiffness") {
    const double c = GENERATE(1e3, 1e6, 1e9);
    const double hz = GENERATE(60.0, 240.0, 1000.0);
    const DroppedMass exact(0.2, 0.3, c);
    TestWorld world;
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = c, .d = 0});
    double worst = 0;
    const int ticks = static_cast<int>(2 * hz);
    for (int i = 1; i <= ticks; ++i) {
        world.tick(1, hz);
        worst = std::max(worst, std::fabs(heightOf(mass) - exact.at(i / hz).y));
    }
    CAPTURE(c, hz, worst);
    CHECK(worst < byPrecision(1e-7, 3e-5));
    CHECK(stop.heat() == 0);
    CHECK(world.messages.empty());
    CHECK(world.plugin->totals().uncoupled == 0);
}
