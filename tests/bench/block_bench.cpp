// Cost of holding the rows of chains and stacks: gradients taken in, factored and solved once. Per body it must not
// depend on their number.

#include "constraints/block_factor.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "bench_names.h"

namespace {

using namespace elasto;
using namespace elasto::flow;

/// One row between neighbours in a line of bodies.
BlockRow along(int body, const Eigen::Vector3d& axis, const Eigen::Vector3d& fromA, const Eigen::Vector3d& fromB) {
    BlockRow row;
    row.a = body - 1;
    row.b = body;
    row.gradientA << -axis, -fromA.cross(axis);
    row.gradientB << axis, fromB.cross(axis);
    return row;
}

/// Ball joints end to end.
void addJoint(int body, std::vector<BlockRow>& rows) {
    for (int k = 0; k < 3; ++k) rows.push_back(along(body, Eigen::Vector3d::Unit(k), {0.5, 0.1, 0}, {-0.5, 0, 0.1}));
}

/// A box held on another at four corners, with friction.
void addFace(int body, std::vector<BlockRow>& rows) {
    for (int corner = 0; corner < 4; ++corner) {
        const Eigen::Vector3d at(corner % 2 == 0 ? 0.5 : -0.5, 0, corner / 2 == 0 ? 0.5 : -0.5);
        for (const int k : {1, 0, 2}) {
            rows.push_back(along(body, Eigen::Vector3d::Unit(k), at + Eigen::Vector3d(0, 0.5, 0),
                                 at - Eigen::Vector3d(0, 0.5, 0)));
        }
    }
}

void solve(benchmark::State& state, void (*addRows)(int, std::vector<BlockRow>&)) {
    const auto bodies = static_cast<int>(state.range(0));
    std::vector<InverseMassRoot> roots;
    std::vector<BlockRow> rows;
    for (int i = 0; i < bodies; ++i) {
        const FlowBody body = FlowBody::rigid(1, {0.1, 0.2, 0.3});
        roots.push_back(InverseMassRoot::of(body, body.orientation));
        addRows(i, rows);
    }
    std::vector<double> wanted(rows.size()), impulses(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) wanted[i] = std::sin(static_cast<double>(i));
    std::vector<Vector6> change(roots.size());
    BlockFactor factor;
    for (auto _ : state) {
        factor.setBodies(roots);
        factor.setRows(rows);
        if (!factor.factor()) state.SkipWithError("wedged");
        benchmark::DoNotOptimize(factor.solve(wanted, impulses, change));
    }
    state.counters[kPerTick] = bodies;
}

BENCHMARK_CAPTURE(solve, chain, addJoint)->Name("blocks/chain")->Arg(1)->Arg(10)->Arg(100)->Arg(1000);
BENCHMARK_CAPTURE(solve, stack, addFace)->Name("blocks/stack")->Arg(1)->Arg(10)->Arg(100)->Arg(1000);

}  // namespace
