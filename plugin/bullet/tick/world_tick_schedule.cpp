// Networks that Bullet's own solution does not need: solved when all groups are known, within the world's budget, and
// on several threads if the user asks for them.
//
// What a network may cost depends on what those before it have cost. On several threads networks are solved ahead of
// their turn, with what the first of them may cost, which is the most that any of them may; in its turn each is kept if
// less would have given the same bits (TickResult::leastCost), and solved again otherwise. So the bits are those of one
// thread.

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <functional>
#include <limits>

#include "network/finite_check.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Networks that one job solves, so that the handing out of cheap ones costs little.
constexpr std::size_t kJobs = 256;
constexpr std::size_t kMostPerJob = 64;

constexpr double kImpactSpeed = 0.2;  // [m/s]: Bullet takes what is slower for rest
constexpr double kLongestLever = 10;  // by which a contact may bear more than all loads of its network

// Something has changed a body's speed by more than what holds it against its loads: what its network's contacts bore
// is not what bears it at rest.
bool hasStruck(const SolvedNetwork& solved) {
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (!solved.bodies[i].isMovable) continue;
        const FlowBody& start = solved.network.bodies[i];
        const Eigen::Vector3d loads = start.inverseMass * solved.network.loadImpulse(i, solved.h).head<3>();
        const Eigen::Vector3d change = solved.result.bodies[i].velocity - start.velocity;
        if ((change - loads).norm() > kImpactSpeed + loads.norm()) return true;
    }
    return false;
}

// Nor is what contacts bear that contradict joints: more than loads and elements can press them with.
bool isJammed(const SolvedNetwork& solved) {
    double pressed = 0, borne = 0;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (solved.bodies[i].isMovable) pressed += solved.network.loadImpulse(i, solved.h).head<3>().norm();
    }
    for (const ElementTick& element : solved.result.elements) pressed += std::abs(element.impulse);
    for (const ContactTick& contact : solved.result.contacts) borne = std::max(borne, contact.impulse);
    return borne > kLongestLever * pressed;
}

// Rounding mode and treatment of denormal numbers of the thread that asked, on one that helps it.
class BorrowedRounding {
public:
    explicit BorrowedRounding(const std::fenv_t& asking) {
        std::fegetenv(&m_own);
        std::fesetenv(&asking);
    }
    ~BorrowedRounding() { std::fesetenv(&m_own); }
    BorrowedRounding(const BorrowedRounding&) = delete;
    BorrowedRounding& operator=(const BorrowedRounding&) = delete;

private:
    std::fenv_t m_own;
};

}  // namespace

void WorldTick::allot(SolvedNetwork& solved) const {
    solved.isShort = allotted() < settings.maxCost;
    solved.settings.maxCost = std::min(settings.maxCost, allotted());
}

void WorldTick::solveWithinBudget(std::size_t index, bool isAhead) {
    SolvedNetwork& solved = *m_networks[index];
    allot(solved);
    if (solved.isTree) {
        solveTrees(solved, index, isAhead);
    } else {
        solveMotion(solved, index, isAhead);
    }
    m_costLeft = std::max(m_costLeft - solved.result.cost, 0.);
}

void WorldTick::sortWaiting() {
    const auto priorityOf = [&](std::size_t index) {
        int highest = std::numeric_limits<int>::min();
        for (std::size_t e = 0; e < m_networks[index]->elementCount(); ++e) {
            highest = std::max(highest, m_networks[index]->element(e).priority());
        }
        return highest;
    };
    const auto isBefore = [&](std::size_t x, std::size_t y) {
        const int px = priorityOf(x);
        const int py = priorityOf(y);
        return px > py || (px == py && x < y);
    };
    if (!std::is_sorted(m_waiting.begin(), m_waiting.end(), isBefore)) {
        std::sort(m_waiting.begin(), m_waiting.end(), isBefore);
    }
}

