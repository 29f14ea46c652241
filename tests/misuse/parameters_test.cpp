// Every bad parameter is refused, at construction and in the setters, with a message that names it.

#include <elasto/errors.h>
#include <catch2/catch.hpp>

#include <limits>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Bodies {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 0, 0);
    btRigidBody& b = world.ball(1, 1, 0, 0);
    Placement axis = Placement::alongAxis(a, b, btTransform::getIdentity(), btTransform::getIdentity());
    Placement line = Placement::alongLine(a, b, vec(0, 0, 0), vec(0, 0, 0));
    Placement hinge = Placement::aboutAxis(a, b, btTransform::getIdentity(), btTransform::getIdentity());
};

// Field set to each of the bad values is refused by the constructor and by setParameters, which changes nothing.
template <class Element, class Parameters>
void checkRefused(const Placement& placement, const Parameters& good, double Parameters::*field,
                  const std::string& name, const std::vector<double>& bad) {
    for (const double value : bad) {
        Parameters parameters = good;
        parameters.*field = value;
        CAPTURE(name, value);
        Element element(placement, good);
        element.setName("mine");
        const std::string type = element.typeName();
        CHECK_THROWS_AS(Element(placement, parameters), InvalidParameter);
        CHECK_THROWS_WITH(Element(placement, parameters), Catch::Contains(type) && Catch::Contains(name));
        CHECK_THROWS_WITH(element.setParameters(parameters),
                          Catch::Contains(type + " 'mine'") && Catch::Contains(name));
        CHECK(element.parameters().*field == good.*field);
    }
}

}  // namespace

TEST_CASE("ElastoGap refuses bad parameters") {
    Bodies bodies;
    const int geometry = GENERATE(0, 1, 2);
    const Placement placement = geometry == 0 ? bodies.axis : geometry == 1 ? bodies.line : bodies.hinge;
    const ElastoGapParameters good{.c = 1, .d = 1, .s_rel0 = 0.1};
    using P = ElastoGapParameters;
    checkRefused<ElastoGap>(placement, good, &P::c, "c", {kNan, kInfinity, -1});
    checkRefused<ElastoGap>(placement, good, &P::d, "d", {kNan, kInfinity, -1});
    checkRefused<ElastoGap>(placement, good, &P::s_rel0, "s_rel0", {kNan, kInfinity, -kInfinity});
    checkRefused<ElastoGap>(placement, good, &P::n, "n", {kNan, kInfinity, 0.5, 0, -1});
    checkRefused<ElastoGap>(placement, good, &P::s_ref, "s_ref", {kNan, kInfinity, 0, -1});
    CHECK_THROWS_WITH(ElastoGap(placement, {.d = 1}), Catch::Contains("c"));
    // A line is never shorter than 0.
    for (const double s_rel0 : {0., -0.1}) {
        CHECK_THROWS_WITH(ElastoGap(bodies.line, {.c = 1, .d = 1, .s_rel0 = s_rel0}), Catch::Contains("never act"));
        CHECK_NOTHROW(ElastoGap(bodies.axis, {.c = 1, .d = 1, .s_rel0 = s_rel0}));
    }
}

TEST_CASE("ElastoBacklash refuses bad parameters") {
    Bodies bodies;
    const ElastoBacklashParameters good{.c = 1, .d = 1, .b = 0.1};
    using P = ElastoBacklashParameters;
    checkRefused<ElastoBacklash>(bodies.hinge, good, &P::c, "c", {kNan, kInfinity, 0, -1});
    checkRefused<ElastoBacklash>(bodies.hinge, good, &P::d, "d", {kNan, kInfinity, -1});
    checkRefused<ElastoBacklash>(bodies.hinge, good, &P::b, "b", {kNan, kInfinity, -1});
    checkRefused<ElastoBacklash>(bodies.hinge, good, &P::phi_rel0, "phi_rel0", {kNan, kInfinity});
}

TEST_CASE("SpringDamperSeries refuses bad parameters") {
    Bodies bodies;
    const SpringDamperSeriesParameters good{.c = 1, .d = 1};
    using P = SpringDamperSeriesParameters;
    checkRefused<SpringDamperSeries>(bodies.line, good, &P::c, "c", {kNan, kInfinity, -1});
    checkRefused<SpringDamperSeries>(bodies.line, good, &P::d, "d", {kNan, kInfinity, -1});
    checkRefused<SpringDamperSeries>(bodies.line, good, &P::s_unstretched, "s_unstretched", {kNan, kInfinity});
    checkRefused<SpringDamperSeries>(bodies.line, good, &P::s_damper_start, "s_damper_start", {kNan, kInfinity});
}

