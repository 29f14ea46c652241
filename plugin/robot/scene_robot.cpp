#include "scene_robot.h"

#include "change_elements.h"
#include "read_servos.h"
#include "rotation_text.h"
#include "scene_course.h"

#include <elasto/errors.h>
#include <elasto/scene/signals.h>

#include <algorithm>
#include <set>

namespace elasto::robot {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

double number(const json& object, const char* key, double otherwise) {
    return object.contains(key) ? object.at(key).get<double>() : otherwise;
}

std::string text(const json& object, const char* key) {
    return object.contains(key) ? object.at(key).get<std::string>() : std::string();
}

class Reader {
public:
    Reader(const SceneRobotSource& source, scene::Problems& problems)
        : m_source(source), m_fields(source.fields), m_folder(source.file.parent_path()), m_problems(problems) {}

    SceneRobot read() {
        m_result.robot = loadRobot(pathOf("robot"), loadOptions());
        readSolver();
        readPlace();
        if (m_fields.contains("selfCollision")) m_result.selfCollision = m_fields.at("selfCollision").get<bool>();
        standStill(m_result);
        each("changes", [this](const json& item, const std::string& path) { change(item, path); });
        each("surfaces", [this](const json& item, const std::string& path) { readSurface(item, path); });
        each("start", [this](const json& item, const std::string& path) { readStart(item, path); });
        startFollowers();
        each("loads", [this](const json& item, const std::string& path) { readLoad(item, path); });
        each("brakes", [this](const json& item, const std::string& path) { readBrake(item, path); });
        ServoReader servos(m_fields, m_source.place, m_folder, m_result.robot, m_problems,
                           [this](const std::string& path, const std::string& message) { warn(path, message); });
        each("servos", [&](const json& item, const std::string& path) {
            const int joint = jointOf(item, path);
            if (joint >= 0) m_result.servos.push_back(servos.read(item, joint, path));
        });
        return std::move(m_result);
    }

private:
    template <typename Visit>
    void each(const char* key, const Visit& visit) {
        if (!m_fields.contains(key)) return;
        int index = 0;
        for (const json& item : m_fields.at(key)) {
            visit(item, m_source.place + "/" + key + "/" + std::to_string(index++));
        }
    }

    fs::path pathOf(const char* key) const { return (m_folder / text(m_fields, key)).lexically_normal(); }

    LoadRobotOptions loadOptions() const {
        LoadRobotOptions options;
        options.messageHandler = m_source.onWarning;
        options.isBaseChosen = m_fields.contains("base");
        if (m_source.elementsKey != nullptr) options.elementsFile = pathOf(m_source.elementsKey);
        if (m_fields.contains("stops")) {
            const json& stops = m_fields.at("stops");
            options.stops = RobotStops{.c = number(stops, "c", 0), .d = number(stops, "d", 0)};
        }
        return options;
    }

    Eigen::Vector3d vector(const char* key, const Eigen::Vector3d& otherwise) const {
        if (!m_fields.contains(key)) return otherwise;
        const json& array = m_fields.at(key);
        return {array.at(0).get<double>(), array.at(1).get<double>(), array.at(2).get<double>()};
    }

    void readPlace() {
        m_result.pose.position = vector("position", m_result.pose.position);
        m_result.velocity = vector("velocity", m_result.velocity);
        m_result.angularVelocity = vector("angularVelocity", m_result.angularVelocity);
        const std::string base = text(m_fields, "base");
        if (base == "fixed") m_result.base = SceneRobot::Base::Fixed;
        if (base == "free") m_result.base = SceneRobot::Base::Free;
        if (m_fields.contains("rpy")) {
            m_result.pose.orientation = fromRollPitchYaw(vector("rpy", Eigen::Vector3d::Zero()));
            if (m_fields.contains("orientation")) {
                m_problems.add(m_source.place + "/rpy",
                               m_fields.at("rpy").dump() + " is not allowed: orientation says it already");
            }
        }
        if (!m_fields.contains("orientation")) return;
        const json& q = m_fields.at("orientation");
        Eigen::Vector4d v(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(), q.at(3).get<double>());
        const double largest = v.cwiseAbs().maxCoeff();
        if (!(largest > 0)) {
            m_problems.add(m_source.place + "/orientation",
                           "[0,0,0,0] is not allowed; a quaternion x, y, z, w must not be zero");
            return;
        }
        v = (v / largest).normalized();
        m_result.pose.orientation = Eigen::Quaterniond(v[3], v[0], v[1], v[2]);
    }

