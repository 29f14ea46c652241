#include "contact/contact_integrator.h"

#include "contact/tuning.h"
#include "numerics/cost_model.h"
#include "numerics/largest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

ContactIntegrator::ContactIntegrator(ContactProblem& problem, double h, const FlowSettings& settings, long work,
                                     ContactState& state, ContactIntegratorSpace& space)
    : m_problem(problem),
      m_frame(problem.frame()),
      m_h(h),
      m_settings(settings),
      m_now(state),
      m_space(space),
      m_mostWork(work),
      m_workBefore(spentOnRows()) {
    m_modes.bears.assign(problem.network().contacts.size(), false);
    m_modes.friction.clear();
    for (const Patch& patch : m_frame.patches()) {
        m_modes.friction.push_back(patch.friction > 0 ? Friction::Sticks : Friction::None);
    }
    m_isSliding.assign(m_frame.patches().size(), false);
    m_hasArrived.assign(m_modes.bears.size(), false);
    m_isLifted = m_hasArrived;
    startTurning();
    startBounded();
}

long ContactIntegrator::visit() const {
    return price::partsOf(m_problem.network());
}

long ContactIntegrator::spentOnRows() const {
    return m_frame.work();
}

long ContactIntegrator::work() const {
    return m_work + spentOnRows() - m_workBefore;
}

long ContactIntegrator::solution() const {
    return kPerBody * static_cast<long>(m_problem.network().bodies.size()) + kPerSolution * visit();
}

void ContactIntegrator::limitTrials(ContactTask& task) const {
    const long left = (m_mostWork - work()) / solution();
    task.mostTrials = static_cast<int>(std::clamp(left, kFewestTrials, kMostTrials));
}

double ContactIntegrator::largestForce() const {
    return largestOf(m_space.search.answer.impulses);
}

bool ContactIntegrator::isSpent() const {
    return m_isUnsolved || m_setChanges > kMostChanges || work() > m_mostWork;
}

double ContactIntegrator::restSpeed() const {
    return std::max(kRest * m_problem.speed(m_h, m_now), kSmallestRest);
}

bool ContactIntegrator::isClosed(std::size_t i) const {
    return !m_frame.isSoft(i) && !m_isLifted[i] &&
           (m_hasArrived[i] || m_problem.gap(i, m_now.displacement) <= kClosedGap);
}

// A body that moves by itself may jump, and so may a prescribed rate: joints hand that on before anything else happens.
// What they give contacts to do is an impact then, whose friction is bounded by what presses. Together with points that
// bear and friction that sticks joints would be met by any force at all.
void ContactIntegrator::handOnJumps() {
    m_rest = restSpeed();
    double jump = 0;
    for (std::size_t r = 0; r < m_frame.jointCount(); ++r) {
        jump = std::max(jump, std::abs(m_frame.rate(r, m_now.u)));
    }
    const auto isDrive = [&](std::size_t k) {
        return m_modes.bounded[k] != BoundedPhase::Off && isPrescribed(m_problem.network().bounded[k]);
    };
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        if (isDrive(k)) jump = std::max(jump, std::abs(m_frame.excessRate(k, m_now.u)));
    }
    if (jump <= m_rest || jump <= leastJump()) return;
    std::vector<RowMode>& rows = m_space.rows;
    rows.assign(m_frame.rowCount(), RowMode());
    for (std::size_t r = 0; r < m_frame.jointCount(); ++r) rows[r] = RowMode::held();
    for (std::size_t k = 0; k < m_modes.bounded.size(); ++k) {
        if (isDrive(k)) rows[m_frame.boundedOf(k)] = RowMode::held();
    }
    m_work += price::kRebound * visit();
    // Drives that contradict each other are given up where all that holds is known.
    const double most = std::max(kContradiction * jump, m_rest);
    if (!m_frame.factor().factor(rows)) return;
    project(m_frame.factor(), most);
    m_now.phases.clear();
}

