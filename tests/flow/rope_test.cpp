// Ropes that go slack and get taut again, in every integrator: against CVODE, by the balance of energy, and as the
// mirror image of a gap.

#include <elasto/flow.h>
#include <elasto/flow_tree.h>
#include <elasto/reference/tree_reference.h>

#include <catch2/catch.hpp>

#include "runs_of_laws.h"

using namespace elasto;
using Eigen::Vector3d;

namespace {

constexpr double kGravity = 9.80665;  // [m/s2]
constexpr double kWhole = 1e-6;       // of the range: what a run is to be better than
constexpr double kClosed = 1e-8;      // of the range: closed form and Taylor series; CVODE's own error

/// The rope's end in the world, or on another body.
FlowElement ropeBetween(int a, const Vector3d& pointA, int b, const Vector3d& pointB,
                        const RopeParameters& parameters) {
    FlowElement rope{RopeLaw(parameters)};
    rope.geometry = Geometry::AlongLine;
    rope.a = a;
    rope.b = b;
    rope.pointA = pointA;
    rope.pointB = pointB;
    return rope;
}

FlowBody massAt(const Vector3d& position, const Vector3d& velocity, double mass = 2) {
    FlowBody body = FlowBody::rigid(mass, 0.004 * mass * Vector3d::Ones());
    body.position = position;
    body.velocity = velocity;
    body.force.constant = {0, -mass * kGravity, 0};
    return body;
}

/// It hangs on a rope of 1 m and is thrown up: 0.8 s of flight, then the rope throws it up again.
FlowNetwork thrown(const RopeParameters& parameters) {
    FlowNetwork network;
    network.bodies = {massAt({0, -1, 0}, {0, 4, 0})};
    network.elements = {ropeBetween(kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), parameters)};
    return network;
}

/// It falls beside its pivot until the rope snaps taut, and swings.
FlowNetwork ropePendulum(const RopeParameters& parameters) {
    FlowNetwork network;
    network.bodies = {massAt({0.7, 0.3, 0.2}, {0, 0, 0})};
    network.elements = {ropeBetween(kWorld, Vector3d::Zero(), 0, Vector3d::Zero(), parameters)};
    return network;
}

/// Two bodies that fly apart, tied to each other beside their centres: each snap turns them.
FlowNetwork tied(const RopeParameters& parameters) {
    FlowNetwork network;
    network.bodies = {massAt({-0.3, 0, 0}, {-1, 3, 0.2}), massAt({0.4, 0, 0.1}, {1.5, 2, 0}, 3)};
    network.elements = {ropeBetween(0, {0.05, 0.02, 0}, 1, {-0.04, 0.03, 0.02}, parameters)};
    return network;
}

/// How often the rope gets taut within the ticks.
int snapsOf(const FlowNetwork& start, double rate, int ticks) {
    FlowNetwork network = start;
    int count = 0;
    for (int i = 0; i < ticks; ++i) {
        const TickResult tick = solveTick(network, 1 / rate);
        for (const ContactEvent& event : tick.events) count += event.begin ? 1 : 0;
        network.adopt(tick);
    }
    return count;
}

}  // namespace

TEST_CASE("a mass thrown up on a rope, a pendulum and two tied bodies move as CVODE says", "[flow][rope]") {
    const double rate = GENERATE(60., 240.);
    const double n = GENERATE(1., 1.5);
    const double d = GENERATE(0., 30.);
    const RopeParameters rope{.c = 2e4, .d = d, .s_unstretched = 1, .n = n, .s_ref = n == 1 ? 1 : 0.05};
    const auto ticks = static_cast<int>(2 * rate);
    for (const FlowNetwork& start : {thrown(rope), ropePendulum(rope), tied(rope)}) {
        CAPTURE(rate, n, d, start.bodies.size(), start.bodies[0].position.x());
        const Run found = runTicks(start, rate, ticks);
        CHECK(compare(start, found, rate).error < kWhole);
        CHECK(snapsOf(start, rate, ticks) >= 2);
        const double lost = energyOf(start) - energyOf(found.states.back());
        const double scale = energyOf(start) - start.bodies[0].force.constant.y();  // one metre more
        CHECK(found.heat == Approx(lost).margin(1e-6 * scale));
        CHECK((d == 0 ? std::abs(lost) < 1e-6 * scale : lost > 1e-2 * scale));
    }
}

