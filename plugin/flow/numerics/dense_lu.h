#pragma once
// LU factors of small dense matrices, without what a library spends on being ready for large ones.

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

/// With exchange of rows.
class DenseLu {
public:
    /// Factors a square matrix. @return false if it is singular or not finite
    bool compute(const Eigen::MatrixXd& matrix);
    /// Solves in place; x has as many entries as the matrix has rows.
    void solve(double* x) const;

private:
    std::size_t m_size = 0;
    std::vector<double> m_columns;     ///< L below the diagonal, 1/U on it, U above, by columns
    std::vector<std::size_t> m_order;  ///< the row that was taken at each place
};

}  // namespace elasto::flow
