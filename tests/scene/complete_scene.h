#pragma once
// A valid scene that uses every field of the file format at least once, as a start for broken ones.

#include <elasto/scene/load_scene.h>

#include <nlohmann/json.hpp>

#include <string>

nlohmann::json completeScene();

/// The message with which a document is refused; "" if it is accepted.
std::string refusal(const nlohmann::json& document);
std::string refusal(const std::string& text);

/// A small valid scene: a mass between two gaps and a second mass.
nlohmann::json smallScene();
