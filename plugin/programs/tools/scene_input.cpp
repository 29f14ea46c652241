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
    const auto add = [&](const nlohmann::json& object, const char* key) {
        if (!object.is_object() || !object.contains(key) || !object.at(key).is_string()) return;
        files.push_back(file.parent_path() / object.at(key).get<std::string>());
    };
    const auto addRobot = [&](const nlohmann::json& fields) {
        for (const char* key : {"robot", "elements"}) add(fields, key);
        if (fields.is_object() && fields.contains("trajectory")) add(fields.at("trajectory"), "file");
    };
    addRobot(document);
    if (document.contains("robots")) {
        for (const nlohmann::json& fields : document.at("robots")) addRobot(fields);
    }
    if (document.contains("bodies")) {
        for (const nlohmann::json& body : document.at("bodies")) {
            if (body.is_object() && body.contains("shape")) add(body.at("shape"), "file");
        }
    }
    return files;
}

namespace {

bool isSweep(const std::string& text) {
    const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
    return document.is_object() && document.contains("parameters") && document.contains("metrics");
}

}  // namespace

bool isRobotFile(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '<';
}

SceneInput::SceneInput(std::filesystem::path file)
    : m_file(std::move(file)),
      m_text(readFile(m_file)),
      m_isRobotFile(tools::isRobotFile(m_text)),
      m_isRobot(m_isRobotFile || isRobotScene(m_text)) {
    if (!m_isRobotFile && isSweep(m_text)) throw InputError(m_file.string() + ": is a sweep; elasto sweep runs it");
}

std::vector<std::filesystem::path> SceneInput::files() const {
    std::vector<std::filesystem::path> files = {m_file};
    if (m_isRobotFile) return files;
    for (std::filesystem::path& named : namedFiles(nlohmann::json::parse(m_text, nullptr, false), m_file)) {
        files.push_back(std::move(named));
    }
    return files;
}

Scene SceneInput::scene() const {
    return parseScene(m_text, m_file.string());
}

RobotScene SceneInput::robot(const RobotMessageHandler& messageHandler) const {
    if (!m_isRobotFile) return parseRobotScene(m_text, m_file, messageHandler);
    LoadRobotOptions options;
    options.messageHandler = messageHandler;
    return sceneOfRobot(parseRobot(m_text, m_file, options));
}

}  // namespace elasto::tools
