#pragma once
/// @file heat_map.h
/// Values over two axes in colours, as gnuplot scripts.

#include <string>
#include <vector>

namespace elasto::tools {

/// One pair of axes. Where the points form a grid each has a cell that reaches half-way to its neighbours; otherwise
/// each is a dot.
struct HeatMap {
    std::string title;
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> z;  ///< NaN: no value, left blank
};

/// Several maps over the same axes, stacked.
struct HeatMaps {
    std::string title;
    std::string xLabel;
    std::string yLabel;
    std::vector<HeatMap> maps;
};

/// The script, as gnuplotScript makes it.
std::string heatMapScript(const HeatMaps& maps, bool png, const std::string& output = {});

/// Whether an axis with these values is better logarithmic: all positive, the largest over the least at least `ratio`.
bool wantsLog(const std::vector<double>& values, double ratio = 100);

/// Edges of the cells around rising values, one more than values: half-way between neighbours, on a logarithmic axis
/// by their ratio.
std::vector<double> cellEdges(const std::vector<double>& values, bool isLog);

}  // namespace elasto::tools
