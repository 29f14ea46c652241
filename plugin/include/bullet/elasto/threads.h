#pragma once
/// @file threads.h
/// Threads on which a Plugin solves networks side by side.

#include <elasto/export.h>
#include <elasto/precision.h>

#include <functional>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Calls job(0), job(1), ... job(count - 1), each once, on any threads, and returns when all of them have returned.
/// They do not throw, do not wait for each other, and touch nothing of Bullet's. Low numbers first is best.
using JobRunner = std::function<void(int count, const std::function<void(int)>& job)>;

/// Largest number of threads that may be asked for.
inline constexpr int kMostThreads = 1024;

/// Jobs on up to so many threads of oneTBB, the calling one among them, in an arena of their own. No thread is started
/// before the first call. Never more than oneTBB lets the process have: one per core, or what tbb::global_control says.
/// @throws InvalidParameter unless 1 <= threads <= kMostThreads, or > 1 where Elasto was built without oneTBB
ELASTO_API JobRunner onThreads(int threads);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