    void readSolver() {
        if (text(m_fields, "solver") != "bullet") return;
        m_result.solver = SceneRobot::Solver::Bullet;
        if (m_result.robot.elements.empty()) return;
        m_problems.add(m_source.place + "/solver", "\"bullet\" is not allowed: the robot has elements, such as \"" +
                                                       m_result.robot.elements.front().name +
                                                       "\", which Bullet's step cannot solve");
    }

    void readSurface(const json& item, const std::string& path) {
        const std::string pattern = text(item, "link");
        bool fits = false;
        const auto set = [&](const char* key, std::optional<double>& value) {
            if (item.contains(key)) value = item.at(key).get<double>();
        };
        for (RobotLink& link : m_result.robot.links) {
            if (!matchesPattern(pattern, link.name)) continue;
            fits = true;
            set("friction", link.surface.friction);
            set("restitution", link.surface.restitution);
            set("rollingFriction", link.surface.rollingFriction);
            set("spinningFriction", link.surface.spinningFriction);
        }
        if (fits) return;
        std::vector<std::string> names;
        for (const RobotLink& link : m_result.robot.links) names.push_back(link.name);
        const std::string proposal = scene::didYouMean(pattern, names);
        m_problems.add(path + "/link", "\"" + pattern + "\" is not allowed: it fits no link of the robot" + proposal +
                                           (proposal.empty() ? "." : "") + " Links: " + scene::joinFirst(names));
    }

    /// -1 and a problem if there is no such joint, or it is not moved by one coordinate.
    int jointOf(const json& item, const std::string& path) {
        const std::string name = text(item, "joint");
        const int joint = m_result.robot.jointIndex(name);
        if (joint >= 0 && m_result.robot.joints[static_cast<std::size_t>(joint)].isScalar()) return joint;
        m_problems.add(path + "/joint", [&] {
            std::vector<std::string> names;
            for (const RobotJoint& one : m_result.robot.joints) {
                if (one.isScalar()) names.push_back(one.name);
            }
            const std::string proposal = scene::didYouMean(name, names);
            return "\"" + name + "\" is not allowed: there is no such joint that moves" + proposal +
                   (proposal.empty() ? "." : "") + " Joints: " + scene::joinFirst(names);
        });
        return -1;
    }

    void change(const json& item, const std::string& path) {
        std::vector<ParameterChange> changes;
        for (const auto& [key, value] : item.items()) {
            if (key != "element" && key != "heatPort") changes.push_back({key, value.get<double>()});
        }
        const std::string pattern = text(item, "element");
        const int heatPort = item.contains("heatPort") ? heatPortOf(item, path) : -1;
        bool fits = false;
        for (std::size_t i = 0; i < m_result.robot.elements.size(); ++i) {
            RobotElement& element = m_result.robot.elements[i];
            if (!matchesPattern(pattern, element.name)) continue;
            fits = true;
            if (heatPort >= 0) {
                std::erase_if(m_result.heat, [&](const RobotHeat& one) { return one.element == static_cast<int>(i); });
                m_result.heat.push_back({static_cast<int>(i), heatPort});
            }
            try {
                element.law = changedLaw(element.law, changes, "element '" + element.name + "'");
            } catch (const InvalidParameter& refused) {
                m_problems.add(path, refused.what());
            }
        }
        if (fits) return;
        std::vector<std::string> names;
        for (const RobotElement& element : m_result.robot.elements) names.push_back(element.name);
        m_problems.add(path + "/element", "\"" + pattern + "\" is not allowed: it fits no element of the robot. " +
                                              (names.empty() ? "It has none" : "Elements: " + scene::join(names)));
    }

    /// -1 and a problem if there is none of that name.
    int heatPortOf(const json& item, const std::string& path) {
        const std::string name = text(item, "heatPort");
        const std::vector<std::string>& names = m_source.heatPorts;
        const auto place = std::find(names.begin(), names.end(), name);
        if (place != names.end()) return static_cast<int>(place - names.begin());
        const std::string proposal = scene::didYouMean(name, names);
        m_problems.add(path + "/heatPort", "\"" + name + "\" is not allowed: there is no such heat port" + proposal +
                                               (names.empty() ? "; the scene has none"
                                                              : (proposal.empty() ? "." : "") +
                                                                    (" Heat ports: " + scene::joinFirst(names))));
        return -1;
    }