TEST_CASE("springs and dampers refuse bad parameters") {
    Bodies bodies;
    const SpringDamperParameters good{.c = 1, .d = 1};
    using P = SpringDamperParameters;
    for (const Placement& placement : {bodies.axis, bodies.line}) {
        checkRefused<SpringDamperParallel>(placement, good, &P::c, "c", {kNan, kInfinity, -1});
        checkRefused<SpringDamperParallel>(placement, good, &P::d, "d", {kNan, kInfinity, -1});
        checkRefused<SpringDamperParallel>(placement, good, &P::s_rel0, "s_rel0", {kNan, kInfinity});
    }
    checkRefused<RotationalSpringDamper>(bodies.hinge, good, &P::c, "c", {kNan, kInfinity, -1});
    checkRefused<RotationalSpringDamper>(bodies.hinge, good, &P::d, "d", {kNan, kInfinity, -1});
    CHECK_THROWS_WITH(Spring(bodies.line, -1), Catch::Contains("Spring") && Catch::Contains("c"));
    CHECK_THROWS_WITH(Spring(bodies.line, 1, kNan), Catch::Contains("s_rel0"));
    CHECK_THROWS_WITH(Damper(bodies.line, kNan), Catch::Contains("Damper") && Catch::Contains("d"));
}

TEST_CASE("elements refuse bad settings") {
    Bodies bodies;
    Spring spring(bodies.line, 1);
    spring.setName("mine");
    for (const double bad : {kNan, kInfinity, 0.0, -1.0}) {
        CHECK_THROWS_WITH(spring.setS_small(bad), Catch::Contains("Spring 'mine'") && Catch::Contains("s_small"));
        CHECK_THROWS_WITH(spring.setT(bad), Catch::Contains("Spring 'mine'") && Catch::Contains("T"));
    }
    CHECK_THROWS_WITH(spring.setS_damper(kInfinity), Catch::Contains("s_damper"));
    CHECK(spring.s_small() == 1e-10);
    CHECK(spring.TheatPort() == 293.15);
}

TEST_CASE("loads refuse bad parameters") {
    Bodies bodies;
    constexpr auto kForce = Load::Kind::Force;
    const btVector3 up(0, 1, 0);
    CHECK_THROWS_WITH(Load(bodies.a, kForce, nullptr), Catch::Contains("empty function"));
    CHECK_THROWS_WITH(Load::constant(bodies.a, kForce, vec(0, kNan, 0)), Catch::Contains("value"));
    CHECK_THROWS_WITH(Load::sine(bodies.a, kForce, vec(kInfinity, 0, 0), {}), Catch::Contains("direction"));
    CHECK_THROWS_WITH(Load::sine(bodies.a, kForce, up, {.amplitude = kNan}), Catch::Contains("amplitude"));
    CHECK_THROWS_WITH(Load::sine(bodies.a, kForce, up, {.f = -1}), Catch::Contains("f = -1"));
    CHECK_THROWS_WITH(Load::sine(bodies.a, kForce, up, {.phase = kNan}), Catch::Contains("phase"));
    CHECK_THROWS_WITH(Load::sine(bodies.a, kForce, up, {.offset = kNan}), Catch::Contains("offset"));
    CHECK_THROWS_WITH(Load::sine(bodies.a, kForce, up, {.startTime = kNan}), Catch::Contains("startTime"));
    CHECK_THROWS_WITH(Load::table(bodies.a, kForce, up, {}), Catch::Contains("no points"));
    CHECK_THROWS_WITH(Load::table(bodies.a, kForce, up, {{0, kNan}}), Catch::Contains("value of a point"));
    CHECK_THROWS_WITH(Load::table(bodies.a, kForce, up, {{1, 1}, {0, 2}}), Catch::Contains("not less than"));
    CHECK_THROWS_WITH(Load::table(bodies.a, kForce, up, {{0, 1}, {0, 2}, {0, 3}}),
                      Catch::Contains("two points at most"));
}

TEST_CASE("a load that turns into nonsense is an error that names the network") {
    Bodies bodies;
    bodies.world.add<Spring>(bodies.line, 1.0, 1.0).setName("victim");
    bodies.world.plugin->addLoad(Load(bodies.a, Load::Kind::Force, [](double) { return vec(kNan, 0, 0); }));
    CHECK_THROWS_WITH(bodies.world.tick(), Catch::Contains("Spring 'victim'"));
    CHECK(heightOf(bodies.a) == 0);
}

TEST_CASE("a body whose state is no number is an error that names the network") {
    Bodies bodies;
    bodies.world.add<Spring>(bodies.line, 1.0, 1.0).setName("victim");
    bodies.world.tick();
    bodies.a.setLinearVelocity(vec(kNan, 0, 0));
    CHECK_THROWS_WITH(bodies.world.tick(), Catch::Contains("Spring 'victim'"));
    bodies.a.setLinearVelocity(vec(0, 0, 0));
    CHECK_NOTHROW(bodies.world.tick());
}
