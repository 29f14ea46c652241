// Cost of one 60 Hz tick of the flow in each of its methods. Every iteration solves the same tick.

#include <elasto/flow.h>

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "bench_names.h"

namespace {

using namespace elasto;

constexpr double kTick = 1.0 / 60;
constexpr double kGravity = 9.80665;

FlowBody ball(double height, double velocity) {
    FlowBody body = FlowBody::sphere(0.2, 0.05);
    body.position = {0, height, 0};
    body.velocity = {0, velocity, 0};
    body.force.constant = {0, -0.2 * kGravity, 0};
    return body;
}

FlowElement upwards(Law law, int a, int b) {
    FlowElement element{std::move(law)};
    element.a = a;
    element.b = b;
    element.axis = {0, 1, 0};
    return element;
}

FlowNetwork onStop(const ElastoGapParameters& parameters, double height, double velocity) {
    FlowNetwork network;
    network.bodies.push_back(ball(height, velocity));
    network.elements.push_back(upwards(ElastoGapLaw(parameters), kWorld, 0));
    return network;
}

/// A mass that hangs on the line from the origin, at rest or swinging sideways.
FlowNetwork onLine(Law law, double sideways) {
    FlowNetwork network;
    network.bodies.push_back(ball(-1, 0));
    network.bodies[0].velocity.x() = sideways;
    FlowElement element{std::move(law)};
    element.geometry = Geometry::AlongLine;
    element.b = 0;
    network.elements.push_back(element);
    return network;
}

/// Balls in a row with gaps between them, the first one about to hit the others.
FlowNetwork cradle(const ElastoGapParameters& parameters) {
    constexpr int kBalls = 10;
    FlowNetwork network;
    for (int i = 0; i < kBalls; ++i) {
        network.bodies.push_back(FlowBody::sphere(1, 0.05));
        network.bodies.back().position = {0, 0.1 * i + (i == 0 ? -0.001 : 0.0005 * i), 0};
        if (i > 0) network.elements.push_back(upwards(ElastoGapLaw(parameters), i - 1, i));
    }
    network.bodies[0].velocity = {0, 1, 0};
    return network;
}

/// Two stops on one spool, so strongly damped that only their creep is left.
FlowNetwork damped() {
    FlowNetwork network = onStop({.c = 1e7, .d = 1e5}, -1e-6, 0);
    FlowElement spring = upwards(SpringDamperLaw({.c = 1e4, .d = 1e4, .s_rel0 = 0.1}), kWorld, 0);
    network.elements.push_back(spring);
    return network;
}

void solve(benchmark::State& state, const std::function<FlowNetwork()>& make, FlowMethod expected) {
    const FlowNetwork network = make();
    const FlowMethod method = solveTick(network, kTick).method;
    if (method != expected) {
        state.SkipWithError((std::string("solved by ") + methodName(method)).c_str());
        return;
    }
    for (auto _ : state) benchmark::DoNotOptimize(solveTick(network, kTick));
    state.counters[kPerTick] = static_cast<double>(network.elements.size());
}

#define ELASTO_FLOW_BENCH(name, network, method)                 \
    BENCHMARK_CAPTURE(                                           \
        solve, name, [] { return network; }, FlowMethod::method) \
        ->Name("flow/" #name)

ELASTO_FLOW_BENCH(gap_out_of_reach, onStop({.c = 1e6, .d = 5}, 0.3, 0), Free);
ELASTO_FLOW_BENCH(gap_resting, onStop({.c = 1e6, .d = 5}, -0.2 * kGravity / 1e6, 0), ClosedForm);
ELASTO_FLOW_BENCH(gap_impact, onStop({.c = 1e6, .d = 5}, 0.001, -2.4), ClosedForm);
ELASTO_FLOW_BENCH(gap_impact_hertz, onStop({.c = 1e7, .d = 5, .n = 1.5}, 0.001, -2.4), Dop853);
ELASTO_FLOW_BENCH(series_hanging, onLine(SpringDamperSeriesLaw({.c = 100, .d = 10, .s_unstretched = 0.5}), 0),
                  ClosedForm);
ELASTO_FLOW_BENCH(cradle_of_10, cradle({.c = 1e5, .d = 0, .s_rel0 = 0.1}), Taylor);
ELASTO_FLOW_BENCH(damped_spool, damped(), Rodas4);
ELASTO_FLOW_BENCH(spring_swinging, onLine(SpringDamperLaw({.c = 1e3, .d = 0, .s_rel0 = 1}), 8), Dop853);

}  // namespace
