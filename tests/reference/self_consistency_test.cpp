// The reference against itself: other tolerances, other methods, the same bits.

#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "problems.h"
#include "reference_data.h"

using namespace elasto;
using namespace elasto::test;

namespace {

std::vector<double> tickTimes(const Scene& scene) {
    return evenTimes(scene.duration, static_cast<int>(std::lround(scene.duration * scene.rate)));
}

double worst(const std::vector<SignalError>& errors, std::vector<std::string> units) {
    const SignalError* error = worstSignal(errors, units);
    return error ? error->nrmse : 0;
}

}  // namespace

TEST_CASE("every scene is solved far below the accuracy it is used to judge", "[slow]") {
    std::printf("difference from tolerances ten times as wide, worst NRMSE:\n%-26s %9s %9s %9s\n", "scene", "positions",
                "velocities", "mean force");
    for (const std::string& name : assetNames()) {
        INFO(name);
        const Scene scene = loadAsset(name);
        std::vector<SignalError> errors = referenceSelfDifference(scene, tickTimes(scene));
        // A force of the moment jumps with the time of an event; what is judged is its mean.
        std::erase_if(errors, [](const SignalError& error) {
            const bool force = error.unit == "N" || error.unit == "N.m";
            return error.unit == "flag" || (force && error.signal.find("_mean") == std::string::npos);
        });
        const double positions = worst(errors, {"m", "rad"});
        const double velocities = worst(errors, {"m/s", "rad/s"});
        const double forces = worst(errors, {"N", "N.m"});
        std::printf("%-26s %9.1e %9.1e %9.1e\n", name.c_str(), positions, velocities, forces);
        // The swing of c = 1e7 has a thousand periods of a stretch of micrometres.
        const double limit = name == "swing_c1e7" ? 1e-5 : 1e-7;
        CHECK(positions < limit);
        CHECK(velocities < 3 * limit);
        CHECK(forces < 3 * limit);
    }
}

TEST_CASE("so are the scenes with joints", "[slow]") {
    for (const char* name : {"pendulum", "hinge_stop", "four_bar_gap", "four_bar_series", "chain_stop",
                             "slider_crank_stop", "cradle10", "cradle10_hertz", "plate"}) {
        const Scene scene = loadAsset("coupled/" + std::string(name));
        std::vector<SignalError> errors = referenceSelfDifference(scene, evenTimes(scene.duration, 240));
        const double positions = worst(errors, {"m", "rad"});
        std::printf("%-26s %9.1e\n", name, positions);
        INFO(name);
        CHECK(positions < 1e-6);  // 1e-8 of the range
    }
}

TEST_CASE("forces and powers are those of the laws in every scene", "[slow]") {
    for (const std::string& name : assetNames()) {
        INFO(name);
        const Scene scene = loadAsset(name);
        const ReferenceSolution solution = solveReference(referenceProblem(scene), tickTimes(scene));
        const auto atEvent = [&](double time) {
            return std::any_of(solution.events.begin(), solution.events.end(),
                               [&](const ReferenceEvent& event) { return std::abs(event.time - time) < 1e-9; });
        };
        for (std::size_t e = 0; e < scene.elements.size(); ++e) {
            INFO(scene.elements[e].name);
            const Law& law = scene.elements[e].law;
            double largestForce = 1e-9;
            double largestSpeed = 1e-9;
            for (const ReferenceState& state : solution.states) {
                largestForce = std::max(largestForce, std::abs(state.elements[e].force.f));
                largestSpeed = std::max(largestSpeed, std::abs(state.elements[e].v));
            }
            double forceError = 0;
            double powerError = 0;
            double energyError = 0;
            for (const ReferenceState& state : solution.states) {
                if (atEvent(state.time)) continue;
                const ReferenceElementState& at = state.elements[e];
                const ForceTerms terms = evaluate(law, at.s, at.v, at.s_damper);
                REQUIRE(terms.contact == at.force.contact);
                forceError = std::max({forceError, std::abs(terms.f - at.force.f), std::abs(terms.f_c - at.force.f_c),
                                       std::abs(terms.f_d - at.force.f_d)});
                powerError = std::max({powerError, std::abs(lossPower(law, at.s, at.v, at.s_damper) - at.lossPower),
                                       std::abs(dissipatedPower(law, at.s, at.v, at.s_damper) - at.dissipatedPower)});
                energyError = std::max(energyError, std::abs(storedEnergy(law, at.s, at.s_damper) - at.storedEnergy));
            }
            CHECK(forceError <= 1e-9 * largestForce);
            CHECK(powerError <= 1e-9 * largestForce * largestSpeed);
            CHECK(energyError <= 1e-12 * (1 + largestForce));
        }
    }
}