// What loads and friction make up for within a small share of the tick is no jump: joints have that much of what was
// put right since the tick before.
double ContactIntegrator::leastJump() {
    findPulls();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const double friction = m_frame.patches()[p].friction;
        const double share = friction > 0 ? std::min(friction, 1.) : 1;
        least = std::min(least, kCatchTime * m_h * share * m_space.pulls[p]);
    }
    for (const FlowContact& contact : m_problem.network().contacts) {
        if (contact.restitution > 0) least = std::min(least, contact.restitutionVelocity);
    }
    return least;
}

// What presses bodies together is what would bring their points there, were it not for the contact: less than what
// loads and elements do to a link alone, which its joints hold back.
void ContactIntegrator::findPulls() {
    std::vector<Vector6>& held = m_space.velocities;
    m_problem.freeInTheMean(m_now, m_h, held);
    if (m_frame.jointCount() > 0) {
        std::vector<RowMode>& rows = m_space.rows;
        rows.assign(m_frame.rowCount(), RowMode());
        std::fill_n(rows.begin(), m_frame.jointCount(), RowMode::held());
        m_work += price::kTrial * visit();
        if (m_frame.factor().factor(rows)) holdBack(held, m_space.impulses);
    }
    m_space.pulls.clear();
    for (const Patch& patch : m_frame.patches()) {
        double pull = 0;
        for (const int body : {patch.a, patch.b}) {
            if (body < 0) continue;
            const Vector6& a = held[static_cast<std::size_t>(body)];
            pull += (a.head<3>() + a.tail<3>().cross(patch.middle - m_frame.placeOf(static_cast<std::size_t>(body))))
                        .norm();
        }
        m_space.pulls.push_back(pull);
    }
}

// Patches slip where their closed points do so at the moment, and may stick.
void ContactIntegrator::slipAsNow(ContactTask& task) {
    task.mustSlip.assign(m_frame.patches().size(), false);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        if (m_modes.friction[p] == Friction::None) continue;
        m_modes.friction[p] = Friction::Sticks;
        const Patch& patch = m_frame.patches()[p];
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (!task.isClosed[i]) continue;
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, m_now.u);
            if (slip.norm() > task.tolerance) {
                m_frame.setSlipDirection(i, slip.normalized());
                m_modes.friction[p] = Friction::Slips;
            }
        }
    }
}

// Closed points that approach hit each other.
bool ContactIntegrator::rebound() {
    const std::vector<FlowContact>& contacts = m_problem.network().contacts;
    ContactTask& task = m_space.task;
    m_work += price::kRebound * visit();
    m_rest = restSpeed();
    task.clear();
    task.isImpact = true;
    task.tolerance = m_rest;
    task.free = m_now.u;
    task.wanted.assign(m_frame.rowCount(), 0);
    task.isClosed.assign(contacts.size(), false);
    bool isHit = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        task.isClosed[i] = isClosed(i);
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
    std::fill(m_hasArrived.begin(), m_hasArrived.end(), false);  // what parts after it may do so
    noteHit();
    slipAsNow(task);
    hitTurning(task);
    ++m_setChanges;
    limitTrials(task);
    const ContactAnswer* answer = findModes(m_frame, task, m_modes, m_space.search);
    m_work += task.trials * price::kTrial * visit();
    m_isUnsolved = answer == nullptr;
    if (m_isUnsolved) return true;
    strike(answer->impulses, answer->change);
    m_now.phases.clear();
    return true;
}

/// What impulses of the rows do at once.
void ContactIntegrator::strike(std::span<const double> impulses, std::span<const Vector6> change) {
    for (std::size_t i = 0; i < m_now.u.size(); ++i) m_now.u[i] += change[i];
    m_problem.countRows(impulses, m_now);
    bookBounded(impulses, change);
}

void ContactIntegrator::noteHit() {
    m_hits.between = m_now.t - m_hits.last < kSoon * m_h ? m_now.t - m_hits.last : 0;
    m_hits.last = m_now.t;
}

