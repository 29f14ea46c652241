#include "numerics/dense_lu.h"

#include <cmath>
#include <utility>

namespace elasto::flow {

bool DenseLu::compute(const Eigen::MatrixXd& matrix) {
    const auto n = static_cast<std::size_t>(matrix.rows());
    m_size = n;
    m_columns.assign(matrix.data(), matrix.data() + n * n);
    m_order.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        double* pivotColumn = m_columns.data() + k * n;
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i) {
            if (std::abs(pivotColumn[i]) > std::abs(pivotColumn[best])) best = i;
        }
        m_order[k] = best;
        if (best != k) {
            for (std::size_t j = 0; j < n; ++j) std::swap(m_columns[j * n + k], m_columns[j * n + best]);
        }
        const double inverse = 1 / pivotColumn[k];
        if (!std::isfinite(inverse) || inverse == 0) return false;
        pivotColumn[k] = inverse;
        for (std::size_t i = k + 1; i < n; ++i) pivotColumn[i] *= inverse;
        for (std::size_t j = k + 1; j < n; ++j) {
            double* column = m_columns.data() + j * n;
            const double factor = column[k];
            for (std::size_t i = k + 1; i < n; ++i) column[i] -= pivotColumn[i] * factor;
        }
    }
    return true;
}

void DenseLu::solve(double* x) const {
    const std::size_t n = m_size;
    for (std::size_t k = 0; k < n; ++k) {
        if (m_order[k] != k) std::swap(x[k], x[m_order[k]]);
    }
    // By columns: the sums do not wait for each other.
    for (std::size_t k = 0; k < n; ++k) {
        const double* column = m_columns.data() + k * n;
        const double value = x[k];
        for (std::size_t i = k + 1; i < n; ++i) x[i] -= column[i] * value;
    }
    for (std::size_t k = n; k-- > 0;) {
        const double* column = m_columns.data() + k * n;
        const double value = x[k] * column[k];
        x[k] = value;
        for (std::size_t i = 0; i < k; ++i) x[i] -= column[i] * value;
    }
}

}  // namespace elasto::flow
