#pragma once
/// @file measure.h
/// Metrics of a run, from one signal's values at the ends of its ticks.

#include "base_scene.h"
#include "study.h"

#include <optional>
#include <string>
#include <vector>

namespace elasto::sweep {

/// Why a metric's `of` is refused and what the scene has; "" if it names something that the metric can look at.
std::string refusalOf(const Metric& metric, const std::vector<SignalName>& names);

/// Full name of the signal that a metric looks at, by the scene's own name for it or its full name; of PeakForce the
/// element's .f or .tau, of DissipatedEnergy its .heat or totalHeat.
/// @throws InputError naming the metric, its `of` and what there is
std::string signalOf(const Metric& metric, const std::vector<SignalName>& names);

/// Takes a signal's values one by one.
class Measure {
public:
    explicit Measure(const Metric& metric) : m_metric(metric) {}

    /// @param time [s], not falling; the first one is the start
    void add(double time, double value);
    /// The metric over all values so far, at least one. None: it never settled.
    std::optional<double> result() const;

private:
    std::optional<double> settlingTime() const;

    const Metric& m_metric;
    double m_min = 0;
    double m_max = 0;
    double m_start = 0;  ///< [s]
    double m_time = 0;   ///< of the last value [s]
    double m_last = 0;   ///< value
    double m_sum = 0;    ///< integral of the value, or of its square
    bool m_isEmpty = true;
    std::vector<double> m_times;  ///< SettlingTime only
    std::vector<double> m_values;
};

}  // namespace elasto::sweep
