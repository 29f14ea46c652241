#include "coupled_plan.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

#include "tool_errors.h"

using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

std::string plan(const std::string& one) {
    return R"({"rates": [60, 240], "single": {"factor": 3, "least": 0.02}, "cases": [)" + one + "]}";
}

std::string simpleCase(const std::string& more, const std::string& checks) {
    return plan(R"({"name": "x", "scene": "coupled/x", "why": "y")" + more + R"(, "checks": [)" + checks + "]}");
}

/// A quantity with so many values.
std::string quantity(int count) {
    std::string values;
    for (int i = 0; i < count; ++i) values += (i == 0 ? "" : ", ") + std::to_string(i);
    return R"({"name": "c", "set": ["/a"], "values": [)" + values + "]}";
}

const std::string kCheck = R"({"measure": "nrmse", "signals": ["a.s"], "target": 0.005})";

std::string refusal(const std::string& text) {
    try {
        parseCoupledPlan(text, "plan");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

const CoupledCase& find(const CoupledPlan& plan, const std::string& name) {
    const auto found =
        std::find_if(plan.cases.begin(), plan.cases.end(), [&](const CoupledCase& one) { return one.name == name; });
    REQUIRE(found != plan.cases.end());
    return *found;
}

}  // namespace

TEST_CASE("the coupled plan that comes with Elasto holds the published targets") {
    const CoupledPlan shipped = loadCoupledPlan(ELASTO_SOURCE_DIR "/assets/verify_coupled.json");
    CHECK(shipped.rates == std::vector<double>{60, 240});
    const auto target = [&](const char* name, double rate) {
        return shipped.target(find(shipped, name).checks.front(), rate, false).value();
    };
    CHECK(target("pendulum", 60) == 0.03);
    CHECK(target("pendulum", 240) == 0.005);
    CHECK(target("hinge_stop", 60) == 0.05);
    CHECK(target("hinge_stop", 240) == 0.015);
    CHECK(target("four_bar_gap", 60) == 0.15);
    CHECK(target("four_bar_series", 240) == 0.02);
    CHECK(target("chain_stop", 60) == 0.6);
    CHECK(target("chain_stop", 240) == 0.2);
    CHECK(target("slider_crank_stop", 60) == 0.2);
    CHECK(target("crates_off_centre", 60) == 1);
    CHECK(target("crates_off_centre", 240) == 0.3);
    CHECK(target("motor_stall", 60) == 0.1);
    CHECK(target("cradle10", 60) == 0.001);
    CHECK(target("cradle10_hertz", 240) == 0.05);
    CHECK(target("plate", 240) == 0.05);
    CHECK(target("preload_sliders", 60) == 3 * 0.002);
    CHECK(find(shipped, "hinge_stop").variants.size() == 8);
    for (const CoupledCase& one : shipped.cases) {
        INFO(one.name);
        CHECK_FALSE(one.why.empty());
        for (const CoupledCheck& check : one.checks) CHECK(check.targets.size() == shipped.rates.size());
        for (const CoupledVariant& variant : one.variants) {
            CHECK(std::filesystem::exists(ELASTO_SOURCE_DIR "/assets/scenes/" + variant.scene + ".json"));
        }
    }
}

TEST_CASE("a sweep makes every combination, a list of values one for each path") {
    const CoupledPlan parsed =
        parseCoupledPlan(simpleCase(R"(, "sweep": [{"name": "c", "set": ["/elements/0/c", "/elements/0/s_rel0"],
                                   "values": [[1e6, 2.5], [1000, 3]]},
                                  {"name": "d", "set": ["/elements/0/d", "/elements/1/d"], "values": [0, 50, 7]}])",
                                    kCheck),
                         "plan");
    const std::vector<CoupledVariant>& variants = parsed.cases[0].variants;
    REQUIRE(variants.size() == 6);
    CHECK(variants[0].label == "c 1e6, d 0");
    CHECK(variants[4].label == "c 1000, d 50");
    CHECK(variants[4].scene == "coupled/x");
    const auto& changes = variants[4].changes;
    REQUIRE(changes.size() == 4);
    CHECK(changes[0] == std::pair<std::string, Json>("/elements/0/c", 1000));
    CHECK(changes[1] == std::pair<std::string, Json>("/elements/0/s_rel0", 3));
    CHECK(changes[2] == std::pair<std::string, Json>("/elements/0/d", 50));
    CHECK(changes[3] == std::pair<std::string, Json>("/elements/1/d", 50));
}

