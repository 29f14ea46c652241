#include "check_urdf.h"

#include "problems.h"

#include <elasto/robot/load_robot.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

const std::vector<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed", "planar", "floating"};

class Checker {
public:
    explicit Checker(XmlFile& file) : m_file(file) {}

    UrdfElements run(const XMLElement& robot) {
        m_file.text(robot, "name", "the robot's name");
        for (const XMLElement* child = robot.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            const std::string_view tag = child->Name();
            if (tag == "link" && checkName(*child, m_linkLines)) m_elements.links.push_back(child);
            if (tag == "joint" && checkName(*child, m_jointLines)) m_elements.joints.push_back(child);
        }
        if (m_elements.links.size() > kMostRobotLinks) {
            m_file.problem(robot, "has " + std::to_string(m_elements.links.size()) +
                                      " links; a robot may have at most " + std::to_string(kMostRobotLinks));
            return m_elements;
        }
        if (m_linkLines.empty()) m_file.problem(robot, "has no <link>; there must be at least one");
        for (const XMLElement* link : m_elements.links) checkLink(*link);
        for (const XMLElement* joint : m_elements.joints) checkJoint(*joint);
        return m_elements;
    }

private:
    bool checkName(const XMLElement& element, std::map<std::string, int>& lines) {
        const char* name = m_file.text(element, "name", "a name of its own");
        if (name == nullptr) return false;
        const auto [other, isNew] = lines.emplace(name, element.GetLineNum());
        if (!isNew) {
            m_file.problem(element,
                           "is the name on line " + std::to_string(other->second) + " already; names must be unique");
        }
        return isNew;
    }

    void checkLink(const XMLElement& link) {
        if (const XMLElement* inertial = m_file.onlyChild(link, "inertial", false)) checkInertial(*inertial);
        for (const char* tag : {"visual", "collision"}) {
            for (const XMLElement* shape = link.FirstChildElement(tag); shape != nullptr;
                 shape = shape->NextSiblingElement(tag)) {
                checkOrigin(*shape);
                if (const XMLElement* geometry = m_file.onlyChild(*shape, "geometry", true)) checkGeometry(*geometry);
            }
        }
    }

    void checkInertial(const XMLElement& inertial) {
        checkOrigin(inertial);
        if (const XMLElement* mass = m_file.onlyChild(inertial, "mass", true)) {
            m_file.number(*mass, "value", kNotNegative, true);
        }
        const XMLElement* inertia = m_file.onlyChild(inertial, "inertia", true);
        if (inertia == nullptr) return;
        for (const char* moment : {"ixx", "iyy", "izz"}) m_file.number(*inertia, moment, kNotNegative, true);
        for (const char* product : {"ixy", "ixz", "iyz"}) m_file.number(*inertia, product, kAnyNumber, true);
    }

    void checkOrigin(const XMLElement& owner) {
        const XMLElement* origin = m_file.onlyChild(owner, "origin", false);
        if (origin == nullptr) return;
        m_file.vector(*origin, "xyz", kAnyNumber, false);
        m_file.vector(*origin, "rpy", kAnyNumber, false);
    }

    void checkGeometry(const XMLElement& geometry) {
        const XMLElement* shape = geometry.FirstChildElement();
        if (shape == nullptr) {
            m_file.problem(geometry, "is empty; it must hold one of box, sphere, cylinder, mesh");
            return;
        }
        if (const XMLElement* second = shape->NextSiblingElement()) {
            m_file.problem(*second, "is not allowed; <geometry> must hold one shape");
        }
        const std::string_view tag = shape->Name();
        if (tag == "box") {
            m_file.vector(*shape, "size", kPositive, true);
        } else if (tag == "sphere") {
            m_file.number(*shape, "radius", kPositive, true);
        } else if (tag == "cylinder") {
            m_file.number(*shape, "radius", kPositive, true);
            m_file.number(*shape, "length", kPositive, true);
        } else if (tag == "mesh") {
            m_file.text(*shape, "filename", "the mesh's file");
            m_file.vector(*shape, "scale", kNotZero, false);
        } else {
            m_file.problem(*shape, "is not allowed; the shape must be one of box, sphere, cylinder, mesh" +
                                       scene::didYouMean(tag, {"box", "sphere", "cylinder", "mesh"}));
        }
    }

    void checkJoint(const XMLElement& joint) {
        const char* type =
            m_file.text(joint, "type", "one of revolute, continuous, prismatic, fixed, planar, floating");
        const std::string_view kind = type == nullptr ? "" : type;
        if (type != nullptr && std::find(kJointTypes.begin(), kJointTypes.end(), kind) == kJointTypes.end()) {
            m_file.problem(joint, "type = \"" + std::string(kind) + "\" is not allowed; it must be one of " +
                                      scene::join(kJointTypes) + scene::didYouMean(kind, kJointTypes));
        }
        checkOrigin(joint);
        checkEnd(joint, "parent");
        checkEnd(joint, "child");
        if (const XMLElement* axis = m_file.onlyChild(joint, "axis", false)) checkAxis(*axis);
        checkLimit(joint, kind);
        if (const XMLElement* dynamics = m_file.onlyChild(joint, "dynamics", false)) {
            m_file.number(*dynamics, "damping", kNotNegative, false);
            m_file.number(*dynamics, "friction", kNotNegative, false);
            if (dynamics->Attribute("damping") == nullptr && dynamics->Attribute("friction") == nullptr) {
                m_file.problem(*dynamics, "is empty; it must have damping, friction or both");
            }
        }
        if (const XMLElement* mimic = joint.FirstChildElement("mimic")) {
            m_file.problem(*mimic,
                           "is not supported (of " + tagOf(joint) + "); take it out, and move the joint by a motor");
        }
    }

