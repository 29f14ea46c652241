// Motors and limits of trees: which of them are held, and what happens at once when a limit is hit. In the trees' own
// coordinates each is one linear row, so that a quadratic program over these rows decides both.

#include "constraints/bounded_rest.h"
#include "numerics/infinity.h"
#include "tree/tree_system.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace elasto::flow {

double TreeSystem::gapOf(std::size_t k, const Eigen::VectorXd& y) const {
    const TreeBounded& row = m_network->bounded[k];
    return row.side * (m_boundedCoordinates[k].value(y.data()) - row.bound);
}

/// Force that a motor's phase fixes.
double TreeSystem::pushOf(std::size_t k) const {
    return flow::pushOf(m_network->bounded[k], m_boundedPhases[k]);
}

void TreeSystem::clearBounded() {
    m_boundedPhases.clear();
    m_held.clear();
    m_forceRanges.clear();
    m_boundedExits.clear();
    m_limitLoss = 0;
    m_eventTime = -1;
}

void TreeSystem::startBounded() {
    const std::size_t n = m_network->bounded.size();
    m_boundedCoordinates.resize(n);
    m_gapShift.assign(n, 0);
    if (n == 0) return;
    for (std::size_t k = 0; k < n; ++k) {
        const TreeBounded& row = m_network->bounded[k];
        placeCoordinate(row, m_boundedCoordinates[k]);
        m_boundedPhases.push_back(isMotor(row) && row.maxForce > 0 ? BoundedPhase::Held : BoundedPhase::Open);
    }
    settleBounded(0, m_start, nullptr);
}

/// Responses to unit forces along rows, and what they do to each other's rates.
void TreeSystem::respondToRows(const std::vector<std::size_t>& rows, Eigen::MatrixXd& responses,
                               Eigen::MatrixXd& mobility) const {
    const auto count = static_cast<Eigen::Index>(rows.size());
    responses.resize(m_n, count);
    mobility.resize(count, count);
    for (Eigen::Index j = 0; j < count; ++j) {
        respond(m_boundedCoordinates[rows[static_cast<std::size_t>(j)]], responses.col(j).data());
        for (Eigen::Index i = 0; i < count; ++i) {
            mobility(i, j) = m_boundedCoordinates[rows[static_cast<std::size_t>(i)]].change(responses.col(j).data());
        }
    }
}

/// Forces of the rows that are held, and what they do to the accelerations. After the trees were placed.
void TreeSystem::hold(double* accelerations) {
    respondToRows(m_held, m_heldResponses, m_heldMobility);
    m_heldFactor.compute(m_heldMobility);
    m_heldForces.resize(static_cast<Eigen::Index>(m_held.size()));
    for (std::size_t j = 0; j < m_held.size(); ++j) {
        m_heldForces[static_cast<Eigen::Index>(j)] = -m_boundedCoordinates[m_held[j]].change(accelerations);
    }
    m_heldForces = m_heldFactor.solve(m_heldForces).eval();
    Eigen::Map<Eigen::VectorXd>(accelerations, m_n).noalias() += m_heldResponses * m_heldForces;
}

/// Takes out of a response what the rows that are held, as the last hold() left them, do not allow.
void TreeSystem::keepHeld(double* response) const {
    Eigen::VectorXd rates(static_cast<Eigen::Index>(m_held.size()));
    for (std::size_t j = 0; j < m_held.size(); ++j) {
        rates[static_cast<Eigen::Index>(j)] = m_boundedCoordinates[m_held[j]].change(response);
    }
    Eigen::Map<Eigen::VectorXd>(response, m_n) -= m_heldResponses * m_heldFactor.solve(rates);
}

/// Rates of the quadratures of motors and limits, from workPlace() on.
void TreeSystem::addBoundedRates(const Eigen::VectorXd& y, double* rest) {
    m_rowForces.setZero(static_cast<Eigen::Index>(m_boundedPhases.size()));
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) m_rowForces[static_cast<Eigen::Index>(k)] = pushOf(k);
    for (std::size_t j = 0; j < m_held.size(); ++j) {
        m_rowForces[static_cast<Eigen::Index>(m_held[j])] = m_heldForces[static_cast<Eigen::Index>(j)];
    }
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) {
        const double force = m_rowForces[static_cast<Eigen::Index>(k)];
        if (isMotor(m_network->bounded[k])) rest[1] += force * m_boundedCoordinates[k].rate(y.data() + m_n);
        rest[2 + k] = force;
    }
}

