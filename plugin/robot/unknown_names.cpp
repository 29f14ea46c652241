#include "unknown_names.h"

#include "element_kinds.h"
#include "problems.h"

#include <elasto/robot/load_robot.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace elasto::robot {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;
using Names = std::vector<std::string>;

namespace {

/// What an element may have, and where stands what others put into attributes of it.
struct Known {
    Names attributes;
    Names children;
    const char* instead = "";
};

/// URDF's elements by their tags, as the specification has them. Those that are not here are not looked into.
const std::map<std::string_view, Known>& knownElements() {
    static const std::map<std::string_view, Known> known = {
        {"link", {{"name", "type"}, {"inertial", "visual", "collision", "contact"}}},
        // Bullet's.
        {"contact",
         {{}, {"lateral_friction", "rolling_friction", "spinning_friction", "restitution", "stiffness", "damping"}}},
        {"inertial", {{}, {"origin", "mass", "inertia"}}},
        {"origin", {{"xyz", "rpy"}, {}}},
        {"mass", {{"value"}, {}}},
        {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}}},
        {"collision", {{"name"}, {"origin", "geometry"}}},
        {"geometry", {{}, {"box", "sphere", "cylinder", "capsule", "mesh"}}},
        {"box", {{"size"}, {}}},
        {"sphere", {{"radius"}, {}}},
        {"cylinder", {{"radius", "length"}, {}}},
        {"capsule", {{"radius", "length"}, {}}},
        {"mesh", {{"filename", "scale"}, {}}},
        {"joint",
         {{"name", "type"},
          {"origin", "parent", "child", "axis", "calibration", "dynamics", "limit", "mimic", "safety_controller"}}},
        {"parent", {{"link"}, {}}},
        {"child", {{"link"}, {}}},
        {"axis", {{"xyz"}, {}}},
        {"calibration", {{"rising", "falling", "reference_position"}, {}}},
        {"dynamics", {{"damping", "friction"}, {}, "A spring is an <elasto:bushing>"}},
        // Planners read the last three, which are of URDF 1.2.
        {"limit",
         {{"lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"},
          {},
          "Stiffness and damping of an end stop are c and d of an <elasto:gap>"}},
        {"mimic", {{"joint", "multiplier", "offset"}, {}}},
        {"safety_controller", {{"soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"}, {}}},
    };
    return known;
}

/// What simulators and controllers put into links and joints for themselves.
constexpr std::array<std::string_view, 8> kOfOthers = {"gazebo", "transmission", "sensor", "ros2_control",
                                                       "mujoco", "plugin",       "frame",  "audio_source"};

bool isForeign(std::string_view name) {
    return name.find(':') != std::string_view::npos || name == "xmlns" ||
           std::find(kOfOthers.begin(), kOfOthers.end(), name) != kOfOthers.end();
}

