#include "read_elements.h"

#include "names.h"
#include "problems.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>

namespace elasto::robot {

using tinyxml2::XMLElement;
using Kind = RobotElement::Kind;

namespace {

constexpr std::string_view kPrefix = "elasto:";
const std::vector<std::string> kKinds = {"elasto:backlash", "elasto:gap", "elasto:series"};

const std::vector<std::string>& attributesOf(Kind kind) {
    static const std::vector<std::string> backlash = {"name", "joint",          "c",       "d",    "b", "phi_rel0",
                                                      "side", "characteristic", "inertia", "ratio"};
    static const std::vector<std::string> gap = {"name", "joint",         "c", "d", "s_rel0", "n", "s_ref",
                                                 "side", "characteristic"};
    static const std::vector<std::string> series = {"name",           "joint", "c",       "d",    "s_unstretched",
                                                    "s_damper_start", "side",  "inertia", "ratio"};
    return kind == Kind::Backlash ? backlash : kind == Kind::Gap ? gap : series;
}

template <typename Value>
using Words = std::vector<std::pair<std::string, Value>>;

/// The words of scene files.
template <typename Enum>
Words<Enum> sceneWords() {
    Words<Enum> words;
    for (const char* word : scene::Words<Enum>::list) words.emplace_back(word, scene::valueOf<Enum>(word));
    return words;
}

bool isOurs(const XMLElement& element) {
    return std::string_view(element.Name()).starts_with(kPrefix);
}

std::string listOf(const std::vector<std::string>& joints) {
    return joints.empty() ? "The robot has no such joint" : "Joints: " + scene::joinFirst(joints);
}

std::string place(const std::string& file, int line) {
    return line > 0 ? file + ":" + std::to_string(line) : file;
}

}  // namespace

/// The attributes of one element; asking for one that is wrong adds a problem.
struct ElementReader::Given {
    XmlFile& file;
    const XMLElement& element;
    int joint = 0;
    bool isFine = true;

