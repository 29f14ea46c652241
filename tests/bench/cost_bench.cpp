// What an element costs per tick, for Google Benchmark and its JSON: medians, 99 % quantiles and the largest tick are
// counters.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench_names.h"
#include "field.h"
#include "stopwatch.h"

namespace {

using namespace elasto::bench;

void step(benchmark::State& state, const FieldOptions& options, bool isCold) {
    Field field(options);
    for (int i = 0; i < 10; ++i) field.step();
    std::vector<double> times;
    for (auto _ : state) {
        if (isCold) {
            state.PauseTiming();
            coolCaches();
            state.ResumeTiming();
        }
        times.push_back(timed([&] { field.step(); }));
    }
    state.counters[kPerTick] = options.bodies;
    const double ns = 1e9 / options.bodies;
    state.counters["p50_ns"] = ns * quantile(times, 0.5);
    state.counters["p99_ns"] = ns * quantile(times, 0.99);
    state.counters["largest_ns"] = ns * quantile(times, 1);
}

struct Case {
    const char* name;
    Push push;
    Course course;
};

const bool kIsRegistered = [] {
    const Case cases[] = {
        {"bodies", Push::None, Course::Rest},
        {"idle", Push::Elasto, Course::Flight},
        {"resting", Push::Elasto, Course::Rest},
        {"impacts", Push::Elasto, Course::Impact},
        {"hertz", Push::Elasto, Course::Hertz},
        {"series", Push::Elasto, Course::Series},
        {"backlash", Push::Elasto, Course::Backlash},
        {"explicit_law", Push::ExplicitLaw, Course::Impact},
        {"sub_steps", Push::SubStepsWithPose, Course::Impact},
    };
    for (const Case& each : cases) {
        for (const int bodies : {1, 100, 10000, 100000}) {
            const FieldOptions options{.bodies = bodies, .push = each.push, .course = each.course};
            const std::string name = std::string("field/") + each.name + "/" + std::to_string(bodies);
            const auto warm = [options](benchmark::State& state) { step(state, options, false); };
            benchmark::RegisterBenchmark(name.c_str(), warm);
            if (bodies != 100) continue;
            const auto cold = [options](benchmark::State& state) { step(state, options, true); };
            benchmark::RegisterBenchmark((name + "/cold").c_str(), cold);
        }
    }
    return true;
}();

}  // namespace
