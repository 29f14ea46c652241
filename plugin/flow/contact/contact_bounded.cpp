// Motors and limits beside contacts.

#include "contact/contact_integrator.h"
#include "contact/tuning.h"
#include "numerics/infinity.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

bool isLimit(const BoundedRow& row) {
    return row.kind == BoundedRow::Kind::Limit;
}

}  // namespace

void ContactIntegrator::startBounded() {
    m_modes.bounded.clear();
    for (const BoundedRow& row : m_problem.network().bounded) {
        m_modes.bounded.push_back(!isLimit(row) && row.maxForce == 0 ? BoundedPhase::Off : BoundedPhase::Open);
    }
}

bool ContactIntegrator::hitBounded(ContactTask& task) {
    const std::vector<BoundedRow>& bounded = m_problem.network().bounded;
    task.mayHold.assign(bounded.size(), false);
    bool isHit = false;
    for (std::size_t k = 0; k < bounded.size(); ++k) {
        const BoundedRow& row = bounded[k];
        BoundedPhase& phase = m_modes.bounded[k];
        if (phase == BoundedPhase::Off) continue;
        phase = BoundedPhase::Open;  // impacts are too short for motors
        const double rate = m_frame.excessRate(k, m_now.u);
        if (isPrescribed(row)) {
            task.mayHold[k] = true;
            phase = BoundedPhase::Held;
            isHit = isHit || std::abs(rate) > task.tolerance;
        } else if (isLimit(row) && m_problem.limitGap(k, m_now.displacement) <= kClosedGap) {
            task.mayHold[k] = true;
            if (row.side * rate >= -task.tolerance) continue;
            isHit = true;
            phase = BoundedPhase::Held;
            const double rebound = row.restitution * std::abs(rate);
            if (rebound > 0) task.wanted[m_frame.boundedOf(k)] = row.side * rebound;
        }
    }
    return isHit;
}

void ContactIntegrator::chooseBounded(ContactTask& task) {
    const std::vector<BoundedRow>& bounded = m_problem.network().bounded;
    const double rest = restSpeed();
    task.mayHold.assign(bounded.size(), false);
    for (std::size_t k = 0; k < bounded.size(); ++k) {
        const BoundedRow& row = bounded[k];
        BoundedPhase& phase = m_modes.bounded[k];
        if (phase == BoundedPhase::Off) continue;
        const double rate = m_frame.excessRate(k, m_now.u);
        task.mayHold[k] = isLimit(row)
                              ? m_problem.limitGap(k, m_now.displacement) <= kClosedGap && row.side * rate <= 4 * rest
                              : isPrescribed(row) || std::abs(rate) <= kAtTarget * rest;
        phase = task.mayHold[k] ? BoundedPhase::Held
                : isLimit(row)  ? BoundedPhase::Open
                : rate < 0      ? BoundedPhase::Below
                                : BoundedPhase::Above;
    }
}

double ContactIntegrator::boundedMargin(std::size_t k, double force, double perForce,
                                        std::span<const Vector6> velocities,
                                        std::span<const Vector6> displacements) const {
    const BoundedRow& row = m_problem.network().bounded[k];
    const double rate = m_frame.excessRate(k, velocities);
    switch (m_modes.bounded[k]) {
        case BoundedPhase::Off:
            return 1;
        case BoundedPhase::Below:
            return restSpeed() - rate;
        case BoundedPhase::Above:
            return restSpeed() + rate;
        case BoundedPhase::Held:
            if (isLimit(row)) return perForce * row.side * force + kNoForce;
            return isPrescribed(row) ? 1 : perForce * (row.maxForce - std::abs(force)) + kNoForce;
        case BoundedPhase::Open:
            if (!isLimit(row)) return 1;
            return std::max((m_problem.limitGap(k, displacements) - kClosedGap / 2) / m_h,
                            row.side * rate + restSpeed());
    }
    return 1;
}

void ContactIntegrator::bookBounded(std::span<const double> impulses, std::span<const Vector6> change) {
    if (m_modes.bounded.empty()) return;
    std::vector<Vector6>& mean = m_space.velocities;
    mean = m_now.u;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] -= change[i] / 2;
    m_problem.countMotors(impulses, mean, m_now);
    double loss = 0;
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        const std::size_t row = m_frame.boundedOf(k);
        if (isLimit(m_problem.network().bounded[k])) loss -= impulses[row] * m_frame.rate(row, mean);
    }
    m_now.limitLoss += std::max(loss, 0.);
}

}  // namespace elasto::flow
