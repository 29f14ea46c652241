#pragma once
/// @file plan.h
/// The numbers of plan.json.

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace elasto::peers {

/// Largest values of a metric over the random drops.
struct DropTarget {
    double median = 0;
    double p99 = 0;
    double largest = 0;
};

struct Plan {
    std::vector<double> rates;       ///< [Hz]
    std::vector<double> accuracies;  ///< relative, for engines that control their error
    int repetitions = 1;
    std::map<std::string, double> errorTargets;  ///< by case
    double costTarget = 0;                       ///< against engines with ticks
    double costTargetAccuracy = 0;               ///< against engines that control their error
    int drops = 0;
    unsigned long long seed = 0;
    std::array<double, 2> height{};  ///< lowest and highest [m]
    std::array<double, 2> c{};       ///< [N/m]
    std::array<double, 2> dampingRatio{};
    std::array<double, 2> mass{};  ///< [kg]
    std::vector<double> dropRates;
    std::vector<double> dropAccuracies;
    std::map<std::string, DropTarget> dropTargets;  ///< by metric
};

Plan loadPlan(const std::filesystem::path& folder);

}  // namespace elasto::peers
