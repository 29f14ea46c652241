#include "robots_models.h"

#include <elasto/elasto_backlash_law.h>
#include <elasto/elasto_gap_law.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::tools {

using Eigen::Vector3d;

namespace {

constexpr double kGravity = 9.81;
constexpr double kBacklash = 0.01;         // [rad]
constexpr double kRotorInertia = 1e-4;     // [kg.m^2]
constexpr double kOff = 1e-9;              // [rad] of a second start,
constexpr double kStillComparable = 1e-7;  // and how far apart the motions may be

TorqueOfTime sine(double amplitude, double f) {
    return [=](double t) { return amplitude * std::sin(2 * std::numbers::pi * f * t); };
}

/// A slender bar along x of the link's frame, from the joint on.
TreeLink& addBar(FlowTree& tree, int parent, double mass, double length, const Vector3d& axis, const Vector3d& pivot) {
    TreeLink& link = tree.links.emplace_back();
    link.parent = parent;
    link.axis = axis;
    link.pivot = pivot;
    link.centerOfMass = {length / 2, 0, 0};
    link.mass = mass;
    const double across = mass * length * length / 12;
    link.inertia = Vector3d(1e-3, across, across).asDiagonal();
    return link;
}

/// Gravity, downwards along y.
void addWeight(RobotModel& model) {
    model.gravity = {0, -kGravity, 0};
    for (FlowTree& tree : model.problem.network.trees) {
        for (TreeLink& link : tree.links) link.force.constant += link.mass * model.gravity;
        tree.base.force.constant += tree.base.mass * model.gravity;
    }
}

/// A rotor behind a gear and a backlash, turning with its link at the start.
void addDrive(RobotModel& model, int link, double ratio, const Law& law, TorqueOfTime torque) {
    FlowTree& tree = model.problem.network.trees[0];
    const TreeLink& driven = tree.links[static_cast<std::size_t>(link)];
    const auto rotor = static_cast<int>(tree.rotors.size());
    TreeRotor& added = tree.rotors.emplace_back();
    added.carrier = driven.parent;
    added.axis = driven.orientation * driven.axis;
    added.inertia = kRotorInertia;
    added.phi = ratio * driven.q;
    added.w = ratio * driven.qd;
    TreeElement element(law);
    element.terms = {TreeTerm::joint(0, link), TreeTerm::rotor(0, rotor, -1 / ratio)};
    model.problem.network.elements.push_back(element);
    if (torque) model.problem.rotorTorques[{0, rotor}] = std::move(torque);
}

}  // namespace

RobotModel barOnStop(double c, double d) {
    RobotModel model;
    FlowTree& tree = model.problem.network.trees.emplace_back();
    addBar(tree, kTreeBase, 1, 1, -Vector3d::UnitZ(), Vector3d::Zero());
    addWeight(model);
    TreeElement stop{ElastoGapLaw({.c = c, .d = d})};
    stop.terms = {TreeTerm::joint(0, 0, -1)};
    stop.offset = 0.8;
    model.problem.network.elements.push_back(stop);
    return model;
}

RobotModel armWithDrives(double c, double d) {
    RobotModel model;
    FlowTree& tree = model.problem.network.trees.emplace_back();
    addBar(tree, kTreeBase, 1, 0.5, -Vector3d::UnitZ(), Vector3d::Zero()).q = std::numbers::pi / 2;
    addBar(tree, 0, 1, 0.5, -Vector3d::UnitZ(), {0.5, 0, 0});
    addWeight(model);
    const ElastoBacklashLaw law({.c = c, .d = d, .b = kBacklash});
    addDrive(model, 0, 100, law, sine(0.06, 1));
    addDrive(model, 1, 100, law, sine(0.03, 1.7));
    return model;
}

RobotModel reversingDrive(double c, double d) {
    RobotModel model;
    TreeLink& link = model.problem.network.trees.emplace_back().links.emplace_back();
    link.mass = 1;
    link.inertia.setIdentity();
    addDrive(model, 0, 100, ElastoBacklashLaw({.c = c, .d = d, .b = kBacklash}), sine(0.05, 2));
    return model;
}

RobotModel gearTrain(const std::vector<double>& inertias, const std::vector<double>& ratios, double c, double d,
                     double f) {
    RobotModel model;
    FlowTree& tree = model.problem.network.trees.emplace_back();
    for (std::size_t i = 0; i < inertias.size(); ++i) {
        TreeLink& wheel = tree.links.emplace_back();
        wheel.pivot = {static_cast<double>(i), 0, 0};
        wheel.mass = 1;
        wheel.inertia = Vector3d(0.1, 0.1, inertias[i]).asDiagonal();
    }
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const auto wheel = static_cast<int>(i);
        TreeElement mesh{ElastoBacklashLaw({.c = c, .d = d, .b = kBacklash})};
        mesh.terms = {TreeTerm::joint(0, wheel), TreeTerm::joint(0, wheel + 1, -ratios[i])};
        model.problem.network.elements.push_back(mesh);
    }
    model.problem.jointTorques[{0, 0}] = sine(0.3, f);
    return model;
}

