// Bushings, whose friction first gives and then slips, in every integrator: against CVODE, which integrates the slider
// as a state of its own, and by the balance of energy.

#include <elasto/flow.h>
#include <elasto/flow_single.h>
#include <elasto/flow_tree.h>
#include <elasto/reference/reference.h>
#include <elasto/reference/tree_reference.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "runs_of_laws.h"

using namespace elasto;
using Eigen::Vector3d;

namespace {

constexpr double kMass = 2;        // [kg]
constexpr double kSlip = 12;       // [N]
constexpr double kRate = 240;      // [Hz]
constexpr int kTicks = 240;        // one second: some six periods, most of which slip
constexpr double kExact = 1e-8;    // of the range: CVODE's own error over a second, with its changes of branch
constexpr double kStepped = 2e-6;  // of the range: error-controlled steps at the default tolerance

BushingLaw bushing(double d = 1, double f_slip = kSlip) {
    return BushingLaw({.c = 800, .d = d, .c_slip = 4000, .f_slip = f_slip, .s_rel0 = 0.1});
}

FlowBody massAt(double x, double v) {
    FlowBody body = FlowBody::rigid(kMass, Vector3d::Constant(0.02));
    body.position = {x, 0, 0};
    body.velocity = {v, 0, 0};
    body.force.constant = {-kMass * 3, 0, 0};
    return body;
}

FlowElement fromWorld(const Law& law) {
    FlowElement element{law};
    element.b = 0;
    return element;
}

Run run(const FlowNetwork& network, const FlowSettings& settings = {}) {
    return runTicks(network, kRate, kTicks, settings);
}

double largestError(const FlowNetwork& start, const Run& found) {
    return compare(start, found, kRate).error;
}

/// Where bushings ought to slip.
double errorOf(const FlowNetwork& start, const Run& found, double rate = kRate) {
    const Comparison compared = compare(start, found, rate);
    CHECK(compared.slipped > 0.1);  // otherwise nothing was tried
    return compared.error;
}

FlowNetwork oneMass(const Law& law, double v = 1) {
    FlowNetwork network;
    network.bodies = {massAt(0.1, v)};
    network.elements = {fromWorld(law)};
    return network;
}

FlowNetwork twoMasses() {
    FlowNetwork network = oneMass(bushing(0));
    network.bodies.push_back(massAt(0.2, -2));
    FlowElement between{bushing(2, 20)};
    between.a = 0;
    between.b = 1;
    network.elements.push_back(between);
    return network;
}

/// A mass on a line that it swings about.
FlowNetwork pendulum() {
    FlowNetwork network = oneMass(bushing(0, 4));
    network.elements[0].geometry = Geometry::AlongLine;
    network.bodies[0].velocity = {0.5, 0.4, 0};
    return network;
}

}  // namespace

TEST_CASE("a mass on a bushing moves as CVODE says, exactly", "[flow][bushing]") {
    for (const double d : {0., 1., 40.}) {
        for (const double c : {0., 800.}) {
            CAPTURE(d, c);
            const BushingLaw law({.c = c, .d = d, .c_slip = 4000, .f_slip = kSlip, .s_rel0 = 0.1});
            const FlowNetwork start = oneMass(law);
            const Run found = run(start);
            CHECK(found.methods == std::set{FlowMethod::ClosedForm});
            CHECK(errorOf(start, found) < kExact);
        }
    }
}

TEST_CASE("what a bushing takes is what its mass loses", "[flow][bushing]") {
    for (const FlowNetwork& start : {oneMass(bushing(0)), oneMass(bushing(5)), twoMasses(), pendulum()}) {
        const Run found = run(start);
        const double before = energyOf(start), after = energyOf(found.states.back());
        CHECK(found.heat == Approx(before - after).epsilon(1e-6));
        CHECK(found.heat > 0.1);  // [J] of the kinetic energy of 1 J and more
    }
}

TEST_CASE("a bushing that does not reach its slip force is a spring", "[flow][bushing]") {
    const Run stuck = run(oneMass(bushing(0, 1e6)));
    const Run spring = run(oneMass(SpringDamperLaw({.c = 4800, .d = 0, .s_rel0 = 0.1})));
    for (std::size_t i = 0; i < stuck.states.size(); ++i) {
        CHECK(stuck.states[i].bodies[0].position.x() == Approx(spring.states[i].bodies[0].position.x()).margin(1e-12));
    }
    CHECK(stuck.heat == Approx(0).margin(1e-12));
    CHECK(stuck.states.back().elements[0].s_damper == 0);
}

