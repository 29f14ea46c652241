#pragma once
/// @file schema_check.h
/// Checks a document against the scene schema and words what is wrong.

#include "problems.h"

#include <nlohmann/json.hpp>

namespace elasto::scene {

/// Adds one problem per violation: path, value, what is allowed. Nothing is added if and only if the document is valid.
void checkSchema(const nlohmann::json& document, Problems& problems);

}  // namespace elasto::scene
