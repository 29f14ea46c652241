#pragma once

#include <limits>

namespace elasto::flow {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A time that does not come.
inline constexpr double kNever = kInfinity;

}  // namespace elasto::flow
