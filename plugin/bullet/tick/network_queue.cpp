// Networks that Bullet's own solution does not need: solved when all groups are known, within the world's budget, and
// on several threads if the user asks for them.
//
// What a network may cost depends on what those before it have cost. On several threads networks are solved ahead of
// their turn, with what the first of them may cost, which is the most that any of them may; in its turn each is kept if
// less would have given the same bits (TickResult::leastCost), and solved again otherwise. So the bits are those of one
// thread.

#include "tick/network_queue.h"

#include <elasto/errors.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <limits>

#include "host/borrowed_rounding.h"
#include "network/finite_check.h"
#include "network/gather_multibodies.h"
#include "network/missed_contacts.h"
#include "network/multibody_tree.h"
#include "network/turning_loads.h"
#include "tick/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void NetworkQueue::begin(const Networks& networks, const WorldBudget& budget, double maxCost,
                         const btContactSolverInfo& info, const MultiBodyTable& table, const TickTime& time) {
    m_networks = &networks;
    m_info = &info;
    m_table = &table;
    m_time = time;
    m_budget = budget;
    m_maxCost = maxCost;
    m_costLeft = budget.cost;
    m_waiting.clear();
}

void NetworkQueue::spend(double cost) {
    m_costLeft = std::max(m_costLeft - cost, 0.);
}

void NetworkQueue::allot(SolvedNetwork& solved) const {
    solved.isShort = allotted() < m_maxCost;
    solved.settings.maxCost = std::min(m_maxCost, allotted());
}

void NetworkQueue::solveWithinBudget(std::size_t index, bool isAhead) {
    SolvedNetwork& solved = *(*m_networks)[index];
    allot(solved);
    if (solved.multi.isTree) {
        solveTrees(solved, index, isAhead);
    } else {
        solveMotion(solved, index, isAhead);
    }
    spend(solved.result.cost);
}

