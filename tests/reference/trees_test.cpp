// Trees in their joints' coordinates against the same bodies held by joints' rows, and against closed forms.

#include <elasto/elasto_backlash_law.h>
#include <elasto/elasto_gap_law.h>
#include <elasto/errors.h>
#include <elasto/reference/tree_reference.h>

#include <Eigen/Eigenvalues>
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "problems.h"

using namespace elasto;
using namespace elasto::test;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

/// A free base that carries an arm: a skew revolute joint, a ball joint, a slider.
FlowTree flyingArm() {
    FlowTree tree;
    tree.base.isFixed = false;
    tree.base.mass = 2;
    tree.base.inertia = Vector3d(0.03, 0.04, 0.05).asDiagonal();
    tree.base.position = {0.1, 0.2, 0.3};
    tree.base.orientation = Quaterniond(Eigen::AngleAxisd(0.4, Vector3d(1, 2, 3).normalized()));
    tree.base.velocity = {0.5, -0.2, 0.1};
    tree.base.angularVelocity = {1, -2, 0.5};
    tree.base.force = {.constant = {0, -20, 0}, .linear = {3, 0, 0}};

    TreeLink& upper = tree.links.emplace_back();
    upper.axis = Vector3d(1, 1, 2).normalized();
    upper.pivot = {0.1, 0.05, -0.02};
    upper.orientation = Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(0, 1, 1).normalized()));
    upper.centerOfMass = {0.2, 0.02, 0};
    upper.mass = 1;
    upper.inertia << 0.01, 0.002, 0, 0.002, 0.02, 0.001, 0, 0.001, 0.015;
    upper.q = 0.3;
    upper.qd = -2;
    upper.force.constant = {0, -9.81, 0};
    upper.torque = {.constant = 0.3, .linear = 0.1};

    TreeLink& lower = tree.links.emplace_back();
    lower.parent = 0;
    lower.joint = TreeJoint::Spherical;
    lower.pivot = {0.4, 0, 0.05};
    lower.centerOfMass = {0, 0.15, 0};
    lower.mass = 0.7;
    lower.inertia = Vector3d(0.01, 0.003, 0.012).asDiagonal();
    lower.turn = Quaterniond(Eigen::AngleAxisd(0.5, Vector3d(2, 0, 1).normalized()));
    lower.spin = {1, 0.5, -1};

    TreeLink& slide = tree.links.emplace_back();
    slide.parent = 1;
    slide.joint = TreeJoint::Prismatic;
    slide.axis = {0, 1, 0};
    slide.pivot = {0, 0.2, 0};
    slide.orientation = Quaterniond(Eigen::AngleAxisd(-0.3, Vector3d::UnitX()));
    slide.mass = 0.4;
    slide.inertia = Vector3d(0.001, 0.002, 0.003).asDiagonal();
    slide.q = 0.1;
    slide.qd = 0.6;
    return tree;
}

/// The principal axes of a link that the rows' bodies are turned by.
Quaterniond principalAxes(const Eigen::Matrix3d& inertia, Vector3d& moments) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(inertia);
    Eigen::Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    moments = solver.eigenvalues();
    return Quaterniond(axes);
}

/// Bodies and rows instead of links and joints.
class Bodies {
public:
    explicit Bodies(const FlowTree& tree) {
        BodyState base = tree.base;
        add(tree.base.mass, tree.base.inertia, base, Vector3d::Zero());
        m_frames.push_back(base);
        problem.network.bodies.back().force = tree.base.force;
        for (const TreeLink& link : tree.links) addLink(link);
    }

    ReferenceProblem problem;

private:
    void add(double mass, const Eigen::Matrix3d& inertia, const BodyState& frame, const Vector3d& center) {
        Vector3d moments;
        const Quaterniond axes = principalAxes(inertia, moments);
        FlowBody body = FlowBody::rigid(mass, moments);
        const Vector3d arm = frame.orientation * center;
        body.position = frame.position + arm;
        body.velocity = frame.velocity + frame.angularVelocity.cross(arm);
        body.angularVelocity = frame.angularVelocity;
        body.orientation = frame.orientation * axes;
        problem.network.bodies.push_back(body);
        m_axes.push_back(axes);
        m_centers.push_back(center);
    }

