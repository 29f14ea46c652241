#include "contact_course.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace elasto::flow {

namespace {

/// Rates that count as 0, relative to the largest speed, and at least [m/s].
constexpr double kRest = 1e-9;
constexpr double kSmallestRest = 1e-12;
/// Forces below this share of the largest one are rounding.
constexpr double kNoForce = 1e-8;
/// The largest share that modes found by sweeps may miss.
constexpr double kMostMissing = 0.2;
/// Modes are looked at after this phase of the fastest oscillation [rad], but not more often than so many times a tick.
constexpr double kPhase = 0.25;
constexpr double kMostLooks = 400;
/// Pieces in which loads that change count as constant for the energy balance.
constexpr double kLoadSteps = 16;
/// Share of the tick to which a change of modes is located.
constexpr double kLocated = 1e-11;
/// Responses below this share of the free ones are rounding: elements that press on what cannot move.
constexpr double kNoResponse = 1e-10;

/// Sweeps for an impact whose points are not found otherwise, and where they end.
constexpr int kSweeps = 400;
constexpr double kSettled = 1e-11;

/// Share of the largest speed by which a row that was let go may turn against its velocity over the tick, and the
/// shortest share of the tick after which a new frame is worth it.
constexpr double kTurned = 1e-4;
constexpr double kLeastPart = 1e-6;

/// Work of a factorisation per body, and of a solution per row.
constexpr long kPerBody = 30;
constexpr long kPerSolution = 8;
constexpr long kPerSweep = 3;

}  // namespace

struct ContactCourse::Piece {
    RowNetwork rows;
    std::vector<Vector6> load[3];    // accelerations of the bodies by powers of time since the piece began
    std::vector<double> rowLoad[3];  // forces of the rows
    // Of the rows where the piece began, see ContactFrame::gammas; and the forces that hold them against it. These do
    // not act in the frame's fixed directions, but at both ends of the tick, where velocities are turned into them and
    // out.
    std::vector<double> gammas, gammaForces;
    std::vector<std::vector<Vector6>> byForce;  // accelerations by a unit force of each element
    std::vector<std::vector<double>> rowByForce;
};

ContactCourse::ContactCourse(ContactProblem& problem, double h, const FlowSettings& settings, long work,
                             ContactState& state)
    : m_problem(problem), m_frame(problem.frame()), m_h(h), m_settings(settings), m_now(state), m_mostWork(work) {
    m_modes.bears.assign(problem.network().contacts.size(), false);
    for (const Patch& patch : m_frame.patches()) {
        m_modes.friction.push_back(patch.friction > 0 ? Friction::Sticks : Friction::None);
    }
    m_isSliding.assign(m_frame.patches().size(), false);
    startTurning();
    startBounded();
}

long ContactCourse::visit() const {
    return static_cast<long>(m_problem.network().contacts.size() + m_problem.network().bodies.size());
}

long ContactCourse::solution() const {
    return kPerBody * static_cast<long>(m_problem.network().bodies.size()) + kPerSolution * visit();
}

double ContactCourse::restSpeed() const {
    return std::max(kRest * m_problem.speed(m_h, m_now), kSmallestRest);
}

