#include "constraints/bounded_rows.h"

#include "constraints/bounded_rest.h"
#include "numerics/infinity.h"

#include <cmath>
#include <utility>

namespace elasto::flow {

namespace {

/// Phase of a motor whose rate departs from its target by an acceleration.
BoundedPhase drivenAlong(double acceleration) {
    return acceleration < 0 ? BoundedPhase::Below : BoundedPhase::Above;
}

}  // namespace

void BoundedRows::clear(double h) {
    m_h = h;
    m_phases.assign(m_laws.size(), BoundedPhase::Open);
    m_passes.assign(m_laws.size(), 0);
    m_strengths.assign(m_laws.size(), 1);
    m_gapShift.assign(m_laws.size(), 0);
    m_held.clear();
    m_exits.clear();
    m_ranges.clear();
    m_limitLoss = 0;
    m_foundLargest = 0;
    m_foundAt = -1;
}

void BoundedRows::start(BoundedSystem& system, Eigen::VectorXd& y) {
    if (empty()) return;
    for (std::size_t k = 0; k < size(); ++k) {
        const bool isStrong = m_laws[k].friction.isDry() ? m_laws[k].friction.slow > 0 : m_laws[k].maxForce > 0;
        if (isMotor(m_laws[k])) m_phases[k] = isStrong ? BoundedPhase::Held : BoundedPhase::Off;
    }
    system.place(0, y);
    for (std::size_t k = 0; k < size(); ++k) {
        if (!isPrescribed(m_laws[k])) continue;
        // A rate cannot be prescribed where joints, or an earlier motor, leave none.
        std::vector<int> earlier = prescribed();
        earlier.erase(std::lower_bound(earlier.begin(), earlier.end(), static_cast<int>(k)), earlier.end());
        hold(system, std::move(earlier));
        if (system.mobility({k}).isBlocked(0)) m_phases[k] = BoundedPhase::Off;
    }
    settle(system, 0, y, nullptr);
}

void BoundedRows::hold(BoundedSystem& system, std::vector<int> rows) {
    m_held = std::move(rows);
    system.hold(m_held);
}

std::vector<int> BoundedRows::prescribed() const {
    std::vector<int> rows;
    for (std::size_t k = 0; k < size(); ++k) {
        if (isPrescribed(m_laws[k]) && m_phases[k] != BoundedPhase::Off) rows.push_back(static_cast<int>(k));
    }
    return rows;
}

bool BoundedRows::isDriven() const {
    return std::any_of(m_held.begin(), m_held.end(), [&](int k) {
        const BoundedLaw& law = m_laws[static_cast<std::size_t>(k)];
        return isMotor(law) && law.targetRate != 0;
    });
}

/// Distance from the bound, on the side that is allowed.
double BoundedRows::gap(const BoundedSystem& system, std::size_t k, double t, const Eigen::VectorXd& y) const {
    return m_laws[k].side * (system.rowValue(k, t, y) - m_laws[k].bound);
}

/// What is held from now on. @param trigger the event that asks for it; null at the start of the tick
void BoundedRows::settle(BoundedSystem& system, double t, Eigen::VectorXd& y, const BoundedExit* trigger) {
    m_ranges.clear();
    m_passes.assign(size(), 0);
    system.place(t, y);
    const std::vector<char> isTouching = touching(system, t, y, trigger);
    const bool wasHit = impact(system, t, y, isTouching, trigger == nullptr);
    const double tolerance = kSameRate * system.fastest(y);
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; k < size(); ++k) {
        if (m_phases[k] == BoundedPhase::Off || isPrescribed(m_laws[k])) continue;
        const double rate = system.rowRate(k, t, y);
        if (isCandidate(k, rate, tolerance, isTouching[k], wasHit, trigger)) candidates.push_back(k);
    }
    chooseHeld(system, t, y, std::move(candidates));
    // What rounding left of the rates that are held now.
    if (!m_held.empty()) m_limitLoss += system.strike(t, {}, Eigen::VectorXd(0), y);
    for (std::size_t k = 0; k < size(); ++k) m_gapShift[k] = hitGap(gap(system, k, t, y), tolerance, m_h);
    listExits(system, t, y);
    forgetForces();
}

/// Limits that stand at their bound.
std::vector<char> BoundedRows::touching(const BoundedSystem& system, double t, const Eigen::VectorXd& y,
                                        const BoundedExit* trigger) const {
    std::vector<char> isTouching(size(), 0);
    for (std::size_t k = 0; k < size(); ++k) {
        if (isMotor(m_laws[k]) || m_phases[k] == BoundedPhase::Off) continue;
        const bool isHit = trigger != nullptr && trigger->row == k && trigger->kind == BoundedExit::Kind::Touches;
        isTouching[k] = isHit || m_phases[k] == BoundedPhase::Held || gap(system, k, t, y) <= kTouching;
    }
    return isTouching;
}

