#include "contact_course.h"

#include "network_state.h"
#include "solve_rows.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

constexpr int kMostChanges = 60;
/// Gap up to which a point counts as closed [m].
constexpr double kClosed = 1e-9;
/// Rates that count as 0, relative to the largest speed, and at least [m/s].
constexpr double kRest = 1e-9;
constexpr double kSmallestRest = 1e-12;
/// Modes are looked at after this phase of the fastest oscillation [rad], but not more often than so many times a tick.
constexpr double kPhase = 0.25;
constexpr double kMostLooks = 400;
/// Share of the tick to which a change of modes is located.
constexpr double kLocated = 1e-12;
/// Responses below this share of the free ones are rounding: elements that press on what cannot move.
constexpr double kNoResponse = 1e-10;

}  // namespace

struct ContactCourse::Piece {
    RowNetwork rows;
    std::vector<Vector6> load[3];               // accelerations of the bodies by powers of time since the piece began
    std::vector<double> rowLoad[3];             // forces of the rows
    std::vector<std::vector<Vector6>> byForce;  // accelerations by a unit force of each element
    std::vector<std::vector<double>> rowByForce;
};

ContactCourse::ContactCourse(const FlowNetwork& network, const BodiesNow& middle, double h,
                             const FlowSettings& settings)
    : m_network(network), m_h(h), m_settings(settings), m_frame(network, middle) {
    for (const FlowBody& body : network.bodies) {
        Vector6 u;
        u << body.velocity, body.angularVelocity;
        m_u.push_back(u);
    }
    m_way.assign(m_u.size(), Vector6::Zero());
    readLoads(middle);
    readElements(middle);
    for (const FlowContact& contact : network.contacts) {
        m_gaps.push_back(measureContact(contact, motionOf(network, contact.a), motionOf(network, contact.b)).gap);
    }
    m_impulses.assign(m_frame.rowCount(), 0);
    m_modes.bears.assign(network.contacts.size(), false);
    for (const Patch& patch : m_frame.patches()) {
        m_modes.friction.push_back(patch.friction > 0 ? Friction::Sticks : Friction::None);
    }
    m_isSliding.assign(m_frame.patches().size(), false);
}

void ContactCourse::readLoads(const BodiesNow& middle) {
    for (auto& load : m_loads) load.assign(m_u.size(), Vector6::Zero());
    for (std::size_t i = 0; i < m_u.size(); ++i) {
        const FlowBody& body = m_network.bodies[i];
        if (body.isImmovable()) continue;
        const Eigen::Quaterniond& q = middle.motions[i].q;
        const Eigen::Vector3d forces[] = {body.force.constant, body.force.linear, body.force.quadratic};
        const Eigen::Vector3d torques[] = {body.torque.constant, body.torque.linear, body.torque.quadratic};
        for (int k = 0; k < 3; ++k) {
            m_loads[k][i] << linearResponse(body, forces[k]), loadResponse(body, q, torques[k]);
        }
        m_loads[0][i].tail<3>() += gyroscopicAcceleration(body, q, middle.motions[i].w);
        m_hasConstantLoad = m_hasConstantLoad && body.force.isConstant() && body.torque.isConstant();
    }
}

void ContactCourse::readElements(const BodiesNow& middle) {
    const auto count = static_cast<Eigen::Index>(m_network.elements.size());
    m_s.resize(count);
    m_z.resize(count);
    m_P = m_heat = Eigen::VectorXd::Zero(count);
    for (std::size_t e = 0; e < m_network.elements.size(); ++e) {
        const FlowElement& element = m_network.elements[e];
        m_laws.push_back(RowLaw::from(element.law));
        const auto k = static_cast<Eigen::Index>(e);
        const Row start = flow::rowOf(m_network, e);
        m_s[k] = start.s;
        m_z[k] = element.s_damper;
        const Row row = measureRow(element, middle.at(element.a), middle.at(element.b), start.s);
        BlockRow gradient{element.a, element.b};
        gradient.gradientA << -row.linear, row.angularA;
        gradient.gradientB << row.linear, row.angularB;
        m_elements.push_back(gradient);
    }
}

double ContactCourse::gapAt(std::size_t contact, std::span<const Vector6> ways) const {
    return m_gaps[contact] + m_frame.rate(m_frame.normalOf(contact), ways);
}

double ContactCourse::elementRate(std::size_t e, std::span<const Vector6> velocities) const {
    const BlockRow& row = m_elements[e];
    double rate = 0;
    if (row.a >= 0) rate += row.gradientA.dot(velocities[static_cast<std::size_t>(row.a)]);
    if (row.b >= 0) rate += row.gradientB.dot(velocities[static_cast<std::size_t>(row.b)]);
    return rate;
}

