// Spring-dampers with another damping for rebound than for compression, in every integrator.

#include <elasto/flow.h>
#include <elasto/flow_tree.h>
#include <elasto/reference/tree_reference.h>

#include <catch2/catch.hpp>

#include "runs_of_laws.h"

using namespace elasto;
using Eigen::Vector3d;

namespace {

constexpr double kWeight = 20;         // [N] of each mass of 2 kg
constexpr double kClosedForm = 1e-8;   // of the range: closed form and Taylor series; CVODE's own error
constexpr double kByTolerance = 1e-6;  // of the range: error-controlled steps

SpringDamperLaw absorber(double c, double d, double d_rebound) {
    return SpringDamperLaw({.c = c, .d = d, .s_rel0 = 0.1, .d_rebound = d_rebound});
}

FlowNetwork oneAbsorber(const Law& law, double v = 1) {
    FlowNetwork network;
    FlowBody body = FlowBody::rigid(2, Vector3d::Constant(0.02));
    body.position = {0.15, 0, 0};
    body.velocity = {v, 0, 0};
    body.force.constant = {-kWeight, 0, 0};
    network.bodies = {body};
    FlowElement element{law};
    element.b = 0;
    network.elements = {element};
    return network;
}

FlowNetwork twoAbsorbers(double d, double d_rebound) {
    FlowNetwork network = oneAbsorber(absorber(800, d, d_rebound));
    network.bodies.push_back(network.bodies[0]);
    network.bodies[1].position.x() = 0.3;
    network.bodies[1].velocity.x() = -2;
    FlowElement between{absorber(1500, d_rebound, d)};
    between.a = 0;
    between.b = 1;
    network.elements.push_back(between);
    return network;
}

FlowNetwork swinging(double d, double d_rebound) {
    FlowNetwork network = oneAbsorber(absorber(800, d, d_rebound));
    network.elements[0].geometry = Geometry::AlongLine;
    network.bodies[0].velocity = {0.5, 0.4, 0};
    return network;
}

}  // namespace

TEST_CASE("a mass on a shock absorber moves as CVODE says, exactly", "[flow][rebound]") {
    const double rate = GENERATE(60., 240.);
    const double c = GENERATE(0., 800.);
    const double v = GENERATE(0., 1., -1.);
    for (const auto& [d, d_rebound] :
         {std::pair(5., 20.), std::pair(20., 5.), std::pair(0., 10.), std::pair(10., 0.), std::pair(3., 300.)}) {
        CAPTURE(rate, c, v, d, d_rebound);
        const FlowNetwork start = oneAbsorber(absorber(c, d, d_rebound), v);
        const Run found = runTicks(start, rate, static_cast<int>(rate));
        for (const FlowMethod method : found.methods) {
            CHECK((method == FlowMethod::ClosedForm || method == FlowMethod::Free));  // where a damping is 0
        }
        CHECK(compare(start, found, rate).error < kClosedForm);
        CHECK(found.heat == Approx(energyOf(start) - energyOf(found.states.back())).margin(1e-9));
    }
}

TEST_CASE("shock absorbers in a row move as CVODE says", "[flow][rebound]") {
    const double rate = GENERATE(60., 240.);
    for (const auto& [d, d_rebound] : {std::pair(5., 20.), std::pair(0., 10.)}) {
        CAPTURE(rate, d, d_rebound);
        const FlowNetwork start = twoAbsorbers(d, d_rebound);
        const Run found = runTicks(start, rate, static_cast<int>(rate));
        CHECK(found.methods == std::set{FlowMethod::Taylor});
        CHECK(compare(start, found, rate).error < kClosedForm);
        CHECK(found.heat == Approx(energyOf(start) - energyOf(found.states.back())).epsilon(1e-8));
    }
}

TEST_CASE("strong shock absorbers move as CVODE says", "[flow][rebound]") {
    const double rate = GENERATE(60., 240.);
    CAPTURE(rate);
    const FlowNetwork start = twoAbsorbers(100, 3e4);
    const Run found = runTicks(start, rate, static_cast<int>(rate));
    CHECK(found.methods.contains(FlowMethod::Rodas4));
    CHECK(compare(start, found, rate).error < kByTolerance);
}

TEST_CASE("a mass that swings on a shock absorber moves as CVODE says", "[flow][rebound]") {
    const double rate = GENERATE(60., 240.);
    for (const auto& [d, d_rebound] : {std::pair(2., 10.), std::pair(10., 2.), std::pair(2., 100.)}) {
        CAPTURE(rate, d, d_rebound);
        const FlowNetwork start = swinging(d, d_rebound);
        const Run found = runTicks(start, rate, static_cast<int>(rate));
        CHECK(compare(start, found, rate).error < kByTolerance);
        const double before = energyOf(start), after = energyOf(found.states.back());
        CHECK(found.heat == Approx(before - after).margin(1e-6 * std::abs(before)));
    }
}

TEST_CASE("two dampings that are the same are one, bit for bit", "[flow][rebound]") {
    for (FlowNetwork network : {oneAbsorber(absorber(800, 7, 7)), twoAbsorbers(7, 7), swinging(7, 7)}) {
        const Run same = runTicks(network, 60, 60);
        for (FlowElement& element : network.elements) {
            SpringDamperParameters p = std::get<SpringDamperLaw>(element.law).parameters();
            p.d_rebound = kSameDamping;
            element.law = SpringDamperLaw(p);
        }
        const Run one = runTicks(network, 60, 60);
        CHECK(one.states.back().bodies[0].position == same.states.back().bodies[0].position);
        CHECK(one.heat == same.heat);
    }
}

TEST_CASE("a shock absorber that rests stays at rest without events", "[flow][rebound]") {
    FlowNetwork network = oneAbsorber(absorber(800, 5, 20), 0);
    network.bodies[0].position.x() = 0.1 - kWeight / 800;
    const Vector3d place = network.bodies[0].position;
    for (int i = 0; i < 100; ++i) {
        const TickResult tick = solveTick(network, 1. / 60);
        CHECK(tick.steps < 20);
        network.adopt(tick);
    }
    CHECK((network.bodies[0].position - place).norm() < 1e-14);
}

TEST_CASE("a link on a shock absorber turns as CVODE says", "[flow][rebound][tree]") {
    TreeNetwork network = swingingLink(3);
    TreeElement damper{absorber(20, 0.05, 0.4)};
    damper.terms = {{TreeTerm::Kind::Joint, 0, 0, 1}};
    network.elements = {damper};
    CHECK(compareLink(network, 240, 480).error < 1e-6);
}

TEST_CASE("the implicit step takes what a shock absorber takes", "[flow][rebound][implicit]") {
    const FlowNetwork start = twoAbsorbers(5, 20);
    FlowNetwork network = start;
    FlowContact contact;  // something to touch, far below
    contact.a = 0;
    contact.planePoint = {0, -1, 0};
    network.contacts = {contact};
    FlowSettings settings;
    settings.accuracy = Accuracy::Implicit;
    const Run found = runTicks(network, 240, 240, settings);
    CHECK(found.methods == std::set{FlowMethod::Implicit});
    CHECK(found.heat == Approx(energyOf(start) - energyOf(found.states.back())).epsilon(1e-6));
    CHECK(compare(start, found, 240).error < 1e-2);
}
