#include "sweep_plot.h"

#include <elasto/reference/nrmse.h>
#include <elasto/scene/printable.h>
#include <elasto/scene/signals.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "gnuplot_script.h"
#include "heat_map.h"
#include "print.h"
#include "suggestion.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr std::size_t kMostCurves = 12;  // more would not be told apart
constexpr std::size_t kMostNamed = 10;   // values of a column in a message

std::optional<double> numberOf(const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || last != end) return std::nullopt;
    return number;
}

/// Numbers may be written in several ways: 1e5, 100000.
bool isSame(const std::string& cell, const std::string& wanted) {
    const std::optional<double> there = numberOf(cell), sought = numberOf(wanted);
    return there && sought ? *there == *sought : cell == wanted;
}

/// With the unit, as far as the name of a column tells it: "max(gap.f) [N]".
std::string withUnit(const std::string& column) {
    const std::size_t open = column.find('(');
    const std::string metric = column.substr(0, open);
    std::string unit;
    if (metric == "peakForce") unit = "N, N.m";
    if (metric == "dissipatedEnergy") unit = "J";
    if (metric == "settlingTime") unit = "s";
    constexpr const char* kOfSignals[] = {"min", "max", "peak", "mean", "rms", "final"};
    if (open != std::string::npos &&
        std::find(std::begin(kOfSignals), std::end(kOfSignals), metric) != std::end(kOfSignals)) {
        unit = signalUnit(column.substr(open + 1, column.size() - open - 2));
    }
    return unit.empty() ? column : fmt::format("{} [{}]", column, unit);
}

class Plotter {
public:
    Plotter(const SweepTable& table, const SweepPlotOptions& options, const std::string& source)
        : m_table(table), m_options(options), m_source(source), m_over(options.over) {
        if (m_over.empty()) m_over = table.parameters;
        if (m_over.empty() || m_over.size() > 2) {
            const char* who = !options.over.empty() ? "it"
                              : m_over.empty()      ? "without parameters it"
                                                    : "with so many parameters it";
            throw InputError(fmt::format("--over: {} must be one or two of the columns of {}: {}", who, source,
                                         printableNames(table.columns())));
        }
        if (m_over.size() == 2 && m_over[0] == m_over[1]) {
            throw InputError(fmt::format("--over: '{}' stands twice; two different columns make a map", m_over[0]));
        }
        keepWhere();
        if (m_table.cells.empty()) throw InputError(source + ": there are no rows to plot");
        pickMetrics();
    }

    MakeScript script() const { return m_over.size() == 1 ? curves() : maps(); }

private:
    int columnOf(const std::string& name, const char* option) const {
        const int column = m_table.columnOf(name);
        if (column >= 0) return column;
        throw InputError(
            fmt::format("{}: {} has no column '{}'{}", option, m_source, name, suggestion(name, m_table.columns())));
    }

    /// Values of the same column are alternatives, different columns are combined: each leaves fewer runs.
    void keepWhere() {
        std::vector<std::pair<std::string, std::vector<std::string>>> wanted;  // values by column
        for (const std::string& condition : m_options.where) {
            const std::size_t sign = condition.find('=');
            if (sign == std::string::npos) {
                throw InputError(fmt::format("--where: '{}' is not allowed; it must be COLUMN=VALUE", condition));
            }
            const std::string name = condition.substr(0, sign);
            auto column =
                std::find_if(wanted.begin(), wanted.end(), [&](const auto& one) { return one.first == name; });
            if (column == wanted.end()) column = wanted.insert(column, {name, {}});
            column->second.push_back(condition.substr(sign + 1));
        }
        for (const auto& [name, values] : wanted) keep(name, values);
    }

    void keep(const std::string& name, const std::vector<std::string>& values) {
        const auto column = static_cast<std::size_t>(columnOf(name, "--where"));
        for (const std::string& value : values) {
            if (std::any_of(m_table.cells.begin(), m_table.cells.end(),
                            [&](const auto& row) { return isSame(row[column], value); })) {
                continue;
            }
            std::vector<std::string> there;
            for (const auto& row : m_table.cells) {
                if (std::find(there.begin(), there.end(), row[column]) == there.end()) there.push_back(row[column]);
            }
            const bool isLong = there.size() > kMostNamed;
            if (isLong) there.resize(kMostNamed);
            throw InputError(fmt::format("--where: no run has {}={}; {} is one of {}{}", name, value, name,
                                         printableNames(there), isLong ? ", ..." : ""));
        }
        std::erase_if(m_table.cells, [&](const auto& row) {
            return std::none_of(values.begin(), values.end(),
                                [&](const std::string& value) { return isSame(row[column], value); });
        });
    }