TEST_CASE("a loop of a bushing takes four slip forces times the way that it slips", "[flow][bushing]") {
    // A heavy mass drives it to and fro by a load that leaves no doubt about the amplitude: it is measured.
    FlowNetwork network = oneMass(BushingLaw({.c = 0, .d = 0, .c_slip = 4000, .f_slip = kSlip}), 0);
    network.bodies[0].position.x() = 0;
    network.bodies[0].inverseMass = 1 / 1000.;
    const double a = 0.05, w = 4;  // [m], [rad/s]
    network.bodies[0].velocity.x() = a * w;
    double heat = 0, least = 0, most = 0, path = 0, last = 0;
    const int ticks = 4000;
    const double h = 2 * 3.141592653589793 / w / 400;
    for (int i = 0; i < ticks; ++i) {
        const double t = i * h;
        network.bodies[0].force.constant.x() = -1000 * a * w * w * std::sin(w * (t + h / 2));
        const TickResult tick = solveTick(network, h);
        heat += tick.elements[0].heat;
        network.adopt(tick);
        const double s = tick.elements[0].s;
        least = std::min(least, s), most = std::max(most, s);
        path += std::abs(network.elements[0].s_damper - last);
        last = network.elements[0].s_damper;
    }
    CHECK(heat == Approx(kSlip * path).epsilon(1e-3));  // the way within ticks in which it turns round is not seen
    CHECK(path > 10 * 3 * a);                           // ten loops
    CHECK(most - least > 1.9 * a);
}

TEST_CASE("bushings in a row move as CVODE says", "[flow][bushing]") {
    const FlowNetwork start = twoMasses();
    const Run found = run(start);
    CHECK(found.methods == std::set{FlowMethod::Taylor});
    CHECK(errorOf(start, found) < kExact);
}

TEST_CASE("a bushing beside a Hertzian stop moves as CVODE says", "[flow][bushing]") {
    FlowNetwork start = twoMasses();
    start.elements.push_back(fromWorld(ElastoGapLaw({.c = 1e4, .d = 3, .s_rel0 = 0.09, .n = 1.5, .s_ref = 0.01})));
    const Run found = run(start);
    CHECK(found.methods.contains(FlowMethod::Dop853));
    CHECK(errorOf(start, found) < kStepped);
}

TEST_CASE("bushings between strong dampers move as CVODE says", "[flow][bushing]") {
    FlowNetwork start = twoMasses();
    start.elements[1].law = bushing(3e4, 20);
    const Run found = run(start);
    CHECK(found.methods.contains(FlowMethod::Rodas4));
    CHECK(errorOf(start, found) < kStepped);
}

TEST_CASE("a mass that swings on a bushing moves as CVODE says", "[flow][bushing]") {
    const FlowNetwork start = pendulum();
    const Run found = run(start);
    CHECK(found.methods.contains(FlowMethod::Dop853));
    CHECK(errorOf(start, found) < kStepped);
}

TEST_CASE("a wheel on a rotational bushing turns as a mass moves", "[flow][bushing]") {
    FlowNetwork network = oneMass(bushing());
    const Run straight = run(network);
    network.elements[0].geometry = Geometry::AboutAxis;
    network.elements[0].phi = 0.1;
    FlowBody& wheel = network.bodies[0];
    wheel = FlowBody::rigid(1, Vector3d::Constant(kMass));
    wheel.orientation = Eigen::AngleAxisd(0.1, Vector3d::UnitX());
    wheel.angularVelocity = {1, 0, 0};
    wheel.torque.constant = {-kMass * 3, 0, 0};
    const Run turning = run(network);
    for (std::size_t i = 0; i < straight.states.size(); ++i) {
        CHECK(turning.states[i].elements[0].s_damper == Approx(straight.states[i].elements[0].s_damper).margin(kExact));
        CHECK(turning.states[i].bodies[0].angularVelocity.x() ==
              Approx(straight.states[i].bodies[0].velocity.x()).margin(kExact));
    }
}

TEST_CASE("the implicit step takes what a bushing takes, and converges", "[flow][bushing][implicit]") {
    const FlowNetwork start = twoMasses();
    double last = 0;
    for (const int substeps : {4, 8, 16}) {
        FlowSettings settings;
        settings.accuracy = Accuracy::Implicit;
        settings.fewestSubsteps = settings.mostSubsteps = substeps;
        FlowNetwork network = start;
        // Something to touch, or networks without contacts are not implicit: a floor far below.
        FlowContact contact;
        contact.a = 0;
        contact.planePoint = {0, -1, 0};
        network.contacts = {contact};
        const Run found = run(network, settings);
        CHECK(found.methods == std::set{FlowMethod::Implicit});
        const double lost = energyOf(start) - energyOf(found.states.back());
        CHECK(found.heat == Approx(lost).epsilon(1e-6));
        const double error = errorOf(start, found);
        CAPTURE(substeps, error, last);
        if (last > 0) CHECK(error < 0.4 * last);  // of order 2, but for the sub-steps in which it begins to slip
        last = error;
    }
    CHECK(last < 3e-3);
}

TEST_CASE("a link on a bushing turns as CVODE says", "[flow][bushing][tree]") {
    TreeNetwork network = swingingLink(6);
    FlowTree& tree = network.trees[0];
    tree.rotors.emplace_back();
    tree.rotors[0].inertia = 0.01;
    tree.rotors[0].w = -20;
    TreeElement mount{BushingLaw({.c = 20, .d = 0.02, .c_slip = 60, .f_slip = 1.5})};
    mount.terms = {{TreeTerm::Kind::Joint, 0, 0, 1}};
    TreeElement shaft{BushingLaw({.c = 50, .d = 0, .c_slip = 100, .f_slip = 0.8})};
    shaft.terms = {{TreeTerm::Kind::Joint, 0, 0, 1}, {TreeTerm::Kind::Rotor, 0, 0, -1}};
    network.elements = {mount, shaft};
    const LinkComparison found = compareLink(network, kRate, kTicks);
    CHECK(found.slipped > 0.05);  // [rad]
    CHECK(found.error < 1e-5);    // [rad] of one and more; steps of order 5 at the default tolerance
}

