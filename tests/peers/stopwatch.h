#pragma once
/// @file stopwatch.h
/// Processor time, which what else a machine does leaves nearly alone.

#include <time.h>

namespace elasto::peers {

/// Of this thread [s].
inline double processorTime() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace elasto::peers
