// Motors and limits of trees, and what happens when the budget ends.

#include <elasto/errors.h>
#include <elasto/flow_tree.h>

#include "tree_links.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace tree_bounded_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

TreeBounded limit(int link, double bound, int side, double restitution = 0) {
    TreeBounded row;
    row.kind = BoundedRow::Kind::Limit;
    row.terms = {TreeTerm::joint(0, link)};
    row.bound = bound;
    row.side = side;
    row.restitution = restitution;
    return row;
}

TreeBounded motor(int link, double rate, double force) {
    TreeBounded row;
    row.terms = {TreeTerm::joint(0, link)};
    row.targetRate = rate;
    row.maxForce = force;
    return row;
}

struct Run {
    TreeNetwork network;
    double h = 1. / 60;
    FlowSettings settings{};
    TreeWorkspace workspace{};
    TreeTickResult tick{};
    double limitLoss = 0;
    double driveWork = 0;
    double handedOut = 0;

    explicit Run(TreeNetwork n) : network(std::move(n)) {}
    void step() {
        solveTreeTick(network, h, settings, workspace, tick);
        network.adopt(tick);
        limitLoss += tick.limitLoss;
        driveWork += tick.driveWork;
        handedOut += tick.energyHandedOut;
    }
    void go(double seconds) {
        for (int i = 0; i < static_cast<int>(std::lround(seconds / h)); ++i) step();
    }
    const TreeJointState& joint(std::size_t k) const { return network.trees[0].links[k]; }
};

TreeNetwork withLinks(std::initializer_list<TreeLink> links) {
    TreeNetwork network;
    network.trees.emplace_back().links = links;
    return network;
}

}  // namespace

TEST_CASE("a bar that falls on a limit stays there", "[tree][bounded]") {
    TreeNetwork network = withLinks({bar()});
    network.bounded.push_back(limit(0, -0.8, 1));
    Run run(network);
    run.go(2);
    CHECK(run.joint(0).q == Approx(-0.8).margin(1e-9));
    CHECK(run.joint(0).qd == 0);
    CHECK(run.limitLoss == Approx(0.5 * kTreeGravity * std::sin(0.8)).epsilon(1e-9));
    // It carries the weight's moment.
    CHECK(run.tick.bounded[0].impulse == Approx(run.h * 0.5 * kTreeGravity * std::cos(0.8)).epsilon(1e-10));
}

TEST_CASE("a limit gives back its share of the rate", "[tree][bounded]") {
    TreeNetwork network = withLinks({bar()});
    network.bounded.push_back(limit(0, -0.8, 1, 0.5));
    Run run(network);
    double highest = -0.8;
    double last = 0;
    bool hasHit = false;
    for (int i = 0; i < 60; ++i) {
        run.step();
        hasHit |= run.joint(0).qd > 0;
        if (hasHit && run.joint(0).qd < 0) break;
        if (hasHit) highest = std::max(highest, run.joint(0).q);
        last = run.joint(0).q;
    }
    // A quarter of the energy is left: 3/4 of sin(0.8) is lost. The top lies between two ticks.
    CHECK(run.limitLoss == Approx(0.75 * 0.5 * kTreeGravity * std::sin(0.8)).epsilon(1e-9));
    CHECK(std::sin(highest) <= -0.75 * std::sin(0.8));
    CHECK(std::sin(std::max(highest, last)) == Approx(-0.75 * std::sin(0.8)).epsilon(1e-2));
}

