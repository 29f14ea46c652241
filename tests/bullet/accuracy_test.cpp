// Levels of detail: how a network is solved where it touches something.

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace accuracy_test {

namespace {

/// Two boxes on each other that fall on a floor, the lower one onto a gap too.
struct Crates {
    explicit Crates(TestWorld& world, double x) {
        btRigidBody& lower = world.body(1, new btBoxShape(vec(0.2, 0.1, 0.2)), at(x, 0.3, 0));
        world.body(1, new btBoxShape(vec(0.2, 0.1, 0.2)), at(x, 0.5, 0));
        lowerGap = &world.add<ElastoGap>(Placement::alongAxis(Placement::world(), lower, Eigen::Vector3d(x, 0.005, 0),
                                                              Eigen::Vector3d(0, -0.1, 0), Eigen::Vector3d::UnitY()),
                                         ElastoGapParameters{.c = 1e4, .d = 20});
        upperGap = &world.add<ElastoGap>(Placement::alongAxis(Placement::world(), lower, Eigen::Vector3d(x, -1, 0),
                                                              Eigen::Vector3d(0, -0.1, 0), Eigen::Vector3d::UnitY()),
                                         ElastoGapParameters{.c = 1e4, .d = 20});
    }
    ElastoGap* lowerGap;
    ElastoGap* upperGap;  // out of reach
};

std::int64_t elementTicks(const TestWorld& world, FlowMethod method) {
    return world.plugin->totals().elementsPerMethod[static_cast<std::size_t>(method)];
}

}  // namespace

TEST_CASE("a network is solved as its elements or the world ask for") {
    TestWorld world;
    addFloor(world);
    std::vector<std::string> messages;
    world.plugin->setMessageHandler([&](const std::string& message) { messages.push_back(message); });
    Crates crates(world, 0);
    CHECK_FALSE(crates.lowerGap->accuracy().has_value());
    SECTION("exactly at first") {
        world.tick(60);
        CHECK(elementTicks(world, FlowMethod::Contacts) > 0);
        CHECK(elementTicks(world, FlowMethod::Implicit) == 0);
    }
    SECTION("implicitly where the world says so") {
        world.plugin->setAccuracy(Accuracy::Implicit);
        world.tick(60);
        CHECK(elementTicks(world, FlowMethod::Contacts) == 0);
        CHECK(elementTicks(world, FlowMethod::Implicit) > 0);
        CHECK(world.plugin->totals().implicit > 0);
        CHECK(world.plugin->totals().substeps >= 4 * world.plugin->totals().implicit);
        CHECK(world.plugin->totals().fallbacks == 0);
    }
    SECTION("by Bullet where the world says so, without a warning") {
        world.plugin->setAccuracy(Accuracy::Uncoupled);
        world.tick(60);
        CHECK(elementTicks(world, FlowMethod::Contacts) == 0);
        CHECK(elementTicks(world, FlowMethod::Implicit) == 0);
        CHECK(world.plugin->totals().uncoupled > 0);
    }
    SECTION("as the most demanding of its elements asks for") {
        world.plugin->setAccuracy(Accuracy::Uncoupled);
        crates.upperGap->setAccuracy(Accuracy::Implicit);
        world.tick(60);
        CHECK(elementTicks(world, FlowMethod::Implicit) > 0);
        CHECK(world.plugin->totals().uncoupled == 0);
        crates.lowerGap->setAccuracy(Accuracy::Exact);
        world.body(1, new btBoxShape(vec(0.2, 0.1, 0.2)), at(0, 1.2, 0));
        world.tick(60);
        CHECK(elementTicks(world, FlowMethod::Contacts) > 0);
        crates.lowerGap->setAccuracy(std::nullopt);
        CHECK_FALSE(crates.lowerGap->accuracy().has_value());
    }
    for (const std::string& message : messages) {
        CAPTURE(message);
        CHECK(message.find("uncoupled") == std::string::npos);
        CHECK(message.find("asked for") == std::string::npos);  // who asks for it knows
    }
}

TEST_CASE("one network may be exact beside an implicit one") {
    TestWorld world;
    addFloor(world);
    world.plugin->setAccuracy(Accuracy::Implicit);
    Crates exact(world, 0), implicit(world, 3);
    exact.lowerGap->setAccuracy(Accuracy::Exact);
    bool wasExact = false, wasImplicit = false;
    for (int i = 0; i < 60; ++i) {
        world.tick();
        wasExact = wasExact || exact.upperGap->method() == FlowMethod::Contacts;
        wasImplicit = wasImplicit || implicit.upperGap->method() == FlowMethod::Implicit;
        CHECK(exact.lowerGap->method() != FlowMethod::Implicit);
        CHECK(implicit.lowerGap->method() != FlowMethod::Contacts);
    }
    CHECK(wasExact);
    CHECK(wasImplicit);
}

TEST_CASE("inside an implicit tick there is the tick's own motion") {
    TestWorld world;
    addFloor(world);
    world.plugin->setAccuracy(Accuracy::Implicit);
    const Crates crates(world, 0);
    const double h = 1. / 60;
    const auto heightInside = [&](double t) {
        return world.plugin->insideTick(t).body(*world.bodies[1]).value().position.y();
    };
    double largest = 0, fastest = 0;
    for (int i = 0; i < 40; ++i) {
        const double before = heightOf(*world.bodies[1]);
        world.tick();
        if (crates.lowerGap->method() != FlowMethod::Implicit) continue;
        fastest = std::max(fastest, std::abs(heightOf(*world.bodies[1]) - before) / h);
        double last = heightInside(0);
        const double step = h / 64;
        for (int k = 1; k <= 64; ++k) {
            const double now = heightInside(k * step);
            largest = std::max(largest, std::abs(now - last) / step);
            last = now;
        }
    }
    // No jump of the position at any time, at the tick's end neither.
    CHECK(fastest > 0.5);
    CHECK(largest < 4);
}

TEST_CASE("who is solved to the first order is told so once") {
    TestWorld world;
    std::vector<std::string> messages;
    world.plugin->setMessageHandler([&](const std::string& message) { messages.push_back(message); });
    // A sling of two stones that somebody keeps whirling, so that every tick is as hard as the first.
    btRigidBody& inner = world.ball(1, 1, 0, 0);
    btRigidBody& outer = world.ball(1, 2, 0, 0);
    constexpr double kStiffness = 1e10;
    Spring& first = world.add<Spring>(inner, vec(0, 0, 0), vec(0, 0, 0), kStiffness, 1);
    Spring& second = world.add<Spring>(inner, outer, vec(0, 0, 0), vec(0, 0, 0), kStiffness, 1);
    first.setName("first");
    second.setName("second");
    const auto whirl = [&](int ticks, double speed) {
        for (int i = 0; i < ticks; ++i) {
            int radius = 1;
            for (btRigidBody* stone : {&inner, &outer}) {
                stone->setWorldTransform(at(radius, 0, 0));
                stone->setLinearVelocity(vec(0, speed * radius, 0));
                ++radius;
            }
            world.tick();
        }
    };
    whirl(100, 60);  // a radian in a tick
    CHECK(world.plugin->totals().firstOrder == 0);
    const auto saidOfFirstOrder = [&] {
        return std::count_if(messages.begin(), messages.end(), [](const std::string& message) {
            return message.find("only steps of first order") != std::string::npos;
        });
    };
    CHECK(saidOfFirstOrder() == 0);
    constexpr double kWhirl = 300;  // five radians in a tick [rad/s]
    whirl(1, kWhirl);
    CHECK(world.plugin->totals().firstOrder == 1);
    REQUIRE(saidOfFirstOrder() == 1);
    CHECK(messages.back().find("'first' and 1 more are approximate") != std::string::npos);
    CHECK(first.grade().grade == Grade::Approximate);
    CHECK(second.grade().cause == GradeCause::FirstOrder);
    whirl(50, kWhirl);
    whirl(100, 60);
    whirl(20, kWhirl);
    CHECK(world.plugin->totals().firstOrder == 71);
    CHECK(saidOfFirstOrder() <= 2);  // the second one counts the ticks: there were a hundred
}

TEST_CASE("a tick that could not be solved is told at once, and once") {
    TestWorld world;
    std::vector<std::string> messages;
    world.plugin->setMessageHandler([&](const std::string& message) { messages.push_back(message); });
    // Five hundred radians in a tick on a spring of which nobody sees a period.
    btRigidBody& inner = world.ball(1, 1, 0, 0);
    btRigidBody& outer = world.ball(1, 2, 0, 0);
    world.add<Spring>(inner, vec(0, 0, 0), vec(0, 0, 0), 1e14, 0.1).setName("first");
    world.add<Spring>(inner, outer, vec(0, 0, 0), vec(0, 0, 0), 1e14, 0.1);
    for (int i = 0; i < 5; ++i) {
        for (btRigidBody* stone : {&inner, &outer}) {
            const double radius = stone == &inner ? 1 : 2;
            stone->setWorldTransform(at(radius, 0, 0));
            stone->setLinearVelocity(vec(0, 3e4 * radius, 0));
        }
        world.tick();
    }
    CHECK(world.plugin->totals().failed > 0);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].find("'first' and 1 more were not solved in a tick") != std::string::npos);
}

