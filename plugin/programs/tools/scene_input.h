#pragma once
/// @file scene_input.h
/// The scene or robot that a command was given.

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/description.h>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace elasto::tools {

/// The files that a scene names: meshes, robots', and those of their elements and trajectories.
/// @param document the scene @param file it is in, beside which they are
std::vector<std::filesystem::path> namedFiles(const nlohmann::json& document, const std::filesystem::path& file);

/// True for the text of a robot's file (URDF or SDF) beside that of a scene: XML begins with <.
bool isRobotFile(std::string_view text);

/// A scene file, a scene file that names a robot, or a robot's file. It is read once, since it may come through a pipe.
class SceneInput {
public:
    /// @throws FileError if it cannot be read
    explicit SceneInput(std::filesystem::path file);

    const std::filesystem::path& file() const { return m_file; }
    const std::string& text() const { return m_text; }
    /// True for a URDF or SDF file.
    bool isRobotFile() const { return m_isRobotFile; }
    /// True for a robot's file and for a scene that names a robot.
    bool isRobot() const { return m_isRobot; }

    /// All that is read: the file, and what it names. What cannot be read names nothing.
    std::vector<std::filesystem::path> files() const;

    /// @throws SceneError
    Scene scene() const;
    /// The robot scene; of a robot's file one in which nothing drives the robot.
    /// @throws SceneError, RobotError, FileError for files that it names
    /// @param messageHandler for warnings about the robot's files
    RobotScene robot(const RobotMessageHandler& messageHandler = printRobotMessage) const;

private:
    std::filesystem::path m_file;
    std::string m_text;
    bool m_isRobotFile;
    bool m_isRobot;
};

}  // namespace elasto::tools
