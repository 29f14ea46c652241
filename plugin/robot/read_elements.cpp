#include "read_elements.h"

#include "element_kinds.h"
#include "names.h"
#include "problems.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

constexpr std::string_view kPrefix = "elasto:";
constexpr const char* kTablePhrase = "pairs of travel and force, e.g. \"0 0 0.01 200\"";

/// Values of one side of a gear on the other one, where a coordinate is this many times larger.
double scaleOf(Measured measured, double scale) {
    switch (measured) {
        case Measured::Stiffness:
        case Measured::Damping:
            return 1 / (scale * scale);
        case Measured::Force:
            return 1 / std::abs(scale);
        case Measured::Place:
        case Measured::Limit:
        case Measured::InnerStart:
            return scale;
        case Measured::Length:
            return std::abs(scale);
        case Measured::PerSpeed:
            return 1 / std::abs(scale);
        case Measured::Number:
        case Measured::Choice:
        case Measured::Table:
            break;
    }
    return 1;
}

template <typename Value>
using Words = std::vector<std::pair<std::string, Value>>;

bool isOurs(const XMLElement& element) {
    return std::string_view(element.Name()).starts_with(kPrefix);
}

/// The link that carries this one by nothing but fixed joints, or it itself.
int carrierOf(const RobotDescription& robot, int link) {
    while (link > 0) {
        const RobotJoint& joint = robot.joints[static_cast<std::size_t>(link - 1)];
        if (joint.type != RobotJoint::Type::Fixed) break;
        link = joint.parent;
    }
    return link;
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
    const ElementKind& kind;
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
    /// Travel and force by turns, as scene files have them in pairs.
    ForceTable table(const char* attribute) {
        const char* given = file.text(element, attribute, kTablePhrase);
        std::vector<ForceTable::Point> points;
        std::vector<double> numbers;
        std::string text = given != nullptr ? given : "";
        std::replace(text.begin(), text.end(), ',', ' ');
        std::istringstream words(text);
        for (std::string word; words >> word;) {
            const std::optional<double> number = parseNumber(word);
            if (!number) {
                refuse(std::string(attribute) + ": \"" + word + "\" is not allowed; it must be " + kTablePhrase);
                return {};
            }
            numbers.push_back(*number);
        }
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
        if (given == nullptr) {
            isFine = false;
        } else if (numbers.size() % 2 != 0) {
            refuse(std::string(attribute) + " has " + std::to_string(numbers.size()) + " numbers; it must be " +
                   kTablePhrase);
        } else {
            try {
                return ForceTable(std::move(points), kind.info->name);
            } catch (const InvalidParameter& refused) {
                refuse(refused.problem());
            }
        }
        return {};
    }
    void refuse(const std::string& message) {
        isFine = false;
        file.problem(element, message);
    }
    /// Values of a law as the attributes state them. @param scale see scaleOf
    LawValues values(double scale = 1) {
        const ElementTypeInfo& info = *kind.info;
        const std::span<const LawParameter> list = parameterList(info);
        LawValues values = defaultValues(info);
        for (const ElementTypeInfo::Field& field : kind.fields) {
            const LawParameter& parameter = list[static_cast<std::size_t>(field.parameter)];
            double& value = values[static_cast<std::size_t>(field.parameter)];
            if (parameter.measured == Measured::Table) {
                values.table = table(field.name);
            } else if (parameter.measured == Measured::Choice) {
                Words<double> words;
                for (const char* one : parameter.choices) words.emplace_back(one, static_cast<double>(words.size()));
                value = word(field.name, words, value);
            } else if (std::isnan(value)) {
                value = required(field.name, kAnyNumber) * scaleOf(parameter.measured, scale);
            } else {
                value = number(field.name, value);
                if (value < kLargestParameter) value *= scaleOf(parameter.measured, scale);  // else it is none
            }
        }
        if (const auto* rebound = fieldOf(info, "d_rebound"); rebound != nullptr && scale < 0) {
            // A gear that turns back makes compression of rebound.
            double& other = values[static_cast<std::size_t>(rebound->parameter)];
            if (other != kSameDamping)
                std::swap(values[static_cast<std::size_t>(fieldOf(info, "d")->parameter)], other);
        }
        return values;
    }
    /// Makes a law; what it refuses becomes a problem.
    Law law(const LawValues& values) {
        try {
            if (isFine) return makeLaw(*kind.info, values, kind.info->name);
        } catch (const InvalidParameter& refused) {
            refuse(refused.problem());
        }
        return SpringDamperLaw({.c = 0, .d = 0});
    }
};