void TreeSystem::addPushes(double* forces) const {
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) {
        const double push = pushOf(k);
        if (push != 0) m_boundedCoordinates[k].addForce(push, forces);
    }
}

/// What is held from now on. @param trigger the event that asks for it; null at the start of the tick
void TreeSystem::settleBounded(double t, Eigen::VectorXd& y, const BoundedExit* trigger) {
    using Kind = BoundedExit::Kind;
    const std::size_t n = m_boundedPhases.size();
    m_forceRanges.clear();
    std::vector<char> isTouching(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        if (isMotor(m_network->bounded[k])) continue;
        const bool isHit = trigger != nullptr && trigger->row == k && trigger->kind == Kind::Touches;
        isTouching[k] = isHit || m_boundedPhases[k] == BoundedPhase::Held || gapOf(k, y) <= kTouching;
    }
    const bool wasHit = impact(t, y, isTouching);

    const double tolerance = kSameRate * m_speed;
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; k < n; ++k) {
        const TreeBounded& row = m_network->bounded[k];
        BoundedPhase& phase = m_boundedPhases[k];
        const double target = isMotor(row) ? row.targetRate : 0;
        const double rate = m_boundedCoordinates[k].rate(y.data() + m_n) - target;
        const bool wasHeld = phase == BoundedPhase::Held && !wasHit && trigger != nullptr;
        const bool isTrigger = trigger != nullptr && trigger->row == k;
        const bool isMet = wasHeld || std::abs(rate) <= tolerance;
        phase = BoundedPhase::Open;
        if (!isMotor(row)) {
            const bool lifts = isTrigger && trigger->kind == Kind::Lifts && !wasHit;
            const bool parts = row.side * rate > 0;  // but may be back at once
            if (isTouching[k] && (isMet || parts) && !lifts) candidates.push_back(k);
        } else if (row.maxForce == 0) {
            continue;
        } else if (isTrigger && trigger->kind == Kind::TooStrong && isMet) {
            phase = BoundedPhase::Below;
        } else if (isTrigger && trigger->kind == Kind::TooWeak && isMet) {
            phase = BoundedPhase::Above;
        } else if (isMet || (isTrigger && trigger->kind == Kind::Reaches && !wasHit)) {
            candidates.push_back(k);
        } else if (!isPrescribed(row)) {
            phase = rate < 0 ? BoundedPhase::Below : BoundedPhase::Above;
        }
    }
    chooseHeld(t, y, candidates);
    projectRates(y);
    for (std::size_t k = 0; k < n; ++k) m_gapShift[k] = hitGap(gapOf(k, y), tolerance, m_h);
    listBoundedExits();
    m_eventTime = -1;
}

