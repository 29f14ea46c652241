#pragma once
/// @file build_scene.h
/// A valid document to a Scene.

#include "problems.h"

#include <elasto/scene/description.h>

#include <nlohmann/json.hpp>

namespace elasto::scene {

/// Fills a Scene from a document that fits the schema. Names that lead nowhere, parameters that a law refuses and
/// vectors without a direction become problems.
Scene buildScene(const nlohmann::json& document, Problems& problems);

}  // namespace elasto::scene