/// True for a row that stands at its bound or rate, and may stay there. Other rows, and limits for the present, get
/// their phase.
/// @param tolerance rate that counts as none
bool BoundedRows::isCandidate(std::size_t k, double rate, double tolerance, bool isTouching, bool wasHit,
                              const BoundedExit* trigger) {
    using Kind = BoundedExit::Kind;
    const BoundedLaw& law = m_laws[k];
    BoundedPhase& phase = m_phases[k];
    const bool wasHeld = phase == BoundedPhase::Held && !wasHit && trigger != nullptr;
    const bool isMet = wasHeld || std::abs(rate) <= tolerance;
    const auto triggers = [&](Kind kind) { return trigger != nullptr && trigger->row == k && trigger->kind == kind; };
    if (!isMotor(law)) {
        phase = BoundedPhase::Open;
        const bool parts = law.side * rate > 0;  // but may be back at once
        return isTouching && (isMet || parts) && (wasHit || !triggers(Kind::Lifts));
    }
    if (triggers(Kind::TooStrong) && isMet) {
        phase = BoundedPhase::Below;
    } else if (triggers(Kind::TooWeak) && isMet) {
        phase = BoundedPhase::Above;
    } else if (isMet || (triggers(Kind::Reaches) && !wasHit)) {
        return true;
    } else {
        phase = rate < 0 ? BoundedPhase::Below : BoundedPhase::Above;
    }
    return false;
}

/// Mobility of those rows that have any. @param rows in, out @param blocked appended to: the others
RowMobility BoundedRows::mobilityOfFree(const BoundedSystem& system, std::vector<std::size_t>& rows,
                                        std::vector<std::size_t>& blocked) const {
    const RowMobility all = system.mobility(rows);
    std::vector<Eigen::Index> places;
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = static_cast<Eigen::Index>(i);
        if (all.isBlocked(place)) {
            blocked.push_back(rows[i]);
        } else {
            free.push_back(rows[i]);
            places.push_back(place);
        }
    }
    rows = std::move(free);
    return {all.A(places, places), all.alone(places)};
}

/// Which of the rows that stand at their bound or rate stay there, by the forces that this would take.
void BoundedRows::chooseHeld(BoundedSystem& system, double t, const Eigen::VectorXd& y, std::vector<std::size_t> rows) {
    for (const std::size_t k : rows) m_phases[k] = BoundedPhase::Open;  // without force, to begin with
    hold(system, prescribed());
    if (rows.empty()) return;
    system.accelerate(t, y);
    std::vector<std::size_t> blocked;
    const RowMobility mobility = mobilityOfFree(system, rows, blocked);
    const double tolerance = kSameRate * system.fastest(y);
    for (const std::size_t k : blocked) {
        // At a dead point nothing can hold the coordinate, but its rate may go on: what pushes against it does too.
        const double driven = system.rowAcceleration(k);
        m_passes[k] = isMotor(m_laws[k]) && std::abs(driven) * m_h > tolerance;
        m_phases[k] = m_passes[k] ? drivenAlong(driven) : BoundedPhase::Off;
    }
    const auto count = static_cast<Eigen::Index>(rows.size());
    Eigen::VectorXd accelerations(count), rates(count), lower(count), upper(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = rows[static_cast<std::size_t>(i)];
        const BoundedLaw& law = m_laws[k];
        const double rate = system.rowRate(k, t, y);
        rates[i] = !isMotor(law) && law.side * rate > tolerance ? rate : 0;
        accelerations[i] = system.rowAcceleration(k);
        const double strength = m_strengths[k] * law.holding(t);
        lower[i] = isMotor(law) ? -strength : law.side > 0 ? 0 : -kInfinity;
        upper[i] = isMotor(law) ? strength : law.side > 0 ? kInfinity : 0;
    }
    const Eigen::VectorXd forces = forcesOfThoseThatStay(mobility.A, accelerations, rates, m_h, lower, upper);
    std::vector<int> held = m_held;
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = rows[static_cast<std::size_t>(i)];
        const BoundedLaw& law = m_laws[k];
        const double strength = m_strengths[k] * law.holding(t);
        if (!isMotor(law)) {
            m_phases[k] = law.side * forces[i] > 0 ? BoundedPhase::Held : BoundedPhase::Open;
        } else if (law.friction.isDry() && strength == 0) {
            // A brake that is open goes where it is driven; its force does not tell where that is.
            const double driven = accelerations[i] + mobility.A.row(i).dot(forces);
            m_phases[k] = std::abs(driven) * m_h <= tolerance ? BoundedPhase::Held : drivenAlong(driven);
        } else {
            m_phases[k] = forces[i] >= strength    ? BoundedPhase::Below
                          : forces[i] <= -strength ? BoundedPhase::Above
                                                   : BoundedPhase::Held;
        }
        if (m_phases[k] == BoundedPhase::Held) held.push_back(static_cast<int>(k));
    }
    std::sort(held.begin(), held.end());
    hold(system, std::move(held));
}

