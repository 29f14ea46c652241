// Dry friction in the joints of trees: against closed forms, and against the same machine of bodies.

#include <elasto/errors.h>
#include <elasto/flow_tree.h>

#include "tree_links.h"

#include <catch2/catch.hpp>

#include <cmath>

namespace tree_friction_test {

using namespace elasto;
using namespace elasto::test;
using Eigen::Vector3d;

namespace {

TreeElement frictionOn(int link, const FrictionParameters& parameters) {
    TreeElement element{FrictionLaw(parameters)};
    element.terms = {TreeTerm::joint(0, link)};
    return element;
}

struct Run {
    TreeNetwork network;
    double h = 1. / 60;
    TreeTickResult tick = {};
    TreeWorkspace workspace = {};
    double heat = 0, impulse = 0, handedOut = 0;

    void step() {
        solveTreeTick(network, h, {}, workspace, tick);
        network.adopt(tick);
        heat += tick.elements[0].heat;
        impulse += tick.elements[0].impulse;
        handedOut += tick.energyHandedOut;
    }
    void go(double seconds) {
        for (int i = 0; i < static_cast<int>(std::lround(seconds / h)); ++i) step();
    }
    TreeLink& joint(std::size_t k) { return network.trees[0].links[k]; }
};

Run sliding(const FrictionParameters& friction, double v) {
    Run run;
    FlowTree& tree = run.network.trees.emplace_back();
    tree.links = {slider(2, {1, 0, 0})};
    tree.links[0].qd = v;
    run.network.elements = {frictionOn(0, friction)};
    return run;
}

/// Two bars in a row.
FlowTree doublePendulum() {
    FlowTree tree;
    tree.links = {bar(), bar()};
    tree.links[1].parent = 0;
    tree.links[1].pivot = {1, 0, 0};
    return tree;
}

/// The same of two bodies and hinges, with elements in the hinges.
FlowNetwork bodiesOf(const TreeNetwork& network) {
    FlowNetwork bodies;
    const FlowTree& tree = network.trees[0];
    for (int link = 0; link < 2; ++link) {
        const auto i = static_cast<std::size_t>(link);
        FlowBody& body = bodies.bodies.emplace_back(FlowBody::rigid(1, {1e-3, 1. / 12, 1. / 12}));
        const BodyState frame = linkFrame(tree, link);
        body.orientation = frame.orientation;
        body.angularVelocity = frame.angularVelocity;
        const Vector3d arm = frame.orientation * tree.links[i].centerOfMass;
        body.position = frame.position + arm;
        body.velocity = frame.velocity + frame.angularVelocity.cross(arm);
        body.force.constant = {0, -kTreeGravity, 0};
        const int a = link - 1;  // -1 is the world
        const Vector3d pointA = link == 0 ? Vector3d(0, 0, 0) : Vector3d(0.5, 0, 0);
        for (int axis = 0; axis < 3; ++axis) {
            HeldRow row;
            row.a = a;
            row.b = link;
            row.pointA = pointA;
            row.pointB = {-0.5, 0, 0};
            row.axisA = Vector3d::Unit(axis);
            bodies.joints.push_back(row);
        }
        for (int axis = 0; axis < 2; ++axis) {
            HeldRow row;
            row.kind = HeldRow::Kind::Orthogonal;
            row.a = a;
            row.b = link;
            row.axisA = Vector3d::Unit(axis);
            row.axisB = Vector3d::UnitZ();
            bodies.joints.push_back(row);
        }
        FlowElement element{network.elements[i].law, Geometry::AboutAxis, a, link};
        element.axis = Vector3d::UnitZ();
        element.phi = tree.links[i].q;
        element.f_normalized = network.elements[i].f_normalized;
        bodies.elements.push_back(element);
    }
    return bodies;
}

}  // namespace

TEST_CASE("a joint that rubs comes to rest where Coulomb's law says, whatever the tick") {
    const double F = 3, v = 1.7;
    for (const double h : {1. / 30, 1. / 240, 0.7}) {
        Run run = sliding({.F_Coulomb = F}, v);
        run.h = h;
        run.go(2.1);
        CHECK(run.joint(0).q == Approx(0.5 * v * v * 2 / F).epsilon(1e-9));
        CHECK(std::abs(run.joint(0).qd) < 1e-12);
        CHECK(run.heat == Approx(v * v).epsilon(1e-9));
        CHECK(run.handedOut == Approx(-v * v).epsilon(1e-8));
        CHECK(run.impulse == Approx(2 * v).epsilon(1e-9));
        CHECK(run.tick.elements[0].force.contact);
        CHECK(run.tick.elements[0].force.f == Approx(0).margin(1e-9));
        CHECK(run.tick.bounded.empty());
    }
}

TEST_CASE("a joint that rubs holds what is weaker, and says with how much") {
    Run run = sliding({.F_Coulomb = 3}, 0);
    run.joint(0).torque.constant = -2.5;
    run.go(1);
    CHECK(run.joint(0).q == Approx(0).margin(1e-15));
    CHECK(run.tick.elements[0].force.f == Approx(-2.5).epsilon(1e-9));
    CHECK(run.tick.elements[0].force.contact);
    CHECK(run.heat == Approx(0).margin(1e-12));
}

TEST_CASE("what a joint rubs with may grow with its speed") {
    // m v' = -F - k v
    const double F = 3, k = 5, v0 = 4, m = 2;
    Run run = sliding({.F_Coulomb = F, .F_prop = k}, v0);
    run.go(1);
    const double stop = m / k * std::log(1 + k * v0 / F);
    CHECK(run.joint(0).q == Approx(m / k * (v0 + F / k) * (1 - std::exp(-k * stop / m)) - F / k * stop).epsilon(1e-8));
    CHECK(run.heat == Approx(0.5 * m * v0 * v0).epsilon(1e-8));
    CHECK(run.tick.method == FlowMethod::Dop853);
}

TEST_CASE("a joint slips at the instant at which its torque is too strong") {
    const double r = 40, F0 = 3, peak = 1.4;
    Run run = sliding({.F_Coulomb = F0, .peak = peak}, 0);
    double t = 0;
    for (int i = 0; i < 30; ++i, t += run.h) {
        run.joint(0).torque = {.constant = r * t, .linear = r};
        run.step();
    }
    const double w = t - peak * F0 / r;
    CHECK(run.joint(0).qd == Approx((peak - 1) * F0 * w / 2 + 0.25 * r * w * w).epsilon(1e-8));
    CHECK_FALSE(run.tick.elements[0].force.contact);
    CHECK(run.tick.elements[0].force.f == Approx(F0));
}

TEST_CASE("a brake in a joint takes what its strength is at each instant, released inside a tick too") {
    Run run = sliding({.F_Coulomb = 6}, 2);
    const double h = run.h;
    double t = 0;
    for (int i = 0; i < 30; ++i, t += h) {
        run.network.elements[0].f_normalized = {.constant = 0.2 + t, .linear = 1};
        run.step();
    }
    // m v' = -6 (0.2 + t)
    CHECK(run.joint(0).qd == Approx(2 - 3 * (0.2 * 0.5 + 0.125)).epsilon(1e-9));
    const double v = run.joint(0).qd, q = run.joint(0).q, heat = run.heat;
    run.network.elements[0].f_normalized = {.constant = 1};
    TreeLoadChange release;
    release.time = 0.3 * h;
    release.element = 0;
    release.share = {.constant = 0};
    run.network.changes = {release};
    run.step();
    const double after = v - 3 * 0.3 * h;
    CHECK(run.joint(0).qd == Approx(after).epsilon(1e-9));
    CHECK(run.joint(0).q == Approx(q + 0.3 * h * (v + after) / 2 + 0.7 * h * after).epsilon(1e-9));
    CHECK(run.heat - heat == Approx(v * v - after * after).epsilon(1e-8));
}

TEST_CASE("friction's hard stops end a joint's way") {
    Run run = sliding({.F_Coulomb = 1, .s_max = 0.5}, 3);
    run.go(1);
    CHECK(run.joint(0).q == Approx(0.5).epsilon(1e-9));
    CHECK(std::abs(run.joint(0).qd) < 1e-12);
    CHECK(run.heat == Approx(0.5).epsilon(1e-6));  // what the stop takes is not friction's
}

TEST_CASE("two bars that rub in their joints move as the same machine of bodies") {
    const double h = GENERATE(1. / 60, 1. / 240, 1. / 1000);
    CAPTURE(h);
    Run run;
    run.h = h;
    run.network.trees = {doublePendulum()};
    run.joint(0).q = 0.4;
    run.joint(1).qd = 3;
    run.network.elements = {
        frictionOn(0, {.F_Coulomb = 0.4, .F_prop = 0.05, .F_Stribeck = 0.3, .fexp = 4, .peak = 1.1}),
        frictionOn(1, {.F_Coulomb = 0.2, .F_Stribeck = 0.1, .fexp = 10})};
    FlowNetwork bodies = bodiesOf(run.network);
    double heat = 0;
    for (int i = 0; i < static_cast<int>(std::lround(4 / h)); ++i) {
        run.step();
        const TickResult tick = solveTick(bodies, h);
        bodies.adopt(tick);
        heat += tick.elements[0].heat;
    }
    CHECK(run.joint(0).q == Approx(bodies.elements[0].phi).margin(1e-6));
    CHECK(run.joint(1).q == Approx(bodies.elements[1].phi).margin(1e-6));
    CHECK(run.heat == Approx(heat).epsilon(1e-6));
    CHECK(heat > 3);
}

TEST_CASE("two that rub on one joint hold together") {
    for (const double mass : {0.7, 2., 3.1}) {
        for (const double load : {1., 4.5, 5.5}) {
            CAPTURE(mass, load);
            Run run = sliding({.F_Coulomb = 3}, 0);
            run.joint(0).mass = mass;
            run.network.elements.push_back(frictionOn(0, {.F_Coulomb = 2}));
            run.joint(0).torque.constant = load;
            run.go(1);
            CHECK(run.joint(0).q == Approx(load > 5 ? 0.5 / mass * (load - 5) : 0).margin(1e-9));
            CHECK(run.tick.elements[0].force.f + run.tick.elements[1].force.f ==
                  Approx(std::min(load, 5.)).epsilon(1e-9));
        }
    }
}

TEST_CASE("a motor drives a joint that rubs, and stands in it") {
    Run run = sliding({.F_Coulomb = 3}, 0);
    TreeBounded motor;
    motor.terms = {TreeTerm::joint(0, 0)};
    motor.targetRate = 0.5;
    motor.maxForce = 10;
    run.network.bounded = {motor};
    run.go(1);
    const double start = 0.5 * 2 / (10 - 3);
    CHECK(run.joint(0).qd == Approx(0.5).epsilon(1e-9));
    CHECK(run.joint(0).q == Approx(0.5 - 0.5 * start * 0.5).epsilon(1e-6));
    CHECK(run.tick.bounded[0].impulse == Approx(3 * run.h).epsilon(1e-9));
    run.network.bounded[0].targetRate = 0;
    run.joint(0).torque.constant = 12;
    run.go(1.5);
    CHECK(run.joint(0).qd == Approx(0).margin(1e-12));
    CHECK(run.tick.bounded[0].impulse - run.tick.elements[0].impulse == Approx(-12 * run.h).epsilon(1e-9));
}

TEST_CASE("what friction in trees does not allow is refused") {
    Run run = sliding({.F_Coulomb = 3}, 0);
    run.network.elements[0].f_normalized.linear = std::nan("");
    CHECK_THROWS_WITH(run.step(), Catch::Contains("f_normalized"));
    run.network.elements[0].f_normalized = {};
    TreeLoadChange change;
    change.time = 0.01;
    change.element = 1;
    run.network.changes = {change};
    CHECK_THROWS_WITH(run.step(), Catch::Contains("TreeLoadChange") && Catch::Contains("index of an element"));
}

}  // namespace tree_friction_test
