#include "tube.h"

#include <elasto/reference/nrmse.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

namespace elasto::tools {

namespace {

constexpr double kFloor = 1e-6;      ///< of the largest range of a unit, as in NRMSE (compareSignals)
constexpr double kRounding = 1e-12;  ///< of the largest value of a unit, or of the unit itself, likewise

double rangeOf(const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return values.empty() ? 0 : *most - *least;
}

/// Value between rows. @param after the first row that is later than t, or the last one
double valueAt(const std::vector<double>& time, const std::vector<double>& values, double t) {
    const auto later = std::upper_bound(time.begin(), time.end(), t);
    if (later == time.end()) return values.back();
    if (later == time.begin()) return values.front();
    const auto k = static_cast<std::size_t>(later - time.begin());
    const double share = (t - time[k - 1]) / (time[k] - time[k - 1]);
    return values[k - 1] + share * (values[k] - values[k - 1]);
}

/// Largest value of a curve within a window that only moves forward.
class MovingLargest {
public:
    MovingLargest(const std::vector<double>& time, const std::vector<double>& values, double sign)
        : m_time(time), m_values(values), m_sign(sign) {}

    /// @return the largest of sign times the values from `low` to `high`
    double operator()(double low, double high) {
        for (; m_next < m_time.size() && m_time[m_next] <= high; ++m_next) {
            while (!m_rows.empty() && value(m_rows.back()) <= value(m_next)) m_rows.pop_back();
            m_rows.push_back(m_next);
        }
        while (!m_rows.empty() && m_time[m_rows.front()] < low) m_rows.pop_front();
        const double edges =
            std::max(m_sign * valueAt(m_time, m_values, low), m_sign * valueAt(m_time, m_values, high));
        return m_rows.empty() ? edges : std::max(edges, value(m_rows.front()));
    }

private:
    double value(std::size_t row) const { return m_sign * m_values[row]; }

    const std::vector<double>& m_time;
    const std::vector<double>& m_values;
    double m_sign;
    std::deque<std::size_t> m_rows;  ///< in the window, of falling values
    std::size_t m_next = 0;
};

void follow(const Trajectory& reference, const std::vector<double>& expected, const Trajectory& candidate,
            const std::vector<double>& actual, TubeResult& result) {
    MovingLargest most(reference.time, expected, 1), least(reference.time, expected, -1);
    long outside = 0, rows = 0;
    for (std::size_t k = 0; k < candidate.time.size(); ++k) {
        const double t = candidate.time[k];
        result.upper.push_back(most(t - result.halfTime, t + result.halfTime) + result.halfValue);
        result.lower.push_back(-least(t - result.halfTime, t + result.halfTime) - result.halfValue);
        if (t < reference.time.front() || t > reference.time.back()) continue;
        ++rows;
        const double excess = std::max(actual[k] - result.upper.back(), result.lower.back() - actual[k]);
        if (!(excess > 0) && std::isfinite(actual[k])) continue;
        if (outside++ == 0) result.firstTime = t;
        if (excess > result.largest) {
            result.largest = excess;
            result.timeOfLargest = t;
        }
    }
    result.outside = rows > 0 ? static_cast<double>(outside) / static_cast<double>(rows) : 1;
}

}  // namespace

std::vector<TubeResult> tubes(const Trajectory& reference, const Trajectory& candidate, const TubeWidth& width) {
    std::map<std::string, double> floor;  // half width at least, by unit
    for (std::size_t i = 0; i < reference.signals.size(); ++i) {
        double& least = floor.emplace(signalUnit(reference.signals[i]), kRounding).first->second;
        least = std::max(least, kFloor * rangeOf(reference.columns[i]));
        for (const double value : reference.columns[i]) least = std::max(least, kRounding * std::abs(value));
    }
    std::vector<TubeResult> results;
    for (std::size_t i = 0; i < reference.signals.size(); ++i) {
        TubeResult result;
        result.signal = reference.signals[i];
        result.unit = signalUnit(result.signal);
        result.halfTime = width.relative * (reference.time.back() - reference.time.front());
        result.halfValue =
            std::max({width.relative * rangeOf(reference.columns[i]), width.absolute, floor[result.unit]});
        follow(reference, reference.columns[i], candidate, candidate.at(result.signal), result);
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace elasto::tools
