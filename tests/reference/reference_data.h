#pragma once
// The reference data of the repository: tests/data/references.

#include <elasto/reference/trajectory.h>
#include <elasto/scene/description.h>

#include <map>
#include <string>
#include <vector>

namespace elasto::test {

/// What the block `check` of a case says about one signal: the difference between two solutions of the same model.
struct StatedDifference {
    double largest = 0;
    double nrmse = -1;  ///< negative: not stated, the signal only shows rounding
};

/// One case: columns of the CSV under the names of the scene's columns.
struct ReferenceCase {
    std::string name;
    Scene scene;                                     ///< assets/scenes/<name>.json
    Trajectory own;                                  ///< from an integrator of high accuracy
    Trajectory dymola;                               ///< from Dymola; empty for own cases
    std::map<std::string, StatedDifference> stated;  ///< for Dymola's columns
};

ReferenceCase loadReferenceCase(const std::string& name);
/// A scene of assets/scenes.
Scene loadAsset(const std::string& name);
/// Names of all scenes in assets/scenes, sorted.
std::vector<std::string> assetNames();

}  // namespace elasto::test
