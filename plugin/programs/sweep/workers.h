#pragma once
/// @file workers.h
/// Several threads that work through the runs of a sweep.

#include "run_point.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace elasto::sweep {

/// What is done in between, on the calling thread.
struct Between {
    std::function<void(std::size_t run, const std::string& row)> done;  ///< a run's line, without a line feed
    std::function<bool()> proceed;                                      ///< about every 50 ms; false ends it
};

/// Does the runs, each thread with worlds of its own. Which thread does which run and when changes nothing in its row.
/// @param runs numbers, counted from 0 @param threads >= 1
/// @return false if it was ended; what was not complete then is not done
/// @throws what a thread or `done` threw; no thread runs any more then
bool doRuns(const Study& study, const BaseScene& base, const std::vector<std::size_t>& runs, int threads,
            const Between& between);

}  // namespace elasto::sweep
