#pragma once
// Objects that are needed soon, and lie anywhere, begin their way from memory while others are worked on.

#include <elasto/precision.h>

#include <cstddef>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Of a list that is gone through, this many places ahead.
inline constexpr std::size_t kFetchAhead = 6;

template <class T>
void fetch(const T& object) {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < sizeof(T); at += kLine) {
        __builtin_prefetch(reinterpret_cast<const char*>(&object) + at);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
