// Motors and limits of a turning system: which of them are held, and what happens at once when one is hit.

#include "box_minimum.h"
#include "network_state.h"
#include "turning_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// Distance [m, rad] from its bound at which a limit counts as reached.
constexpr double kTouching = 1e-9;
/// Difference from a rate that counts as none, as a share of the bodies' speeds.
constexpr double kSameRate = 1e-9;
/// A bounce that would last for less than this share of the tick is not followed.
constexpr double kShortestBounce = 1e-3;
/// A row that the others leave less of its mobility than this cannot move.
constexpr double kBlocked = 1e-9;
/// Energy that counts as rounding, as a share of the kinetic energy.
constexpr double kRounding = 1e-12;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A row that may act, and what a unit force along it does to the bodies: alone, and with what is held.
struct Candidate {
    std::size_t row;
    HeldMeasure measure;
    std::vector<Vector6> gradient, alone, held;

    double along(const std::vector<Vector6>& bodies) const {
        double rate = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) rate += gradient[i].dot(bodies[i]);
        return rate;
    }
    double mobility() const { return along(held); }
    bool isBlocked() const { return !(mobility() > kBlocked * along(alone)); }
};

Candidate candidateOf(const FlowNetwork& network, std::size_t k, const BodiesNow& bodies, const HeldRows& held) {
    const BoundedRow& row = network.bounded[k];
    const std::vector<Vector6> none(network.bodies.size(), Vector6::Zero());
    Candidate candidate{k, measureHeld(row, bodies.at(row.a), bodies.at(row.b)), none, none, none};
    const auto enter = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (index == kWorld) return;
        const auto i = static_cast<std::size_t>(index);
        const FlowBody& body = network.bodies[i];
        if (body.isImmovable()) return;
        candidate.gradient[i] << linear, angular;
        candidate.alone[i] << linearResponse(body, linear), bodies.inverses[i] * angular;
    };
    enter(row.a, -candidate.measure.linear, candidate.measure.angularA);
    enter(row.b, candidate.measure.linear, candidate.measure.angularB);
    candidate.held = candidate.alone;
    if (!held.empty()) held.hold(candidate.held);
    return candidate;
}

Eigen::MatrixXd mobilityOf(const std::vector<Candidate>& candidates) {
    const auto n = static_cast<Eigen::Index>(candidates.size());
    Eigen::MatrixXd A(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
        for (Eigen::Index l = 0; l < n; ++l) {
            A(k, l) = candidates[static_cast<std::size_t>(k)].along(candidates[static_cast<std::size_t>(l)].held);
        }
    }
    return 0.5 * (A + A.transpose());
}

}  // namespace

Row TurningSystem::boundedRow(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const BoundedRow& row = m_network.bounded[k];
    return measureRow(row, motionOf(row.a, t, y), motionOf(row.b, t, y), m_boundedPhi[k]);
}

/// Distance from the bound, on the side that is allowed.
double TurningSystem::gapOf(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const BoundedRow& row = m_network.bounded[k];
    return row.side * (boundedRow(k, t, y).s - row.bound);
}

double TurningSystem::pushOf(std::size_t k) const {
    return flow::pushOf(m_network.bounded[k], m_boundedPhases[k]);
}

void TurningSystem::addPushes(const BodiesNow& bodies, std::vector<Vector6>& accelerations) const {
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        const double push = pushOf(k);
        if (push == 0) continue;
        const BoundedRow& row = m_network.bounded[k];
        const Row now = measureRow(row, bodies.at(row.a), bodies.at(row.b), 0);
        const auto add = [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            if (!isMovable(index)) return;
            const auto i = static_cast<std::size_t>(index);
            accelerations[i].head<3>() += push * linearResponse(m_network.bodies[i], linear);
            accelerations[i].tail<3>() += push * (bodies.inverses[i] * angular);
        };
        add(row.a, -now.linear, now.angularA);
        add(row.b, now.linear, now.angularB);
    }
}