// When all groups are known, and so who comes first.
void WorldTick::solveWaiting() {
    sortWaiting();
    m_isAhead.assign(m_waiting.size(), 0);
    try {
        for (std::size_t place = 0; place < m_waiting.size(); ++place) {
            const double maxCost = std::min(settings.maxCost, allotted());
            if (jobRunner && !isSolvedAhead(place, maxCost)) solveAhead(place);
            solveWithinBudget(m_waiting[place], isSolvedAhead(place, maxCost));
            noteSolved(*m_networks[m_waiting[place]]);
        }
    } catch (...) {
        m_backup.restore();  // Bullet has given the others their new velocities
        m_multiBodies.restore();
        throw;
    }
    m_waiting.clear();
    m_backup.forget();
    for (const auto& solved : m_networks) {
        if (solved->isUncoupled) {
            continue;
        }
        const bool struck = hasStruck(*solved) || isJammed(*solved);
        for (std::size_t i = 0; i < solved->contacts.size(); ++i) {
            solved->contacts[i].hasStruck = struck;
            solved->contacts[i].impulse = solved->result.contacts[i].impulse;
            solved->contacts[i].contact.slack = solved->result.contacts[i].slack;
            solved->contacts[i].contact.creep = solved->result.contacts[i].creep;
            solved->contacts[i].compressed = -solved->result.contacts[i].gap;
            solved->contacts[i].contact.entered = 0;
        }
        m_contactMemory.note(solved->contacts);
    }
}

// @param maxCost no more than it was solved with
bool WorldTick::isSolvedAhead(std::size_t place, double maxCost) const {
    if (m_isAhead[place] == 0) return false;
    const SolvedNetwork& solved = *m_networks[m_waiting[place]];
    return (solved.isTree ? solved.treeResult.leastCost : solved.result.leastCost) <= maxCost;
}

// From this place on, all that are not solved yet as their turn may ask for: until they have spent what is left. The
// first one is always among them.
void WorldTick::solveAhead(std::size_t first) {
    const double maxCost = std::min(settings.maxCost, allotted());
    m_flight.clear();
    for (std::size_t place = first; place < m_waiting.size(); ++place) {
        if (!isSolvedAhead(place, maxCost)) m_flight.push_back(place);
    }
    if (m_flight.size() < 2) return;
    growWorkspaces(m_networks.size());
    for (const std::size_t place : m_flight) {
        if (m_networks[m_waiting[place]]->isTree) growTreeWorkspaces(m_waiting[place] + 1);
    }

    const double left = m_costLeft > budget.freeShare ? m_costLeft : std::numeric_limits<double>::infinity();
    std::atomic<double> spent = 0;
    std::fenv_t rounding;
    std::fegetenv(&rounding);
    const auto solve = [&](std::size_t place) {
        const std::size_t index = m_waiting[place];
        SolvedNetwork& solved = *m_networks[index];
        solved.settings.maxCost = maxCost;
        m_isAhead[place] = 0;
        if (solved.isTree) {
            solveTreeTick(solved.trees, solved.h, solved.settings, m_treeWorkspaces[index], solved.treeResult);
            spent += solved.treeResult.cost;
        } else {
            solveTick(solved.network, solved.h, solved.settings, m_workspaces[index], solved.result);
            spent += solved.result.cost;
        }
        m_isAhead[place] = 1;
    };
    const std::size_t perJob = std::clamp(m_flight.size() / kJobs, std::size_t{1}, kMostPerJob);
    const std::size_t jobs = (m_flight.size() + perJob - 1) / perJob;
    const auto job = [&](int number) {
        const BorrowedRounding borrowed(rounding);
        const std::size_t begin = static_cast<std::size_t>(number) * perJob;
        for (std::size_t i = begin; i < std::min(begin + perJob, m_flight.size()); ++i) {
            if (i > 0 && spent > left) return;
            try {
                solve(m_flight[i]);
            } catch (...) {  // it will throw again, in its turn
            }
        }
    };
    const JobRunner runner = jobRunner;  // the user's may replace itself
    runner(static_cast<int>(jobs), std::ref(job));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
