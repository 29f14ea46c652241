#pragma once
/// @file exact_rate.h
/// At which tick rate all ticks of a run would be exact.

#include <functional>
#include <optional>
#include <string>

namespace elasto::tools {

/// What came of the search.
struct ExactRate {
    std::optional<double> rate;  ///< [Hz] the lowest rate of those tried at which all ticks are exact
    double triedTo = 0;          ///< [Hz] the highest that has an answer; 0: none has
    bool isCut = false;          ///< higher ones were not, as they would have taken more work than allowed
};

/// "240 Hz makes them exact", or that no rate does, as far as was tried.
std::string textOf(const ExactRate& found);

/// Whether all ticks at one rate are exact.
enum class Exactness {
    All,      ///< all are
    NotAll,   ///< one is not
    Unknown,  ///< the work that was allowed ended before
};

/// Rates that are tried: 2, 4, 8 and 16 times the run's.
inline constexpr int kMostTimes = 16;
/// Work that the tries of a run may take together, in units of TickResult::cost: about ten seconds. A run that took
/// more may be tried for as much again.
inline constexpr double kAllowedWork = 3e7;
/// Tries rates until one is exact, the work ends, or there are no more.
/// @param rate of the run [Hz] @param work that may be done
/// @param attempt runs at a rate [Hz], and takes what that cost off the work that is left
ExactRate findExactRate(double rate, double work, const std::function<Exactness(double rate, double& work)>& attempt);

}  // namespace elasto::tools
