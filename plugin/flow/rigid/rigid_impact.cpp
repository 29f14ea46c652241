// What changes velocities of a turning system at once: limits that are hit, rates that are prescribed.

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "constraints/bounded_candidates.h"
#include "constraints/bounded_rest.h"
#include "rigid/rigid_system.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

/// Impulse that a motor of bounded strength may give at once; it has less strength for the rest of the tick then.
double RigidSystem::atOnce(std::size_t k, double t) const {
    const BoundedRow& row = m_network.bounded[k];
    if (!isMotor(row) || isPrescribed(row) || m_boundedPhases[k] == BoundedPhase::Off) return 0;
    return row.maxForce * std::min(kAtOnce * m_h, kAtOnceOfRest * (m_h - t) * m_strengths[k]);
}

/// True for a motor that may be strong enough to reach its rate at once.
bool RigidSystem::isNear(std::size_t k, double t, const RowMeasure& measure) const {
    const BoundedRow& row = m_network.bounded[k];
    double mobility = 0;  // the joints may leave less
    const auto add = [&](int index, const Eigen::Vector3d& angular) {
        if (!isMovable(index)) return;
        const auto i = static_cast<std::size_t>(index);
        mobility += measure.linear.dot(linearResponse(m_network.bodies[i], measure.linear)) +
                    angular.dot(m_bodies.inverses[i] * angular);
    };
    add(row.a, measure.angularA);
    add(row.b, measure.angularB);
    return std::abs(measure.rate) < atOnce(k, t) * mobility;
}

/// Limits that are hit and rates that are prescribed change velocities at once. @return true if they did
/// @param isStart of the tick: motors may have got another rate
bool RigidSystem::impact(double t, Eigen::VectorXd& y, const std::vector<char>& isTouching, bool isStart) {
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
        const RowMeasure measure = measureOf(k);
        const double rate = measure.rate;
        const bool isAway = isMotor(row) && std::abs(rate) > tolerance;
        isNeeded |= isAway && (isPrescribed(row) || (isStart && isNear(k, t, measure)));
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
        return impact(t, y, isTouching, isStart);
    }
    const auto limits = static_cast<Eigen::Index>(candidates.size());
    for (std::size_t k = 0; k < n; ++k) {
        if (!isNear(k, t, measureOf(k))) continue;
        Candidate candidate = candidateOf(m_network, k, m_bodies, held);
        if (!candidate.isBlocked()) candidates.push_back(std::move(candidate));
    }
    const std::vector<Vector6> none(m_slots.size(), Vector6::Zero());
    std::vector<Vector6> change = none;
    held.respond(held.forces(-held.rates()), change);

    const auto count = static_cast<Eigen::Index>(candidates.size());
    const Eigen::MatrixXd A = mobilityOf(candidates);
    const double noRebound = kNoRebound * fastest(y);
    Eigen::VectorXd rates(count), rebounds(count), lower(count), upper(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        const BoundedRow& row = m_network.bounded[candidate.row];
        rates[i] = candidate.measure.rate + candidate.along(change);
        if (i >= limits) {
            rebounds[i] = 0;
            upper[i] = atOnce(candidate.row, t);
            lower[i] = -upper[i];
            continue;
        }
        // Of the rate that is left once the joints' drift is taken out: of the other one a full rebound would be a
        // gain.
        const double rebound = row.restitution * std::max(0.0, -row.side * rates[i]);
        const double back = -row.side * (candidate.measure.gamma + candidate.along(accelerations));
        const bool isNone = rebound < noRebound || isShortBounce(rebound, back, m_h);
        rebounds[i] = isNone ? 0 : row.side * rebound;
        lower[i] = row.side > 0 ? 0 : -kInfinity;
        upper[i] = row.side > 0 ? kInfinity : 0;
    }
    // A motor that is too weak for that goes on as it was.
    const auto impulsesFor = [&](const Eigen::VectorXd& wanted) {
        while (true) {
            Eigen::VectorXd impulses = solveBoxQp(A, wanted, lower, upper);
            bool areEnough = true;
            for (Eigen::Index i = limits; i < count; ++i) {
                if (upper[i] == 0 || std::abs(impulses[i]) < upper[i]) continue;
                lower[i] = upper[i] = 0;
                areEnough = false;
            }
            if (areEnough) return impulses;
        }
    };
    Eigen::VectorXd impulses = impulsesFor(rates - rebounds);
    const auto lossOf = [&](const Eigen::VectorXd& P) { return -P.dot(rates + 0.5 * A * P); };
    double kinetic = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) kinetic += kineticEnergy(m_network.bodies[i], m_bodies.motions[i]);
    }
    // Several limits that give back different shares may ask for more than there was.
    if (lossOf(impulses) < -kImpactRounding * kinetic) impulses = impulsesFor(rates);

    std::vector<Vector6> push = none;
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        for (std::size_t b = 0; b < push.size(); ++b) push[b] += impulses[i] * candidate.free[b];
    }
    const Eigen::VectorXd heldImpulses = held.forces(-held.rates() - held.along(push));
    change = push;
    held.respond(heldImpulses, change);
    auto rest = y.tail(size() - workIndex());
    for (Eigen::Index i = 0; i < count; ++i) {
        const Candidate& candidate = candidates[static_cast<std::size_t>(i)];
        const BoundedRow& row = m_network.bounded[candidate.row];
        rest[2 + static_cast<Eigen::Index>(candidate.row)] += impulses[i];
        addReaction(row.reaction, candidate.measure, impulses[i], rest);
        const double rate = candidate.measure.rate + 0.5 * candidate.along(change);
        rest[0] -= impulses[i] * drivenRate(m_network, row, candidate.measure);
        if (i < limits) {
            m_limitLoss -= impulses[i] * rate;
            rest[0] += impulses[i] * rate;
        } else {
            m_strengths[candidate.row] -= std::abs(impulses[i]) / ((m_h - t) * row.maxForce);
            rest[0] += impulses[i] * (rate + row.targetRate);
            rest[1] += impulses[i] * (rate + row.targetRate);
        }
    }
    bookImpact(held, heldImpulses, change, y);
    return true;
}