void ContactCourse::addElement(std::size_t e, double force, std::vector<Vector6>& accelerations) const {
    const BlockRow& row = m_elements[e];
    const auto add = [&](int body, const Vector6& gradient) {
        if (body < 0) return;
        const auto i = static_cast<std::size_t>(body);
        accelerations[i] += m_frame.response(i, -force * gradient);
    };
    add(row.a, row.gradientA);
    add(row.b, row.gradientB);
}

std::vector<Vector6> ContactCourse::loadAt(double t) const {
    std::vector<Vector6> load = m_loads[0];
    if (m_hasConstantLoad) return load;
    for (std::size_t i = 0; i < load.size(); ++i) load[i] += t * (m_loads[1][i] + t * m_loads[2][i]);
    return load;
}

double ContactCourse::speed() const {
    double speed = 0;
    for (std::size_t i = 0; i < m_u.size(); ++i) {
        speed = std::max({speed, m_u[i].lpNorm<Eigen::Infinity>(), m_h * m_loads[0][i].lpNorm<Eigen::Infinity>()});
    }
    return speed;
}

// Closed points that approach hit each other.
bool ContactCourse::rebound() {
    ContactTask task;
    task.isImpact = true;
    task.tolerance = std::max(kRest * speed(), kSmallestRest);
    task.free = m_u;
    task.wanted.assign(m_frame.rowCount(), 0);
    task.isClosed.assign(m_network.contacts.size(), false);
    bool isHit = false;
    for (std::size_t i = 0; i < m_network.contacts.size(); ++i) {
        const FlowContact& contact = m_network.contacts[i];
        task.isClosed[i] = gapAt(i, m_way) <= kClosed;
        const double approach = -m_frame.rate(m_frame.normalOf(i), m_u);
        if (!task.isClosed[i] || approach <= task.tolerance) continue;
        isHit = true;
        m_modes.bears[i] = true;
        if (approach > contact.restitutionVelocity) {
            task.wanted[m_frame.normalOf(i)] = contact.restitution * approach;
        }
    }
    if (!isHit) return true;
    task.mustSlip.assign(m_frame.patches().size(), false);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        if (m_modes.friction[p] == Friction::None) continue;
        m_modes.friction[p] = Friction::Sticks;
        const Patch& patch = m_frame.patches()[p];
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, m_u);
            if (slip.norm() > task.tolerance) {
                m_frame.setSlipDirection(i, slip.normalized());
                m_modes.friction[p] = Friction::Slips;
            }
        }
    }
    const auto answer = findModes(m_frame, task, m_modes);
    if (!answer) return false;
    ++m_setChanges;
    for (std::size_t i = 0; i < m_u.size(); ++i) m_u[i] += answer->change[i];
    for (std::size_t r = 0; r < m_impulses.size(); ++r) m_impulses[r] += answer->impulses[r];
    return true;
}

// Points that touch and do not part bear if the forces press them.
bool ContactCourse::chooseModes() {
    ContactTask task;
    const double rest = std::max(kRest * speed(), kSmallestRest);
    std::vector<Vector6> accelerations = loadAt(m_t);
    double largest = 0;
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const double v = elementRate(e, m_u);
        const Phase phase = classify(m_laws[e], m_s[k], v, 0);
        addElement(e, forceInPhase(m_laws[e], phase, m_s[k], v, m_z[k]), accelerations);
    }
    for (const Vector6& a : accelerations) largest = std::max(largest, a.lpNorm<Eigen::Infinity>());
    task.tolerance = std::max(kRest * largest, kSmallestRest);
    std::vector<double> rates;
    m_frame.rates(m_u, true, rates);
    task.wanted.assign(m_frame.rowCount(), 0);
    task.isClosed.assign(m_network.contacts.size(), false);
    task.mustSlip.assign(m_frame.patches().size(), false);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        bool slides = false;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            task.isClosed[i] = gapAt(i, m_way) <= kClosed && rates[m_frame.normalOf(i)] <= 4 * rest;
            m_modes.bears[i] = task.isClosed[i];
            if (!task.isClosed[i] || patch.friction == 0) continue;
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, m_u);
            if (slip.norm() > 8 * rest) {
                slides = true;
                m_frame.setSlipDirection(i, slip.normalized());
            } else if (slides) {
                m_frame.setSlipDirection(i, Eigen::Vector3d::Zero());
            }
        }
        if (patch.friction == 0) continue;
        m_isSliding[p] = task.mustSlip[p] = slides;
        m_modes.friction[p] = slides ? Friction::Slips : Friction::Sticks;
    }
    task.free = std::move(accelerations);
    return findModes(m_frame, task, m_modes).has_value();
}

