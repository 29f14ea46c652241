#pragma once
/// @file build_scene.h
/// A valid document to a Scene.

#include "problems.h"

#include <elasto/export.h>
#include <elasto/scene/description.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace elasto::scene {

/// Fills a Scene from a document that fits the schema. Names that lead nowhere, parameters that a law refuses and
/// vectors without a direction become problems.
/// @param folder that files of tables and meshes are looked for in
/// @param guests what else elements may name: bodies that come after those of the document
ELASTO_API Scene buildScene(const nlohmann::json& document, const std::filesystem::path& folder, Problems& problems,
                            std::vector<SceneBody> guests = {});

}  // namespace elasto::scene
