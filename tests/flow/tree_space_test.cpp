// Trees in space: free bases, ball joints, several trees, drag, and what is conserved.

#include <elasto/flow_tree.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace tree_space_test {

using namespace elasto;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

constexpr double kGravity = 9.80665;

TreeLink link(int parent, TreeJoint joint, const Vector3d& axis, const Vector3d& pivot) {
    TreeLink result;
    result.parent = parent;
    result.joint = joint;
    result.axis = axis.normalized();
    result.pivot = pivot;
    result.centerOfMass = {0.1, -0.2, 0.05};
    result.mass = 0.7;
    result.inertia = Vector3d(0.01, 0.02, 0.025).asDiagonal();
    return result;
}

FlowTree freeTree() {
    FlowTree tree;
    tree.base.isFixed = false;
    tree.base.mass = 1.5;
    tree.base.inertia = Vector3d(0.03, 0.02, 0.04).asDiagonal();
    tree.base.position = {1, 2, -1};
    tree.base.orientation = Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
    tree.base.velocity = {0.5, -1, 2};
    tree.base.angularVelocity = {1, 2, -1.5};
    return tree;
}

struct Momenta {
    Vector3d center = Vector3d::Zero(), p = Vector3d::Zero(), L = Vector3d::Zero();
    double mass = 0;
};

// From the public frames, body by body.
Momenta momentaOf(const FlowTree& tree) {
    Momenta sum;
    const auto add = [&](const BodyState& frame, const Vector3d& c, double m, const Eigen::Matrix3d& I) {
        const Vector3d arm = frame.orientation * c;
        const Vector3d x = frame.position + arm;
        const Vector3d v = frame.velocity + frame.angularVelocity.cross(arm);
        const Eigen::Matrix3d R = frame.orientation.toRotationMatrix();
        sum.center += m * x;
        sum.p += m * v;
        sum.L += m * x.cross(v) + R * I * R.transpose() * frame.angularVelocity;
        sum.mass += m;
    };
    add(linkFrame(tree, kTreeBase), Vector3d::Zero(), tree.base.mass, tree.base.inertia);
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
        const TreeLink& body = tree.links[k];
        add(linkFrame(tree, static_cast<int>(k)), body.centerOfMass, body.mass, body.inertia);
    }
    sum.center /= sum.mass;
    return sum;
}

void pull(FlowTree& tree, const Vector3d& g) {
    tree.base.force.constant = tree.base.mass * g;
    for (TreeLink& body : tree.links) body.force.constant = body.mass * g;
}

// Height times weight of all links, against the origin.
double potential(const FlowTree& tree) {
    double sum = 0;
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
        const BodyState frame = linkFrame(tree, static_cast<int>(k));
        sum -= tree.links[k].force.constant.dot(frame.position + frame.orientation * tree.links[k].centerOfMass);
    }
    return sum;
}

TreeElement onJoint(Law law, int joint) {
    TreeElement element{std::move(law)};
    element.terms = {TreeTerm::joint(0, joint)};
    return element;
}

// The same bodies held by joint rows.
FlowNetwork inSpace(const FlowTree& tree) {
    FlowNetwork network;
    const auto add = [&](const BodyState& frame, const Vector3d& c, double m, const Eigen::Matrix3d& I,
                         const Vector3d& force) {
        FlowBody body = FlowBody::rigid(m, I.diagonal());
        body.orientation = frame.orientation;
        body.position = frame.position + frame.orientation * c;
        body.angularVelocity = frame.angularVelocity;
        body.velocity = frame.velocity + frame.angularVelocity.cross(frame.orientation * c);
        body.force.constant = force;
        network.bodies.push_back(body);
    };
    add(linkFrame(tree, kTreeBase), Vector3d::Zero(), tree.base.mass, tree.base.inertia, tree.base.force.constant);
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
        const TreeLink& body = tree.links[k];
        add(linkFrame(tree, static_cast<int>(k)), body.centerOfMass, body.mass, body.inertia, body.force.constant);
        const int a = body.parent + 1;
        const auto b = static_cast<int>(k) + 1;
        const Vector3d centerA = a == 0 ? Vector3d::Zero() : tree.links[static_cast<std::size_t>(a) - 1].centerOfMass;
        HeldRow row;
        row.a = a;
        row.b = b;
        row.pointA = body.pivot - centerA;
        row.pointB = -body.centerOfMass;
        // Directions across the joint's axis, in the parent's and in the link's frame.
        const Vector3d across = body.axis.unitOrthogonal();
        const Vector3d both[2] = {across, body.axis.cross(across)};
        if (body.joint == TreeJoint::Prismatic) {
            for (const Vector3d& direction : both) {
                row.axisA = body.orientation * direction;
                network.joints.push_back(row);
            }
        } else {
            for (int i = 0; i < 3; ++i) {
                row.axisA = Vector3d::Unit(i);
                network.joints.push_back(row);
            }
        }
        row.kind = HeldRow::Kind::Orthogonal;
        if (body.joint != TreeJoint::Spherical) {
            for (const Vector3d& direction : both) {
                row.axisA = body.orientation * body.axis;
                row.axisB = direction;
                network.joints.push_back(row);
            }
        }
        if (body.joint == TreeJoint::Prismatic || body.joint == TreeJoint::Fixed) {
            row.axisA = body.orientation * both[0];
            row.axisB = both[1];
            network.joints.push_back(row);
        }
    }
    return network;
}

}  // namespace

