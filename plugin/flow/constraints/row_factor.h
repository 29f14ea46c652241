#pragma once
// Forces along rows that share bodies with a few others: G M^-1 G^T is small and mostly empty, and factored joint by
// joint.

#include "constraints/elimination_order.h"

#include <Eigen/Core>

#include <algorithm>
#include <span>
#include <vector>

namespace elasto::flow {

/// The matrix G M^-1 G^T of rows, symmetric and not negative, and its factors L D L^T. Rows that follow from one
/// another are harmless. Rows between the same bodies, which are those of a joint or two, form blocks of three or six;
/// blocks that share a body are joined, and eliminated in an order that fills in little: in a chain of joints the cost
/// grows with their number.
///
/// Use: setBodies, add all entries, factor, then solve. Storage only grows.
class RowFactor {
public:
    /// Which rows act on which body: only those share entries. All entries become 0. The order is kept while this is
    /// the same.
    /// @param rowsOfBodies per body: how many rows, and the rows
    /// @param ballOf per row: the ball that it belongs to, or -1. The three rows of a ball follow one another, act on
    /// the same bodies and come into one block, one behind the other: their entries with any row, or with any ball,
    /// are equally far apart.
    void setBodies(std::span<const int> rowsOfBodies, std::span<const int> ballOf);
    /// All entries become 0 again; rows and bodies stay.
    void clear();
    /// Place of an entry, for addTo, until setBodies.
    std::size_t entryOf(int row, int other) const;
    void addTo(std::size_t entry, double value) { m_matrix[entry] += value; }
    /// By their places.
    double* entries() { return m_matrix.data(); }
    /// Adds to the entries (row, other) and (other, row); each pair is given once.
    void add(int row, int other, double value) { addTo(entryOf(row, other), value); }
    void factor();

    /// Solves for forces with an error of 1e-12, from the rows that follow from others.
    void solve(Eigen::VectorXd& b) const;
    /// The same to rounding. Where rows that follow from one another do not agree, what is nearest to what is wanted,
    /// and the forces for that.
    void solveExactly(Eigen::VectorXd& b) const { solveUpTo(b, kExact); }
    /// The same as nearly as integration asks for: to 1e-10 of the largest right-hand side.
    void solveNearly(Eigen::VectorXd& b) const { solveUpTo(b, kNear); }

private:
    /// Share of the right-hand side below which what is missing does not matter, or is rounding.
    static constexpr double kNear = 1e-10;
    static constexpr double kExact = 1e-15;

    /// Rows between the same bodies, by place in the order. Rows that are not there stand for themselves alone.
    struct Block {
        int size = 0;              // of rows: 3 or 6, with those that are not there
        std::size_t first = 0;     // place of its first row in vectors
        std::size_t diagonal = 0;  // of its own entries, lower triangle, by columns
    };

    void order();
    void findBlocks();
    template <int P>
    void factorBlock(std::size_t place, double least);
    template <int P>
    void eliminate(std::size_t place);
    void solveUpTo(Eigen::VectorXd& b, double enoughShare) const;
    void refine(double enough) const;
    void findLeft() const;
    void read(const Eigen::VectorXd& b) const;
    void write(const std::vector<double>& x, Eigen::VectorXd& b) const;
    void substitute(std::vector<double>& x) const;
    void subtractProduct(const std::vector<double>& x, std::vector<double>& from) const;
    std::size_t entryAt(int entry) const { return m_entries[static_cast<std::size_t>(entry)]; }

    // Of the present order:
    std::vector<int> m_structure;
    std::vector<int> m_ballOf;
    EliminationOrder m_order;  // of blocks
    // While they are ordered, by row or by block:
    std::vector<std::vector<int>> m_bodiesOf;
    std::vector<std::vector<int>> m_rowsOf;
    std::vector<EliminationOrder::Edge> m_edges;

    std::vector<Block> m_blocks;
    std::vector<int> m_blockOf;          // by row
    std::vector<std::size_t> m_placeOf;  // by row: in vectors
    std::vector<std::size_t> m_entries;  // where the entries of two blocks begin: row later, column earlier, by columns
    std::vector<std::size_t> m_missing;  // diagonal entries of rows that are not there
    std::size_t m_rows = 0;              // with these
    std::vector<double> m_matrix;
    std::vector<double> m_lower;                              // L in the same places, 1 / D on its diagonal
    std::vector<double> m_unscaled;                           // L D in the same places
    std::vector<double> m_regular;                            // by place: what was added to the diagonal
    bool m_isComplete = true;                                 // no row has been left out
    mutable std::vector<double> m_right, m_solution, m_left;  // by place
};

}  // namespace elasto::flow
