#include "coupled_plan.h"

#include <elasto/scene/input_file.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "plan_node.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

struct MeasureWords {
    const char* key;
    const char* name;
    const char* unit;
};
/// In the order of CoupledMeasure.
constexpr std::array<MeasureWords, 7> kMeasures = {{{"nrmse", "NRMSE", "%"},
                                                    {"meanForce", "mean force", "%"},
                                                    {"ripple", "ripple", "%"},
                                                    {"drift", "drift", "mm"},
                                                    {"speeds", "speeds", "%"},
                                                    {"energyRise", "energy rise", "J"},
                                                    {"handOver", "hand-over", "m/s"}}};

CoupledMeasure parseMeasure(const PlanNode& node) {
    const std::string text = node.text();
    const auto found =
        std::find_if(kMeasures.begin(), kMeasures.end(), [&](const MeasureWords& words) { return text == words.key; });
    if (found == kMeasures.end()) {
        std::string words;
        for (const MeasureWords& known : kMeasures) words += (words.empty() ? "" : ", ") + std::string(known.key);
        node.refuse("one of " + words);
    }
    return static_cast<CoupledMeasure>(found - kMeasures.begin());
}

CoupledCheck parseCheck(const PlanNode& node, const std::vector<double>& rates) {
    node.checkKeys({"measure", "signals", "from", "expected", "target", "targets"});
    CoupledCheck check;
    check.measure = parseMeasure(node.at("measure"));
    if (check.measure != CoupledMeasure::EnergyRise) {
        for (const PlanNode& signal : node.at("signals").items("a list of signals")) {
            check.signals.push_back(signal.text());
        }
    }
    if (node.has("from")) check.from = node.at("from").positive();
    if (node.has("expected")) check.expected = node.at("expected").number();
    if (node.has("target")) {
        for (const double rate : rates) check.targets[rate] = node.at("target").positive();
        return check;
    }
    const PlanNode targets = node.at("targets");
    if (!targets.json.is_object()) targets.refuse("an object of targets by rate");
    for (const auto& [rate, value] : targets.json.items()) {
        check.targets[planRate(rate, targets.place)] = PlanNode{value, targets.place + "/" + rate}.positive();
    }
    return check;
}

/// "1e+06" -> "1e6"
std::string valueText(const Json& value) {
    if (!value.is_number()) return value.dump();
    std::string text = fmt::format("{:g}", value.get<double>());
    for (const char* padding : {"e+0", "e+"}) {
        const std::size_t at = text.find(padding);
        if (at != std::string::npos) text.replace(at, std::char_traits<char>::length(padding), "e");
    }
    return text;
}

/// Of one case: many more would be a slip of the file, whose runs no one would wait for.
constexpr std::size_t kMostVariants = 10'000;

/// Every variant so far with every value of one more quantity.
void sweep(const PlanNode& node, std::vector<CoupledVariant>& variants) {
    node.checkKeys({"name", "set", "values"});
    const std::string name = node.at("name").text();
    const std::vector<PlanNode> paths = node.at("set").items("a list of JSON paths");
    const std::vector<PlanNode> allValues = node.at("values").items("a list of values");
    if (allValues.size() > kMostVariants / variants.size()) {
        throw InputError(
            fmt::format("{}/values: {} values of each of the {} variants so far are not allowed; a case "
                        "may have at most {} variants",
                        node.place, allValues.size(), variants.size(), kMostVariants));
    }
    std::vector<CoupledVariant> product;
    for (const CoupledVariant& variant : variants) {
        for (const PlanNode& values : allValues) {
            // One value for all paths, or one for each.
            const bool isList = values.json.is_array();
            if (isList && values.json.size() != paths.size()) values.refuse("as many values as paths");
            CoupledVariant changed = variant;
            changed.label +=
                (changed.label.empty() ? "" : ", ") + name + " " + valueText(isList ? values.json.at(0) : values.json);
            for (std::size_t i = 0; i < paths.size(); ++i) {
                changed.changes.emplace_back(paths[i].text(), isList ? values.json.at(i) : values.json);
            }
            product.push_back(std::move(changed));
        }
    }
    variants = std::move(product);
}

std::vector<CoupledVariant> parseVariants(const PlanNode& node) {
    std::vector<CoupledVariant> variants;
    if (node.has("scenes")) {
        for (const PlanNode& scene : node.at("scenes").items("a list of scenes")) {
            CoupledVariant variant;
            variant.scene = scene.text();
            variant.label = variant.scene.substr(variant.scene.find_last_of('/') + 1);
            variants.push_back(std::move(variant));
        }
    } else {
        variants.push_back({"", node.at("scene").text(), {}});
    }
    if (!node.has("sweep")) return variants;
    for (const PlanNode& quantity : node.at("sweep").items("a list of quantities")) sweep(quantity, variants);
    return variants;
}

CoupledOracle parseOracle(const PlanNode& node) {
    node.checkKeys({"scene", "slidingBody", "slidingFriction", "partingJoint"});
    CoupledOracle oracle;
    oracle.scene = node.at("scene").text();
    if (node.has("slidingBody")) {
        oracle.slidingBody = node.at("slidingBody").text();
        oracle.slidingFriction = node.at("slidingFriction").positive();
    }
    if (node.has("partingJoint")) oracle.partingJoint = node.at("partingJoint").text();
    return oracle;
}

CoupledCase parseCase(const PlanNode& node, const std::vector<double>& rates) {
    node.checkKeys({"name", "scene", "scenes", "sweep", "oracle", "checks", "why"});
    CoupledCase one;
    one.name = node.at("name").text();
    one.why = node.at("why").text();
    one.variants = parseVariants(node);
    if (node.has("oracle")) one.oracle = parseOracle(node.at("oracle"));
    for (const PlanNode& check : node.at("checks").items("a list of checks")) {
        one.checks.push_back(parseCheck(check, rates));
    }
    return one;
}

}  // namespace

const char* measureName(CoupledMeasure measure) {
    return kMeasures[static_cast<std::size_t>(measure)].name;
}

const char* measureUnit(CoupledMeasure measure) {
    return kMeasures[static_cast<std::size_t>(measure)].unit;
}

std::optional<double> CoupledPlan::target(const CoupledCheck& check, double rate, bool single) const {
    const auto found = check.targets.find(rate);
    if (found == check.targets.end()) return std::nullopt;
    if (!single) return found->second;
    const bool isShare = std::string_view(measureUnit(check.measure)) == "%";
    return std::max(singleFactor * found->second, isShare ? singleLeast : 0);
}

CoupledPlan parseCoupledPlan(std::string_view text, const std::string& source) {
    const Json json = parsePlanText(text, source);
    const PlanNode root{json, source + ": "};
    root.checkKeys({"about", "rates", "single", "cases"});
    CoupledPlan plan;
    for (const PlanNode& rate : root.at("rates").items("a list of rates")) plan.rates.push_back(rate.rate());
    const PlanNode single = root.at("single");
    single.checkKeys({"factor", "least", "why"});
    plan.singleFactor = single.at("factor").positive();
    plan.singleLeast = single.at("least").positive();
    for (const PlanNode& one : root.at("cases").items("a list of cases")) {
        plan.cases.push_back(parseCase(one, plan.rates));
    }
    return plan;
}

CoupledPlan loadCoupledPlan(const std::filesystem::path& file) {
    return parseCoupledPlan(readFile(file), file.string());
}

}  // namespace elasto::tools
