#pragma once
/// @file scene_input.h
/// The scene or robot that a command was given.

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/description.h>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace elasto::tools {

/// The files that a robot scene names: the robot's, and that of its elements.
/// @param document the scene @param file it is in, beside which they are
std::vector<std::filesystem::path> namedFiles(const nlohmann::json& document, const std::filesystem::path& file);

/// A scene file, a scene file that names a robot, or a URDF file. Scenes are read once, since they may come through a
/// pipe.
class SceneInput {
public:
    /// @throws FileError if it cannot be read
    explicit SceneInput(std::filesystem::path file);

    const std::filesystem::path& file() const { return m_file; }
    bool isUrdf() const { return m_isUrdf; }
    /// True for a URDF file and for a scene that names a robot.
    bool isRobot() const { return m_isRobot; }

    /// All that is read: the file, and what it names. What cannot be read names nothing.
    std::vector<std::filesystem::path> files() const;

    /// @throws SceneError
    Scene scene() const;
    /// The robot scene; of a URDF file one in which nothing drives the robot.
    /// @throws SceneError, RobotError, FileError for files that it names
    RobotScene robot() const;

    /// @param command that is for scenes only, e.g. "equilibrium" @param instead one sentence: what serves for robots
    /// @throws InputError naming both if it is a robot
    void refuseRobot(const std::string& command, const std::string& instead) const;

private:
    std::filesystem::path m_file;
    bool m_isUrdf;
    std::string m_text;  // of a scene
    bool m_isRobot;
};

}  // namespace elasto::tools
