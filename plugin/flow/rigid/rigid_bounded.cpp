// Motors and limits of a turning system: which of them are held, and what happens at once when one is hit.

#include "constraints/bounded_candidates.h"
#include "constraints/bounded_rest.h"
#include "rigid/rigid_system.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

Row RigidSystem::boundedRow(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const BoundedRow& row = m_network.bounded[k];
    return measureRow(row, motionOf(row.a, t, y), motionOf(row.b, t, y), m_boundedPhi[k]);
}

/// Distance from the bound, on the side that is allowed.
double RigidSystem::gapOf(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const BoundedRow& row = m_network.bounded[k];
    return row.side * (boundedRow(k, t, y).s - row.bound);
}

double RigidSystem::pushOf(std::size_t k) const {
    return m_strengths[k] * flow::pushOf(m_network.bounded[k], m_boundedPhases[k]);
}

void RigidSystem::addPushes(const BodyKinematics& bodies, std::vector<Vector6>& accelerations) const {
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (pushOf(k) == 0) continue;
        forEachPushed(k, bodies, [&](std::size_t i, const Vector6& acceleration) { accelerations[i] += acceleration; });
    }
}

std::vector<int> RigidSystem::prescribed() const {
    std::vector<int> rows;
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (isPrescribed(m_network.bounded[k]) && m_boundedPhases[k] != BoundedPhase::Off) {
            rows.push_back(static_cast<int>(k));
        }
    }
    return rows;
}

double RigidSystem::fastest(const Eigen::VectorXd& y) const {
    double speed = m_settings.velocityFloor;
    for (const Eigen::Index slot : m_slots) {
        if (slot >= 0)
            speed = std::max({speed, y.segment<3>(13 * slot + 7).norm(), y.segment<3>(13 * slot + 10).norm()});
    }
    return speed;
}

double RigidSystem::rateTolerance(const Eigen::VectorXd& y) const {
    return kSameRate * fastest(y);
}

void RigidSystem::readBodies(double t, const Eigen::VectorXd& y) const {
    for (std::size_t i = 0; i < m_slots.size(); ++i) readBody(i, t, y, m_bodies);
}

void RigidSystem::startBounded() {
    const std::size_t n = m_network.bounded.size();
    m_gapShift.assign(n, 0);
    m_strengths.assign(n, 1);
    for (const BoundedRow& row : m_network.bounded) {
        m_boundedPhi.push_back(row.phi);
        m_boundedPhases.push_back(row.kind == BoundedRow::Kind::Limit ? BoundedPhase::Open
                                  : row.maxForce > 0                  ? BoundedPhase::Held
                                                                      : BoundedPhase::Off);
    }
    readBodies(0, m_start);
    for (std::size_t k = 0; k < n; ++k) {
        m_boundedPhi[k] = boundedRow(k, 0, m_start).s;
        if (!isPrescribed(m_network.bounded[k])) continue;
        // A rate cannot be prescribed where joints, or an earlier motor, leave none.
        std::vector<int> others = prescribed();
        others.erase(std::lower_bound(others.begin(), others.end(), static_cast<int>(k)), others.end());
        HeldRows held(m_network, others);
        held.place(m_bodies);
        if (candidateOf(m_network, k, m_bodies, held).isBlocked()) m_boundedPhases[k] = BoundedPhase::Off;
    }
    settleBounded(0, m_start, nullptr);
}

