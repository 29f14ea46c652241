#include "read_urdf.h"

#include "hull_shape.h"
#include "link_inertial.h"
#include "problems.h"
#include "read_surface.h"
#include "rotation_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

const std::vector<std::string> kJointTypes = {"revolute", "continuous", "prismatic", "fixed",
                                              "planar",   "floating",   "spherical"};
const std::vector<std::string> kShapes = {"box", "sphere", "cylinder", "capsule", "mesh"};

bool isOneOf(std::string_view name, const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class UrdfReader {
public:
    UrdfReader(XmlFile& file, const LoadRobotOptions& options) : m_file(file), m_options(options) {}

    RobotParts run(const XMLElement& robot) {
        readName(robot);
        std::vector<const XMLElement*> joints;
        std::size_t links = 0;
        for (const XMLElement* child = robot.FirstChildElement("link"); child != nullptr;
             child = child->NextSiblingElement("link")) {
            if (++links > kMostRobotLinks) continue;
            if (checkName(*child, m_linkLines)) readLink(*child);
        }
        for (const XMLElement* child = robot.FirstChildElement("joint"); child != nullptr;
             child = child->NextSiblingElement("joint")) {
            if (links <= kMostRobotLinks && checkName(*child, m_jointLines)) readJoint(*child);
        }
        if (links > kMostRobotLinks) {
            m_file.problem(robot, "has " + std::to_string(links) + " links; a robot may have at most " +
                                      std::to_string(kMostRobotLinks));
            return {};
        }
        readGazebo(m_file, m_parts);
        if (links == 0) m_file.problem(robot, "has no <link>; there must be at least one");
        return std::move(m_parts);
    }

private:
    void readName(const XMLElement& robot) {
        const char* given = robot.Attribute("name");
        if (given != nullptr && *given != '\0') {
            if (const char* name = m_file.text(robot, "name", "the robot's name")) m_parts.name = name;
            return;
        }
        m_parts.name = "robot";
        m_file.warnOnce("robot name", robot, [] { return "has no name; \"robot\" is assumed"; });
    }

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

    void readLink(const XMLElement& element) {
        LinkPart part;
        part.file = &m_file;
        part.link.name = element.Attribute("name");
        part.link.line = element.GetLineNum();
        if (const XMLElement* inertial = m_file.onlyChild(element, "inertial", false)) readInertial(*inertial, part);
        for (const XMLElement* shape = element.FirstChildElement("collision"); shape != nullptr;
             shape = shape->NextSiblingElement("collision")) {
            readCollision(*shape, element, part.link);
        }
        if (const XMLElement* contact = m_file.onlyChild(element, "contact", false)) {
            readContact(m_file, *contact, part.link.surface);
        }
        m_parts.links.push_back(std::move(part));
    }

    void readInertial(const XMLElement& element, LinkPart& part) {
        const RobotPose place = readOrigin(element);
        const XMLElement* mass = m_file.onlyChild(element, "mass", true);
        const XMLElement* inertia = m_file.onlyChild(element, "inertia", false);
        const double kg = mass == nullptr ? 0 : m_file.number(*mass, "value", kNotNegative, true).value_or(0);
        if (mass == nullptr) return;
        if (inertia == nullptr) {
            part.link.mass = kg;
            part.link.principalFrame = place;
            return;
        }
        Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();
        const std::array<const char*, 3> names = {"x", "y", "z"};
        for (int i = 0; i < 3; ++i) {
            for (int j = i; j < 3; ++j) {
                const std::string name =
                    std::string("i") + names[static_cast<std::size_t>(i)] + names[static_cast<std::size_t>(j)];
                tensor(i, j) = tensor(j, i) = readMoment(*inertia, name, i == j);
            }
        }
        if (kg == 0 && !tensor.isZero(0) && mass->Attribute("value") != nullptr) {
            m_file.warnOnce("moments without mass", *mass, [&] {
                return "value = \"" + std::string(mass->Attribute("value")) + "\" with moments of inertia (of link \"" +
                       part.link.name + "\"); at the root it is a fixed base";
            });
        }
        setInertial(part, kg, place, tensor, *inertia);
    }

    /// A missing product is 0; a missing moment is a mistake.
    double readMoment(const XMLElement& inertia, const std::string& name, bool isMoment) {
        const char* given = inertia.Attribute(name.c_str());
        const bool isEmpty = given != nullptr && *given == '\0';
        if (!isMoment && (given == nullptr || isEmpty)) {
            m_file.warnOnce("missing product", inertia, [&] { return name + " is missing; 0 is assumed"; });
            return 0;
        }
        return m_file.number(inertia, name.c_str(), kAnyNumber, true).value_or(0);
    }

    RobotPose readOrigin(const XMLElement& owner) {
        const XMLElement* origin = m_file.onlyChild(owner, "origin", false);
        if (origin == nullptr) return {};
        RobotPose pose;
        pose.position = m_file.vector(*origin, "xyz", kAnyNumber, false).value_or(Eigen::Vector3d::Zero());
        pose.orientation =
            fromRollPitchYaw(m_file.vector(*origin, "rpy", kAnyNumber, false).value_or(Eigen::Vector3d::Zero()));
        return pose;
    }

    void readCollision(const XMLElement& element, const XMLElement& owner, RobotLink& link) {
        RobotShape shape;
        const char* name = element.Attribute("name");
        shape.name = name == nullptr ? "" : name;
        shape.line = element.GetLineNum();
        shape.pose = readOrigin(element);
        const XMLElement* geometry = m_file.onlyChild(element, "geometry", true);
        if (geometry != nullptr && readGeometry(*geometry, owner, shape)) link.collisions.push_back(std::move(shape));
    }

    /// False: there is nothing that touches, or a mistake.
    bool readGeometry(const XMLElement& geometry, const XMLElement& owner, RobotShape& shape) {
        const XMLElement* element = geometry.FirstChildElement();
        while (element != nullptr && !isOneOf(element->Name(), kShapes)) element = element->NextSiblingElement();
        if (element == nullptr) {
            const XMLElement* other = geometry.FirstChildElement();
            m_file.warnOnce("no shape", other == nullptr ? geometry : *other, [&] {
                return (other == nullptr ? "is empty (of " : "is no shape that is read (of ") + tagOf(owner) +
                       "); it is left out. Shapes: " + scene::join(kShapes) +
                       (other == nullptr ? "" : scene::didYouMean(other->Name(), kShapes));
            });
            return false;
        }
        for (const XMLElement* more = element->NextSiblingElement(); more != nullptr;
             more = more->NextSiblingElement()) {
            if (!isOneOf(more->Name(), kShapes)) continue;
            m_file.warnOnce("second shape", *more, [] { return "is not read; <geometry> has one shape already"; });
        }
        const std::string_view tag = element->Name();
        if (tag == "mesh") return readMesh(*element, owner, shape);
        if (tag == "box") {
            shape.size = m_file.vector(*element, "size", kNotNegative, true).value_or(Eigen::Vector3d::Ones());
            return hasExtent(*element, owner, shape.size.minCoeff());
        }
        shape.type = tag == "sphere"     ? RobotShape::Type::Sphere
                     : tag == "cylinder" ? RobotShape::Type::Cylinder
                                         : RobotShape::Type::Capsule;
        shape.radius = m_file.number(*element, "radius", kNotNegative, true).value_or(1);
        if (tag == "sphere") return hasExtent(*element, owner, shape.radius);
        shape.length = m_file.number(*element, "length", kNotNegative, true).value_or(1);
        return hasExtent(*element, owner, tag == "capsule" ? shape.radius : std::min(shape.radius, shape.length));
    }

    bool hasExtent(const XMLElement& element, const XMLElement& owner, double least) {
        if (least > 0) return true;
        m_file.warnOnce("flat shape", element,
                        [&] { return "has no extent (of " + tagOf(owner) + "); the shape is left out"; });
        return false;
    }

    bool readMesh(const XMLElement& element, const XMLElement& owner, RobotShape& shape) {
        const char* uri = m_file.text(element, "filename", "the mesh's file");
        const Eigen::Vector3d scale =
            m_file.vector(element, "scale", kNotZero, false).value_or(Eigen::Vector3d::Ones());
        return uri != nullptr && makeHull({m_file, element, tagOf(owner), m_options}, uri, scale, shape);
    }

    void readJoint(const XMLElement& element) {
        JointPart part;
        part.file = &m_file;
        part.joint.name = element.Attribute("name");
        part.joint.line = element.GetLineNum();
        const bool isKnown = readType(element, part.joint);
        part.joint.pose = readOrigin(element);
        const bool hasParent = readEnd(element, "parent", part.parent);
        const bool hasChild = readEnd(element, "child", part.child);
        readAxis(element, part.joint);
        readLimit(element, part.joint);
        if (const XMLElement* dynamics = m_file.onlyChild(element, "dynamics", false)) {
            readDynamics(*dynamics, element, part.joint);
        }
        if (const XMLElement* mimic = m_file.onlyChild(element, "mimic", false)) readMimic(*mimic, element, part);
        if (isKnown && hasParent && hasChild) {
            m_parts.joints.push_back(std::move(part));
        } else {
            m_parts.carriedByWrong.push_back(hasChild ? part.child : "");
        }
    }

    bool readType(const XMLElement& element, RobotJoint& joint) {
        using Type = RobotJoint::Type;
        constexpr std::array<Type, 7> kTypes = {Type::Revolute, Type::Continuous, Type::Prismatic, Type::Fixed,
                                                Type::Planar,   Type::Floating,   Type::Ball};
        const char* type =
            m_file.text(element, "type", "one of revolute, continuous, prismatic, fixed, planar, floating, spherical");
        if (type == nullptr) return false;
        const auto found = std::find(kJointTypes.begin(), kJointTypes.end(), type);
        if (found == kJointTypes.end()) {
            m_file.problem(element, "type = \"" + std::string(type) + "\" is not allowed; it must be one of " +
                                        scene::join(kJointTypes) + scene::didYouMean(type, kJointTypes));
            return false;
        }
        joint.type = kTypes[static_cast<std::size_t>(found - kJointTypes.begin())];
        return true;
    }

    bool readEnd(const XMLElement& joint, const char* end, std::string& name) {
        const XMLElement* child = m_file.onlyChild(joint, end, true);
        const char* link = child == nullptr ? nullptr : m_file.text(*child, "link", "the name of a link");
        if (link != nullptr) name = link;
        return link != nullptr;
    }

    void readAxis(const XMLElement& element, RobotJoint& joint) {
        const XMLElement* axis = m_file.onlyChild(element, "axis", false);
        if (axis == nullptr) return;
        if (axis->Attribute("xyz") == nullptr) {
            m_file.warnOnce("axis without xyz", *axis, [&] { return "xyz is missing; \"1 0 0\" is assumed"; });
            return;
        }
        const std::optional<Eigen::Vector3d> xyz = m_file.vector(*axis, "xyz", kAnyNumber, true);
        if (!xyz) return;
        const bool hasDirection = xyz->cwiseAbs().maxCoeff() > 1e-9;
        if (hasDirection) {
            joint.axis = (*xyz / xyz->cwiseAbs().maxCoeff()).normalized();
        } else if (joint.type == RobotJoint::Type::Fixed || joint.type == RobotJoint::Type::Floating ||
                   joint.type == RobotJoint::Type::Ball) {
            m_file.warnOnce("axis 0 0 0", *axis, [&] {
                return std::string("xyz = \"") + axis->Attribute("xyz") + "\" has no direction (of " + tagOf(element) +
                       "); a " + jointTypeName(joint.type) + " joint needs none";
            });
        } else {
            m_file.problem(*axis, std::string("xyz = \"") + axis->Attribute("xyz") +
                                      "\" is not allowed; it must have a direction");
        }
    }

    void readLimit(const XMLElement& element, RobotJoint& joint) {
        const XMLElement* limit = m_file.onlyChild(element, "limit", false);
        const bool needsRange = joint.type == RobotJoint::Type::Revolute || joint.type == RobotJoint::Type::Prismatic;
        if (limit == nullptr) {
            if (!needsRange) return;
            m_file.warnOnce("no limit", element, [] { return "<limit> is missing in it; it is taken as free"; });
            return;
        }
        if (joint.type == RobotJoint::Type::Fixed) return;
        RobotLimits limits;
        limits.lower = m_file.number(*limit, "lower", kAnyNumber, false).value_or(0);
        limits.upper = m_file.number(*limit, "upper", kAnyNumber, false).value_or(0);
        limits.effort = readBound(*limit, element, "effort");
        limits.velocity = readBound(*limit, element, "velocity");
        joint.limits = limits;
        if (joint.type == RobotJoint::Type::Revolute) warnOfDegrees(element, *limit);
        if (!needsRange || limits.lower <= limits.upper) return;
        m_file.warnOnce("free limits", *limit, [&] {
            const char* upper = limit->Attribute("upper");
            return std::string("upper = \"") + (upper == nullptr ? "0" : upper) + "\" is below lower (of " +
                   tagOf(element) + "); it is taken as free, as in Bullet";
        });
    }

    /// `effort` or `velocity`; where it is missing or negative nothing is bounded.
    double readBound(const XMLElement& limit, const XMLElement& owner, const char* name) {
        constexpr double kNone = std::numeric_limits<double>::infinity();
        const char* given = limit.Attribute(name);
        const std::optional<double> value = m_file.number(limit, name, kAnyNumber, false);
        if (value && *value >= 0) return *value;
        if (given == nullptr || value) {
            m_file.warnOnce(std::string("no ") + name, limit, [&] {
                return std::string(name) +
                       (given == nullptr ? " is missing" : " = \"" + std::string(given) + "\" is negative") + " (of " +
                       tagOf(owner) + "); none is assumed";
            });
        }
        return kNone;
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

    void readDynamics(const XMLElement& dynamics, const XMLElement& owner, RobotJoint& joint) {
        const double damping = m_file.number(dynamics, "damping", kNotNegative, false).value_or(0);
        const double friction = m_file.number(dynamics, "friction", kNotNegative, false).value_or(0);
        if (joint.isScalar()) {
            joint.damping = damping;
            joint.friction = friction;
        } else if (damping != 0 || friction != 0) {
            m_file.warnOnce("dynamics", dynamics, [&] {
                return "is passed over (of " + tagOf(owner) + "): joints of type " + jointTypeName(joint.type) +
                       " have neither damping nor friction here";
            });
        }
    }

    void readMimic(const XMLElement& mimic, const XMLElement& owner, JointPart& part) {
        const char* leader = m_file.text(mimic, "joint", "the name of the joint that it follows");
        RobotMimic gear;
        gear.multiplier = m_file.number(mimic, "multiplier", kAnyNumber, false).value_or(1);
        gear.offset = m_file.number(mimic, "offset", kAnyNumber, false).value_or(0);
        if (leader == nullptr) return;
        if (!part.joint.isScalar()) {
            m_file.warnOnce("mimic", mimic, [&] {
                return "is passed over (of " + tagOf(owner) +
                       "): it must be on a revolute, continuous or prismatic joint";
            });
            return;
        }
        part.leader = leader;
        part.joint.mimic = gear;
    }

    XmlFile& m_file;
    const LoadRobotOptions& m_options;
    RobotParts m_parts;
    std::map<std::string, int> m_linkLines;
    std::map<std::string, int> m_jointLines;
};

}  // namespace

RobotParts readUrdf(XmlFile& file, const LoadRobotOptions& options) {
    return UrdfReader(file, options).run(*file.root());
}

}  // namespace elasto::robot