// Closed points that approach hit each other.
bool ContactCourse::rebound() {
    const std::vector<FlowContact>& contacts = m_problem.network().contacts;
    ContactTask task;
    task.isImpact = true;
    task.tolerance = restSpeed();
    task.free = m_now.u;
    task.wanted.assign(m_frame.rowCount(), 0);
    task.isClosed.assign(contacts.size(), false);
    bool isHit = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        task.isClosed[i] = !m_frame.isSoft(i) && m_problem.gap(i, m_now.way) <= kClosedGap;
        const double approach = -m_frame.rate(m_frame.normalOf(i), m_now.u);
        if (!task.isClosed[i] || approach <= task.tolerance) continue;
        isHit = true;
        m_modes.bears[i] = true;
        if (approach > contacts[i].restitutionVelocity) {
            task.wanted[m_frame.normalOf(i)] = contacts[i].restitution * approach;
        }
    }
    isHit = hitBounded(task) || isHit;
    if (!isHit) return false;
    task.mustSlip.assign(m_frame.patches().size(), false);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        if (m_modes.friction[p] == Friction::None) continue;
        m_modes.friction[p] = Friction::Sticks;
        const Patch& patch = m_frame.patches()[p];
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, m_now.u);
            if (slip.norm() > task.tolerance) {
                m_frame.setSlipDirection(i, slip.normalized());
                m_modes.friction[p] = Friction::Slips;
            }
        }
    }
    hitTurning(task);
    ++m_setChanges;
    auto answer = findModes(m_frame, task, m_modes);
    if (answer && isGaining(*answer)) {
        std::fill(task.wanted.begin(), task.wanted.end(), 0);
        answer = findModes(m_frame, task, m_modes);
    }
    m_work += task.trials * solution();
    if (answer) {
        for (std::size_t i = 0; i < m_now.u.size(); ++i) m_now.u[i] += answer->change[i];
        m_problem.countRows(answer->impulses, m_now);
        bookBounded(answer->impulses, answer->change);
    } else {
        sweepImpact(task);
    }
    return true;
}

void ContactCourse::sweepImpact(const ContactTask& task) {
    std::vector<double> wanted(task.isClosed.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        wanted[i] = task.isClosed[i] ? task.wanted[m_frame.normalOf(i)] : -std::numeric_limits<double>::infinity();
    }
    ContactSweeps sweeps(m_frame, wanted, true);
    sweepBounded(task, sweeps);
    m_work += kPerSweep * visit() * sweeps.run(m_now.u, kSweeps, kSettled);
    m_problem.countSweeps(sweeps, m_now);
    if (m_modes.bounded.empty()) return;
    std::vector<Vector6> change = m_now.u;
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= task.free[i];
    bookBounded(sweeps.links(), change);
}

// Points that touch and do not part bear if the forces press them.
bool ContactCourse::chooseModes() {
    const double rest = restSpeed();
    ContactTask task;
    task.free = m_problem.freeWithElements(m_now);
    double largest = 0;
    for (const Vector6& a : task.free) largest = std::max(largest, a.lpNorm<Eigen::Infinity>());
    task.tolerance = std::max(kRest * largest, kSmallestRest);
    m_frame.gammas(m_now.u, task.wanted);
    for (double& wanted : task.wanted) wanted = -wanted;
    task.isClosed.assign(m_problem.network().contacts.size(), false);
    task.mustSlip.assign(m_frame.patches().size(), false);
    const std::vector<char> touches = readSoft(task);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        bool slides = false;
        double pull = 0;  // acceleration that friction can have at most, up to a factor of order 1
        for (const int body : {patch.a, patch.b}) {
            if (body >= 0) pull += task.free[static_cast<std::size_t>(body)].lpNorm<Eigen::Infinity>();
        }
        chooseTurning(p, pull, task);
        const double caught = std::max(8 * rest, kCatchTime * m_h * patch.friction * pull);
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            task.isClosed[i] = !m_frame.isSoft(i) && m_problem.gap(i, m_now.way) <= kClosedGap &&
                               m_frame.rate(m_frame.normalOf(i), m_now.u) <= 4 * rest;
            m_modes.bears[i] = task.isClosed[i] || (!touches.empty() && touches[i]);
            if (!m_modes.bears[i] || patch.friction == 0) continue;
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, m_now.u);
            if (slip.norm() > caught) {
                slides = true;
                m_frame.setSlipDirection(i, slip.normalized());
            } else {
                m_frame.setSlipDirection(i, Eigen::Vector3d::Zero());
            }
        }
        if (patch.friction == 0) continue;
        m_isSliding[p] = task.mustSlip[p] = slides;
        m_modes.friction[p] = slides ? Friction::Slips : Friction::Sticks;
    }
    chooseBounded(task);
    m_isSwept = !findModes(m_frame, task, m_modes);
    m_work += task.trials * solution();
    if (!m_isSwept) return true;
    sweepModes(task);
    return m_frame.factor().factor(rowModes(m_frame, m_modes));
}

