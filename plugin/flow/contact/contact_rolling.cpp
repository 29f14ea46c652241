// Friction against rolling and spinning on contacts.

#include "contact/contact_integrator.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

double signOf(double value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

}  // namespace

void ContactIntegrator::startTurning() {
    m_modes.rolling.clear();
    m_modes.spinning.clear();
    if (!m_frame.resistsTurning()) return;
    for (const Patch& patch : m_frame.patches()) {
        m_modes.rolling.push_back(patch.rollingFriction > 0 ? Friction::Sticks : Friction::None);
        m_modes.spinning.push_back(patch.spinsApart() ? Friction::Sticks : Friction::None);
    }
    m_isRolling.assign(m_modes.rolling.size(), false);
    m_isSpinning = m_isRolling;
}

void ContactIntegrator::hitTurning(ContactTask& task) {
    task.mustRoll.assign(m_modes.rolling.size(), false);
    task.mustSpin = task.mustRoll;
    for (std::size_t p = 0; p < m_modes.rolling.size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        if (!patch.resistsTurning()) continue;
        const Eigen::Vector3d roll = m_frame.rollVelocity(p, m_now.u);
        const double spin = patch.normal.dot(m_frame.turnVelocity(p, m_now.u));
        const bool rolls = roll.norm() > task.tolerance, spins = std::abs(spin) > task.tolerance;
        if (rolls) m_frame.setRollDirection(p, roll.normalized());
        m_frame.setSpinDirection(p, spins ? signOf(spin) : 0);
        if (patch.rollingFriction > 0) m_modes.rolling[p] = rolls ? Friction::Slips : Friction::Sticks;
        if (patch.spinsApart()) m_modes.spinning[p] = spins ? Friction::Slips : Friction::Sticks;
    }
}

void ContactIntegrator::chooseTurning(std::size_t p, double pull, ContactTask& task) {
    if (m_modes.rolling.empty()) return;
    if (p == 0) {
        task.mustRoll.assign(m_modes.rolling.size(), false);
        task.mustSpin = task.mustRoll;
    }
    const Patch& patch = m_frame.patches()[p];
    if (!patch.resistsTurning()) return;
    const double rest = 8 * m_rest;
    const double byForce = m_frame.responseOf(m_frame.row(m_frame.normalOf(patch.first)));
    const auto caught = [&](double friction, const Eigen::Vector3d& axis) {
        const double byTorque = m_frame.responseOf(rowAbout(patch.a, patch.b, axis));
        return byForce > 0 ? std::max(rest, m_catchTime * m_h * friction * pull * byTorque / byForce) : rest;
    };
    const Eigen::Vector3d roll = m_frame.rollVelocity(p, m_now.u);
    const double spin = patch.normal.dot(m_frame.turnVelocity(p, m_now.u));
    const bool rolls = roll.norm() > rest && roll.norm() > caught(patch.rollingFriction, roll.normalized());
    const bool spins = std::abs(spin) > caught(patch.spinningFriction, patch.normal);
    m_frame.setRollDirection(p, rolls ? Eigen::Vector3d(roll.normalized()) : Eigen::Vector3d::Zero());
    m_frame.setSpinDirection(p, spins ? signOf(spin) : 0);
    if (patch.rollingFriction > 0) {
        m_isRolling[p] = task.mustRoll[p] = rolls;
        m_modes.rolling[p] = rolls ? Friction::Slips : Friction::Sticks;
    }
    if (patch.spinsApart()) {
        m_isSpinning[p] = task.mustSpin[p] = spins;
        m_modes.spinning[p] = spins ? Friction::Slips : Friction::Sticks;
    }
}

std::pair<double, double> ContactIntegrator::turningMargins(std::size_t p, const PatchLoad& load, double perForce,
                                                            std::span<const Vector6> velocities) const {
    double rolling = 1, spinning = 1;
    if (m_modes.rolling[p] == Friction::Sticks) {
        rolling = perForce * rollGripOf(m_frame, p, load) + kNoForce;
    } else if (m_modes.rolling[p] == Friction::Slips && m_isRolling[p]) {
        rolling = m_frame.rollDirection(p).dot(m_frame.turnVelocity(p, velocities));
    }
    if (m_modes.spinning[p] == Friction::Sticks) {
        spinning = perForce * spinGripOf(m_frame, p, load) + kNoForce;
    } else if (m_modes.spinning[p] == Friction::Slips && m_isSpinning[p]) {
        const double direction = m_frame.spinDirection(p);
        spinning = direction * m_frame.patches()[p].normal.dot(m_frame.turnVelocity(p, velocities));
    }
    return {rolling, spinning};
}

}  // namespace elasto::flow
