#include <elasto/robot/robot_scene.h>

#include "change_elements.h"
#include "json_text.h"
#include "names.h"
#include "problems.h"
#include "read_servos.h"
#include "scene_course.h"
#include "schema_check.h"

#include <elasto/errors.h>
#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/signals.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace elasto {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

double number(const json& object, const char* key, double otherwise) {
    return object.contains(key) ? object.at(key).get<double>() : otherwise;
}

std::string text(const json& object, const char* key) {
    return object.contains(key) ? object.at(key).get<std::string>() : std::string();
}

bool flag(const json& object, const char* key, bool otherwise) {
    return object.contains(key) ? object.at(key).get<bool>() : otherwise;
}

/// All joints at 0, or at the limit nearest to it.
void standStill(RobotScene& scene) {
    for (const RobotJoint& joint : scene.robot.joints) {
        scene.q.push_back(joint.hasRange() ? std::clamp(0.0, joint.limits->lower, joint.limits->upper) : 0);
    }
    scene.v.resize(scene.q.size());
    placeFollowers(scene.robot, scene.q);
}

class Builder {
public:
    Builder(const json& document, const fs::path& file, const RobotMessageHandler& messageHandler,
            scene::Problems& problems)
        : m_document(document),
          m_file(file),
          m_folder(file.parent_path()),
          m_messageHandler(messageHandler),
          m_problems(problems) {}

    RobotScene build() {
        m_scene.robot = loadRobot(pathOf("robot"), loadOptions());
        m_scene.name = text(m_document, "name");
        m_scene.description = text(m_document, "description");
        readSolver();
        readPlace();
        m_scene.ground = flag(m_document, "ground", m_scene.ground);
        m_scene.friction = number(m_document, "friction", m_scene.friction);
        m_scene.selfCollision = flag(m_document, "selfCollision", m_scene.selfCollision);
        m_scene.rate = number(m_document, "rate", m_scene.rate);
        m_scene.duration = number(m_document, "duration", m_scene.duration);
        readIterations();
        standStill(m_scene);
        each("changes", [this](const json& item, const std::string& path) { change(item, path); });
        each("start", [this](const json& item, const std::string& path) { readStart(item, path); });
        startFollowers();
        each("loads", [this](const json& item, const std::string& path) { readLoad(item, path); });
        each("brakes", [this](const json& item, const std::string& path) { readBrake(item, path); });
        robot::ServoReader servos(m_document, m_folder, m_scene.robot, m_problems,
                                  [this](const std::string& path, const std::string& message) { warn(path, message); });
        each("servos", [&](const json& item, const std::string& path) {
            const int joint = jointOf(item, path);
            if (joint >= 0) m_scene.servos.push_back(servos.read(item, joint, path));
        });
        each("record", [this](const json& item, const std::string&) {
            m_scene.record.push_back(item.is_string() ? SceneRecord{item.get<std::string>(), ""}
                                                      : SceneRecord{text(item, "signal"), text(item, "as")});
        });
        return std::move(m_scene);
    }

private:
    template <typename Visit>
    void each(const char* key, const Visit& visit) {
        if (!m_document.contains(key)) return;
        int index = 0;
        for (const json& item : m_document.at(key)) visit(item, "/" + std::string(key) + "/" + std::to_string(index++));
    }

    fs::path pathOf(const char* key) const { return (m_folder / text(m_document, key)).lexically_normal(); }

    LoadRobotOptions loadOptions() const {
        LoadRobotOptions options;
        options.messageHandler = m_messageHandler;
        if (m_document.contains("elements")) options.elementsFile = pathOf("elements");
        if (m_document.contains("stops")) {
            const json& stops = m_document.at("stops");
            options.stops = RobotStops{.c = number(stops, "c", 0), .d = number(stops, "d", 0)};
        }
        return options;
    }

    Eigen::Vector3d vector(const char* key, const Eigen::Vector3d& otherwise) const {
        if (!m_document.contains(key)) return otherwise;
        const json& array = m_document.at(key);
        return {array.at(0).get<double>(), array.at(1).get<double>(), array.at(2).get<double>()};
    }

