#pragma once
// Symmetric matrices that may be singular, since some of their rows follow from others.

#include "numerics/tuning.h"

#include <Eigen/Cholesky>

namespace elasto::flow {

/// Solves A x = b, A positive semidefinite and b in its range. Rows that say the same share what it takes, by their
/// diagonals.
class RegularFactor {
public:
    void compute(const Eigen::MatrixXd& A) {
        m_exact = A;
        m_regular = A;
        for (Eigen::Index k = 0; k < A.rows(); ++k) m_regular(k, k) *= 1 + kRegular;
        m_factor.compute(m_regular);
    }
    Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
        Eigen::VectorXd x = m_factor.solve(b);
        x += m_factor.solve(b - m_exact * x);
        return x;
    }

private:
    Eigen::MatrixXd m_exact, m_regular;
    Eigen::LDLT<Eigen::MatrixXd> m_factor;
};

}  // namespace elasto::flow