std::vector<int> TurningSystem::prescribed() const {
    std::vector<int> rows;
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (isPrescribed(m_network.bounded[k]) && m_boundedPhases[k] != BoundedPhase::Off) {
            rows.push_back(static_cast<int>(k));
        }
    }
    return rows;
}

double TurningSystem::rateTolerance(const Eigen::VectorXd& y) const {
    double speed = m_settings.velocityFloor;
    for (const Eigen::Index slot : m_slots) {
        if (slot >= 0)
            speed = std::max({speed, y.segment<3>(13 * slot + 7).norm(), y.segment<3>(13 * slot + 10).norm()});
    }
    return kSameRate * speed;
}

void TurningSystem::readBodies(double t, const Eigen::VectorXd& y) const {
    for (std::size_t i = 0; i < m_slots.size(); ++i) readBody(i, t, y, m_bodies);
}

void TurningSystem::startBounded() {
    const std::size_t n = m_network.bounded.size();
    m_gapShift.assign(n, 0);
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
void TurningSystem::settleBounded(double t, Eigen::VectorXd& y, const BoundedExit* trigger) {
    const std::size_t n = m_network.bounded.size();
    readBodies(t, y);
    m_rates.clear();
    for (std::size_t e = 0; e < elementCount(); ++e) m_rates.push_back(rowOf(e, t, y).v);
    std::vector<char> isTouching(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        if (m_network.bounded[k].kind != BoundedRow::Kind::Limit || m_boundedPhases[k] == BoundedPhase::Off) continue;
        const bool isHit = trigger != nullptr && trigger->row == k && trigger->kind == BoundedExit::Kind::Touches;
        isTouching[k] = isHit || m_boundedPhases[k] == BoundedPhase::Held || gapOf(k, t, y) <= kTouching;
    }
    const bool hasJumped = jump(t, y, isTouching);

    const double tolerance = rateTolerance(y);
    std::vector<char> isCandidate(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        const BoundedRow& row = m_network.bounded[k];
        BoundedPhase& phase = m_boundedPhases[k];
        if (phase == BoundedPhase::Off || isPrescribed(row)) continue;
        const double rate = measureHeld(row, m_bodies.at(row.a), m_bodies.at(row.b)).rate;
        const bool wasHeld = phase == BoundedPhase::Held && !hasJumped && trigger != nullptr;
        const bool isTrigger = trigger != nullptr && trigger->row == k;
        const bool isMet = wasHeld || std::abs(rate) <= tolerance;
        if (row.kind == BoundedRow::Kind::Limit) {
            const bool lifts = isTrigger && trigger->kind == BoundedExit::Kind::Lifts && !hasJumped;
            isCandidate[k] = isTouching[k] && isMet && !lifts;
            phase = BoundedPhase::Open;
        } else if (isTrigger && trigger->kind == BoundedExit::Kind::TooStrong && isMet) {
            phase = BoundedPhase::Below;
        } else if (isTrigger && trigger->kind == BoundedExit::Kind::TooWeak && isMet) {
            phase = BoundedPhase::Above;
        } else if (isMet || (isTrigger && trigger->kind == BoundedExit::Kind::Reaches && !hasJumped)) {
            isCandidate[k] = 1;
        } else {
            phase = rate < 0 ? BoundedPhase::Below : BoundedPhase::Above;
        }
    }
    chooseHeld(t, y, isCandidate);
    snap(t, y);
    for (std::size_t k = 0; k < n; ++k) m_gapShift[k] = std::min(0.0, gapOf(k, t, y));
    listBoundedExits(t, y);
}

/// Limits that are hit and rates that are prescribed change velocities at once. @return true if they did
bool TurningSystem::jump(double t, Eigen::VectorXd& y, const std::vector<char>& isTouching) {
    const double tolerance = rateTolerance(y);
    const std::size_t n = m_network.bounded.size();
    const auto measureOf = [&](std::size_t k) {
        const BoundedRow& row = m_network.bounded[k];
        return measureHeld(row, m_bodies.at(row.a), m_bodies.at(row.b));
    };
    bool isNeeded = false;
    for (std::size_t k = 0; k < n; ++k) {
        if (m_boundedPhases[k] == BoundedPhase::Off) continue;
        const BoundedRow& row = m_network.bounded[k];
        const double rate = measureOf(k).rate;
        isNeeded |= isPrescribed(row) && std::abs(rate) > tolerance;
        isNeeded |= isTouching[k] && row.side * rate < -tolerance;
    }
    if (!isNeeded) return false;

    // Bounces that would be over at once are none. The present forces say how long one lasts.
    evaluate(t, y, m_scratch);
    const std::vector<Vector6> accelerations = m_accelerations;

    HeldRows held(m_network, prescribed());
    held.place(m_bodies);
    std::vector<Candidate> candidates;
    for (std::size_t k = 0; k < n; ++k) {
        if (!isTouching[k] || m_boundedPhases[k] == BoundedPhase::Off) continue;
        Candidate candidate = candidateOf(m_network, k, m_bodies, held);
        if (!candidate.isBlocked()) {
            candidates.push_back(std::move(candidate));
            continue;
        }
        if (held.bounded().empty()) {
            m_boundedPhases[k] = BoundedPhase::Off;
            continue;
        }
        // A limit stops what a prescribed rate leads against it.
        for (const int row : held.bounded()) m_boundedPhases[static_cast<std::size_t>(row)] = BoundedPhase::Off;
        return jump(t, y, isTouching);
    }
    const std::vector<Vector6> none(m_slots.size(), Vector6::Zero());
    std::vector<Vector6> change = none;
    held.respond(held.forces(-held.rates()), change);

    const auto count = static_cast<Eigen::Index>(candidates.size());
    const Eigen::MatrixXd A = mobilityOf(candidates);
    Eigen::VectorXd rates(count), rebounds(count), lower(count), upper(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        const BoundedRow& row = m_network.bounded[candidate.row];
        rates[i] = candidate.measure.rate + candidate.along(change);
        // Of the rate that is left once the joints' drift is taken out: of the other one a full rebound would be a gain.
        const double rebound = row.restitution * std::max(0.0, -row.side * rates[i]);
        const double back = -row.side * (candidate.measure.gamma + candidate.along(accelerations));
        const bool isShort = back > 0 && 2 * rebound < kShortestBounce * m_h * back;
        rebounds[i] = isShort ? 0 : row.side * rebound;
        lower[i] = row.side > 0 ? 0 : -kInfinity;
        upper[i] = row.side > 0 ? kInfinity : 0;
    }
    Eigen::VectorXd impulses = minimumInBox(A, rates - rebounds, lower, upper);
    const auto lossOf = [&](const Eigen::VectorXd& P) { return -P.dot(rates + 0.5 * A * P); };
    double kinetic = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) kinetic += kineticEnergy(m_network.bodies[i], m_bodies.motions[i]);
    }
    // Several limits that give back different shares may ask for more than there was.
    if (lossOf(impulses) < -kRounding * kinetic) impulses = minimumInBox(A, rates, lower, upper);

    std::vector<Vector6> push = none;
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        for (std::size_t b = 0; b < push.size(); ++b) push[b] += impulses[i] * candidate.alone[b];
    }
    const Eigen::VectorXd heldImpulses = held.forces(-held.rates() - held.along(push));
    change = push;
    held.respond(heldImpulses, change);
    auto rest = y.tail(size() - workIndex());
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        rest[2 + static_cast<Eigen::Index>(candidate.row)] += impulses[i];
        addReaction(m_network.bounded[candidate.row].reaction, candidate.measure, impulses[i], rest);
        const double loss = -impulses[i] * (candidate.measure.rate + 0.5 * candidate.along(change));
        m_limitLoss += loss;
        rest[0] -= loss + impulses[i] * drivenRate(m_network, m_network.bounded[candidate.row], candidate.measure);
    }
    bookJump(held, heldImpulses, change, y);
    return true;
}