    void readPlace() {
        m_scene.gravity = vector("gravity", m_scene.gravity);
        m_scene.pose.position = vector("position", m_scene.pose.position);
        m_scene.velocity = vector("velocity", m_scene.velocity);
        m_scene.angularVelocity = vector("angularVelocity", m_scene.angularVelocity);
        const std::string base = text(m_document, "base");
        if (base == "fixed") m_scene.base = RobotScene::Base::Fixed;
        if (base == "free") m_scene.base = RobotScene::Base::Free;
        if (!m_document.contains("orientation")) return;
        const json& q = m_document.at("orientation");
        Eigen::Vector4d v(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(), q.at(3).get<double>());
        const double largest = v.cwiseAbs().maxCoeff();
        if (!(largest > 0)) {
            m_problems.add("/orientation", "[0,0,0,0] is not allowed; a quaternion x, y, z, w must not be zero");
            return;
        }
        v = (v / largest).normalized();
        m_scene.pose.orientation = Eigen::Quaterniond(v[3], v[0], v[1], v[2]);
    }

    void readSolver() {
        if (text(m_document, "solver") != "bullet") return;
        m_scene.solver = RobotScene::Solver::Bullet;
        if (m_scene.robot.elements.empty()) return;
        m_problems.add("/solver", "\"bullet\" is not allowed: the robot has elements, such as \"" +
                                      m_scene.robot.elements.front().name + "\", which Bullet's step cannot solve");
    }

    void readIterations() {
        const double given = number(m_document, "solverIterations", m_scene.solverIterations);
        if (given > std::numeric_limits<int>::max()) {
            m_problems.add("/solverIterations",
                           "it must be at most " + std::to_string(std::numeric_limits<int>::max()));
            return;
        }
        m_scene.solverIterations = static_cast<int>(given);
    }

    /// -1 and a problem if there is no such joint, or it is not moved by one coordinate.
    int jointOf(const json& item, const std::string& path) {
        const std::string name = text(item, "joint");
        const int joint = m_scene.robot.jointIndex(name);
        if (joint >= 0 && m_scene.robot.joints[static_cast<std::size_t>(joint)].isScalar()) return joint;
        m_problems.add(path + "/joint", [&] {
            std::vector<std::string> names;
            for (const RobotJoint& one : m_scene.robot.joints) {
                if (one.isScalar()) names.push_back(one.name);
            }
            const std::string proposal = scene::didYouMean(name, names);
            return "\"" + name + "\" is not allowed: there is no such joint that moves" + proposal +
                   (proposal.empty() ? "." : "") + " Joints: " + scene::joinFirst(names);
        });
        return -1;
    }

    void change(const json& item, const std::string& path) {
        std::vector<robot::ParameterChange> changes;
        for (const auto& [key, value] : item.items()) {
            if (key != "element") changes.push_back({key, value.get<double>()});
        }
        const std::string pattern = text(item, "element");
        bool fits = false;
        for (RobotElement& element : m_scene.robot.elements) {
            if (!matchesPattern(pattern, element.name)) continue;
            fits = true;
            try {
                element.law = robot::changedLaw(element.law, changes, "element '" + element.name + "'");
            } catch (const InvalidParameter& refused) {
                m_problems.add(path, refused.what());
            }
        }
        if (fits) return;
        std::vector<std::string> names;
        for (const RobotElement& element : m_scene.robot.elements) names.push_back(element.name);
        m_problems.add(path + "/element", "\"" + pattern + "\" is not allowed: it fits no element of the robot. " +
                                              (names.empty() ? "It has none" : "Elements: " + scene::join(names)));
    }

    void readStart(const json& item, const std::string& path) {
        const int joint = jointOf(item, path);
        if (joint < 0) return;
        if (!m_started.insert(joint).second) {
            m_problems.add(path + "/joint", "\"" + text(item, "joint") + "\" is not allowed: it is given twice");
        }
        const RobotJoint& started = m_scene.robot.joints[static_cast<std::size_t>(joint)];
        double& q = m_scene.q[static_cast<std::size_t>(joint)];
        q = number(item, "position", q);
        if (started.hasRange() && !(q >= started.limits->lower && q <= started.limits->upper)) {
            m_problems.add(path + "/position", json(q).dump() +
                                                   " is not allowed; it must be within the limits of joint \"" +
                                                   started.name + "\", " + json(started.limits->lower).dump() + " .. " +
                                                   json(started.limits->upper).dump());
        }
        m_scene.v[static_cast<std::size_t>(joint)] = number(item, "velocity", 0);
        if (item.contains("phi_rel")) readMotorStart(item, joint, path);
    }

