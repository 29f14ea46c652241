#include "surroundings.h"

#include "build_scene.h"
#include "check_scene.h"
#include "schema_check.h"

#include <algorithm>
#include <map>
#include <set>

namespace elasto::robot {

using nlohmann::json;

namespace {

/// The sections as a scene of their own, at the same places; nothing where there are none.
json sectionsOf(const json& document) {
    json sections = json::object();
    for (const char* key : {"bodies", "joints", "heatPorts", "flight"}) {
        if (document.contains(key)) sections[key] = document.at(key);
    }
    if (document.contains("elements") && document.at("elements").is_array()) {
        sections["elements"] = document.at("elements");
    }
    if (document.contains("loads") && document.contains("robots")) sections["loads"] = document.at("loads");
    if (sections.empty()) return sections;
    sections.update({{"elasto", 1}, {"name", document.at("name")}});
    if (!sections.contains("bodies")) sections["bodies"] = json::array();
    return sections;
}

/// True for a link that nothing can move.
bool isHeld(const SceneRobot& robot, int link) {
    const std::vector<RobotJoint>& joints = robot.robot.joints;
    const bool isFloating = !joints.empty() && joints.front().type == RobotJoint::Type::Floating;
    const int base = isFloating ? 1 : 0;
    while (link > base) {
        const RobotJoint& joint = joints[static_cast<std::size_t>(link) - 1];
        if (joint.type != RobotJoint::Type::Fixed) return false;
        link = joint.parent;
    }
    if (robot.base != SceneRobot::Base::AsStated) return robot.base == SceneRobot::Base::Fixed;
    return !(robot.robot.links[static_cast<std::size_t>(base)].mass > 0);
}

/// Bodies that stand for links where elements name them.
std::vector<SceneBody> standInsOf(const RobotScene& scene, std::vector<SceneLink>& links) {
    std::vector<SceneBody> bodies;
    for (std::size_t r = 0; r < scene.robots(); ++r) {
        const SceneRobot& robot = scene.at(r);
        const std::vector<RobotPose> poses = linkPoses(robot.robot, robot.pose, robot.q);
        for (std::size_t i = 0; i < robot.robot.links.size(); ++i) {
            const RobotLink& link = robot.robot.links[i];
            SceneBody body;
            body.name = robot.prefix + link.name;
            if (body.name == "world" || body.name == "time") continue;  // these words mean something else
            const RobotPose frame = poses[i] * link.statedFrame;
            body.position = frame.position;
            body.orientation = frame.orientation;
            body.inertia = Eigen::Vector3d::Ones();
            if (isHeld(robot, static_cast<int>(i))) body.motion = BodyMotion::Fixed;
            bodies.push_back(std::move(body));
            links.push_back({r, static_cast<int>(i)});
        }
    }
    return bodies;
}

class Surroundings {
public:
    Surroundings(RobotScene& scene, scene::Problems& problems)
        : m_scene(scene), m_around(scene.around), m_problems(problems) {}

    void read(const json& sections, const std::filesystem::path& folder) {
        std::vector<SceneBody> standIns = standInsOf(m_scene, m_scene.links);
        m_around = scene::buildScene(sections, folder, m_problems, std::move(standIns));
        m_around.gravity = m_scene.gravity;
        m_problems.throwIfAny();
        checkNames();
        refuseOnLinks();
        m_problems.throwIfAny();
        dropUnusedLinks();
        scene::checkAndResolve(m_around, m_problems);
        std::stable_partition(m_around.elements.begin(), m_around.elements.end(),
                              [&](const SceneElement& element) { return !m_scene.isOnLink(element); });
    }

private:
    bool isLink(int body) const { return body != kWorld && static_cast<std::size_t>(body) >= m_scene.bodies(); }
    const std::string& nameOf(int body) const { return m_around.bodies[static_cast<std::size_t>(body)].name; }

    /// Signals of robots and of what is around them are in one list.
    void checkNames() {
        std::map<std::string, std::string> taken = {{"com", "the robot's centre of mass"}};
        for (std::size_t r = 0; r < m_scene.robots(); ++r) {
            const SceneRobot& robot = m_scene.at(r);
            if (!robot.prefix.empty()) {
                taken.emplace(robot.prefix.substr(0, robot.prefix.size() - 1), "a robot");
                continue;
            }
            for (const RobotLink& link : robot.robot.links) taken.emplace(link.name, "a link of the robot");
            for (const RobotJoint& joint : robot.robot.joints) taken.emplace(joint.name, "a joint of the robot");
            for (const RobotElement& element : robot.robot.elements)
                taken.emplace(element.name, "an element of the robot");
        }
        const auto check = [&](const char* list, const auto& things, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                const auto other = taken.find(things[i].name);
                if (other == taken.end()) continue;
                m_problems.add(
                    "/" + std::string(list) + "/" + std::to_string(i) + "/name",
                    "\"" + things[i].name + "\" is not allowed: it is the name of " + other->second + " already");
            }
        };
        check("bodies", m_around.bodies, m_scene.bodies());
        check("joints", m_around.joints, m_around.joints.size());
        check("elements", m_around.elements, m_around.elements.size());
        check("heatPorts", m_around.heatPorts, m_around.heatPorts.size());
    }