/// Which of the rows that stand at their bound or rate stay there, by the forces that this would take.
void TreeSystem::chooseHeld(double t, const Eigen::VectorXd& y, const std::vector<std::size_t>& candidates) {
    m_held.clear();
    if (candidates.empty()) return;
    derivative(t, y, m_scratch);
    Eigen::MatrixXd responses, mobility;
    respondToRows(candidates, responses, mobility);
    const auto count = static_cast<Eigen::Index>(candidates.size());
    Eigen::VectorXd accelerations(count), rates(count), lower(count), upper(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = candidates[static_cast<std::size_t>(i)];
        const TreeBounded& row = m_network->bounded[k];
        const double rate = m_boundedCoordinates[k].rate(y.data() + m_n);
        rates[i] = !isMotor(row) && row.side * rate > kSameRate * m_speed ? rate : 0;
        accelerations[i] = m_boundedCoordinates[k].change(m_scratch.data() + m_n);
        lower[i] = isMotor(row) ? -row.maxForce : row.side > 0 ? 0 : -kInfinity;
        upper[i] = isMotor(row) ? row.maxForce : row.side > 0 ? kInfinity : 0;
    }
    const Eigen::MatrixXd A = 0.5 * (mobility + mobility.transpose());
    const Eigen::VectorXd forces = forcesOfThoseThatStay(A, accelerations, rates, m_h, lower, upper);
    std::vector<Eigen::Index> held;
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = candidates[static_cast<std::size_t>(i)];
        const TreeBounded& row = m_network->bounded[k];
        BoundedPhase& phase = m_boundedPhases[k];
        if (!isMotor(row)) {
            phase = row.side * forces[i] > 0 ? BoundedPhase::Held : BoundedPhase::Open;
        } else {
            phase = forces[i] >= row.maxForce    ? BoundedPhase::Below
                    : forces[i] <= -row.maxForce ? BoundedPhase::Above
                                                 : BoundedPhase::Held;
        }
        if (phase != BoundedPhase::Held) continue;
        // Where others hold its coordinate already, a row has nothing to do.
        held.push_back(i);
        const Eigen::LLT<Eigen::MatrixXd> factor(mobility(held, held));
        const auto last = static_cast<Eigen::Index>(held.size()) - 1;
        const double left = factor.info() == Eigen::Success ? factor.matrixLLT()(last, last) : 0;
        if (left * left > kBlocked * mobility(i, i)) {
            m_held.push_back(k);
        } else {
            held.pop_back();
            phase = BoundedPhase::Open;
        }
    }
}

/// Limits that are hit and rates that are prescribed change velocities at once. @return true if they did
bool TreeSystem::impact(double t, Eigen::VectorXd& y, const std::vector<char>& isTouching) {
    const double tolerance = kSameRate * m_speed;
    std::vector<std::size_t> rows;
    bool isNeeded = false;
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) {
        const TreeBounded& row = m_network->bounded[k];
        const double rate = m_boundedCoordinates[k].rate(y.data() + m_n);
        if (isPrescribed(row)) {
            isNeeded |= std::abs(rate - row.targetRate) > tolerance;
            rows.push_back(k);
        } else if (isTouching[k]) {
            isNeeded |= row.side * rate < -tolerance;
            rows.push_back(k);
        }
    }
    if (!isNeeded) return false;
    // The present forces say how long a bounce lasts: one that would be over at once is none.
    m_held.clear();
    derivative(t, y, m_scratch);
    Eigen::MatrixXd responses, mobility;
    respondToRows(rows, responses, mobility);
    mobility = 0.5 * (mobility + mobility.transpose()).eval();
    const auto count = static_cast<Eigen::Index>(rows.size());
    Eigen::VectorXd rates(count), wanted(count), lower(count), upper(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = rows[static_cast<std::size_t>(i)];
        const TreeBounded& row = m_network->bounded[k];
        rates[i] = m_boundedCoordinates[k].rate(y.data() + m_n);
        if (isMotor(row)) {
            wanted[i] = row.targetRate;
            lower[i] = -kInfinity;
            upper[i] = kInfinity;
            continue;
        }
        const double rebound = row.restitution * std::max(0.0, -row.side * rates[i]);
        const double back = -row.side * m_boundedCoordinates[k].change(m_scratch.data() + m_n);
        wanted[i] = isShortBounce(rebound, back, m_h) ? 0 : row.side * rebound;
        lower[i] = row.side > 0 ? 0 : -kInfinity;
        upper[i] = row.side > 0 ? kInfinity : 0;
    }
    const Eigen::VectorXd impulses = solveBoxQp(mobility, rates - wanted, lower, upper);
    const Eigen::VectorXd after = rates + mobility * impulses;
    bookImpulses(rows, impulses, rates, after, y);
    y.segment(m_n, m_n).noalias() += responses * impulses;
    reclassify(y);
    return true;
}

void TreeSystem::bookImpulses(const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                              const Eigen::VectorXd& before, const Eigen::VectorXd& after, Eigen::VectorXd& y) {
    double* rest = y.data() + workPlace();
    for (std::size_t j = 0; j < rows.size(); ++j) {
        const auto i = static_cast<Eigen::Index>(j);
        const double work = 0.5 * impulses[i] * (before[i] + after[i]);
        if (isMotor(m_network->bounded[rows[j]])) {
            rest[1] += work;
        } else {
            m_limitLoss -= work;
        }
        rest[2 + rows[j]] += impulses[i];
    }
}

