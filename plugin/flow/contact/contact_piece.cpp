// From one change of the contacts to the next.

#include "contact/contact_integrator.h"

#include "contact/tuning.h"
#include "numerics/cost_model.h"
#include "numerics/largest.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace elasto::flow {

namespace {

/// Displacement and gain of speed by loads, of which the coefficients are given.
template <class Load>
auto gainOf(const Load& load, std::size_t i, double dt) {
    return dt * (load[0][i] + dt * (load[1][i] / 2 + dt / 3 * load[2][i]));
}
template <class Load>
auto pathOf(const Load& load, std::size_t i, double dt) {
    return dt * dt * (load[0][i] / 2 + dt * (load[1][i] / 6 + dt / 12 * load[2][i]));
}

}  // namespace

void ContactIntegrator::lookAhead(const RowState& end, double dt) {
    const Piece& piece = m_piece;
    std::vector<Vector6>&u = m_space.velocities, &displacement = m_space.displacements;
    u = m_now.u;
    displacement = m_now.displacement;
    for (std::size_t i = 0; i < u.size(); ++i) {
        displacement[i] += dt * m_now.u[i] + pathOf(piece.load, i, dt);
        u[i] += gainOf(piece.load, i, dt);
    }
    std::vector<double>& forces = m_space.impulses;
    forces = piece.rowLoad[0];
    for (std::size_t r = 0; r < forces.size(); ++r) {
        forces[r] += dt * (piece.rowLoad[1][r] + dt * piece.rowLoad[2][r]) + piece.gammaForces[r];
    }
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        if (!piece.isReady[e]) continue;
        const auto k = static_cast<Eigen::Index>(e);
        const double f = forceInPhase(piece.rows.laws[e], end.phases[e], end.s[k], end.v[k], end.z[k]);
        for (std::size_t i = 0; i < u.size(); ++i) {
            u[i] += end.P[k] * piece.byForce[e][i];
            displacement[i] += end.sigma[k] * piece.byForce[e][i];
        }
        for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += f * piece.rowByForce[e][r];
    }
}

double ContactIntegrator::look(const RowState& end, double dt, std::vector<double>& margins) {
    m_work += price::kLook * visit();
    lookAhead(end, dt);
    const std::vector<double>& forces = m_space.impulses;
    const double largest = largestOf(forces);
    const std::vector<Patch>& patches = m_frame.patches();
    const double perForce = largest > 0 ? 1 / largest : 0;
    const std::size_t elements = m_problem.network().elements.size();
    const std::size_t firstBounded = m_modes.bears.size() + patches.size();
    const std::size_t firstTurning = firstBounded + m_modes.bounded.size();
    margins.assign(firstTurning + 2 * m_modes.rolling.size(), 1);
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        margins[firstBounded + k] =
            boundedMargin(k, forces[m_frame.boundedOf(k)], perForce, m_space.velocities, m_space.displacements);
    }
    for (std::size_t p = 0; p < patches.size(); ++p) lookAtPatch(p, dt, perForce, margins);
    for (std::size_t e = elements; e < m_piece.rows.laws.size(); ++e) {
        // What they bear is known; friction wants to know whether they do.
        const auto i = static_cast<std::size_t>(m_problem.contactOf(e));
        const Patch& patch = patches[m_frame.patchOf(i)];
        const bool isLooked = patch.friction > 0 || patch.resistsTurning();
        if (isLooked && end.phases[e].inContact() != (m_modes.bears[i] != 0)) margins[i] = -1;
    }
    return *std::min_element(margins.begin(), margins.end());
}