/// Books what the held rows did in a jump, and makes it. What it takes to close rates of joints that have drifted is
/// no work: it shows in the balance of the tick.
void TurningSystem::bookJump(const HeldRows& held, const Eigen::VectorXd& impulses, const std::vector<Vector6>& change,
                             Eigen::VectorXd& y) {
    auto rest = y.tail(size() - workIndex());
    const std::size_t joints = m_network.joints.size();
    const Eigen::VectorXd along = held.along(change);
    for (std::size_t k = 0; k < held.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        addReaction(held.with(k, [](const auto& link) { return link.reaction; }), held.measure(k), impulses[i], rest);
        rest[0] -= impulses[i] * held.drivenRate(k);
        if (k < joints) continue;
        const auto index = static_cast<std::size_t>(held.bounded()[k - joints]);
        const BoundedRow& row = m_network.bounded[index];
        rest[2 + static_cast<Eigen::Index>(index)] += impulses[i];
        if (row.kind == BoundedRow::Kind::Motor) {
            const double work = impulses[i] * (held.measure(k).rate + row.targetRate + 0.5 * along[i]);
            rest[0] += work;
            rest[1] += work;
        }
    }
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] < 0) continue;
        y.segment<6>(13 * m_slots[i] + 7) += change[i];
        m_bodies.motions[i].v = y.segment<3>(13 * m_slots[i] + 7);
        m_bodies.motions[i].w = y.segment<3>(13 * m_slots[i] + 10);
    }
}

