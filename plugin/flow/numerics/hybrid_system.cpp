#include "numerics/hybrid_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

void HybridSystem::linearise(double t, const Eigen::VectorXd& y) {
    const Eigen::Index n = size();
    Eigen::VectorXd base(n), shifted(n);
    derivative(t, y, base);

    m_jacobian.resize(n, n);
    Eigen::VectorXd moved = y;
    for (Eigen::Index i = 0; i < n; ++i) {
        // Suits entries of order 1.
        moved[i] = y[i] + std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(y[i]), 1e-3);
        derivative(t, moved, shifted);
        m_jacobian.col(i) = (shifted - base) / (moved[i] - y[i]);  // the increment that rounding left
        moved[i] = y[i];
    }

    const double later = t + std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(t), 1e-3);
    derivative(later, y, shifted);
    m_timeDerivative = (shifted - base) / (later - t);
}

bool HybridSystem::factor(double g) {
    m_lu.compute(g * Eigen::MatrixXd::Identity(size(), size()) - m_jacobian);
    return isRegular(m_lu.matrixLU());
}

void HybridSystem::solve(Eigen::VectorXd& r) const {
    r = m_lu.solve(r).eval();
}

void HybridSystem::timeDerivative(Eigen::VectorXd& dfdt) const {
    dfdt = m_timeDerivative;
}

bool HybridSystem::isRegular(const Eigen::MatrixXd& factors) {
    for (Eigen::Index i = 0; i < factors.rows(); ++i) {
        if (!(std::abs(factors(i, i)) > 0) || !factors.row(i).allFinite()) return false;
    }
    return true;
}

}  // namespace elasto::flow
