#include <elasto/flow_tree.h>

#include "balance/finer_attempts.h"
#include "balance/load_changes.h"
#include "balance/settle_events.h"
#include "constraints/friction_rows.h"
#include "numerics/dop853.h"
#include "numerics/hybrid_integrator.h"
#include "numerics/rosenbrock_w.h"
#include "numerics/split_rosenbrock.h"
#include "tree/tree_balance.h"
#include "tree/tree_fallback.h"
#include "tree/tree_system.h"
#include "tree/tree_validation.h"
#include "tree/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto {

struct TreeWorkspace::Storage {
    flow::TreeSystem system, coarser;
    flow::TreeBalance balance;
    flow::Dop853 dop853;
    flow::RosenbrockW rosenbrock;
    flow::SplitRosenbrock splitRosenbrock;
    flow::IntegrationSpace integration;
    Eigen::VectorXd y, coarserY, heat;
    std::vector<double> boundedForces;
    std::vector<flow::Seen> seen;
    TreeNetwork withRows;  ///< with what dry friction is made of
    TreeNetwork moving;    ///< of a tick in pieces, and what a piece of it gave
    TreeTickResult piece;
};

namespace flow {
namespace {

/// Cost of one evaluation of all trees.
double evaluationCost(const TreeNetwork& network) {
    double sum = 0;
    for (const FlowTree& tree : network.trees) {
        sum += kEvaluationCost + kLinkCost * static_cast<double>(tree.links.size());
    }
    return sum;
}

/// Steps that the settings leave: at least one. The implicit steps of large trees cost the square of their size.
int budgetOf(const TreeNetwork& network, const FlowSettings& settings) {
    double size = 0;
    for (const FlowTree& tree : network.trees) size += static_cast<double>(tree.links.size() + tree.rotors.size());
    const double share = std::min(1.0, kTreeFullBudgetSize * kTreeFullBudgetSize / (size * size));
    const double most =
        std::min(share * settings.maxSteps, settings.maxCost / (kStepEvaluations * evaluationCost(network)));
    return std::max(1, static_cast<int>(std::min<double>(most, settings.maxSteps)));
}

/// Least settings.maxCost that would have left the tick as it is.
double leastCost(const TreeNetwork& network, FlowSettings settings, const TreeTickResult& result) {
    const double most = settings.maxCost;
    const int budget = budgetOf(network, settings);
    // A few more for rounding.
    const double steps = result.overBudget ? budget : result.steps;
    settings.maxCost = std::min(most, kStepEvaluations * evaluationCost(network) * (steps + 5));
    const int least = budgetOf(network, settings);
    return least == budget || (!result.overBudget && least > result.steps) ? settings.maxCost : most;
}

/// DOP853, then ROS34PW2: see explicitThenImplicit.
void advance(TreeWorkspace::Storage& space, double tolerance, int budget, double h, double& t, TreeTickResult& result) {
    TreeSystem& system = space.system;
    const auto run = [&](Stepper& stepper) {
        return integrate(system, stepper, t, h, space.y, budget, result.steps, space.integration);
    };
    const auto explicitly = [&] {
        system.steps().explicitly();
        system.setTolerance(kTreeLooseness * tolerance);
        return run(space.dop853);
    };
    const auto implicitly = [&] {
        result.method = FlowMethod::Ros34Pw2;
        system.steps().implicitly();
        system.setTolerance(kTreeLooseness * tolerance);
        system.split(system.canSplit());
        if (!system.canSplit()) return run(space.rosenbrock);
        space.splitRosenbrock.begin(system);
        return run(space.splitRosenbrock);
    };
    result.method = FlowMethod::Dop853;
    explicitThenImplicit(
        t, h, [&] { return system.isStiff(); }, explicitly, implicitly);
}

/// What the steps got wrong, before any of it is put right.
TickBalance balanceOf(TreeWorkspace::Storage& space, const FlowSettings& settings) {
    TreeSystem& system = space.system;
    const Eigen::VectorXd& y = space.y;
    const double driven = system.driveWork(y) + system.frictionWork(y) - system.limitLoss();
    return space.balance.missed(system, y, system.heat(y).sum(), driven, settings.velocityFloor);
}

/// Momenta, then energy: what steps got wrong of both is put right as far as it is little.
/// @return energy gained that could not be taken back
double settle(TreeWorkspace::Storage& space, const FlowSettings& settings, TreeTickResult& result) {
    TreeSystem& system = space.system;
    Eigen::VectorXd& y = space.y;
    result.balance.momentum = space.balance.projectMomentum(system, y, settings.velocityFloor);
    const TickBalance balance = balanceOf(space, settings);
    result.balance.energy = balance.energy;
    result.balance.inPlay = balance.inPlay;
    space.heat = system.heat(y).cwiseMax(0);  // no law gives any back: less than none is an error of steps
    result.driveWork = system.driveWork(y);
    result.limitLoss = system.limitLoss();
    result.energyHandedOut = balance.energy - space.heat.sum();
    // What is driven at a rate has the motion that it has.
    const double taken = system.isDriven() ? 0 : space.balance.take(system, y, balance.energy);
    result.energyRepaired = std::abs(taken);
    return std::max(0.0, balance.energy - taken);
}

/// The rest of a tick in a few coarse steps, more of them where these would gain energy. Trees so fast that no number
/// of steps can be trusted stand still and keep their velocities: for that time, or for the whole tick.
void endByBackwardEuler(const TreeNetwork& network, const FlowSettings& settings, double h, double t,
                        TreeWorkspace::Storage& space, TreeTickResult& result) {
    result.method = FlowMethod::BackwardEuler;
    result.grade += TickGrade::of(GradeCause::FirstOrder);
    result.overBudget = true;
    const auto isSettled = [&](double share) {
        if (!space.y.allFinite()) return false;
        return settle(space, settings, result) <= share * result.balance.inPlay;
    };
    const TreeSystem system = space.system;
    const Eigen::VectorXd y = space.y;
    for (int steps = kFewestBackwardEulerSteps; steps <= kMostBackwardEulerSteps; steps *= 4) {
        finishByBackwardEuler(space.system, steps, h - t, t, space.y);
        result.steps += steps;
        if (isSettled(steps < kMostBackwardEulerSteps ? kBackwardEulerGain : kTreeLargestGain)) return;
        space.system = system;
        space.y = y;
    }
    if (isSettled(kTreeLargestGain)) return;
    result.grade += TickGrade::of(GradeCause::Untrusted);
    space.system.begin(network, settings, h);
    space.system.startBounded();
    space.y = space.system.startState();
    settle(space, settings, result);
}

void read(const TreeNetwork& network, TreeWorkspace::Storage& space, TreeTickResult& result) {
    TreeSystem& system = space.system;
    const Eigen::VectorXd& y = space.y;
    const Eigen::Index n = system.coordinates();
    for (std::size_t i = 0; i < network.trees.size(); ++i) {
        const FlowTree& tree = network.trees[i];
        TreeTick& end = result.trees[i];
        TreeModel& model = system.tree(i);
        const double* position = y.data() + system.treePlace(i);
        const double* velocity = y.data() + n + system.treePlace(i);
        model.place(position);
        model.move(velocity);
        end.base = model.baseState();
        end.links.resize(tree.links.size());
        for (std::size_t k = 0; k < tree.links.size(); ++k) {
            const auto link = static_cast<int>(k);
            TreeJointState& state = end.links[k];
            state = tree.links[k];
            const TreeJoint joint = tree.links[k].joint;
            if (joint == TreeJoint::Fixed) continue;
            const Eigen::Index place = model.coordinateOf(link);
            if (joint == TreeJoint::Spherical) {
                state.turn = model.turnOf(link, position);
                state.spin = Eigen::Map<const Eigen::Vector3d>(velocity + place);
            } else {
                state.q = position[place];
                state.qd = velocity[place];
            }
        }
        end.rotors.resize(tree.rotors.size());
        for (std::size_t k = 0; k < tree.rotors.size(); ++k) {
            const Eigen::Index place = system.rotorPlace(i, k);
            end.rotors[k] = {y[place], y[n + place]};
        }
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const Law& law = network.elements[e].law;
        ElementTick& end = result.elements[e];
        end.s = system.s(e, y);
        end.v = system.v(e, y);
        end.s_damper = system.innerStateOf(e, y);
        end.force = evaluate(law, end.s, end.v, end.s_damper);
        end.impulse = system.impulse(e, y);
        end.heat = space.heat[static_cast<Eigen::Index>(e)];
        end.storedEnergy = storedEnergy(law, end.s, end.s_damper);
    }
}

void readBounded(TreeWorkspace::Storage& space, TreeTickResult& result) {
    TreeSystem& system = space.system;
    const Eigen::VectorXd& y = space.y;
    space.boundedForces.assign(result.bounded.size(), 0);
    // Only elements are asked for their force now; it costs an evaluation.
    if (system.hasFriction()) system.boundedForces(system.duration(), y, space.boundedForces);
    for (std::size_t k = 0; k < result.bounded.size(); ++k) {
        result.bounded[k] = {system.boundedCoordinate(k, y), system.boundedRate(k, y), system.boundedImpulse(k, y),
                             system.boundedWork(k, y),       space.boundedForces[k],   system.isHeld(k, y)};
    }
}

void solve(const TreeNetwork& network, double h, const FlowSettings& settings, TreeWorkspace::Storage& space,
           TreeTickResult& result) {
    TreeSystem& system = space.system;
    system.begin(network, settings, h);
    for (std::size_t i = 0; i < system.treeCount(); ++i) requireInertia(system.tree(i), i);
    space.balance.begin(system);

    result.trees.resize(network.trees.size());
    result.elements.resize(network.elements.size());
    result.bounded.resize(network.bounded.size());
    result.events.clear();
    result.steps = 0;
    result.overBudget = false;
    result.grade = {};
    result.balance = {};
    double t = 0;
    const int budget = budgetOf(network, settings);
    const auto attempt = [&](double fineness) {
        if (fineness < 1) system.begin(network, settings, h);
        system.startBounded();
        space.y = system.startState();
        t = 0;
        advance(space, fineness * settings.stepTolerance(), budget, h, t, result);
        return t >= h;
    };
    const auto isTrusted = [&] {
        const TickBalance balance = balanceOf(space, settings);
        return std::abs(balance.energy) <= trustedError(settings) * balance.inPlay;
    };
    const auto swapKept = [&] {
        std::swap(system, space.coarser);
        std::swap(space.y, space.coarserY);
    };
    if (solveFinely(budget, result.steps, attempt, isTrusted, swapKept)) {
        if (!isTrusted()) result.grade += TickGrade::of(GradeCause::Unbalanced);
        if (!system.hasActed()) result.method = FlowMethod::Free;
        settle(space, settings, result);
    } else {
        endByBackwardEuler(network, settings, h, t, space, result);
    }
    read(network, space, result);
    result.events = system.events();
    space.seen = system.seenAtStart();
    settleEvents(space.seen, result.elements, h, result.events);
    readBounded(space, result);
    result.cost = evaluationCost(network) * system.evaluations();
    result.leastCost = leastCost(network, settings, result);
}

}  // namespace
}  // namespace flow

