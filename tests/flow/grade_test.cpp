// How good a tick is, and what its halves tell of its error.

#include <elasto/audit.h>

#include <catch2/catch.hpp>

#include <cmath>

namespace grade_test {

using namespace elasto;
using Eigen::Vector3d;

constexpr double kTick = 1. / 60;

/// A ball above a stop, and another one that hangs on it: they meet the stop within the tick, and turn.
FlowNetwork hangingPair(double speed) {
    FlowNetwork network;
    for (int i = 0; i < 2; ++i) {
        FlowBody body = FlowBody::sphere(1 + i, 0.1);
        body.position = Vector3d(0.3 * i, 0.02 + 0.4 * i, 0.1 * i);
        body.velocity = Vector3d(0.5 * speed * i, -speed, 0);
        body.force.constant = Vector3d(0, -9.81 * (1 + i), 0);
        network.bodies.push_back(body);
    }
    FlowElement stop{ElastoGapLaw({.c = 1e6, .d = 50})};
    stop.b = 0;
    stop.axis = Vector3d::UnitY();
    network.elements.push_back(stop);
    FlowElement spring{SpringDamperLaw({.c = 2e4, .d = 0, .s_rel0 = 0.5})};
    spring.geometry = Geometry::AlongLine;
    spring.a = 0;
    spring.b = 1;
    network.elements.push_back(spring);
    return network;
}

TickAudit audit(const FlowNetwork& network, const FlowSettings& settings, const TickResult& tick) {
    AuditSpace space;
    return auditTick(network, kTick, settings, tick, space);
}

double largestError(const TickResult& tick, const TickResult& exact) {
    double most = 0;
    for (std::size_t i = 0; i < tick.bodies.size(); ++i) {
        most = std::max({most, (tick.bodies[i].position - exact.bodies[i].position).norm(),
                         kTick * (tick.bodies[i].velocity - exact.bodies[i].velocity).norm()});
    }
    for (std::size_t e = 0; e < tick.elements.size(); ++e) {
        most = std::max({most, std::abs(tick.elements[e].s - exact.elements[e].s),
                         kTick * std::abs(tick.elements[e].v - exact.elements[e].v)});
    }
    return most;
}

TEST_CASE("what an exact method solves is exact, and ends where its halves end") {
    const FlowNetwork network = hangingPair(2);
    const TickResult tick = solveTick(network, kTick);
    CHECK(tick.grade == TickGrade{});
    const TickAudit found = audit(network, {}, tick);
    CHECK(found.difference < 1e-9);
    CHECK(found.cost > 0);
}

TEST_CASE("what the implicit step solves is approximate, and its halves tell by how much") {
    for (const double speed : {0.5, 2., 8.}) {
        CAPTURE(speed);
        const FlowNetwork network = hangingPair(speed);
        FlowSettings small;
        small.maxSteps = 1;
        const TickResult tick = solveTick(network, kTick, small);
        REQUIRE(tick.method == FlowMethod::Implicit);
        CHECK(tick.grade == TickGrade::of(GradeCause::Budget));
        const double error = largestError(tick, solveTick(network, kTick));
        const double estimate = 4. / 3 * audit(network, small, tick).difference;
        CHECK(estimate > error / 3);
        CHECK(estimate < 30 * error);
    }
}

TEST_CASE("what is found inside something without having borne is not exact") {
    FlowNetwork network;
    network.bodies.push_back(FlowBody::sphere(1, 0.1));
    network.bodies[0].force.constant = Vector3d(0, -9.81, 0);
    FlowContact floor;
    floor.a = 0;
    floor.radius = 0.1;
    network.contacts.push_back(floor);
    const auto gradeAt = [&](double depth, double borne) {
        network.bodies[0].position = Vector3d(0, 0.1 - depth, 0);
        network.contacts[0].impulse = borne;
        return solveTick(network, kTick).grade;
    };
    CHECK(gradeAt(0, 0) == TickGrade{});
    CHECK(gradeAt(1e-9, 0) == TickGrade{});  // rounding
    for (const double depth : {1e-5, 1e-3}) {
        CAPTURE(depth);
        const TickGrade found = gradeAt(depth, 0);
        CHECK(found.cause == GradeCause::Overlap);
        CHECK(found.error == Approx(depth));
        CHECK(gradeAt(depth, 0.1).error == 0);  // a tick has seen it come; it is moved apart all the same
    }
}

TEST_CASE("halves have the loads that the tick has there") {
    FlowNetwork network = hangingPair(0);
    network.bodies[1].force.linear = Vector3d(300, 0, 0);
    network.bodies[0].force.quadratic = Vector3d(0, 0, 5e4);
    for (const double share : {0.3, 0.4, 0.5, 0.9}) {
        LoadChange change{.time = share * kTick, .body = 0};
        change.force.constant = Vector3d(40 * share, -9.81, 0);
        change.force.linear = Vector3d(0, 900, 0);
        network.changes.push_back(change);
    }
    const TickResult tick = solveTick(network, kTick);
    CHECK(tick.grade.grade == Grade::Exact);
    CHECK(audit(network, {}, tick).difference < 1e-9);
}

TEST_CASE("of several grades the worst stands, with the largest error") {
    TickGrade grade;
    TickGrade other = TickGrade::of(GradeCause::Budget);
    other.error = 1e-3;
    grade += other;
    CHECK(grade == other);
    grade += TickGrade::of(GradeCause::Untrusted);
    CHECK(grade.grade == Grade::Failed);
    CHECK(grade.cause == GradeCause::Untrusted);
    CHECK(grade.error == 1e-3);
    for (int cause = 1; cause < kGradeCauses; ++cause) {
        CAPTURE(cause);
        CHECK(std::string(textOf(static_cast<GradeCause>(cause))).size() > 10);
        CHECK(std::string(remedyOf(static_cast<GradeCause>(cause))).size() > 10);
    }
    CHECK(std::string(textOf(GradeCause::None)).empty());
    CHECK(std::string(nameOf(Grade::Failed)) == "failed");
}

TEST_CASE("trees whose budget ends are approximate, and their halves tell by how much") {
    TreeNetwork network;
    FlowTree tree;
    for (int i = 0; i < 3; ++i) {
        TreeLink link;
        link.parent = i == 0 ? kTreeBase : i - 1;
        link.pivot = Vector3d(i == 0 ? 0 : 0.3, 0, 0);
        link.axis = Vector3d::UnitZ();
        link.joint = TreeJoint::Revolute;
        link.mass = 1;
        link.centerOfMass = Vector3d(0.15, 0, 0);
        link.inertia = Vector3d::Constant(0.01).asDiagonal();
        link.q = 0.3;
        link.qd = 1 + i;
        link.force.constant = Vector3d(0, -9.81, 0);
        tree.links.push_back(link);
    }
    network.trees.push_back(tree);
    TreeElement spring{SpringDamperLaw({.c = 50, .d = 1})};
    spring.terms = {TreeTerm::joint(0, 1)};
    network.elements.push_back(spring);
    const TreeTickResult exact = solveTreeTick(network, kTick);
    CHECK(exact.grade == TickGrade{});
    TreeAuditSpace space;
    CHECK(auditTick(network, kTick, {}, exact, space).difference < 1e-8);
    FlowSettings small;
    small.maxSteps = 1;
    const TreeTickResult tick = solveTreeTick(network, kTick, small);
    REQUIRE(tick.method == FlowMethod::BackwardEuler);
    CHECK(tick.grade == TickGrade::of(GradeCause::FirstOrder));
    double error = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const TreeJointState &x = tick.trees[0].links[i], &y = exact.trees[0].links[i];
        error = std::max({error, std::abs(x.q - y.q), kTick * std::abs(x.qd - y.qd)});
    }
    const double estimate = 2 * auditTick(network, kTick, small, tick, space).difference;
    CHECK(estimate > error / 3);
    CHECK(estimate < 30 * error);
}

}  // namespace grade_test