void ElementReader::read(XmlFile& file, const XMLElement& owner) {
    for (const XMLElement* element = owner.FirstChildElement(); element != nullptr;
         element = element->NextSiblingElement()) {
        if (isOurs(*element)) {
            readOne(file, *element);
        } else {
            refuseInside(file, *element, owner.Name());
        }
    }
}

void ElementReader::refuseInside(XmlFile& file, const XMLElement& parent, const std::string& home) {
    for (const XMLElement* child = parent.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
        if (isOurs(*child)) {
            file.problem(*child, "is not allowed in <" + std::string(parent.Name()) + ">; it must stand directly in <" +
                                     home + ">");
        }
        refuseInside(file, *child, home);
    }
}

void ElementReader::readOne(XmlFile& file, const XMLElement& element) {
    const ElementKind* found = kindOf(element);
    if (found == nullptr) {
        const std::vector<std::string> names = elementNames();
        file.problem(element, "there is no such element; it must be one of " + scene::join(names) +
                                  scene::didYouMean(element.Name(), names));
        return;
    }
    for (const tinyxml2::XMLNode* inside = element.FirstChild(); inside != nullptr; inside = inside->NextSibling()) {
        if (inside->ToComment() != nullptr) continue;
        file.problem(element, "must be empty, as its parameters are attributes; line " +
                                  std::to_string(inside->GetLineNum()) + " has something in it");
        return;
    }
    const bool areKnown = checkAttributes(file, element, *found);
    if (found->place == ElementKind::Place::Line) {
        Given given{file, element, *found, -1, areKnown};
        addLine(given);
        return;
    }
    const std::optional<int> joint = jointOf(file, element);
    Given given{file, element, *found, joint.value_or(0), areKnown && joint.has_value()};
    if (found->place == ElementKind::Place::Stop) {
        addStopElements(given);
    } else {
        addBehindDrive(given);
    }
}

/// By its name and, where it matters, the type of its joint; null: there is none of this name.
const ElementKind* ElementReader::kindOf(const XMLElement& element) const {
    const char* jointName = element.Attribute("joint");
    const int joint = jointName != nullptr ? m_robot.jointIndex(jointName) : -1;
    const bool slides = joint >= 0 &&
                        m_robot.joints[static_cast<std::size_t>(joint)].type == RobotJoint::Type::Prismatic &&
                        !element.Attribute("side", "motor");  // motors turn
    for (const ElementKind& kind : elementKinds()) {
        if (std::string(kPrefix) + kind.name != element.Name()) continue;
        if (kind.joints != (slides ? ElementKind::Joints::Turning : ElementKind::Joints::Sliding)) return &kind;
    }
    return nullptr;
}

