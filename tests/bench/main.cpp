// With --verdict [part of a target's name ...]: judges the targets; not 0 when one is missed. With --table [largest
// number of bodies]: everything side by side. Otherwise, and with the
// options of Google Benchmark (--benchmark_format=json, --benchmark_filter=...):
// Runs the benchmarks and prints, besides their times, each as a multiple of what Bullet itself spends on one free body
// in a tick. Times depend on the machine and its load; ratios measured in one run hardly do.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "bench_names.h"
#include "cost_table.h"
#include "targets.h"

namespace {

class RatioReporter : public benchmark::ConsoleReporter {
public:
    RatioReporter() : ConsoleReporter(OO_Tabular) {}

    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs) {
            if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
            const auto items = run.counters.find(kPerTick);
            const double count = items == run.counters.end() ? 1 : items->second.value;
            m_costs.emplace_back(run.benchmark_name(), run.GetAdjustedCPUTime() / count);
        }
    }

    void Finalize() override {
        ConsoleReporter::Finalize();
        double unit = 0;
        for (const auto& [name, cost] : m_costs) {
            if (name == kBaseline) unit = cost;
        }
        if (unit == 0) return;
        std::printf(
            "\nCost of one tick of one element (world: of one body), in ticks of one free body in plain Bullet:\n");
        for (const auto& [name, cost] : m_costs) std::printf("  %-40s %8.2f\n", name.c_str(), cost / unit);
    }

private:
    std::vector<std::pair<std::string, double>> m_costs;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string(argv[1]) == "--table") {
        elasto::bench::printCostTable(argc > 2 ? std::atoi(argv[2]) : 100000);
        return 0;
    }
    if (argc > 1 && std::string(argv[1]) == "--verdict") {
        using namespace elasto::bench;
        std::vector<Target> targets = elementTargets();
        const auto add = [&](std::vector<Target> more) {
            for (Target& target : more) targets.push_back(std::move(target));
        };
        add(networkTargets());
        add(threadTargets());
#ifdef ELASTO_SWEEPS
        add(sweepTargets());
#endif
        return printVerdict(targets, {argv + 2, argv + argc}) == 0 ? 0 : 1;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
}