TEST_CASE("along an axis a rope is solved in closed form, and in a row by Taylor series", "[flow][rope]") {
    for (const double d : {0., 30.}) {
        CAPTURE(d);
        FlowNetwork start = thrown({.c = 2e4, .d = d, .s_unstretched = 1});
        start.elements[0].geometry = Geometry::AlongAxis;
        start.elements[0].axis = -Vector3d::UnitY();
        const Run one = runTicks(start, 60, 120);
        for (const FlowMethod method : one.methods)
            CHECK((method == FlowMethod::ClosedForm || method == FlowMethod::Free));
        CHECK(compare(start, one, 60).error < kClosed);
        FlowElement below =
            ropeBetween(0, Vector3d::Zero(), 1, Vector3d::Zero(), {.c = 1e4, .d = d, .s_unstretched = 0.5});
        below.geometry = Geometry::AlongAxis;
        below.axis = -Vector3d::UnitY();
        start.bodies.push_back(massAt({0, -1.4, 0}, {0, 2, 0}, 1));
        start.elements.push_back(below);
        const Run two = runTicks(start, 60, 120);
        CHECK(two.methods.contains(FlowMethod::Taylor));
        CHECK(two.methods.size() == 2);  // and Free, where both ropes are slack
        CHECK(compare(start, two, 60).error < kClosed);
    }
}

TEST_CASE("a rope is the mirror image of a gap, bit for bit", "[flow][rope]") {
    const double n = GENERATE(1., 1.5);
    const double d = GENERATE(0., 3., 3000.);
    CAPTURE(n, d);
    const auto solve = [&](double sign, const Law& law) {
        FlowNetwork network;
        network.bodies = {massAt({sign * 0.3, 0, 0}, {0, 0, 0})};
        network.bodies[0].force.constant = {-sign * 20, 0, 0};
        FlowElement element{law};
        element.b = 0;
        network.elements = {element};
        return runTicks(network, 60, 120);
    };
    const Run gap = solve(+1, ElastoGapLaw({.c = 5e3, .d = d, .s_rel0 = 0.1, .n = n, .s_ref = 0.1}));
    const Run rope = solve(-1, RopeLaw({.c = 5e3, .d = d, .s_unstretched = -0.1, .n = n, .s_ref = 0.1}));
    for (std::size_t i = 0; i < gap.states.size(); ++i) {
        CHECK(rope.states[i].bodies[0].position.x() == -gap.states[i].bodies[0].position.x());
        CHECK(rope.states[i].bodies[0].velocity.x() == -gap.states[i].bodies[0].velocity.x());
    }
    CHECK(rope.heat == gap.heat);
}

TEST_CASE("a rope that bounces faster than the events of a tick comes to rest taut", "[flow][rope]") {
    // 1e12 N/m under 2 kg: a hundred thousand impacts in a tick, each of which takes a little.
    FlowNetwork network = thrown({.c = 1e12, .d = 1e4, .s_unstretched = 1});
    network.bodies[0].velocity.y() = 1e-3;
    network.elements[0].geometry = Geometry::AlongAxis;
    network.elements[0].axis = -Vector3d::UnitY();
    const Run found = runTicks(network, 60, 120);
    CHECK(found.states.back().bodies[0].position.y() == Approx(-1).margin(1e-9));
    CHECK(std::abs(found.states.back().bodies[0].velocity.y()) < 1e-6);
}