bool ElementReader::checkAttributes(XmlFile& file, const XMLElement& element, const ElementKind& kind) {
    const std::vector<std::string> known = kind.attributes();
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

std::optional<int> ElementReader::linkOf(Given& given, const char* attribute) {
    const char* name = given.file.text(given.element, attribute, "the name of a link");
    const int link = name != nullptr ? m_robot.linkIndex(name) : -1;
    const bool floats = !m_robot.joints.empty() && m_robot.joints[0].type == RobotJoint::Type::Floating;
    if (link > 0 || (link == 0 && !floats)) return link;
    given.isFine = false;
    if (name == nullptr) return std::nullopt;
    std::vector<std::string> names;
    for (const RobotLink& one : m_robot.links) names.push_back(one.name);
    const std::string refused = std::string(attribute) + " = \"" + name + "\" is not allowed: ";
    if (link == 0) {
        given.refuse(refused + "the robot floats, and this link is not part of it");
    } else {
        const std::string proposal = scene::didYouMean(name, names);
        given.refuse(refused + "there is no such link" + proposal + (proposal.empty() ? ". " : " ") +
                     "Links: " + scene::joinFirst(names));
    }
    return std::nullopt;
}

void ElementReader::addLine(Given& given) {
    const std::optional<int> a = linkOf(given, "link_a");
    const std::optional<int> b = linkOf(given, "link_b");
    if (a && b && carrierOf(m_robot, *a) == carrierOf(m_robot, *b)) {
        given.refuse("link_a and link_b do not move against each other; they must be links with a joint between them");
    }
    RobotElement element;
    element.type = given.kind.info->type;
    element.span.emplace();
    const auto pointOf = [&](const char* attribute, std::optional<int> link, Eigen::Vector3d& point) {
        if (given.element.Attribute(attribute) != nullptr) {
            const auto stated = given.file.vector(given.element, attribute, kAnyNumber, false);
            if (!stated) given.isFine = false;
            point = stated.value_or(point);
        }
        if (link) point = (m_robot.links[static_cast<std::size_t>(*link)].statedFrame * RobotPose{point, {}}).position;
    };
    pointOf("xyz_a", a, element.span->pointA);
    pointOf("xyz_b", b, element.span->pointB);
    element.span->linkA = a.value_or(0);
    element.span->linkB = b.value_or(0);
    element.law = given.law(given.values());
    const auto nameOf = [&](std::optional<int> link) { return m_robot.links[static_cast<std::size_t>(*link)].name; };
    const char* name = given.element.Attribute("name");
    if (name != nullptr) {
        element.name = name;
    } else if (a && b) {
        element.name = nameOf(a) + "-" + nameOf(b) + "." + given.kind.name;
    }
    add(given, std::move(element), "");
}

void ElementReader::addBehindDrive(Given& given) {
    enum class Side { Link, Motor };
    const Side side = given.word<Side>("side", {{"link", Side::Link}, {"motor", Side::Motor}}, Side::Link);
    const bool isFriction = given.kind.motor == ElementKind::Motor::Other;
    RobotElement element;
    element.type = given.kind.info->type;
    const bool hasDrive =
        given.kind.motor == ElementKind::Motor::Required || given.element.Attribute("inertia") != nullptr;
    double scale = 1;  // joint angle per angle that the constants are stated for
    if (hasDrive) {
        RobotDrive drive;
        drive.inertia = given.required("inertia", kPositive);
        drive.ratio = given.number("ratio", 1, kNotZero);
        if (side == Side::Motor) scale = 1 / drive.ratio;
        element.drive = drive;
    } else if (isFriction) {
        element.isOnMotor = side == Side::Motor;
    } else {
        for (const char* attribute : {"ratio", "side"}) {
            if (given.element.Attribute(attribute) == nullptr) continue;
            given.refuse(std::string(attribute) + " is not allowed without inertia: there is no motor side");
        }
    }
    element.law = given.law(given.values(scale));
    if (hasDrive) {
        const Place here{given.file.name(), given.element.GetLineNum()};
        const auto [other, isNew] = m_drives.emplace(given.joint, here);
        if (!isNew) {
            given.refuse("inertia is not allowed: the joint has a motor already, at " +
                         place(other->second.file, other->second.line));
        }
    }
    const char* name = given.element.Attribute("name");
    RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(given.joint)];
    element.name = name != nullptr ? name : joint.name + (element.isOnMotor ? ".motor." : ".") + given.kind.name;
    if (element.isOnMotor) {
        m_onMotors.push_back({given.joint, {given.file.name(), given.element.GetLineNum()}});
        add(given, std::move(element), "motor");
        return;
    }
    // It says better what `<dynamics friction>` says.
    if (isFriction) joint.friction = 0;
    add(given, std::move(element), "");
}

void ElementReader::addStopElements(Given& given) {
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
    const bool isGap = given.kind.info->type == ElementType::ElastoGap;
    const auto nameOf = [&](const char* end) {
        if (name == nullptr) return joint.name + (isGap ? "." : "." + given.kind.name + ".") + end;
        return side == Side::Both ? name + std::string(".") + end : std::string(name);
    };
    if (side != Side::Upper) addStopElement(given, false, nameOf("lower"));
    if (side != Side::Lower && (side != Side::Both || given.isFine)) addStopElement(given, true, nameOf("upper"));
}

void ElementReader::addStopElement(Given& given, bool isUpper, const std::string& name) {
    RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(given.joint)];
    const double limit = !joint.hasRange() ? 0 : isUpper ? joint.limits->upper : joint.limits->lower;
    const double stop = given.number("s_rel0", limit);
    RobotElement element;
    element.name = name;
    element.type = given.kind.info->type;
    element.isUpper = isUpper;
    LawValues values = given.values();
    values[static_cast<std::size_t>(fieldOf(*given.kind.info, "s_rel0")->parameter)] = isUpper ? -stop : stop;
    element.law = given.law(values);
    const bool isAtLimit = joint.hasRange() && (isUpper ? stop >= limit : stop <= limit);
    add(given, std::move(element), isUpper ? "upper" : "lower");
    if (isAtLimit) (isUpper ? joint.limits->isUpperElastic : joint.limits->isLowerElastic) = true;
}

