#include "plan.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace elasto::peers {

Plan loadPlan(const std::filesystem::path& folder) {
    std::ifstream file(folder / "plan.json");
    const nlohmann::json json = nlohmann::json::parse(file);
    Plan plan;
    plan.rates = json.at("rates").get<std::vector<double>>();
    plan.accuracies = json.at("accuracies").get<std::vector<double>>();
    plan.repetitions = json.at("repetitions");
    const nlohmann::json& targets = json.at("targets");
    plan.errorTargets = targets.at("nrmseAt60Hz").get<std::map<std::string, double>>();
    plan.costTarget = targets.at("costAtEqualError").at("value");
    plan.costTargetAccuracy = targets.at("costAgainstSimbody").at("value");
    for (const auto& [metric, one] : targets.at("randomDropsAt60Hz").items()) {
        plan.dropTargets[metric] = {one.at("median"), one.at("p99"), one.at("largest")};
    }
    const nlohmann::json& drops = json.at("randomDrops");
    plan.drops = drops.at("number");
    plan.seed = drops.at("seed");
    plan.height = drops.at("height").get<std::array<double, 2>>();
    plan.c = drops.at("c").get<std::array<double, 2>>();
    plan.dampingRatio = drops.at("dampingRatio").get<std::array<double, 2>>();
    plan.mass = drops.at("mass").get<std::array<double, 2>>();
    plan.dropRates = drops.at("rates").get<std::vector<double>>();
    plan.dropAccuracies = drops.at("accuracies").get<std::vector<double>>();
    return plan;
}

}  // namespace elasto::peers