std::vector<char> ContactCourse::readSoft(ContactTask& task) const {
    if (!m_problem.hasSoftContacts()) return {};
    std::vector<char> touches(m_modes.bears.size(), false);
    task.pressure.assign(m_modes.bears.size(), 0);
    for (std::size_t e = m_problem.network().elements.size(); e < m_problem.laws().size(); ++e) {
        const auto i = static_cast<std::size_t>(m_problem.contactOf(e));
        bool isTouching = false;
        task.pressure[i] = m_problem.pressure(e, m_now, isTouching);
        touches[i] = isTouching;
    }
    return touches;
}

/// Modes as the forces have them that are found by sweeps.
void ContactCourse::sweepModes(const ContactTask& task) {
    std::vector<double> wanted(task.isClosed.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        wanted[i] = task.isClosed[i] ? task.wanted[m_frame.normalOf(i)] : -std::numeric_limits<double>::infinity();
    }
    ContactSweeps sweeps(m_frame, wanted, false);
    for (std::size_t i = 0; i < task.pressure.size(); ++i) {
        if (task.pressure[i] > 0) sweeps.setPressure(i, task.pressure[i]);
    }
    std::vector<double> gammas;
    m_frame.gammas(m_now.u, gammas);
    sweeps.setGammas(gammas);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        if (!task.mustSlip[p]) continue;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (!m_frame.slipDirection(i).isZero(0)) sweeps.setSliding(i, m_frame.slipDirection(i));
        }
    }
    turnSweeps(task, sweeps);
    sweepBounded(task, sweeps);
    std::vector<Vector6> accelerations = task.free;
    m_work += kPerSweep * visit() * sweeps.run(accelerations, kSweeps, kSettled);
    double largest = 0;
    for (const PointImpulse& point : sweeps.points()) largest = std::max(largest, point.normal);
    readSwept(task, sweeps, kNoForce * largest);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        bool slips = task.mustSlip[p];
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const PointImpulse& point = sweeps.points()[i];
            if (!m_frame.isSoft(i)) m_modes.bears[i] = point.normal > kNoForce * largest;
            const double most = m_problem.network().contacts[i].friction * point.normal;
            slips = slips || (m_modes.bears[i] && point.friction.norm() > (1 - kNoForce) * most);
        }
        if (m_modes.friction[p] == Friction::None) continue;
        m_modes.friction[p] = slips ? Friction::Slips : Friction::Sticks;
        if (!slips || task.mustSlip[p]) continue;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const Eigen::Vector3d& friction = sweeps.points()[i].friction;
            m_frame.setSlipDirection(i, friction.isZero(0) ? Eigen::Vector3d(Eigen::Vector3d::Zero())
                                                           : Eigen::Vector3d(-friction.normalized()));
        }
    }
    readTurning(task, sweeps);
}

/// Takes out what integration has left of rates that are held.
void ContactCourse::project(BlockFactor& factor, const std::vector<RowMode>& modes) {
    std::vector<double> wanted, impulses(m_frame.rowCount());
    std::vector<Vector6> change(m_now.u.size());
    m_frame.rates(m_now.u, true, wanted);
    double largest = 0;
    for (std::size_t r = 0; r < wanted.size(); ++r) {
        if (modes[r].isHeld) largest = std::max(largest, std::abs(wanted[r]));
        wanted[r] = -wanted[r];
    }
    if (largest < kSmallestRest) return;
    factor.solve(wanted, impulses, change);
    for (std::size_t i = 0; i < change.size(); ++i) m_now.u[i] += change[i];
    m_problem.countRows(impulses, m_now);
    bookBounded(impulses, change);
}

