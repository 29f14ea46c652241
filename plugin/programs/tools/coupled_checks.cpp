#include "coupled_checks.h"

#include <elasto/reference/nrmse.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tool_errors.h"

namespace elasto::tools {

namespace {

/// The columns that a check speaks of, and the first row that counts.
struct Selected {
    std::vector<std::string> signals;
    std::size_t first = 0;
};

Selected select(const CoupledCheck& check, const Trajectory& run) {
    Selected selected;
    for (const std::string& signal : run.signals) {
        const auto fits = [&](const std::string& pattern) { return matchesPattern(pattern, signal); };
        if (std::any_of(check.signals.begin(), check.signals.end(), fits)) selected.signals.push_back(signal);
    }
    if (selected.signals.empty()) {
        throw InputError(fmt::format("'{}' fits no signal of the scene", check.signals.front()));
    }
    while (selected.first < run.time.size() && run.time[selected.first] < check.from) ++selected.first;
    if (selected.first == run.time.size()) {
        throw InputError(fmt::format("the run ends before from = {:g} s", check.from));
    }
    return selected;
}

void take(double value, const std::string& signal, CoupledValue& worst) {
    if (!std::isfinite(value)) value = std::numeric_limits<double>::infinity();
    if (worst.signal.empty() || value > worst.value) worst = {value, signal};
}

CoupledValue nrmse(const CoupledCheck& check, const CoupledRun& run) {
    const Selected selected = select(check, run.signals);
    Trajectory reference;
    Trajectory candidate;
    const auto pick = [&](const Trajectory& from, Trajectory& to) {
        to.time.assign(from.time.begin() + static_cast<std::ptrdiff_t>(selected.first), from.time.end());
        for (const std::string& signal : selected.signals) {
            const std::vector<double>& column = from.at(signal);
            to.signals.push_back(signal);
            to.columns.emplace_back(column.begin() + static_cast<std::ptrdiff_t>(selected.first), column.end());
        }
    };
    pick(run.oracle, reference);
    pick(run.signals, candidate);
    CoupledValue worst;
    for (const SignalError& error : compareSignals(reference, candidate)) take(100 * error.nrmse, error.signal, worst);
    return worst;
}

double mean(const std::vector<double>& column, std::size_t first) {
    double sum = 0;
    for (std::size_t k = first; k < column.size(); ++k) sum += column[k];
    return sum / static_cast<double>(column.size() - first);
}

CoupledValue force(const CoupledCheck& check, const CoupledRun& run) {
    const Selected selected = select(check, run.signals);
    CoupledValue worst;
    for (const std::string& signal : selected.signals) {
        const std::vector<double>& column = run.signals.at(signal);
        const double expected = check.expected ? *check.expected : mean(run.oracle.at(signal), selected.first);
        const auto [least, most] =
            std::minmax_element(column.begin() + static_cast<std::ptrdiff_t>(selected.first), column.end());
        const double error = check.measure == CoupledMeasure::Ripple
                                 ? *most - *least
                                 : std::abs(mean(column, selected.first) - expected);
        take(100 * error / std::abs(expected), signal, worst);
    }
    return worst;
}

CoupledValue drift(const CoupledCheck& check, const CoupledRun& run) {
    constexpr double kMillimetre = 1e-3;
    const Selected selected = select(check, run.signals);
    CoupledValue worst;
    for (const std::string& signal : selected.signals) {
        const std::vector<double>& column = run.signals.at(signal);
        for (std::size_t k = selected.first; k < column.size(); ++k) {
            take(std::abs(column[k] - column[selected.first]) / kMillimetre, signal, worst);
        }
    }
    return worst;
}

CoupledValue speeds(const CoupledCheck& check, const CoupledRun& run) {
    const Selected selected = select(check, run.signals);
    double largest = 0;
    for (const std::string& signal : selected.signals) {
        largest = std::max(largest, std::abs(run.oracle.at(signal).back()));
    }
    CoupledValue worst;
    for (const std::string& signal : selected.signals) {
        take(100 * std::abs(run.signals.at(signal).back() - run.oracle.at(signal).back()) / largest, signal, worst);
    }
    return worst;
}

CoupledValue energyRise(const CoupledRun& run) {
    CoupledValue worst;
    for (std::size_t k = 1; k < run.energy.size(); ++k) {
        take(run.energy[k] - run.energy[k - 1], fmt::format("at {:.4g} s", run.signals.time[k]), worst);
    }
    return worst;
}

// The largest of a run [m/s].
struct Kicks {
    CoupledValue speed;
    CoupledValue gain;  // in one tick
};

// @param counts by row; empty: all do
Kicks kicksOf(const Trajectory& run, const Selected& selected, const std::vector<bool>& counts) {
    Kicks kicks;
    for (const std::string& signal : selected.signals) {
        const std::vector<double>& column = run.at(signal);
        for (std::size_t k = selected.first + 1; k < column.size(); ++k) {
            if (!counts.empty() && !counts[k]) continue;
            take(std::abs(column[k]), signal, kicks.speed);
            take(std::abs(column[k]) - std::abs(column[k - 1]), signal, kicks.gain);
        }
    }
    return kicks;
}

CoupledValue handOver(const CoupledCheck& check, const CoupledRun& run) {
    const Selected selected = select(check, run.signals);
    const Kicks with = kicksOf(run.signals, selected, run.isHanded);
    if (with.speed.signal.empty()) throw InputError("no network changes hands");
    const Kicks without = kicksOf(run.withoutElements, selected, {});
    CoupledValue worst{0, with.gain.signal};
    take(with.gain.value - without.gain.value, with.gain.signal, worst);
    take(with.speed.value - without.speed.value, with.speed.signal, worst);
    return worst;
}

}  // namespace

bool needsOracle(const CoupledCheck& check) {
    switch (check.measure) {
        case CoupledMeasure::Nrmse:
        case CoupledMeasure::Speeds:
            return true;
        case CoupledMeasure::MeanForce:
        case CoupledMeasure::Ripple:
            return !check.expected;
        default:
            return false;
    }
}

CoupledValue evaluate(const CoupledCheck& check, const CoupledRun& run) {
    switch (check.measure) {
        case CoupledMeasure::Nrmse:
            return nrmse(check, run);
        case CoupledMeasure::MeanForce:
        case CoupledMeasure::Ripple:
            return force(check, run);
        case CoupledMeasure::Drift:
            return drift(check, run);
        case CoupledMeasure::Speeds:
            return speeds(check, run);
        case CoupledMeasure::EnergyRise:
            return energyRise(run);
        case CoupledMeasure::HandOver:
            break;
    }
    return handOver(check, run);
}

}  // namespace elasto::tools
