// With --verdict [part of a target's name ...]: judges the targets; not 0 when one is missed. With --table [largest
// number of bodies]: everything side by side. Otherwise, and with the options of Google Benchmark, runs the benchmarks
// and prints, besides their times, each as a multiple of what Bullet itself spends on one free body in a tick. Times
// depend on the machine and its load; ratios measured in one run hardly do.

#include <benchmark/benchmark.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench_names.h"
#include "cost_table.h"
#include "targets.h"

namespace {

constexpr int kUsage = 2;  // exit code

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

std::vector<elasto::bench::Target> allTargets() {
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
    return targets;
}

int runBenchmarks(std::vector<std::string> options, std::string program) {
    std::vector<char*> arguments{program.data()};
    for (std::string& option : options) arguments.push_back(option.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return kUsage;
    const std::unique_ptr<benchmark::BenchmarkReporter> chosen(benchmark::CreateDefaultDisplayReporter());
    if (dynamic_cast<benchmark::ConsoleReporter*>(chosen.get()) == nullptr) {
        benchmark::RunSpecifiedBenchmarks(chosen.get());  // JSON, CSV
    } else {
        RatioReporter table;
        benchmark::RunSpecifiedBenchmarks(&table);
    }
    benchmark::Shutdown();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "What Elasto's elements cost. Without --table and --verdict: runs the benchmarks, with the options of "
        "Google Benchmark (--benchmark_filter=..., --benchmark_format=json, --benchmark_list_tests).");
    app.allow_extras();
    double mostBodies = 1e5;
    CLI::Option* table = app.add_option("--table", mostBodies, "everything side by side; for at most so many bodies")
                             ->expected(0, 1)
                             ->check(CLI::Range(1., 1e5));
    std::vector<std::string> wanted;
    CLI::Option* verdict =
        app.add_option("--verdict", wanted, "judges the targets, or those whose names contain one of these")
            ->expected(0, -1)
            ->excludes(table);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kUsage;
    }
    const std::vector<std::string> others = app.remaining();
    if (!*table && !*verdict) return runBenchmarks(others, argv[0]);
    if (!others.empty()) {
        std::fprintf(stderr, "%s: not known beside --table and --verdict\n", others.front().c_str());
        return kUsage;
    }
    if (*verdict) return elasto::bench::judge(allTargets(), wanted);
    elasto::bench::printCostTable(static_cast<int>(mostBodies));
}