ContactCourse::Piece ContactCourse::prepare() {
    Piece piece;
    BlockFactor& factor = m_frame.factor();
    project(factor, rowModes(m_frame, m_modes));
    std::vector<double> wanted;
    std::vector<Vector6> change(m_now.u.size());
    m_frame.gammas(m_now.u, piece.gammas);
    piece.gammaForces.assign(piece.gammas.size(), 0);
    if (std::any_of(piece.gammas.begin(), piece.gammas.end(), [](double gamma) { return gamma != 0; })) {
        for (const double gamma : piece.gammas) wanted.push_back(-gamma);
        factor.solve(wanted, piece.gammaForces, change);
        m_work += solution();
    }
    const auto hold = [&](std::vector<Vector6>& free, std::vector<double>& forces) {
        m_frame.rates(free, false, wanted);
        for (double& w : wanted) w = -w;
        forces.resize(wanted.size());
        factor.solve(wanted, forces, change);
        for (std::size_t i = 0; i < free.size(); ++i) free[i] += change[i];
    };
    m_work += static_cast<long>(m_problem.laws().size() + 2) * solution();
    const std::size_t count = m_problem.laws().size();
    const auto m = static_cast<Eigen::Index>(count);
    piece.rows.laws = m_problem.laws();
    piece.rows.isSymmetric =
        std::none_of(m_modes.friction.begin(), m_modes.friction.end(), [](Friction f) { return f == Friction::Slips; });
    piece.rows.W = Eigen::MatrixXd::Zero(m, m);
    piece.rows.a = Eigen::MatrixXd::Zero(m, 3);
    for (int k = 0; k < 3; ++k) {
        std::vector<Vector6>& load = piece.load[k];
        load = m_problem.load(m_now.t, k);
        if (k == 0) addPushes(m_frame, m_modes, load);
        piece.rowLoad[k].assign(m_frame.rowCount(), 0);
        if (k > 0 && m_problem.hasConstantLoad()) continue;
        std::vector<double> free(count);
        for (std::size_t e = 0; e < count; ++e) free[e] = m_problem.elementRate(e, load);
        hold(load, piece.rowLoad[k]);
        for (std::size_t b = 0; k == 0 && b < m_modes.bounded.size(); ++b) {
            piece.rowLoad[0][m_frame.boundedOf(b)] += pushOf(m_problem.network().bounded[b], m_modes.bounded[b]);
        }
        for (std::size_t e = 0; e < count; ++e) {
            const double a = m_problem.elementRate(e, load);
            piece.rows.a(static_cast<Eigen::Index>(e), k) = std::abs(a) > kNoResponse * std::abs(free[e]) ? a : 0;
        }
    }
    std::vector<double> own(count);
    for (std::size_t e = 0; e < count; ++e) {
        std::vector<Vector6> response(m_now.u.size(), Vector6::Zero());
        m_problem.addElement(e, 1, response);
        own[e] = -m_problem.elementRate(e, response);
        std::vector<double> forces;
        if (m_problem.contactOf(e) < 0) {
            hold(response, forces);
        } else {  // a force of 1 pulls
            const auto contact = static_cast<std::size_t>(m_problem.contactOf(e));
            std::vector<double> riding(m_frame.rowCount(), 0);
            riding[m_frame.normalOf(contact)] = -1;
            addSoftFriction(m_frame, m_modes, contact, -1, response, riding);
            hold(response, forces);
            for (std::size_t r = 0; r < riding.size(); ++r) forces[r] += riding[r];
        }
        piece.byForce.push_back(std::move(response));
        piece.rowByForce.push_back(std::move(forces));
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            const double w = -m_problem.elementRate(i, piece.byForce[j]);
            piece.rows.W(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                std::abs(w) > kNoResponse * std::sqrt(own[i] * own[j]) ? w : 0;
        }
    }
    return piece;
}