TEST_CASE("a motor reaches its rate with all its force and then keeps it", "[tree][bounded]") {
    TreeNetwork network = withLinks({slider(1, {0, 1, 0})});
    network.bounded.push_back(motor(0, 1, 2));
    Run run(network);
    run.go(1);
    CHECK(run.joint(0).q == Approx(0.75).epsilon(1e-12));
    CHECK(run.joint(0).qd == Approx(1).epsilon(1e-12));
    CHECK(run.driveWork == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("a motor to rest is dry friction", "[tree][bounded]") {
    const double weight = GENERATE(-1.5, -3.);
    TreeNetwork network = withLinks({slider(1, {0, 1, 0})});
    network.trees[0].links[0].force.constant = {0, weight, 0};
    network.bounded.push_back(motor(0, 0, 2));
    Run run(network);
    run.go(1);
    const double expected = weight < -2 ? (weight + 2) / 2 : 0;
    CHECK(run.joint(0).q == Approx(expected).margin(1e-14));
}

TEST_CASE("a pressed link passes the force on", "[tree][bounded]") {
    const double c = GENERATE(1e4, 1e6, 1e8);
    const double d = GENERATE(0., 100.);
    const bool onLimit = GENERATE(true, false);
    TreeNetwork network = withLinks({slider(1, {0, 1, 0}), slider(1, {0, 1, 0})});
    network.trees[0].links[1].parent = kTreeBase;
    network.trees[0].links[1].torque.constant = -100;  // presses down, starting in touch
    TreeElement gap{ElastoGapLaw({.c = c, .d = d})};
    gap.terms = {TreeTerm::joint(0, 1), TreeTerm::joint(0, 0, -1)};
    network.elements.push_back(gap);
    network.trees[0].links[1].q = -100 / c;
    network.bounded.push_back(onLimit ? limit(0, 0, 1) : motor(0, 0, 1000));
    Run run(network);
    for (int i = 0; i < 120; ++i) {
        run.step();
        CHECK(run.tick.bounded[0].impulse / run.h == Approx(100).epsilon(1e-5));
        CHECK(run.tick.elements[0].impulse / run.h == Approx(-100).epsilon(1e-5));
        CHECK(run.joint(0).q == Approx(0).margin(1e-12));
    }
    CHECK(run.tick.elements[0].force.f == Approx(-100).epsilon(1e-5));
}

TEST_CASE("a motor between limits does not fight them", "[tree][bounded]") {
    TreeNetwork network = withLinks({slider(2, {0, 1, 0})});
    network.bounded = {motor(0, 1, 4), limit(0, 0.5, -1), limit(0, -0.5, 1)};
    Run run(network);
    run.go(1);
    CHECK(run.joint(0).q == Approx(0.5).margin(1e-9));
    CHECK(run.tick.bounded[0].impulse == Approx(4 * run.h));
    CHECK(run.tick.bounded[1].impulse == Approx(-4 * run.h));
    network = run.network;
    network.bounded[0].targetRate = -1;
    Run back(network);
    back.go(2);
    CHECK(back.joint(0).q == Approx(-0.5).margin(1e-9));
}

TEST_CASE("a prescribed rate is kept whatever acts", "[tree][bounded]") {
    TreeNetwork network = withLinks({bar(), bar()});
    network.trees[0].links[1].parent = 0;
    network.trees[0].links[1].pivot = {1, 0, 0};
    network.bounded.push_back(motor(0, 2, std::numeric_limits<double>::infinity()));
    Run run(network);
    run.go(1);
    CHECK(run.joint(0).q == Approx(2).epsilon(1e-12));
    CHECK(run.joint(0).qd == 2);
}

TEST_CASE("trees lose the rebound but add no energy when the budget ends", "[tree][budget]") {
    TreeNetwork network = withLinks({bar(), bar()});
    network.trees[0].links[1].parent = 0;
    network.trees[0].links[1].pivot = {1, 0, 0};
    for (int k = 0; k < 2; ++k) {
        TreeElement stop{ElastoGapLaw({.c = 1e7, .d = 0, .s_rel0 = -0.3})};
        stop.terms = {TreeTerm::joint(0, k)};
        network.elements.push_back(stop);
    }
    Run run(network);
    run.settings.maxSteps = 4;
    const auto energyOf = [&] {
        double sum = kineticEnergy(run.network.trees[0]);
        for (int k = 0; k < 2; ++k) {
            const BodyState frame = linkFrame(run.network.trees[0], k);
            sum += kTreeGravity * (frame.position + frame.orientation * Vector3d(0.5, 0, 0)).y();
        }
        for (const ElementTick& element : run.tick.elements) sum += element.storedEnergy;
        return sum;
    };
    double energy = energyOf();
    int passive = 0;
    double turned = 0;  // [rad]: what stands still gains nothing, either
    for (int i = 0; i < 300; ++i) {
        const double q = run.network.trees[0].links[0].q;
        run.step();
        turned += std::abs(run.network.trees[0].links[0].q - q);
        passive += run.tick.overBudget;
        const double now = energyOf();
        CHECK(now <= energy + 1e-9);
        energy = now;
    }
    CHECK(passive > 0);
    CHECK(turned > 0.299);  // as far as the stop
}

TEST_CASE("trees too fast for any number of steps add no energy", "[tree][budget][slow]") {
    const double hz = GENERATE(60., 240.);
    const double speed = GENERATE(3e4, 1e5, 1e6);
    TreeNetwork network = withLinks({bar(), bar(), bar()});
    for (int k = 1; k < 3; ++k) {
        TreeLink& link = network.trees[0].links[static_cast<std::size_t>(k)];
        link.parent = k - 1;
        link.pivot = {1, 0, 0};
    }
    network.trees[0].links[1].qd = speed;
    TreeElement stop{ElastoGapLaw({.c = 1e4, .d = 1})};
    stop.terms = {TreeTerm::joint(0, 0)};
    network.elements.push_back(stop);
    TreeTickResult tick;
    TreeWorkspace workspace;
    const double start = kineticEnergy(network.trees[0]);
    for (int i = 0; i < 3; ++i) {
        solveTreeTick(network, 1 / hz, {}, workspace, tick);
        network.adopt(tick);
        CAPTURE(hz, speed, i, methodName(tick.method));
        CHECK(kineticEnergy(network.trees[0]) + tick.elements[0].storedEnergy < (1 + 1e-6) * start);
        CHECK(kineticEnergy(network.trees[0]) > 0.9 * start);
    }
}

TEST_CASE("trees that cannot be solved are refused with the reason", "[tree][misuse]") {
    TreeNetwork network = withLinks({bar()});
    const auto problem = [&]() -> std::string {
        try {
            solveTreeTick(network, 1. / 60);
        } catch (const InvalidParameter& error) {
            return error.what();
        }
        return {};
    };
    CHECK(problem().empty());
    SECTION("parent") {
        network.trees[0].links[0].parent = 0;
        CHECK(problem() ==
              "link 0 of tree 0: parent = 0 is not allowed; parent must be kTreeBase or the index of an "
              "earlier link");
    }
    SECTION("nothing to move") {
        network.trees[0].links[0].mass = 0;
        network.trees[0].links[0].inertia.setZero();
        CHECK(problem() ==
              "link 0 of tree 0: its joint moves nothing that has mass or inertia; give the link some or "
              "fix the joint");
    }
    SECTION("axis") {
        network.trees[0].links[0].axis = {0, 0, 2};
        CHECK(problem() == "link 0 of tree 0: axis = 2 is not allowed; axis must be of length 1");
    }
    SECTION("element without terms") {
        network.elements.emplace_back(ElastoGapLaw({.c = 1, .d = 0}));
        CHECK(problem() == "TreeElement 0: terms is empty; a coordinate needs at least one term");
    }
    SECTION("coordinate of a fixed joint") {
        network.trees[0].links[0].joint = TreeJoint::Fixed;
        network.bounded.push_back(limit(0, 0, 1));
        CHECK(problem() ==
              "TreeBounded 0: index = 0 is not allowed; index must be a link with a revolute or prismatic "
              "joint");
    }
    SECTION("moving base") {
        network.trees[0].base.velocity = {1, 0, 0};
        CHECK(problem() == "Tree 0: base.velocity = 1 is not allowed; base.velocity must be 0 where the base is fixed");
    }
}

}  // namespace tree_bounded_test
