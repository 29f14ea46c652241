#pragma once
// The networks of a tick that Bullet's own solution does not need, and what the world's budget leaves to whom.

#include <elasto/flow_tree.h>
#include <elasto/plugin.h>
#include <elasto/threads.h>

#include <functional>
#include <memory>
#include <vector>

#include "multibody/multibody_table.h"
#include "network/gather.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class NetworkQueue {
public:
    using Networks = std::vector<std::shared_ptr<SolvedNetwork>>;

    /// A new tick. @param networks of the tick; they have the same place in it and here
    /// @param info of the world's solver @param table of its multibodies; it must outlast the tick
    void begin(const Networks& networks, const WorldBudget& budget, double maxCost, const btContactSolverInfo& info,
               const MultiBodyTable& table, const TickTime& time);
    void clear() { m_waiting.clear(); }

    /// Something else has used up a part of the world's budget.
    void spend(double cost);
    /// Solves a network with what the budget leaves it.
    void solveNow(std::size_t index) { solveWithinBudget(index, false); }
    /// It is solved when all are known.
    void wait(std::size_t index) { m_waiting.push_back(index); }
    /// Makes of a network that could not be solved one that can be.
    using Refused = std::function<void(std::size_t index, const std::exception& error)>;
    /// @param jobs null: one after the other @param note is told of each that is solved, and may throw
    /// @param refused null: what a network throws is thrown
    void solveWaiting(const JobRunner& jobs, const std::function<void(const SolvedNetwork&)>& note,
                      const Refused& refused);

    /// Solves a network's bodies over a time h [s], which need not be the tick's. @throws InvalidParameter by name
    void solve(const SolvedNetwork& solved, std::size_t index, double h, TickResult& result);
    /// Loads that depend on the motion are those of the start at first, and then those along the motion that this gave.
    /// What this motion brings together that nobody watched is a contact, and the tick is solved again.
    /// @param isAhead the flow's part is done
    void solveMotion(SolvedNetwork& solved, std::size_t index, bool isAhead = false);

private:
    double allotted() const { return std::max(m_costLeft, m_budget.freeShare); }
    void allot(SolvedNetwork& solved) const;
    void solveWithinBudget(std::size_t index, bool isAhead);
    void solveAgain(SolvedNetwork& solved, std::size_t index);
    void solveTrees(SolvedNetwork& solved, std::size_t index, bool isAhead);
    bool addMissed(SolvedNetwork& solved) const;
    void sortWaiting();
    void solveAhead(std::size_t first, const JobRunner& jobs);
    bool isSolvedAhead(std::size_t place, double maxCost) const;
    void growWorkspaces(std::size_t count);
    void growTreeWorkspaces(std::size_t count);

    const Networks* m_networks = nullptr;
    const btContactSolverInfo* m_info = nullptr;
    const MultiBodyTable* m_table = nullptr;
    TickTime m_time;
    WorldBudget m_budget;
    double m_maxCost = 0;  // of a network
    double m_costLeft = 0;
    std::vector<std::size_t> m_waiting;       // by index
    std::vector<char> m_isAhead;              // by place in m_waiting: the flow has solved it, within some budget
    std::vector<std::size_t> m_flight;        // places in m_waiting of those that are solved ahead together
    std::vector<FlowWorkspace> m_workspaces;  // as the networks
    std::vector<TreeWorkspace> m_treeWorkspaces;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