RowState ContactCourse::elementsNow(const Piece& piece) const {
    RowState start;
    start.resize(m_now.s.size());
    start.s = m_now.s;
    start.z = m_now.z;
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        start.v[k] = m_problem.elementRate(e, m_now.u);
        start.phases[e] = classify(piece.rows.laws[e], start.s[k], start.v[k], piece.rows.a(k, 0));
    }
    return start;
}

void ContactCourse::solved(const Piece& piece, const RowState& start, double dt, std::vector<ContactEvent>& events,
                           RowState& end) {
    end = start;
    events.clear();
    if (piece.rows.size() == 0 || !(dt > 0)) return;
    m_solver.solve(piece.rows, end, dt, m_settings, m_outcome);
    events.assign(m_outcome.log.events.begin(), m_outcome.log.events.end());
    m_steps += m_outcome.log.steps;
    m_work += m_outcome.log.steps * static_cast<long>(piece.rows.laws.size());
}

namespace {

/// Coefficients of the way and of the gain of speed by loads.
template <class Load>
auto gainOf(const Load& load, std::size_t i, double dt) {
    return dt * (load[0][i] + dt * (load[1][i] / 2 + dt / 3 * load[2][i]));
}
template <class Load>
auto pathOf(const Load& load, std::size_t i, double dt) {
    return dt * dt * (load[0][i] / 2 + dt * (load[1][i] / 6 + dt / 12 * load[2][i]));
}

}  // namespace

double ContactCourse::look(const Piece& piece, const RowState& end, double dt, std::vector<double>& margins) {
    m_work += visit();
    std::vector<Vector6> u = m_now.u, way = m_now.way;
    for (std::size_t i = 0; i < u.size(); ++i) {
        way[i] += dt * m_now.u[i] + pathOf(piece.load, i, dt);
        u[i] += gainOf(piece.load, i, dt);
    }
    std::vector<double> forces = piece.rowLoad[0];
    for (std::size_t r = 0; r < forces.size(); ++r) {
        forces[r] += dt * (piece.rowLoad[1][r] + dt * piece.rowLoad[2][r]) + piece.gammaForces[r];
    }
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const double f = forceInPhase(piece.rows.laws[e], end.phases[e], end.s[k], end.v[k], end.z[k]);
        for (std::size_t i = 0; i < u.size(); ++i) {
            u[i] += end.P[k] * piece.byForce[e][i];
            way[i] += end.sigma[k] * piece.byForce[e][i];
        }
        for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += f * piece.rowByForce[e][r];
    }
    double largest = 0;
    for (const double force : forces) largest = std::max(largest, std::abs(force));
    const double rest = restSpeed();
    const std::vector<Patch>& patches = m_frame.patches();
    const double perForce = largest > 0 ? 1 / largest : 0;
    const std::size_t elements = m_problem.network().elements.size();
    const std::size_t firstBounded = m_modes.bears.size() + patches.size();
    const std::size_t firstTurning = firstBounded + m_modes.bounded.size();
    margins.assign(firstTurning + 2 * m_modes.rolling.size(), 1);
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        margins[firstBounded + k] = boundedMargin(k, forces[m_frame.boundedOf(k)], perForce, u, way);
    }
    for (std::size_t p = 0; p < patches.size(); ++p) {
        const Patch& patch = patches[p];
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
                margins[i] = perForce * forces[row] + m_missing;
                along += perForce * forces[row] * m_frame.slipDirection(i).dot(m_frame.slipVelocity(p, i, u));
            } else {
                const double turned = dt * piece.gammas[row];
                const double gap = m_problem.gap(i, way) + dt / 2 * turned;
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
            margin = perForce * gripOf(m_frame, p, loadOf(m_frame, p, m_modes, forces)) + m_missing;
        } else if (bears && m_modes.friction[p] == Friction::Slips && (m_isSliding[p] || m_frame.isSoft(patch.first))) {
            // What has just begun to slip has no speed yet. On rigid contacts it is looked at when it slides: creeping
            // stacks in single precision would change their state all the time.
            margin = m_isSliding[p] ? along : along + rest;
        }
    }
    for (std::size_t e = elements; e < piece.rows.laws.size(); ++e) {
        // What they bear is known; friction wants to know whether they do.
        const auto i = static_cast<std::size_t>(m_problem.contactOf(e));
        const Patch& patch = patches[m_frame.patchOf(i)];
        const bool isLooked = patch.friction > 0 || patch.resistsTurning();
        if (isLooked && end.phases[e].inContact() != (m_modes.bears[i] != 0)) margins[i] = -1;
    }
    return *std::min_element(margins.begin(), margins.end());
}