/// Books what the held rows did in an impact, and makes it. What it takes to close rates of joints that have drifted is
/// no work: it shows in the balance of the tick.
void RigidSystem::bookImpact(const HeldRows& held, const Eigen::VectorXd& impulses, const std::vector<Vector6>& change,
                             Eigen::VectorXd& y) {
    auto rest = y.tail(size() - workIndex());
    const std::size_t joints = m_network.joints.size();
    const Eigen::VectorXd along = held.along(change);
    for (std::size_t k = 0; k < held.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        addReaction(held.with(k, [](const auto& link) { return link.reaction; }), held.measure(k), impulses[i], rest);
        if (k < joints) {
            rest[0] += impulses[i] * workingRate(held.measure(k).rate + 0.5 * along[i], held.drivenRate(k));
            continue;
        }
        rest[0] -= impulses[i] * held.drivenRate(k);
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

/// Takes out what rounding left of the rates that are held now; after an impact the elements see another rate.
void RigidSystem::projectRates(double t, Eigen::VectorXd& y) {
    if (!m_held.bounded().empty()) {
        m_held.place(m_bodies);
        const Eigen::VectorXd impulses = m_held.forces(-m_held.rates());
        std::vector<Vector6> change(m_slots.size(), Vector6::Zero());
        m_held.respond(impulses, change);
        bookImpact(m_held, impulses, change, y);
    }
    const double tolerance = rateTolerance(y);
    bool hasChanged = false;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Row row = rowOf(e, t, y);
        if (std::abs(row.v - m_rates[e]) <= tolerance) continue;
        const Phase phase = classify(m_laws[e], row.s, row.v, 0, innerStateOf(e, row.s, y));
        // On the edge of a contact its own event decides.
        if (phase.inContact() == m_phases[e].inContact()) m_phases[e] = phase;
        hasChanged = true;
    }
    if (hasChanged) listExits();
}

}  // namespace elasto::flow