    void refuseLink(int body, const std::string& path, const char* why) {
        if (!isLink(body)) return;
        m_problems.add(path, "\"" + nameOf(body) + "\" is not allowed: it is a link of a robot, and " + why);
    }

    void refuseOnLinks() {
        for (std::size_t i = 0; i < m_around.joints.size(); ++i) {
            const std::string path = "/joints/" + std::to_string(i);
            const char* why = "joints of the scene are between its bodies";
            refuseLink(m_around.joints[i].frame_a.body, path + "/frame_a/body", why);
            refuseLink(m_around.joints[i].frame_b.body, path + "/frame_b/body", why);
        }
        for (std::size_t i = 0; i < m_around.loads.size(); ++i) {
            refuseLink(m_around.loads[i].body, "/loads/" + std::to_string(i) + "/body",
                       "loads of robots act on their joints");
        }
        for (std::size_t i = 0; i < m_around.elements.size(); ++i) {
            checkElement(m_around.elements[i], "/elements/" + std::to_string(i));
        }
    }

    void checkElement(const SceneElement& element, const std::string& path) {
        if (element.gear) refuseLink(element.gear->carrier, path + "/gear/carrier", "gear pairs are between bodies");
        if (!m_scene.isOnLink(element)) return;
        const std::string onLink = " is not allowed on a link of a robot";
        if (element.gear) m_problems.add(path + "/gear", "a gear pair" + onLink + "; it is between bodies");
        if (frictionOf(element.law) != nullptr) {
            m_problems.add(path + "/type", "\"" + std::string(elementTypeName(element.type)) + "\"" + onLink +
                                               "; friction acts between bodies");
        }
        if (element.start.v) m_problems.add(path + "/start", "a rate" + onLink + "; give the body its velocity");
        if (element.start.s && isLink(element.frame_b.body)) {
            m_problems.add(path + "/start",
                           "is not allowed where frame_b is on a link, which stands as its joints say");
        }
        if (element.s_small != SceneElement().s_small) {
            m_problems.add(path + "/s_small", scene::toText(element.s_small) + onLink + "; there it is 1e-10");
        }
    }

    /// Only links on which elements have ends stay.
    void dropUnusedLinks() {
        const int bodies = static_cast<int>(m_scene.bodies());
        std::set<int> used;
        const auto forEachEnd = [&](const auto& visit) {
            for (SceneElement& element : m_around.elements) {
                for (SceneFrame* frame : {&element.frame_a, &element.frame_b}) {
                    if (frame->body >= bodies) visit(frame->body);
                }
            }
        };
        forEachEnd([&](int body) { used.insert(body); });
        std::map<int, int> places;
        std::vector<SceneLink> links;
        for (const int body : used) {
            const int place = bodies + static_cast<int>(links.size());
            places.emplace(body, place);
            links.push_back(m_scene.links[static_cast<std::size_t>(body - bodies)]);
            m_around.bodies[static_cast<std::size_t>(place)] = m_around.bodies[static_cast<std::size_t>(body)];
        }
        m_around.bodies.resize(static_cast<std::size_t>(bodies) + links.size());
        m_scene.links = std::move(links);
        forEachEnd([&](int& body) { body = places.at(body); });
    }

    RobotScene& m_scene;
    Scene& m_around;
    scene::Problems& m_problems;
};

}  // namespace

void readSurroundings(const json& document, const std::filesystem::path& folder, RobotScene& scene,
                      scene::Problems& problems) {
    const json sections = sectionsOf(document);
    if (sections.empty()) return;
    scene::checkSchema(sections, problems);
    problems.throwIfAny();
    Surroundings(scene, problems).read(sections, folder);
}

}  // namespace elasto::robot

namespace elasto {

bool RobotScene::isOnLink(const SceneElement& element) const {
    const auto isLink = [&](const SceneFrame& frame) {
        return frame.body != kWorld && static_cast<std::size_t>(frame.body) >= bodies();
    };
    return isLink(element.frame_a) || isLink(element.frame_b);
}

Scene RobotScene::aroundAlone() const {
    Scene alone = around;
    alone.name = name;
    alone.gravity = gravity;
    alone.rate = rate;
    alone.duration = duration;
    alone.solverIterations = solverIterations;
    alone.bodies.resize(bodies());
    std::erase_if(alone.elements, [this](const SceneElement& element) { return isOnLink(element); });
    return alone;
}

RobotScene RobotScene::robotAlone(std::size_t index) const {
    RobotScene alone = *this;
    static_cast<SceneRobot&>(alone) = at(index);
    alone.others.clear();
    alone.heat.clear();
    alone.around = {};
    alone.links.clear();
    return alone;
}

}  // namespace elasto