double ContactCourse::missingForce(const Piece& piece) {
    std::vector<double> margins;
    look(piece, elementsNow(piece), 0, margins);
    double least = 0;
    for (std::size_t i = 0; i < m_modes.bears.size(); ++i) {
        if (m_modes.bears[i]) least = std::min(least, margins[i]);
    }
    for (std::size_t p = 0; p < m_modes.friction.size(); ++p) {
        if (m_modes.friction[p] == Friction::Sticks) least = std::min(least, margins[m_modes.bears.size() + p]);
    }
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        const double margin = margins[m_modes.bears.size() + m_modes.friction.size() + k];
        if (m_modes.bounded[k] == BoundedPhase::Held) least = std::min(least, margin);
    }
    const std::size_t firstTurning = m_modes.bears.size() + m_modes.friction.size() + m_modes.bounded.size();
    for (std::size_t p = 0; p < m_modes.rolling.size(); ++p) {
        if (m_modes.rolling[p] == Friction::Sticks) least = std::min(least, margins[firstTurning + 2 * p]);
        if (m_modes.spinning[p] == Friction::Sticks) least = std::min(least, margins[firstTurning + 2 * p + 1]);
    }
    return -least;
}

void ContactCourse::locate(const Piece& piece, const RowState& start, double& dt, RowState& end,
                           std::vector<ContactEvent>& events) {
    look(piece, start, 0, m_before);
    const double nearest = kLocated / 2 * m_h;
    double good = 0;
    // A side that stays counts less and less, so that the other one comes closer too (Illinois).
    double before = 1, after = 1;
    double length = dt;
    for (int i = 1; length > kLocated * m_h; ++i) {
        // Where the first of the falling margins would be 0 if it fell at a constant rate.
        double share = 1;
        for (std::size_t k = 0; k < m_after.size(); ++k) {
            if (!(m_after[k] < 0)) continue;
            const double from = before * std::max(m_before[k], 0.);
            share = std::min(share, from / (from - after * m_after[k]));
        }
        if (i % 6 == 0) share = 0.5;
        const double middle = std::clamp(good + share * length, good + nearest, dt - nearest);
        solved(piece, start, middle, events, m_there);
        if (look(piece, m_there, middle, m_margins) < 0) {
            dt = middle;
            std::swap(end, m_there);
            m_after.swap(m_margins);
            after = 1;
            before /= 2;
        } else {
            good = middle;
            m_before.swap(m_margins);
            before = 1;
            after /= 2;
        }
        length = dt - good;
    }
    solved(piece, start, dt, events, end);
}

double ContactCourse::stepLength(const Piece& piece, const RowState& start) const {
    double fastest = 0;
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        if (!start.phases[e].inContact()) continue;
        const auto k = static_cast<Eigen::Index>(e);
        const ForceSlopes slopes = slopesInPhase(piece.rows.laws[e], start.phases[e], start.s[k], start.v[k]);
        fastest = std::max(fastest, std::abs(slopes.byS) * piece.rows.W.row(k).cwiseAbs().sum());
    }
    const double most = m_problem.hasConstantLoad() ? m_h : m_h / kLoadSteps;
    return std::max(fastest > 0 ? std::min(most, kPhase / std::sqrt(fastest)) : most, m_h / kMostLooks);
}

