#pragma once
// A matrix of 6 x 6 blocks, one row and column of them per body, with blocks beside the diagonal where bodies share a
// row of a network; and its factors, in an order that fills in little.

#include "constraints/block6.h"
#include "constraints/elimination_order.h"

#include <span>
#include <vector>

namespace elasto::flow {

/// Use: make, clear, add to the blocks, eliminate, then substitute as often as needed. Storage only grows.
class BlockMatrix {
public:
    /// @param edges pairs of bodies that share a row; the order is kept while they are the same
    void make(int bodies, std::span<const EliminationOrder::Edge> edges);
    const EliminationOrder& order() const { return m_order; }

    /// The unit matrix. @param isSymmetric nothing above the diagonal is read then
    void clear(bool isSymmetric);
    /// Blocks by the place of a body, and by the entry of two places in the order: row of the later, column of the
    /// earlier one, and the other way round.
    Block6& diagonal(int place) { return m_diagonal[static_cast<std::size_t>(place)]; }
    Block6& lower(int entry) { return m_lower[static_cast<std::size_t>(entry)]; }
    Block6& upper(int entry) { return m_upper[static_cast<std::size_t>(entry)]; }

    /// Replaces the matrix by its factors. @return false if it has none; a symmetric sum of squares always has
    bool eliminate();
    /// x = K^-1 x, by place.
    void substitute(std::span<Vector6> x) const;

private:
    EliminationOrder m_order;
    bool m_isSymmetric = true;
    std::vector<Block6> m_diagonal, m_lower, m_upper;
};

}  // namespace elasto::flow