    void addLink(const TreeLink& link) {
        const BodyState& parent = m_frames[static_cast<std::size_t>(link.parent + 1)];
        BodyState frame = parent;
        const Quaterniond rest = parent.orientation * link.orientation;
        Vector3d arm = parent.orientation * link.pivot;
        frame.orientation = rest;
        if (link.joint == TreeJoint::Revolute) {
            frame.orientation = rest * Quaterniond(Eigen::AngleAxisd(link.q, link.axis));
            frame.angularVelocity += link.qd * (rest * link.axis);
        } else if (link.joint == TreeJoint::Spherical) {
            frame.orientation = rest * link.turn;
            frame.angularVelocity += frame.orientation * link.spin;
        } else {
            arm += link.q * (rest * link.axis);
        }
        frame.position += arm;
        frame.velocity += parent.angularVelocity.cross(arm);
        if (link.joint == TreeJoint::Prismatic) frame.velocity += link.qd * (rest * link.axis);
        add(link.mass, link.inertia, frame, link.centerOfMass);
        problem.network.bodies.back().force = link.force;
        m_frames.push_back(frame);
        hold(link, rest);
    }

    /// A vector given in the world now, in the axes of a body.
    Vector3d local(int body, const Vector3d& v) const {
        return problem.network.bodies[static_cast<std::size_t>(body)].orientation.conjugate() * v;
    }

    void hold(const TreeLink& link, const Quaterniond& rest) {
        HeldRow row;
        row.a = link.parent + 1;
        row.b = static_cast<int>(m_frames.size()) - 1;
        const auto a = static_cast<std::size_t>(row.a);
        row.pointA = m_axes[a].conjugate() * (link.pivot - m_centers[a]);
        row.pointB = m_axes.back().conjugate() * -link.centerOfMass;
        const Vector3d axis = rest * link.axis;
        const Vector3d across = axis.unitOrthogonal();
        const Vector3d third = axis.cross(across);
        const auto along = [&](const Vector3d& direction) {
            row.kind = HeldRow::Kind::AlongAxis;
            row.axisA = local(row.a, direction);
            problem.network.joints.push_back(row);
        };
        const auto square = [&](const Vector3d& one, const Vector3d& other) {
            row.kind = HeldRow::Kind::Orthogonal;
            row.axisA = local(row.a, one);
            row.axisB = local(row.b, other);
            problem.network.joints.push_back(row);
        };
        along(across);
        along(third);
        if (link.joint != TreeJoint::Prismatic) along(axis);
        if (link.joint == TreeJoint::Spherical) return;
        square(across, axis);
        square(third, axis);
        if (link.joint == TreeJoint::Prismatic) square(across, third);
    }

    std::vector<BodyState> m_frames;  // of the base and the links
    std::vector<Quaterniond> m_axes;
    std::vector<Vector3d> m_centers;
};

}  // namespace