TEST_CASE("what creeps against a damper does so in implicit ticks") {
    TestWorld world;
    FlowSettings settings;
    settings.maxSteps = 1;
    world.plugin->setSettings(settings);
    btRigidBody& piston = world.body(0.01, new btBoxShape(vec(0.1, 0.1, 0.1)), at(0, 0, 0));
    const btTransform down(btQuaternion(vec(0, 0, 1), btScalar(-SIMD_HALF_PI)), vec(0, 0, 0));
    btSliderConstraint guide(piston, down, true);
    world.world->addConstraint(&guide);
    constexpr double kDamping = 1e4;
    world.add<Damper>(piston, vec(0, 0, 0), vec(0, 1, 0), kDamping);
    const double speed = -double(piston.getGravity().y()) * 0.01 / kDamping;  // a hundredth of a millimetre per second
    world.tick(120);
    CHECK(world.plugin->totals().implicit > 100);
    CHECK(-double(piston.getWorldTransform().getOrigin().y()) == Approx(2 * speed).epsilon(byPrecision(1e-3, 1e-2)));
    world.world->removeConstraint(&guide);
}

TEST_CASE("sub-steps that make no sense are refused") {
    TestWorld world;
    FlowSettings settings;
    settings.fewestSubsteps = 0;
    CHECK_THROWS_WITH(world.plugin->setSettings(settings), Catch::Contains("fewestSubsteps"));
    settings.fewestSubsteps = 8;
    settings.mostSubsteps = 4;
    CHECK_THROWS_WITH(world.plugin->setSettings(settings), Catch::Contains("mostSubsteps"));
    settings.mostSubsteps = 8;
    settings.substep = -1;
    CHECK_THROWS_WITH(world.plugin->setSettings(settings), Catch::Contains("substep"));
    CHECK(world.plugin->settings().mostSubsteps == FlowSettings().mostSubsteps);
}