TEST_CASE("a link on a rope turns as CVODE says", "[flow][rope][tree]") {
    const double n = GENERATE(1., 1.5);
    const double d = GENERATE(0., 0.5);
    CAPTURE(n, d);
    TreeNetwork network = swingingLink(3);
    TreeElement rope{RopeLaw({.c = 200, .d = d, .s_unstretched = 0.5, .n = n, .s_ref = 0.1})};
    rope.terms = {{TreeTerm::Kind::Joint, 0, 0, -1}};  // it is held from below
    network.elements = {rope};
    const LinkComparison found = compareLink(network, 240, 480);
    CHECK(found.contacts >= 2);
    CHECK(found.error < 1e-5);  // [rad] of one and more; steps of order 5 at the default tolerance
}

TEST_CASE("a crate that is set down on a floor lets its rope go slack", "[flow][rope][contact]") {
    const double rate = GENERATE(60., 240.);
    CAPTURE(rate);
    FlowNetwork network;
    network.bodies = {massAt({0, 0.5, 0}, {0, 0, 0})};
    network.bodies[0].angularFactor.setZero();
    network.elements = {
        ropeBetween(kWorld, {0, 3, 0}, 0, Vector3d::Zero(), {.c = 2e4, .d = 100, .s_unstretched = 2.6})};
    FlowContact floor;
    floor.a = 0;
    floor.vertex = {0, -0.2, 0};
    network.contacts = {floor};
    const auto step = [&] {
        const TickResult tick = solveTick(network, 1 / rate);
        network.adopt(tick);
        return tick;
    };
    for (int i = 0; i < rate; ++i) step();
    // It came down 0.1 m more than it can stretch the rope: all its weight is on the rope.
    CHECK(step().elements[0].force.f == Approx(2 * kGravity).epsilon(1e-3));
    network.elements[0].law = RopeLaw({.c = 2e4, .d = 100, .s_unstretched = 2.9});
    for (int i = 0; i < rate; ++i) step();
    const TickResult slack = step();
    CHECK(slack.elements[0].force.f == 0);
    CHECK(slack.contacts[0].impulse * rate == Approx(2 * kGravity).epsilon(1e-6));
    CHECK(network.bodies[0].position.y() == Approx(0.2).margin(1e-4));
}

TEST_CASE("the implicit step lets a rope pull and never push, and keeps the energy book", "[flow][rope][implicit]") {
    const double d = GENERATE(0., 30., 3000.);
    const RopeParameters rope{.c = 2e4, .d = d, .s_unstretched = 1};
    FlowSettings settings;
    settings.accuracy = Accuracy::Implicit;
    for (FlowNetwork start : {thrown(rope), tied(rope)}) {
        CAPTURE(d, start.bodies.size());
        FlowContact contact;  // something to touch, far below
        contact.a = 0;
        contact.planePoint = {0, -50, 0};
        start.contacts = {contact};
        FlowNetwork network = start;
        double heat = 0;
        int taut = 0;
        for (int i = 0; i < 480; ++i) {
            const TickResult tick = solveTick(network, 1. / 240, settings);
            CHECK(tick.method == FlowMethod::Implicit);
            CHECK(tick.elements[0].impulse >= 0);
            heat += tick.elements[0].heat;
            taut += tick.elements[0].impulse > 0 ? 1 : 0;
            network.adopt(tick);
        }
        CHECK(taut > 10);
        // Where the rope turns bodies about, sub-steps of 1 ms are not exact.
        const double margin = start.bodies.size() == 1 ? 1e-6 : 1e-2;
        CHECK(heat == Approx(energyOf(start) - energyOf(network)).margin(margin * std::abs(energyOf(start))));
        const Run found = runTicks(start, 240, 120, settings);
        start.contacts.clear();
        CHECK(compare(start, found, 240).error < 2e-2);
    }
}

// Ropes that slip at their largest force.