/// Which of the rows that stand at their bound or rate stay there, by the forces that this would take.
void TurningSystem::chooseHeld(double t, Eigen::VectorXd& y, const std::vector<char>& isCandidate) {
    for (std::size_t k = 0; k < isCandidate.size(); ++k) {
        if (isCandidate[k]) m_boundedPhases[k] = BoundedPhase::Open;  // without force, to begin with
    }
    m_held.setBounded(prescribed());
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
    Eigen::VectorXd accelerations(count), lower(count), upper(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        const BoundedRow& row = m_network.bounded[candidate.row];
        const bool isMotor = row.kind == BoundedRow::Kind::Motor;
        accelerations[i] = candidate.measure.gamma + candidate.along(m_accelerations);
        lower[i] = isMotor ? -row.maxForce : row.side > 0 ? 0 : -kInfinity;
        upper[i] = isMotor ? row.maxForce : row.side > 0 ? kInfinity : 0;
    }
    const Eigen::VectorXd forces = minimumInBox(mobilityOf(candidates), accelerations, lower, upper);
    std::vector<int> rows = m_held.bounded();
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = candidates[static_cast<std::size_t>(i)].row;
        const BoundedRow& row = m_network.bounded[k];
        BoundedPhase& phase = m_boundedPhases[k];
        if (row.kind == BoundedRow::Kind::Limit) {
            phase = row.side * forces[i] > 0 ? BoundedPhase::Held : BoundedPhase::Open;
        } else {
            phase = forces[i] >= row.maxForce    ? BoundedPhase::Below
                    : forces[i] <= -row.maxForce ? BoundedPhase::Above
                                                 : BoundedPhase::Held;
        }
        if (phase == BoundedPhase::Held) rows.push_back(static_cast<int>(k));
    }
    std::sort(rows.begin(), rows.end());
    m_held.setBounded(rows);
    m_eventTime = -1;
}

/// Takes out what rounding left of the rates that are held now; after a jump the elements see another rate.
void TurningSystem::snap(double t, Eigen::VectorXd& y) {
    if (!m_held.bounded().empty()) {
        m_held.place(m_bodies);
        const Eigen::VectorXd impulses = m_held.forces(-m_held.rates());
        std::vector<Vector6> change(m_slots.size(), Vector6::Zero());
        m_held.respond(impulses, change);
        bookJump(m_held, impulses, change, y);
    }
    const double tolerance = rateTolerance(y);
    bool hasChanged = false;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Row row = rowOf(e, t, y);
        if (std::abs(row.v - m_rates[e]) <= tolerance) continue;
        const Phase phase = classify(m_laws[e], row.s, row.v, 0);
        // On the edge of a contact its own event decides.
        if (phase.inContact() == m_phases[e].inContact()) m_phases[e] = phase;
        hasChanged = true;
    }
    if (hasChanged) listExits();
}

