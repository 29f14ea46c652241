#include "tree/tree_balance.h"

#include "balance/energy_repair.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace elasto::flow {
namespace {

struct TreeCentroidal {
    Eigen::Vector3d momentum, moment;  ///< moment about the centre of mass
    Eigen::Matrix3d inertia;           ///< about it, all joints locked
};

TreeCentroidal centroidal(const TreeModel& tree) {
    const Spatial momentum = tree.momentum();
    const SpatialInertia inertia = tree.inertia();
    const Eigen::Vector3d c = tree.centerOfMass().eigen();
    const Eigen::Vector3d mc = inertia.moment.eigen();
    TreeCentroidal result;
    result.momentum = momentum.linear.eigen();
    result.moment = momentum.angular.eigen() - c.cross(result.momentum);
    result.inertia = inertia.rotational.eigen() + mc * c.transpose();
    result.inertia.diagonal().array() -= mc.dot(c);
    return result;
}

/// Angular velocity that a moment of momentum gives to the locked body; none about an axis without inertia.
Eigen::Vector3d spinOf(const TreeCentroidal& body, const Eigen::Vector3d& moment) {
    const Eigen::Vector3d spin = body.inertia.inverse() * moment;
    return spin.allFinite() ? spin : Eigen::Vector3d::Zero();
}

}  // namespace

void TreeBalance::begin(TreeSystem& system) {
    const Eigen::VectorXd& y = system.startState();
    m_startPositions = y.head(system.coordinates());
    m_energy = system.energy(y);
    m_forceWork = constantWork(system, y);
    m_free.resize(system.treeCount());
    for (std::size_t i = 0; i < system.treeCount(); ++i) {
        const TreeModel& tree = system.tree(i);
        if (!tree.hasFreeBase()) continue;
        const TreeCentroidal now = centroidal(tree);
        m_free[i] = {tree.centerOfMass().eigen(), now.momentum, now.moment};
    }
}

/// Work of constant forces and torques, up to a constant. The trees stand at y.
double TreeBalance::constantWork(TreeSystem& system, const Eigen::VectorXd& y) const {
    double sum = 0;
    for (std::size_t i = 0; i < system.treeCount(); ++i) {
        const TreeModel& model = system.tree(i);
        const FlowTree& tree = model.tree();
        sum += model.forceWork();
        for (std::size_t k = 0; k < tree.links.size(); ++k) {
            const TreeLink& link = tree.links[k];
            const bool isScalar = link.joint == TreeJoint::Revolute || link.joint == TreeJoint::Prismatic;
            if (!isScalar || link.torque.constant == 0 || !link.torque.isConstant()) continue;
            const Eigen::Index place = system.treePlace(i) + model.coordinateOf(static_cast<int>(k));
            sum += link.torque.constant * (y[place] - m_startPositions[place]);
        }
        for (std::size_t r = 0; r < tree.rotors.size(); ++r) {
            const QuadraticTorque& torque = tree.rotors[r].torque;
            const Eigen::Index place = system.rotorPlace(i, r);
            if (torque.isConstant()) sum += torque.constant * (y[place] - m_startPositions[place]);
        }
    }
    return sum;
}

double TreeBalance::projectMomentum(TreeSystem& system, Eigen::VectorXd& y, double velocityFloor) const {
    const Eigen::Index n = system.coordinates();
    double missing = 0;
    for (std::size_t i = 0; i < system.treeCount(); ++i) {
        TreeModel& tree = system.tree(i);
        if (!tree.hasFreeBase()) continue;
        const Eigen::Index at = system.treePlace(i);
        const Eigen::Index quadratures = system.momentumPlace(i);
        tree.place(y.data() + at);
        tree.move(y.data() + n + at);
        const Free& start = m_free[i];
        const TreeCentroidal now = centroidal(tree);
        const Eigen::Vector3d c = tree.centerOfMass().eigen();
        const Eigen::Vector3d center =
            start.center + system.duration() / tree.mass() * start.momentum + y.segment<3>(quadratures + 6);
        const Eigen::Vector3d momentum = start.momentum + y.segment<3>(quadratures);
        const Eigen::Vector3d moment = start.moment + y.segment<3>(quadratures + 3);
        const Eigen::Vector3d spin = spinOf(now, moment - now.moment);
        const Eigen::Vector3d drift = (momentum - now.momentum) / tree.mass();
        const double fastest = std::max(y.segment(n + at, tree.jointSize()).lpNorm<Eigen::Infinity>(), velocityFloor);
        missing = std::max({missing, drift.norm() / fastest, spin.norm() / fastest});
        y.segment<3>(n + at) += drift - spin.cross(c);
        y.segment<3>(n + at + 3) += spin;
        y.segment<3>(at) += center - (y.segment<3>(at) + c);
    }
    return missing;
}

TickBalance TreeBalance::missed(TreeSystem& system, const Eigen::VectorXd& y, double heat, double otherWork,
                                double velocityFloor) const {
    const double energy = system.energy(y);
    const double work = constantWork(system, y) - m_forceWork + system.work(y) + otherWork;
    TickBalance balance;
    balance.energy = energy - m_energy - work + heat;
    balance.inPlay = m_energy + std::max(energy, 0.) + std::abs(work) + heat;
    // What is slower than is resolved at all counts.
    for (std::size_t i = 0; i < system.treeCount(); ++i) {
        balance.inPlay += 0.5 * system.tree(i).mass() * velocityFloor * velocityFloor;
    }
    return balance;
}

double TreeBalance::take(TreeSystem& system, Eigen::VectorXd& y, double excess) const {
    const Eigen::Index n = system.coordinates();
    // What belongs to the momenta of free bases stays: the motion of the tree as one locked body.
    m_locked.setZero(n);
    double kinetic = system.kineticEnergy(y);
    for (std::size_t i = 0; i < system.treeCount(); ++i) {
        const TreeModel& tree = system.tree(i);
        if (!tree.hasFreeBase()) continue;
        const Eigen::Index at = system.treePlace(i);
        const TreeCentroidal now = centroidal(tree);
        const Eigen::Vector3d velocity = now.momentum / tree.mass();
        const Eigen::Vector3d spin = spinOf(now, now.moment);
        m_locked.segment<3>(at) = velocity - spin.cross(tree.centerOfMass().eigen());
        m_locked.segment<3>(at + 3) = spin;
        kinetic -= 0.5 * (velocity.dot(now.momentum) + spin.dot(now.moment));
    }
    if (!(kinetic > 0)) return 0;
    if (excess < -kTakenError * kinetic) return 0;
    const double taken = std::min(excess, kMostToTake * kinetic);
    const double factor = std::sqrt(1 - taken / kinetic);
    y.segment(n, n) = m_locked + factor * (y.segment(n, n) - m_locked);
    return taken;
}

}  // namespace elasto::flow
