// solveTick as its users see it: which method solves what, parts, inputs it refuses, the solution inside a tick.

#include <elasto/errors.h>
#include <elasto/flow.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace elasto;
using Eigen::Vector3d;

namespace {

FlowElement stop(int body, double c, double d, double n = 1) {
    FlowElement element{ElastoGapLaw({.c = c, .d = d, .n = n})};
    element.b = body;
    element.axis = {0, 1, 0};
    return element;
}

FlowNetwork drop(double c, double d, double n = 1) {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(0.2, 0.05));
    network.bodies[0].position = {0, 0.3, 0};
    network.bodies[0].force.constant = {0, -0.2 * 9.80665, 0};
    network.elements.push_back(stop(0, c, d, n));
    return network;
}

FlowMethod methodOfImpact(FlowNetwork network) {
    for (int i = 0; i < 30; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        if (!tick.events.empty()) {
            return tick.method;
        }
        network.adopt(tick);
    }
    return FlowMethod::Free;
}

}  // namespace

TEST_CASE("each situation is solved by the method made for it", "[flow][tick]") {
    CHECK(methodOfImpact(drop(1e6, 5)) == FlowMethod::ClosedForm);
    CHECK(methodOfImpact(drop(1e7, 5, 1.5)) == FlowMethod::Dop853);
    CHECK(methodOfImpact(drop(1e7, 1e4, 1.5)) == FlowMethod::Rodas4);
    SECTION("a spinning ball on a stop under its centre stays a closed form") {
        FlowNetwork network = drop(1e6, 5);
        network.bodies[0].angularVelocity = {1, 2, 3};
        network.bodies[0].velocity = {0.5, 0, 0.1};
        CHECK(methodOfImpact(network) == FlowMethod::ClosedForm);
    }
    SECTION("so does a tumbling box") {
        FlowNetwork network = drop(1e6, 5);
        network.bodies[0].inverseInertia = {100, 50, 33};
        network.bodies[0].angularVelocity = {1, 20, 3};
        CHECK(methodOfImpact(network) == FlowMethod::ClosedForm);
    }
    SECTION("a load that changes within the tick needs a series") {
        FlowNetwork network = drop(1e6, 5);
        network.bodies[0].force.linear = {0, 1, 0};
        CHECK(methodOfImpact(network) == FlowMethod::Taylor);
    }
    SECTION("a stop beside the centre turns the body") {
        FlowNetwork network = drop(1e6, 5);
        network.elements[0].pointB = {0.01, 0, 0};
        CHECK(methodOfImpact(network) == FlowMethod::Dop853);
    }
    SECTION("bodies that cannot turn may pass each other sideways") {
        FlowNetwork network;
        for (const double height : {0., 0.1}) {
            network.bodies.push_back(FlowBody::sphere(0.2, 0.05));
            network.bodies.back().position = {0, height, 0};
            network.bodies.back().angularFactor.setZero();
        }
        network.bodies[0].velocity = {1, 0, 0};
        network.bodies[1].velocity = {0, -1, 0.5};
        network.elements.push_back(FlowElement{ElastoGapLaw({.c = 1e6, .d = 0, .s_rel0 = 0.1})});
        network.elements[0].a = 0;
        network.elements[0].b = 1;
        network.elements[0].axis = {0, 1, 0};
        const TickResult tick = solveTick(network, 1. / 60);
        CHECK(tick.method == FlowMethod::ClosedForm);
        CHECK((tick.bodies[0].velocity - Vector3d(1, -1, 0)).norm() < 1e-12);
        CHECK((tick.bodies[1].velocity - Vector3d(0, 0, 0.5)).norm() < 1e-12);
    }
    SECTION("two stops at right angles do not know of each other") {
        FlowNetwork network = drop(1e6, 5);
        network.elements.push_back(stop(0, 1e5, 1));
        network.elements[1].axis = {1, 0, 0};
        network.bodies[0].position = {0.001, 0.001, 0};
        network.bodies[0].velocity = {-1, -1, 0};
        CHECK(solveTick(network, 1. / 60).method == FlowMethod::ClosedForm);
    }
    SECTION("out of reach nothing is paid for") {
        const TickResult tick = solveTick(drop(1e6, 5), 1. / 60);
        CHECK(tick.method == FlowMethod::Free);
        CHECK(tick.bodies[0].position.y() == Approx(0.3 - 0.5 * 9.80665 / 3600).epsilon(1e-15));
    }
}

