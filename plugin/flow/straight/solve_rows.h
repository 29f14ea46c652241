#pragma once
// Chooses the integrator of a straight network, watches the budget, and closes the energy balance.

#include "straight/row_network.h"
#include "straight/taylor.h"

namespace elasto::flow {

/// What became of a network in element coordinates.
struct RowOutcome {
    FlowMethod method = FlowMethod::Free;
    RowLog log;
    bool isUnbalanced = false;  ///< its energy does not close as it must, but is taken
    bool overBudget = false;
    double energyHandedOut = 0;
    double energyRepaired = 0;
    TickBalance balance;

    void clear();  ///< as new, but with its storage
};

/// Solves one network after another; its storage only grows.
class RowSolver {
public:
    /// Advances the state to h > 0. Elements that do not influence each other (W) are solved apart.
    void solve(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings, RowOutcome& outcome);

private:
    struct Group {
        std::vector<Eigen::Index> elements;
        RowNetwork network;
        RowState state;
    };

    void findGroups(const DelassusMatrix& W);
    TickBalance balanceOf(const RowNetwork& network, const RowState& state, double velocityFloor) const;
    bool integrateWell(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                       RowOutcome& outcome);
    void solveGroup(const RowNetwork& network, RowState& state, double h, const FlowSettings& settings,
                    RowOutcome& outcome);

    std::uint64_t m_number = 0;           // of the network whose groups are known
    std::vector<Eigen::Index> m_rootOf;   // by element: one of its group that comes before it, or itself
    std::vector<Eigen::Index> m_groupOf;  // of roots
    std::vector<Eigen::Index> m_placeOf;  // of elements, in their groups
    Eigen::VectorXd m_own;
    std::vector<Group> m_groups;
    std::size_t m_groupCount = 0;
    TaylorSolver m_taylor;
    RowState m_start, m_coarser;
    double m_startEnergy = 0;
    RowOutcome m_ofGroup, m_coarserOutcome;
};

}  // namespace elasto::flow