bool has(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// `damping = "10"`; a value that is long is cut.
std::string valueOf(const XMLAttribute& attribute) {
    constexpr std::size_t kMost = 60;
    const std::string_view value = attribute.Value();
    const bool isLong = value.size() > kMost;
    return std::string(attribute.Name()) + " = \"" + std::string(value.substr(0, kMost)) + (isLong ? "...\"" : "\"");
}

/// "damping = "10", friction = "1"" of an element; of many the first.
std::string valuesOf(const XMLElement& element) {
    constexpr int kMost = 4;
    std::string text;
    int count = 0;
    for (const XMLAttribute* one = element.FirstAttribute(); one != nullptr; one = one->Next()) {
        if (++count > kMost) return text + ", ...";
        text += (text.empty() ? "" : ", ") + valueOf(*one);
    }
    return text;
}

/// The link or joint that something is in.
std::string ownerOf(const XMLElement& element) {
    const XMLElement* owner = &element;
    while (owner->Attribute("name") == nullptr && owner->Parent() != nullptr &&
           owner->Parent()->ToElement() != nullptr) {
        owner = owner->Parent()->ToElement();
    }
    return tagOf(*owner);
}

/// What an element may have been meant for: one that has all its attributes, else one of a similar name.
std::string proposalFor(const XMLElement& element, const Known& parent) {
    for (const std::string& candidate : parent.children) {
        const auto known = knownElements().find(candidate);
        if (known == knownElements().end()) continue;
        bool fits = false;
        for (const XMLAttribute* one = element.FirstAttribute(); one != nullptr; one = one->Next()) {
            if (std::string_view(one->Name()) == "name") continue;  // anything may have one
            fits = has(known->second.attributes, one->Name());
            if (!fits) break;
        }
        if (fits) return "; did you mean \"" + candidate + "\"?";
    }
    return scene::didYouMean(element.Name(), parent.children);
}

class Walk {
public:
    explicit Walk(XmlFile& file) : m_file(file) {}

    void run(const XMLElement& robot) {
        for (const XMLElement* child = robot.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            const std::string_view tag = child->Name();
            if (tag == "link" || tag == "joint") {
                look(*child);
            } else if (child->Attribute("joint") != nullptr && isUnprefixed(tag)) {
                note(*child, "", [child, tag] {
                    return "is not read (" + valuesOf(*child) + "); did you mean \"elasto:" + std::string(tag) + "\"?";
                });
            }
        }
    }

private:
    static bool isUnprefixed(std::string_view tag) {
        const auto isNamed = [tag](const ElementKind& kind) { return tag == kind.name; };
        return std::any_of(elementKinds().begin(), elementKinds().end(), isNamed);
    }

    void look(const XMLElement& element) {
        const auto found = knownElements().find(element.Name());
        if (found == knownElements().end()) return;
        const Known& known = found->second;
        const std::string tag = element.Name();
        for (const XMLAttribute* one = element.FirstAttribute(); one != nullptr; one = one->Next()) {
            if (has(known.attributes, one->Name()) || isForeign(one->Name())) continue;
            note(element, tag + " " + one->Name(), [&element, &known, one] {
                const std::string proposal = scene::didYouMean(one->Name(), known.attributes);
                const std::string owner = element.Attribute("name") != nullptr ? "" : " (of " + ownerOf(element) + ")";
                std::string text = valueOf(*one) + " is not read" + owner + ": there is no such attribute" +
                                   (proposal.empty() ? "." : proposal);
                if (!known.attributes.empty()) text += " Attributes: " + scene::join(known.attributes);
                // Where nothing is alike it may be what another place has.
                if (proposal.empty() && *known.instead != '\0') text += std::string(". ") + known.instead;
                return text;
            });
        }
        for (const XMLElement* child = element.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            if (has(known.children, child->Name())) {
                look(*child);
            } else if (!isForeign(child->Name()) && tag != "geometry") {  // shapes are named where they are read
                note(*child, tag + " <" + child->Name(), [child, &known, tag] {
                    const std::string values = valuesOf(*child);
                    const std::string proposal = proposalFor(*child, known);
                    std::string text = "is not read (" + values + (values.empty() ? "" : ", ") + "of " +
                                       ownerOf(*child->Parent()->ToElement()) + "): there is no such element in <" +
                                       tag + ">" + (proposal.empty() ? "." : proposal);
                    if (!known.children.empty()) text += " Elements: " + scene::join(known.children);
                    return text;
                });
            }
        }
    }

    /// @param kind equal for what is said once; empty: said each time
    void note(const XMLElement& element, const std::string& kind, const scene::MakeMessage& message) {
        if (kind.empty()) return m_file.warning(element, message);
        m_file.warnOnce("unknown " + kind, element, message);
    }

    XmlFile& m_file;
};

}  // namespace

void warnOfUnknownNames(XmlFile& file) {
    Walk(file).run(*file.root());
}

}  // namespace elasto::robot
