#pragma once
/// @file run_options.h
/// What `elasto run` was asked for.

#include <elasto/accuracy.h>

#include <string>
#include <vector>

namespace elasto::tools {

struct RunOptions {
    std::string scene;
    double rate = 0;      ///< [Hz]; 0: the scene's
    double duration = 0;  ///< [s]; 0: the scene's
    std::string csv;
    std::string mat;
    std::string table;  ///< text for Modelica's CombiTimeTable
    bool isKept() const { return !mat.empty() || !table.empty(); }
    const std::string& file() const { return !csv.empty() ? csv : !mat.empty() ? mat : table; }
    bool hasEvents = false;  ///< rows on both sides of each event, as Modelica tools have them
    std::vector<std::string> patterns;
    bool isReference = false;  ///< solved by the reference instead of Bullet
    bool json = false;
    bool isStrict = false;  ///< ticks that are not exact are an error
    std::string capture;    ///< folder for ticks that are not exact; or empty
    int threads = 1;        ///< that solve networks
    Accuracy accuracy;      ///< that networks are asked for
    // For a URDF file only.
    std::string elements;       ///< file of more elements
    std::vector<double> stops;  ///< c and d, or empty
    bool isBaseFixed = false, isBaseFree = false;
    bool isLeftToBullet = false;

    bool isOfRobots() const {
        return !elements.empty() || !stops.empty() || isBaseFixed || isBaseFree || isLeftToBullet;
    }
};

}  // namespace elasto::tools
