#include "scene_input.h"

#include <elasto/robot/load_robot.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>

#include "tool_errors.h"

#include <utility>

namespace elasto::tools {

SceneInput::SceneInput(std::filesystem::path file)
    : m_file(std::move(file)),
      m_isUrdf(m_file.extension() == ".urdf"),
      m_text(m_isUrdf ? std::string() : readFile(m_file)),
      m_isRobot(m_isUrdf || isRobotScene(m_text)) {}

Scene SceneInput::scene() const {
    return parseScene(m_text, m_file.string());
}

RobotScene SceneInput::robot() const {
    return m_isUrdf ? sceneOfRobot(loadRobot(m_file)) : parseRobotScene(m_text, m_file);
}

void SceneInput::refuseRobot(const std::string& command, const std::string& instead) const {
    if (m_isRobot) throw InputError(m_file.string() + ": is a robot, and " + command + " is for scenes; " + instead);
}

}  // namespace elasto::tools
