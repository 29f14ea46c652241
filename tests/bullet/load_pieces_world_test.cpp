// Loads that jump, bend and end inside ticks, through Bullet's world.

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace load_pieces_world_test {

using namespace elasto;
using namespace elasto::test;

constexpr double kTick = 1. / 60;

/// Speed of 1 kg after three ticks of a load. @param withElement an idle stop far away: the flow moves the body
double speedAfter(const Load::Function& value, const NextBreak& breaks, bool withElement) {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    if (withElement) {
        world.add<SpringDamperParallel>(Placement::alongLine(ball, vec(0, 0, 0), vec(0, 5, 0)),
                                        SpringDamperParameters{.c = 1e-9, .d = 0, .s_rel0 = 5});
    }
    world.plugin->addLoad(Load(ball, Load::Kind::Force, value, breaks));
    world.tick(3);
    return static_cast<double>(ball.getLinearVelocity().x());
}

TEST_CASE("a pulse of 2 ms gives its impulse at any phase of the tick") {
    const bool withElement = GENERATE(true, false);
    for (int phase = 0; phase < 100; ++phase) {
        const double start = kTick * (0.5 + phase / 100.);
        const auto triangle = [start](double t) {
            return vec(std::max(0., 100 * (1 - std::abs(t - start - 1e-3) / 1e-3)), 0, 0);
        };
        CAPTURE(withElement, phase);
        CHECK(speedAfter(triangle, breaksAt({start, start + 1e-3, start + 2e-3}), withElement) ==
              Approx(0.1).epsilon(byPrecision(1e-9, 1e-5)));
    }
}

TEST_CASE("a table that jumps and a constant that ends give their impulse") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    world.plugin->addLoad(Load::table(ball, Load::Kind::Force, vec(1, 0, 0),
                                      {{0.0101, 0}, {0.0101, 6}, {0.0307, 6}, {0.0307, -2}, {0.041, -2}, {0.041, 0}}));
    world.plugin->addLoad(Load::constant(ball, Load::Kind::Force, vec(0, 3, 0), 0.003, 0.0271));
    world.tick(6);
    CHECK(static_cast<double>(ball.getLinearVelocity().x()) ==
          Approx(6 * 0.0206 - 2 * 0.0103).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK(static_cast<double>(ball.getLinearVelocity().y()) == Approx(3 * 0.0241).epsilon(byPrecision(1e-12, 1e-5)));
    CHECK_THROWS_WITH(Load::table(ball, Load::Kind::Force, vec(1, 0, 0), {{0, 0}, {0, 1}, {0, 2}}),
                      Catch::Contains("two points at most"));
    CHECK_THROWS_WITH(Load::table(ball, Load::Kind::Force, vec(1, 0, 0), {{0.2, 0}, {0.1, 1}}),
                      Catch::Contains("not less"));
    CHECK_THROWS_WITH(Load::constant(ball, Load::Kind::Force, vec(1, 0, 0), 1, 1), Catch::Contains("endTime"));
}

TEST_CASE("a break that does not come later is refused, not asked for for ever") {
    CHECK_THROWS_WITH(speedAfter([](double) { return vec(1, 0, 0); }, [](double t) { return t; }, true),
                      Catch::Contains("later than the time"));
}

TEST_CASE("what is seen inside a tick whose load jumps is the motion of its pieces") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    auto& spring = world.add<SpringDamperParallel>(Placement::alongLine(ball, vec(0, 0, 0), vec(-1, 0, 0)),
                                                   SpringDamperParameters{.c = 1e-6, .d = 0, .s_rel0 = 1});
    const double jump = 0.4 * kTick;
    world.plugin->addLoad(Load(
        ball, Load::Kind::Force, [jump](double t) { return vec(t < jump ? 0 : 10, 0, 0); }, breaksAt({jump})));
    world.tick();
    CHECK(spring.solutionAt(0.3 * kTick).s_rel - 1 == Approx(0).margin(byPrecision(1e-12, 1e-6)));
    const double since = 0.5 * kTick;
    CHECK(spring.solutionAt(0.9 * kTick).s_rel - 1 == Approx(5 * since * since).epsilon(byPrecision(1e-6, 1e-3)));
}

}  // namespace load_pieces_world_test