    double number(const char* attribute, double otherwise, const NumberRule& rule = kAnyNumber) {
        if (element.Attribute(attribute) == nullptr) return otherwise;
        const std::optional<double> value = file.number(element, attribute, rule, false);
        if (!value) isFine = false;
        return value.value_or(otherwise);
    }
    double required(const char* attribute, const NumberRule& rule) {
        const std::optional<double> value = file.number(element, attribute, rule, true);
        if (!value) isFine = false;
        return value.value_or(1);
    }
    template <typename Value>
    Value word(const char* attribute, const Words<Value>& words, Value otherwise) {
        const char* given = element.Attribute(attribute);
        if (given == nullptr) return otherwise;
        std::vector<std::string> names;
        for (const auto& [name, value] : words) {
            if (name == given) return value;
            names.push_back(name);
        }
        refuse(std::string(attribute) + " = \"" + given + "\" is not allowed; it must be one of " + scene::join(names) +
               scene::didYouMean(given, names));
        return otherwise;
    }
    void refuse(const std::string& message) {
        isFine = false;
        file.problem(element, message);
    }
    /// Makes a law; what it refuses becomes a problem.
    template <typename LawType, typename Parameters>
    Law law(const Parameters& parameters) {
        try {
            if (isFine) return LawType(parameters);
        } catch (const InvalidParameter& refused) {
            refuse(refused.problem());
        }
        return SpringDamperLaw({.c = 0, .d = 0});
    }
};

void ElementReader::read(XmlFile& file) {
    for (const XMLElement* element = file.root()->FirstChildElement(); element != nullptr;
         element = element->NextSiblingElement()) {
        if (isOurs(*element)) {
            readOne(file, *element);
        } else {
            refuseInside(file, *element);
        }
    }
}

void ElementReader::refuseInside(XmlFile& file, const XMLElement& parent) {
    for (const XMLElement* child = parent.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
        if (isOurs(*child)) {
            file.problem(*child, "is not allowed in <" + std::string(parent.Name()) + ">; it must stand directly in <" +
                                     file.root()->Name() + ">");
        }
        refuseInside(file, *child);
    }
}

void ElementReader::readOne(XmlFile& file, const XMLElement& element) {
    const auto kind = std::find(kKinds.begin(), kKinds.end(), element.Name());
    if (kind == kKinds.end()) {
        file.problem(element, "there is no such element; it must be one of " + scene::join(kKinds) +
                                  scene::didYouMean(element.Name(), kKinds));
        return;
    }
    const Kind kinds[] = {Kind::Backlash, Kind::Gap, Kind::Series};
    const Kind read = kinds[kind - kKinds.begin()];
    for (const tinyxml2::XMLNode* inside = element.FirstChild(); inside != nullptr; inside = inside->NextSibling()) {
        if (inside->ToComment() != nullptr) continue;
        file.problem(element, "must be empty, as its parameters are attributes; line " +
                                  std::to_string(inside->GetLineNum()) + " has something in it");
        return;
    }
    const bool areKnown = checkAttributes(file, element, read);
    const std::optional<int> joint = jointOf(file, element);
    Given given{file, element, joint.value_or(0), areKnown && joint.has_value()};
    if (read == Kind::Gap) {
        addGaps(given);
    } else {
        addBehindDrive(given, read);
    }
}

bool ElementReader::checkAttributes(XmlFile& file, const XMLElement& element, Kind kind) {
    const std::vector<std::string>& known = attributesOf(kind);
    bool areKnown = true;
    for (const tinyxml2::XMLAttribute* one = element.FirstAttribute(); one != nullptr; one = one->Next()) {
        if (std::find(known.begin(), known.end(), one->Name()) != known.end()) continue;
        areKnown = false;
        const std::string proposal = scene::didYouMean(one->Name(), known);
        file.problem(element, "there is no attribute " + std::string(one->Name()) + proposal +
                                  (proposal.empty() ? "." : "") + " Attributes: " + scene::join(known));
    }
    return areKnown;
}

std::optional<int> ElementReader::jointOf(XmlFile& file, const XMLElement& element) {
    const char* name = file.text(element, "joint", "the name of a joint");
    if (name == nullptr) return std::nullopt;
    const int joint = m_robot.jointIndex(name);
    if (joint >= 0 && m_robot.joints[static_cast<std::size_t>(joint)].isScalar()) return joint;
    file.problem(element, [&] {
        std::vector<std::string> names;
        for (const RobotJoint& one : m_robot.joints) {
            if (one.isScalar()) names.push_back(one.name);
        }
        const std::string refused = "joint = \"" + std::string(name) + "\" is not allowed: ";
        if (joint >= 0) {
            return refused + "it is " + jointTypeName(m_robot.joints[static_cast<std::size_t>(joint)].type) +
                   "; it must be revolute, continuous or prismatic. " + listOf(names);
        }
        const std::string proposal = scene::didYouMean(name, names);
        return refused + "there is no such joint" + proposal + (proposal.empty() ? ". " : " ") + listOf(names);
    });
    return std::nullopt;
}

void ElementReader::addBehindDrive(Given& given, Kind kind) {
    enum class Side { Link, Motor };
    const Side side = given.word<Side>("side", {{"link", Side::Link}, {"motor", Side::Motor}}, Side::Link);
    RobotElement element;
    element.kind = kind;
    const bool hasDrive = given.element.Attribute("inertia") != nullptr;
    double scale = 1;  // joint angle per angle that the constants are stated for
    if (hasDrive) {
        RobotDrive drive;
        drive.inertia = given.required("inertia", kPositive);
        drive.ratio = given.number("ratio", 1, kNotZero);
        if (side == Side::Motor) scale = 1 / drive.ratio;
        element.drive = drive;
    } else {
        for (const char* attribute : {"ratio", "side"}) {
            if (given.element.Attribute(attribute) == nullptr) continue;
            given.refuse(std::string(attribute) + " is not allowed without inertia: there is no motor side");
        }
    }
    const double stiffness = 1 / (scale * scale);
    const double c = given.required("c", kAnyNumber) * stiffness;
    const double d = given.required("d", kAnyNumber) * stiffness;
    if (kind == Kind::Backlash) {
        element.law = given.law<ElastoBacklashLaw>(ElastoBacklashParameters{
            .c = c,
            .d = d,
            .b = given.number("b", 0) * std::abs(scale),
            .phi_rel0 = given.number("phi_rel0", 0) * scale,
            .characteristic = given.word("characteristic", sceneWords<BacklashCharacteristic>(),
                                         BacklashCharacteristic::BoundedDamper)});
    } else {
        element.law = given.law<SpringDamperSeriesLaw>(
            SpringDamperSeriesParameters{.c = c,
                                         .d = d,
                                         .s_unstretched = given.number("s_unstretched", 0) * scale,
                                         .s_damper_start = given.number("s_damper_start", 0) * scale});
    }
    if (hasDrive) {
        const Place here{given.file.name(), given.element.GetLineNum()};
        const auto [other, isNew] = m_drives.emplace(given.joint, here);
        if (!isNew) {
            given.refuse("inertia is not allowed: the joint has a motor already, at " +
                         place(other->second.file, other->second.line));
        }
    }
    const char* name = given.element.Attribute("name");
    const std::string& joint = m_robot.joints[static_cast<std::size_t>(given.joint)].name;
    element.name = name != nullptr ? name : joint + "." + elementKindName(kind);
    add(given, std::move(element), "");
}

void ElementReader::addGaps(Given& given) {
    enum class Side { Lower, Upper, Both };
    const Words<Side> sides = {{"lower", Side::Lower}, {"upper", Side::Upper}, {"both", Side::Both}};
    if (given.file.text(given.element, "side", "one of lower, upper, both") == nullptr) given.isFine = false;
    const Side side = given.word<Side>("side", sides, Side::Both);
    const bool hasPlace = given.element.Attribute("s_rel0") != nullptr;
    if (side == Side::Both && hasPlace)
        given.refuse("s_rel0 is not allowed with side = \"both\": the stops are at the joint's limits");
    const RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(given.joint)];
    if (given.isFine && !hasPlace && !joint.hasRange()) {
        given.refuse("s_rel0 is missing; it must be the place of the stop, since a continuous joint has no limits");
    }
    const char* name = given.element.Attribute("name");
    const auto nameOf = [&](const char* end) {
        if (name == nullptr) return joint.name + "." + end;
        return side == Side::Both ? name + std::string(".") + end : std::string(name);
    };
    if (side != Side::Upper) addGap(given, false, nameOf("lower"));
    if (side != Side::Lower && (side != Side::Both || given.isFine)) addGap(given, true, nameOf("upper"));
}

