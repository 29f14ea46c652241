// Machines in their joints' coordinates do what they do as bodies with all rows held.

#include "contact/reduced_rows.h"
#include "contact/contact_modes.h"
#include "contact/contact_problem.h"
#include "random_bodies.h"

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::flow;
using Eigen::Vector3d;
using elasto::test::RandomNumbers;
using elasto::test::randomRotation;
using elasto::test::randomVector;

namespace {

/// A joint of a machine: what it holds of body b, seen from a.
struct Ends {
    FlowNetwork& network;
    int a, b;
    Vector3d point;            // world
    Eigen::Quaterniond frame;  // its z is the axis

    HeldRow row() const {
        HeldRow row;
        row.a = a;
        row.b = b;
        row.pointA = inFrame(a, point);
        row.pointB = inFrame(b, point);
        return row;
    }
    void along(int axis) const {
        HeldRow held = row();
        held.axisA = turned(a, axis);
        network.joints.push_back(held);
    }
    void orthogonal(int axisA, int axisB) const {
        HeldRow held = row();
        held.kind = HeldRow::Kind::Orthogonal;
        held.axisA = turned(a, axisA);
        held.axisB = turned(b, axisB);
        network.joints.push_back(held);
    }

private:
    BodyState at(int body) const {
        return body == kWorld ? BodyState() : static_cast<BodyState>(network.bodies[static_cast<std::size_t>(body)]);
    }
    Vector3d inFrame(int body, const Vector3d& p) const {
        return at(body).orientation.conjugate() * (p - at(body).position);
    }
    Vector3d turned(int body, int axis) const {
        return at(body).orientation.conjugate() * (frame * Vector3d::Unit(axis));
    }
};

void addJoint(TreeJoint kind, const Ends& ends) {
    const std::size_t first = ends.network.joints.size();
    for (int k = 0; k < (kind == TreeJoint::Prismatic ? 2 : 3); ++k) ends.along(k);
    if (kind != TreeJoint::Spherical) {
        ends.orthogonal(2, 0);
        ends.orthogonal(2, 1);
    }
    if (kind == TreeJoint::Prismatic || kind == TreeJoint::Fixed) ends.orthogonal(0, 1);
    const int reaction = first == 0 ? 0 : ends.network.joints[first - 1].reaction + 1;
    for (std::size_t k = first; k < ends.network.joints.size(); ++k) ends.network.joints[k].reaction = reaction;
}

struct Machine {
    FlowNetwork network;
    std::vector<Vector6> u;
    bool hasLoops = false, isFixed = false;
};

FlowBody turningBody(RandomNumbers& random) {
    const double m = random.logarithmic(-1, 1);
    const double x = m * random.logarithmic(-3, -1), y = m * random.logarithmic(-3, -1);
    FlowBody body = FlowBody::rigid(m, {x + y, y + x / 2, x / 2 + x});
    body.position = randomVector(random, 1);
    body.orientation = randomRotation(random);
    body.velocity = randomVector(random, 2);
    body.angularVelocity = randomVector(random, 5);
    body.force.constant = randomVector(random, 10 * m);
    body.torque.constant = randomVector(random, m);
    return body;
}

/// Of one to seven bodies on random joints, with motors and limits on some, and points that touch.
Machine randomMachine(unsigned long seed) {
    RandomNumbers random(seed);
    Machine machine;
    FlowNetwork& network = machine.network;
    const int count = 1 + random.below(7);
    const bool isFixed = machine.isFixed = random.chance(0.4);
    for (int i = 0; i < count; ++i) network.bodies.push_back(turningBody(random));
    for (int i = 0; i < count; ++i) {
        if (i == 0 && !isFixed) continue;
        const int parent = i == 0 ? kWorld : random.below(i);
        const bool isFirst = random.chance(0.5);
        const auto kind = static_cast<TreeJoint>(random.below(4));
        const Ends ends{network, isFirst ? parent : i, isFirst ? i : parent, randomVector(random, 1),
                        randomRotation(random)};
        addJoint(kind, ends);
        if (kind != TreeJoint::Revolute && kind != TreeJoint::Prismatic) continue;
        BoundedRow motor;
        motor.geometry = kind == TreeJoint::Revolute ? Geometry::AboutAxis : Geometry::AlongAxis;
        const HeldRow& row = network.joints[network.joints.size() - 2];
        motor.a = row.a;
        motor.b = row.b;
        motor.pointA = row.pointA;
        motor.pointB = row.pointB;
        const auto turnOf = [&](int body) {
            return body == kWorld ? Eigen::Quaterniond::Identity()
                                  : network.bodies[static_cast<std::size_t>(body)].orientation;
        };
        motor.axis = turnOf(row.a).conjugate() * (ends.frame * Vector3d::UnitZ());
        motor.frameA = turnOf(row.a).conjugate() * ends.frame;
        motor.frameB =
            turnOf(row.b).conjugate() * ends.frame * Eigen::AngleAxisd(random.uniform(-1, 1), Vector3d::UnitZ());
        motor.maxForce = 1;
        network.bounded.push_back(motor);
    }
    machine.hasLoops = count > 3 && random.chance(0.3);
    if (machine.hasLoops)
        addJoint(TreeJoint::Spherical, {network, 1, count - 1, randomVector(random, 1), randomRotation(random)});
    const int contacts = random.below(5);
    for (int i = 0; i < contacts; ++i) {
        FlowContact contact;
        contact.a = random.below(count);
        contact.b = count > 2 && random.chance(0.2) ? (contact.a + 1) % count : kWorld;
        contact.vertex = randomVector(random, 0.3);
        contact.friction = random.uniform(0, 1);
        network.contacts.push_back(contact);
    }
    // Velocities that the joints allow.
    ContactFrame frame(network, BodyKinematics::of(network));
    readVelocities(network, machine.u);
    std::vector<RowMode> modes(frame.rowCount());
    for (std::size_t r = 0; r < network.joints.size(); ++r) modes[r] = RowMode::held();
    std::vector<double> rates, impulses(frame.rowCount());
    frame.rates(machine.u, true, rates);
    for (double& rate : rates) rate = -rate;
    std::vector<Vector6> change(network.bodies.size());
    REQUIRE(frame.factor().factor(modes));
    frame.factor().solve(rates, impulses, change);
    for (std::size_t i = 0; i < change.size(); ++i) {
        machine.u[i] += change[i];
        network.bodies[i].velocity = machine.u[i].head<3>();
        network.bodies[i].angularVelocity = machine.u[i].tail<3>();
    }
    return machine;
}

/// What all rows do, and what bodies do then.
struct Answer {
    std::vector<double> forces;
    std::vector<Vector6> accelerations;
    std::vector<Reaction> reactions;
    double left = 0;  ///< what rows miss that contradict each other
};

/// With all bodies for themselves.
Answer apart(const Machine& machine, ContactProblem& problem, const std::vector<RowMode>& modes) {
    ContactFrame& frame = problem.frame();
    Answer answer;
    std::vector<Vector6> free;
    problem.load(0, 0, free);
    std::vector<double> wanted;
    frame.gammas(machine.u, wanted);
    for (std::size_t r = 0; r < wanted.size(); ++r) wanted[r] = -(wanted[r] + frame.rate(r, free));
    answer.forces.resize(wanted.size());
    answer.accelerations.resize(free.size());
    REQUIRE(frame.factor().factor(modes));
    answer.left = frame.factor().solve(wanted, answer.forces, answer.accelerations);
    for (std::size_t i = 0; i < free.size(); ++i) answer.accelerations[i] += free[i];
    ContactState sums;
    problem.start(sums);
    problem.countRows(answer.forces, sums);
    answer.reactions = sums.reactions;
    return answer;
}

/// In the coordinates of the joints.
Answer reduced(const Machine& machine, ContactProblem& problem, const std::vector<RowMode>& modes) {
    const FlowNetwork& network = machine.network;
    Answer answer;
    JointTrees trees;
    trees.find(network);
    Eigen::VectorXd state = Eigen::VectorXd::Zero(2 * trees.coordinates());
    trees.start(machine.u, state.data());
    BodyKinematics bodies = BodyKinematics::of(network);
    std::vector<Vector6> u = machine.u;
    trees.place(state.data(), bodies, u);
    for (std::size_t i = 0; i < u.size(); ++i) {
        CHECK((bodies.motions[i].x - network.bodies[i].position).norm() < 1e-12);
        CHECK(bodies.motions[i].q.angularDistance(network.bodies[i].orientation) < 1e-7);
        CHECK((u[i] - machine.u[i]).norm() < 1e-10);
    }
    const std::vector<Eigen::Vector3d> spins(problem.network().bodies.size(), Eigen::Vector3d::Zero());
    problem.follow(bodies, 0, spins, {}, &trees);
    ContactFrame& frame = problem.frame();
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        const JointTrees::Own& own = trees.ofBounded(k).own;
        if (!own) {
            CHECK(machine.hasLoops);  // another joint closes the loop
            continue;
        }
        CHECK(frame.excessRate(k, u) == Approx(own.sign * state[trees.coordinates() + own.place]).margin(1e-10));
    }
    std::vector<Vector6> pushes;
    problem.load(0, 0, pushes);
    ReducedRows rows;
    rows.drive(frame, network, trees, 0, pushes);
    REQUIRE(rows.factor(modes));
    std::vector<double> gammas;
    frame.gammas(u, gammas);
    answer.forces.resize(modes.size());
    answer.accelerations.resize(u.size());
    rows.solve(gammas, answer.forces, answer.accelerations);
    std::vector<Vector6> all = pushes;
    for (std::size_t r = 0; r < modes.size(); ++r) frame.push(frame.row(r), answer.forces[r], all);
    ContactState sums;
    problem.start(sums);
    for (std::size_t r = 0; r < network.joints.size(); ++r) {
        if (trees.holds(r)) CHECK(answer.forces[r] == 0);
    }
    problem.countRows(answer.forces, sums);
    trees.countReactions(0, rows.accelerations().data(), all, sums.reactions);
    answer.reactions = sums.reactions;
    for (std::size_t i = 0; i < u.size(); ++i) {
        const int body = static_cast<int>(i);
        if (!trees.has(body)) {
            answer.accelerations[i] += pushes[i];
            continue;
        }
        const std::size_t tree = trees.treeOf(body);
        const Spatial even = trees.model(tree).evenAcceleration(trees.linkOf(body));
        answer.accelerations[i] << even.linear.eigen(), even.angular.eigen();
        for (int k = 0; k < 6; ++k) {
            Eigen::VectorXd along = Eigen::VectorXd::Zero(trees.coordinates());
            const Vector unit(Vector3d::Unit(k % 3));
            const Spatial force = k < 3 ? Spatial{{}, unit} : Spatial{unit, {}};
            trees.model(tree).addForce(trees.linkOf(body), force, along.data() + trees.placeOf(tree));
            answer.accelerations[i][k] += along.dot(rows.accelerations());
        }
    }
    return answer;
}

}  // namespace

