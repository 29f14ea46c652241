#include "reference_data.h"

#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdio>

using namespace elasto;
using namespace elasto::test;

namespace {
void compareCase(const char* name) {
    const ReferenceCase data = loadReferenceCase(name);
    ReferenceStatistics statistics;
    auto t0 = std::chrono::steady_clock::now();
    const Trajectory solved = recordedColumns(data.scene, solveReference(data.scene, data.own.time, {}, &statistics));
    std::printf("%s %.3f s steps %ld restarts %d\n", name, std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count(), statistics.steps, statistics.restarts);
    for (auto& s : data.own.signals) if (solved.find(s) < 0) std::printf("MISSING %s\n", s.c_str());
    for (auto& s : data.dymola.signals) if (solved.find(s) < 0) std::printf("MISSING %s\n", s.c_str());
    for (auto& e : compareSignals(data.own, solved)) std::printf("  own %-28s %.2e largest %.2e at %g range %g\n", e.signal.c_str(), e.nrmse, e.largest, e.timeOfLargest, e.range);
    if (!data.dymola.signals.empty())
    for (auto& e : compareSignals(data.dymola, solved)) { auto it = data.stated.find(e.signal); std::printf("  dym %-28s %.2e largest %.2e range %g", e.signal.c_str(), e.nrmse, e.largest, e.range); if (it != data.stated.end()) std::printf("  stated %.2e %.2e", it->second.nrmse, it->second.largest); std::printf("\n"); }
}
}
TEST_CASE("all") { for (const char* n : {"elasto_gap","preload","backlash","heat_losses_3d","gap_laws","armature_stopper"}) compareCase(n); }
