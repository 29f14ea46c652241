#include "straight/solve_rows.h"

#include "balance/finer_attempts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace elasto::flow {
namespace {

template <class Copy>
void copyState(RowState& sub, RowState& whole, const std::vector<Eigen::Index>& group, const Copy& copy) {
    for (Eigen::VectorXd RowState::*field : {&RowState::s, &RowState::v, &RowState::z, &RowState::P, &RowState::sigma,
                                             &RowState::sigmaT, &RowState::sigmaTT, &RowState::heat}) {
        for (std::size_t k = 0; k < group.size(); ++k) {
            copy((sub.*field)[static_cast<Eigen::Index>(k)], (whole.*field)[group[k]]);
        }
    }
    for (std::size_t k = 0; k < group.size(); ++k) {
        copy(sub.phases[k], whole.phases[static_cast<std::size_t>(group[k])]);
    }
}

// Damping of all elements that act counts where they meet on a body: a plate between two damped contacts is twice as
// stiff as with one (a bound by row sums).
bool anyStronglyDamped(const RowNetwork& network, const RowState& state, double h, double limit) {
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        double own = 0;
        double damping = 0;
        for (const DelassusMatrix::Entry& entry : network.W.row(i)) {
            const auto l = static_cast<std::size_t>(entry.column);
            if (entry.column == i) own = entry.value;
            if (network.laws[l].kind != HybridLaw::Kind::Series && state.phases[l].inContact()) {
                damping += network.laws[l].damping(state.phases[l].side) * std::fabs(entry.value);
            }
        }
        const bool acts = state.phases[k].inContact();
        if (isStronglyDamped(network.laws[k], state.phases[k], own, h, limit) || (acts && h * damping > limit)) {
            return true;
        }
    }
    return false;
}

/// What nothing can move is alone in its group.
bool canMove(const RowNetwork& network) {
    return network.W(0, 0) > 0;
}

bool anyNonlinearContact(const RowNetwork& network, const RowState& state) {
    for (std::size_t k = 0; k < network.laws.size(); ++k) {
        if (!network.laws[k].isPiecewiseLinear() && state.phases[k].inContact()) {
            return true;
        }
    }
    return false;
}

// From step to step: exact flight and Taylor where everything that acts is linear, Runge-Kutta where it is not, and the
// L-stable method as soon as something acts that is strongly damped.
FlowMethod integrate(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                     TaylorSolver& taylor, RowLog& log) {
    FlowMethod method = FlowMethod::Taylor;
    while (state.t < h && log.steps < settings.maxSteps) {
        const double before = state.t;
        const int stepsBefore = log.steps;
        if (anyStronglyDamped(network, state, h, settings.strongDamping)) {
            method = FlowMethod::Rodas4;
            solveRodas4(network, state, h, settings, log);
            break;
        }
        if (anyNonlinearContact(network, state)) {
            method = FlowMethod::Dop853;
            solveExplicit(network, state, h, settings, log);
        } else {
            taylor.solve(network, state, h, settings, log);
        }
        if (state.t == before && log.steps == stepsBefore) {
            ++log.steps;  // a hand-over between integrators without progress must not be free
        }
    }
    return method;
}

}  // namespace

void RowOutcome::clear() {
    method = FlowMethod::Free;
    log.events.clear();
    log.steps = 0;
    overBudget = isUnbalanced = false;
    energyHandedOut = 0;
    energyRepaired = 0;
    balance = {};
}

// Elements that influence each other, group by group in the order of their first element.
void RowSolver::findGroups(const DelassusMatrix& W) {
    const Eigen::Index m = W.size();
    const auto at = [](std::vector<Eigen::Index>& list, Eigen::Index i) -> Eigen::Index& {
        return list[static_cast<std::size_t>(i)];
    };
    // A tree each, whose root is its first element.
    m_rootOf.resize(static_cast<std::size_t>(m));
    std::iota(m_rootOf.begin(), m_rootOf.end(), Eigen::Index{0});
    const auto find = [&](Eigen::Index i) {
        while (at(m_rootOf, i) != i) i = at(m_rootOf, i) = at(m_rootOf, at(m_rootOf, i));
        return i;
    };
    m_own.resize(m);
    for (Eigen::Index i = 0; i < m; ++i) m_own[i] = W(i, i);
    for (Eigen::Index i = 0; i < m; ++i) {
        for (const DelassusMatrix::Entry& entry : W.row(i)) {
            // Rounding in directions that are meant to be orthogonal couples nothing.
            const double coupling = std::fabs(entry.value);
            const double both = m_own[i] * m_own[entry.column];
            if (entry.column == i || !(coupling * coupling > 1e-30 * both)) continue;
            const Eigen::Index x = find(i);
            const Eigen::Index y = find(entry.column);
            at(m_rootOf, std::max(x, y)) = std::min(x, y);
        }
    }
    m_groupCount = 0;
    m_placeOf.resize(static_cast<std::size_t>(m));
    m_groupOf.resize(static_cast<std::size_t>(m));
    for (Eigen::Index i = 0; i < m; ++i) {
        const Eigen::Index root = find(i);
        if (root == i) {
            at(m_groupOf, i) = static_cast<Eigen::Index>(m_groupCount);
            if (m_groups.size() == m_groupCount) m_groups.emplace_back();
            m_groups[m_groupCount++].elements.clear();
        }
        std::vector<Eigen::Index>& elements = m_groups[static_cast<std::size_t>(at(m_groupOf, root))].elements;
        at(m_placeOf, i) = static_cast<Eigen::Index>(elements.size());
        elements.push_back(i);
    }
}

