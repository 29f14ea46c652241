// What the elements of a network feel between two changes of its contacts.

#include "contact/contact_integrator.h"

#include "contact/tuning.h"
#include "numerics/cost_model.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

/// Takes out what integration has left of rates that are held.
void ContactIntegrator::project(BlockFactor& factor, double most) {
    std::vector<double>&wanted = m_space.wanted, &impulses = m_space.impulses;
    std::vector<Vector6>& change = m_space.change;
    m_frame.rates(m_now.u, true, wanted);
    for (double& w : wanted) w = -w;
    impulses.resize(wanted.size());
    change.resize(m_now.u.size());
    if (factor.solve(wanted, impulses, change) > most) return;
    strike(impulses, change);
}

void ContactIntegrator::holdBack(std::vector<Vector6>& accelerations, std::vector<double>& forces) {
    std::vector<double>& wanted = m_space.wanted;
    std::vector<Vector6>& change = m_space.change;
    m_frame.rates(accelerations, false, wanted);
    for (double& w : wanted) w = -w;
    forces.resize(wanted.size());
    change.resize(accelerations.size());
    m_frame.factor().solve(wanted, forces, change);
    for (std::size_t i = 0; i < accelerations.size(); ++i) accelerations[i] += change[i];
}

void ContactIntegrator::prepare() {
    Piece& piece = m_piece;
    rowModes(m_frame, m_modes, m_space.rows);
    project(m_frame.factor());
    m_frame.gammas(m_now.u, piece.gammas);
    piece.gammaForces.assign(piece.gammas.size(), 0);
    piece.turning = piece.gammas;
    if (std::any_of(piece.gammas.begin(), piece.gammas.end(), [](double gamma) { return gamma != 0; })) {
        std::vector<double>& wanted = m_space.wanted;
        wanted.clear();
        for (const double gamma : piece.gammas) wanted.push_back(-gamma);
        m_space.change.resize(m_now.u.size());
        m_frame.factor().solve(wanted, piece.gammaForces, m_space.change);
        for (std::size_t r = 0; r < piece.turning.size(); ++r) piece.turning[r] += m_frame.rate(r, m_space.change);
    }
    piece.nothing = forceOfNothing();
    m_work += price::kPrepare * visit();
    piece.rows.laws = m_problem.laws();
    piece.rows.hasBalance = false;
    prepareElements();
    prepareLoads();
}

double ContactIntegrator::forceOfNothing() const {
    double response = 0;
    for (std::size_t i = 0; i < m_modes.bears.size(); ++i) {
        if (m_modes.bears[i]) response = std::max(response, m_frame.factor().response(m_frame.normalOf(i)));
    }
    return response > 0 ? m_rest / (m_h * response) : 0;
}

/// The modes were found by solving for everything that acts. What loads alone do need not be solved for, if what each
/// element does is known, and nothing else acts.
void ContactIntegrator::noteTotal(const ContactTask& task, const ContactAnswer& answer) {
    const auto isZero = [](double value) { return value == 0; };
    const bool isAll =
        m_modes.bounded.empty() && task.pressure.empty() && std::all_of(task.wanted.begin(), task.wanted.end(), isZero);
    if (!isAll) return;
    m_space.hasTotal = true;
    m_space.total = task.free;
    for (std::size_t i = 0; i < m_space.total.size(); ++i) m_space.total[i] += answer.change[i];
    m_space.totalForces = answer.impulses;
    m_space.elementForces.clear();
    for (std::size_t e = 0; e < m_problem.laws().size(); ++e) {
        m_space.elementForces.push_back(m_problem.forceOf(e, m_now));
    }
}

void ContactIntegrator::loadFromTotal() {
    Piece& piece = m_piece;
    piece.load[0] = m_space.total;
    piece.rowLoad[0] = m_space.totalForces;
    for (std::size_t e = 0; e < m_space.elementForces.size(); ++e) {
        const double force = m_space.elementForces[e];
        if (force == 0) continue;
        prepareElement(e);
        for (std::size_t i = 0; i < piece.load[0].size(); ++i) piece.load[0][i] -= force * piece.byForce[e][i];
        for (std::size_t r = 0; r < piece.rowLoad[0].size(); ++r) {
            piece.rowLoad[0][r] -= force * piece.rowByForce[e][r];
        }
    }
    m_space.hasTotal = false;  // loads may be others when a piece goes on
}

