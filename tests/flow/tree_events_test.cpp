// Contact events of trees where contact begins and ends at the very ends of ticks.

#include <elasto/flow_tree.h>

#include "tree_links.h"

#include <catch2/catch.hpp>

#include <cmath>

namespace tree_events_test {

using namespace elasto;
using namespace elasto::test;

namespace {

struct Told {
    ContactEvent event;
    double time;
};

/// A cart on a rail over a second, from 0.5 m with -1 m/s.
std::vector<Told> ride(int hz, const Law& law, int element, double v = -1) {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    tree.links = {slider(2, {1, 0, 0})};
    tree.links[0].q = 0.5;
    tree.links[0].qd = v;
    network.elements.assign(static_cast<std::size_t>(element), TreeElement{SpringDamperLaw({.c = 0, .d = 0})});
    network.elements.emplace_back(law);
    for (TreeElement& one : network.elements) one.terms = {TreeTerm::joint(0, 0)};
    std::vector<Told> all;
    for (int k = 0; k < hz; ++k) {
        const TreeTickResult tick = solveTreeTick(network, 1. / hz);
        for (const ContactEvent& event : tick.events) {
            CHECK(event.element == element);
            all.push_back({event, static_cast<double>(k) / hz + event.time});
        }
        const ElementTick& end = tick.elements[static_cast<std::size_t>(element)];
        // What was told last is what is seen now.
        CHECK((!all.empty() && all.back().event.begin) == end.force.contact);
        network.adopt(tick);
    }
    return all;
}

}  // namespace

TEST_CASE("a tree tells contact that begins at the very end of a tick, at each tick rate") {
    const bool isBacklash = GENERATE(false, true);
    const Law law = isBacklash ? Law(ElastoBacklashLaw({.c = 2000, .d = 5, .b = 2, .phi_rel0 = 1}))
                               : Law(ElastoGapLaw({.c = 2000, .d = 5, .s_rel0 = 0}));
    for (int hz = 2; hz <= 1000; hz += hz < 250 ? 1 : 25) {
        CAPTURE(isBacklash, hz);
        const std::vector<Told> told = ride(hz, law, 1);
        REQUIRE(told.size() == 2);
        CHECK(told[0].event.begin);
        CHECK(told[0].time == Approx(0.5).epsilon(1e-9));
        CHECK(told[0].event.speed == Approx(1).epsilon(1e-9));
        CHECK_FALSE(told[1].event.begin);
        CHECK(told[1].time == Approx(0.59942356).epsilon(1e-6));
    }
}

TEST_CASE("a cart that starts on its stop begins contact where it goes in, and none where it leaves") {
    const Law law = ElastoGapLaw({.c = 2000, .d = 5, .s_rel0 = 0.5});
    const std::vector<Told> in = ride(60, law, 0);
    REQUIRE(in.size() == 2);
    CHECK(in[0].event.begin);
    CHECK(in[0].time == 0);
    CHECK(in[0].event.speed == 1);
    CHECK(ride(60, law, 0, 1).empty());
}

}  // namespace tree_events_test