/// What is held from now on. @param trigger the event that asks for it; null at the start of the tick
void RigidSystem::settleBounded(double t, Eigen::VectorXd& y, const BoundedExit* trigger) {
    const std::size_t n = m_network.bounded.size();
    m_forceRanges.clear();
    readBodies(t, y);
    m_rates.clear();
    for (std::size_t e = 0; e < elementCount(); ++e) m_rates.push_back(rowOf(e, t, y).v);
    std::vector<char> isTouching(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        if (m_network.bounded[k].kind != BoundedRow::Kind::Limit || m_boundedPhases[k] == BoundedPhase::Off) continue;
        const bool isHit = trigger != nullptr && trigger->row == k && trigger->kind == BoundedExit::Kind::Touches;
        isTouching[k] = isHit || m_boundedPhases[k] == BoundedPhase::Held || gapOf(k, t, y) <= kTouching;
    }
    const bool wasHit = impact(t, y, isTouching, trigger == nullptr);

    const double tolerance = rateTolerance(y);
    std::vector<char> isCandidate(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        const BoundedRow& row = m_network.bounded[k];
        BoundedPhase& phase = m_boundedPhases[k];
        if (phase == BoundedPhase::Off || isPrescribed(row)) continue;
        const double rate = measureHeld(row, m_bodies.at(row.a), m_bodies.at(row.b)).rate;
        const bool wasHeld = phase == BoundedPhase::Held && !wasHit && trigger != nullptr;
        const bool isTrigger = trigger != nullptr && trigger->row == k;
        const bool isMet = wasHeld || std::abs(rate) <= tolerance;
        if (row.kind == BoundedRow::Kind::Limit) {
            const bool lifts = isTrigger && trigger->kind == BoundedExit::Kind::Lifts && !wasHit;
            const bool parts = row.side * rate > 0;  // but may be back at once
            isCandidate[k] = isTouching[k] && (isMet || parts) && !lifts;
            phase = BoundedPhase::Open;
        } else if (isTrigger && trigger->kind == BoundedExit::Kind::TooStrong && isMet) {
            phase = BoundedPhase::Below;
        } else if (isTrigger && trigger->kind == BoundedExit::Kind::TooWeak && isMet) {
            phase = BoundedPhase::Above;
        } else if (isMet || (isTrigger && trigger->kind == BoundedExit::Kind::Reaches && !wasHit)) {
            isCandidate[k] = 1;
        } else {
            phase = rate < 0 ? BoundedPhase::Below : BoundedPhase::Above;
        }
    }
    chooseHeld(t, y, isCandidate);
    projectRates(t, y);
    for (std::size_t k = 0; k < n; ++k) m_gapShift[k] = hitGap(gapOf(k, t, y), tolerance, m_h);
    listBoundedExits(t, y);
}

/// Which of the rows that stand at their bound or rate stay there, by the forces that this would take.
void RigidSystem::chooseHeld(double t, Eigen::VectorXd& y, const std::vector<char>& isCandidate) {
    for (std::size_t k = 0; k < isCandidate.size(); ++k) {
        if (isCandidate[k]) m_boundedPhases[k] = BoundedPhase::Open;  // without force, to begin with
    }
    m_held.setBounded(prescribed());
    m_eventTime = -1;
    if (std::find(isCandidate.begin(), isCandidate.end(), 1) == isCandidate.end()) return;
    evaluate(t, y, m_scratch);
    std::vector<Candidate> candidates;
    for (std::size_t k = 0; k < isCandidate.size(); ++k) {
        if (!isCandidate[k]) continue;
        Candidate candidate = candidateOf(m_network, k, m_bodies, m_held);
        if (candidate.isBlocked()) {
            m_boundedPhases[k] = BoundedPhase::Off;
        } else {
            candidates.push_back(std::move(candidate));
        }
    }
    const auto count = static_cast<Eigen::Index>(candidates.size());
    Eigen::VectorXd accelerations(count), rates(count), lower(count), upper(count);
    const double tolerance = rateTolerance(y);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        const BoundedRow& row = m_network.bounded[candidate.row];
        const bool isMotor = row.kind == BoundedRow::Kind::Motor;
        const bool parts = !isMotor && row.side * candidate.measure.rate > tolerance;
        rates[i] = parts ? candidate.measure.rate : 0;
        accelerations[i] = candidate.measure.gamma + candidate.along(m_accelerations);
        const double strength = m_strengths[candidate.row] * row.maxForce;
        lower[i] = isMotor ? -strength : row.side > 0 ? 0 : -kInfinity;
        upper[i] = isMotor ? strength : row.side > 0 ? kInfinity : 0;
    }
    const Eigen::VectorXd forces =
        forcesOfThoseThatStay(mobilityOf(candidates), accelerations, rates, m_h, lower, upper);
    std::vector<int> rows = m_held.bounded();
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = candidates[static_cast<std::size_t>(i)].row;
        const BoundedRow& row = m_network.bounded[k];
        BoundedPhase& phase = m_boundedPhases[k];
        if (row.kind == BoundedRow::Kind::Limit) {
            phase = row.side * forces[i] > 0 ? BoundedPhase::Held : BoundedPhase::Open;
        } else {
            const double strength = m_strengths[k] * row.maxForce;
            phase = forces[i] >= strength    ? BoundedPhase::Below
                    : forces[i] <= -strength ? BoundedPhase::Above
                                             : BoundedPhase::Held;
        }
        if (phase == BoundedPhase::Held) rows.push_back(static_cast<int>(k));
    }
    std::sort(rows.begin(), rows.end());
    m_held.setBounded(rows);
}