TEST_CASE("a mass rebounds from a bump stop as CVODE says", "[flow][bump-stop]") {
    for (const double d : {0., 30.}) {
        CAPTURE(d);
        const ForceTable table({{0, 0}, {0.005, 20}, {0.01, 60}, {0.02, 300}, {0.03, 1500}});
        FlowNetwork start = oneMass(BumpStopLaw({.table = table, .d = d, .s_rel0 = 0.1}), -1.5);
        start.bodies[0].position.x() = 0.12;
        Run found = run(start);
        CHECK(found.methods.contains(FlowMethod::Dop853));
        for (FlowNetwork& state : found.states) CHECK(state.elements[0].s_damper == 0);
        const double lost = energyOf(start) - energyOf(found.states.back());
        CHECK(found.heat == Approx(lost).margin(1e-6 * energyOf(start)));
        CHECK((d == 0) == (lost < 1e-6 * energyOf(start)));
        CHECK(largestError(start, found) < kStepped);
    }
}

TEST_CASE("a bump stop whose table is a line is an ElastoGap, in every method", "[flow][bump-stop]") {
    const BumpStopLaw line({.table = ForceTable({{0, 0}, {0.01, 200}}), .d = 20, .s_rel0 = 0.1});
    const ElastoGapLaw gap({.c = 2e4, .d = 20, .s_rel0 = 0.1});
    for (FlowNetwork start : {oneMass(line, -1), twoMasses(), pendulum()}) {
        start.elements[0].law = line;
        const Run byTable = run(start);
        start.elements[0].law = gap;
        const Run byGap = run(start);
        for (std::size_t i = 0; i < byTable.states.size(); ++i) {
            const Vector3d apart = byTable.states[i].bodies[0].position - byGap.states[i].bodies[0].position;
            CHECK(apart.norm() < kStepped);
        }
    }
}

TEST_CASE("an undamped bump stop gives back what it took, however stiff it is", "[flow][bump-stop]") {
    for (const double c : {1e4, 1e8, 1e12, 1e16, 1e20, 1e24}) {
        for (const double m : {1e-3, 1., 1e3}) {
            CAPTURE(c, m);
            FlowNetwork network;
            network.bodies.push_back(FlowBody::rigid(m, Vector3d::Ones()));
            network.bodies[0].position.y() = 0.005;
            network.bodies[0].velocity.y() = -5;
            FlowElement stop{BumpStopLaw({.table = ForceTable({{0, 0}, {0.01, 0.01 * c}}), .d = 0})};
            stop.b = 0;
            stop.axis = Vector3d::UnitY();
            network.elements.push_back(stop);
            TickGrade grade;
            for (int tick = 0; tick < 60; ++tick) {
                const TickResult result = solveTick(network, 1. / 60);
                grade += result.grade;
                network.adopt(result);
            }
            if (network.bodies[0].position.y() < 0) continue;            // it is in for a second and more
            if (c / m > 1e25 && grade.grade == Grade::Failed) continue;  // 1e-12 s: too fast for the tick, and said
            CHECK(network.bodies[0].velocity.y() == Approx(5).epsilon(1e-9));
            CHECK(grade.grade == Grade::Exact);
        }
    }
}

TEST_CASE("the heat of a steep stop is the energy that the body lost, wherever in the tick it is hit", "[flow]") {
    const double hz = GENERATE(30., 60.);
    const bool isTable = GENERATE(true, false);
    const Law law = isTable ? Law(BumpStopLaw({.table = ForceTable({{0, 0}, {0.01, 10}, {0.011, 1e4}}), .d = 10}))
                            : Law(ElastoGapLaw({.c = 1e4, .d = 10, .n = 20, .s_ref = 0.01}));
    for (int phase = 0; phase < 32; ++phase) {
        FlowNetwork network;
        network.bodies.push_back(FlowBody::rigid(1, Vector3d::Ones()));
        network.bodies[0].position.y() = 0.001 + 5 / hz * phase / 32;
        network.bodies[0].velocity.y() = -5;
        FlowElement stop{law};
        stop.b = 0;
        stop.axis = Vector3d::UnitY();
        network.elements.push_back(stop);
        double heat = 0;
        for (int tick = 0; tick < 4; ++tick) {
            const TickResult result = solveTick(network, 1 / hz);
            heat += result.elements[0].heat;
            network.adopt(result);
        }
        const double v = network.bodies[0].velocity.y();
        CAPTURE(hz, isTable, phase, v);
        CHECK(v > 4);
        CHECK(heat == Approx(0.5 * (25 - v * v)).epsilon(1e-6));
    }
}
