#pragma once
// In which order the bodies of a network are eliminated from equations that join some of them, and where that fills in.

#include <array>
#include <span>
#include <vector>

namespace elasto::flow {

/// Minimum-degree order of a graph, with the structure of its triangular factors. Nodes get places in the order of
/// elimination; the column of a place lists the later places that are joined to it when it is eliminated.
///
/// Depends on nothing but the graph: of several nodes of the least degree the first one goes first.
class EliminationOrder {
public:
    using Edge = std::array<int, 2>;  ///< two different nodes

    /// Makes the order, unless it is that of the same graph already. Edges may repeat, in any direction.
    void make(int nodes, std::span<const Edge> edges);

    int size() const { return static_cast<int>(m_placeOf.size()); }
    const std::vector<int>& placeOf() const { return m_placeOf; }
    /// The entries of a place's column: from entryBegin(place) to entryBegin(place + 1), by row.
    int entryBegin(int place) const { return m_entryBegin[static_cast<std::size_t>(place)]; }
    int entryCount() const { return static_cast<int>(m_rowOf.size()); }
    int rowOf(int entry) const { return m_rowOf[static_cast<std::size_t>(entry)]; }
    /// The entry of two joined places, in the column of the earlier one.
    int entryOf(int earlier, int later) const;
    /// Eliminating a place changes the entries between the places of its column: for its entries k = 1, 2, ... the
    /// ones with its entries 0 to k - 1, from targetBegin(place) on.
    int targetBegin(int place) const { return m_targetBegin[static_cast<std::size_t>(place)]; }
    int targetCount() const { return static_cast<int>(m_targets.size()); }
    int target(int i) const { return m_targets[static_cast<std::size_t>(i)]; }

private:
    void eliminate();
    void listColumns();

    std::vector<Edge> m_edges;  // of the present order
    std::vector<int> m_placeOf, m_nodeAt;
    std::vector<std::vector<int>> m_neighbours;  // of a node: joined ones, those only that go later once it has gone
    std::vector<int> m_merged;
    std::vector<int> m_entryBegin, m_rowOf, m_targetBegin, m_targets;
};

}  // namespace elasto::flow
