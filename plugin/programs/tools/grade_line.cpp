#include "grade_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "exit_codes.h"
#include "print.h"

namespace elasto::tools {

namespace {

/// So that two digits are never less than the number.
constexpr double kRoundedUp = 1.05;

/// That most networks were not exact for; of several the worse one.
GradeCause mainCause(const TickStatistics& totals) {
    const auto first = totals.networksPerCause.begin();
    const auto isLess = [](int x, int y) { return x <= y; };
    return static_cast<GradeCause>(std::max_element(first + 1, totals.networksPerCause.end(), isLess) - first);
}

}  // namespace

std::string gradeLine(const TickStatistics& totals, const std::optional<ExactRate>& rate) {
    const std::int64_t inexact = totals.approximateTicks + totals.failedTicks;
    if (inexact == 0) return fmt::format("all {} ticks are exact", totals.ticks);
    std::string counts;
    if (totals.failedTicks > 0) counts = fmt::format("{} failed", totals.failedTicks);
    if (totals.approximateTicks > 0) {
        counts += fmt::format("{}{} approximate", counts.empty() ? "" : " and ", totals.approximateTicks);
    }
    const GradeCause cause = mainCause(totals);
    const std::string where = totals.errorAt.empty() ? "" : fmt::format(" at {}", totals.errorAt);
    return fmt::format("{} of {} ticks, by at most {:.2g} m (rad) each{}, from t = {:.4g} s: {}; {}{}", counts,
                       totals.ticks, kRoundedUp * totals.error, where, totals.inexactFrom, textOf(cause),
                       remedyOf(cause), rate ? "; " + textOf(*rate) : "");
}

Json gradeJson(const TickStatistics& totals, const std::optional<ExactRate>& rate) {
    Json json;
    json["exact"] = totals.ticks - totals.approximateTicks - totals.failedTicks;
    json["approximate"] = totals.approximateTicks;
    json["failed"] = totals.failedTicks;
    json["error"] = totals.error;  // null where it is not finite
    json["errorAt"] = totals.errorAt;
    json["errorTime"] = totals.errorTime;
    json["inexactFrom"] = std::isfinite(totals.inexactFrom) ? Json(totals.inexactFrom) : Json();
    json["networksPerCause"] = Json::object();
    for (int cause = 1; cause < kGradeCauses; ++cause) {
        const std::int64_t count = totals.networksPerCause[static_cast<std::size_t>(cause)];
        if (count > 0) json["networksPerCause"][textOf(static_cast<GradeCause>(cause))] = count;
    }
    // Null where no rate was found, and where none was looked for.
    json["exactRate"] = rate && rate->rate ? Json(*rate->rate) : Json();
    json["triedTo"] = rate ? Json(rate->triedTo) : Json();
    json["audits"] = totals.audits;
    json["auditShare"] = totals.cost > 0 ? totals.auditCost / totals.cost : 0;
    return json;
}

int strictCode(const TickStatistics& totals) {
    if (totals.approximateTicks + totals.failedTicks == 0) return kOk;
    printMessage("--strict: not all ticks are exact");
    return kNotExact;
}

}  // namespace elasto::tools