/// True for a row that stands at its bound or rate without being held, because others hold its coordinate: friction
/// that alone is too weak, at a limit. It stays there as long as these do, whatever rounding says.
bool RigidSystem::isKeptByOthers(std::size_t k, double t, const Eigen::VectorXd& y) const {
    if (m_boundedPhases[k] == BoundedPhase::Open && gapOf(k, t, y) > kTouching) return false;
    const Candidate candidate = candidateOf(m_network, k, m_bodies, m_held);
    return std::abs(candidate.measure.rate) <= rateTolerance(y) && candidate.isBlocked();
}

void RigidSystem::listBoundedExits(double t, const Eigen::VectorXd& y) {
    m_boundedExits.clear();
    if (!m_held.empty()) m_held.place(m_bodies);
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) {
        const BoundedPhase phase = m_boundedPhases[k];
        const bool isHeld = phase == BoundedPhase::Held || phase == BoundedPhase::Off;
        if (isHeld || !isKeptByOthers(k, t, y)) flow::listExits(k, m_network.bounded[k], phase, m_boundedExits);
    }
}

/// Force of a row that is held.
double RigidSystem::forceOf(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const auto state = y.head(eventStateSize());
    if (m_eventTime != t || m_eventState.size() != state.size() || m_eventState != state) {
        evaluate(t, y, m_scratch);
        m_eventTime = t;
        m_eventState = state;
        m_eventForces = m_jointForces;
    }
    return m_eventForces[static_cast<Eigen::Index>(m_network.joints.size() + heldPlace(k))];
}

/// Place of a row among the motors and limits that are held.
std::size_t RigidSystem::heldPlace(std::size_t k) const {
    const std::vector<int>& rows = m_held.bounded();
    return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), static_cast<int>(k)) - rows.begin());
}

void RigidSystem::noteForces() {
    const std::size_t count = m_held.bounded().size();
    const bool isNew = m_forceRanges.size() != count;
    m_forceRanges.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double force = m_jointForces[static_cast<Eigen::Index>(m_network.joints.size() + i)];
        isNew ? m_forceRanges[i].start(force) : m_forceRanges[i].add(force);
    }
}

void RigidSystem::forgetForces() {
    for (ForceRange& range : m_forceRanges) range.restart();
}

double RigidSystem::boundedEventValue(const BoundedExit& exit, double t, const Eigen::VectorXd& y) const {
    using Kind = BoundedExit::Kind;
    const BoundedRow& row = m_network.bounded[exit.row];
    if (exit.kind == Kind::Touches) return gapOf(exit.row, t, y) - m_gapShift[exit.row];
    if (exit.kind == Kind::Reaches) {
        const double missing = row.targetRate - boundedRow(exit.row, t, y).v;
        return m_boundedPhases[exit.row] == BoundedPhase::Below ? missing : -missing;
    }
    double margin = 0;
    const bool isExplicit = m_returnAtStiffness && m_forceRanges.size() == m_held.bounded().size();
    const double share = m_strengths[exit.row];
    if (isExplicit && m_forceRanges[heldPlace(exit.row)].isFarFrom(row, exit.kind, share, margin)) return margin;
    return forceMargin(row, exit.kind, share, forceOf(exit.row, t, y));
}

void RigidSystem::crossBounded(const BoundedExit& exit, double t, Eigen::VectorXd& y) {
    settleBounded(t, y, &exit);
    m_mustReturn = m_returnAtStiffness && isStiff(t, y);
}

}  // namespace elasto::flow
