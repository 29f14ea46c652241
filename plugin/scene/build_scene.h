#pragma once
/// @file build_scene.h
/// A valid document to a Scene.

#include "problems.h"

#include <elasto/scene/description.h>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace elasto::scene {

/// Fills a Scene from a document that fits the schema. Names that lead nowhere, parameters that a law refuses and
/// vectors without a direction become problems.
/// @param folder that files of tables are looked for in
Scene buildScene(const nlohmann::json& document, const std::filesystem::path& folder, Problems& problems);

}  // namespace elasto::scene