/// What the steps have got wrong of the energy, and what there is of it.
TickBalance RowSolver::balanceOf(const RowNetwork& network, const RowState& state, double velocityFloor) const {
    TickBalance balance;
    balance.energy = energyHandedOut(network, m_start.v, m_startEnergy, state) + state.heat.sum();
    balance.inPlay = m_startEnergy + state.P.cwiseAbs().dot(m_start.v.cwiseAbs() + state.v.cwiseAbs());
    for (Eigen::Index i = 0; i < network.size(); ++i) {
        // What is slower than is resolved at all counts.
        const double W = network.W(i, i);
        if (W > 0) balance.inPlay += 0.5 * velocityFloor * velocityFloor / W;
    }
    return balance;
}

/// Solves the group with finer steps as long as the balance asks for them.
/// @return false if the budget ends, or what is found is no motion
bool RowSolver::integrateWell(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                              RowOutcome& outcome) {
    m_start = state;
    m_startEnergy = storedEnergy(network, state);
    FlowSettings fine = settings;
    const auto attempt = [&](double fineness) {
        state = m_start;
        fine.tolerance = fineness * settings.tolerance;
        outcome.log.events.clear();
        outcome.method = integrate(network, state, h, fine, m_taylor, outcome.log);
        if (state.t < h) return false;
        if (network.hasBalance && canMove(network)) {
            outcome.balance = balanceOf(network, state, settings.velocityFloor);
        }
        return true;
    };
    const auto isWithin = [&](double share) {
        constexpr double kOfLength = 8 * std::numeric_limits<double>::epsilon();
        const double rounding = kOfLength * state.P.cwiseAbs().dot(m_start.s.cwiseAbs() + state.s.cwiseAbs()) / h;
        return std::abs(outcome.balance.energy) <= share * outcome.balance.inPlay + rounding;
    };
    const auto swapKept = [&] {
        std::swap(state, m_coarser);
        std::swap(outcome.log.events, m_coarserOutcome.log.events);
        std::swap(outcome.method, m_coarserOutcome.method);
        std::swap(outcome.balance, m_coarserOutcome.balance);
    };
    const bool isSolved = solveFinely(
        settings.maxSteps, outcome.log.steps, attempt, [&] { return isWithin(trustedError(settings)); }, swapKept);
    outcome.isUnbalanced = isSolved && !isWithin(trustedError(settings));
    return isSolved && isWithin(kTakenError);
}

void RowSolver::solveGroup(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                           RowOutcome& outcome) {
    const bool alone = network.size() == 1 && network.hasConstantLoad() && network.laws[0].isPiecewiseLinear();
    if (alone) {
        outcome.method = FlowMethod::ClosedForm;
        if (network.laws[0].kind == HybridLaw::Kind::Series) {
            solveSeries(network, state, h, outcome.log);
        } else {
            solveClosedForm(network, state, h, outcome.log);
        }
        outcome.energyHandedOut = -state.heat.sum();
    } else {
        outcome.overBudget = !integrateWell(network, state, h, settings, outcome);
        if (outcome.overBudget || !network.hasBalance) return;
        if (canMove(network)) {
            outcome.energyHandedOut = outcome.balance.energy - state.heat.sum();
        } else {
            // It moves as it is told, without an error of steps: what the spring does not store is heat.
            outcome.energyHandedOut = energyHandedOut(network, m_start.v, m_startEnergy, state);
            state.heat[0] = -outcome.energyHandedOut;
        }
        if (outcome.energyHandedOut > 0) {
            outcome.energyRepaired = repairEnergy(network, m_start.v, m_startEnergy, state);
        }
    }
    const bool acted = !state.P.isZero(0) || !outcome.log.events.empty();
    if (!acted && !outcome.overBudget) {
        outcome.method = FlowMethod::Free;
    }
}

void RowSolver::solve(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                      RowOutcome& outcome) {
    outcome.clear();
    if (network.number == 0 || network.number != m_number) findGroups(network.W);
    m_number = network.number;
    if (m_groupCount == 1) {
        solveGroup(network, state, h, settings, outcome);
        return;
    }
    for (std::size_t g = 0; g < m_groupCount; ++g) {
        auto& [elements, sub, subState] = m_groups[g];
        sub.laws.clear();
        for (const Eigen::Index i : elements) sub.laws.push_back(network.laws[static_cast<std::size_t>(i)]);
        sub.W.extract(network.W, elements, m_placeOf);
        sub.a = network.a(elements, Eigen::all);
        sub.hasBalance = network.hasBalance;
        subState.resize(sub.size());
        copyState(subState, state, elements, [](auto& to, auto& from) { to = from; });
        m_ofGroup.clear();
        FlowSettings rest = settings;
        rest.maxSteps = std::max(settings.maxSteps - outcome.log.steps, 1);
        solveGroup(sub, subState, h, rest, m_ofGroup);
        copyState(subState, state, elements, [](auto& from, auto& to) { to = from; });
        outcome.method = std::max(outcome.method, m_ofGroup.method);
        outcome.log.steps += m_ofGroup.log.steps;
        outcome.overBudget |= m_ofGroup.overBudget;
        outcome.isUnbalanced |= m_ofGroup.isUnbalanced;
        outcome.energyHandedOut += m_ofGroup.energyHandedOut;
        outcome.energyRepaired += m_ofGroup.energyRepaired;
        outcome.balance += m_ofGroup.balance;
        for (ContactEvent event : m_ofGroup.log.events) {
            event.element = static_cast<int>(elements[static_cast<std::size_t>(event.element)]);
            outcome.log.events.push_back(event);
        }
    }
    state.t = h;
}

}  // namespace elasto::flow
