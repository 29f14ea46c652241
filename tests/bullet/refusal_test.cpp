// Programs without exceptions: what cannot act is switched off and said, stepSimulation throws nothing.

#include <elasto/load.h>
#include <catch2/catch.hpp>

#include <limits>

#include "test_world.h"

namespace refusal_test {

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A ball on a stop, and one on a stop of its own that has nothing to do with it.
struct TwoBalls {
    TwoBalls() {
        world.plugin->setRefusal(Refusal::SwitchOff);
        stop.setName("stop");
        world.tick(10);
    }
    ~TwoBalls() { world.plugin->setRefusal(Refusal::Throw); }

    bool isSaid(const std::string& words) const {
        return std::any_of(world.messages.begin(), world.messages.end(),
                           [&](const std::string& message) { return message.find(words) != std::string::npos; });
    }
    /// The other ball bounces as it does alone, to the last bit.
    void checkOther() const {
        TestWorld alone;
        alone.ball(0.2, 0, 9, 0);
        btRigidBody& ball = alone.ball(0.2, 3, 0.3, 0);
        alone.add<ElastoGap>(ball, upwards(), upwards(3), ElastoGapParameters{.c = 1e4, .d = 5});
        alone.tick(static_cast<int>(world.plugin->totals().ticks));
        CHECK(heightOf(ball) == heightOf(other));
        CHECK(otherStop.isEnabled());
    }

    TestWorld world;
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    btRigidBody& other = world.ball(0.2, 3, 0.3, 0);
    ElastoGap& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 5});
    ElastoGap& otherStop = world.add<ElastoGap>(other, upwards(), upwards(3), ElastoGapParameters{.c = 1e4, .d = 5});
};

}  // namespace

TEST_CASE("without exceptions an element on a body that is no number is switched off") {
    TwoBalls balls;
    SECTION("velocity") {
        balls.mass.setLinearVelocity(vec(0, kNan, 0));
    }
    SECTION("position") {
        balls.mass.setWorldTransform(at(0, kNan, 0));
    }
    REQUIRE_NOTHROW(balls.world.tick(60));
    CHECK_FALSE(balls.stop.isEnabled());
    CHECK(balls.isSaid("ElastoGap 'stop' is switched off: "));
    CHECK(balls.isSaid("nan is not allowed"));
    CHECK(balls.world.messages.size() == 1);
    CHECK(balls.stop.f() == 0);
    balls.checkOther();
}

TEST_CASE("without exceptions a network whose end would be beyond all numbers goes on without its elements") {
    TwoBalls balls;
    balls.stop.setParameters({.c = 1e4, .d = 5, .s_rel0 = heightOf(balls.mass) + 10, .n = 1000});
    const double before = climbOf(balls.mass);
    REQUIRE_NOTHROW(balls.world.tick(60));
    CHECK_FALSE(balls.stop.isEnabled());
    CHECK(balls.isSaid("ElastoGap 'stop' is switched off: "));
    CHECK(climbOf(balls.mass) == Approx(before - TestWorld::kGravity).epsilon(1e-5));
    CHECK(std::isfinite(balls.world.plugin->energy().numerical));
    balls.checkOther();
}

TEST_CASE("without exceptions what loads throw beyond all numbers goes on without them for the tick") {
    TwoBalls balls;
    btRigidBody& light = balls.world.ball(1e-3, 6, 0.3, 0);
    auto& stop = balls.world.add<ElastoGap>(light, upwards(), upwards(6), ElastoGapParameters{.c = 1e4, .d = 5});
    const auto load =
        balls.world.plugin->addLoad(Load::constant(light, Load::Kind::Force, vec(0, byPrecision(1e308, 3e38), 0)));
    REQUIRE_NOTHROW(balls.world.tick());
    CHECK_FALSE(stop.isEnabled());
    CHECK(climbOf(light) == 0);  // gravity is one of its loads, too
    balls.world.plugin->removeLoad(load);
    REQUIRE_NOTHROW(balls.world.tick(59));
    CHECK(climbOf(light) == Approx(-59 * TestWorld::kGravity / 60).epsilon(1e-5));
    balls.checkOther();
}

TEST_CASE("without exceptions a load that is no number is taken out") {
    TwoBalls balls;
    btRigidBody& free = balls.world.ball(1, 6, 5, 0);
    balls.world.plugin->addLoad(
        Load(balls.mass, Load::Kind::Force, [](double t) { return vec(0, t > 0.5 ? kNan : 1, 0); }));
    balls.world.plugin->addLoad(Load(free, Load::Kind::Force, [](double) { return vec(1, 0, 0); }));
    REQUIRE_NOTHROW(balls.world.tick(60));
    CHECK(balls.stop.isEnabled());
    CHECK(balls.isSaid("Load: value = nan is not allowed"));
    CHECK(std::isfinite(heightOf(balls.mass)));
    CHECK(double(free.getLinearVelocity().x()) == Approx(1).epsilon(1e-5));  // its load acts on
    balls.checkOther();
}

TEST_CASE("without exceptions an element whose body is not in the world is switched off") {
    TwoBalls balls;
    SECTION("from its first tick on") {
        btSphereShape shape(1);
        btRigidBody outside(1, nullptr, &shape);
        balls.world.add<ElastoGap>(outside, upwards(), upwards(), ElastoGapParameters{.c = 1e4, .d = 5});
        REQUIRE_NOTHROW(balls.world.tick(60));
        CHECK(balls.isSaid("is switched off: ElastoGap: body B is not in the world"));
        balls.world.world->removeConstraint(balls.world.elements.back().get());
        balls.world.elements.pop_back();
        CHECK(balls.stop.isEnabled());
    }
    SECTION("later") {
        balls.world.world->removeRigidBody(&balls.mass);
        REQUIRE_NOTHROW(balls.world.tick(60));
        CHECK_FALSE(balls.stop.isEnabled());
        CHECK(balls.isSaid("is switched off: ElastoGap 'stop': a body is not in the world"));
    }
    balls.checkOther();
}

TEST_CASE("without exceptions nothing acts in ticks without a length") {
    TwoBalls balls;
    const double time = balls.world.plugin->time();
    const double height = heightOf(balls.other);
    REQUIRE_NOTHROW(balls.world.world->stepSimulation(btScalar(-1. / 60), 0));
    CHECK(balls.world.plugin->time() == time);
    CHECK(balls.stop.isEnabled());
    CHECK(std::isfinite(height));
    REQUIRE_NOTHROW(balls.world.tick(10));
    CHECK(balls.world.plugin->time() == Approx(time + 10. / 60));
}

}  // namespace refusal_test
