// Where no forces fit, because friction wedges what slips (Painleve's paradox).

#include "contact/contact_integrator.h"
#include "contact/slip_impact.h"
#include "contact/tuning.h"
#include "numerics/cost_model.h"

namespace elasto::flow {

// Whether pressure with the friction that it makes brings a patch's points nearer, or moves them too little for the
// rows to be solved for, whatever motors do, which have only so much force. What others hold anyway does not wedge.
bool ContactIntegrator::isWedged(std::size_t p) {
    const Patch& patch = m_frame.patches()[p];
    ContactModes& modes = m_space.stuck;
    modes = m_modes;
    for (std::size_t k = 0; k < modes.bounded.size(); ++k) {
        const BoundedRow& row = m_problem.network().bounded[k];
        const bool gives = isMotor(row) && !isPrescribed(row) && modes.bounded[k] == BoundedPhase::Held;
        if (gives) modes.bounded[k] = BoundedPhase::Open;
    }
    const auto solves = [&](bool bears) {
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) modes.bears[i] = bears && isClosed(i);
        rowModes(m_frame, modes, m_space.rows);
        m_work += price::kTrial * visit();
        return m_frame.factor().factor(m_space.rows);
    };
    modes.friction[p] = Friction::Slips;
    const bool isOnVerge = !solves(true);
    if (!solves(false)) return false;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        if (!isClosed(i)) continue;
        const std::size_t normal = m_frame.normalOf(i);
        const auto partsBy = [&](double friction) {
            std::vector<Vector6>& pushed = m_space.velocities;
            pushed.assign(m_now.u.size(), Vector6::Zero());
            m_frame.push(normal, 1, pushed);
            m_frame.push(m_frame.slipOf(i), -friction, pushed);
            holdBack(pushed, m_space.impulses);
            return m_frame.rate(normal, pushed);
        };
        const double apart = m_frame.responseOf(m_frame.row(normal));
        const bool wedges = isOnVerge || partsBy(m_problem.network().contacts[i].friction) < kVerge * apart;
        if (wedges && partsBy(0) > kWedging * apart) return true;
    }
    return false;
}

// Friction presses what slips the more the more it presses where it wedges, and no forces fit (Painleve's paradox).
// What slips is stopped or turned then by an impact without approach: see Genot and Brogliato, European Journal of
// Mechanics A 18, 1999.
bool ContactIntegrator::stopWedged() {
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        if (!m_isSliding[p] || isSpent() || !isWedged(p)) continue;
        if (isOnlyPoint(p) ? strikeSlipping(p) : strikeSticking(p)) {
            m_now.phases.clear();
            return true;
        }
    }
    return false;
}

bool ContactIntegrator::isOnlyPoint(std::size_t p) const {
    const Patch& patch = m_frame.patches()[p];
    int closed = 0;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) closed += isClosed(i);
    return closed == 1;
}

// A single point slips through the impact, where all else holds as isWedged() has left it. On the verge of wedging
// nothing presses, and it lifts.
// @return false if something else would pull
bool ContactIntegrator::strikeSlipping(std::size_t p) {
    const Patch& patch = m_frame.patches()[p];
    std::size_t point = patch.first;
    while (!isClosed(point)) ++point;
    const BlockRow along[] = {m_frame.row(m_frame.normalOf(point)), m_frame.rowAlong(point, patch.tangents.first),
                              m_frame.rowAlong(point, patch.tangents.second)};
    const auto respond = [&](const Eigen::Vector3d& impulse) {
        std::vector<Vector6>& change = m_space.velocities;
        change.assign(m_now.u.size(), Vector6::Zero());
        for (int k = 0; k < 3; ++k) m_frame.push(along[k], impulse[k], change);
        holdBack(change, m_space.impulses);
    };
    Eigen::Matrix3d W;
    for (int k = 0; k < 3; ++k) {
        respond(Eigen::Vector3d::Unit(k));
        for (int i = 0; i < 3; ++i) W(i, k) = rateOf(along[i], m_space.velocities);
    }
    m_work += price::kRebound * visit();
    const Eigen::Vector3d slip = m_frame.slipVelocity(p, point, m_now.u);
    const auto impulse =
        impactOfSlip(W, patch.friction, {slip.dot(patch.tangents.first), slip.dot(patch.tangents.second)});
    if (!impulse) {
        m_isLifted[point] = true;
        return true;
    }
    respond(*impulse);
    std::vector<double>& impulses = m_space.impulses;
    for (std::size_t i = 0; i < m_modes.bears.size(); ++i) {
        if (impulses[m_frame.normalOf(i)] < 0) return false;
    }
    impulses[m_frame.normalOf(point)] += (*impulse)[0];
    const Eigen::Vector3d friction = (*impulse)[1] * patch.tangents.first + (*impulse)[2] * patch.tangents.second;
    m_frame.setSlipDirection(point, friction.normalized());
    impulses[m_frame.slipOf(point)] += friction.norm();
    m_space.change = m_space.velocities;
    strike(impulses, m_space.change);
    return true;
}

// All points of a patch stick, or slip as they would.
bool ContactIntegrator::strikeSticking(std::size_t p) {
    ContactTask& task = m_space.task;
    task.clear();
    task.isImpact = true;
    task.tolerance = m_rest;
    task.free = m_now.u;
    task.wanted.assign(m_frame.rowCount(), 0);
    task.isClosed.resize(m_modes.bears.size());
    const Patch& patch = m_frame.patches()[p];
    for (std::size_t i = 0; i < task.isClosed.size(); ++i) {
        task.isClosed[i] = isClosed(i);
        m_modes.bears[i] = task.isClosed[i] && i >= patch.first && i < patch.first + patch.count;
    }
    hitBounded(task);
    slipAsNow(task);
    m_modes.friction[p] = Friction::Sticks;
    hitTurning(task);
    limitTrials(task);
    const ContactAnswer* answer = findModes(m_frame, task, m_modes, m_space.search);
    m_work += task.trials * price::kTrial * visit();
    const double press = answer != nullptr ? loadOf(m_frame, p, m_modes, answer->impulses).normal : 0;
    if (!(press * m_frame.responseOf(m_frame.row(m_frame.normalOf(patch.first))) > m_rest)) return false;
    strike(answer->impulses, answer->change);
    return true;
}

}  // namespace elasto::flow
