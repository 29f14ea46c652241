#pragma once
// Sorting that takes no memory.

#include <elasto/precision.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Sorts pointers into one array, which stand in its order at first. What is alike stays in that order, as with
/// std::stable_sort, which allocates.
template <class T, class IsBefore>
void sortSteadily(std::vector<const T*>& places, const IsBefore& isBefore) {
    if (std::is_sorted(places.begin(), places.end(), isBefore)) return;
    std::sort(places.begin(), places.end(),
              [&](const T* x, const T* y) { return isBefore(x, y) || (!isBefore(y, x) && std::less<>()(x, y)); });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
