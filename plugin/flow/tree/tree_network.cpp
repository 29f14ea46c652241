// What users see of trees besides their tick, and what their tick accepts.

#include <elasto/errors.h>
#include <elasto/flow_tree.h>

#include "tree/tree_model.h"
#include "tree/tree_validation.h"

#include <cmath>
#include <string>

namespace elasto {

QuadraticTorque QuadraticTorque::through(double start, double middle, double end, double h) {
    return {start, (4 * middle - 3 * start - end) / h, 2 * (start - 2 * middle + end) / (h * h)};
}

void TreeNetwork::adopt(const TreeTickResult& tick) {
    for (std::size_t i = 0; i < trees.size(); ++i) {
        FlowTree& tree = trees[i];
        const TreeTick& end = tick.trees[i];
        static_cast<BodyState&>(tree.base) = end.base;
        for (std::size_t k = 0; k < tree.links.size(); ++k) {
            static_cast<TreeJointState&>(tree.links[k]) = end.links[k];
        }
        for (std::size_t k = 0; k < tree.rotors.size(); ++k) {
            tree.rotors[k].phi = end.rotors[k].phi;
            tree.rotors[k].w = end.rotors[k].w;
        }
    }
    for (std::size_t e = 0; e < elements.size(); ++e) elements[e].s_damper = tick.elements[e].s_damper;
}

namespace {

/// A tree placed and moving as its data say.
flow::TreeModel modelOf(const FlowTree& tree, std::vector<double>& state) {
    flow::TreeModel model;
    model.bind(tree);
    const auto n = static_cast<std::size_t>(model.size());
    state.resize(2 * n + 1);
    model.readStart(state.data(), state.data() + n);
    model.place(state.data());
    model.move(state.data() + n);
    return model;
}

}  // namespace

BodyState linkFrame(const FlowTree& tree, int link) {
    flow::validate(tree, 0);
    if (link < kTreeBase || link >= static_cast<int>(tree.links.size())) {
        throw InvalidParameter("FlowTree", "link", link, "kTreeBase or the index of a link");
    }
    std::vector<double> state;
    const flow::TreeModel model = modelOf(tree, state);
    return link == kTreeBase ? model.baseState() : model.frameState(link);
}

double kineticEnergy(const FlowTree& tree) {
    flow::validate(tree, 0);
    std::vector<double> state;
    return modelOf(tree, state).kineticEnergy();
}

namespace flow {
namespace {

/// The link, rotor or element that is looked at; its name is only put together where something is wrong.
struct Owner {
    const char* kind;
    std::size_t index;
    std::size_t tree;

