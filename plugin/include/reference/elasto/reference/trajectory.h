#pragma once
/// @file trajectory.h
/// Time histories of named signals.

#include <string>
#include <string_view>
#include <vector>

namespace elasto {

/// A table of time histories: columns[i][k] is the value of signals[i] at time[k]. SI units.
struct Trajectory {
    std::vector<double> time;                  ///< [s], not falling; may repeat where a file has both sides of an event
    std::vector<std::string> signals;          ///< names as in a CSV header, without `time`
    std::vector<std::vector<double>> columns;  ///< one per signal, each as long as time

    /// Index of a signal, or -1.
    int find(std::string_view signal) const;
    /// Column of a signal. @throws std::out_of_range naming the signal
    const std::vector<double>& at(std::string_view signal) const;
};

}  // namespace elasto
