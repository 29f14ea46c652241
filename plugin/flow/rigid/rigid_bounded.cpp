// Motors and limits of bodies that turn: what BoundedRows asks about them.

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "constraints/bounded_candidates.h"
#include "rigid/rigid_system.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

Row RigidSystem::boundedRow(std::size_t k, double t, const Eigen::VectorXd& y) const {
    return measureRow(
        m_network.bounded[k], [&](int body) { return motionOf(body, t, y); },
        m_boundedTurns[k].after(t - m_turnsAt, m_boundedRates[k]));
}

double RigidSystem::rowValue(std::size_t k, double t, const Eigen::VectorXd& y) const {
    return boundedRow(k, t, y).s;
}

double RigidSystem::rowRate(std::size_t k, double t, const Eigen::VectorXd& y) const {
    const BoundedRow& row = m_network.bounded[k];
    return boundedRow(k, t, y).v - (isMotor(row) ? row.targetRate : 0);
}

double RigidSystem::fastest(const Eigen::VectorXd& y) const {
    double speed = m_settings.velocityFloor;
    for (const Eigen::Index slot : m_slots) {
        if (slot >= 0)
            speed = std::max({speed, y.segment<3>(13 * slot + 7).norm(), y.segment<3>(13 * slot + 10).norm()});
    }
    return speed;
}

/// Of the bodies as place() left them.
double RigidSystem::kineticEnergy(const Eigen::VectorXd& /*y*/) {
    double sum = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) sum += flow::kineticEnergy(m_network.bodies[i], m_bodies.motions[i]);
    }
    return sum;
}

void RigidSystem::place(double t, const Eigen::VectorXd& y) {
    for (std::size_t i = 0; i < m_slots.size(); ++i) readBody(i, t, y, m_bodies);
}

void RigidSystem::hold(const std::vector<int>& rows) {
    m_held.setBounded(rows);
    m_held.place(m_bodies);
}

void RigidSystem::accelerate(double t, const Eigen::VectorXd& y) {
    evaluate(t, y, m_scratch);
}

RowMeasure RigidSystem::measureBounded(std::size_t k) const {
    return measureHeld(m_network.bounded[k], [&](int body) -> const Motion& { return m_bodies.at(body); });
}

/// Change of a row's rate by changes of the bodies' velocities.
double RigidSystem::rateChange(std::size_t k, const RowMeasure& measure, const std::vector<Vector6>& change) const {
    double rate = 0;
    forEachMovable(m_network, k, measure, m_bodies,
                   [&](std::size_t i, const Vector6& gradient, const Vector6&) { rate += gradient.dot(change[i]); });
    return rate;
}

double RigidSystem::rowAcceleration(std::size_t k) const {
    const RowMeasure measure = measureBounded(k);
    return measure.gamma + rateChange(k, measure, m_accelerations);
}

double RigidSystem::mobilityAlone(std::size_t k) const {
    double mobility = 0;
    forEachMovable(
        m_network, k, measureBounded(k), m_bodies,
        [&](std::size_t, const Vector6& gradient, const Vector6& response) { mobility += gradient.dot(response); });
    return mobility;
}

RowMobility RigidSystem::mobility(const std::vector<std::size_t>& rows) const {
    std::vector<Candidate> candidates;
    for (const std::size_t k : rows) candidates.push_back(candidateOf(m_network, k, m_bodies, m_held));
    return mobilityOf(candidates);
}

Eigen::VectorXd RigidSystem::ratesBesideHeld(const std::vector<std::size_t>& rows, const Eigen::VectorXd& /*y*/) const {
    std::vector<Vector6> change(m_slots.size(), Vector6::Zero());
    m_held.respond(m_held.forces(-m_held.rates()), change);
    Eigen::VectorXd rates(static_cast<Eigen::Index>(rows.size()));
    for (Eigen::Index i = 0; i < rates.size(); ++i) {
        const std::size_t k = rows[static_cast<std::size_t>(i)];
        const RowMeasure measure = measureBounded(k);
        rates[i] = measure.rate + rateChange(k, measure, change);
    }
    return rates;
}

