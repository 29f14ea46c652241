// What motors and limits change at once: limits that are hit, rates that are prescribed, motors that are nearly there.

#include "constraints/bounded_rest.h"
#include "constraints/bounded_rows.h"
#include "numerics/box_qp.h"
#include "numerics/infinity.h"

#include <cmath>

namespace elasto::flow {

/// Impulses that are looked for: limits first, then motors. Those of motors are wanted for rate 0.
struct BoundedRows::Impact {
    std::vector<std::size_t> rows;
    Eigen::Index limits = 0;
    Eigen::MatrixXd A;
    Eigen::VectorXd rates, rebounds, lower, upper;

    /// @param wanted changes of the rates, with the opposite sign
    Eigen::VectorXd impulsesFor(const Eigen::VectorXd& wanted) {
        while (true) {
            Eigen::VectorXd impulses = solveBoxQp(A, wanted, lower, upper);
            bool areEnough = true;
            for (Eigen::Index i = limits; i < impulses.size(); ++i) {
                if (upper[i] == 0 || std::abs(impulses[i]) < upper[i]) continue;
                lower[i] = upper[i] = 0;  // a motor that is too weak for that goes on as it was
                areEnough = false;
            }
            if (areEnough) return impulses;
        }
    }
    double loss(const Eigen::VectorXd& impulses) const { return -impulses.dot(rates + 0.5 * A * impulses); }
};

/// Impulse that a motor of bounded strength may give at once; it has less strength for the rest of the tick then.
double BoundedRows::atOnce(std::size_t k, double t) const {
    const BoundedLaw& law = m_laws[k];
    // Friction comes to rest when it does: who asks for it wants to know when.
    if (!isMotor(law) || isPrescribed(law) || law.friction.isDry() || m_phases[k] == BoundedPhase::Off) return 0;
    return law.maxForce * std::min(kAtOnce * m_h, kAtOnceOfRest * (m_h - t) * m_strengths[k]);
}

/// True for a motor that may be strong enough to reach its rate at once.
bool BoundedRows::isNear(const BoundedSystem& system, std::size_t k, double t, double rate) const {
    const double impulse = atOnce(k, t);
    return impulse > 0 && std::abs(rate) < impulse * system.mobilityAlone(k);  // the joints may leave less
}

bool BoundedRows::isHit(const BoundedSystem& system, double t, const Eigen::VectorXd& y,
                        const std::vector<char>& isTouching, bool isStart) const {
    const double tolerance = kSameRate * system.fastest(y);
    for (std::size_t k = 0; k < size(); ++k) {
        const BoundedLaw& law = m_laws[k];
        if (m_phases[k] == BoundedPhase::Off || (!isMotor(law) && !isTouching[k])) continue;
        const double rate = system.rowRate(k, t, y);
        if (!isMotor(law)) {
            if (law.side * rate < -tolerance) return true;
        } else if (std::abs(rate) > tolerance) {
            if (isPrescribed(law) || (isStart && isNear(system, k, t, rate))) return true;
        }
    }
    return false;
}

/// Rates, rebounds and bounds of the rows that an impact has.
void BoundedRows::askFor(const BoundedSystem& system, double t, const Eigen::VectorXd& y, Impact& impact) const {
    const double noRebound = kNoRebound * system.fastest(y);
    const auto count = static_cast<Eigen::Index>(impact.rows.size());
    impact.rates = system.ratesBesideHeld(impact.rows, y);
    impact.rebounds.setZero(count);
    impact.lower.resize(count);
    impact.upper.resize(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t k = impact.rows[static_cast<std::size_t>(i)];
        const BoundedLaw& law = m_laws[k];
        if (isMotor(law)) {
            impact.upper[i] = atOnce(k, t);
            impact.lower[i] = -impact.upper[i];
            continue;
        }
        // Of the rate that is left once the joints' drift is taken out: of the other one a full rebound would be a
        // gain.
        const double rebound = law.restitution * std::max(0.0, -law.side * impact.rates[i]);
        // A bounce that would be over at once is none. The present forces say how long one lasts.
        const bool isNone = rebound < noRebound || isShortBounce(rebound, -law.side * system.rowAcceleration(k), m_h);
        impact.rebounds[i] = isNone ? 0 : law.side * rebound;
        impact.lower[i] = law.side > 0 ? 0 : -kInfinity;
        impact.upper[i] = law.side > 0 ? kInfinity : 0;
    }
}

/// Limits that are hit and rates that are prescribed change velocities at once. @return true if they did
/// @param isStart of the tick: motors may have got another rate
bool BoundedRows::impact(BoundedSystem& system, double t, Eigen::VectorXd& y, const std::vector<char>& isTouching,
                         bool isStart) {
    if (!isHit(system, t, y, isTouching, isStart)) return false;
    system.accelerate(t, y);
    hold(system, prescribed());
    Impact impact;
    for (std::size_t k = 0; k < size(); ++k) {
        if (isTouching[k] && m_phases[k] != BoundedPhase::Off) impact.rows.push_back(k);
    }
    std::vector<std::size_t> blocked;
    impact.A = mobilityOfFree(system, impact.rows, blocked).A;
    if (!blocked.empty() && !m_held.empty()) {
        // A limit stops what a prescribed rate leads against it.
        for (const int k : m_held) m_phases[static_cast<std::size_t>(k)] = BoundedPhase::Off;
        return this->impact(system, t, y, isTouching, isStart);
    }
    for (const std::size_t k : blocked) m_phases[k] = BoundedPhase::Off;
    impact.limits = static_cast<Eigen::Index>(impact.rows.size());
    for (std::size_t k = 0; k < size(); ++k) {
        if (isNear(system, k, t, system.rowRate(k, t, y))) impact.rows.push_back(k);
    }
    const bool hasMotors = impact.rows.size() > static_cast<std::size_t>(impact.limits);
    if (hasMotors) impact.A = mobilityOfFree(system, impact.rows, blocked).A;
    askFor(system, t, y, impact);
    Eigen::VectorXd impulses = impact.impulsesFor(impact.rates - impact.rebounds);
    // Several limits that give back different shares may ask for more than there was.
    if (impact.loss(impulses) < -kImpactRounding * system.kineticEnergy(y)) impulses = impact.impulsesFor(impact.rates);
    for (Eigen::Index i = impact.limits; i < impulses.size(); ++i) {
        const std::size_t k = impact.rows[static_cast<std::size_t>(i)];
        m_strengths[k] -= std::abs(impulses[i]) / ((m_h - t) * m_laws[k].maxForce);
    }
    m_limitLoss += system.strike(t, impact.rows, impulses, y);
    return true;
}

}  // namespace elasto::flow