void ContactCourse::accept(const Piece& piece, const RowState& end, double dt) {
    std::vector<Vector6> way(m_now.u.size());
    std::vector<double> impulses(m_frame.rowCount());
    for (std::size_t i = 0; i < way.size(); ++i) {
        way[i] = dt * m_now.u[i] + pathOf(piece.load, i, dt);
        m_now.u[i] += gainOf(piece.load, i, dt);
    }
    for (std::size_t r = 0; r < impulses.size(); ++r) impulses[r] = gainOf(piece.rowLoad, r, dt);
    for (std::size_t e = 0; e < piece.rows.laws.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        for (std::size_t i = 0; i < way.size(); ++i) {
            m_now.u[i] += end.P[k] * piece.byForce[e][i];
            way[i] += end.sigma[k] * piece.byForce[e][i];
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
        m_problem.countMotor(
            isHeld ? impulses[m_frame.boundedOf(k)] * row.targetRate : push * m_frame.rate(m_frame.boundedOf(k), way),
            m_now);
    }
    m_problem.move(way, dt, m_now);
}

// As long as the modes hold, which the frame is factored for.
void ContactCourse::integrate() {
    Piece piece = prepare();
    // Modes of sweeps share friction and pressure in another way than the exact solution does.
    m_missing = 0;
    m_missing = m_isSwept ? std::clamp(2 * missingForce(piece), kNoForce, kMostMissing) : kNoForce;
    std::vector<ContactEvent> events;
    RowState end;
    bool isHeld = true;
    while (isHeld && m_now.t < m_h && !isSpent()) {
        const RowState start = elementsNow(piece);
        const double rest = m_h - m_now.t;
        double dt = std::min(rest, stepLength(piece, start));
        solved(piece, start, dt, events, end);
        for (const ContactEvent& event : events) {  // looks again where something begins to act
            if (event.begin && event.time > kLocated * m_h && event.time < dt) {
                dt = event.time;
                solved(piece, start, dt, events, end);
                break;
            }
        }
        isHeld = look(piece, end, dt, m_after) >= 0;
        if (!isHeld) locate(piece, start, dt, end, events);
        for (ContactEvent event : events) {
            if (event.element >= static_cast<int>(m_problem.network().elements.size())) continue;
            event.time += m_now.t;
            m_now.events.push_back(event);
        }
        accept(piece, end, dt);
        if (dt == rest) m_now.t = m_h;
        if (isHeld && !m_problem.hasConstantLoad() && m_now.t < m_h) piece = prepare();
    }
}

void ContactCourse::hold(const ContactModes& modes) {
    const std::vector<RowMode> rows = rowModes(m_frame, modes);
    if (m_frame.factor().factor(rows)) project(m_frame.factor(), rows);
}

// Rows that were held and are so no more turn away from where the frame has them.
bool ContactCourse::hasReleased(const ContactModes& before) const {
    const std::vector<RowMode> held = rowModes(m_frame, before), now = rowModes(m_frame, m_modes);
    std::vector<double> gammas;
    m_frame.gammas(m_now.u, gammas);
    const double least = kTurned * m_problem.speed(m_h, m_now) / m_h;
    for (std::size_t r = 0; r < held.size(); ++r) {
        if (held[r].isHeld && !now[r].isHeld && std::abs(gammas[r]) > least) return true;
    }
    return false;
}

bool ContactCourse::run(bool stopsAtRelease) {
    while (m_now.t < m_h) {
        ++m_setChanges;
        if (isSpent()) return false;
        const ContactModes before = m_modes;
        const bool isHit = rebound();
        if (!chooseModes()) return false;
        if (m_now.t == 0) m_firstModes = m_modes;
        if (stopsAtRelease && !isHit && m_now.t > kLeastPart * m_h && hasReleased(before)) {
            m_modes = before;
            return true;
        }
        integrate();
    }
    rebound();
    return true;
}

}  // namespace elasto::flow