double RigidSystem::strike(double t, const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                           Eigen::VectorXd& y) {
    std::vector<double> before;
    for (std::size_t e = 0; e < elementCount(); ++e) before.push_back(rowOf(e, t, y).v);
    std::vector<Vector6> change(m_slots.size(), Vector6::Zero());
    for (Eigen::Index i = 0; i < impulses.size(); ++i) {
        const std::size_t k = rows[static_cast<std::size_t>(i)];
        forEachMovable(
            m_network, k, measureBounded(k), m_bodies,
            [&](std::size_t body, const Vector6&, const Vector6& response) { change[body] += impulses[i] * response; });
    }
    const Eigen::VectorXd heldImpulses = m_held.forces(-m_held.rates() - m_held.along(change));
    m_held.respond(heldImpulses, change);
    const double loss = bookImpulses(rows, impulses, change, y);
    bookHeldImpulses(heldImpulses, change, y);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] < 0) continue;
        y.segment<6>(13 * m_slots[i] + 7) += change[i];
        m_bodies.motions[i].v = y.segment<3>(13 * m_slots[i] + 7);
        m_bodies.motions[i].w = y.segment<3>(13 * m_slots[i] + 10);
    }
    m_held.place(m_bodies);
    classifyStruck(t, y, before);
    return loss;
}

/// @return what limits took
double RigidSystem::bookImpulses(const std::vector<std::size_t>& rows, const Eigen::VectorXd& impulses,
                                 const std::vector<Vector6>& change, Eigen::VectorXd& y) const {
    auto rest = y.tail(size() - workIndex());
    double loss = 0;
    for (Eigen::Index i = 0; i < impulses.size(); ++i) {
        const std::size_t k = rows[static_cast<std::size_t>(i)];
        const BoundedRow& row = m_network.bounded[k];
        const RowMeasure measure = measureBounded(k);
        rest[2 + static_cast<Eigen::Index>(k)] += impulses[i];
        addReaction(row.reaction, measure, impulses[i], rest);
        const double rate = measure.rate + 0.5 * rateChange(k, measure, change);
        rest[0] -= impulses[i] * drivenRate(m_network, row, measure);
        if (isMotor(row)) {
            const double work = impulses[i] * (rate + row.targetRate);
            rest[0] += work;
            addWork(k, work, rest);
        } else {
            loss -= impulses[i] * rate;
            rest[0] += impulses[i] * rate;
        }
    }
    return loss;
}

/// What it takes to close rates of joints that have drifted is no work: it shows in the balance of the tick.
void RigidSystem::bookHeldImpulses(const Eigen::VectorXd& impulses, const std::vector<Vector6>& change,
                                   Eigen::VectorXd& y) const {
    auto rest = y.tail(size() - workIndex());
    const std::size_t joints = m_network.joints.size();
    const Eigen::VectorXd along = m_held.along(change);
    for (std::size_t k = 0; k < m_held.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        const RowMeasure measure = m_held.measure(k);
        addReaction(m_held.with(k, [](const auto& link) { return link.reaction; }), measure, impulses[i], rest);
        if (k < joints) {
            rest[0] += impulses[i] * workingRate(measure.rate + 0.5 * along[i], m_held.drivenRate(k));
            continue;
        }
        rest[0] -= impulses[i] * m_held.drivenRate(k);
        const auto index = static_cast<std::size_t>(m_held.bounded()[k - joints]);
        const BoundedRow& row = m_network.bounded[index];
        rest[2 + static_cast<Eigen::Index>(index)] += impulses[i];
        if (!isMotor(row)) continue;
        const double work = impulses[i] * (measure.rate + row.targetRate + 0.5 * along[i]);
        rest[0] += work;
        addWork(index, work, rest);
    }
}

/// After an impact the elements see other rates.
/// @param before their rates before it
void RigidSystem::classifyStruck(double t, const Eigen::VectorXd& y, const std::vector<double>& before) {
    const double tolerance = kSameRate * fastest(y);
    bool hasChanged = false;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Row row = rowOf(e, t, y);
        if (std::abs(row.v - before[e]) <= tolerance) continue;
        const Phase phase = classify(m_laws[e], row.s, row.v, 0, innerStateOf(e, row.s, y));
        // On the edge of a contact its own event decides.
        if (phase.inContact() == m_phases[e].inContact()) m_phases[e] = phase;
        hasChanged = true;
    }
    if (hasChanged) listExits();
}

void RigidSystem::addPushes(const BodyKinematics& bodies, std::vector<Vector6>& accelerations) const {
    for (std::size_t k = 0; k < m_bounded.size(); ++k) {
        if (!m_bounded.isPushing(k)) continue;
        forEachPushed(k, bodies, [&](std::size_t i, const Vector6& acceleration) { accelerations[i] += acceleration; });
    }
}

double RigidSystem::findHeldForces(double t, const Eigen::VectorXd& y, Eigen::VectorXd& forces) const {
    evaluate(t, y, m_scratch);
    forces = m_jointForces.tail(static_cast<Eigen::Index>(m_bounded.held().size()));
    return m_jointForces.lpNorm<Eigen::Infinity>();
}

}  // namespace elasto::flow
