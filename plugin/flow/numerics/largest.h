#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <vector>

namespace elasto::flow {

/// The largest magnitude among values; 0 of none.
inline double largestOf(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

/// The largest magnitude among components of vectors.
template <int N>
double largestOf(const std::vector<Eigen::Matrix<double, N, 1>>& values) {
    double largest = 0;
    for (const auto& value : values) largest = std::max(largest, value.template lpNorm<Eigen::Infinity>());
    return largest;
}

}  // namespace elasto::flow