TEST_CASE("a tree of all kinds of joints moves as bodies that joints hold", "[tree][space]") {
    TreeNetwork trees;
    FlowTree& tree = trees.trees.emplace_back(freeTree());
    tree.links.push_back(link(kTreeBase, TreeJoint::Revolute, {1, 1, 0}, {0.3, 0, 0}));
    tree.links.push_back(link(0, TreeJoint::Prismatic, {0, 1, 2}, {0.2, 0.1, 0}));
    tree.links.push_back(link(0, TreeJoint::Spherical, {0, 0, 1}, {0, -0.4, 0}));
    tree.links.push_back(link(2, TreeJoint::Fixed, {0, 0, 1}, {0.1, -0.3, 0.1}));
    tree.links.push_back(link(kTreeBase, TreeJoint::Revolute, {0, 0, 1}, {-0.3, 0, 0.1}));
    for (TreeLink& body : tree.links) {
        body.orientation = Quaterniond(Eigen::AngleAxisd(0.4, Vector3d(0.6, 0, 0.8)));
        body.q = 0.3;
        body.qd = -0.5;
        body.turn = Quaterniond(Eigen::AngleAxisd(-0.6, Vector3d(0, 0.6, 0.8)));
        body.spin = {1, -2, 0.5};
    }
    pull(tree, {0, -kGravity, 1});
    // A bar between frames is straight in neither; a spring on a joint is an element about its axis.
    trees.elements.push_back(onJoint(SpringDamperLaw({.c = 8, .d = 0.1, .s_rel0 = 0.1}), 4));
    FlowNetwork bodies = inSpace(tree);
    FlowElement spring{SpringDamperLaw({.c = 8, .d = 0.1, .s_rel0 = 0.1})};
    spring.geometry = Geometry::AboutAxis;
    spring.a = 0;
    spring.b = 5;
    spring.axis = tree.links[4].orientation * tree.links[4].axis;
    spring.frameA = tree.links[4].orientation;
    spring.phi = tree.links[4].q;
    spring.axis = spring.frameA * Vector3d::UnitZ();
    bodies.elements.push_back(spring);
    FlowWorkspace bodySpace;
    TickResult bodyTick;
    TreeWorkspace treeSpace;
    TreeTickResult treeTick;
    const double h = 1. / 120;
    for (int i = 0; i < 60; ++i) {
        solveTick(bodies, h, {}, bodySpace, bodyTick);
        bodies.adopt(bodyTick);
        solveTreeTick(trees, h, {}, treeSpace, treeTick);
        trees.adopt(treeTick);
    }
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
        const BodyState frame = linkFrame(tree, static_cast<int>(k));
        const Vector3d center = frame.position + frame.orientation * tree.links[k].centerOfMass;
        CAPTURE(k);
        CHECK((center - bodies.bodies[k + 1].position).norm() < 1e-5);
        CHECK((frame.angularVelocity - bodies.bodies[k + 1].angularVelocity).norm() < 1e-4);
        CHECK(frame.orientation.angularDistance(bodies.bodies[k + 1].orientation) < 1e-5);
    }
    CHECK((tree.base.position - bodies.bodies[0].position).norm() < 1e-5);
    CHECK(trees.trees[0].links[4].q == Approx(bodyTick.elements[0].s).margin(1e-5));
}