TEST_CASE("a tree moves as its bodies do that joints' rows hold", "[slow]") {
    TreeReferenceProblem problem;
    problem.network.trees.push_back(flyingArm());
    problem.network.trees[0].links[0].torque = {};
    TreeElement stop{ElastoBacklashLaw({.c = 50, .d = 0.2, .b = 0.3})};
    stop.terms = {TreeTerm::joint(0, 0)};
    problem.network.elements.push_back(stop);

    Bodies bodies(problem.network.trees[0]);
    FlowElement same{ElastoBacklashLaw({.c = 50, .d = 0.2, .b = 0.3})};
    same.geometry = Geometry::AboutAxis;
    same.a = 0;
    same.b = 1;
    const TreeLink& link = problem.network.trees[0].links[0];
    const auto& network = bodies.problem.network;
    const Quaterniond rest = problem.network.trees[0].base.orientation * link.orientation;
    const Quaterniond turned = rest * Quaterniond(Eigen::AngleAxisd(link.q, link.axis));
    same.frameA = network.bodies[0].orientation.conjugate() * rest;
    same.frameB = network.bodies[1].orientation.conjugate() * turned;
    same.axis = same.frameA * link.axis;
    same.phi = link.q;
    bodies.problem.network.elements.push_back(same);

    const std::vector<double> times = evenTimes(0.5, 10);
    const ReferenceSolution trees = solveReference(problem, times);
    const ReferenceSolution rows = solveReference(bodies.problem, times);
    CHECK(trees.events.size() == rows.events.size());
    CHECK(trees.events.size() > 1);
    for (std::size_t k = 0; k < times.size(); ++k) {
        CAPTURE(times[k]);
        const TreeTick& tree = trees.states[k].trees[0];
        CHECK((tree.base.position - rows.states[k].bodies[0].position).norm() < 1e-9);
        CHECK((tree.base.velocity - rows.states[k].bodies[0].velocity).norm() < 1e-8);
        CHECK(trees.states[k].elements[0].s == Approx(rows.states[k].elements[0].s).margin(1e-9));
        CHECK(trees.states[k].elements[0].v == Approx(rows.states[k].elements[0].v).margin(1e-8));
        CHECK(trees.states[k].elements[0].heat == Approx(rows.states[k].elements[0].heat).margin(1e-9));
    }
}

TEST_CASE("a rotor behind a gear swings with its link") {
    // A rotor J, a link I about a fixed axis, a spring c between phi / ratio and q: the difference swings with
    // omega^2 = c (1 / I + 1 / (J ratio^2)).
    const double J = 1e-4;
    const double I = 1;
    const double ratio = 100;
    const double c = 1e4;
    TreeReferenceProblem problem;
    FlowTree& tree = problem.network.trees.emplace_back();
    TreeLink& link = tree.links.emplace_back();
    link.inertia = Vector3d(1, 1, I).asDiagonal();
    link.qd = 0.5;
    tree.rotors.emplace_back().inertia = J;
    TreeElement spring{ElastoBacklashLaw({.c = c, .d = 0, .b = 0})};
    spring.terms = {TreeTerm::joint(0, 0), TreeTerm::rotor(0, 0, -1 / ratio)};
    problem.network.elements.push_back(spring);
    const double omega = std::sqrt(c * (1 / I + 1 / (J * ratio * ratio)));
    for (const ReferenceState& state : solveReference(problem, evenTimes(1, 50)).states) {
        CHECK(state.elements[0].s == Approx(0.5 / omega * std::sin(omega * state.time)).margin(1e-10));
    }
}

TEST_CASE("torques of time drive joints and rotors") {
    TreeReferenceProblem problem;
    FlowTree& tree = problem.network.trees.emplace_back();
    tree.links.emplace_back().inertia = Vector3d(1, 1, 2).asDiagonal();
    tree.rotors.emplace_back().inertia = 0.5;
    problem.jointTorques[{0, 0}] = [](double t) { return std::sin(3 * t); };
    problem.rotorTorques[{0, 0}] = [](double t) { return t < 1 ? 0.0 : 1.0; };
    problem.breaks = {1};
    const ReferenceSolution solution = solveReference(problem, std::vector<double>{2});
    CHECK(solution.states[0].trees[0].links[0].q == Approx((2 / 3. - std::sin(6) / 9) / 2).epsilon(1e-11));
    CHECK(solution.states[0].trees[0].rotors[0].phi == Approx(1).epsilon(1e-11));
}

TEST_CASE("trees that make no sense are refused by name") {
    TreeReferenceProblem problem;
    CHECK_THROWS_WITH(solveReference(problem, std::vector<double>{1}), Catch::Contains("trees"));
    problem.network.trees.emplace_back().links.emplace_back().joint = TreeJoint::Fixed;
    TreeElement stop{ElastoGapLaw({.c = 1, .d = 0})};
    stop.terms = {TreeTerm::joint(0, 0)};
    problem.network.elements.push_back(stop);
    CHECK_THROWS_WITH(solveReference(problem, std::vector<double>{1}), Catch::Contains("index of a term"));
}
