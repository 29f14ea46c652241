#pragma once
// W = J M^-1 J^T of a network in element coordinates, by rows and without its zeros: elements that have no body in
// common do not move each other.

#include <Eigen/Core>

#include <span>
#include <vector>

namespace elasto::flow {

/// Where (i, j) is kept so is (j, i), if only as a zero.
class DelassusMatrix {
public:
    struct Entry {
        Eigen::Index column;
        double value;
    };

    void assign(const Eigen::MatrixXd& dense);

    /// From here on addRow fills it, row by row, and symmetrise ends that.
    void clear();
    /// @param entries in the order of their columns
    void addRow(std::span<const Entry> entries);
    /// Makes it symmetric: the mean of (i, j) and (j, i).
    void symmetrise();

    Eigen::Index size() const { return static_cast<Eigen::Index>(m_rowStart.size()) - 1; }
    std::span<const Entry> row(Eigen::Index i) const {
        const std::size_t begin = m_rowStart[static_cast<std::size_t>(i)];
        return {m_entries.data() + begin, m_rowStart[static_cast<std::size_t>(i) + 1] - begin};
    }
    double operator()(Eigen::Index i, Eigen::Index j) const;

    /// To the last bit.
    bool isSymmetric() const { return m_isSymmetric; }

    /// Rows and columns that have these indices in the whole matrix.
    /// @param placeOf of each of these indices, its place among them; others are not read
    void extract(const DelassusMatrix& whole, const std::vector<Eigen::Index>& indices,
                 const std::vector<Eigen::Index>& placeOf);

    Eigen::VectorXd times(const Eigen::VectorXd& x) const;
    Eigen::MatrixXd dense() const;

private:
    Entry* find(Eigen::Index i, Eigen::Index j);

    bool m_isSymmetric = true;
    std::vector<std::size_t> m_rowStart = {0};
    std::vector<Entry> m_entries;
};

}  // namespace elasto::flow
