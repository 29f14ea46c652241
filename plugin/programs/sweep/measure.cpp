#include "measure.h"

#include "problems.h"
#include "tool_errors.h"

#include <algorithm>
#include <cmath>

namespace elasto::sweep {

namespace {

std::vector<std::string> wantedNames(const Metric& metric) {
    switch (metric.kind) {
        case MetricKind::PeakForce:
            return {metric.of + ".f", metric.of + ".tau"};
        case MetricKind::DissipatedEnergy:
            return {metric.of.empty() ? "totalHeat" : metric.of + ".heat"};
        default:
            return {metric.of};
    }
}

bool isOfElement(const Metric& metric) {
    return metric.kind == MetricKind::PeakForce || metric.kind == MetricKind::DissipatedEnergy;
}

/// What `of` could have been: elements for the metrics of elements, otherwise signals.
std::vector<std::string> offered(const Metric& metric, const std::vector<SignalName>& names) {
    constexpr std::string_view kHeat = ".heat";
    std::vector<std::string> list;
    for (const SignalName& signal : names) {
        std::string name = signal.column;
        if (isOfElement(metric)) {
            if (!signal.name.ends_with(kHeat)) continue;
            name = signal.name.substr(0, signal.name.size() - kHeat.size());
        }
        if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
    }
    return list;
}

/// Of many names those of the same object, or else what objects there are: "cart.*".
std::vector<std::string> closest(const std::string& of, const std::vector<std::string>& list) {
    constexpr std::size_t kFew = 12;
    if (list.size() <= kFew) return list;
    const auto object = [](const std::string& name) { return name.substr(0, name.find('.')); };
    std::vector<std::string> same;
    std::vector<std::string> objects;
    for (const std::string& name : list) {
        if (object(name) == object(of)) same.push_back(name);
        const std::string all = object(name) + (name.find('.') == std::string::npos ? "" : ".*");
        if (std::find(objects.begin(), objects.end(), all) == objects.end()) objects.push_back(all);
    }
    return same.empty() ? objects : same;
}

std::string findSignal(const Metric& metric, const std::vector<SignalName>& names) {
    for (const std::string& wanted : wantedNames(metric)) {
        for (const SignalName& signal : names) {
            const bool isColumn = !isOfElement(metric) && signal.column == wanted;
            if (isColumn || signal.name == wanted) return signal.name;
        }
    }
    return "";
}

}  // namespace

std::string refusalOf(const Metric& metric, const std::vector<SignalName>& names) {
    if (!findSignal(metric, names).empty()) return "";
    const std::vector<std::string> list = offered(metric, names);
    const std::string proposal = scene::didYouMean(metric.of, list);
    return "\"" + metric.of + "\" is not allowed; the scene has no such " +
           (isOfElement(metric) ? "element" : "signal") + proposal + (proposal.empty() ? "." : "") + " It has " +
           scene::join(closest(metric.of, list));
}

std::string signalOf(const Metric& metric, const std::vector<SignalName>& names) {
    std::string name = findSignal(metric, names);
    if (name.empty()) throw tools::InputError("metric " + metric.name + ": of = " + refusalOf(metric, names));
    return name;
}

void Measure::add(double time, double value) {
    if (m_isEmpty) {
        m_start = time;
        m_min = m_max = value;
        m_isEmpty = false;
    } else {
        const bool squares = m_metric.kind == MetricKind::Rms;
        const double before = squares ? m_last * m_last : m_last;
        m_sum += (time - m_time) * 0.5 * (before + (squares ? value * value : value));
        m_min = std::min(m_min, value);
        m_max = std::max(m_max, value);
    }
    m_time = time;
    m_last = value;
    if (m_metric.kind != MetricKind::SettlingTime) return;
    m_times.push_back(time);
    m_values.push_back(value);
}

std::optional<double> Measure::result() const {
    const double duration = m_time - m_start;
    switch (m_metric.kind) {
        case MetricKind::PeakForce:
        case MetricKind::Peak:
            return std::max(std::abs(m_min), std::abs(m_max));
        case MetricKind::Min:
            return m_min;
        case MetricKind::Max:
            return m_max;
        case MetricKind::Mean:
            return duration > 0 ? m_sum / duration : m_last;
        case MetricKind::Rms:
            return duration > 0 ? std::sqrt(m_sum / duration) : std::abs(m_last);
        case MetricKind::SettlingTime:
            return settlingTime();
        case MetricKind::DissipatedEnergy:
        case MetricKind::Final:
            break;
    }
    return m_last;
}

// A signal is always where it is last: it has settled there if it has been there for a while.
std::optional<double> Measure::settlingTime() const {
    constexpr double kLastShare = 0.1;  // of the run
    const double target = m_metric.target.value_or(m_last);
    std::size_t settled = m_values.size();
    while (settled > 0 && std::abs(m_values[settled - 1] - target) <= m_metric.band) --settled;
    if (settled == m_values.size()) return std::nullopt;
    const double latest = m_time - kLastShare * (m_time - m_start);
    if (!m_metric.target && settled > 0 && m_times[settled] > latest) return std::nullopt;
    return m_times[settled];
}

}  // namespace elasto::sweep