TEST_CASE("thresholds of rest as Bullet's let a slow door sleep") {
    const bool asBullet = GENERATE(false, true);
    TestWorld world;
    btRigidBody& mass = world.body(1, new btBoxShape(vec(0.1, 0.1, 0.1)), at(0, 0, 0));
    world.world->setGravity(vec(0, 0, 0));
    mass.setGravity(vec(0, 0, 0));
    world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(2, 0, 0),
                                    SpringDamperParameters{.c = 0.2, .d = 0, .s_rel0 = 1.5});
    mass.forceActivationState(ACTIVE_TAG);
    if (asBullet) world.plugin->setRestThresholds(RestThresholds::asBullet());
    world.tick(4 * 60);
    CHECK(mass.isActive() != asBullet);
}

TEST_CASE("an accuracy is a length with names at its ends") {
    CHECK(Accuracy() == Accuracy::Exact);
    CHECK(Accuracy::within(1e-6) == Accuracy::Exact);
    CHECK(Accuracy::within(1e-7) < Accuracy::Exact);
    CHECK(Accuracy::Exact < Accuracy::within(1e-3));
    CHECK(Accuracy::within(1e-2) < Accuracy::Implicit);
    CHECK(Accuracy::Implicit < Accuracy::Uncoupled);
    for (const double wrong : {0.0, -1.0, 9e-9, 0.011, HUGE_VAL, std::nan("")}) {
        CHECK_THROWS_WITH(Accuracy::within(wrong),
                          Catch::Contains("Accuracy: metres = ") && Catch::Contains("must be 1e-8 to 1e-2"));
    }
}