TreeWorkspace::TreeWorkspace() : m_storage(std::make_unique<Storage>()) {}
TreeWorkspace::TreeWorkspace(TreeWorkspace&&) noexcept = default;
TreeWorkspace& TreeWorkspace::operator=(TreeWorkspace&&) noexcept = default;
TreeWorkspace::~TreeWorkspace() = default;

namespace flow {
namespace {

void solveWithRows(const TreeNetwork& network, double h, const FlowSettings& settings, TreeWorkspace::Storage& space,
                   TreeTickResult& result) {
    solveInPieces(network, h, settings, space.moving, space.piece, result,
                  [&](const TreeNetwork& now, double length, const FlowSettings& rest, TreeTickResult& piece) {
                      solve(now, length, rest, space, piece);
                  });
}

}  // namespace
}  // namespace flow

void solveTreeTick(const TreeNetwork& network, double h, const FlowSettings& settings, TreeWorkspace& workspace,
                   TreeTickResult& result) {
    flow::validate(network, h);
    TreeWorkspace::Storage& space = *workspace.m_storage;
    if (!flow::hasFriction(network)) return flow::solveWithRows(network, h, settings, space, result);
    flow::addFrictionRows(network, h, space.withRows);
    flow::solveWithRows(space.withRows, h, settings, space, result);
    flow::takeFrictionRows(network, h, result);
}

TreeTickResult solveTreeTick(const TreeNetwork& network, double h, const FlowSettings& settings) {
    TreeWorkspace workspace;
    TreeTickResult result;
    solveTreeTick(network, h, settings, workspace, result);
    return result;
}

}  // namespace elasto
