// Rotors ride on their carriers: reactions, moments of momentum, gyroscopic moments.

#include <elasto/errors.h>
#include <elasto/flow_tree.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace tree_rotors_test {

using namespace elasto;
using Catch::Matchers::Contains;
using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

void run(TreeNetwork& network, double seconds, double rate) {
    TreeWorkspace space;
    TreeTickResult tick;
    for (int i = 0; i < std::lround(seconds * rate); ++i) {
        solveTreeTick(network, 1 / rate, {}, space, tick);
        network.adopt(tick);
    }
}

/// Moment of momentum about the world's origin, from the public frames.
Vector3d momentOf(const FlowTree& tree) {
    Vector3d sum = Vector3d::Zero();
    const auto add = [&](const BodyState& frame, const Vector3d& c, double m, const Eigen::Matrix3d& I) {
        const Vector3d arm = frame.orientation * c;
        const Eigen::Matrix3d R = frame.orientation.toRotationMatrix();
        sum += m * (frame.position + arm).cross(frame.velocity + frame.angularVelocity.cross(arm));
        sum += R * I * R.transpose() * frame.angularVelocity;
    };
    add(linkFrame(tree, kTreeBase), Vector3d::Zero(), tree.base.mass, tree.base.inertia);
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
        const TreeLink& body = tree.links[k];
        add(linkFrame(tree, static_cast<int>(k)), body.centerOfMass, body.mass, body.inertia);
    }
    for (const TreeRotor& rotor : tree.rotors) {
        const BodyState carrier = linkFrame(tree, rotor.carrier);
        const Vector3d axis = carrier.orientation * rotor.axis;
        sum += rotor.inertia * (axis.dot(carrier.angularVelocity) + rotor.w) * axis;
    }
    return sum;
}

/// A body that floats, with a wheel on it, and a motor on the body that turns the wheel through a gear.
constexpr double kBody = 0.1, kWheel = 0.01, kRotor = 0.01;  // about the wheel's axis [kg.m^2]
constexpr double kStiffness = 5000, kDamping = 5;

TreeNetwork satellite(double ratio, double torque) {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    tree.base.isFixed = false;
    tree.base.mass = 5;
    tree.base.inertia = Vector3d(kBody, kBody, kBody).asDiagonal();
    TreeLink& wheel = tree.links.emplace_back();
    wheel.mass = 0.5;
    wheel.inertia = Vector3d(0.005, 0.005, kWheel).asDiagonal();
    TreeRotor& rotor = tree.rotors.emplace_back();
    rotor.inertia = kRotor;
    rotor.torque.constant = torque;
    TreeElement& gear = network.elements.emplace_back(SpringDamperLaw({.c = kStiffness, .d = kDamping}));
    gear.terms = {TreeTerm::joint(0, 0), TreeTerm::rotor(0, 0, -1 / ratio)};
    return network;
}

/// What it does from rest under a constant torque. The element's coordinate s swings into its place as one mass on a
/// damped spring, s'' = pull - W (c s + d s'); its impulse follows from that, and all speeds from the impulses.
struct Spun {
    double body, wheel, rotor;  ///< speeds in the world [rad/s]
    double bodyTurn;            ///< [rad]

    Spun(double ratio, double torque, double t) {
        const double share = 1 - 1 / ratio;
        const double W = 1 / kWheel + share * share / kBody + 1 / (kRotor * ratio * ratio);
        const double pull = torque * (share / kBody - 1 / (ratio * kRotor));
        const double rest = pull / (W * kStiffness);
        const double decay = W * kDamping / 2, omega = std::sqrt(W * kStiffness - decay * decay);
        const double fading = std::exp(-decay * t);
        const double s = rest * (1 - fading * (std::cos(omega * t) + decay / omega * std::sin(omega * t)));
        const double v = rest * fading * (omega + decay * decay / omega) * std::sin(omega * t);
        const double impulse = (pull * t - v) / W;
        const double impulses = (pull * t * t / 2 - s) / W;
        body = (-torque * t + share * impulse) / kBody;
        bodyTurn = (-torque * t * t / 2 + share * impulses) / kBody;
        wheel = -impulse / kWheel;
        rotor = (torque * t + impulse / ratio) / kRotor;
    }
};

/// Links that hang on one another in all ways, on a base that floats or not.
TreeNetwork branched(bool isFixed) {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    tree.base.isFixed = isFixed;
    tree.base.mass = 3;
    tree.base.inertia = Vector3d(0.05, 0.04, 0.06).asDiagonal();
    tree.base.orientation = Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
    if (!isFixed) tree.base.angularVelocity = {0.5, -1, 0.8};
    const TreeJoint joints[] = {TreeJoint::Revolute, TreeJoint::Prismatic, TreeJoint::Revolute};
    const int parents[] = {kTreeBase, 0, 0};
    for (int k = 0; k < 3; ++k) {
        TreeLink& link = tree.links.emplace_back();
        link.parent = parents[k];
        link.joint = joints[k];
        link.axis = Vector3d(k == 0 ? 1 : 0.3, 0.5, -1 + k).normalized();
        link.pivot = {0.1, 0.05 * k, -0.2};
        link.orientation = Quaterniond(Eigen::AngleAxisd(0.4 * k, Vector3d(0, 1, 1).normalized()));
        link.centerOfMass = {0.05, -0.1, 0.02};
        link.mass = 0.8;
        link.inertia = Vector3d(0.01, 0.02, 0.025).asDiagonal();
        link.qd = joints[k] == TreeJoint::Prismatic ? 0.1 : 1.5 - k;
    }
    return network;
}