ContactCourse::Piece ContactCourse::prepare() {
    Piece piece;
    BlockFactor& factor = m_frame.factor();
    const std::vector<RowMode> modes = rowModes(m_frame, m_modes);
    factor.factor(modes);
    std::vector<double> wanted;
    std::vector<Vector6> change(m_u.size());
    const auto hold = [&](std::vector<Vector6>& free, std::vector<double>& forces) {
        m_frame.rates(free, false, wanted);
        for (double& w : wanted) w = -w;
        forces.resize(wanted.size());
        factor.solve(wanted, forces, change);
        for (std::size_t i = 0; i < free.size(); ++i) free[i] += change[i];
    };
    // What integration has left of rates that are held.
    std::vector<double> jump(m_frame.rowCount());
    {
        m_frame.rates(m_u, true, wanted);
        for (double& w : wanted) w = -w;
        factor.solve(wanted, jump, change);
        for (std::size_t i = 0; i < m_u.size(); ++i) m_u[i] += change[i];
        for (std::size_t r = 0; r < jump.size(); ++r) m_impulses[r] += jump[r];
    }
    const auto m = static_cast<Eigen::Index>(m_elements.size());
    piece.rows.laws = m_laws;
    piece.rows.isSymmetric =
        std::none_of(m_modes.friction.begin(), m_modes.friction.end(), [](Friction f) { return f == Friction::Slips; });
    piece.rows.W = Eigen::MatrixXd::Zero(m, m);
    piece.rows.a = Eigen::MatrixXd::Zero(m, 3);
    for (int k = 0; k < 3; ++k) {
        std::vector<Vector6>& load = piece.load[k];
        load = m_loads[k];
        if (k == 0) load = loadAt(m_t);
        if (k == 1) {
            for (std::size_t i = 0; i < load.size(); ++i) load[i] += 2 * m_t * m_loads[2][i];
        }
        piece.rowLoad[k].assign(m_frame.rowCount(), 0);
        if (k > 0 && m_hasConstantLoad) continue;
        Eigen::VectorXd free(m);
        for (Eigen::Index e = 0; e < m; ++e) free[e] = elementRate(static_cast<std::size_t>(e), load);
        hold(load, piece.rowLoad[k]);
        for (Eigen::Index e = 0; e < m; ++e) {
            const double a = elementRate(static_cast<std::size_t>(e), load);
            piece.rows.a(e, k) = std::abs(a) > kNoResponse * std::abs(free[e]) ? a : 0;
        }
    }
    std::vector<double> own(m_elements.size());
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        std::vector<Vector6> response(m_u.size(), Vector6::Zero());
        addElement(e, 1, response);
        own[e] = -elementRate(e, response);
        std::vector<double> forces;
        hold(response, forces);
        piece.byForce.push_back(std::move(response));
        piece.rowByForce.push_back(std::move(forces));
    }
    for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index j = 0; j < m; ++j) {
            const auto k = static_cast<std::size_t>(i);
            const auto l = static_cast<std::size_t>(j);
            const double w = -elementRate(k, piece.byForce[l]);
            piece.rows.W(i, j) = std::abs(w) > kNoResponse * std::sqrt(own[k] * own[l]) ? w : 0;
        }
    }
    return piece;
}

// The contacts' state is what it was, dt after the piece's present start.
bool ContactCourse::holds(const Piece& piece, const RowState& state, double dt) const {
    std::vector<Vector6> u = m_u, way = m_way;
    std::vector<double> forces = piece.rowLoad[0];
    for (std::size_t i = 0; i < u.size(); ++i) {
        way[i] +=
            dt * (m_u[i] + dt * (piece.load[0][i] / 2 + dt * (piece.load[1][i] / 6 + dt / 12 * piece.load[2][i])));
        u[i] += dt * (piece.load[0][i] + dt * (piece.load[1][i] / 2 + dt / 3 * piece.load[2][i]));
    }
    for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += dt * (piece.rowLoad[1][r] + dt * piece.rowLoad[2][r]);
    double scale = 0;
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const double f = forceInPhase(m_laws[e], state.phases[e], state.s[k], state.v[k], state.z[k]);
        for (std::size_t i = 0; i < u.size(); ++i) {
            u[i] += state.P[k] * piece.byForce[e][i];
            way[i] += state.sigma[k] * piece.byForce[e][i];
        }
        for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += f * piece.rowByForce[e][r];
    }
    for (const double force : forces) scale = std::max(scale, std::abs(force));
    const double rest = std::max(kRest * speed(), kSmallestRest);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        double along = 0;
        bool bears = false;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const std::size_t row = m_frame.normalOf(i);
            if (m_modes.bears[i]) {
                bears = true;
                if (forces[row] < -1e-8 * scale) return false;
                along += forces[row] * m_frame.slipDirection(i).dot(m_frame.slipVelocity(p, i, u));
            } else if (gapAt(i, way) < kClosed / 2 && m_frame.rate(row, u) < -rest) {
                return false;
            }
        }
        if (!bears) continue;
        if (m_modes.friction[p] == Friction::Sticks &&
            gripOf(m_frame, p, loadOf(m_frame, p, m_modes, forces)) < -1e-8 * scale) {
            return false;
        }
        if (m_modes.friction[p] == Friction::Slips && m_isSliding[p] && along < 0) return false;
    }
    return true;
}