    void checkEnd(const XMLElement& joint, const char* end) {
        const XMLElement* child = m_file.onlyChild(joint, end, true);
        if (child == nullptr) return;
        const char* name = m_file.text(*child, "link", "the name of a link");
        if (name == nullptr || m_linkLines.contains(name)) return;
        m_file.problem(joint, [&] {
            std::vector<std::string> names;
            for (const XMLElement* link : m_elements.links) names.emplace_back(link->Attribute("name"));
            const std::string proposal = scene::didYouMean(name, names);
            return std::string(end) + " = \"" + name + "\" is not allowed: there is no such link" + proposal +
                   (proposal.empty() ? "." : "") + " Links: " + (names.empty() ? "none" : scene::joinFirst(names));
        });
    }

    void checkAxis(const XMLElement& axis) {
        const std::optional<Eigen::Vector3d> xyz = m_file.vector(axis, "xyz", kAnyNumber, true);
        if (xyz && !(xyz->cwiseAbs().maxCoeff() > 1e-9)) {
            m_file.problem(
                axis, std::string("xyz = \"") + axis.Attribute("xyz") + "\" is not allowed; it must have a direction");
        }
    }

    void checkLimit(const XMLElement& joint, std::string_view kind) {
        const bool isRequired = kind == "revolute" || kind == "prismatic";
        const XMLElement* limit = m_file.onlyChild(joint, "limit", isRequired);
        if (limit == nullptr) return;
        const double lower = m_file.number(*limit, "lower", kAnyNumber, false).value_or(0);
        const double upper = m_file.number(*limit, "upper", kAnyNumber, false).value_or(0);
        m_file.number(*limit, "effort", kNotNegative, true);
        m_file.number(*limit, "velocity", kNotNegative, true);
        if (kind == "revolute") warnOfDegrees(joint, *limit);
        if (!isRequired || lower <= upper) return;
        const char* given = limit->Attribute("upper");
        m_file.problem(*limit, std::string("upper = \"") + (given == nullptr ? "0" : given) +
                                   "\" is not allowed; it must be >= lower (of " + tagOf(joint) + ")");
    }

    /// Limits that are hardly meant in radians: whole or half numbers beyond a turn, and anything beyond two turns.
    /// Axes of real arms turn by up to 455 degrees to either side, 7.94 rad.
    void warnOfDegrees(const XMLElement& joint, const XMLElement& limit) {
        constexpr double kPi = 3.141592653589793;
        for (const char* end : {"lower", "upper"}) {
            const char* given = limit.Attribute(end);
            const double value = std::abs(given == nullptr ? 0 : parseNumber(given).value_or(0));
            const bool isRound = std::floor(2 * value) == 2 * value;
            if (value <= (isRound ? 2 : 4) * kPi) continue;
            m_file.warning(limit, [&] {
                return std::string(end) + " = \"" + given + "\" is more than a turn (of " + tagOf(joint) +
                       "); limits of a revolute joint are in radians: are these degrees?";
            });
            return;
        }
    }

    XmlFile& m_file;
    UrdfElements m_elements;
    std::map<std::string, int> m_linkLines;
    std::map<std::string, int> m_jointLines;
};

}  // namespace

UrdfElements checkUrdf(XmlFile& file) {
    if (file.root() == nullptr) return {};
    if (std::strcmp(file.root()->Name(), "robot") != 0) {
        file.problem(*file.root(), "is not allowed here; a URDF file must begin with <robot>");
        return {};
    }
    return Checker(file).run(*file.root());
}

void checkTree(XmlFile& file, const UrdfElements& elements) {
    std::map<std::string, const XMLElement*> carrier;  // of a link
    std::map<std::string, std::vector<std::string>> children;
    for (const XMLElement* joint : elements.joints) {
        const std::string parent = joint->FirstChildElement("parent")->Attribute("link");
        const std::string child = joint->FirstChildElement("child")->Attribute("link");
        children[parent].push_back(child);
        if (parent == child) file.problem(*joint, "parent and child are the same link, \"" + child + "\"");
        const auto [other, isNew] = carrier.emplace(child, joint);
        if (isNew) continue;
        file.problem(*joint, "child = \"" + child + "\" is not allowed: " + tagOf(*other->second) + " on line " +
                                 std::to_string(other->second->GetLineNum()) +
                                 " carries that link already; a robot must be a tree, without closed loops");
    }
    std::vector<const XMLElement*> roots;
    for (const XMLElement* link : elements.links) {
        if (!carrier.contains(link->Attribute("name"))) roots.push_back(link);
    }
    for (std::size_t i = 1; i < roots.size(); ++i) {
        file.problem(*roots[i], "no joint carries it, nor " + tagOf(*roots[0]) +
                                    "; there must be one root: connect them by a joint");
    }
    std::set<std::string> reached;
    std::vector<std::string> open;
    for (const XMLElement* root : roots) open.emplace_back(root->Attribute("name"));
    while (!open.empty()) {
        const std::string link = open.back();
        open.pop_back();
        if (!reached.insert(link).second) continue;
        for (const std::string& child : children[link]) open.push_back(child);
    }
    for (const XMLElement* joint : elements.joints) {
        const std::string child = joint->FirstChildElement("child")->Attribute("link");
        if (reached.contains(child)) continue;
        file.problem(*joint, "is part of a closed loop of joints (link \"" + child +
                                 "\"), which carries itself; a robot must be a tree with one root");
        return;
    }
}

}  // namespace elasto::robot