TEST_CASE("places keep the length that is asked for, and cost falls with it") {
    // Three bars on ball joints with a stop below: the joints' forces and the stop's are what steps are for.
    struct Result {
        std::vector<btVector3> places;
        double cost = 0;
    };
    const auto run = [](std::optional<Accuracy> ofWorld, std::optional<Accuracy> ofElement) {
        TestWorld world;
        std::vector<btRigidBody*> bars;
        for (int i = 0; i < 3; ++i) {
            btRigidBody& bar = world.body(1, new btBoxShape(vec(0.25, 0.03, 0.03)), at(0.25 + 0.5 * i, 0, 0));
            auto joint = i == 0 ? std::make_unique<btPoint2PointConstraint>(bar, vec(-0.25, 0, 0))
                                : std::make_unique<btPoint2PointConstraint>(*bars.back(), bar, vec(0.25, 0, 0),
                                                                            vec(-0.25, 0, 0));
            world.world->addConstraint(joint.get(), true);
            world.elements.push_back(std::move(joint));
            bars.push_back(&bar);
        }
        auto& stop = world.add<ElastoGap>(*bars.back(), at(0.25, 0, 0), upwards(0, -1.2, 0),
                                          ElastoGapParameters{.c = 3000, .d = 10});
        if (ofWorld) world.plugin->setAccuracy(*ofWorld);
        stop.setAccuracy(ofElement);
        Result result;
        for (int i = 0; i < 60; ++i) {
            world.tick();
            result.places.push_back(bars.back()->getWorldTransform().getOrigin());
        }
        result.cost = world.plugin->totals().cost;
        return result;
    };
    const auto apart = [](const Result& a, const Result& b) {
        double most = 0;
        for (std::size_t i = 0; i < a.places.size(); ++i) {
            most = std::max(most, static_cast<double>(a.places[i].distance(b.places[i])));
        }
        return most;
    };
    const Result finest = run(Accuracy::within(1e-8), {});
    double cost = finest.cost;
    double last = 0;
    for (const double metres : {1e-7, 1e-5, 1e-3}) {
        const Result result = run(Accuracy::within(metres), {});
        CAPTURE(metres, apart(result, finest), result.cost);
        CHECK(apart(result, finest) <= metres + byPrecision(0, 1e-5));
        CHECK(result.cost < cost);
        cost = result.cost;
        last = apart(result, finest);
    }
    CHECK(last > 0);
    // The element's own counts, and of several the most demanding one.
    CHECK(run(Accuracy::within(1e-3), Accuracy::within(1e-7)).cost == run(Accuracy::within(1e-7), {}).cost);
    CHECK(run({}, {}).cost == run(Accuracy::within(1e-6), {}).cost);
}

}  // namespace accuracy_test