double ContactCourse::stepLength(const Piece& piece, const RowState& state) const {
    double fastest = 0;
    for (std::size_t e = 0; e < m_laws.size(); ++e) {
        if (!state.phases[e].inContact()) continue;
        const auto k = static_cast<Eigen::Index>(e);
        const ForceSlopes slopes = slopesInPhase(m_laws[e], state.phases[e], state.s[k], state.v[k]);
        fastest = std::max(fastest, std::abs(slopes.byS) * piece.rows.W.row(k).cwiseAbs().sum());
    }
    const double step = fastest > 0 ? kPhase / std::sqrt(fastest) : m_h;
    return std::max(step, m_h / kMostLooks);
}

void ContactCourse::accept(const Piece& piece, const RowState& state, double dt) {
    for (std::size_t i = 0; i < m_u.size(); ++i) {
        m_way[i] +=
            dt * (m_u[i] + dt * (piece.load[0][i] / 2 + dt * (piece.load[1][i] / 6 + dt / 12 * piece.load[2][i])));
        m_u[i] += dt * (piece.load[0][i] + dt * (piece.load[1][i] / 2 + dt / 3 * piece.load[2][i]));
    }
    for (std::size_t r = 0; r < m_impulses.size(); ++r) {
        m_impulses[r] += dt * (piece.rowLoad[0][r] + dt * (piece.rowLoad[1][r] / 2 + dt / 3 * piece.rowLoad[2][r]));
    }
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        for (std::size_t i = 0; i < m_u.size(); ++i) {
            m_u[i] += state.P[k] * piece.byForce[e][i];
            m_way[i] += state.sigma[k] * piece.byForce[e][i];
        }
        for (std::size_t r = 0; r < m_impulses.size(); ++r) m_impulses[r] += state.P[k] * piece.rowByForce[e][r];
        m_P[k] += state.P[k];
        m_heat[k] += state.heat[k];
        m_s[k] = state.s[k];
        m_z[k] = state.z[k];
    }
    m_t += dt;
}

/// @return true: the modes still hold at the tick's end
bool ContactCourse::integrate() {
    Piece piece = prepare();
    RowState start;
    const auto m = static_cast<Eigen::Index>(m_elements.size());
    start.resize(m);
    const auto startHere = [&] {
        start.resize(m);
        start.s = m_s;
        start.z = m_z;
        for (std::size_t e = 0; e < m_elements.size(); ++e) {
            const auto k = static_cast<Eigen::Index>(e);
            start.v[k] = elementRate(e, m_u);
            start.phases[e] = classify(m_laws[e], m_s[k], start.v[k], piece.rows.a(k, 0));
        }
    };
    const auto solved = [&](double dt, RowOutcome& outcome) {
        RowState state = start;
        outcome = {};
        if (m > 0 && dt > 0) outcome = solveRows(piece.rows, state, dt, m_settings);
        m_steps += outcome.log.steps;
        return state;
    };
    while (m_t < m_h) {
        startHere();
        double dt = std::min(m_h - m_t, stepLength(piece, start));
        RowOutcome outcome;
        RowState state = solved(dt, outcome);
        for (const ContactEvent& event : outcome.log.events) {  // look again where something begins to act
            if (event.begin && event.time > kLocated * m_h && event.time < dt) {
                dt = event.time;
                state = solved(dt, outcome);
                break;
            }
        }
        bool isHeld = holds(piece, state, dt);
        if (!isHeld) {
            double good = 0, bad = dt;
            while (bad - good > kLocated * m_h) {
                const double middle = 0.5 * (good + bad);
                const RowState there = solved(middle, outcome);
                (holds(piece, there, middle) ? good : bad) = middle;
            }
            dt = bad;
            state = solved(dt, outcome);
        }
        for (ContactEvent event : outcome.log.events) {
            event.time += m_t;
            m_events.push_back(event);
        }
        const double rest = m_h - m_t - dt;
        accept(piece, state, dt);
        if (rest <= 0) m_t = m_h;
        if (!isHeld) return m_t >= m_h;
        // Loads go on with the piece's time.
        if (!m_hasConstantLoad && m_t < m_h) piece = prepare();
    }
    return true;
}

bool ContactCourse::run() {
    while (m_t < m_h) {
        if (++m_setChanges > kMostChanges) return false;
        if (!rebound() || !chooseModes()) return false;
        integrate();
    }
    return rebound();
}

}  // namespace elasto::flow
