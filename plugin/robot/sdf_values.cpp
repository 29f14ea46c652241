#include "sdf_values.h"

#include "problems.h"
#include "rotation_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

constexpr std::string_view kGaps = " \t\r\n";

std::optional<double> sdfNumber(std::string_view word) {
    if (word == "inf" || word == "+inf" || word == "infinity") return kSdfUnlimited;
    if (word == "-inf" || word == "-infinity") return -kSdfUnlimited;
    const std::optional<double> value = parseNumber(word);
    return value && std::abs(*value) <= kLargestParameter ? value : std::nullopt;
}

/// Numbers of an element; nothing with a problem if they are not as many or not acceptable.
std::optional<std::vector<double>> sdfNumbers(XmlFile& file, const XMLElement& element, std::size_t count,
                                              const NumberRule& rule) {
    std::vector<double> numbers;
    const std::string text = textOf(element);
    const std::vector<std::string_view> words = wordsOf(text, kGaps);
    for (const std::string_view word : words) {
        const std::optional<double> value = sdfNumber(word);
        if (!value || !rule.holds(*value)) break;
        numbers.push_back(*value);
    }
    if (numbers.size() == count && words.size() == count) return numbers;
    file.problem(element, "\"" + text.substr(0, 100) + "\" is not allowed; it must be " +
                              (count > 1 ? std::to_string(count) + " numbers, each " : std::string()) + rule.phrase);
    return std::nullopt;
}

}  // namespace

std::string textOf(const XMLElement& element) {
    const char* given = element.GetText();
    const std::string text = given == nullptr ? "" : given;
    const std::size_t begin = text.find_first_not_of(kGaps);
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kGaps) + 1 - begin);
}

std::string childText(const XMLElement& parent, const char* tag) {
    const XMLElement* child = parent.FirstChildElement(tag);
    return child == nullptr ? "" : textOf(*child);
}

bool childIsTrue(const XMLElement& parent, const char* tag) {
    const std::string text = childText(parent, tag);
    return text == "true" || text == "1";
}

std::optional<double> childNumber(XmlFile& file, const XMLElement& parent, const char* tag, const NumberRule& rule) {
    const XMLElement* child = parent.FirstChildElement(tag);
    if (child == nullptr || textOf(*child).empty()) return std::nullopt;
    const std::optional<std::vector<double>> numbers = sdfNumbers(file, *child, 1, rule);
    return numbers ? std::optional((*numbers)[0]) : std::nullopt;
}

std::optional<Eigen::Vector3d> childVector(XmlFile& file, const XMLElement& parent, const char* tag,
                                           const NumberRule& rule) {
    const XMLElement* child = parent.FirstChildElement(tag);
    if (child == nullptr) return std::nullopt;
    const std::optional<std::vector<double>> n = sdfNumbers(file, *child, 3, rule);
    return n ? std::optional(Eigen::Vector3d((*n)[0], (*n)[1], (*n)[2])) : std::nullopt;
}

RobotPose readSdfPose(XmlFile& file, const XMLElement* pose) {
    if (pose == nullptr || textOf(*pose).empty()) return {};
    const char* format = pose->Attribute("rotation_format");
    const bool isQuaternion = format != nullptr && std::string_view(format) == "quat_xyzw";
    const auto n = sdfNumbers(file, *pose, isQuaternion ? 7 : 6, kAnyNumber);
    if (!n) return {};
    RobotPose result;
    result.position = {(*n)[0], (*n)[1], (*n)[2]};
    if (isQuaternion) {
        const Eigen::Quaterniond turn((*n)[6], (*n)[3], (*n)[4], (*n)[5]);
        if (turn.norm() > 1e-9) result.orientation = turn.normalized();
        return result;
    }
    const bool isInDegrees = pose->BoolAttribute("degrees", false);
    constexpr double kDegree = 3.141592653589793 / 180;
    result.orientation = fromRollPitchYaw(Eigen::Vector3d((*n)[3], (*n)[4], (*n)[5]) * (isInDegrees ? kDegree : 1));
    return result;
}

void warnOfUnread(XmlFile& file, const XMLElement& element, std::initializer_list<const char*> read,
                  std::initializer_list<const char*> others) {
    for (const XMLElement* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
        const std::string_view tag = child->Name();
        const auto isIt = [tag](const char* name) { return tag == name; };
        if (tag.find(':') != std::string_view::npos || std::any_of(read.begin(), read.end(), isIt) ||
            std::any_of(others.begin(), others.end(), isIt)) {
            continue;
        }
        file.warnOnce("unread " + std::string(element.Name()) + "/" + child->Name(), *child,
                      [&] { return "is not read (of " + tagOf(element) + ")"; });
    }
}

}  // namespace elasto::robot
