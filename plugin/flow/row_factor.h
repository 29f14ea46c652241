#pragma once
// Forces along rows that share bodies with a few others: G M^-1 G^T is small and mostly empty, and factored row by row.

#include <Eigen/Core>

#include <algorithm>
#include <span>
#include <vector>

namespace elasto::flow {

/// The matrix G M^-1 G^T of rows, symmetric and not negative, and its factors L D L^T. Rows that follow from one
/// another are harmless. Rows are ordered along the chains that the bodies form (reverse Cuthill-McKee), and of each
/// only what lies between its first entry and the diagonal is kept: in a chain of joints the cost grows with their
/// number.
///
/// Use: setBodies, add all entries, factor, then solve. Storage only grows.
class RowFactor {
public:
    /// Which rows act on which body: only those share entries. All entries become 0. The order is kept while this is
    /// the same.
    /// @param rowsOfBodies per body: how many rows, and the rows
    void setBodies(int rows, std::span<const int> rowsOfBodies);
    /// All entries become 0 again; rows and bodies stay.
    void clear() { std::fill(m_matrix.begin(), m_matrix.end(), 0); }
    /// Place of an entry, for addTo, until setBodies.
    std::size_t entryOf(int row, int other) const {
        const int i = m_placeOf[static_cast<std::size_t>(row)];
        const int j = m_placeOf[static_cast<std::size_t>(other)];
        return at(i < j ? j : i, i < j ? i : j);
    }
    void addTo(std::size_t entry, double value) { m_matrix[entry] += value; }
    /// Adds to the entries (row, other) and (other, row); each pair is given once.
    void add(int row, int other, double value) { addTo(entryOf(row, other), value); }
    void factor();

    /// Solves for forces with an error of 1e-12, from the rows that follow from others.
    void solve(Eigen::VectorXd& b) const;
    /// The same to rounding, as far as rows that follow from one another agree.
    void solveExactly(Eigen::VectorXd& b) const { refine(b, kExact); }
    /// The same as nearly as integration asks for: to 1e-10 of the largest right-hand side.
    void solveNearly(Eigen::VectorXd& b) const;

private:
    /// Share of the right-hand side below which what is missing does not matter, or is rounding.
    static constexpr double kNear = 1e-10;
    static constexpr double kExact = 1e-15;

    void refine(Eigen::VectorXd& b, double enough) const;
    std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(m_begin[static_cast<std::size_t>(row)] + column);
    }
    void order(int rows);
    void orderAlongChains();
    /// Calls visit(rows) with the rows of each body.
    template <class Visit>
    void forEachBody(const Visit& visit) const {
        for (std::size_t k = 0; k < m_structure.size(); k += static_cast<std::size_t>(m_structure[k]) + 1) {
            visit(std::span(m_structure).subspan(k + 1, static_cast<std::size_t>(m_structure[k])));
        }
    }
    void substitute(std::vector<double>& x) const;
    void subtractProduct(const std::vector<double>& x, std::vector<double>& from) const;

    std::vector<int> m_structure;  // of the present order
    std::vector<int> m_placeOf, m_rowAt;
    std::vector<int> m_first;        // column of a place's first entry
    std::vector<int> m_begin;        // where column 0 of a place would be
    std::vector<double> m_matrix;    // by places, rows of the lower triangle one after the other
    std::vector<double> m_lower;     // L in the same places, 1 / D on its diagonal
    std::vector<double> m_unscaled;  // of one row: L D
    std::vector<double> m_regular;   // by place: what was added to the diagonal
    bool m_isComplete = true;        // no row has been left out
    mutable std::vector<double> m_right, m_solution, m_missing;  // by place
};

}  // namespace elasto::flow
