#include "solve_rows.h"

#include "heat_balance.h"

#include <algorithm>
#include <cmath>
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
        double damping = 0;
        for (Eigen::Index j = 0; j < network.size(); ++j) {
            const auto l = static_cast<std::size_t>(j);
            if (network.laws[l].kind != RowLaw::Kind::Series && state.phases[l].inContact()) {
                damping += network.laws[l].d * std::fabs(network.W(i, j));
            }
        }
        const bool acts = state.phases[k].inContact();
        if (isStronglyDamped(network.laws[k], state.phases[k], network.W(i, i), h, limit) ||
            (acts && h * damping > limit)) {
            return true;
        }
    }
    return false;
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
                     TaylorSpace& space, RowLog& log) {
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
            method = FlowMethod::PowerLaw;
            solveExplicit(network, state, h, settings, log);
        } else {
            solveTaylor(network, state, h, settings, space, log);
        }
        if (state.t == before && log.steps == stepsBefore) {
            ++log.steps;  // a hand-over between integrators without progress must not be free
        }
    }
    return method;
}

}  // namespace

bool isStronglyDamped(const RowLaw& law, Phase phase, double W, double h, double limit) {
    if (law.kind == RowLaw::Kind::Series) {
        return law.d > 0 && h * law.c > limit * law.d;
    }
    return phase.inContact() && h * law.d * W > limit;
}

void RowOutcome::clear() {
    method = FlowMethod::Free;
    log.events.clear();
    log.steps = 0;
    overBudget = false;
    energyHandedOut = 0;
    energyRepaired = 0;
}

// Elements that influence each other, group by group in the order of their first element.
void RowSolver::findGroups(const Eigen::MatrixXd& W) {
    const Eigen::Index m = W.rows();
    m_groupOf.resize(static_cast<std::size_t>(m));
    std::iota(m_groupOf.begin(), m_groupOf.end(), Eigen::Index{0});
    const auto at = [&](Eigen::Index i) -> Eigen::Index& { return m_groupOf[static_cast<std::size_t>(i)]; };
    for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index j = 0; j < i; ++j) {
            // Rounding in directions that are meant to be orthogonal couples nothing.
            const double coupling = std::max(std::fabs(W(i, j)), std::fabs(W(j, i)));
            if (coupling > 1e-15 * std::sqrt(W(i, i) * W(j, j)) && at(i) != at(j)) {
                const Eigen::Index from = std::max(at(i), at(j));
                const Eigen::Index to = std::min(at(i), at(j));
                std::replace(m_groupOf.begin(), m_groupOf.end(), from, to);
            }
        }
    }
    m_groupCount = 0;
    for (Eigen::Index i = 0; i < m; ++i) {
        if (at(i) != i) continue;
        if (m_groups.size() == m_groupCount) m_groups.emplace_back();
        std::vector<Eigen::Index>& elements = m_groups[m_groupCount++].elements;
        elements.clear();
        for (Eigen::Index j = i; j < m; ++j) {
            if (at(j) == i) elements.push_back(j);
        }
    }
}

void RowSolver::solveGroup(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                           RowOutcome& outcome) {
    Eigen::VectorXd& v0 = m_startRates;
    v0 = state.v;
    const double energy0 = storedEnergy(network, state);
    const bool alone = network.size() == 1 && network.hasConstantLoad() && network.laws[0].isPiecewiseLinear();
    if (alone) {
        outcome.method = FlowMethod::ClosedForm;
        if (network.laws[0].kind == RowLaw::Kind::Series) {
            solveSeries(network, state, h, outcome.log);
        } else {
            solveClosedForm(network, state, h, outcome.log);
        }
        outcome.energyHandedOut = -state.heat.sum();
    } else {
        if (!m_taylor) m_taylor = std::make_unique<TaylorSpace>();
        outcome.method = integrate(network, state, h, settings, *m_taylor, outcome.log);
        if (state.t < h) {
            outcome.method = FlowMethod::Passive;
            outcome.overBudget = true;
            solvePassive(network, state, h, outcome.log);
        }
        if (!network.isSymmetric) return;
        outcome.energyHandedOut = energyHandedOut(network, v0, energy0, state);
        if (outcome.energyHandedOut > 0) {
            outcome.energyRepaired = repairEnergy(network, v0, energy0, state);
        }
        const double exchanged = state.P.cwiseAbs().dot(v0.cwiseAbs() + state.v.cwiseAbs());
        closeHeat(state.heat, outcome.energyRepaired - outcome.energyHandedOut, energy0 + exchanged);
    }
    const bool acted = !state.P.isZero(0) || !outcome.log.events.empty();
    if (!acted && !outcome.overBudget) {
        outcome.method = FlowMethod::Free;
    }
}

void RowSolver::solve(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                      RowOutcome& outcome) {
    outcome.clear();
    findGroups(network.W);
    if (m_groupCount == 1) {
        solveGroup(network, state, h, settings, outcome);
        return;
    }
    for (std::size_t g = 0; g < m_groupCount; ++g) {
        auto& [elements, sub, subState] = m_groups[g];
        sub.laws.clear();
        for (const Eigen::Index i : elements) sub.laws.push_back(network.laws[static_cast<std::size_t>(i)]);
        sub.W = network.W(elements, elements);
        sub.a = network.a(elements, Eigen::all);
        sub.isSymmetric = network.isSymmetric;
        subState.resize(sub.size());
        copyState(subState, state, elements, [](auto& to, auto& from) { to = from; });
        m_ofGroup.clear();
        solveGroup(sub, subState, h, settings, m_ofGroup);
        copyState(subState, state, elements, [](auto& from, auto& to) { to = from; });
        outcome.method = std::max(outcome.method, m_ofGroup.method);
        outcome.log.steps += m_ofGroup.log.steps;
        outcome.overBudget |= m_ofGroup.overBudget;
        outcome.energyHandedOut += m_ofGroup.energyHandedOut;
        outcome.energyRepaired += m_ofGroup.energyRepaired;
        for (ContactEvent event : m_ofGroup.log.events) {
            event.element = static_cast<int>(elements[static_cast<std::size_t>(event.element)]);
            outcome.log.events.push_back(event);
        }
    }
    state.t = h;
}

}  // namespace elasto::flow