/// After lookAhead: margins of a patch and its points.
void ContactIntegrator::lookAtPatch(std::size_t p, double dt, double perForce, std::vector<double>& margins) {
    const Piece& piece = m_piece;
    const std::vector<Vector6>&u = m_space.velocities, &displacement = m_space.displacements;
    const std::vector<double>& forces = m_space.impulses;
    const double rest = restSpeed();
    const std::size_t firstTurning = m_modes.bears.size() + m_frame.patches().size() + m_modes.bounded.size();
    const Patch& patch = m_frame.patches()[p];
    double along = 0;
    bool bears = false;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        const std::size_t row = m_frame.normalOf(i);
        if (m_frame.isSoft(i)) {
            bears = bears || m_modes.bears[i];
            if (m_modes.bears[i]) {
                along += perForce * forces[row] * m_frame.slipDirection(i).dot(m_frame.slipVelocity(p, i, u));
            }
        } else if (m_modes.bears[i]) {
            bears = true;
            margins[i] = perForce * (forces[row] + piece.nothing) + kNoForce;
            // A point that just touches may seem to pull, by rounding: that is no sliding backwards.
            const double pressure = perForce * std::max(forces[row], 0.);
            along += pressure * m_frame.slipDirection(i).dot(m_frame.slipVelocity(p, i, u));
        } else {
            const double turned = dt * piece.turning[row];
            const double gap = m_problem.gap(i, displacement) + dt / 2 * turned;
            margins[i] = std::max((gap - kClosedGap / 2) / m_h, m_frame.rate(row, u) + turned + rest);
        }
    }
    if (bears && !m_modes.rolling.empty()) {
        const PatchLoad load = loadOf(m_frame, p, m_modes, forces);
        std::tie(margins[firstTurning + 2 * p], margins[firstTurning + 2 * p + 1]) =
            turningMargins(p, load, perForce, u);
    }
    double& margin = margins[m_modes.bears.size() + p];
    if (bears && m_modes.friction[p] == Friction::Sticks) {
        margin = perForce * (gripOf(m_frame, p, loadOf(m_frame, p, m_modes, forces)) + piece.nothing) + kNoForce;
    } else if (bears && m_modes.friction[p] == Friction::Slips && (m_isSliding[p] || m_frame.isSoft(patch.first))) {
        // What has just begun to slip has no speed yet. On rigid contacts it is looked at when it slides: creeping
        // stacks in single precision would change their state all the time.
        margin = m_isSliding[p] ? along : along + rest;
    }
}

// Where the first of the falling margins would be 0 if it fell at a constant rate, as a share of the interval.
double ContactIntegrator::firstCrossing(double before, double after) const {
    double share = 1;
    for (std::size_t k = 0; k < m_after.size(); ++k) {
        if (!(m_after[k] < 0)) continue;
        const double from = before * std::max(m_before[k], 0.);
        share = std::min(share, from / (from - after * m_after[k]));
    }
    return share;
}

void ContactIntegrator::locate(double& dt, RowState& end, std::vector<ContactEvent>& events) {
    look(m_space.start, 0, m_before);
    const double nearest = kLocated / 2 * m_h;
    double good = 0;
    // A side that stays again and again counts less and less, so that the other one comes closer too (Illinois).
    double before = 1, after = 1;
    double length = dt;
    bool isEnd = true;  // the events are those until dt
    // Where nothing has fallen by more than counts as closed it is found.
    const double closed = -kClosedGap / 2 / m_h;
    const auto isFound = [&] { return *std::min_element(m_after.begin(), m_after.end()) >= closed; };
    while (length > kLocated * m_h && !isFound()) {
        const double share = firstCrossing(before, after);
        const double middle = std::clamp(good + share * length, good + nearest, dt - nearest);
        solved(middle, events, m_space.there);
        if (m_isUnsolved) return;
        const bool wasEnd = isEnd;
        isEnd = look(m_space.there, middle, m_margins) < 0;
        if (isEnd) {
            dt = middle;
            std::swap(end, m_space.there);
            m_after.swap(m_margins);
            after = 1;
            before = wasEnd ? before / 2 : 1;
        } else {
            good = middle;
            m_before.swap(m_margins);
            before = 1;
            after = wasEnd ? 1 : after / 2;
        }
        length = dt - good;
    }
    if (!isEnd) solved(dt, events, end);
}

// What turns into another body closes before the displacements, which are straight, say so.
void ContactIntegrator::noteArrivals() {
    for (std::size_t i = 0; i < m_hasArrived.size(); ++i) m_hasArrived[i] = !m_modes.bears[i] && m_after[i] < 0;
}