TEST_CASE("Adams and BDF agree") {
    const Scene scene = loadAsset("elasto_gap");
    const std::vector<double> times = tickTimes(scene);
    ReferenceStatistics adams;
    ReferenceStatistics bdf;
    const Trajectory first = solveReference(scene, times, {.method = ReferenceMethod::Adams}, &adams);
    const Trajectory second = solveReference(scene, times, {.method = ReferenceMethod::Bdf}, &bdf);
    CHECK(adams.bdfStarts == 0);
    CHECK(bdf.adamsStarts == 0);
    const std::vector<SignalError> errors = compareSignals(first, second);
    CHECK(worst(errors, {"m", "m/s"}) < 1e-7);
}

TEST_CASE("stiff scenes use BDF by themselves, others Adams") {
    ReferenceStatistics statistics;
    const Scene preload = loadAsset("preload");
    solveReference(preload, evenTimes(1, 10), {}, &statistics);
    CHECK(statistics.bdfStarts > 0);
    const Scene swing = loadAsset("swing_c1e5");
    solveReference(swing, evenTimes(0.1, 10), {}, &statistics);
    CHECK(statistics.bdfStarts == 0);
}

TEST_CASE("two solutions have the same bits") {
    for (const char* name : {"preload", "backlash", "tumbling_box"}) {
        INFO(name);
        const Scene scene = loadAsset(name);
        const std::vector<double> times = evenTimes(std::min(scene.duration, 3.), 300);
        const Trajectory first = solveReference(scene, times);
        const Trajectory second = solveReference(scene, times);
        CHECK(first.signals == second.signals);
        CHECK(first.columns == second.columns);
    }
}

TEST_CASE("bodies that nothing connects do not change each other's solution") {
    ReferenceProblem both;
    both.network.bodies = {ball(1, {0.1, 0, 0}, {-1, 0, 0}), ball(0.01, {0, 1, 0}, {0.5, 0, 0})};
    both.network.elements = {
        fromOrigin(ElastoGapLaw({.c = 1e5, .d = 20})),
        between(SpringDamperLaw({.c = 1e6, .d = 1e4}), Geometry::AlongAxis, kWorld, {0, 0, 0}, 1, {0, 0, 0})};
    ReferenceProblem alone = both;
    alone.network.bodies.pop_back();
    alone.network.elements.pop_back();
    const std::vector<double> times = evenTimes(0.5, 20);
    const ReferenceSolution together = solveReference(both, times);
    const ReferenceSolution single = solveReference(alone, times);
    CHECK(together.statistics.groups == 2);
    for (std::size_t k = 0; k < times.size(); ++k)
        CHECK(together.states[k].bodies[0].position == single.states[k].bodies[0].position);
}

TEST_CASE("the times that are asked for do not change the solution") {
    const Scene scene = loadAsset("backlash");
    const ReferenceProblem problem = referenceProblem(scene);
    const std::vector<double> few = {0, 0.25, 1};
    const std::vector<double> many = evenTimes(1, 1000);
    const ReferenceSolution first = solveReference(problem, few);
    const ReferenceSolution second = solveReference(problem, many);
    CHECK_THAT(first.states[1].elements[1].s, Catch::WithinAbs(second.states[250].elements[1].s, 1e-9));
    CHECK_THAT(first.states[2].elements[2].s, Catch::WithinAbs(second.states[1000].elements[2].s, 1e-8));
}

TEST_CASE("a mean force is that over the interval before, and the force itself where there is none") {
    Scene scene = loadAsset("drop_c1e6_d0");
    const std::vector<double> times = {0, 0.24, 0.26, 0.26, 0.3};
    const Trajectory solved = solveReference(scene, times);
    const std::vector<double>& mean = solved.at("gap.f_mean");
    const std::vector<double>& velocity = solved.at("mass.v_0[2]");
    CHECK(mean[0] == 0);
    CHECK(mean[1] == 0);
    // Momentum and weight: m dv = -integral of f - m g dt.
    const double mass = scene.bodies[0].mass;
    const double expected = -mass * ((velocity[2] - velocity[1]) / 0.02 + 9.80665);
    CHECK_THAT(mean[2], Catch::WithinAbs(expected, 1e-7 * std::abs(expected)));
    CHECK(mean[3] == solved.at("gap.f")[3]);
}
