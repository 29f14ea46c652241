#include "verify_cases.h"

#include <elasto/scene/description.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>

#include "json_output.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kTargetKeys[kSignalGroups] = {"positions", "velocities", "meanForce", "heat"};

/// One JSON value with its place in the file, for messages.
struct Node {
    const Json& json;
    std::string place;

    [[noreturn]] void refuse(const std::string& allowed) const {
        throw InputError(fmt::format("{}: {} is not allowed; it must be {}", place, json.dump(), allowed));
    }
    Node at(const char* key) const {
        if (!json.contains(key)) throw InputError(fmt::format("{}: '{}' is missing", place, key));
        return {json.at(key), place + "/" + key};
    }
    double positive() const {
        if (!json.is_number() || !(json.get<double>() > 0)) refuse("a number > 0");
        return json.get<double>();
    }
    double rate() const {
        if (!json.is_number() || !(json.get<double>() > 0 && json.get<double>() <= kHighestRate)) {
            refuse(fmt::format("a rate in Hz > 0 and <= {}", kHighestRate));
        }
        return json.get<double>();
    }
    std::string text() const {
        if (!json.is_string() || json.get<std::string>().empty()) refuse("a text");
        return json.get<std::string>();
    }
    void checkKeys(std::initializer_list<const char*> known) const {
        if (!json.is_object()) refuse("an object");
        for (const auto& [key, value] : json.items()) {
            const bool isKnown =
                std::any_of(known.begin(), known.end(), [&, &name = key](const char* one) { return name == one; });
            if (!isKnown) throw InputError(fmt::format("{}: unknown field '{}'", place, key));
        }
    }
};

Targets parseTargets(const Node& node) {
    node.checkKeys({kTargetKeys[0], kTargetKeys[1], kTargetKeys[2], kTargetKeys[3]});
    Targets targets;
    for (std::size_t group = 0; group < kSignalGroups; ++group) {
        if (node.json.contains(kTargetKeys[group])) targets[group] = node.at(kTargetKeys[group]).positive() / 100;
    }
    return targets;
}

double parseRate(const std::string& text, const std::string& place) {
    char* end = nullptr;
    const double rate = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(rate > 0 && rate <= kHighestRate)) {
        throw InputError(
            fmt::format("{}: '{}' is not allowed; it must be a rate in Hz > 0 and <= {}", place, text, kHighestRate));
    }
    return rate;
}

VerifyCase parseCase(const Node& node) {
    node.checkKeys({"scene", "why", "targets", "targetsAt", "energyRise"});
    VerifyCase result;
    result.scene = node.at("scene").text();
    result.name = result.scene;
    result.why = node.at("why").text();
    result.targets = parseTargets(node.at("targets"));
    if (node.json.contains("targetsAt")) {
        const Node rates = node.at("targetsAt");
        for (const auto& [rate, targets] : rates.json.items()) {
            result.targetsAt[parseRate(rate, rates.place)] = parseTargets({targets, rates.place + "/" + rate});
        }
    }
    if (node.json.contains("energyRise")) result.energyRise = node.at("energyRise").positive();
    return result;
}

}  // namespace

const char* groupName(SignalGroup group) {
    switch (group) {
        case SignalGroup::Positions:
            return "positions";
        case SignalGroup::Velocities:
            return "velocities";
        case SignalGroup::MeanForce:
            return "mean force";
        case SignalGroup::Heat:
            return "total heat";
    }
    return "";
}

Targets VerifyCase::targetsFor(double rate) const {
    Targets result = targets;
    const auto special = targetsAt.find(rate);
    if (special == targetsAt.end()) return result;
    for (std::size_t group = 0; group < kSignalGroups; ++group) {
        if (special->second[group]) result[group] = special->second[group];
    }
    return result;
}

VerifyPlan parseVerifyPlan(std::string_view text, const std::string& source) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw InputError(fmt::format("{}: {}", source, error.what()));
    }
    const Node root{json, source + ": "};
    root.checkKeys({"about", "rates", "energyTicks", "single", "cases"});
    VerifyPlan plan;
    const Node rates = root.at("rates");
    if (!rates.json.is_array() || rates.json.empty()) rates.refuse("a list of rates");
    for (const Json& rate : rates.json) plan.rates.push_back(Node{rate, rates.place}.rate());
    const Node ticks = root.at("energyTicks");
    if (!ticks.json.is_number_integer()) ticks.refuse("a whole number > 0");
    plan.energyTicks = static_cast<int>(ticks.positive());
    const Node single = root.at("single");
    single.checkKeys({"factor", "least", "why"});
    plan.singleFactor = single.at("factor").positive();
    plan.singleLeast = single.at("least").positive() / 100;
    const Node cases = root.at("cases");
    if (!cases.json.is_array() || cases.json.empty()) cases.refuse("a list of cases");
    for (std::size_t i = 0; i < cases.json.size(); ++i) {
        plan.cases.push_back(parseCase({cases.json[i], fmt::format("{}/{}", cases.place, i)}));
    }
    return plan;
}

VerifyPlan loadVerifyPlan(const std::filesystem::path& file) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw IoError(ioMessage("read", file.string(), errno));
    std::ostringstream text;
    text << stream.rdbuf();
    return parseVerifyPlan(text.str(), file.string());
}

Targets singleTargets(const Targets& targets, const VerifyPlan& plan) {
    Targets result;
    for (std::size_t group = 0; group < kSignalGroups; ++group) {
        if (targets[group]) result[group] = std::max(plan.singleFactor * *targets[group], plan.singleLeast);
    }
    return result;
}

}  // namespace elasto::tools