/// Takes out what rounding left of the rates that are held now.
void TreeSystem::projectRates(Eigen::VectorXd& y) {
    if (m_held.empty()) return;
    respondToRows(m_held, m_heldResponses, m_heldMobility);
    const auto count = static_cast<Eigen::Index>(m_held.size());
    Eigen::VectorXd before(count), after(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = m_held[static_cast<std::size_t>(i)];
        before[i] = m_boundedCoordinates[k].rate(y.data() + m_n);
        after[i] = isMotor(m_network->bounded[k]) ? m_network->bounded[k].targetRate : 0;
    }
    const Eigen::VectorXd impulses = m_heldMobility.llt().solve(after - before);
    bookImpulses(m_held, impulses, before, after, y);
    y.segment(m_n, m_n).noalias() += m_heldResponses * impulses;
}

/// After an impact the elements see other rates.
void TreeSystem::reclassify(const Eigen::VectorXd& y) {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Phase phase = classify(m_laws[e], s(e, y), v(e, y), 0, innerStateOf(e, y));
        // On the edge of a contact its own event decides.
        if (phase.inContact() == m_phases[e].inContact()) m_phases[e] = phase;
    }
    startPhases();
}

void TreeSystem::listBoundedExits() {
    m_boundedExits.clear();
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) {
        flow::listExits(k, m_network->bounded[k], m_boundedPhases[k], m_boundedExits);
    }
}

std::size_t TreeSystem::heldPlace(std::size_t row) const {
    return static_cast<std::size_t>(std::find(m_held.begin(), m_held.end(), row) - m_held.begin());
}

/// Force of a row that is held.
double TreeSystem::heldForce(std::size_t k, double t, const Eigen::VectorXd& y) const {
    if (m_eventTime != t || m_eventState.size() != y.size() || m_eventState != y) {
        // An evaluation leaves nothing behind but what the next one writes anew.
        const_cast<TreeSystem*>(this)->findEventForces(t, y);
    }
    return m_eventForces[static_cast<Eigen::Index>(heldPlace(k))];
}

void TreeSystem::findEventForces(double t, const Eigen::VectorXd& y) {
    m_eventFull.setZero(m_size);
    m_eventFull.head(eventStateSize()) = y.head(eventStateSize());
    const std::vector<ForceRange> ranges = m_forceRanges;
    derivative(t, m_eventFull, m_scratch);
    m_forceRanges = ranges;
    m_eventTime = t;
    m_eventState = y;
    m_eventForces = m_heldForces;
}

/// True where a motor is held at a rate: velocities must stay what they are.
bool TreeSystem::isDriven() const {
    return std::any_of(m_held.begin(), m_held.end(), [&](std::size_t k) {
        return isMotor(m_network->bounded[k]) && m_network->bounded[k].targetRate != 0;
    });
}

void TreeSystem::noteForces() {
    const bool isNew = m_forceRanges.size() != m_held.size();
    m_forceRanges.resize(m_held.size());
    for (std::size_t j = 0; j < m_held.size(); ++j) {
        const double force = m_heldForces[static_cast<Eigen::Index>(j)];
        isNew ? m_forceRanges[j].start(force) : m_forceRanges[j].add(force);
    }
}

double TreeSystem::boundedEventValue(const BoundedExit& exit, double t, const Eigen::VectorXd& y) const {
    using Kind = BoundedExit::Kind;
    const TreeBounded& row = m_network->bounded[exit.row];
    if (exit.kind == Kind::Touches) return gapOf(exit.row, y) - m_gapShift[exit.row];
    if (exit.kind == Kind::Reaches) {
        const double missing = row.targetRate - m_boundedCoordinates[exit.row].rate(y.data() + m_n);
        return m_boundedPhases[exit.row] == BoundedPhase::Below ? missing : -missing;
    }
    double margin = 0;
    const bool isExplicit = !m_isImplicit && m_forceRanges.size() == m_held.size();
    if (isExplicit && m_forceRanges[heldPlace(exit.row)].isFarFrom(row, exit.kind, 1, margin)) return margin;
    return forceMargin(row, exit.kind, 1, heldForce(exit.row, t, y));
}

}  // namespace elasto::flow