TEST_CASE("elements and bodies that are not connected are solved apart", "[flow][tick]") {
    FlowNetwork both = drop(1e6, 5);
    both.bodies.push_back(both.bodies[0]);
    both.bodies[1].position = {3, 0.2, 0};
    both.elements.push_back(stop(1, 1e5, 0, 1.5));
    FlowNetwork first = drop(1e6, 5);
    FlowNetwork second = drop(1e5, 0, 1.5);
    second.bodies[0].position = {3, 0.2, 0};
    for (int i = 0; i < 60; ++i) {
        both.adopt(solveTick(both, 1. / 60));
        first.adopt(solveTick(first, 1. / 60));
        second.adopt(solveTick(second, 1. / 60));
        REQUIRE(both.bodies[0].position == first.bodies[0].position);
        REQUIRE(both.bodies[1].position == second.bodies[0].position);
    }
}

TEST_CASE("the solution inside a tick is the tick solved up to there", "[flow][tick]") {
    FlowNetwork network = drop(1e5, 5);
    network.bodies[0].position.y() = 0.001;
    network.bodies[0].velocity.y() = -2;
    // Entry after t1 with speed u: F = 2 c y there, a half sine of frequency sqrt(2 c / m).
    const double g = 9.80665;
    const double u = std::sqrt(4 + 2 * g * 0.001);
    const double t1 = (u - 2) / g;
    const double t = t1 + 1e-4;
    const double omega = std::sqrt(2 * 1e5 / 0.2);
    const double y = u / omega * std::sin(omega * 1e-4) + g / (omega * omega) * (1 - std::cos(omega * 1e-4));
    // The damper saturates as long as d u > c y: here up to y = 1e-4.
    const TickResult inside = solveTick(network, t1 + 4e-5);
    CHECK(inside.elements[0].force.f == Approx(2 * 1e5 * inside.elements[0].s).epsilon(1e-12));
    const TickResult later = solveTick(network, t);
    CHECK(-later.elements[0].s > y);  // the damper no longer doubles the spring
    CHECK(-later.elements[0].s == Approx(y).epsilon(0.05));
}

TEST_CASE("the budget ends resolution, not passivity", "[flow][tick]") {
    FlowNetwork network;
    for (int i = 0; i < 3; ++i) {
        network.bodies.push_back(FlowBody::sphere(1, 0.05));
        network.bodies[static_cast<std::size_t>(i)].position = {0, 0.1 * i, 0};
        network.bodies[static_cast<std::size_t>(i)].velocity = {0, 0.1 * i - 0.1, 0};
    }
    for (int i = 0; i < 2; ++i) {
        FlowElement spring{SpringDamperLaw({.c = 1e9, .d = 0, .s_rel0 = 0.1})};
        spring.a = i;
        spring.b = i + 1;
        spring.axis = {0, 1, 0};
        network.elements.push_back(spring);
    }
    FlowSettings settings;
    settings.maxSteps = 20;
    const TickResult tick = solveTick(network, 1. / 60, settings);
    CHECK(tick.overBudget);
    CHECK(tick.method == FlowMethod::Implicit);
    double energy = 0;
    double momentum = 0;
    for (const BodyTick& body : tick.bodies) {
        energy += 0.5 * body.velocity.squaredNorm();
        momentum += body.velocity.y();
    }
    for (const ElementTick& element : tick.elements) {
        energy += element.storedEnergy;
    }
    CHECK(energy <= 0.01 * (1 + 1e-9));
    CHECK(momentum == Approx(0).margin(1e-12));
    CHECK_FALSE(solveTick(network, 1. / 60).overBudget);
}

TEST_CASE("a quadratic load runs through start, middle and end", "[flow][tick]") {
    const QuadraticLoad load = QuadraticLoad::through({1, 2, 3}, {2, 2, 4}, {5, 2, 3}, 0.1);
    CHECK((load.value(0) - Vector3d(1, 2, 3)).norm() < 1e-14);
    CHECK((load.value(0.05) - Vector3d(2, 2, 4)).norm() < 1e-14);
    CHECK((load.value(0.1) - Vector3d(5, 2, 3)).norm() < 1e-13);
}

