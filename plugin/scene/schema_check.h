#pragma once
/// @file schema_check.h
/// Checks a document against the scene schema and words what is wrong.

#include <elasto/export.h>

#include "problems.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace elasto::scene {

/// Adds one problem per violation: path, value, what is allowed. Nothing is added if and only if the document is valid.
ELASTO_API void checkSchema(const nlohmann::json& document, Problems& problems);
/// The same against another schema (text of JSON schema, draft 7, in the keywords that SchemaGuide knows).
ELASTO_API void checkSchema(const nlohmann::json& document, std::string_view schema, Problems& problems);

}  // namespace elasto::scene