void ContactIntegrator::prepareLoads() {
    Piece& piece = m_piece;
    const std::size_t count = m_problem.laws().size();
    std::vector<double>& free = m_space.free;
    free.resize(count);
    piece.rows.a.setZero(static_cast<Eigen::Index>(count), 3);
    for (int k = 0; k < 3; ++k) {
        std::vector<Vector6>& load = piece.load[k];
        m_problem.load(m_now.t, k, load);
        if (k == 0) addPushes(m_frame, m_modes, load);
        piece.rowLoad[k].assign(m_frame.rowCount(), 0);
        if (k > 0 && m_problem.hasConstantLoad()) continue;
        for (std::size_t e = 0; e < count; ++e) free[e] = std::abs(m_problem.elementRate(e, load));
        if (k == 0 && m_space.hasTotal) {
            loadFromTotal();
            // What it is the difference of says what is rounding.
            for (std::size_t e = 0; e < count; ++e) {
                free[e] = std::max(free[e], std::abs(m_problem.elementRate(e, m_space.task.free)));
            }
        } else {
            holdBack(load, piece.rowLoad[k]);
        }
        for (std::size_t b = 0; k == 0 && b < m_modes.bounded.size(); ++b) {
            piece.rowLoad[0][m_frame.boundedOf(b)] += pushOf(m_problem.network().bounded[b], m_modes.bounded[b]);
        }
        for (std::size_t e = 0; e < count; ++e) {
            const double a = m_problem.elementRate(e, load);
            piece.rows.a(static_cast<Eigen::Index>(e), k) = std::abs(a) > kNoResponse * free[e] ? a : 0;
        }
    }
}

// What a force of an element does is found when it first acts.
void ContactIntegrator::prepareElements() {
    Piece& piece = m_piece;
    const std::size_t count = m_problem.laws().size();
    const auto n = static_cast<Eigen::Index>(count);
    piece.isReady.assign(count, false);
    if (piece.byForce.size() < count) piece.byForce.resize(count);
    if (piece.rowByForce.size() < count) piece.rowByForce.resize(count);
    piece.W.setZero(n, n);
    m_space.own.clear();
    for (std::size_t e = 0; e < count; ++e) m_space.own.push_back(m_problem.elementResponse(e));
}

void ContactIntegrator::prepareElement(std::size_t e) {
    Piece& piece = m_piece;
    if (piece.isReady[e]) return;
    piece.isReady[e] = true;
    std::vector<Vector6>& response = piece.byForce[e];
    std::vector<double>& forces = piece.rowByForce[e];
    response.assign(m_now.u.size(), Vector6::Zero());
    m_problem.addElement(e, 1, response);
    if (m_problem.contactOf(e) < 0) {
        holdBack(response, forces);
    } else {  // a force of 1 pulls
        const auto contact = static_cast<std::size_t>(m_problem.contactOf(e));
        std::vector<double>& riding = m_space.riding;
        riding.assign(m_frame.rowCount(), 0);
        riding[m_frame.normalOf(contact)] = -1;
        addSoftFriction(m_frame, m_modes, contact, -1, response, riding);
        holdBack(response, forces);
        for (std::size_t r = 0; r < riding.size(); ++r) forces[r] += riding[r];
    }
    const std::vector<double>& own = m_space.own;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const double w = -m_problem.elementRate(i, response);
        piece.W(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(e)) =
            std::abs(w) > kNoResponse * std::sqrt(own[i] * own[e]) ? w : 0;
    }
}

void ContactIntegrator::elementsNow(RowState& start) {
    start.resize(m_now.s.size());
    start.s = m_now.s;
    start.z = m_now.z;
    for (std::size_t e = 0; e < m_piece.rows.laws.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        start.v[k] = m_problem.elementRate(e, m_now.u);
        start.phases[e] = classify(m_piece.rows.laws[e], start.s[k], start.v[k], m_piece.rows.a(k, 0), start.z[k]);
        if (start.phases[e].inContact()) prepareElement(e);
    }
}

void ContactIntegrator::solved(double dt, std::vector<ContactEvent>& events, RowState& end) {
    const RowState& start = m_space.start;
    events.clear();
    if (m_piece.rows.size() == 0 || !(dt > 0)) {
        end = start;
        return;
    }
    const RowLog& log = m_space.outcome.log;
    const auto elements = static_cast<long>(m_piece.rows.laws.size());
    FlowSettings settings = m_settings;
    const long most = (m_mostWork - work()) / (price::kElementStep * elements);
    settings.maxSteps = static_cast<int>(std::clamp(most, 1L, static_cast<long>(m_settings.maxSteps)));
    for (bool areReady = false; !areReady;) {
        end = start;
        m_piece.rows.W.assign(m_piece.W);
        m_space.solver.solve(m_piece.rows, end, dt, settings, m_space.outcome);
        m_steps += log.steps;
        m_work += price::kElements + (price::kElement + price::kElementStep * log.steps) * elements;
        m_isUnsolved = m_isUnsolved || m_space.outcome.overBudget;
        if (m_isUnsolved) return;
        areReady = true;
        const auto require = [&](std::size_t e) {
            areReady = areReady && m_piece.isReady[e];
            prepareElement(e);
        };
        for (const ContactEvent& event : log.events) require(static_cast<std::size_t>(event.element));
        for (std::size_t e = 0; e < end.phases.size(); ++e) {
            if (end.phases[e].inContact()) require(e);
        }
    }
    events.assign(log.events.begin(), log.events.end());
}

}  // namespace elasto::flow
