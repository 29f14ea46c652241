// A sweep of many short runs on several threads.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "base_scene.h"
#include "stopwatch.h"
#include "study_file.h"
#include "targets.h"
#include "workers.h"

namespace elasto::bench {

namespace {

constexpr int kRepetitions = 15;

/// Both do the whole sweep in turns; each counts with its least time.
double speedUp(int threads) {
    const std::filesystem::path file = std::filesystem::path(ELASTO_SWEEPS) / "stop_map.json";
    const sweep::Study study = sweep::loadStudy(file);
    const sweep::BaseScene base(study, file);
    std::vector<std::size_t> runs(study.sample.runs);
    std::iota(runs.begin(), runs.end(), std::size_t{0});
    const sweep::Between nothing{.done = [](std::size_t, const std::string&) {}, .proceed = [] { return true; }};
    double least[] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (int i = 0; i < kRepetitions; ++i) {
        for (const int k : {0, 1}) {
            const double begin = wallTime();
            sweep::doRuns(study, base, runs, k == 0 ? 1 : threads, nothing);
            least[k] = std::min(least[k], wallTime() - begin);
        }
    }
    return least[0] / least[1];
}

}  // namespace

std::vector<Target> sweepTargets() {
    return {{"sweep on 2 threads / 1 thread (stop_map, 625 short runs)", 1.8, false, [] { return speedUp(2); }}};
}

}  // namespace elasto::bench