// What slips so slowly that it might stick, and would be turned back instead, slips on until it stops.
// @return whether there is any
bool ContactIntegrator::keepSlip(ContactTask& task) {
    bool isAny = false;
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        if (m_modes.friction[p] != Friction::Slips || task.mustSlip[p]) continue;
        const Patch& patch = m_frame.patches()[p];
        double along = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (m_modes.bears[i]) along += m_frame.slipDirection(i).dot(m_frame.slipVelocity(p, i, m_now.u));
        }
        if (along >= -m_rest) continue;
        isAny = true;
        m_isSliding[p] = task.mustSlip[p] = true;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const Eigen::Vector3d slip = m_frame.slipVelocity(p, i, m_now.u);
            m_frame.setSlipDirection(i, slip.norm() > m_rest ? Eigen::Vector3d(slip.normalized())
                                                             : Eigen::Vector3d(Eigen::Vector3d::Zero()));
        }
    }
    return isAny;
}

// Points that touch and do not part bear if the forces press them.
bool ContactIntegrator::chooseModes() {
    m_work += price::kChoose * visit();
    m_rest = restSpeed();
    m_space.hasTotal = false;
    ContactTask& task = m_space.task;
    task.clear();
    m_problem.freeWithElements(m_now, task.free);
    task.tolerance = std::max(kRest * largestOf(task.free), kSmallestRest);
    task.isClosed.assign(m_problem.network().contacts.size(), false);
    task.mustSlip.assign(m_frame.patches().size(), false);
    // Corners that hit in turn come back as fast as they left, and a little sooner each time.
    const double inTurn = m_hits.last == m_now.t ? m_hits.between : 0;
    std::vector<char>& touches = m_space.touches;
    readSoft(task, touches);
    findPulls();
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        bool slides = false;
        const double pull = m_space.pulls[p];
        chooseTurning(p, pull, task);
        const double caught = std::max(m_rest, m_catchTime * m_h * patch.friction * pull);
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            // What parts so slowly that it comes back at once if it is pressed bears.
            const bool bounces = m_problem.network().contacts[i].restitution > 0;
            const double parts = std::max(m_rest, (bounces ? 0 : inTurn) * pull);
            task.isClosed[i] = isClosed(i) && (m_hasArrived[i] || m_frame.rate(m_frame.normalOf(i), m_now.u) <= parts);
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
    const ContactAnswer* answer = nullptr;
    // Friction acts where the points are that bear, and those are known when the modes are.
    std::vector<double>& turning = m_space.turning;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        m_frame.bear(m_modes.bears);
        m_frame.gammas(m_now.u, turning);
        for (double& gamma : turning) gamma = -gamma;
        if (pass > 0 && turning == task.wanted) break;
        do {
            task.wanted = turning;
            task.trials = 0;
            limitTrials(task);
            answer = findModes(m_frame, task, m_modes, m_space.search);
            m_work += task.trials * price::kTrial * visit();
        } while (answer != nullptr && keepSlip(task));
        if (answer == nullptr) return false;
    }
    noteTotal(task, *answer);
    return true;
}

void ContactIntegrator::readSoft(ContactTask& task, std::vector<char>& touches) const {
    touches.clear();
    if (!m_problem.hasSoftContacts()) return;
    touches.assign(m_modes.bears.size(), false);
    task.pressure.assign(m_modes.bears.size(), 0);
    for (std::size_t e = m_problem.network().elements.size(); e < m_problem.laws().size(); ++e) {
        const auto i = static_cast<std::size_t>(m_problem.contactOf(e));
        bool isTouching = false;
        task.pressure[i] = m_problem.pressure(e, m_now, isTouching);
        touches[i] = isTouching;
    }
}

void ContactIntegrator::hold(const ContactModes& modes) {
    if (modes.friction.size() != m_frame.patches().size()) return;  // where they were found the normals were parallel
    m_frame.bear(modes.bears);
    rowModes(m_frame, modes, m_space.rows);
    if (m_frame.factor().factor(m_space.rows)) project(m_frame.factor());
}