/// True for a row that stands at its bound or rate without being held, because others hold its coordinate: friction
/// that alone is too weak, at a limit. It stays there as long as these do, whatever rounding says.
bool BoundedRows::isKeptByOthers(const BoundedSystem& system, std::size_t k, double t, const Eigen::VectorXd& y) const {
    if (m_passes[k]) return false;
    if (m_phases[k] == BoundedPhase::Open && gap(system, k, t, y) > kTouching) return false;
    if (std::abs(system.rowRate(k, t, y)) > kSameRate * system.fastest(y)) return false;
    return system.mobility({k}).isBlocked(0);
}

void BoundedRows::listExits(const BoundedSystem& system, double t, const Eigen::VectorXd& y) {
    m_exits.clear();
    for (std::size_t k = 0; k < size(); ++k) {
        const bool mayBeKept = m_phases[k] != BoundedPhase::Held && m_phases[k] != BoundedPhase::Off;
        if (!mayBeKept || !isKeptByOthers(system, k, t, y)) addExits(k);
    }
}

void BoundedRows::addExits(std::size_t k) {
    using Kind = BoundedExit::Kind;
    const BoundedLaw& law = m_laws[k];
    switch (m_phases[k]) {
        case BoundedPhase::Off:
            break;
        case BoundedPhase::Below:
        case BoundedPhase::Above:
            m_exits.push_back({k, Kind::Reaches});
            break;
        case BoundedPhase::Open:
            if (!isMotor(law)) m_exits.push_back({k, Kind::Touches});
            break;
        case BoundedPhase::Held:
            if (!isMotor(law)) m_exits.push_back({k, Kind::Lifts});
            if (isMotor(law) && !isPrescribed(law)) {
                m_exits.push_back({k, Kind::TooStrong});
                m_exits.push_back({k, Kind::TooWeak});
            }
            break;
    }
}

/// By how much the force of a held row is away from an end: TooStrong, TooWeak or Lifts.
double BoundedRows::margin(const BoundedExit& exit, double t, double force) const {
    const BoundedLaw& law = m_laws[exit.row];
    const double strength = m_strengths[exit.row] * law.holding(t);
    return exit.kind == BoundedExit::Kind::TooStrong ? strength - force
           : exit.kind == BoundedExit::Kind::TooWeak ? strength + force
                                                     : law.side * force;
}

double BoundedRows::exitValue(const BoundedSystem& system, std::size_t index, double t, const Eigen::VectorXd& y,
                              bool isExplicit) const {
    const BoundedExit& exit = m_exits[index];
    if (exit.kind == BoundedExit::Kind::Touches) return gap(system, exit.row, t, y) - m_gapShift[exit.row];
    if (exit.kind == BoundedExit::Kind::Reaches) {
        const double rate = system.rowRate(exit.row, t, y);
        return m_phases[exit.row] == BoundedPhase::Below ? -rate : rate;
    }
    if (isExplicit && m_ranges.size() == m_held.size()) {
        // The stages of an explicit step tell where a force cannot reach an end: they are all farther from it than
        // apart.
        const ForceRange& range = m_ranges[heldPlace(exit.row)];
        const double least = std::min(margin(exit, t, range.least), margin(exit, t, range.most));
        if (least > range.most - range.least) return least;
    }
    return margin(exit, t, heldForce(system, exit.row, t, y));
}

double BoundedRows::exitSlack(std::size_t exit) const {
    return slackOf(m_exits[exit].kind, m_foundLargest);
}

void BoundedRows::cross(BoundedSystem& system, std::size_t index, double t, Eigen::VectorXd& y) {
    const BoundedExit exit = m_exits[index];
    settle(system, t, y, &exit);
}

double BoundedRows::heldForce(const BoundedSystem& system, std::size_t k, double t, const Eigen::VectorXd& y) const {
    const auto state = y.head(system.boundStateSize());
    if (m_foundAt != t || m_foundState.size() != state.size() || m_foundState != state) {
        m_foundLargest = system.findHeldForces(t, y, m_foundForces);
        m_foundAt = t;
        m_foundState = state;
    }
    return m_foundForces[static_cast<Eigen::Index>(heldPlace(k))];
}

/// Place of a row among those that are held.
std::size_t BoundedRows::heldPlace(std::size_t k) const {
    return static_cast<std::size_t>(std::lower_bound(m_held.begin(), m_held.end(), static_cast<int>(k)) -
                                    m_held.begin());
}

void BoundedRows::noteForces(const double* forces) {
    const bool isNew = m_ranges.size() != m_held.size();
    m_ranges.resize(m_held.size());
    for (std::size_t i = 0; i < m_ranges.size(); ++i) {
        isNew ? m_ranges[i].start(forces[i]) : m_ranges[i].add(forces[i]);
    }
}

void BoundedRows::stepAccepted() {
    for (ForceRange& range : m_ranges) range.restart();
}

}  // namespace elasto::flow