void ElementReader::addGap(Given& given, bool isUpper, const std::string& name) {
    RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(given.joint)];
    const double limit = !joint.hasRange() ? 0 : isUpper ? joint.limits->upper : joint.limits->lower;
    const double stop = given.number("s_rel0", limit);
    RobotElement element;
    element.name = name;
    element.kind = Kind::Gap;
    element.isUpper = isUpper;
    element.law = given.law<ElastoGapLaw>(ElastoGapParameters{
        .c = given.required("c", kAnyNumber),
        .d = given.required("d", kAnyNumber),
        .s_rel0 = isUpper ? -stop : stop,
        .n = given.number("n", 1),
        .s_ref = given.number("s_ref", 1),
        .characteristic =
            given.word("characteristic", sceneWords<GapCharacteristic>(), GapCharacteristic::BoundedDamper)});
    const bool isAtLimit = joint.hasRange() && (isUpper ? stop >= limit : stop <= limit);
    add(given, std::move(element), isUpper ? "upper" : "lower");
    if (isAtLimit) (isUpper ? joint.limits->isUpperElastic : joint.limits->isLowerElastic) = true;
}

void ElementReader::add(Given& given, RobotElement element, const std::string& side) {
    const Place here{given.file.name(), given.element.GetLineNum()};
    if (!given.isFine) return;
    const auto [taken, isNew] = m_taken.emplace(std::tuple(given.joint, element.kind, side), here);
    if (!isNew) {
        given.refuse("the joint has such an element already" + (side.empty() ? "" : " at its " + side + " end") +
                     ", at " + place(taken->second.file, taken->second.line));
        return;
    }
    const auto [named, isNewName] = m_names.emplace(element.name, here);
    if (!isNewName) {
        given.refuse("name = \"" + element.name + "\" is not allowed: it is the name at " +
                     place(named->second.file, named->second.line) + " already");
        return;
    }
    element.line = here.line;
    element.joint = given.joint;
    m_robot.elements.push_back(std::move(element));
}

void ElementReader::addStops(const RobotStops& stops) {
    for (std::size_t i = 0; i < m_robot.joints.size(); ++i) {
        RobotJoint& joint = m_robot.joints[i];
        if (!joint.hasRange()) continue;
        for (const bool isUpper : {false, true}) {
            const std::string end = isUpper ? "upper" : "lower";
            if (m_taken.contains({static_cast<int>(i), Kind::Gap, end})) continue;
            RobotElement element;
            element.name = joint.name + "." + end;
            element.line = joint.line;
            element.kind = Kind::Gap;
            element.joint = static_cast<int>(i);
            element.isUpper = isUpper;
            element.law = ElastoGapLaw(
                {.c = stops.c, .d = stops.d, .s_rel0 = isUpper ? -joint.limits->upper : joint.limits->lower}, "stops");
            m_robot.elements.push_back(std::move(element));
            (isUpper ? joint.limits->isUpperElastic : joint.limits->isLowerElastic) = true;
        }
    }
}

void ElementReader::addDamping(XmlFile& file) {
    for (std::size_t i = 0; i < m_robot.joints.size(); ++i) {
        const RobotJoint& joint = m_robot.joints[i];
        if (!(joint.damping > 0)) continue;
        RobotElement element;
        element.name = joint.name + ".damping";
        element.line = joint.line;
        element.kind = Kind::Damping;
        element.joint = static_cast<int>(i);
        element.law = SpringDamperLaw({.c = 0, .d = joint.damping});
        const auto [named, isNew] = m_names.emplace(element.name, Place{file.name(), joint.line});
        if (!isNew) {
            file.problem(joint.line, "<dynamics>: \"" + element.name + "\" is the name of the element at " +
                                         place(named->second.file, named->second.line) +
                                         "; the joint's damping needs it");
            continue;
        }
        m_robot.elements.push_back(std::move(element));
    }
}

}  // namespace elasto::robot
