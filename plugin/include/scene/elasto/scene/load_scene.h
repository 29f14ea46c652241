#pragma once
/// @file load_scene.h
/// Reads and writes scene files.

#include <elasto/export.h>
#include <elasto/scene/description.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace elasto {

/// A scene that cannot be used. what() has one line per mistake, at most ten and then `and 7 more`:
/// `source: /elements/2/n: 0.5 is not allowed; it must be >= 1`.
class ELASTO_API SceneError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Reads a scene file, checks it against the schema and for meaning, and resolves the start values.
/// @throws SceneError naming file, JSON path, value and what is allowed; FileError if the file cannot be read
ELASTO_API Scene loadScene(const std::filesystem::path& file);
/// The same from text. @param source what messages call it
ELASTO_API Scene parseScene(std::string_view json, const std::string& source = "scene");

/// The scene as JSON text (all fields written, two spaces of indentation) that parseScene reads back to the same
/// values.
ELASTO_API std::string writeScene(const Scene& scene);
/// The same for people: without what parseScene assumes where it is not written, and what fits stands in one line.
ELASTO_API std::string writeShortScene(const Scene& scene);
/// One element likewise, as it stands in a scene file. @param element of the scene: its bodies and heat port are there
ELASTO_API std::string writeElement(const Scene& scene, const SceneElement& element);

/// The JSON schema (draft 7) that loadScene checks with: the text of assets/schema/scene.schema.json.
ELASTO_API std::string_view sceneSchema();

}  // namespace elasto