TEST_CASE("several scenes are variants of one case") {
    const CoupledPlan parsed = parseCoupledPlan(
        plan(R"({"name": "x", "scenes": ["coupled/x_1", "coupled/x_2"], "why": "y", "checks": [)" + kCheck + "]}"),
        "plan");
    REQUIRE(parsed.cases[0].variants.size() == 2);
    CHECK(parsed.cases[0].variants[1].label == "x_2");
    CHECK(parsed.cases[0].variants[1].scene == "coupled/x_2");
}

TEST_CASE("single precision has three times the targets, and those in percent are at least 0.02") {
    const CoupledPlan parsed = parseCoupledPlan(
        simpleCase("", kCheck + R"(, {"measure": "drift", "signals": ["a.r_0[*]"], "targets": {"60": 0.001}})"),
        "plan");
    const std::vector<CoupledCheck>& checks = parsed.cases[0].checks;
    CHECK(parsed.target(checks[0], 60, false).value() == 0.005);
    CHECK(parsed.target(checks[0], 240, true).value() == 0.02);
    CHECK(parsed.target(checks[1], 60, true).value() == Approx(0.003));
    CHECK_FALSE(parsed.target(checks[1], 240, false).has_value());
    CHECK_FALSE(parsed.target(checks[0], 1000, false).has_value());
}

TEST_CASE("a wrong coupled plan is refused with field, value and what is allowed") {
    CHECK_THAT(refusal("{"), Contains("plan") && Contains("parse error"));
    CHECK(refusal(plan(R"({"name": "x", "scene": "s"})")) == "plan: /cases/0: 'why' is missing");
    CHECK(refusal(simpleCase("", R"({"measure": "rms", "signals": ["a"], "target": 1})")) ==
          "plan: /cases/0/checks/0/measure: \"rms\" is not allowed; it must be one of nrmse, meanForce, ripple, drift, "
          "speeds, energyRise, handOver");
    CHECK(refusal(simpleCase("", R"({"measure": "nrmse", "target": 1})")) ==
          "plan: /cases/0/checks/0: 'signals' is missing");
    CHECK(refusal(simpleCase("", R"({"measure": "nrmse", "signals": ["a"], "target": 0})")) ==
          "plan: /cases/0/checks/0/target: 0 is not allowed; it must be a number > 0");
    CHECK(refusal(simpleCase("", R"({"measure": "nrmse", "signals": ["a"], "targets": {"fast": 1}})")) ==
          "plan: /cases/0/checks/0/targets: 'fast' is not allowed; it must be a rate in Hz > 0 and <= 1000000");
    CHECK(refusal(simpleCase(R"(, "sweep": [{"name": "c", "set": ["/a", "/b"], "values": [[1, 2, 3]]}])", kCheck)) ==
          "plan: /cases/0/sweep/0/values/0: [1,2,3] is not allowed; it must be as many values as paths");
    CHECK_THAT(refusal(simpleCase(R"(, "sweep": [)" + quantity(101) + "," + quantity(100) + "]", kCheck)),
               Contains("plan: /cases/0/sweep/1/values: 100 values of each of the 101 variants so far are not allowed; "
                        "a case may have at most 10000 variants"));
    CHECK_THAT(refusal(simpleCase(R"(, "sweep": [{"name": "c", "set": ["/a"], "values": [1e400]}])", kCheck)),
               Contains("plan: /cases/0/sweep/0/values/0: ") && Contains("a number must be finite"));
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    CHECK_THAT(refusal(plan(deep)), Contains("nested too deep"));
    CHECK(refusal(simpleCase(R"(, "oracle": {"slidingBody": "box"})", kCheck)) ==
          "plan: /cases/0/oracle: 'scene' is missing");
    CHECK(refusal(simpleCase("", kCheck + R"(, 3)")) ==
          "plan: /cases/0/checks/1: 3 is not allowed; it must be an object");
}