// Rows that were held and are so no more turn away from where the frame has them.
bool ContactIntegrator::hasReleased(const ContactModes& before) {
    std::vector<RowMode>&held = m_space.rows, &now = m_space.otherRows;
    std::vector<double>& gammas = m_space.wanted;
    rowModes(m_frame, before, held);
    rowModes(m_frame, m_modes, now);
    m_frame.gammas(m_now.u, gammas);
    const double least = kTurned * m_problem.speed(m_h, m_now) / m_h;
    for (std::size_t r = 0; r < held.size(); ++r) {
        if (held[r].isHeld && !now[r].isHeld && std::abs(gammas[r]) > least) return true;
    }
    return false;
}

class ContactIntegrator::InModes final : public ForcesInModes {
public:
    explicit InModes(ContactIntegrator& integrator) : m_integrator(integrator) {}
    bool solve(ContactModes& modes) override {
        m_integrator.m_work += price::kTrial * m_integrator.visit();
        ContactIntegratorSpace& space = m_integrator.m_space;
        m_answer = solveModes(m_integrator.m_frame, space.task, modes, space.search);
        return m_answer != nullptr;
    }
    const std::vector<double>& forces() const override { return m_answer->impulses; }
    double acceleration(std::size_t row) const override { return m_answer->excess[row]; }

private:
    ContactIntegrator& m_integrator;
    const ContactAnswer* m_answer = nullptr;
};

// Friction of what hardly slips acts where the motion will have it act, and what else holds and bears holds with that.
bool ContactIntegrator::driveSlow() {
    ContactTask& task = m_space.task;
    SlowSlip& slow = m_space.slow;
    slow.begin(m_frame, m_space.pulls, m_h);
    slow.turn(m_frame, m_modes, m_now.u);
    if (!slow.isAny()) return true;
    InModes in(*this);
    if (!slow.drive(m_frame, m_modes, in)) return true;
    slow.turn(m_frame, m_modes, m_now.u);
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        task.mustSlip[p] = task.mustSlip[p] || m_modes.friction[p] == Friction::Slips;
    }
    task.wanted = m_space.turning;
    task.trials = 0;
    limitTrials(task);
    const bool isFound = findModes(m_frame, task, m_modes, m_space.search) != nullptr;
    m_work += task.trials * price::kTrial * visit();
    return isFound;
}

// The modes that hold from now on. @param turnsSlow friction of what hardly slips acts where the motion has it act
bool ContactIntegrator::findState(bool turnsSlow) {
    m_isLifted.assign(m_isLifted.size(), false);
    for (std::size_t p = 0; p <= m_frame.patches().size(); ++p) {
        if (chooseModes() && (!turnsSlow || driveSlow())) return true;
        if (isSpent() || !stopWedged()) return false;
    }
    return false;
}

bool ContactIntegrator::begin(Hits& hits) {
    m_hits = hits;
    m_catchTime = kCaught;
    handOnJumps();
    ++m_setChanges;
    rebound();
    const bool isFound = !isSpent() && findState(true) && !isSpent();
    hits = m_hits;
    if (isFound) hold(m_modes);
    return isFound;
}

bool ContactIntegrator::run(bool stopsAtRelease) {
    handOnJumps();
    while (m_now.t < m_h) {
        ++m_setChanges;
        if (isSpent()) return false;
        ContactModes& before = m_space.before;
        before = m_modes;
        const bool isHit = rebound();
        if (isSpent() || !findState(false) || isSpent()) return false;
        if (m_now.t == 0) m_space.firstModes = m_modes;
        if (stopsAtRelease && !isHit && m_now.t > kLeastPart * m_h && hasReleased(before)) {
            m_modes = before;
            return true;
        }
        if (!integrate()) return false;
    }
    rebound();
    return true;
}

}  // namespace elasto::flow
