#pragma once
/// @file scene_json.h
/// Scenes as JSON documents, with all fields or only those that say something.

#include <elasto/scene/description.h>

#include <nlohmann/json.hpp>

#include <string>

namespace elasto::scene {

// Keys stay in the order in which a person would write them.
using OrderedJson = nlohmann::ordered_json;

/// All fields.
OrderedJson jsonOf(const Scene& scene);
OrderedJson jsonOf(const SceneElement& element, const Scene& scene);

/// Takes away what a reader assumes where it is not written (docs/scene.md).
/// @param document jsonOf(the scene, the element)
void shorten(OrderedJson& document, const Scene& scene);
void shorten(OrderedJson& document, const SceneElement& element);

/// Text as a person would set it: what fits stands in one line.
std::string print(const OrderedJson& document);

}  // namespace elasto::scene