void ElementReader::add(Given& given, RobotElement element, const std::string& side) {
    const Place here{given.file.name(), given.element.GetLineNum()};
    element.T = given.number("T", element.T, kPositive);
    if (!given.isFine) return;
    const auto [taken, isNew] = m_taken.emplace(std::tuple(given.joint, given.kind.name, side), here);
    if (!isNew && !element.span) {
        const std::string where = side.empty() ? "" : side == "motor" ? " on its motor" : " at its " + side + " end";
        given.refuse("the joint has such an element already" + where + ", at " +
                     place(taken->second.file, taken->second.line));
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

void ElementReader::placeOnMotors(Problems& problems) {
    for (const auto& [joint, here] : m_onMotors) {
        if (m_drives.contains(joint)) continue;
        const std::string& name = m_robot.joints[static_cast<std::size_t>(joint)].name;
        problems.add(here.file, here.line, [&] {
            return "<elasto:friction joint=\"" + name +
                   "\">: side = \"motor\" is not allowed: the joint has no motor; an elasto:sea is one, or an element "
                   "with inertia";
        });
    }
    std::stable_partition(m_robot.elements.begin(), m_robot.elements.end(),
                          [](const RobotElement& element) { return !element.isOnMotor; });
}

void ElementReader::addStops(const RobotStops& stops) {
    for (std::size_t i = 0; i < m_robot.joints.size(); ++i) {
        if (!m_robot.joints[i].hasRange() || m_robot.joints[i].mimic) continue;
        for (const bool isUpper : {false, true}) addStop(static_cast<int>(i), isUpper, stops);
    }
}

/// A stop at a limit, unless one is there.
void ElementReader::addStop(int index, bool isUpper, const RobotStops& stops) {
    const std::string end = isUpper ? "upper" : "lower";
    RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(index)];
    if (m_taken.contains(std::tuple(index, "bump_stop", end))) return;
    if (!m_taken.emplace(std::tuple(index, "gap", end), Place{}).second) return;
    RobotElement element;
    element.name = joint.name + "." + end;
    element.line = joint.line;
    element.type = ElementType::ElastoGap;
    element.joint = index;
    element.isUpper = isUpper;
    element.law = ElastoGapLaw(
        {.c = stops.c, .d = stops.d, .s_rel0 = isUpper ? -joint.limits->upper : joint.limits->lower}, "stops");
    m_robot.elements.push_back(std::move(element));
    (isUpper ? joint.limits->isUpperElastic : joint.limits->isLowerElastic) = true;
}

void ElementReader::addOfJoints(XmlFile& file) {
    for (std::size_t i = 0; i < m_robot.joints.size(); ++i) {
        const RobotJoint& joint = m_robot.joints[i];
        const int index = static_cast<int>(i);
        if (joint.stops && joint.hasRange() && !joint.mimic) {
            for (const bool isUpper : {false, true}) addStop(index, isUpper, *joint.stops);
        }
        if (joint.springStiffness > 0) {
            RobotElement spring;
            spring.type = ElementType::RotationalSpringDamper;
            spring.law = SpringDamperLaw({.c = joint.springStiffness, .d = 0, .s_rel0 = joint.springReference});
            addOfJoint(file, index, std::move(spring), "spring");
        }
        if (joint.damping > 0) {
            RobotElement damper;
            damper.type = ElementType::Damper;
            damper.law = SpringDamperLaw({.c = 0, .d = joint.damping});
            addOfJoint(file, index, std::move(damper), "damping");
        }
    }
}

void ElementReader::addOfJoint(XmlFile& file, int index, RobotElement element, const char* kind) {
    const RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(index)];
    element.name = joint.name + "." + kind;
    element.line = joint.line;
    element.joint = index;
    const auto [named, isNew] = m_names.emplace(element.name, Place{file.name(), joint.line});
    if (isNew) {
        m_robot.elements.push_back(std::move(element));
        return;
    }
    file.problem(joint.line, "<joint name=\"" + joint.name + "\">: \"" + element.name +
                                 "\" is the name of the element at " + place(named->second.file, named->second.line) +
                                 "; the joint's own " + kind + " needs it");
}

}  // namespace elasto::robot