TEST_CASE("machines in their joints' coordinates are accelerated as bodies with rows are", "[contact][trees]") {
    int loops = 0, touching = 0, contradictions = 0, compared = 0;
    for (unsigned long seed = 1; seed <= 300; ++seed) {
        INFO("seed " << seed);
        Machine machine = randomMachine(seed);
        RandomNumbers random(seed + 1000);
        ContactProblem problem;
        problem.place(machine.network, BodyKinematics::of(machine.network));
        ContactModes modes;
        for (std::size_t i = 0; i < machine.network.contacts.size(); ++i) modes.bears.push_back(random.chance(0.7));
        for (const Patch& patch : problem.frame().patches()) {
            const bool bears = modes.bears[patch.first] != 0;
            modes.friction.push_back(bears && random.chance(0.6) ? Friction::Sticks : Friction::None);
        }
        for (std::size_t k = 0; k < machine.network.bounded.size(); ++k) {
            modes.bounded.push_back(random.chance(0.2) ? BoundedPhase::Held : BoundedPhase::Open);
        }
        std::vector<RowMode> rows;
        rowModes(problem.frame(), modes, rows);
        const Answer expected = apart(machine, problem, rows);
        if (expected.left > 1e-6) {
            ++contradictions;
            continue;
        }
        const Answer found = reduced(machine, problem, rows);
        double largest = 1;
        for (const Vector6& a : expected.accelerations) largest = std::max(largest, a.norm());
        for (std::size_t i = 0; i < expected.accelerations.size(); ++i) {
            CHECK((found.accelerations[i] - expected.accelerations[i]).norm() < 1e-6 * largest);
        }
        loops += machine.hasLoops;
        touching += !machine.network.contacts.empty();
        // Shares of forces are not unique in loops.
        const std::vector<FlowContact>& contacts = machine.network.contacts;
        if (machine.hasLoops || contacts.size() > 1) continue;
        if (contacts.size() == 1 && (machine.isFixed || contacts[0].b != kWorld)) continue;
        ++compared;
        double force = 1;
        for (const Reaction& reaction : expected.reactions)
            force = std::max(force, reaction.angularA.norm() + reaction.linear.norm());
        for (std::size_t k = 0; k < expected.reactions.size(); ++k) {
            CHECK((found.reactions[k].linear - expected.reactions[k].linear).norm() < 1e-7 * force);
            CHECK((found.reactions[k].angularA - expected.reactions[k].angularA).norm() < 1e-7 * force);
            CHECK((found.reactions[k].angularB - expected.reactions[k].angularB).norm() < 1e-7 * force);
        }
    }
    CHECK(contradictions < 60);
    CHECK(loops > 20);
    CHECK(compared > 60);
    CHECK(touching > 150);
}