TEST_CASE("a free tree keeps its momenta, impacts or not", "[tree][space]") {
    const double rate = GENERATE(60., 240.);
    const bool hasWeight = GENERATE(false, true);
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back(freeTree());
    tree.links.push_back(link(kTreeBase, TreeJoint::Revolute, {1, 1, 0}, {0.3, 0, 0}));
    tree.links.push_back(link(0, TreeJoint::Revolute, {0, 1, 2}, {0.2, 0.1, 0}));
    tree.links[0].qd = 6;
    tree.links[1].qd = -9;
    const Vector3d g = hasWeight ? Vector3d(0, -kGravity, 0) : Vector3d::Zero();
    pull(tree, g);
    network.elements.push_back(onJoint(SpringDamperSeriesLaw({.c = 200, .d = 5, .s_unstretched = 0}), 0));
    network.elements.push_back(onJoint(ElastoBacklashLaw({.c = 2e4, .d = 0.1, .b = 0.6}), 1));
    const Momenta start = momentaOf(tree);
    TreeWorkspace space;
    TreeTickResult tick;
    int impacts = 0;
    const double h = 1 / rate;
    const int ticks = static_cast<int>(2 * rate);
    for (int i = 0; i < ticks; ++i) {
        solveTreeTick(network, h, {}, space, tick);
        network.adopt(tick);
        impacts += static_cast<int>(tick.events.size());
        CHECK(std::abs(tick.energyHandedOut + tick.elements[0].heat + tick.elements[1].heat) < 1e-4);
    }
    CHECK(impacts > 10);
    const Momenta end = momentaOf(tree);
    const double t = ticks * h;
    const Vector3d p = start.p + t * start.mass * g;
    const Vector3d center = start.center + t * start.p / start.mass + t * t / 2 * g;
    const Vector3d L = start.L - start.center.cross(start.p) + center.cross(p);
    CHECK((end.p - p).norm() < 1e-12 * p.norm());
    CHECK((end.center - center).norm() < 1e-12 * center.norm());
    CHECK((end.L - L).norm() < 1e-12 * std::max(1.0, L.norm()));
}

