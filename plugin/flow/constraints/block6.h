#pragma once
// Small dense blocks of one body's six degrees of freedom: elimination without pivoting, all sizes known.

#include "bodies/body_kinematics.h"

#include <cmath>
#include <type_traits>
#include <utility>

namespace elasto::flow {

using Block6 = Eigen::Matrix<double, 6, 6>;

/// @name Columns are handled two rows at a time.
///@{
/// Rows below row k, and with them row k itself where it takes that to have an even number.
template <int k>
inline constexpr int kBelow = 6 - 2 * ((k + 1) / 2);
/// Rows above row k, likewise.
template <int k>
inline constexpr int kAbove = 2 * ((k + 1) / 2);
/// Rows from row k on, and with them row k - 1 where it takes that.
template <int k>
inline constexpr int kFrom = 6 - 2 * (k / 2);

/// Calls f with first, ... last as constants.
template <int first, int last, class F>
inline void forEachColumn(const F& f) {
    [&]<int... k>(std::integer_sequence<int, k...>) {
        (f(std::integral_constant<int, first + k>()), ...);
    }
    (std::make_integer_sequence<int, last - first + 1>());
}

/// What of column k is below its diagonal, with 0 in row k. (A zero that is written over what was read would be waited
/// for: processors do not forward two stores to one load.)
template <int k>
inline Eigen::Matrix<double, kBelow<k>, 1> belowOf(const Block6& a) {
    constexpr int own = 1 - k % 2;
    Eigen::Matrix<double, kBelow<k>, 1> below;
    if constexpr (own == 1) below.template head<2>() = Eigen::Vector2d(0, a(k + 1, k));
    below.template tail<kBelow<k> - 2 * own>() = a.col(k).template tail<kBelow<k> - 2 * own>();
    return below;
}

/// What of column k is above its diagonal, with 0 in row k.
template <int k>
inline Eigen::Matrix<double, kAbove<k>, 1> aboveOf(const Block6& a) {
    constexpr int own = k % 2;
    Eigen::Matrix<double, kAbove<k>, 1> above;
    above.template head<kAbove<k> - 2 * own>() = a.col(k).template head<kAbove<k> - 2 * own>();
    if constexpr (own == 1) above.template tail<2>() = Eigen::Vector2d(a(k - 1, k), 0);
    return above;
}
///@}

/// Calls eliminate(k, 1 / pivot), k a constant, for one column after the other, and leaves the reciprocals of the
/// pivots on the diagonal.
/// @return false if a pivot's size is not larger than `smallest`, or not finite
template <class F>
inline bool forEachPivot(Block6& a, double smallest, const F& eliminate) {
    bool isRegular = true;
    forEachColumn<0, 5>([&](auto column) {
        constexpr int k = decltype(column)::value;
        const double pivot = a(k, k);
        isRegular = isRegular && std::abs(pivot) > smallest && std::abs(pivot) < 1e300;
        if (!isRegular) return;
        const double inverse = 1 / pivot;
        if constexpr (k < 5) eliminate(column, inverse);
        a(k, k) = inverse;
    });
    return isRegular;
}

/// A = L D U in place: L and U with ones on their diagonals, which holds the reciprocals of D.
/// @return see forEachPivot
inline bool factorInPlace(Block6& a, double smallest) {
    return forEachPivot(a, smallest, [&](auto column, double inverse) {
        constexpr int k = decltype(column)::value;
        const Eigen::Matrix<double, kBelow<k>, 1> below = inverse * belowOf<k>(a);
        for (int i = k + 1; i < 6; ++i) a(i, k) = below[i - 6 + kBelow<k>];
        for (int j = k + 1; j < 6; ++j) {
            a.col(j).template tail<kBelow<k>>() -= a(k, j) * below;
            a(k, j) *= inverse;
        }
    });
}

/// The same of a symmetric A, of which only what is not above the diagonal counts.
inline bool factorSymmetricInPlace(Block6& a, double smallest) {
    return forEachPivot(a, smallest, [&](auto column, double inverse) {
        constexpr int k = decltype(column)::value;
        const Eigen::Matrix<double, kBelow<k>, 1> own = belowOf<k>(a);
        const Eigen::Matrix<double, kBelow<k>, 1> below = inverse * own;
        forEachColumn<k + 1, 5>([&](auto later) {
            constexpr int j = decltype(later)::value;
            const double factor = own[j - 6 + kBelow<k>];
            a.col(j).template tail<kFrom<j>>() -= factor * below.template tail<kFrom<j>>();
        });
        for (int i = k + 1; i < 6; ++i) a(i, k) = a(k, i) = below[i - 6 + kBelow<k>];
    });
}

/// x = L^-1 x with factors of factorInPlace.
inline void solveLower(const Block6& factors, Vector6& x) {
    forEachColumn<0, 4>([&](auto column) {
        constexpr int k = decltype(column)::value;
        x.template tail<kBelow<k>>() -= x[k] * belowOf<k>(factors);
    });
}

/// x = (D U)^-1 x
inline void solveUpper(const Block6& factors, Vector6& x) {
    x.array() *= factors.diagonal().array();
    forEachColumn<0, 4>([&](auto column) {
        constexpr int k = 5 - decltype(column)::value;
        x.template head<kAbove<k>>() -= x[k] * aboveOf<k>(factors);
    });
}

/// a = L^-1 a
inline void solveLower(const Block6& factors, Block6& a) {
    forEachColumn<0, 4>([&](auto column) {
        constexpr int k = decltype(column)::value;
        const Eigen::Matrix<double, kBelow<k>, 1> below = belowOf<k>(factors);
        for (int j = 0; j < 6; ++j) a.col(j).template tail<kBelow<k>>() -= a(k, j) * below;
    });
}

/// a = a (D U)^-1
inline void solveUpperFromRight(const Block6& factors, Block6& a) {
    for (int k = 0; k < 6; ++k) {
        for (int j = k + 1; j < 6; ++j) a.col(j) -= factors(k, j) * a.col(k);
        a.col(k) *= factors(k, k);
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

/// The same where all are symmetric: what is above the diagonal of c is not to be used.
inline void subtractSymmetricProduct(const Block6& a, const Block6& b, Block6& c) {
    forEachColumn<0, 5>([&](auto at) {
        constexpr int j = decltype(at)::value;
        Eigen::Matrix<double, kFrom<j>, 1> column = c.col(j).template tail<kFrom<j>>();
        for (int k = 0; k < 6; ++k) column -= b(k, j) * a.col(k).template tail<kFrom<j>>();
        c.col(j).template tail<kFrom<j>>() = column;
    });
}

/// c += p q^T
inline void addProduct(const Vector6& p, const Vector6& q, Block6& c) {
    c.noalias() += p * q.transpose();
}

/// The same where p and q are parallel: what is above the diagonal of c is not to be used.
inline void addSymmetricProduct(const Vector6& p, const Vector6& q, Block6& c) {
    forEachColumn<0, 5>([&](auto at) {
        constexpr int j = decltype(at)::value;
        c.col(j).template tail<kFrom<j>>() += q[j] * p.template tail<kFrom<j>>();
    });
}

}  // namespace elasto::flow