double ContactIntegrator::stepLength() const {
    const Piece& piece = m_piece;
    const RowState& start = m_space.start;
    double fastest = 0;
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        if (!start.phases[e].inContact()) continue;
        const auto k = static_cast<Eigen::Index>(e);
        const ForceSlopes slopes = slopesInPhase(piece.rows.laws[e], start.phases[e], start.s[k], start.v[k]);
        fastest = std::max(fastest, std::abs(slopes.byS) * piece.W.row(k).cwiseAbs().sum());
    }
    const double most = m_problem.hasConstantLoad() ? m_h : m_h / kLoadSteps;
    return std::max(fastest > 0 ? std::min(most, kPhase / std::sqrt(fastest)) : most, m_h / kMostLooks);
}

void ContactIntegrator::accept(const RowState& end, double dt) {
    const Piece& piece = m_piece;
    m_work += price::kAccept * visit();
    std::vector<Vector6>& displacement = m_space.displacements;
    std::vector<double>& impulses = m_space.impulses;
    displacement.resize(m_now.u.size());
    impulses.resize(m_frame.rowCount());
    for (std::size_t i = 0; i < displacement.size(); ++i) {
        displacement[i] = dt * m_now.u[i] + pathOf(piece.load, i, dt);
        m_now.u[i] += gainOf(piece.load, i, dt);
    }
    for (std::size_t r = 0; r < impulses.size(); ++r) impulses[r] = gainOf(piece.rowLoad, r, dt);
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        if (!piece.isReady[e]) continue;
        const auto k = static_cast<Eigen::Index>(e);
        for (std::size_t i = 0; i < displacement.size(); ++i) {
            m_now.u[i] += end.P[k] * piece.byForce[e][i];
            displacement[i] += end.sigma[k] * piece.byForce[e][i];
        }
        for (std::size_t r = 0; r < impulses.size(); ++r) impulses[r] += end.P[k] * piece.rowByForce[e][r];
        m_problem.countElement(e, end.P[k], m_now);
    }
    m_now.heat += end.heat;
    m_now.s = end.s;
    m_now.z = end.z;
    m_problem.countRows(impulses, m_now);
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        const BoundedRow& row = m_problem.network().bounded[k];
        if (row.kind != BoundedRow::Kind::Motor) continue;
        // At its target the force may change, else the rate does.
        const bool isHeld = m_modes.bounded[k] == BoundedPhase::Held;
        const double push = pushOf(row, m_modes.bounded[k]);
        m_problem.countMotor(isHeld ? impulses[m_frame.boundedOf(k)] * row.targetRate
                                    : push * m_frame.rate(m_frame.boundedOf(k), displacement),
                             m_now);
    }
    m_problem.move(displacement, dt, m_now);
}

// As long as the modes hold, which the frame is factored for. Returns false if they have no solution.
bool ContactIntegrator::integrate() {
    prepare();
    std::vector<ContactEvent>& events = m_space.events;
    RowState& end = m_space.end;
    bool isHeld = true;
    while (isHeld && m_now.t < m_h && !isSpent()) {
        elementsNow(m_space.start);
        const double rest = m_h - m_now.t;
        double dt = std::min(rest, stepLength());
        solved(dt, events, end);
        if (m_isUnsolved) return false;
        for (const ContactEvent& event : events) {  // looks again where something begins to act
            if (event.begin && event.time > kLocated * m_h && event.time < dt) {
                dt = event.time;
                solved(dt, events, end);
                break;
            }
        }
        isHeld = look(end, dt, m_after) >= 0;
        std::fill(m_hasArrived.begin(), m_hasArrived.end(), false);
        if (!isHeld) {
            locate(dt, end, events);
            noteArrivals();
        }
        if (m_isUnsolved) return false;
        for (ContactEvent event : events) {
            if (event.element >= static_cast<int>(m_problem.network().elements.size())) continue;
            event.time += m_now.t;
            m_now.events.push_back(event);
        }
        accept(end, dt);
        if (dt == rest) m_now.t = m_h;
        if (isHeld && !m_problem.hasConstantLoad() && m_now.t < m_h) prepare();
    }
    return true;
}
}  // namespace elasto::flow