TEST_CASE("a six-axis arm with play in its joints keeps its energy for a minute", "[tree][space][slow]") {
    const double rate = GENERATE(60., 240.);
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    const Vector3d axes[] = {{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {0, 1, 0}};
    for (int k = 0; k < 6; ++k) {
        TreeLink body = link(k - 1, TreeJoint::Revolute, axes[k], {0, k == 0 ? 0 : 0.25, 0});
        body.mass = 3 - 0.45 * k;
        body.centerOfMass = {0.01, 0.12, 0};
        body.inertia = 0.01 * body.mass * Vector3d(1, 0.3, 1).asDiagonal();
        body.q = 0.4;
        tree.links.push_back(body);
        TreeRotor rotor;
        rotor.carrier = body.parent;
        rotor.axis = body.axis;
        rotor.inertia = 1e-4;
        rotor.phi = 40;
        tree.rotors.push_back(rotor);
        TreeElement drive{ElastoBacklashLaw({.c = 1e4, .d = 0, .b = 0.01})};
        drive.terms = {TreeTerm::rotor(0, k, 0.01), TreeTerm::joint(0, k, -1)};
        network.elements.push_back(drive);
    }
    pull(tree, {0, -kGravity, 0});
    const double start = kineticEnergy(tree) + potential(tree);
    TreeWorkspace space;
    TreeTickResult tick;
    double largest = 0;
    double least = 0;
    for (int i = 0; i < static_cast<int>(60 * rate); ++i) {
        solveTreeTick(network, 1 / rate, {}, space, tick);
        network.adopt(tick);
        double now = kineticEnergy(tree) + potential(tree);
        for (const ElementTick& element : tick.elements) now += element.storedEnergy;
        largest = std::max(largest, now - start);
        least = std::min(least, now - start);
    }
    CAPTURE(rate, start, largest, least);
    CHECK(largest < 1e-9 * start);
    CHECK(least > -1e-6 * start);
}

TEST_CASE("two trees behind one gear pair move as one tree does", "[tree][space]") {
    const auto wheel = [](double I) {
        TreeLink result;
        result.mass = 1;
        result.inertia = Vector3d(I, I, I).asDiagonal();
        return result;
    };
    const Law law = ElastoBacklashLaw({.c = 1e4, .d = 1, .b = 0.01});
    TreeNetwork one, two;
    one.trees.emplace_back().links = {wheel(0.01), wheel(0.05)};
    two.trees.emplace_back().links = {wheel(0.01)};
    two.trees.emplace_back().links = {wheel(0.05)};
    TreeElement gear{law};
    gear.terms = {TreeTerm::joint(0, 0), TreeTerm::joint(0, 1, 2.5)};
    one.elements.push_back(gear);
    gear.terms[1].tree = 1;
    gear.terms[1].index = 0;
    two.elements.push_back(gear);
    one.trees[0].links[0].qd = two.trees[0].links[0].qd = 3;
    for (int i = 0; i < 60; ++i) {
        one.adopt(solveTreeTick(one, 1. / 60));
        two.adopt(solveTreeTick(two, 1. / 60));
    }
    CHECK(one.trees[0].links[0].q == Approx(two.trees[0].links[0].q).epsilon(1e-13));
    CHECK(one.trees[0].links[1].q == Approx(two.trees[1].links[0].q).epsilon(1e-13));
    // Angular momentum about both axes, the second one geared: what the one wheel loses the other gains.
    CHECK(0.01 * one.trees[0].links[0].qd - 0.05 * one.trees[0].links[1].qd / 2.5 == Approx(0.03).epsilon(1e-5));
}

TEST_CASE("drag slows trees as it slows btMultiBody", "[tree][space]") {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    tree.base.isFixed = false;
    tree.base.mass = 2;
    tree.base.inertia = Vector3d(0.1, 0.1, 0.1).asDiagonal();
    tree.base.velocity = {3, 0, 4};
    tree.base.angularVelocity = {0, 2, 0};
    tree.linearDamping = 0.04;
    tree.angularDamping = 0.1;
    TreeTickResult tick;
    for (int i = 0; i < 60; ++i) {
        tick = solveTreeTick(network, 1. / 60);
        network.adopt(tick);
        CHECK(std::abs(tick.energyHandedOut) < 1e-9);
    }
    // v' = -k v (1 + v) is solved by v / (1 + v) = v0 / (1 + v0) exp(-k t).
    const auto after = [](double v, double k) {
        const double share = v / (1 + v) * std::exp(-k);
        return share / (1 - share);
    };
    CHECK(tree.base.velocity.norm() == Approx(after(5, 0.04)).epsilon(1e-9));
    CHECK(tree.base.angularVelocity.y() == Approx(after(2, 0.1)).epsilon(1e-9));
}

TEST_CASE("a ball joint turns on and on", "[tree][space]") {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    TreeLink top = link(kTreeBase, TreeJoint::Spherical, {0, 0, 1}, {0, 0, 0});
    top.centerOfMass.setZero();
    top.spin = {20, 1, 30};
    tree.links.push_back(top);
    const auto momentum = [&] {
        const BodyState frame = linkFrame(network.trees[0], 0);
        const Eigen::Matrix3d R = frame.orientation.toRotationMatrix();
        return Vector3d(R * top.inertia * R.transpose() * frame.angularVelocity);
    };
    const Vector3d L = momentum();
    const double energy = kineticEnergy(tree);
    TreeWorkspace space;
    TreeTickResult tick;
    for (int i = 0; i < 300; ++i) {
        solveTreeTick(network, 1. / 60, {}, space, tick);
        network.adopt(tick);
    }
    CHECK((momentum() - L).norm() < 1e-4 * L.norm());
    CHECK(kineticEnergy(network.trees[0]) == Approx(energy).epsilon(1e-12));
    CHECK(network.trees[0].links[0].turn.norm() == Approx(1).epsilon(1e-15));
}

TEST_CASE("loads that change do the work that the energy shows", "[tree][space]") {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back(freeTree());
    tree.links.push_back(link(kTreeBase, TreeJoint::Revolute, {1, 1, 0}, {0.3, 0, 0}));
    tree.links.push_back(link(0, TreeJoint::Spherical, {0, 1, 2}, {0.2, 0.1, 0}));
    TreeLink& ball = tree.links[1];
    tree.base.force = QuadraticLoad::through({1, 0, 2}, {2, 1, 0}, {0, 3, 1}, 1. / 60);
    tree.links[0].forceTorque = QuadraticLoad::through({0, 1, 0}, {1, 1, 0}, {0, 0, 2}, 1. / 60);
    tree.links[0].torque = QuadraticTorque::through(1, 3, 2, 1. / 60);
    ball.ballTorque.constant = {0.1, 0.2, -0.1};
    for (int i = 0; i < 20; ++i) {
        const TreeTickResult tick = solveTreeTick(network, 1. / 60);
        CHECK(std::abs(tick.energyHandedOut) < 1e-5 * kineticEnergy(tree));
        network.adopt(tick);
    }
}

TEST_CASE("a planar joint is two slides and a turn without masses between", "[tree][space]") {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    TreeLink slide;
    slide.joint = TreeJoint::Prismatic;
    slide.axis = {1, 0, 0};
    slide.qd = 1;
    tree.links.push_back(slide);
    slide.parent = 0;
    slide.axis = {0, 1, 0};
    slide.qd = 0;
    tree.links.push_back(slide);
    TreeLink body = link(1, TreeJoint::Revolute, {0, 0, 1}, {0, 0, 0});
    body.centerOfMass.setZero();
    body.qd = 3;
    body.force.constant = {0, -0.7 * kGravity, 0};
    tree.links.push_back(body);
    for (int i = 0; i < 60; ++i) network.adopt(solveTreeTick(network, 1. / 60));
    CHECK(tree.links[0].q == Approx(1).epsilon(1e-12));
    CHECK(tree.links[1].q == Approx(-kGravity / 2).epsilon(1e-12));
    CHECK(tree.links[2].q == Approx(3).epsilon(1e-12));
}

}  // namespace tree_space_test