/// A motor at each joint, on its parent.
void addMotors(TreeNetwork& network, const std::vector<double>& ratios, double damping) {
    FlowTree& tree = network.trees[0];
    for (int k = 0; k < 3; ++k) {
        const TreeLink& link = tree.links[static_cast<std::size_t>(k)];
        const double ratio = ratios[static_cast<std::size_t>(k)];
        TreeRotor& rotor = tree.rotors.emplace_back();
        rotor.carrier = link.parent;
        rotor.axis = link.orientation * link.axis;
        rotor.inertia = 0.02 / std::abs(ratio);
        rotor.w = ratio * link.qd;
        TreeElement& gear = network.elements.emplace_back(SpringDamperLaw({.c = 400, .d = damping}));
        gear.terms = {TreeTerm::joint(0, k), TreeTerm::rotor(0, k, -1 / ratio)};
    }
}

}  // namespace

TEST_CASE("a body that floats feels all of its motor's reaction", "[tree][rotor]") {
    const double rate = GENERATE(60., 240., 1000.);
    const double ratio = GENERATE(1., 9., 100., -30.);
    TreeNetwork network = satellite(ratio, 1);
    const FlowTree& tree = network.trees[0];
    run(network, 1, rate);
    const Spun right(ratio, 1, 1);
    const double body = tree.base.angularVelocity.z();
    const double scale = 1e-6 * (std::abs(right.body) + std::abs(right.wheel));
    CAPTURE(rate, ratio);
    CHECK(body == Approx(right.body).margin(scale));
    CHECK(body + tree.links[0].qd == Approx(right.wheel).margin(scale));
    CHECK(body + tree.rotors[0].w == Approx(right.rotor).epsilon(1e-6));
    const Eigen::AngleAxisd turn(tree.base.orientation);
    CHECK(std::remainder(turn.angle() * turn.axis().z() - right.bodyTurn, 2 * M_PI) == Approx(0).margin(1e-6));
    CHECK(momentOf(tree).norm() < 1e-9);
}

TEST_CASE("rotors on links that move in space keep momentum and energy", "[tree][rotor]") {
    const double rate = GENERATE(60., 240.);
    TreeNetwork network = branched(false);
    addMotors(network, {1, -30, 100}, 0);
    FlowTree& tree = network.trees[0];
    tree.rotors[0].w += 40;  // it swings against its link
    const Vector3d moment = momentOf(tree);
    const auto energy = [&] {
        double sum = kineticEnergy(tree);
        for (const TreeElement& element : network.elements) {
            double s = 0;
            for (const TreeTerm& term : element.terms) {
                const auto i = static_cast<std::size_t>(term.index);
                s += term.coefficient * (term.kind == TreeTerm::Kind::Joint ? tree.links[i].q : tree.rotors[i].phi);
            }
            sum += storedEnergy(element.law, s, 0);
        }
        return sum;
    };
    const double before = energy();
    run(network, 2, rate);
    CAPTURE(rate);
    CHECK((momentOf(tree) - moment).norm() < 1e-9 * moment.norm());
    CHECK(energy() == Approx(before).epsilon(1e-7));
    CHECK(std::abs(tree.links[0].q) > 0.1);
}

TEST_CASE("a gyroscope whose axis lies level precesses as the textbooks say", "[tree][rotor]") {
    // About a vertical axis, then about a level one, hangs a frame of m at l with a rotor along it. Where the axis is
    // level, gravity's moment turns the rotor's: omega J w = m g l, whatever the frame's own inertia.
    const double rate = GENERATE(60., 240.);
    constexpr double kMass = 0.4, kArm = 0.15, kGravity = 9.80665, kInertia = 2e-3;
    const double w = GENERATE(100., 1000.);
    const double precession = kMass * kGravity * kArm / (kInertia * w);
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    TreeLink fork;
    fork.inertia = Vector3d(1e-3, 1e-3, 2e-3).asDiagonal();
    TreeLink frame;
    frame.parent = 0;
    frame.axis = Vector3d::UnitY();
    frame.mass = kMass;
    frame.centerOfMass = {kArm, 0, 0};
    frame.inertia = Vector3d(1e-3, 2e-3, 2e-3).asDiagonal();
    frame.force.constant = {0, 0, -kMass * kGravity};
    // Gravity's moment points along +y: the rotor's own, along +x, turns that way about +z.
    fork.qd = precession;
    tree.links = {fork, frame};
    TreeRotor& rotor = tree.rotors.emplace_back();
    rotor.carrier = 1;
    rotor.axis = Vector3d::UnitX();
    rotor.inertia = kInertia;
    rotor.w = w;
    TreeElement& clear = network.elements.emplace_back(ElastoGapLaw({.c = 1e5, .d = 0, .s_rel0 = -1}));
    clear.terms = {TreeTerm::joint(0, 1)};
    run(network, 2, rate);
    CAPTURE(rate, w);
    CHECK(tree.links[0].q == Approx(2 * precession).epsilon(1e-7));
    CHECK(tree.links[1].q == Approx(0).margin(1e-7));
    CHECK(tree.rotors[0].w == Approx(w).epsilon(1e-9));
}