TEST_CASE("a rope that slips moves as CVODE says, and its force stays at its limit", "[flow][rope][slip]") {
    const double rate = GENERATE(60., 240.);
    const double n = GENERATE(1., 1.5);
    const double d = GENERATE(0., 30., 300.);
    const RopeParameters rope{
        .c = 2e4, .d = d, .s_unstretched = 1, .n = n, .s_ref = n == 1 ? 1 : 0.05, .f_max = 250, .s_slip_start = 0.01};
    const auto ticks = static_cast<int>(2 * rate);
    int which = 0;
    for (FlowNetwork start : {thrown(rope), ropePendulum(rope), tied(rope)}) {
        CAPTURE(rate, n, d, which++);
        start.elements[0].s_damper = 0.01;
        const Run found = runTicks(start, rate, ticks);
        const Comparison compared = compare(start, found, rate);
        CHECK(compared.error < kWhole);
        CHECK(compared.slipped > 5e-5);  // two tied bodies fly far
        for (const FlowNetwork& state : found.states) {
            const Measure now = measure(state, state.elements[0]);
            CHECK(evaluate(state.elements[0].law, now.s, now.v, state.elements[0].s_damper).f <= 250 * (1 + 1e-12));
        }
        const double lost = energyOf(start) - energyOf(found.states.back());
        const double scale = energyOf(start) - start.bodies[0].force.constant.y();
        CHECK(found.heat == Approx(lost).margin(1e-6 * scale));
        CHECK(lost > 1e-2 * scale);
    }
}

TEST_CASE("along an axis a rope slips in closed form, and in a row by Taylor series", "[flow][rope][slip]") {
    for (const double d : {0., 30., 300.}) {
        CAPTURE(d);
        FlowNetwork start = thrown({.c = 2e4, .d = d, .s_unstretched = 1, .f_max = 200});
        start.elements[0].geometry = Geometry::AlongAxis;
        start.elements[0].axis = -Vector3d::UnitY();
        const Run one = runTicks(start, 60, 120);
        for (const FlowMethod method : one.methods) {
            CHECK((method == FlowMethod::ClosedForm || method == FlowMethod::Free));
        }
        const Comparison alone = compare(start, one, 60);
        CHECK(alone.error < kClosed);
        CHECK(alone.slipped > 1e-2);
        CHECK(one.heat == Approx(energyOf(start) - energyOf(one.states.back())).epsilon(1e-9));
        FlowElement below = ropeBetween(0, Vector3d::Zero(), 1, Vector3d::Zero(),
                                        {.c = 1e4, .d = d, .s_unstretched = 0.5, .f_max = 120});
        below.geometry = Geometry::AlongAxis;
        below.axis = -Vector3d::UnitY();
        start.bodies.push_back(massAt({0, -1.4, 0}, {0, 2, 0}, 1));
        start.elements.push_back(below);
        const Run two = runTicks(start, 60, 120);
        CHECK(two.methods.contains(FlowMethod::Taylor));
        const Comparison row = compare(start, two, 60);
        CHECK(row.error < 5 * kClosed);  // at each change of branch CVODE begins anew
        CHECK(row.slipped > 1e-2);
        CHECK(two.heat == Approx(energyOf(start) - energyOf(two.states.back())).epsilon(1e-8));
    }
}

TEST_CASE("a winch pulled with more than its brake holds runs out at a constant force", "[flow][rope][slip]") {
    const double d = GENERATE(0., 50.);
    FlowNetwork start = thrown({.c = 2e4, .d = d, .s_unstretched = 1, .f_max = 15});  // 2 kg weigh 19.6 N
    start.bodies[0].velocity.setZero();
    const Run found = runTicks(start, 60, 60);
    // From rest at the unstretched length, with 15 N against the weight but for the first hundredths of a second, in
    // which it gets taut.
    const double a = kGravity - 15. / 2;
    CHECK(found.states.back().bodies[0].velocity.y() == Approx(-a).epsilon(0.05));
    const Measure now = measure(found.states.back(), found.states.back().elements[0]);
    CHECK(found.states.back().elements[0].s_damper == Approx(now.s - 1 - 15 / 2e4).margin(1e-12));
    CHECK(compare(start, found, 60).error < kClosed);
}

