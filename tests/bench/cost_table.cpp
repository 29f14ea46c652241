#include "cost_table.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "element_costs.h"
#include "field.h"
#include "networks.h"
#include "stopwatch.h"

namespace elasto::bench {

namespace {

struct Row {
    const char* name;
    Push push;
    Course course;
    bool splitsIslands = true;
    int most = 100000;  ///< bodies: beyond them it takes minutes
};

const std::vector<Row> kRows{
    {"Bullet's bodies alone", Push::None, Course::Rest},
    {"empty constraint, islands split", Push::Empty, Course::Rest, true, 1000},
    {"empty constraint, islands not split (floor)", Push::Empty, Course::Rest, false},
    {"Elasto: idle, in flight", Push::Elasto, Course::Flight},
    {"Elasto: resting, awake", Push::Elasto, Course::Rest},
    {"Elasto: resting, asleep", Push::Elasto, Course::Asleep},
    {"Elasto: an impact in every tick", Push::Elasto, Course::Impact},
    {"Elasto: bouncing", Push::Elasto, Course::Bouncing},
    {"Elasto: n = 1.5, an impact in every tick", Push::Elasto, Course::Hertz},
    {"Elasto: spring and damper in series", Push::Elasto, Course::Series},
    {"Elasto: backlash", Push::Elasto, Course::Backlash},
    {"explicit law", Push::ExplicitLaw, Course::Impact},
    {"btGeneric6DofSpring2Constraint", Push::Spring2, Course::Rest, true, 1000},
    {"btGeneric6DofSpring2Constraint, not split", Push::Spring2, Course::Rest, false},
    {"200 sub-steps in a callback, resting", Push::SubSteps, Course::Rest},
    {"200 sub-steps in a callback, impacts", Push::SubStepsWithPose, Course::Impact},
};

int ticksOf(int bodies) {
    return bodies >= 50000 ? 9 : bodies >= 5000 ? 31 : 301;
}

bool isBaseline(const Row& row) {
    return row.push != Push::Elasto && row.push != Push::None && row.push != Push::Empty;
}

void printFields(int bodies, bool isCold) {
    std::vector<std::unique_ptr<Field>> fields;
    std::vector<const Row*> rows;
    for (const Row& row : kRows) {
        if (bodies > row.most) continue;
        rows.push_back(&row);
        fields.push_back(std::make_unique<Field>(FieldOptions{
            .bodies = bodies, .push = row.push, .course = row.course, .splitsIslands = row.splitsIslands}));
        for (int i = 0; i < 10; ++i) fields.back()->step();
    }
    std::vector<std::function<void()>> steps;
    for (const auto& field : fields) steps.emplace_back([&field] { field->step(); });
    const auto times = inTurns(
        steps, ticksOf(bodies), isCold ? coolCaches : [] {});
    const double plain = quantile(times[0], 0.5);
    std::printf("\n%d bodies%s\n%-46s %9s %9s %9s %12s %9s\n", bodies, isCold ? ", cold caches" : "",
                "  ns per body and tick", "p50", "p99", "largest", "added p50", "/ bodies");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double ns = 1e9 / bodies;
        const double p50 = quantile(times[i], 0.5);
        bool isLess = false;
        for (std::size_t k = 0; k < rows.size() && isBaseline(*rows[i]); ++k) {
            const bool isOurs = rows[k]->push == Push::Elasto && rows[k]->course == rows[i]->course;
            isLess |= isOurs && p50 < quantile(times[k], 0.5);
        }
        std::printf("  %-44s %9.0f %9.0f %9.0f %12.0f %9.2f%s\n", rows[i]->name, ns * p50,
                    ns * quantile(times[i], 0.99), ns * quantile(times[i], 1), ns * (p50 - plain),
                    (p50 - plain) / plain, isLess ? "  less than Elasto" : "");
    }
    std::fflush(stdout);
}

void printAccuracy() {
    std::printf("\nHeights of bodies that bounce for 1 s (c = 1e6), 60 frames per second: error / height of fall\n");
    const auto print = [](const char* name, Push push, int ticks) {
        std::printf("  %-44s %9.1e  (%d per frame)\n", name, bounceError(push, ticks), ticks);
    };
    print("Elasto", Push::Elasto, 1);
    print("200 sub-steps in a callback", Push::SubSteps, 1);
    print("200 sub-steps in a callback, with the pose", Push::SubStepsWithPose, 1);
    print("btGeneric6DofSpring2Constraint", Push::Spring2, 1);
    for (const int ticks : {1, 17, 167, 1667}) print("explicit law", Push::ExplicitLaw, ticks);
    std::fflush(stdout);
}

struct NetworkRow {
    const char* name;
    std::function<void(Workshop&)> build;
    int ticks;
    double gravity = 9.80665;
};

void printNetworks() {
    const std::vector<NetworkRow> rows{
        {"chain of 10 with gaps, h*omega = 11", [](Workshop& at) { chain(at, 10); }, 300},
        {"chain of 100", [](Workshop& at) { chain(at, 100); }, 300},
        {"chain of 1 000", [](Workshop& at) { chain(at, 1000); }, 100},
        {"grid of 32 x 32", [](Workshop& at) { grid(at, 32); }, 60},
        {"PreLoad (Modelica's example)", [](Workshop& at) { preLoad(at, false); }, 6000, 0},
        {"PreLoad on btSliderConstraints", [](Workshop& at) { preLoad(at, true); }, 6000, 0},
        {"100 doors on hinges against stops", [](Workshop& at) { doors(at, 100); }, 100},
        {"10 pressed stacks of 5", [](Workshop& at) { stacks(at, 10, 5); }, 100},
        {"pile of 1 000 boxes, one element idle", [](Workshop& at) { pile(at, 1000); }, 40},
    };
    std::printf("\n%-46s %9s %9s %9s %12s %9s %12s\n", "us per tick of 1/60 s", "p50", "p99", "largest", "added p50",
                "/ plain", "/ constraint");
    for (const NetworkRow& row : rows) {
        Workshop with(true, row.gravity);
        Workshop without(false, row.gravity);
        row.build(with);
        row.build(without);
        const auto times = inTurns({[&] { with.step(kNetworkTick); }, [&] { without.step(kNetworkTick); }}, row.ticks);
        const double plain = quantile(times[1], 0.5);
        const double p50 = quantile(times[0], 0.5);
        std::printf("  %-44s %9.1f %9.1f %9.1f %12.1f %9.2f %12.2f\n", row.name, 1e6 * p50,
                    1e6 * quantile(times[0], 0.99), 1e6 * quantile(times[0], 1), 1e6 * (p50 - plain),
                    (p50 - plain) / plain, 1e6 * (p50 - plain) / with.elements());
        std::fflush(stdout);
    }
}

}  // namespace

void printCostTable(int mostBodies) {
    std::printf("Elasto, %s precision\n", kPrecision);
    for (const int bodies : {1, 100, 10000, 100000}) {
        if (bodies <= mostBodies) printFields(bodies, false);
    }
    printFields(100, true);
    printAccuracy();
    printNetworks();
    std::printf("\nmemory per isolated element: %.0f bytes\n", memoryPerElement(1000));
}

}  // namespace elasto::bench
