#pragma once
// Which of many times comes first, when a few of them change: a knock-out tournament.

#include "numerics/infinity.h"

#include <cstddef>
#include <vector>

namespace elasto::flow {

/// Of equal times that of the lowest index. Its storage only grows.
class Tournament {
public:
    /// @param count of times, all of them never
    void reset(std::size_t count) {
        m_leaves = 1;
        while (m_leaves < count) m_leaves *= 2;
        m_times.assign(2 * m_leaves, kNever);
    }
    void set(std::size_t index, double time) {
        std::size_t node = m_leaves + index;
        while (m_times[node] != time) {
            m_times[node] = time;
            if (node == 1) return;
            const double other = m_times[node ^ 1];
            time = other < time ? other : time;
            node /= 2;
        }
    }
    double time() const { return m_times[1]; }
    /// Of the earliest; 0 if there is none.
    std::size_t index() const {
        std::size_t node = 1;
        while (node < m_leaves) {
            node *= 2;
            if (m_times[node] != m_times[node / 2]) ++node;
        }
        return node - m_leaves;
    }

private:
    std::size_t m_leaves = 1;
    std::vector<double> m_times;  // of node n the earlier of nodes 2 n and 2 n + 1; indices are the leaves
};

}  // namespace elasto::flow
