#include "base_scene.h"

#include "assets.h"
#include "json_text.h"
#include "scene_input.h"
#include "study_file.h"

#include <elasto/robot/robot_signals.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/signals.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace elasto::sweep {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

fs::path findFile(const std::string& name, const fs::path& sweep) {
    std::error_code error;
    const fs::path beside = (sweep.parent_path() / name).lexically_normal();
    return fs::exists(beside, error) ? beside : tools::findScene(name);
}

json parseDocument(const fs::path& file) {
    const std::string text = readFile(file);
    if (tools::isRobotFile(text)) {
        return {{"elasto", 1}, {"name", file.stem().string()}, {"robot", file.filename().string()}};
    }
    scene::Problems problems(file.string());
    json document = scene::parseJsonText(text, problems);
    problems.throwIfAny();
    return document;
}

/// Parameters of a robot's elements are set by the scene's changes: `yaw.backlash.b` becomes the b of a change of the
/// element yaw.backlash. @return the place, empty where there is no such element
Pointer placeInChanges(const std::string& text, const RobotScene& scene, json& document) {
    const std::size_t point = text.rfind('.');
    if (point == std::string::npos) return Pointer();
    const std::string named = text.substr(0, point);
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        const SceneRobot& robot = scene.at(i);
        for (const RobotElement& element : robot.robot.elements) {
            if (robot.prefix + element.name != named) continue;
            const Pointer fields = document.contains("robots") ? Pointer() / "robots" / i : Pointer();
            json& changes = document[fields / "changes"];
            changes.push_back({{"element", element.name}});
            return fields / "changes" / (changes.size() - 1) / text.substr(point + 1);
        }
    }
    return Pointer();
}

/// Whether a text names a part of what is around robots: its fields are those of a scene.
bool isAround(const std::string& text, const json& document) {
    const std::string name = text.substr(0, text.find_first_of(".["));
    for (const char* key : {"bodies", "joints", "elements", "heatPorts", "loads"}) {
        const bool isOfRobot = !document.contains("robots") && key == std::string_view("loads");
        if (isOfRobot || !document.contains(key) || !document.at(key).is_array()) continue;
        if (text.starts_with("/" + std::string(key) + "/") || name == key) return true;
        for (const json& item : document.at(key)) {
            if (item.is_object() && item.value("name", "") == name) return true;
        }
    }
    return false;
}

}  // namespace

BaseScene::BaseScene(const Study& study, const fs::path& source)
    : m_name(study.scene), m_file(findFile(study.scene, source)), m_document(parseDocument(m_file)) {
    m_isRobot = m_document.is_object() && (m_document.contains("robot") || m_document.contains("robots"));
    if (study.rate && m_document.is_object()) m_document["rate"] = *study.rate;
    if (study.duration && m_document.is_object()) m_document["duration"] = *study.duration;
    find(study, source);
}

void BaseScene::find(const Study& study, const fs::path& source) {
    const AnyScene plain = parse(m_document, printRobotMessage);  // once, and not for each run
    scene::Problems problems(source.string());
    std::map<std::string, std::string> taken;
    for (std::size_t k = 0; k < study.parameters.size(); ++k) {
        const std::string where = "/parameters/" + std::to_string(k) + "/set";
        std::vector<Pointer>& places = m_places.emplace_back();
        for (const std::string& text : study.parameters[k].set) {
            const Pointer change =
                m_isRobot ? placeInChanges(text, std::get<RobotScene>(plain), m_document) : Pointer();
            const bool isOfRobots = m_isRobot && !isAround(text, m_document);
            const Pointer place = findPlace(change.empty() ? text : change.to_string(), m_document,
                                            isOfRobots ? robotSceneSchema() : sceneSchema(), where, problems);
            places.push_back(place);
            if (place.empty()) continue;
            const auto [other, isNew] = taken.emplace(place.to_string(), text);
            if (!isNew) problems.add(where, json(text).dump() + " is not allowed; it is set already");
        }
    }
    problems.throwIfAny();
}

AnyScene BaseScene::parse(const json& document, const RobotMessageHandler& messageHandler) const {
    if (m_isRobot) return parseRobotScene(document.dump(), m_file, messageHandler);
    return parseScene(document.dump(), m_name);
}

AnyScene BaseScene::scene() const {
    return parse(m_document);
}

AnyScene BaseScene::scene(const std::vector<Value>& values) const {
    json document = m_document;
    for (std::size_t k = 0; k < m_places.size(); ++k) {
        for (const Pointer& place : m_places[k]) document[place] = values[k];
    }
    return parse(document);
}

std::vector<fs::path> BaseScene::files() const {
    std::vector<fs::path> files = tools::namedFiles(m_document, m_file);
    files.push_back(m_file);
    return files;
}

std::string BaseScene::content(const Study& study) const {
    std::string text = m_document.dump();
    const fs::path folder = m_file.parent_path();
    for (const fs::path& file : files()) {
        if (file != m_file) text += '\n' + readFile(file);
    }
    // A text that differs between runs may name a file, too.
    for (const Parameter& parameter : study.parameters) {
        for (const Value& value : parameter.values) {
            std::error_code ignored;
            if (!m_isRobot || !value.is_string()) continue;
            const fs::path file = folder / value.get<std::string>();
            if (fs::is_regular_file(file, ignored)) text += '\n' + readFile(file);
        }
    }
    return text;
}

std::vector<SignalName> signalNames(const AnyScene& scene) {
    std::vector<SignalName> names;
    const auto add = [&names](const auto& signals) {
        for (const auto& signal : signals) names.push_back({signal.name, signal.column});
    };
    if (const auto* robot = std::get_if<RobotScene>(&scene)) {
        add(recordedRobotSignals(*robot));
        add(availableRobotSignals(*robot));
    } else {
        add(recordedSignals(std::get<Scene>(scene)));
        add(availableSignals(std::get<Scene>(scene)));
    }
    return names;
}

}  // namespace elasto::sweep