    void readStart(const json& item, const std::string& path) {
        const int joint = jointOf(item, path);
        if (joint < 0) return;
        if (!m_started.insert(joint).second) {
            m_problems.add(path + "/joint", "\"" + text(item, "joint") + "\" is not allowed: it is given twice");
        }
        const RobotJoint& started = m_result.robot.joints[static_cast<std::size_t>(joint)];
        double& q = m_result.q[static_cast<std::size_t>(joint)];
        q = number(item, "position", q);
        if (started.hasRange() && !(q >= started.limits->lower && q <= started.limits->upper)) {
            m_problems.add(path + "/position", json(q).dump() +
                                                   " is not allowed; it must be within the limits of joint \"" +
                                                   started.name + "\", " + json(started.limits->lower).dump() + " .. " +
                                                   json(started.limits->upper).dump());
        }
        m_result.v[static_cast<std::size_t>(joint)] = number(item, "velocity", 0);
        if (item.contains("phi_rel")) readMotorStart(item, joint, path);
    }

    void readMotorStart(const json& item, int joint, const std::string& path) {
        for (RobotElement& element : m_result.robot.elements) {
            if (element.joint != joint || !element.drive) continue;
            element.drive->start = number(item, "phi_rel", 0);
            return;
        }
        m_problems.add(path, "phi_rel is not allowed: joint \"" + text(item, "joint") + "\" has no motor");
    }

    /// Joints that follow others start where these do, unless they have a start of their own.
    void startFollowers() {
        std::vector<bool> isStarted(m_result.q.size());
        for (const int joint : m_started) isStarted[static_cast<std::size_t>(joint)] = true;
        placeFollowers(m_result.robot, m_result.q, isStarted);
        for (std::size_t i = 0; i < m_result.q.size(); ++i) {
            const std::optional<RobotMimic>& mimic = m_result.robot.joints[i].mimic;
            if (!mimic || isStarted[i]) continue;
            m_result.v[i] = mimic->multiplier * m_result.v[static_cast<std::size_t>(mimic->leader)];
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
        for (std::size_t i = 0; i < m_result.robot.elements.size(); ++i) {
            const RobotElement& element = m_result.robot.elements[i];
            if (frictionOf(element.law) == nullptr) continue;
            names.push_back(element.name);
            if (!matchesPattern(pattern, element.name)) continue;
            fits = true;
            brake.element = static_cast<int>(i);
            if (!m_braked.insert(brake.element).second) {
                m_problems.add(path + "/element", refused + "\"" + element.name + "\" has a brake already");
            }
            m_result.brakes.push_back(brake);
        }
        if (fits) return;
        m_problems.add(path + "/element",
                       refused + "it fits no elasto:friction of the robot. " +
                           (names.empty() ? "It has none" : "Elements of friction: " + scene::join(names)));
    }

    void warn(const std::string& path, const std::string& message) const {
        if (m_source.onWarning) m_source.onWarning(m_source.file.string() + ": " + path + ": " + message);
    }

    bool hasMotor(int joint) const {
        for (const RobotElement& element : m_result.robot.elements) {
            if (element.joint == joint && element.drive) return true;
        }
        return false;
    }

    void readLoad(const json& item, const std::string& path) {
        const int joint = jointOf(item, path);
        if (joint < 0) return;
        const bool slides =
            m_result.robot.joints[static_cast<std::size_t>(joint)].type == RobotJoint::Type::Prismatic &&
            !hasMotor(joint);
        const char* field = slides ? "force" : "torque";
        if (!item.contains(field)) {
            m_problems.add(path, std::string(slides ? "torque" : "force") + " is not allowed: joint \"" +
                                     text(item, "joint") + "\" takes a " + field);
        }
        m_result.loads.push_back({joint, function(item, field, path)});
    }

    const SceneRobotSource& m_source;
    const json& m_fields;
    const fs::path m_folder;
    scene::Problems& m_problems;
    SceneRobot m_result;
    std::set<int> m_started;
    std::set<int> m_braked;
};

}  // namespace

void standStill(SceneRobot& robot) {
    for (const RobotJoint& joint : robot.robot.joints) {
        robot.q.push_back(joint.hasRange() ? std::clamp(0.0, joint.limits->lower, joint.limits->upper) : 0);
    }
    robot.v.resize(robot.q.size());
    placeFollowers(robot.robot, robot.q);
}

SceneRobot readSceneRobot(const SceneRobotSource& source, scene::Problems& problems) {
    return Reader(source, problems).read();
}

}  // namespace elasto::robot