    std::string name() const {
        std::string text = std::string(kind) + " " + std::to_string(index);
        return kind[0] == 'T' ? text : text + " of tree " + std::to_string(tree);
    }
};

void require(bool condition, const Owner& owner, const char* field, double value, const char* allowed) {
    if (!condition) throw InvalidParameter(owner.name(), field, value, allowed);
}

template <class Values>
void requireFinite(const Values& values, const Owner& owner, const char* field) {
    if (values.allFinite()) return;
    for (Eigen::Index i = 0; i < values.size(); ++i)
        require(std::isfinite(values.data()[i]), owner, field, values.data()[i], "finite");
}

void requireFinite(double value, const Owner& owner, const char* field) {
    require(std::isfinite(value), owner, field, value, "finite");
}

void requireFinite(const QuadraticLoad& load, const Owner& owner, const char* field) {
    requireFinite(load.constant, owner, field);
    requireFinite(load.linear, owner, field);
    requireFinite(load.quadratic, owner, field);
}

void requireFinite(const QuadraticTorque& torque, const Owner& owner, const char* field) {
    requireFinite(torque.constant, owner, field);
    requireFinite(torque.linear, owner, field);
    requireFinite(torque.quadratic, owner, field);
}

void requireFinite(const QuadraticShare& share, const Owner& owner) {
    for (const double value : {share.constant, share.linear, share.quadratic}) {
        requireFinite(value, owner, "f_normalized");
    }
}

void requireTurn(const Eigen::Quaterniond& turn, const Owner& owner, const char* field) {
    const double length = turn.norm();
    require(std::abs(length - 1) < 1e-6, owner, field, length, "a quaternion of length 1");
}

void requireInertia(double mass, const Eigen::Matrix3d& inertia, const Owner& owner) {
    require(mass >= 0 && std::isfinite(mass), owner, "mass", mass, "finite and >= 0");
    requireFinite(inertia, owner, "inertia");
    const double size = inertia.cwiseAbs().maxCoeff();
    const double skew = (inertia - inertia.transpose()).cwiseAbs().maxCoeff();
    require(skew <= 1e-9 * size, owner, "inertia", skew, "symmetric");
    for (int k = 0; k < 3; ++k) {
        require(inertia(k, k) >= 0, owner, "inertia", inertia(k, k), ">= 0 on the diagonal");
    }
}

void validate(const TreeLink& link, const Owner& owner) {
    require(link.parent >= kTreeBase && link.parent < static_cast<int>(owner.index), owner, "parent", link.parent,
            "kTreeBase or the index of an earlier link");
    requireFinite(link.pivot, owner, "pivot");
    requireTurn(link.orientation, owner, "orientation");
    requireFinite(link.centerOfMass, owner, "centerOfMass");
    requireInertia(link.mass, link.inertia, owner);
    if (link.joint == TreeJoint::Revolute || link.joint == TreeJoint::Prismatic) {
        const double length = link.axis.norm();
        require(std::abs(length - 1) < 1e-6, owner, "axis", length, "of length 1");
        requireFinite(link.q, owner, "q");
        requireFinite(link.qd, owner, "qd");
        requireFinite(link.torque, owner, "torque");
    }
    if (link.joint == TreeJoint::Spherical) {
        requireTurn(link.turn, owner, "turn");
        requireFinite(link.spin, owner, "spin");
        requireFinite(link.ballTorque, owner, "ballTorque");
    }
    requireFinite(link.force, owner, "force");
    requireFinite(link.forceTorque, owner, "forceTorque");
}

void validate(const TreeBase& base, const Owner& owner) {
    requireFinite(base.position, owner, "base.position");
    requireTurn(base.orientation, owner, "base.orientation");
    requireFinite(base.velocity, owner, "base.velocity");
    requireFinite(base.angularVelocity, owner, "base.angularVelocity");
    if (base.isFixed) {
        const double speed = std::max(base.velocity.norm(), base.angularVelocity.norm());
        require(speed == 0, owner, "base.velocity", speed, "0 where the base is fixed");
        return;
    }
    requireInertia(base.mass, base.inertia, owner);
    requireFinite(base.force, owner, "base.force");
    requireFinite(base.torque, owner, "base.torque");
}

void validate(const TreeCoordinate& coordinate, const TreeNetwork& network, const Owner& owner) {
    if (coordinate.terms.empty()) {
        throw InvalidParameter(owner.name(), "terms is empty; a coordinate needs at least one term");
    }
    requireFinite(coordinate.offset, owner, "offset");
    for (std::size_t k = 0; k < coordinate.terms.size(); ++k) {
        const TreeTerm& term = coordinate.terms[k];
        require(term.tree >= 0 && term.tree < static_cast<int>(network.trees.size()), owner, "tree", term.tree,
                "the index of a tree");
        const FlowTree& tree = network.trees[static_cast<std::size_t>(term.tree)];
        const bool isRotor = term.kind == TreeTerm::Kind::Rotor;
        const std::size_t count = isRotor ? tree.rotors.size() : tree.links.size();
        require(term.index >= 0 && term.index < static_cast<int>(count), owner, "index", term.index,
                isRotor ? "the index of a rotor" : "the index of a link");
        if (!isRotor) {
            const TreeJoint joint = tree.links[static_cast<std::size_t>(term.index)].joint;
            require(joint == TreeJoint::Revolute || joint == TreeJoint::Prismatic, owner, "index", term.index,
                    "a link with a revolute or prismatic joint");
        }
        require(std::isfinite(term.coefficient) && term.coefficient != 0, owner, "coefficient", term.coefficient,
                "finite and not 0");
        for (std::size_t other = 0; other < k; ++other) {
            const TreeTerm& before = coordinate.terms[other];
            require(before.kind != term.kind || before.tree != term.tree || before.index != term.index, owner, "index",
                    term.index, "named once: each coordinate has one coefficient");
        }
    }
}

}  // namespace

void validate(const FlowTree& tree, std::size_t index) {
    const Owner owner{"Tree", index, index};
    validate(tree.base, owner);
    for (const double damping : {tree.linearDamping, tree.angularDamping}) {
        require(damping >= 0 && std::isfinite(damping), owner, "damping", damping, "finite and >= 0");
    }
    for (std::size_t i = 0; i < tree.links.size(); ++i) validate(tree.links[i], {"link", i, index});
    for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
        const TreeRotor& rotor = tree.rotors[i];
        const Owner own{"rotor", i, index};
        require(rotor.carrier >= kTreeBase && rotor.carrier < static_cast<int>(tree.links.size()), own, "carrier",
                rotor.carrier, "kTreeBase or the index of a link");
        const double length = rotor.axis.norm();
        require(std::abs(length - 1) < 1e-6, own, "axis", length, "of length 1");
        require(rotor.inertia > 0 && std::isfinite(rotor.inertia), own, "inertia", rotor.inertia, "finite and > 0");
        requireFinite(rotor.phi, own, "phi");
        requireFinite(rotor.w, own, "w");
        requireFinite(rotor.torque, own, "torque");
    }
}

namespace {

void validate(const std::vector<TreeLoadChange>& changes, const TreeNetwork& network) {
    double last = 0;
    const auto elements = static_cast<int>(network.elements.size());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const TreeLoadChange& change = changes[i];
        const Owner owner{"TreeLoadChange", i, 0};
        require(change.time > 0 && std::isfinite(change.time), owner, "time", change.time, "> 0");
        require(change.time >= last, owner, "time", change.time, "in the order of time");
        require(change.element < elements, owner, "element", change.element, "-1 or the index of an element");
        if (change.element < 0)
            validate(TreeCoordinate{{{change.kind, change.tree, change.index, 1}}, 0}, network, owner);
        requireFinite(change.torque, owner, "torque");
        requireFinite(change.share, owner);
        last = change.time;
    }
}

}  // namespace

