#include "sdf_joint.h"

#include "problems.h"
#include "sdf_values.h"

#include <algorithm>
#include <cmath>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

const std::vector<std::string> kSdfJoints = {"revolute",  "continuous", "prismatic", "fixed",
                                             "universal", "revolute2",  "ball"};

class SdfJointReader {
public:
    SdfJointReader(XmlFile& file, const XMLElement& element, int version)
        : m_file(file), m_element(element), m_version(version) {}

    std::optional<SdfJoint> run() {
        SdfJoint joint;
        joint.name = m_element.Attribute("name");
        joint.line = m_element.GetLineNum();
        joint.parent = linkAt("parent");
        joint.child = linkAt("child");
        const char* given = m_element.Attribute("type");
        const std::string type = given == nullptr ? "" : given;
        warnOfUnread(m_file, m_element, {"pose", "parent", "child", "axis", "axis2", "physics"}, {"sensor"});
        if (const XMLElement* physics = m_element.FirstChildElement("physics")) readPhysics(*physics);
        if (std::find(kSdfJoints.begin(), kSdfJoints.end(), type) == kSdfJoints.end()) {
            m_file.problem(m_element, "type = \"" + type + "\" is not allowed; read are " + scene::join(kSdfJoints) +
                                          scene::didYouMean(type, kSdfJoints));
            return std::nullopt;
        }
        if (joint.parent.empty() || joint.child.empty()) return std::nullopt;
        joint.isBall = type == "ball";
        if (type == "fixed" || joint.isBall) return joint;
        joint.axes.push_back(axis("axis", type, Eigen::Vector3d::UnitZ()));
        if (type == "universal" || type == "revolute2") {
            joint.axes.push_back(axis("axis2", type, Eigen::Vector3d::UnitZ()));
        }
        return joint;
    }

private:
    std::string linkAt(const char* tag) {
        const XMLElement* child = m_element.FirstChildElement(tag);
        // Before 1.4 it was an attribute.
        const char* attribute = child == nullptr ? nullptr : child->Attribute("link");
        const std::string name = child == nullptr ? "" : attribute != nullptr ? attribute : textOf(*child);
        if (name.empty()) m_file.problem(m_element, std::string("<") + tag + "> is missing in it");
        return name;
    }

    void readPhysics(const XMLElement& physics) {
        for (const XMLElement* engine = physics.FirstChildElement(); engine != nullptr;
             engine = engine->NextSiblingElement()) {
            const std::string_view tag = engine->Name();
            if (tag != "ode") continue;
            warnOfUnread(m_file, *engine, {},
                         {"provide_feedback", "cfm_damping", "implicit_spring_damper", "fudge_factor", "limit",
                          "suspension", "cfm", "bounce", "max_force", "velocity", "erp"});
        }
    }

    SdfAxis axis(const char* tag, const std::string& type, const Eigen::Vector3d& otherwise) {
        SdfAxis result;
        using Type = RobotJoint::Type;
        result.joint.type = type == "prismatic"    ? Type::Prismatic
                            : type == "continuous" ? Type::Continuous
                                                   : Type::Revolute;
        result.joint.axis = otherwise;
        result.isInModel = m_version < 105;
        const XMLElement* element = m_element.FirstChildElement(tag);
        if (element == nullptr) {
            m_file.warnOnce(std::string("no ") + tag, m_element,
                            [&] { return std::string("has no <") + tag + ">; SDF's 0 0 1 is assumed"; });
            return result;
        }
        warnOfUnread(m_file, *element, {"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"},
                     {"initial_position"});
        if (const XMLElement* xyz = element->FirstChildElement("xyz")) {
            const Eigen::Vector3d given = childVector(m_file, *element, "xyz", kAnyNumber).value_or(otherwise);
            const double largest = given.cwiseAbs().maxCoeff();
            if (!(largest > 1e-9)) {
                m_file.problem(*xyz, "\"" + textOf(*xyz) + "\" is not allowed; it must have a direction");
            } else {
                result.joint.axis = (given / largest).normalized();
            }
            if (const char* frame = xyz->Attribute("expressed_in")) result.expressedIn = frame;
        }
        if (element->FirstChildElement("use_parent_model_frame") != nullptr) {
            result.isInModel = childIsTrue(*element, "use_parent_model_frame");
        }
        if (m_version >= 107) result.isInModel = false;  // 1.7: expressed_in takes its place
        readLimit(element->FirstChildElement("limit"), result.joint);
        readDynamics(element->FirstChildElement("dynamics"), result.joint);
        readMimic(element->FirstChildElement("mimic"), result);
        return result;
    }

