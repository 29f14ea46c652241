#pragma once
// Small dense blocks of one body's six degrees of freedom: elimination without pivoting, all sizes known.

#include "bodies_now.h"

#include <cmath>

namespace elasto::flow {

using Block6 = Eigen::Matrix<double, 6, 6>;

/// A = L U in place, L with ones on its diagonal, which then holds the reciprocals of U's.
/// @return false if a pivot's size is not larger than `smallest`, or not finite
inline bool factorInPlace(Block6& a, double smallest) {
    for (int k = 0; k < 6; ++k) {
        const double pivot = a(k, k);
        if (!(std::abs(pivot) > smallest && std::abs(pivot) < 1e300)) return false;
        const double inverse = 1 / pivot;
        a(k, k) = inverse;
        for (int i = k + 1; i < 6; ++i) a(i, k) *= inverse;
        for (int j = k + 1; j < 6; ++j) {
            for (int i = k + 1; i < 6; ++i) a(i, j) -= a(i, k) * a(k, j);
        }
    }
    return true;
}

/// x = L^-1 x with factors of factorInPlace.
inline void solveLower(const Block6& factors, Vector6& x) {
    for (int k = 0; k < 6; ++k) {
        for (int i = k + 1; i < 6; ++i) x[i] -= factors(i, k) * x[k];
    }
}

/// x = U^-1 x
inline void solveUpper(const Block6& factors, Vector6& x) {
    for (int k = 5; k >= 0; --k) {
        x[k] *= factors(k, k);
        for (int i = 0; i < k; ++i) x[i] -= factors(i, k) * x[k];
    }
}

/// a = L^-1 a
inline void solveLower(const Block6& factors, Block6& a) {
    for (int k = 0; k < 6; ++k) {
        for (int j = 0; j < 6; ++j) {
            for (int i = k + 1; i < 6; ++i) a(i, j) -= factors(i, k) * a(k, j);
        }
    }
}

/// a = a U^-1
inline void solveUpperFromRight(const Block6& factors, Block6& a) {
    for (int k = 0; k < 6; ++k) {
        a.col(k) *= factors(k, k);
        for (int j = k + 1; j < 6; ++j) a.col(j) -= factors(k, j) * a.col(k);
    }
}

}  // namespace elasto::flow
