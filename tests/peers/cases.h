#pragma once
/// @file cases.h
/// The cases' scenes and what is true of them.

#include "peer.h"

#include <elasto/scene/sample.h>

#include <filesystem>
#include <span>

namespace elasto::peers {

/// @param folder of plan.json @throws what loadScene throws
Scene loadCase(const std::filesystem::path& folder, CaseKind kind);
/// Coordinates of a case from the states of the scene's bodies.
std::vector<double> coordinatesOf(CaseKind kind, std::span<const BodyState> bodies);
/// True coordinates at the given times, one row per time.
std::vector<std::vector<double>> solveCase(const std::filesystem::path& folder, CaseKind kind,
                                           std::span<const double> times);

}  // namespace elasto::peers
