#include "constraints/elimination_order.h"

#include <algorithm>
#include <iterator>

namespace elasto::flow {

void EliminationOrder::make(int nodes, std::span<const Edge> edges) {
    if (nodes == size() && std::equal(edges.begin(), edges.end(), m_edges.begin(), m_edges.end())) return;
    m_edges.assign(edges.begin(), edges.end());
    const auto n = static_cast<std::size_t>(nodes);
    m_placeOf.assign(n, -1);
    m_nodeAt.clear();
    if (m_neighbours.size() < n) m_neighbours.resize(n);
    for (std::size_t i = 0; i < n; ++i) m_neighbours[i].clear();
    for (const auto& [one, other] : m_edges) {
        m_neighbours[static_cast<std::size_t>(one)].push_back(other);
        m_neighbours[static_cast<std::size_t>(other)].push_back(one);
    }
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<int>& list = m_neighbours[i];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    eliminate();
    listColumns();
}

void EliminationOrder::eliminate() {
    const std::size_t n = m_placeOf.size();
    for (std::size_t place = 0; place < n; ++place) {
        std::size_t best = n;
        for (std::size_t i = 0; i < n; ++i) {
            const bool isLess = best == n || m_neighbours[i].size() < m_neighbours[best].size();
            if (m_placeOf[i] < 0 && isLess) best = i;
        }
        m_placeOf[best] = static_cast<int>(place);
        m_nodeAt.push_back(static_cast<int>(best));
        const std::vector<int>& joined = m_neighbours[best];
        for (const int node : joined) {
            std::vector<int>& list = m_neighbours[static_cast<std::size_t>(node)];
            m_merged.clear();
            std::set_union(list.begin(), list.end(), joined.begin(), joined.end(), std::back_inserter(m_merged));
            const auto isGone = [&](int other) { return other == node || other == static_cast<int>(best); };
            m_merged.erase(std::remove_if(m_merged.begin(), m_merged.end(), isGone), m_merged.end());
            list.assign(m_merged.begin(), m_merged.end());
        }
    }
}

void EliminationOrder::listColumns() {
    m_entryBegin.clear();
    m_rowOf.clear();
    for (const int node : m_nodeAt) {
        m_entryBegin.push_back(entryCount());
        for (const int later : m_neighbours[static_cast<std::size_t>(node)]) {
            m_rowOf.push_back(m_placeOf[static_cast<std::size_t>(later)]);
        }
        std::sort(m_rowOf.begin() + m_entryBegin.back(), m_rowOf.end());
    }
    m_entryBegin.push_back(entryCount());
    m_targetBegin.clear();
    m_targets.clear();
    for (int place = 0; place < size(); ++place) {
        m_targetBegin.push_back(static_cast<int>(m_targets.size()));
        for (int k = entryBegin(place); k < entryBegin(place + 1); ++k) {
            for (int i = entryBegin(place); i < k; ++i) m_targets.push_back(entryOf(rowOf(i), rowOf(k)));
        }
    }
}

int EliminationOrder::entryOf(int earlier, int later) const {
    const auto begin = m_rowOf.begin() + entryBegin(earlier);
    const auto end = m_rowOf.begin() + entryBegin(earlier + 1);
    return static_cast<int>(std::lower_bound(begin, end, later) - m_rowOf.begin());
}

}  // namespace elasto::flow