void NetworkQueue::sortWaiting() {
    const auto priorityOf = [&](std::size_t index) {
        int highest = std::numeric_limits<int>::min();
        for (std::size_t e = 0; e < (*m_networks)[index]->elementCount(); ++e) {
            highest = std::max(highest, (*m_networks)[index]->element(e).priority());
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
void NetworkQueue::solveWaiting(const JobRunner& jobs, const std::function<void(const SolvedNetwork&)>& note,
                                const Refused& refused) {
    sortWaiting();
    m_isAhead.assign(m_waiting.size(), 0);
    for (std::size_t place = 0; place < m_waiting.size(); ++place) {
        const double maxCost = std::min(m_maxCost, allotted());
        if (jobs && !isSolvedAhead(place, maxCost)) solveAhead(place, jobs);
        const std::size_t index = m_waiting[place];
        try {
            solveWithinBudget(index, isSolvedAhead(place, maxCost));
            note(*(*m_networks)[index]);
        } catch (const std::exception& error) {
            if (!refused) throw;
            refused(index, error);
            solveWithinBudget(index, false);
            note(*(*m_networks)[index]);
        }
    }
    m_waiting.clear();
}

// @param maxCost no more than it was solved with
bool NetworkQueue::isSolvedAhead(std::size_t place, double maxCost) const {
    if (m_isAhead[place] == 0) return false;
    const SolvedNetwork& solved = *(*m_networks)[m_waiting[place]];
    return (solved.multi.isTree ? solved.multi.result.leastCost : solved.result.leastCost) <= maxCost;
}

// From this place on, all that are not solved yet as their turn may ask for: until they have spent what is left. The
// first one is always among them.
void NetworkQueue::solveAhead(std::size_t first, const JobRunner& jobs) {
    const double maxCost = std::min(m_maxCost, allotted());
    m_flight.clear();
    for (std::size_t place = first; place < m_waiting.size(); ++place) {
        if (!isSolvedAhead(place, maxCost)) m_flight.push_back(place);
    }
    if (m_flight.size() < 2) return;
    growWorkspaces(m_networks->size());
    for (const std::size_t place : m_flight) {
        if ((*m_networks)[m_waiting[place]]->multi.isTree) growTreeWorkspaces(m_waiting[place] + 1);
    }

    const double left = m_costLeft > m_budget.freeShare ? m_costLeft : std::numeric_limits<double>::infinity();
    std::atomic<double> spent = 0;
    std::fenv_t rounding;
    std::fegetenv(&rounding);
    const auto solve = [&](std::size_t place) {
        const std::size_t index = m_waiting[place];
        SolvedNetwork& solved = *(*m_networks)[index];
        solved.settings.maxCost = maxCost;
        m_isAhead[place] = 0;
        if (solved.multi.isTree) {
            solveTreeTick(solved.multi.trees, solved.h, solved.settings, m_treeWorkspaces[index], solved.multi.result);
            spent += solved.multi.result.cost;
        } else {
            solveTick(solved.network, solved.h, solved.settings, m_workspaces[index], solved.result);
            spent += solved.result.cost;
        }
        m_isAhead[place] = 1;
    };
    const std::size_t perJob = std::clamp(m_flight.size() / kJobs, std::size_t{1}, kMostPerJob);
    const std::size_t count = (m_flight.size() + perJob - 1) / perJob;
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
    const JobRunner runner = jobs;  // the user's may replace itself
    runner(static_cast<int>(count), std::ref(job));
}

void NetworkQueue::growWorkspaces(std::size_t count) {
    while (m_workspaces.size() < count) m_workspaces.emplace_back();
}

void NetworkQueue::solve(const SolvedNetwork& solved, std::size_t index, double h, TickResult& result) {
    growWorkspaces(index + 1);
    try {
        solveTick(solved.network, h, solved.settings, m_workspaces[index], result);
    } catch (const InvalidNetwork& refused) {
        throw named(solved, refused);
    } catch (const InvalidParameter& error) {
        throw InvalidParameter(nameOf(solved), error.what());
    }
}

void NetworkQueue::solveMotion(SolvedNetwork& solved, std::size_t index, bool isAhead) {
    if (!isAhead) solve(solved, index, solved.h, solved.result);
    const bool turned = turnLoads(solved);
    if (setLoadsInside(solved, solved.result.bodies) || turned) solveAgain(solved, index);
    for (int round = 0; round < kMostRounds && addMissed(solved); ++round) solveAgain(solved, index);
    for (MovedMultiBody& moved : solved.multi.bodies) {
        readEnd(moved, solved.multi.bounds, solved.result, solved.h);
    }
}

// @return true if the motion that was found is none
bool NetworkQueue::addMissed(SolvedNetwork& solved) const {
    const std::vector<ContactPoint> missed = missedContacts(solved, *m_info);
    if (missed.empty()) return false;
    if (solved.multi.isTree) leaveTrees(*m_table, m_time, solved);
    addContacts(missed, solved);
    return true;
}

void NetworkQueue::solveAgain(SolvedNetwork& solved, std::size_t index) {
    const double cost = solved.result.cost, most = solved.result.mostCost;
    solve(solved, index, solved.h, solved.result);
    solved.result.cost += cost;
    solved.result.mostCost += most;
}

void NetworkQueue::growTreeWorkspaces(std::size_t count) {
    while (m_treeWorkspaces.size() < count) m_treeWorkspaces.emplace_back();
}

void NetworkQueue::solveTrees(SolvedNetwork& solved, std::size_t index, bool isAhead) {
    growTreeWorkspaces(index + 1);
    try {
        if (!isAhead) {
            solveTreeTick(solved.multi.trees, solved.h, solved.settings, m_treeWorkspaces[index], solved.multi.result);
        }
    } catch (const InvalidParameter& error) {
        throw InvalidParameter(nameOf(solved), error.what());
    }
    readTrees(solved);
    if (!addMissed(solved)) return;
    const double cost = solved.result.cost, most = solved.result.mostCost;
    solveMotion(solved, index);
    solved.result.cost += cost;
    solved.result.mostCost += most;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