TEST_CASE("a rotor is the link without mass that turns as it does", "[tree][rotor]") {
    const bool isFixed = GENERATE(true, false);
    const bool isGyroscopic = GENERATE(true, false);
    TreeNetwork rotors = branched(isFixed);
    rotors.trees[0].gyroscopic = isGyroscopic;
    addMotors(rotors, {1, -3, 2}, 2);
    rotors.trees[0].rotors[0].torque = {0.3, -0.5, 0};
    rotors.trees[0].rotors[2].w += 20;
    TreeNetwork links = rotors;
    FlowTree& tree = links.trees[0];
    for (std::size_t k = 0; k < 3; ++k) {
        const TreeRotor& rotor = tree.rotors[k];
        TreeLink& disc = tree.links.emplace_back();
        disc.parent = rotor.carrier;
        disc.axis = rotor.axis;
        disc.pivot = {0.3, -0.1, 0.2};  // it does not matter where
        disc.inertia = rotor.inertia * rotor.axis * rotor.axis.transpose();
        disc.q = rotor.phi;
        disc.qd = rotor.w;
        disc.torque = rotor.torque;
        TreeTerm& term = links.elements[k].terms[1];
        term = TreeTerm::joint(0, 3 + static_cast<int>(k), term.coefficient);
    }
    tree.rotors.clear();
    CHECK(kineticEnergy(rotors.trees[0]) == Approx(kineticEnergy(tree)).epsilon(1e-14));
    run(rotors, 0.5, 240);
    run(links, 0.5, 240);
    for (std::size_t k = 0; k < 3; ++k) {
        CAPTURE(isFixed, isGyroscopic, k);
        CHECK(rotors.trees[0].links[k].q == Approx(tree.links[k].q).margin(1e-9));
        CHECK(rotors.trees[0].links[k].qd == Approx(tree.links[k].qd).margin(1e-7));
        CHECK(rotors.trees[0].rotors[k].phi == Approx(tree.links[3 + k].q).margin(1e-8));
    }
    CHECK((rotors.trees[0].base.position - tree.base.position).norm() < 1e-9);
}

TEST_CASE("a fast rotor costs no steps where its carrier does not tilt", "[tree][rotor]") {
    const auto stepsAt = [](double w) {
        TreeNetwork network = satellite(1, 1);
        network.elements.clear();
        TreeElement& stop = network.elements.emplace_back(ElastoGapLaw({.c = 1e3, .d = 1, .s_rel0 = -0.1}));
        stop.terms = {TreeTerm::joint(0, 0)};
        network.trees[0].links[0].qd = -5;
        network.trees[0].rotors[0].w = w;
        int steps = 0;
        for (int i = 0; i < 60; ++i) {
            const TreeTickResult tick = solveTreeTick(network, 1 / 60.);
            network.adopt(tick);
            steps += tick.steps;
        }
        return steps;
    };
    CHECK(stepsAt(1000) <= stepsAt(0));
}

TEST_CASE("a rotor that gives its carrier all of its inertia is refused", "[tree][rotor]") {
    TreeNetwork network;
    FlowTree& tree = network.trees.emplace_back();
    tree.links.emplace_back();
    tree.rotors.emplace_back().inertia = 0.1;
    tree.rotors[0].carrier = 0;
    CHECK_THROWS_WITH(solveTreeTick(network, 0.01), Contains("link 0 of tree 0") && Contains("moves nothing"));
    tree.rotors[0].axis = {0, 1, 0};
    CHECK_THROWS_WITH(solveTreeTick(network, 0.01), Contains("moves nothing"));
    tree.links[0].inertia(2, 2) = 1;
    CHECK_NOTHROW(solveTreeTick(network, 0.01));
}

TEST_CASE("carriers and axes of rotors that make no sense are refused by name", "[tree][rotor]") {
    TreeNetwork network = satellite(1, 0);
    TreeRotor& rotor = network.trees[0].rotors[0];
    rotor.carrier = 1;
    CHECK_THROWS_WITH(solveTreeTick(network, 0.01), Contains("rotor 0") && Contains("carrier") && Contains("1"));
    rotor.carrier = -2;
    CHECK_THROWS_WITH(solveTreeTick(network, 0.01), Contains("carrier"));
    rotor.carrier = 0;
    rotor.axis = {0, 0, 2};
    CHECK_THROWS_WITH(solveTreeTick(network, 0.01), Contains("axis") && Contains("length 1"));
}

}  // namespace tree_rotors_test