void validate(const TreeNetwork& network, double h) {
    if (!(h > 0) || !std::isfinite(h)) throw InvalidParameter("solveTreeTick", "h", h, "finite and > 0");
    for (std::size_t i = 0; i < network.trees.size(); ++i) validate(network.trees[i], i);
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const Owner owner{"TreeElement", e, 0};
        validate(network.elements[e], network, owner);
        requireFinite(network.elements[e].f_normalized, owner);
        requireFinite(network.elements[e].s_damper, owner, "s_damper");
    }
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        const TreeBounded& row = network.bounded[k];
        const Owner owner{"TreeBounded", k, 0};
        validate(row, network, owner);
        requireFinite(row.targetRate, owner, "targetRate");
        require(row.maxForce >= 0, owner, "maxForce", row.maxForce, ">= 0");
        requireFinite(row.bound, owner, "bound");
        require(row.side == 1 || row.side == -1, owner, "side", row.side, "+1 or -1");
        require(row.restitution >= 0 && row.restitution <= 1, owner, "restitution", row.restitution, ">= 0 and <= 1");
    }
    validate(network.changes, network);
}

void requireInertia(const TreeModel& model, std::size_t tree) {
    for (Eigen::Index k = 0; k < model.size(); ++k) {
        if (model.isMovable(k)) continue;
        const int link = model.linkOf(k);
        if (link == kTreeBase) {
            throw InvalidParameter(
                Owner{"Tree", tree, tree}.name(),
                "the free base has no mass or inertia, and none hangs on it; give it some or fix it");
        }
        throw InvalidParameter(Owner{"link", static_cast<std::size_t>(link), tree}.name(),
                               "its joint moves nothing that has mass or inertia; give the link some or fix the joint");
    }
}

}  // namespace flow
}  // namespace elasto