/// True for a row that stands at its bound or rate without being held, because others hold its coordinate: friction
/// that alone is too weak, at a limit. It stays there as long as these do, whatever rounding says.
bool TurningSystem::isKeptByOthers(std::size_t k, double t, const Eigen::VectorXd& y) const {
    if (m_boundedPhases[k] == BoundedPhase::Open && gapOf(k, t, y) > kTouching) return false;
    const Candidate candidate = candidateOf(m_network, k, m_bodies, m_held);
    return std::abs(candidate.measure.rate) <= rateTolerance(y) && candidate.isBlocked();
}

void TurningSystem::listBoundedExits(double t, const Eigen::VectorXd& y) {
    using Kind = BoundedExit::Kind;
    m_boundedExits.clear();
    if (!m_held.empty()) m_held.place(m_bodies);
    for (std::size_t k = 0; k < m_boundedPhases.size(); ++k) {
        const BoundedRow& row = m_network.bounded[k];
        const bool isMotor = row.kind == BoundedRow::Kind::Motor;
        const bool isHeld = m_boundedPhases[k] == BoundedPhase::Held || m_boundedPhases[k] == BoundedPhase::Off;
        if (!isHeld && isKeptByOthers(k, t, y)) continue;
        switch (m_boundedPhases[k]) {
            case BoundedPhase::Off:
                break;
            case BoundedPhase::Below:
            case BoundedPhase::Above:
                m_boundedExits.push_back({k, Kind::Reaches});
                break;
            case BoundedPhase::Open:
                m_boundedExits.push_back({k, Kind::Touches});
                break;
            case BoundedPhase::Held:
                if (!isMotor) m_boundedExits.push_back({k, Kind::Lifts});
                if (isMotor && !isPrescribed(row)) {
                    m_boundedExits.push_back({k, Kind::TooStrong});
                    m_boundedExits.push_back({k, Kind::TooWeak});
                }
                break;
        }
    }
}

/// Force of a row that is held.
double TurningSystem::forceOf(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const auto state = y.head(eventStateSize());
    if (m_eventTime != t || m_eventState.size() != state.size() || m_eventState != state) {
        evaluate(t, y, m_scratch);
        m_eventTime = t;
        m_eventState = state;
        m_eventForces = m_jointForces;
    }
    const std::vector<int>& rows = m_held.bounded();
    const auto at = std::lower_bound(rows.begin(), rows.end(), static_cast<int>(k)) - rows.begin();
    return m_eventForces[static_cast<Eigen::Index>(m_network.joints.size()) + at];
}

double TurningSystem::boundedEventValue(const BoundedExit& exit, double t, const Eigen::VectorXd& y) const {
    using Kind = BoundedExit::Kind;
    const BoundedRow& row = m_network.bounded[exit.row];
    switch (exit.kind) {
        case Kind::Reaches: {
            const double missing = row.targetRate - boundedRow(exit.row, t, y).v;
            return m_boundedPhases[exit.row] == BoundedPhase::Below ? missing : -missing;
        }
        case Kind::TooStrong:
            return row.maxForce - forceOf(exit.row, t, y);
        case Kind::TooWeak:
            return row.maxForce + forceOf(exit.row, t, y);
        case Kind::Touches:
            return gapOf(exit.row, t, y) - m_gapShift[exit.row];
        case Kind::Lifts:
            return row.side * forceOf(exit.row, t, y);
    }
    return 0;
}

void TurningSystem::crossBounded(const BoundedExit& exit, double t, Eigen::VectorXd& y) {
    settleBounded(t, y, &exit);
    m_stiffContactBegan = m_returnAtStiffness && isStiff(t, y);
}

}  // namespace elasto::flow
