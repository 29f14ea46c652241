#include "plan_node.h"

#include <elasto/scene/description.h>
#include <elasto/scene/load_scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "json_text.h"
#include "tool_errors.h"

namespace elasto::tools {

void PlanNode::refuse(const std::string& allowed) const {
    throw InputError(fmt::format("{}: {} is not allowed; it must be {}", place, json.dump(), allowed));
}

PlanNode PlanNode::at(const char* key) const {
    if (!json.contains(key)) throw InputError(fmt::format("{}: '{}' is missing", place, key));
    return {json.at(key), place + "/" + key};
}

std::vector<PlanNode> PlanNode::items(const std::string& allowed) const {
    if (!json.is_array() || json.empty()) refuse(allowed);
    std::vector<PlanNode> nodes;
    for (std::size_t i = 0; i < json.size(); ++i) nodes.push_back({json[i], fmt::format("{}/{}", place, i)});
    return nodes;
}

double PlanNode::number() const {
    if (!json.is_number()) refuse("a number");
    return json.get<double>();
}

double PlanNode::positive() const {
    if (!json.is_number() || !(json.get<double>() > 0)) refuse("a number > 0");
    return json.get<double>();
}

double PlanNode::rate() const {
    if (!json.is_number() || !(json.get<double>() > 0 && json.get<double>() <= kHighestRate)) {
        refuse(fmt::format("a rate in Hz > 0 and <= {}", kHighestRate));
    }
    return json.get<double>();
}

std::string PlanNode::text() const {
    if (!json.is_string() || json.get<std::string>().empty()) refuse("a text");
    return json.get<std::string>();
}

void PlanNode::checkKeys(std::initializer_list<const char*> known) const {
    if (!json.is_object()) refuse("an object");
    for (const auto& [key, value] : json.items()) {
        const bool isKnown =
            std::any_of(known.begin(), known.end(), [&, &name = key](const char* one) { return name == one; });
        if (!isKnown) throw InputError(fmt::format("{}: unknown field '{}'", place, key));
    }
}

double planRate(const std::string& text, const std::string& place) {
    char* end = nullptr;
    const double rate = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(rate > 0 && rate <= kHighestRate)) {
        throw InputError(
            fmt::format("{}: '{}' is not allowed; it must be a rate in Hz > 0 and <= {}", place, text, kHighestRate));
    }
    return rate;
}

Json parsePlanText(std::string_view text, const std::string& source) {
    scene::Problems problems(source);
    const nlohmann::json document = scene::parseJsonText(text, problems);
    try {
        problems.throwIfAny();
    } catch (const SceneError& error) {
        throw InputError(error.what());
    }
    return document;
}

}  // namespace elasto::tools