    void pickMetrics() {
        for (const std::string& pattern : m_options.patterns) {
            bool fits = false;
            std::vector<std::string> known = m_table.metrics;
            // How good the ticks were is drawn where it is asked for by its name.
            std::copy_if(m_table.grades.begin(), m_table.grades.end(), std::back_inserter(known),
                         [&](const std::string& name) { return name == pattern; });
            for (const std::string& metric : known) {
                if (!matchesPattern(pattern, metric)) continue;
                fits = true;
                if (std::find(m_metrics.begin(), m_metrics.end(), metric) == m_metrics.end()) {
                    m_metrics.push_back(metric);
                }
            }
            if (fits) continue;
            throw InputError(fmt::format("--signals: '{}' fits no metric of {}{}", pattern, m_source,
                                         suggestion(pattern, m_table.metrics)));
        }
        const auto isEmpty = [&](const std::string& metric) {
            const std::vector<double> values = numbers(metric);
            return std::none_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
        };
        const std::vector<std::string> all = m_metrics;
        std::erase_if(m_metrics, isEmpty);
        if (m_metrics.empty()) {
            throw InputError(fmt::format("there is nothing to plot: no finite value in {}", printableNames(all)));
        }
        for (const std::string& metric : all) {
            if (isEmpty(metric)) printMessage("'{}' has no finite value and is left out", metric);
        }
    }

    std::string title() const {
        return m_options.title.empty() ? std::filesystem::path(m_source).stem().string() : m_options.title;
    }

    std::vector<double> numbers(const std::string& name) const {
        return m_table.numbers(columnOf(name, "--over"), m_source);
    }

    /// What a run has in common with others of its curve: "d = 5".
    std::string groupOf(const std::vector<std::string>& row) const {
        std::string text;
        for (std::size_t k = 0; k < m_table.parameters.size(); ++k) {
            const std::string& name = m_table.parameters[k];
            if (name == m_over.front() || !isVaried(k)) continue;
            text += (text.empty() ? "" : ", ") + name + " = " + row[k];
        }
        return text;
    }

    bool isVaried(std::size_t column) const {
        return std::any_of(m_table.cells.begin(), m_table.cells.end(),
                           [&](const auto& row) { return row[column] != m_table.cells.front()[column]; });
    }

    /// Runs by their curve, each in the order of x; all together where there would be too many.
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups(const std::vector<double>& x) const {
        std::vector<std::pair<std::string, std::vector<std::size_t>>> result;
        std::map<std::string, std::size_t> places;
        for (std::size_t run = 0; run < m_table.cells.size(); ++run) {
            const std::string name = groupOf(m_table.cells[run]);
            const auto [place, isNew] = places.emplace(name, result.size());
            if (isNew) result.push_back({name, {}});
            result[place->second].second.push_back(run);
        }
        if (result.size() > kMostCurves) {
            std::vector<std::size_t> all(m_table.cells.size());
            std::iota(all.begin(), all.end(), std::size_t{0});
            result = {{"", std::move(all)}};
        }
        for (auto& [name, runs] : result) {
            std::stable_sort(runs.begin(), runs.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
        }
        return result;
    }

    MakeScript curves() const {
        const std::vector<double> x = numbers(m_over.front());
        Picture picture;
        picture.title = title();
        const auto all = groups(x);
        for (const std::string& metric : m_metrics) {
            const std::vector<double> y = numbers(metric);
            Panel& panel = picture.panels.emplace_back();
            panel.yLabel = withUnit(metric);
            panel.showsPoints = true;
            panel.xIsLog = wantsLog(x);
            panel.yIsLog = wantsLog(y);
            for (const auto& [name, runs] : all) {
                Curve& curve = panel.curves.emplace_back();
                curve.title = name;
                for (const std::size_t run : runs) {
                    curve.x.push_back(x[run]);
                    curve.y.push_back(y[run]);
                }
                const bool isFunction = std::adjacent_find(curve.x.begin(), curve.x.end()) == curve.x.end() &&
                                        groupOf(m_table.cells[runs.front()]) == name;
                curve.stroke = isFunction ? Stroke::LineWithPoints : Stroke::Points;
            }
        }
        picture.panels.back().xLabel = withUnit(m_over.front());
        return [picture](bool png, const std::string& output) { return gnuplotScript(picture, png, output); };
    }

    MakeScript maps() const {
        HeatMaps maps;
        maps.title = title();
        maps.xLabel = withUnit(m_over[0]);
        maps.yLabel = withUnit(m_over[1]);
        const std::vector<double> x = numbers(m_over[0]);
        const std::vector<double> y = numbers(m_over[1]);
        std::set<std::pair<double, double>> points;
        for (std::size_t run = 0; run < x.size(); ++run) {
            if (points.emplace(x[run], y[run]).second) continue;
            throw InputError(
                fmt::format("{}: several runs have {} = {:g} and {} = {:g}; --where COLUMN=VALUE must choose", m_source,
                            m_over[0], x[run], m_over[1], y[run]));
        }
        for (const std::string& metric : m_metrics) maps.maps.push_back({withUnit(metric), x, y, numbers(metric)});
        return [maps](bool png, const std::string& output) { return heatMapScript(maps, png, output); };
    }

    SweepTable m_table;
    const SweepPlotOptions& m_options;
    const std::string& m_source;
    std::vector<std::string> m_over;
    std::vector<std::string> m_metrics;
};

}  // namespace

MakeScript sweepScript(const SweepTable& table, const SweepPlotOptions& options, const std::string& source) {
    return Plotter(table, options, source).script();
}

}  // namespace elasto::tools