    void readLimit(const XMLElement* element, RobotJoint& joint) {
        RobotLimits limits;
        limits.lower = -kSdfUnlimited;
        limits.upper = kSdfUnlimited;
        if (element != nullptr) {
            warnOfUnread(m_file, *element, {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"});
            limits.lower = end(*element, "lower", -kSdfUnlimited);
            limits.upper = end(*element, "upper", kSdfUnlimited);
            limits.effort = bound(*element, "effort");
            limits.velocity = bound(*element, "velocity");
        }
        const bool isBounded = limits.lower > -kSdfUnlimited || limits.upper < kSdfUnlimited;
        if (joint.type == RobotJoint::Type::Revolute && !isBounded) joint.type = RobotJoint::Type::Continuous;
        if (!isBounded) std::swap(limits.lower, limits.upper);  // no range
        if (isBounded && limits.lower > limits.upper) {
            m_file.warnOnce("free limits", *element, [&] {
                return "<lower> is above <upper> (of " + tagOf(m_element) + "); it is taken as free, as in Bullet";
            });
        }
        joint.limits = limits;
        if (element == nullptr || !isBounded) return;
        const std::optional<double> stiffness = childNumber(m_file, *element, "stiffness", kNotNegative);
        const std::optional<double> dissipation = childNumber(m_file, *element, "dissipation", kNotNegative);
        // SDF's defaults for the one that is missing, 1e8 and 1. Limits of the default stiffness are rigid ones.
        if (stiffness && *stiffness < 1e8) joint.stops = RobotStops{.c = *stiffness, .d = dissipation.value_or(1)};
    }

    /// An end of the range. Some programs write the largest number there is for none.
    double end(const XMLElement& limit, const char* tag, double otherwise) {
        const std::optional<double> written = parseText(childText(limit, tag));
        if (written && std::abs(*written) >= kSdfUnlimited) return std::copysign(kSdfUnlimited, *written);
        return childNumber(m_file, limit, tag, kAnyNumber).value_or(otherwise);
    }

    /// A negative bound is none, as SDF has it.
    double bound(const XMLElement& limit, const char* tag) {
        const std::optional<double> value = childNumber(m_file, limit, tag, kAnyNumber);
        return value && *value >= 0 && *value < kSdfUnlimited ? *value : std::numeric_limits<double>::infinity();
    }

    void readDynamics(const XMLElement* element, RobotJoint& joint) {
        if (element == nullptr) return;
        warnOfUnread(m_file, *element, {"damping", "friction", "spring_reference", "spring_stiffness"});
        joint.damping = childNumber(m_file, *element, "damping", kNotNegative).value_or(0);
        joint.friction = childNumber(m_file, *element, "friction", kNotNegative).value_or(0);
        joint.springStiffness = childNumber(m_file, *element, "spring_stiffness", kNotNegative).value_or(0);
        joint.springReference = childNumber(m_file, *element, "spring_reference", kAnyNumber).value_or(0);
    }

    /// follower = multiplier (leader - reference) + offset.
    void readMimic(const XMLElement* element, SdfAxis& axis) {
        if (element == nullptr) return;
        const char* leader = m_file.text(*element, "joint", "the name of the joint that it follows");
        if (leader == nullptr) return;
        RobotMimic mimic;
        mimic.multiplier = childNumber(m_file, *element, "multiplier", kAnyNumber).value_or(1);
        mimic.offset = childNumber(m_file, *element, "offset", kAnyNumber).value_or(0) -
                       mimic.multiplier * childNumber(m_file, *element, "reference", kAnyNumber).value_or(0);
        axis.joint.mimic = mimic;
        axis.leader = leader;
    }

    XmlFile& m_file;
    const XMLElement& m_element;
    int m_version;
};

}  // namespace

std::optional<SdfJoint> readSdfJoint(XmlFile& file, const XMLElement& element, int version) {
    return SdfJointReader(file, element, version).run();
}

}  // namespace elasto::robot
