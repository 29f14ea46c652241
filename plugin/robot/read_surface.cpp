#include "read_surface.h"

#include <algorithm>
#include <string_view>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

/// The value of a child, which is its text or its `value`; nothing with a warning if it is no number.
std::optional<double> childValue(XmlFile& file, const XMLElement& owner, const char* tag) {
    const XMLElement* child = owner.FirstChildElement(tag);
    if (child == nullptr) return std::nullopt;
    const char* attribute = child->Attribute("value");
    const char* given = attribute != nullptr ? attribute : child->GetText();
    const std::optional<double> value = given == nullptr ? std::nullopt : parseText(given);
    if (value && *value >= 0) return value;
    file.warnOnce(std::string("surface ") + tag, *child, [&] {
        return "\"" + std::string(given == nullptr ? "" : given) + "\" is not read; it must be a finite number >= 0";
    });
    return std::nullopt;
}

bool isTrue(const XMLElement& owner, const char* tag) {
    const XMLElement* child = owner.FirstChildElement(tag);
    const char* text = child == nullptr ? nullptr : child->GetText();
    const std::string_view given = text == nullptr ? "" : text;
    return given == "true" || given == "1";
}

void readGazeboLink(XmlFile& file, const XMLElement& gazebo, RobotSurface& surface) {
    const std::optional<double> mu1 = childValue(file, gazebo, "mu1");
    const std::optional<double> mu2 = childValue(file, gazebo, "mu2");
    if (mu1 || mu2) surface.friction = mu1 ? mu1 : mu2;
    if (mu1 && mu2 && *mu1 != *mu2) {
        file.warnOnce("mu1 and mu2", gazebo, [] { return "mu1 and mu2 differ; mu1 is taken in all directions"; });
    }
    setSoftness(surface, childValue(file, gazebo, "kp"), childValue(file, gazebo, "kd"));
    if (isTrue(gazebo, "turnGravityOff")) {
        file.warnOnce("turnGravityOff", gazebo, [] { return "turnGravityOff is not read: gravity is the scene's"; });
    }
}

}  // namespace

void readContact(XmlFile& file, const XMLElement& contact, RobotSurface& surface) {
    surface.friction = childValue(file, contact, "lateral_friction");
    surface.rollingFriction = childValue(file, contact, "rolling_friction");
    surface.spinningFriction = childValue(file, contact, "spinning_friction");
    surface.restitution = childValue(file, contact, "restitution");
    setSoftness(surface, childValue(file, contact, "stiffness"), childValue(file, contact, "damping"));
}

void readGazebo(XmlFile& file, RobotParts& parts) {
    for (const XMLElement* gazebo = file.root()->FirstChildElement("gazebo"); gazebo != nullptr;
         gazebo = gazebo->NextSiblingElement("gazebo")) {
        const char* reference = gazebo->Attribute("reference");
        if (reference == nullptr) continue;
        const auto isLink = [&](const LinkPart& part) { return part.link.name == reference; };
        const auto link = std::find_if(parts.links.begin(), parts.links.end(), isLink);
        if (link != parts.links.end()) readGazeboLink(file, *gazebo, link->link.surface);
        const auto isJoint = [&](const JointPart& part) { return part.joint.name == reference; };
        const auto joint = std::find_if(parts.joints.begin(), parts.joints.end(), isJoint);
        if (joint == parts.joints.end() || !joint->joint.isScalar()) continue;
        const XMLElement* place = gazebo->FirstChildElement("springReference");
        const std::optional<double> stiffness = childValue(file, *gazebo, "springStiffness");
        if (stiffness) joint->joint.springStiffness = *stiffness;
        if (place != nullptr && place->GetText() != nullptr) {
            joint->joint.springReference = parseText(place->GetText()).value_or(0);
        }
    }
}

void setSoftness(RobotSurface& surface, std::optional<double> kp, std::optional<double> kd) {
    if (!kp || !(*kp > 0) || *kp >= kRigidContact) return;
    surface.stiffness = kp;
    surface.damping = kd.value_or(0);
}

}  // namespace elasto::robot
