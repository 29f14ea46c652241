#pragma once

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

}  // namespace elasto::flow