TEST_CASE("solveTick refuses what it cannot solve and says why", "[flow][tick][misuse]") {
    using Catch::Matchers::Contains;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double inf = std::numeric_limits<double>::infinity();
    const FlowNetwork good = drop(1e6, 5);
    REQUIRE_NOTHROW(solveTick(good, 0.01));
    for (const double h : {0., -1., nan, inf}) {
        CHECK_THROWS_WITH(solveTick(good, h), Contains("h") && Contains("> 0"));
    }
    const auto refuses = [&](auto&& change, const std::string& first, const std::string& second) {
        FlowNetwork bad = good;
        change(bad);
        CHECK_THROWS_AS(solveTick(bad, 0.01), InvalidParameter);
        CHECK_THROWS_WITH(solveTick(bad, 0.01), Contains(first) && Contains(second));
    };
    const auto refusesContact = [&](auto&& change, const std::string& second) {
        refuses(
            [&](FlowNetwork& n) {
                FlowContact contact;
                contact.a = 0;
                change(contact);
                n.contacts.push_back(contact);
            },
            "contact 0", second);
    };
    refusesContact([](FlowContact& c) { c.a = 1; }, "a = 1");
    refusesContact([](FlowContact& c) { c.a = kWorld; }, "different bodies");
    refusesContact([](FlowContact& c) { c.normal = {1, 1, 0}; }, "normal");
    refusesContact([](FlowContact& c) { c.friction = -1; }, "friction");
    refusesContact([](FlowContact& c) { c.restitution = 1.5; }, "restitution");
    refusesContact([](FlowContact& c) { c.vertex.x() = nan; }, "vertex");
    refusesContact([](FlowContact& c) { c.stiffness = 0; }, "stiffness");
    refuses([&](FlowNetwork& n) { n.bodies[0].position.x() = nan; }, "body 0", "position");
    refuses([&](FlowNetwork& n) { n.bodies[0].velocity.x() = inf; }, "body 0", "velocity");
    refuses([&](FlowNetwork& n) { n.bodies[0].angularVelocity.x() = inf; }, "body 0", "angularVelocity");
    refuses([&](FlowNetwork& n) { n.bodies[0].orientation.w() = 2; }, "orientation", "length 1");
    refuses([&](FlowNetwork& n) { n.bodies[0].inverseMass = -1; }, "inverseMass", "-1");
    refuses([&](FlowNetwork& n) { n.bodies[0].inverseInertia.y() = -1; }, "inverseInertia", "-1");
    refuses([&](FlowNetwork& n) { n.bodies[0].linearFactor.y() = -1; }, "linearFactor", "-1");
    refuses([&](FlowNetwork& n) { n.bodies[0].angularFactor.y() = nan; }, "angularFactor", ">= 0");
    refuses([&](FlowNetwork& n) { n.bodies[0].force.quadratic.y() = nan; }, "force", "finite");
    refuses([&](FlowNetwork& n) { n.bodies[0].torque.linear.y() = nan; }, "torque", "finite");
    refuses([&](FlowNetwork& n) { n.elements[0].b = 7; }, "element 0", "7");
    refuses([&](FlowNetwork& n) { n.elements[0].a = -2; }, "element 0", "-2");
    refuses([&](FlowNetwork& n) { n.elements[0].a = 0; }, "element 0", "same body");
    refuses([&](FlowNetwork& n) { n.elements[0].b = kWorld; }, "element 0", "immovable");
    refuses([&](FlowNetwork& n) { n.elements[0].axis.setZero(); }, "axis", "length 1");
    refuses([&](FlowNetwork& n) { n.elements[0].pointB.z() = nan; }, "pointB", "finite");
    refuses([&](FlowNetwork& n) { n.elements[0].s_damper = inf; }, "s_damper", "finite");
    refuses([&](FlowNetwork& n) { n.elements[0].s_small = 0; }, "s_small", "> 0");
    CHECK_THROWS_WITH(FlowBody::sphere(0, 1), Contains("m = 0"));
    CHECK_THROWS_WITH(FlowBody::rigid(1, {1, nan, 1}), Contains("I"));
}

TEST_CASE("a frame along a direction has its z axis there") {
    const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
    for (const Eigen::Vector3d& direction : {Eigen::Vector3d(0.3, -2, 0.5), z, Eigen::Vector3d(-z)}) {
        const Eigen::Quaterniond frame = frameAlong(direction);
        CHECK(frame.norm() == Approx(1).epsilon(1e-15));
        CHECK((frame * z - direction.normalized()).norm() < 1e-15);
    }
    CHECK(
        frameAlong({1, 0, 0}).isApprox(Eigen::Quaterniond(Eigen::AngleAxisd(std::acos(0.), Eigen::Vector3d::UnitY()))));
}
