#include "losses.h"

#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/scene_world.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "stopwatch.h"

namespace elasto::peers {

namespace {

constexpr double kFrameRate = 60;  // [Hz]
constexpr int kRepetitions = 30;

struct Cost {
    double perFrame = std::numeric_limits<double>::infinity();  ///< [s]
    double error = 0;                                           ///< NRMSE of the worst position
};

Cost costOf(const Scene& scene, double rate) {
    Cost cost;
    std::vector<double> times;
    const long ticks = SceneWorld(scene, rate).ticksToEnd();
    for (long tick = 0; tick <= ticks; ++tick) times.push_back(static_cast<double>(tick) / rate);
    const Trajectory oracle = recordedColumns(scene, solveReference(scene, times));
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
        SceneWorld world(scene, rate);
        const double start = processorTime();
        for (long tick = 0; tick < ticks; ++tick) world.step();
        cost.perFrame = std::min(cost.perFrame, (processorTime() - start) / (times.back() * kFrameRate));
    }
    SceneWorld world(scene, rate);
    const std::vector<Signal> signals = recordedSignals(scene);
    Trajectory run{oracle.time, oracle.signals, std::vector<std::vector<double>>(signals.size())};
    for (long tick = 0; tick <= ticks; ++tick) {
        if (tick > 0) world.step();
        const SceneSample sample = world.sample();
        for (std::size_t i = 0; i < signals.size(); ++i) {
            run.columns[i].push_back(signalValue(scene, sample, signals[i]));
        }
    }
    for (const SignalError& error : compareSignals(oracle, run)) cost.error = std::max(cost.error, error.nrmse);
    return cost;
}

void printExponents(const std::filesystem::path& cases) {
    fmt::print("\n### Exponents other than 1 in a network\n\n| | rate | us per frame | NRMSE |\n|---|---|---|---|\n");
    for (const char* name : {"cradle", "cradle_hertz"}) {
        const Scene scene = loadScene(cases / "scenes" / (std::string(name) + ".json"));
        for (const double rate : {60., 240.}) {
            const Cost cost = costOf(scene, rate);
            fmt::print("| {} | {:g} Hz | {:.2f} | {:.1e} |\n", name, rate, 1e6 * cost.perFrame, cost.error);
        }
    }
}

double distanceOf(const SceneWorld& a, const SceneWorld& b) {
    const std::vector<BodyState> first = a.sample().bodies;
    const std::vector<BodyState> second = b.sample().bodies;
    double largest = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        largest = std::max(largest, (first[i].position - second[i].position).norm());
    }
    return largest;
}

void printChaos(const std::filesystem::path& cases) {
    fmt::print(
        "\n### Two runs of a pile whose starts differ by 1 nm, at 240 Hz\n\n| pile | differ by 1 mm at | largest "
        "difference "
        "at the end | after |\n|---|---|---|---|\n");
    for (const char* name : {"pile_1", "pile_2", "pile_3", "pile_4"}) {
        const Scene scene = loadScene(cases / "../../assets/scenes/coupled" / (std::string(name) + ".json"));
        Scene moved = scene;
        const auto body = std::find_if(moved.bodies.rbegin(), moved.bodies.rend(),
                                       [](const SceneBody& one) { return one.motion == BodyMotion::Dynamic; });
        body->position.x() += 1e-9;
        SceneWorld a(scene, 240);
        SceneWorld b(moved, 240);
        double parted = -1;
        while (a.ticks() < a.ticksToEnd()) {
            a.step();
            b.step();
            if (parted < 0 && distanceOf(a, b) > 1e-3) parted = a.time();
        }
        fmt::print("| {} | {} | {:.2g} mm | {:g} s |\n", name,
                   parted >= 0 ? fmt::format("{:.2f} s", parted) : std::string("never"), 1e3 * distanceOf(a, b),
                   a.time());
    }
}

}  // namespace

void runLosses(const std::filesystem::path& cases) {
    printExponents(cases);
    printChaos(cases);
}

}  // namespace elasto::peers