RobotModel flyingPair() {
    RobotModel model;
    FlowTree& tree = model.problem.network.trees.emplace_back();
    tree.base.isFixed = false;
    tree.base.mass = 2;
    tree.base.inertia = Vector3d(0.05, 0.06, 0.07).asDiagonal();
    tree.base.velocity = {0.3, 0.2, 0.5};
    tree.base.angularVelocity = {1, 2, -1};
    addBar(tree, kTreeBase, 1, 0.5, Vector3d::UnitZ(), {0.2, 0, 0}).qd = 3;
    addBar(tree, 0, 0.7, 0.4, Vector3d::UnitY(), {0.5, 0, 0}).qd = -4;
    for (const int link : {0, 1}) {
        TreeElement stops{ElastoBacklashLaw({.c = 1e4, .d = 0, .b = 0.6})};
        stops.terms = {TreeTerm::joint(0, link)};
        model.problem.network.elements.push_back(stops);
    }
    return model;
}

RobotModel sixAxes() {
    RobotModel model;
    model.duration = 60;
    FlowTree& tree = model.problem.network.trees.emplace_back();
    const Vector3d axes[] = {{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    const double masses[] = {4, 6, 4, 2, 1, 0.5};
    const double lengths[] = {0.3, 0.4, 0.35, 0.2, 0.1, 0.08};
    const double angles[] = {0.1, 0.6, 0.8, 0.3, 0.5, 0.2};
    const double ratios[] = {100, 100, 100, 60, 60, 60};
    for (int i = 0; i < 6; ++i) {
        TreeLink& link = tree.links.emplace_back();
        link.parent = i - 1;
        link.axis = axes[i];
        link.pivot = {0, i > 0 ? lengths[i - 1] : 0.1, 0};
        link.centerOfMass = {0.02, lengths[i] / 2, 0};
        link.mass = masses[i];
        const double across = masses[i] * lengths[i] * lengths[i] / 12 + 1e-3;
        link.inertia = Vector3d(across, 0.3 * across + 1e-3, across).asDiagonal();
        link.q = angles[i];
    }
    addWeight(model);
    for (int i = 0; i < 6; ++i)
        addDrive(model, i, ratios[i], ElastoBacklashLaw({.c = 1e4, .d = 0, .b = kBacklash}), {});
    return model;
}

std::vector<std::string> coordinateNames(const RobotModel& model) {
    if (!model.names.empty()) return model.names;
    std::vector<std::string> names;
    int joint = 0;
    int rotor = 0;
    for (const FlowTree& tree : model.problem.network.trees) {
        for (std::size_t k = 0; k < tree.links.size(); ++k) names.push_back(fmt::format("joint{}.phi_rel", joint++));
        for (std::size_t k = 0; k < tree.rotors.size(); ++k) names.push_back(fmt::format("rotor{}.phi", rotor++));
    }
    return names;
}

std::vector<double> coordinatesOf(const std::vector<TreeTick>& trees) {
    std::vector<double> values;
    for (const TreeTick& tree : trees) {
        for (const TreeJointState& link : tree.links) values.push_back(link.q);
        for (const TreeRotorState& rotor : tree.rotors) values.push_back(rotor.phi);
    }
    return values;
}

Trajectory oracleOf(const RobotModel& model, const std::vector<double>& times) {
    Trajectory oracle;
    oracle.time = times;
    oracle.signals = coordinateNames(model);
    oracle.columns.resize(oracle.signals.size());
    for (const ReferenceState& state : solveReference(model.problem, times).states) {
        const std::vector<double> values = coordinatesOf(state.trees);
        for (std::size_t k = 0; k < values.size(); ++k) oracle.columns[k].push_back(values[k]);
    }
    return oracle;
}

double horizon(const RobotModel& model, const std::vector<double>& times) {
    RobotModel off = model;
    std::vector<TreeLink>& links = off.problem.network.trees[0].links;
    std::find_if(links.begin(), links.end(), [](const TreeLink& link) {
        return link.joint == TreeJoint::Revolute || link.joint == TreeJoint::Prismatic;
    })->q += kOff;
    const std::vector<ReferenceState> ones = solveReference(model.problem, times).states;
    const std::vector<ReferenceState> others = solveReference(off.problem, times).states;
    for (std::size_t k = 0; k < times.size(); ++k) {
        for (std::size_t i = 0; i < ones[k].trees.size(); ++i) {
            const std::vector<TreeJointState>& one = ones[k].trees[i].links;
            const std::vector<TreeJointState>& other = others[k].trees[i].links;
            for (std::size_t j = 0; j < one.size(); ++j) {
                if (std::abs(one[j].q - other[j].q) > kStillComparable) return times[k];
            }
        }
    }
    return times.back();
}

}  // namespace elasto::tools
