#include "constraints/block_matrix.h"
#include "constraints/tuning.h"

#include <algorithm>

namespace elasto::flow {

void BlockMatrix::make(int bodies, std::span<const EliminationOrder::Edge> edges) {
    m_order.make(bodies, edges);
}

void BlockMatrix::clear(bool isSymmetric) {
    m_isSymmetric = isSymmetric;
    m_diagonal.assign(static_cast<std::size_t>(m_order.size()), Block6::Identity());
    m_lower.assign(static_cast<std::size_t>(m_order.entryCount()), Block6::Zero());
    m_upper.resize(m_lower.size());
    if (!m_isSymmetric) std::fill(m_upper.begin(), m_upper.end(), Block6::Zero());
}

bool BlockMatrix::eliminate() {
    for (int place = 0; place < m_order.size(); ++place) {
        Block6& own = m_diagonal[static_cast<std::size_t>(place)];
        if (!(m_isSymmetric ? factorSymmetricInPlace(own, kSmallestPivot) : factorInPlace(own, kSmallestPivot))) {
            return false;
        }
        int target = m_order.targetBegin(place);
        for (int k = m_order.entryBegin(place); k < m_order.entryBegin(place + 1); ++k) {
            Block6& lower = m_lower[static_cast<std::size_t>(k)];
            Block6& upper = m_upper[static_cast<std::size_t>(k)];
            if (m_isSymmetric) upper = lower.transpose();
            solveLower(own, upper);
            if (m_isSymmetric) {  // U = D L^T
                for (int j = 0; j < 6; ++j) lower.col(j) = own(j, j) * upper.row(j).transpose();
            } else {
                solveUpperFromRight(own, lower);
            }
            Block6& later = m_diagonal[static_cast<std::size_t>(m_order.rowOf(k))];
            m_isSymmetric ? subtractSymmetricProduct(lower, upper, later) : subtractProduct(lower, upper, later);
            for (int i = m_order.entryBegin(place); i < k; ++i) {
                const auto other = static_cast<std::size_t>(i);
                const auto changed = static_cast<std::size_t>(m_order.target(target++));
                subtractProduct(lower, m_upper[other], m_lower[changed]);
                if (!m_isSymmetric) subtractProduct(m_lower[other], upper, m_upper[changed]);
            }
        }
    }
    return true;
}

void BlockMatrix::substitute(std::span<Vector6> x) const {
    for (int place = 0; place < m_order.size(); ++place) {
        Vector6& y = x[static_cast<std::size_t>(place)];
        solveLower(m_diagonal[static_cast<std::size_t>(place)], y);
        for (int k = m_order.entryBegin(place); k < m_order.entryBegin(place + 1); ++k) {
            x[static_cast<std::size_t>(m_order.rowOf(k))].noalias() -= m_lower[static_cast<std::size_t>(k)] * y;
        }
    }
    for (int place = m_order.size() - 1; place >= 0; --place) {
        Vector6& y = x[static_cast<std::size_t>(place)];
        for (int k = m_order.entryBegin(place); k < m_order.entryBegin(place + 1); ++k) {
            y.noalias() -= m_upper[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(m_order.rowOf(k))];
        }
        solveUpper(m_diagonal[static_cast<std::size_t>(place)], y);
    }
}

}  // namespace elasto::flow
