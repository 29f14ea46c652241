#pragma once
// Small dense blocks of one body's six degrees of freedom: elimination without pivoting, all sizes known.

#include "bodies_now.h"

#include <cmath>
#include <type_traits>
#include <utility>

namespace elasto::flow {

using Block6 = Eigen::Matrix<double, 6, 6>;

/// @name Columns are handled two rows at a time: what lies below row k is the last kBelow[k] rows, with a zero in row k
/// where these are more than are wanted.
///@{
template <int k>
inline constexpr int kBelow = 6 - 2 * ((k + 1) / 2);

/// Calls f with 0, 1, ... 5 as constants.
template <class F>
inline void forEachColumn(const F& f) {
    [&]<int... k>(std::integer_sequence<int, k...>) {
        (f(std::integral_constant<int, k>()), ...);
    }
    (std::make_integer_sequence<int, 6>());
}

/// What of column k of L is below its diagonal.
template <int k>
inline Eigen::Matrix<double, kBelow<k>, 1> belowOf(const Block6& factors) {
    Eigen::Matrix<double, kBelow<k>, 1> below = factors.col(k).template tail<kBelow<k>>();
    if (k % 2 == 0) below[0] = 0;
    return below;
}
///@}

/// A = L U in place, L with ones on its diagonal, which then holds the reciprocals of U's.
/// @return false if a pivot's size is not larger than `smallest`, or not finite
inline bool factorInPlace(Block6& a, double smallest) {
    bool isRegular = true;
    forEachColumn([&](auto column) {
        constexpr int k = decltype(column)::value;
        const double pivot = a(k, k);
        isRegular = isRegular && std::abs(pivot) > smallest && std::abs(pivot) < 1e300;
        if (!isRegular) return;
        const double inverse = 1 / pivot;
        if constexpr (k < 5) {
            const Eigen::Matrix<double, kBelow<k>, 1> below = inverse * belowOf<k>(a);
            for (int i = k + 1; i < 6; ++i) a(i, k) = below[i - 6 + kBelow<k>];
            for (int j = k + 1; j < 6; ++j) a.col(j).template tail<kBelow<k>>() -= a(k, j) * below;
        }
        a(k, k) = inverse;
    });
    return isRegular;
}

/// x = L^-1 x with factors of factorInPlace.
inline void solveLower(const Block6& factors, Vector6& x) {
    forEachColumn([&](auto column) {
        constexpr int k = decltype(column)::value;
        if constexpr (k < 5) x.template tail<kBelow<k>>() -= x[k] * belowOf<k>(factors);
    });
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
    forEachColumn([&](auto column) {
        constexpr int k = decltype(column)::value;
        if constexpr (k < 5) {
            const Eigen::Matrix<double, kBelow<k>, 1> below = belowOf<k>(factors);
            for (int j = 0; j < 6; ++j) a.col(j).template tail<kBelow<k>>() -= a(k, j) * below;
        }
    });
}

/// a = a U^-1
inline void solveUpperFromRight(const Block6& factors, Block6& a) {
    for (int k = 0; k < 6; ++k) {
        a.col(k) *= factors(k, k);
        for (int j = k + 1; j < 6; ++j) a.col(j) -= factors(k, j) * a.col(k);
    }
}

/// c -= a b
inline void subtractProduct(const Block6& a, const Block6& b, Block6& c) {
    for (int j = 0; j < 6; ++j) {
        Vector6 column = c.col(j);
        for (int k = 0; k < 6; ++k) column -= b(k, j) * a.col(k);
        c.col(j) = column;
    }
}

}  // namespace elasto::flow
