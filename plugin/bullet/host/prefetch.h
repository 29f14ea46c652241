#pragma once
// Objects that are needed soon, and lie anywhere, begin their way from memory while others are worked on.

#include <elasto/precision.h>

#include <cstddef>

#include "host/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What lies from one address to another.
inline void fetch(const void* begin, const void* end) {
    constexpr std::size_t kLine = 64;
    const auto* last = static_cast<const char*>(end);
    for (const auto* at = static_cast<const char*>(begin); at < last; at += kLine) __builtin_prefetch(at);
}

template <class T>
void fetch(const T& object) {
    fetch(&object, &object + 1);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
