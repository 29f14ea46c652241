#include "verify_cases.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tool_errors.h"

using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

std::string plan(const std::string& cases) {
    return R"({"rates": [60], "energyTicks": 10, "single": {"factor": 3, "least": 0.005}, "cases": [)" + cases + "]}";
}

const VerifyCase& find(const VerifyPlan& plan, const std::string& name) {
    const auto found =
        std::find_if(plan.cases.begin(), plan.cases.end(), [&](const VerifyCase& one) { return one.name == name; });
    REQUIRE(found != plan.cases.end());
    return *found;
}

double target(const VerifyCase& one, SignalGroup group, double rate) {
    return one.targetsFor(rate)[static_cast<std::size_t>(group)].value();
}

}  // namespace

TEST_CASE("the plan that comes with Elasto holds the published targets") {
    const VerifyPlan shipped = loadVerifyPlan(ELASTO_SOURCE_DIR "/assets/verify.json");
    CHECK(shipped.rates == std::vector<double>{60, 240, 1000});
    CHECK(shipped.energyTicks == 100000);
    CHECK(target(find(shipped, "elasto_gap"), SignalGroup::Positions, 60) == Approx(1e-6));
    CHECK(target(find(shipped, "gap_laws"), SignalGroup::Velocities, 240) == Approx(2e-6));
    CHECK(target(find(shipped, "backlash"), SignalGroup::MeanForce, 1000) == Approx(1e-5));
    CHECK(target(find(shipped, "preload"), SignalGroup::MeanForce, 60) == Approx(1e-3));
    CHECK(target(find(shipped, "heat_losses_3d"), SignalGroup::Heat, 60) == Approx(1e-4));
    CHECK(target(find(shipped, "tumbling_box"), SignalGroup::Positions, 60) == Approx(5e-4));
    CHECK(target(find(shipped, "tumbling_box"), SignalGroup::Positions, 240) == Approx(5e-5));
    CHECK(target(find(shipped, "tumbling_box"), SignalGroup::Positions, 1000) == Approx(5e-5));
    CHECK(find(shipped, "drop_c1e9_d0").energyRise.value() == 1e-9);
    CHECK(find(shipped, "drop_hertz_d0").energyRise.value() == 1e-6);
    CHECK(find(shipped, "swing_c1e7").energyRise.value() == 1e-6);
    CHECK_FALSE(find(shipped, "drop_c1e6_d5").energyRise.has_value());
    CHECK(std::all_of(shipped.cases.begin(), shipped.cases.end(),
                      [](const VerifyCase& one) { return !one.why.empty(); }));
}

TEST_CASE("single precision has three times the targets, at least 0.005 %") {
    const VerifyPlan parsed = parseVerifyPlan(
        plan(R"({"scene": "x", "why": "y", "targets": {"positions": 0.0001, "velocities": 0.2}})"), "plan");
    const Targets single = singleTargets(parsed.cases[0].targets, parsed);
    CHECK(single[0].value() == Approx(5e-5));
    CHECK(single[1].value() == Approx(6e-3));
    CHECK_FALSE(single[2].has_value());
}

TEST_CASE("a wrong plan is refused with field, value and what is allowed") {
    const auto message = [](const std::string& text) -> std::string {
        try {
            parseVerifyPlan(text, "plan");
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK_THAT(message("{"), Contains("plan") && Contains("parse error"));
    CHECK(message(plan(R"({"scene": "x", "targets": {}})")) == "plan: /cases/0: 'why' is missing");
    CHECK(message(plan(R"({"scene": "x", "why": "y", "targets": {"positions": -1}})")) ==
          "plan: /cases/0/targets/positions: -1 is not allowed; it must be a number > 0");
    CHECK(message(plan(R"({"scene": "x", "why": "y", "targets": {"position": 1}})")) ==
          "plan: /cases/0/targets: unknown field 'position'");
    CHECK(message(plan(R"({"scene": "x", "why": "y", "targets": {}, "targetsAt": {"fast": {}}})")) ==
          "plan: /cases/0/targetsAt: 'fast' is not allowed; it must be a rate in Hz > 0 and <= 1000000");
    CHECK(message(plan("")) == "plan: /cases: [] is not allowed; it must be a list of cases");
}
