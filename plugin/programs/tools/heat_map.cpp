#include "heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "gnuplot_script.h"

namespace elasto::tools {

namespace {

constexpr int kWidth = 800;
constexpr int kMapHeight = 560;
constexpr double kColourDecades = 10;  // from so large a ratio on colours are logarithmic
// Viridis of matplotlib in steps: even for the eye, also without colours.
constexpr const char* kPalette =
    "set palette defined (0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', "
    "6 '#35b779', 7 '#6dcd59', 8 '#b4de2c', 9 '#fde725')\n";

std::vector<double> distinct(const std::vector<double>& values) {
    const std::set<double> sorted(values.begin(), values.end());
    return {sorted.begin(), sorted.end()};
}

/// Whether every combination of the values of both axes stands once.
bool isGrid(const HeatMap& map) {
    std::set<std::pair<double, double>> points;
    for (std::size_t i = 0; i < map.x.size(); ++i) points.emplace(map.x[i], map.y[i]);
    const std::size_t columns = distinct(map.x).size();
    const std::size_t rows = distinct(map.y).size();
    return columns > 1 && rows > 1 && points.size() == map.x.size() && points.size() == columns * rows;
}

/// Half-way to the neighbours of a value, below and above.
class Cells {
public:
    Cells(const std::vector<double>& all, bool isLog) : m_values(distinct(all)), m_edges(cellEdges(m_values, isLog)) {}

    std::pair<double, double> around(double value) const {
        const auto place =
            static_cast<std::size_t>(std::lower_bound(m_values.begin(), m_values.end(), value) - m_values.begin());
        return {m_edges[place], m_edges[place + 1]};
    }

private:
    std::vector<double> m_values;
    std::vector<double> m_edges;
};

void appendCells(std::string& script, const HeatMap& map, bool xIsLog, bool yIsLog) {
    const Cells columns(map.x, xIsLog);
    const Cells rows(map.y, yIsLog);
    for (std::size_t i = 0; i < map.x.size(); ++i) {
        if (!std::isfinite(map.z[i])) continue;
        const auto [left, right] = columns.around(map.x[i]);
        const auto [low, high] = rows.around(map.y[i]);
        fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", map.x[i],
                       map.y[i], left, right, low, high, map.z[i]);
    }
}

void appendDots(std::string& script, const HeatMap& map) {
    for (std::size_t i = 0; i < map.x.size(); ++i) {
        if (!std::isfinite(map.z[i])) continue;
        fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g} {:.9g}\n", map.x[i], map.y[i], map.z[i]);
    }
}

const char* logWords(bool isLog) {
    return isLog ? "set logscale " : "unset logscale ";
}

/// The axis reaches as far as the cells do.
std::string rangeWords(const char* axis, const std::vector<double>& all, bool isLog) {
    const std::vector<double> edges = cellEdges(distinct(all), isLog);
    return fmt::format("set {}range [{:.9g}:{:.9g}]\n", axis, edges.front(), edges.back());
}

/// gnuplot gives values that are all the same a scale far beyond them.
std::string colourRange(const std::vector<double>& z) {
    constexpr double kNarrow = 0.01;
    std::vector<double> values = z;
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (values.empty() || *low < *high || *low == 0) return "set autoscale cb\n";
    const double room = kNarrow * std::abs(*low);
    return fmt::format("set cbrange [{:.9g}:{:.9g}]\n", *low - room, *low + room);
}

}  // namespace

bool wantsLog(const std::vector<double>& values, double ratio) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return low > 0 && high / low >= ratio && std::isfinite(low);
}

std::vector<double> cellEdges(const std::vector<double>& values, bool isLog) {
    const auto between = [&](double a, double b) { return isLog ? std::sqrt(a * b) : (a + b) / 2; };
    const auto beyond = [&](double value, double edge) { return isLog ? value * value / edge : 2 * value - edge; };
    if (values.size() == 1) {
        const double half = isLog ? values[0] : std::max(std::abs(values[0]), 1.0) / 2;
        return {isLog ? half / 2 : values[0] - half, isLog ? half * 2 : values[0] + half};
    }
    std::vector<double> edges(values.size() + 1);
    for (std::size_t i = 1; i < values.size(); ++i) edges[i] = between(values[i - 1], values[i]);
    edges.front() = beyond(values.front(), edges[1]);
    edges.back() = beyond(values.back(), edges[values.size() - 1]);
    return edges;
}

std::string heatMapScript(const HeatMaps& maps, bool png, const std::string& output) {
    const int count = std::max(1, static_cast<int>(maps.maps.size()));
    std::string script = gnuplotTerminal(png, kWidth, kMapHeight * count);
    if (!output.empty()) script += gnuplotOutput(output);
    script += "set encoding utf8\nset key off\n";
    script += kPalette;
    for (std::size_t i = 0; i < maps.maps.size(); ++i) {
        const HeatMap& map = maps.maps[i];
        script += fmt::format("$map{} << EOD\n", i);
        if (isGrid(map)) {
            appendCells(script, map, wantsLog(map.x), wantsLog(map.y));
        } else {
            appendDots(script, map);
        }
        script += "EOD\n";
    }
    script += fmt::format("set multiplot layout {},1{}\n", count,
                          maps.title.empty() ? std::string() : " title " + gnuplotText(maps.title));
    script += "set xlabel " + gnuplotText(maps.xLabel) + "\nset ylabel " + gnuplotText(maps.yLabel) + "\n";
    for (std::size_t i = 0; i < maps.maps.size(); ++i) {
        const HeatMap& map = maps.maps[i];
        script += std::string(logWords(wantsLog(map.x))) + "x\n" + logWords(wantsLog(map.y)) + "y\n" +
                  logWords(wantsLog(map.z, kColourDecades)) + "cb\n";
        script += rangeWords("x", map.x, wantsLog(map.x)) + rangeWords("y", map.y, wantsLog(map.y));
        script += colourRange(map.z);
        const bool hasBlanks = std::any_of(map.z.begin(), map.z.end(), [](double z) { return !std::isfinite(z); });
        script += "set title " + gnuplotText(map.title + (hasBlanks ? "  (white: no value)" : "")) + "\n";
        script += fmt::format("plot $map{} using {}\n", i,
                              isGrid(map) ? "1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder lc palette"
                                          : "1:2:3 with points pt 7 ps 0.8 lc palette");
    }
    script += "unset multiplot\n";
    return script;
}

}  // namespace elasto::tools
