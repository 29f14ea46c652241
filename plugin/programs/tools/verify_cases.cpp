#include "verify_cases.h"

#include <elasto/scene/input_file.h>
#include <fmt/format.h>

#include <algorithm>

#include "plan_node.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr const char* kTargetKeys[kSignalGroups] = {"positions", "velocities", "meanForce", "heat"};

Targets parseTargets(const PlanNode& node) {
    node.checkKeys({kTargetKeys[0], kTargetKeys[1], kTargetKeys[2], kTargetKeys[3]});
    Targets targets;
    for (std::size_t group = 0; group < kSignalGroups; ++group) {
        if (node.json.contains(kTargetKeys[group])) targets[group] = node.at(kTargetKeys[group]).positive() / 100;
    }
    return targets;
}

VerifyCase parseCase(const PlanNode& node) {
    node.checkKeys({"scene", "why", "targets", "targetsAt", "energyRise"});
    VerifyCase result;
    result.scene = node.at("scene").text();
    result.name = result.scene;
    result.why = node.at("why").text();
    result.targets = parseTargets(node.at("targets"));
    if (node.json.contains("targetsAt")) {
        const PlanNode rates = node.at("targetsAt");
        for (const auto& [rate, targets] : rates.json.items()) {
            result.targetsAt[planRate(rate, rates.place)] = parseTargets(PlanNode{targets, rates.place + "/" + rate});
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
    const Json json = parsePlanText(text, source);
    const PlanNode root{json, source + ": "};
    root.checkKeys({"about", "rates", "energyTicks", "single", "cases"});
    VerifyPlan plan;
    const PlanNode rates = root.at("rates");
    if (!rates.json.is_array() || rates.json.empty()) rates.refuse("a list of rates");
    for (const Json& rate : rates.json) plan.rates.push_back(PlanNode{rate, rates.place}.rate());
    const PlanNode ticks = root.at("energyTicks");
    if (!ticks.json.is_number_integer()) ticks.refuse("a whole number > 0");
    plan.energyTicks = static_cast<int>(ticks.positive());
    const PlanNode single = root.at("single");
    single.checkKeys({"factor", "least", "why"});
    plan.singleFactor = single.at("factor").positive();
    plan.singleLeast = single.at("least").positive() / 100;
    const PlanNode cases = root.at("cases");
    if (!cases.json.is_array() || cases.json.empty()) cases.refuse("a list of cases");
    for (std::size_t i = 0; i < cases.json.size(); ++i) {
        plan.cases.push_back(parseCase({cases.json[i], fmt::format("{}/{}", cases.place, i)}));
    }
    return plan;
}

VerifyPlan loadVerifyPlan(const std::filesystem::path& file) {
    return parseVerifyPlan(readFile(file), file.string());
}

Targets singleTargets(const Targets& targets, const VerifyPlan& plan) {
    Targets result;
    for (std::size_t group = 0; group < kSignalGroups; ++group) {
        if (targets[group]) result[group] = std::max(plan.singleFactor * *targets[group], plan.singleLeast);
    }
    return result;
}

}  // namespace elasto::tools
