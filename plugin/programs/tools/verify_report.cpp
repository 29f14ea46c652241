#include "verify_report.h"

#include <elasto/precision.h>
#include <fmt/format.h>

#include <algorithm>

#include "table.h"

namespace elasto::tools {

namespace {

std::string percent(double share) {
    return fmt::format("{:.2e}", 100 * share);
}

std::string targetText(const std::optional<double>& target) {
    return target ? fmt::format("{:g}", 100 * *target) : "-";
}

std::string verdict(const std::optional<double>& target, bool passes) {
    if (!target) return "-";
    return passes ? "ok" : "MISSED";
}

bool hasTarget(const CaseResult& result) {
    return std::any_of(result.groups.begin(), result.groups.end(),
                       [](const GroupError& group) { return group.target.has_value(); }) ||
           (result.energy && result.energy->target);
}

Json number(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

}  // namespace

std::string methodsText(const TickStatistics& totals) {
    std::string text;
    for (int method = 0; method < kFlowMethods; ++method) {
        const std::int64_t count = totals.elementsPerMethod[static_cast<std::size_t>(method)];
        if (count == 0) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", methodName(static_cast<FlowMethod>(method)), count);
    }
    if (totals.uncoupled > 0) text += fmt::format(", uncoupled {}", totals.uncoupled);
    return text;
}

bool passes(const std::vector<CaseResult>& results) {
    return std::all_of(results.begin(), results.end(), [](const CaseResult& result) {
        return std::all_of(result.groups.begin(), result.groups.end(),
                           [](const GroupError& group) { return group.passes(); }) &&
               (!result.energy || result.energy->passes());
    });
}

std::string verifyTable(const std::vector<CaseResult>& results) {
    using enum Table::Align;
    Table table({{"case"},
                 {"Hz", Right},
                 {"group"},
                 {"worst signal"},
                 {"NRMSE %", Right},
                 {"largest error", Right},
                 {"target %", Right},
                 {"verdict"},
                 {"fall-backs", Right},
                 {"element ticks per method"}});
    for (const CaseResult& result : results) {
        std::vector<std::vector<std::string>> rows;
        const std::string rate = fmt::format("{:g}", result.rate);
        const bool onlyTargets = hasTarget(result);
        for (const GroupError& group : result.groups) {
            if (onlyTargets && !group.target) continue;
            rows.push_back({result.name, rate, groupName(group.group), group.worst.signal, percent(group.worst.nrmse),
                            fmt::format("{:.2e} {}", group.worst.largest, group.worst.unit), targetText(group.target),
                            verdict(group.target, group.passes())});
        }
        if (result.energy) {
            const EnergyRise& energy = *result.energy;
            rows.push_back({result.name, rate, "energy rise", fmt::format("in {:g} ticks", double(energy.ticks)),
                            percent(energy.share), fmt::format("{:.2e} J", energy.joule), targetText(energy.target),
                            verdict(energy.target, energy.passes())});
        }
        if (!rows.empty()) {
            rows.front().push_back(fmt::format("{}", result.totals.fallbacks));
            rows.front().push_back(methodsText(result.totals));
        }
        for (std::vector<std::string>& row : rows) table.addRow(std::move(row));
    }
    return table.text();
}

Json verifyJson(const std::vector<CaseResult>& results) {
    Json json;
    json["precision"] = kPrecision;
    json["passes"] = passes(results);
    json["results"] = Json::array();
    for (const CaseResult& result : results) {
        Json entry;
        entry["case"] = result.name;
        entry["rate"] = result.rate;
        entry["groups"] = Json::array();
        for (const GroupError& group : result.groups) {
            entry["groups"].push_back({{"group", groupName(group.group)},
                                       {"signal", group.worst.signal},
                                       {"unit", group.worst.unit},
                                       {"nrmse", group.worst.nrmse},
                                       {"largestError", group.worst.largest},
                                       {"timeOfLargestError", group.worst.timeOfLargest},
                                       {"target", number(group.target)},
                                       {"passes", group.passes()}});
        }
        if (result.energy) {
            entry["energy"] = {{"ticks", result.energy->ticks},
                               {"rise", result.energy->share},
                               {"riseJoule", result.energy->joule},
                               {"target", number(result.energy->target)},
                               {"passes", result.energy->passes()}};
        }
        for (int method = 0; method < kFlowMethods; ++method) {
            entry["elementTicks"][methodName(static_cast<FlowMethod>(method))] =
                result.totals.elementsPerMethod[static_cast<std::size_t>(method)];
        }
        entry["fallbacks"] = result.totals.fallbacks;
        entry["uncoupled"] = result.totals.uncoupled;
        entry["repairs"] = result.totals.repairs;
        json["results"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace elasto::tools
