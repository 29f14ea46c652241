#include "scene_input.h"

#include <elasto/robot/load_robot.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>

#include "tool_errors.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace elasto::tools {

std::vector<std::filesystem::path> namedFiles(const nlohmann::json& document, const std::filesystem::path& file) {
    std::vector<std::filesystem::path> files;
    for (const char* key : {"robot", "elements"}) {
        const auto named = document.find(key);
        if (named == document.end() || !named->is_string()) continue;
        files.push_back(file.parent_path() / named->get<std::string>());
    }
    if (document.contains("trajectory") && document.at("trajectory").is_object()) {
        const std::string named = document.at("trajectory").value("file", "");
        if (!named.empty()) files.push_back(file.parent_path() / named);
    }
    return files;
}

namespace {

bool isSweep(const std::string& text) {
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    return document.is_object() && document.contains("parameters") && document.contains("metrics");
}

}  // namespace

SceneInput::SceneInput(std::filesystem::path file)
    : m_file(std::move(file)),
      m_isUrdf(m_file.extension() == ".urdf"),
      m_text(m_isUrdf ? std::string() : readFile(m_file)),
      m_isRobot(m_isUrdf || isRobotScene(m_text)) {
    if (!m_isUrdf && isSweep(m_text)) throw InputError(m_file.string() + ": is a sweep; elasto sweep runs it");
}

std::vector<std::filesystem::path> SceneInput::files() const {
    std::vector<std::filesystem::path> files = {m_file};
    if (m_isUrdf || !m_isRobot) return files;
    for (std::filesystem::path& named : namedFiles(nlohmann::json::parse(m_text), m_file)) {
        files.push_back(std::move(named));
    }
    return files;
}

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