TEST_CASE("a link on a rope that slips turns as CVODE says", "[flow][rope][slip][tree]") {
    const double n = GENERATE(1., 1.5);
    const double d = GENERATE(0., 0.5);
    CAPTURE(n, d);
    TreeNetwork network = swingingLink(3);
    TreeElement rope{RopeLaw({.c = 200, .d = d, .s_unstretched = 0.5, .n = n, .s_ref = 0.1, .f_max = 8})};
    rope.terms = {{TreeTerm::Kind::Joint, 0, 0, -1}};
    network.elements = {rope};
    const LinkComparison found = compareLink(network, 240, 480);
    CHECK(found.slipped > 0.05);
    CHECK(found.error < 1e-5);
}

TEST_CASE("the implicit step lets a rope slip, and keeps the energy book", "[flow][rope][slip][implicit]") {
    const double d = GENERATE(0., 30., 3000.);
    CAPTURE(d);
    FlowSettings settings;
    settings.accuracy = Accuracy::Implicit;
    FlowNetwork start = thrown({.c = 2e4, .d = d, .s_unstretched = 1, .f_max = 200});
    FlowContact contact;  // something to touch, far below
    contact.a = 0;
    contact.planePoint = {0, -50, 0};
    start.contacts = {contact};
    FlowNetwork network = start;
    double heat = 0;
    for (int i = 0; i < 480; ++i) {
        const TickResult tick = solveTick(network, 1. / 240, settings);
        CHECK(tick.elements[0].impulse * 240 <= 200 * (1 + 1e-12));
        CHECK(tick.elements[0].impulse >= 0);
        heat += tick.elements[0].heat;
        network.adopt(tick);
    }
    CHECK(network.elements[0].s_damper > 0.02);
    CHECK(heat == Approx(energyOf(start) - energyOf(network)).epsilon(1e-6));
    const Run found = runTicks(start, 240, 480, settings);
    start.contacts.clear();
    CHECK(compare(start, found, 240).error < 2e-2);
}

TEST_CASE("a winch that is too weak for a crate on a floor runs out, and the floor bears the rest",
          "[flow][rope][slip]") {
    const double rate = GENERATE(60., 240.);
    const double d = GENERATE(0., 100.);
    CAPTURE(rate, d);
    FlowNetwork network;
    FlowBody hook;  // it goes up at 0.5 m/s whatever pulls
    hook.position = {0, 3, 0};
    hook.velocity = {0, 0.5, 0};
    network.bodies = {massAt({0, 0.2, 0}, {0, 0, 0}), hook};
    network.bodies[0].angularFactor.setZero();
    network.elements = {
        ropeBetween(1, Vector3d::Zero(), 0, Vector3d::Zero(), {.c = 2e4, .d = d, .s_unstretched = 3, .f_max = 15})};
    FlowContact floor;
    floor.a = 0;
    floor.vertex = {0, -0.2, 0};
    network.contacts = {floor};
    TickResult tick;
    double heat = 0;
    for (int i = 0; i < rate; ++i) {
        tick = solveTick(network, 1 / rate);
        heat += tick.elements[0].heat;
        network.adopt(tick);
        network.bodies[1].velocity = hook.velocity;
    }
    CHECK(network.bodies[1].position.y() == Approx(3.5));
    CHECK(network.bodies[0].position.y() == Approx(0.2).margin(1e-9));
    CHECK(tick.elements[0].force.f == Approx(15));
    CHECK(tick.contacts[0].impulse * rate == Approx(2 * kGravity - 15).epsilon(1e-9));
    const double slipped = 3.5 - 0.2 - 3 - 15 / 2e4;
    CHECK(network.elements[0].s_damper == Approx(slipped).epsilon(1e-9));
    CHECK(heat == Approx(15 * slipped).epsilon(d == 0 ? 1e-9 : 1e-2));  // beside what the damper took
}
