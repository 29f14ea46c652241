#include "suite_report.h"

#include <elasto/precision.h>
#include <fmt/format.h>

#include <algorithm>

#include "table.h"
#include "verify_report.h"

namespace elasto::tools {

namespace {

/// Further from its target, or larger where there is none.
bool isWorse(const SuiteResult& a, const SuiteResult& b) {
    return a.reached.value / a.target.value_or(1) > b.reached.value / b.target.value_or(1);
}

bool isSameRow(const SuiteResult& a, const SuiteResult& b) {
    return a.name == b.name && a.rate == b.rate && a.check == b.check;
}

/// The results that get a row, and of how many variants each is the worst.
std::vector<std::pair<SuiteResult, int>> rowsOf(const std::vector<SuiteResult>& results, bool all) {
    std::vector<std::pair<SuiteResult, int>> rows;
    for (const SuiteResult& result : results) {
        const auto same = std::find_if(rows.begin(), rows.end(),
                                       [&](const auto& row) { return !all && isSameRow(row.first, result); });
        if (same == rows.end()) {
            rows.emplace_back(result, 1);
            continue;
        }
        ++same->second;
        if (isWorse(result, same->first)) same->first = result;
    }
    return rows;
}

std::string variantText(const SuiteResult& result, int variants) {
    if (variants == 1) return result.variant;
    return fmt::format("{} (worst of {})", result.variant, variants);
}

}  // namespace

bool passes(const std::vector<SuiteResult>& results) {
    return std::all_of(results.begin(), results.end(), [](const SuiteResult& result) { return result.passes(); });
}

std::string suiteTable(const std::vector<SuiteResult>& results, bool all) {
    using enum Table::Align;
    Table table({{"case"},
                 {"Hz", Right},
                 {"variant"},
                 {"measure"},
                 {"worst signal"},
                 {"reached", Right},
                 {"target", Right},
                 {""},
                 {"verdict"},
                 {"fall-backs", Right},
                 {"element ticks per method"}});
    for (const auto& [result, variants] : rowsOf(results, all)) {
        table.addRow({result.name, fmt::format("{:g}", result.rate), variantText(result, variants), result.measure,
                      result.reached.signal, fmt::format("{:.2e}", result.reached.value),
                      result.target ? fmt::format("{:g}", *result.target) : "-", result.unit,
                      !result.target    ? "-"
                      : result.passes() ? "ok"
                                        : "MISSED",
                      fmt::format("{}", result.totals.fallbacks), methodsText(result.totals)});
    }
    return table.text();
}

Json suiteJson(const std::vector<SuiteResult>& results) {
    Json json;
    json["precision"] = kPrecision;
    json["passes"] = passes(results);
    json["results"] = Json::array();
    for (const SuiteResult& result : results) {
        json["results"].push_back({{"case", result.name},
                                   {"rate", result.rate},
                                   {"variant", result.variant},
                                   {"measure", result.measure},
                                   {"signal", result.reached.signal},
                                   {"reached", result.reached.value},
                                   {"target", result.target ? Json(*result.target) : Json()},
                                   {"unit", result.unit},
                                   {"passes", result.passes()},
                                   {"fallbacks", result.totals.fallbacks},
                                   {"uncoupled", result.totals.uncoupled}});
    }
    return json;
}

}  // namespace elasto::tools
