#pragma once
/// @file base_scene.h
/// The scene that a sweep changes.

#include "place.h"
#include "study.h"

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/description.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace elasto::sweep {

using AnyScene = std::variant<Scene, RobotScene>;

/// A scene, robot scene or URDF file, with the places that a study sets.
class BaseScene {
public:
    /// Reads the study's scene, warns of what is doubtful in a robot's files, and finds what its parameters set.
    /// @param source the sweep file, which messages name, and which the scene is looked up beside
    /// @throws SceneError, RobotError for the scene, or naming what of the study does not fit it; IoError if there is
    ///         no such scene, FileError if it cannot be read
    BaseScene(const Study& study, const std::filesystem::path& source);

    /// The scene as it is. @throws SceneError, RobotError
    AnyScene scene() const;
    /// The scene with the values of all parameters. @throws SceneError, RobotError if it refuses them
    AnyScene scene(const std::vector<Value>& values) const;

    /// All that the scene's runs depend on besides the parameters' values, as one text: the scene, and files that it or
    /// a value names.
    std::string content(const Study& study) const;
    const std::filesystem::path& file() const { return m_file; }
    /// The file, and those that it names.
    std::vector<std::filesystem::path> files() const;

private:
    void find(const Study& study, const std::filesystem::path& source);
    AnyScene parse(const nlohmann::json& document, const RobotMessageHandler& messageHandler = nullptr) const;

    std::string m_name;  ///< as the study names it
    std::filesystem::path m_file;
    bool m_isRobot = false;
    nlohmann::json m_document;
    std::vector<std::vector<Pointer>> m_places;  ///< by parameter
};

/// Names of everything that can be recorded from a scene, and what the scene calls it.
struct SignalName {
    std::string name;
    std::string column;
};
std::vector<SignalName> signalNames(const AnyScene& scene);

}  // namespace elasto::sweep
