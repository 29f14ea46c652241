#include <elasto/robot/robot_scene.h>
#include <elasto/robot/robot_signals.h>

#include "check_record.h"
#include "json_text.h"
#include "problems.h"
#include "scene_robot.h"
#include "schema_check.h"
#include "surroundings.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>

#include <limits>
#include <map>

namespace elasto {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Fields of a robot that stand in the scene itself, and in an entry of `robots` where there are several. (`elements`
/// and `loads` are the scene's then.)
constexpr const char* kRobotFields[] = {"stops",    "changes",         "solver", "base",     "position",
                                        "velocity", "angularVelocity", "start",  "surfaces", "orientation",
                                        "rpy",      "selfCollision",   "servos", "control",  "trajectory"};

std::string text(const json& object, const char* key) {
    return object.contains(key) ? object.at(key).get<std::string>() : std::string();
}

/// Empty where it has none: that is said by who reads the object.
std::string nameOf(const json& object) {
    return object.contains("name") && object.at("name").is_string() ? text(object, "name") : std::string();
}

void readNumber(const json& object, const char* key, double& value) {
    if (object.contains(key)) value = object.at(key).get<double>();
}

class Builder {
public:
    Builder(const json& document, const fs::path& file, const RobotMessageHandler& messageHandler,
            scene::Problems& problems)
        : m_document(document), m_file(file), m_messageHandler(messageHandler), m_problems(problems) {}

    RobotScene build() {
        if (m_document.contains("heatPorts")) {
            for (const json& port : m_document.at("heatPorts")) m_heatPorts.push_back(nameOf(port));
        }
        if (m_document.contains("robots")) {
            readRobots();
        } else {
            const auto elements = m_document.find("elements");
            const bool isFile = elements != m_document.end() && elements->is_string();
            takeFirst(readRobot(m_document, "", isFile));
        }
        m_scene.name = text(m_document, "name");
        m_scene.description = text(m_document, "description");
        if (m_document.contains("gravity")) {
            const json& array = m_document.at("gravity");
            m_scene.gravity = {array.at(0).get<double>(), array.at(1).get<double>(), array.at(2).get<double>()};
        }
        if (m_document.contains("ground")) m_scene.ground = m_document.at("ground").get<bool>();
        readNumber(m_document, "friction", m_scene.friction);
        readNumber(m_document, "restitution", m_scene.restitution);
        readNumber(m_document, "rate", m_scene.rate);
        readNumber(m_document, "duration", m_scene.duration);
        readIterations();
        if (m_document.contains("record")) {
            for (const json& item : m_document.at("record")) {
                m_scene.record.push_back(item.is_string() ? SceneRecord{item.get<std::string>(), ""}
                                                          : SceneRecord{text(item, "signal"), text(item, "as")});
            }
        }
        m_problems.throwIfAny();
        robot::readSurroundings(m_document, m_file.parent_path(), m_scene, m_problems);
        return std::move(m_scene);
    }

private:
    SceneRobot readRobot(const json& fields, const std::string& place, bool hasElementsFile) {
        const char* elementsKey = hasElementsFile ? "elements" : nullptr;
        return robot::readSceneRobot({fields, place, m_file, elementsKey, m_heatPorts, m_messageHandler}, m_problems);
    }

    void takeFirst(SceneRobot&& robot) { static_cast<SceneRobot&>(m_scene) = std::move(robot); }

    void readRobots() {
        for (const char* field : kRobotFields) {
            if (!m_document.contains(field)) continue;
            m_problems.add("/" + std::string(field), "is not allowed beside robots; it must stand in one of them");
        }
        if (m_document.contains("elements") && !m_document.at("elements").is_array()) {
            m_problems.add("/elements", m_document.at("elements").dump() +
                                            " is not allowed beside robots; it must be an array of the scene's "
                                            "elements. A file of a robot's elements must stand in one of them");
        }
        const json& robots = m_document.at("robots");
        std::map<std::string, std::string> taken;
        for (std::size_t i = 0; i < robots.size(); ++i) {
            const std::string place = "/robots/" + std::to_string(i);
            const json& fields = robots.at(i);
            const std::string name = text(fields, "name");
            if (name.empty() && robots.size() > 1) {
                m_problems.add(place + "/name", "is missing; of several robots each must have one");
            }
            const auto [other, isNew] = taken.emplace(name, place + "/name");
            if (!isNew && !name.empty()) {
                m_problems.add(place + "/name", "\"" + name + "\" is not allowed: it is the name at " + other->second +
                                                    " already; names must be unique");
            }
            SceneRobot robot = readRobot(fields, place, fields.contains("elements"));
            if (!name.empty()) robot.prefix = name + ".";
            if (i == 0) {
                takeFirst(std::move(robot));
            } else {
                m_scene.others.push_back(std::move(robot));
            }
        }
    }

    void readIterations() {
        double given = m_scene.solverIterations;
        readNumber(m_document, "solverIterations", given);
        if (given > std::numeric_limits<int>::max()) {
            m_problems.add("/solverIterations",
                           "it must be at most " + std::to_string(std::numeric_limits<int>::max()));
            return;
        }
        m_scene.solverIterations = static_cast<int>(given);
    }

    const json& m_document;
    const fs::path& m_file;
    const RobotMessageHandler& m_messageHandler;
    scene::Problems& m_problems;
    RobotScene m_scene;
    std::vector<std::string> m_heatPorts;  ///< names
};

}  // namespace

bool isRobotScene(std::string_view text) {
    const json document = json::parse(text, nullptr, false);
    return document.is_object() && (document.contains("robot") || document.contains("robots"));
}

RobotScene parseRobotScene(std::string_view text, const fs::path& file, const RobotMessageHandler& messageHandler) {
    scene::Problems problems(file.string());
    const json document = scene::parseJsonText(text, problems);
    problems.throwIfAny();
    scene::checkSchema(document, robotSceneSchema(), problems);
    problems.throwIfAny();
    RobotScene result = Builder(document, file, messageHandler, problems).build();
    std::vector<std::string> names;
    for (const RobotSignal& signal : availableRobotSignals(result)) names.push_back(signal.name);
    scene::checkRecord(result.record, names, problems);
    problems.throwIfAny();
    return result;
}

RobotScene loadRobotScene(const fs::path& file, const RobotMessageHandler& messageHandler) {
    return parseRobotScene(readFile(file), file, messageHandler);
}

RobotScene sceneOfRobot(RobotDescription robot) {
    RobotScene scene;
    scene.name = robot.name;
    scene.robot = std::move(robot);
    robot::standStill(scene);
    return scene;
}

}  // namespace elasto