    void readMotorStart(const json& item, int joint, const std::string& path) {
        for (RobotElement& element : m_scene.robot.elements) {
            if (element.joint != joint || !element.drive) continue;
            element.drive->start = number(item, "phi_rel", 0);
            return;
        }
        m_problems.add(path, "phi_rel is not allowed: joint \"" + text(item, "joint") + "\" has no motor");
    }

    /// Joints that follow others start where these do, unless they have a start of their own.
    void startFollowers() {
        std::vector<bool> isStarted(m_scene.q.size());
        for (const int joint : m_started) isStarted[static_cast<std::size_t>(joint)] = true;
        placeFollowers(m_scene.robot, m_scene.q, isStarted);
        for (std::size_t i = 0; i < m_scene.q.size(); ++i) {
            const std::optional<RobotMimic>& mimic = m_scene.robot.joints[i].mimic;
            if (!mimic || isStarted[i]) continue;
            m_scene.v[i] = mimic->multiplier * m_scene.v[static_cast<std::size_t>(mimic->leader)];
        }
    }

    RobotFunction function(const json& item, const char* value, const std::string& path) {
        RobotFunction result;
        result.value = number(item, value, 0);
        scene::readCourse(item, m_folder, path, result, m_problems);
        scene::checkCourse(result, path, m_problems);
        return result;
    }

    void readBrake(const json& item, const std::string& path) {
        RobotBrake brake;
        scene::readCourse(item, m_folder, path, brake.course, m_problems);
        scene::checkCourse(brake.course, path, m_problems);
        const std::string pattern = text(item, "element");
        const std::string refused = "\"" + pattern + "\" is not allowed: ";
        std::vector<std::string> names;
        bool fits = false;
        for (std::size_t i = 0; i < m_scene.robot.elements.size(); ++i) {
            const RobotElement& element = m_scene.robot.elements[i];
            if (!std::holds_alternative<FrictionLaw>(element.law)) continue;
            names.push_back(element.name);
            if (!matchesPattern(pattern, element.name)) continue;
            fits = true;
            brake.element = static_cast<int>(i);
            if (!m_braked.insert(brake.element).second) {
                m_problems.add(path + "/element", refused + "\"" + element.name + "\" has a brake already");
            }
            m_scene.brakes.push_back(brake);
        }
        if (fits) return;
        m_problems.add(path + "/element",
                       refused + "it fits no elasto:friction of the robot. " +
                           (names.empty() ? "It has none" : "Elements of friction: " + scene::join(names)));
    }

    void warn(const std::string& path, const std::string& message) const {
        if (m_messageHandler) m_messageHandler(m_file.string() + ": " + path + ": " + message);
    }

    bool hasMotor(int joint) const {
        for (const RobotElement& element : m_scene.robot.elements) {
            if (element.joint == joint && element.drive) return true;
        }
        return false;
    }

    void readLoad(const json& item, const std::string& path) {
        const int joint = jointOf(item, path);
        if (joint < 0) return;
        const bool slides = m_scene.robot.joints[static_cast<std::size_t>(joint)].type == RobotJoint::Type::Prismatic &&
                            !hasMotor(joint);
        const char* field = slides ? "force" : "torque";
        if (!item.contains(field)) {
            m_problems.add(path, std::string(slides ? "torque" : "force") + " is not allowed: joint \"" +
                                     text(item, "joint") + "\" takes a " + field);
        }
        m_scene.loads.push_back({joint, function(item, field, path)});
    }

    const json& m_document;
    const fs::path& m_file;
    const fs::path m_folder;
    const RobotMessageHandler& m_messageHandler;
    scene::Problems& m_problems;
    RobotScene m_scene;
    std::set<int> m_started;
    std::set<int> m_braked;
};

}  // namespace

bool isRobotScene(std::string_view text) {
    const json document = json::parse(text, nullptr, false);
    return document.is_object() && document.contains("robot");
}

RobotScene parseRobotScene(std::string_view text, const fs::path& file, const RobotMessageHandler& messageHandler) {
    scene::Problems problems(file.string());
    const json document = scene::parseJsonText(text, problems);
    problems.throwIfAny();
    scene::checkSchema(document, robotSceneSchema(), problems);
    problems.throwIfAny();
    RobotScene result = Builder(document, file, messageHandler, problems).build();
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
    standStill(scene);
    return scene;
}

}  // namespace elasto
