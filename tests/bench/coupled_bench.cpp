// What elements on jointed and stacked bodies cost: ticks of a Bullet world with elements against ticks of the same
// scene without them, in plain Bullet. The two worlds tick in turns, so that a slower machine slows both; each scene
// runs several times, and of each tick the fastest counts, which takes out what the machine did besides. Times are the
// processor's for this process. The ratio is that of medians (of means for what falls and tumbles), once as the
// settings are by default and once with Accuracy::Implicit. `out` and `implicit` are the shares of ticks in which a
// network ran out of its budget and in which one was solved by the implicit step; the largest rise is that of the
// energy in a tick, in the most kinetic energy that there was. --substepped prints besides what plain Bullet takes in
// as many sub-steps as bring its joints as close together as ours are, or as bring them to a tenth of a millimetre.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coupled_scenes.h"
#include "targets.h"

namespace {

using namespace elasto::bench;

constexpr int kRuns = 5;

double quantile(std::vector<double> times, double share) {
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
    std::nth_element(times.begin(), at, times.end());
    return *at;
}

double mean(const std::vector<double>& times) {
    double sum = 0;
    for (const double time : times) sum += time;
    return sum / static_cast<double>(times.size());
}

struct Measured {
    std::vector<double> ours, implicit, plain;  ///< of each tick [us]
    double out = 0, implicitShare = 0;          ///< shares of ticks
    double cost = 0, costs = 0;                 ///< largest, and mean of the ticks
    std::vector<double> bounds;                 ///< of ticks: what was said to be the most, over the cost
    double gap = 0, plainGap = 0;               ///< largest of a joint [m]
    double rise = 0;                            ///< largest of the energy in a tick, of the most that was in play
    bool isUncoupled = false;

    /// What a unit of cost takes, beyond plain Bullet [ns].
    double unit() const { return costs > 0 ? 1e3 * (mean(ours) - mean(plain)) / costs : 0; }
    /// In 99 of 100 ticks the bound was no more than this many times the cost.
    double bound() const { return bounds.empty() ? 0 : quantile(bounds, 0.99); }
    double ratio(bool isOfMeans) const {
        return isOfMeans ? mean(ours) / mean(plain) : quantile(ours, 0.5) / quantile(plain, 0.5);
    }
};

Measured measure(const CoupledScene& scene, int runs, elasto::Accuracy accuracy = {}) {
    const auto ticks = static_cast<std::size_t>(scene.ticks), all = ticks * static_cast<std::size_t>(scene.variants);
    const std::vector<double> slow(all, 1e300);
    Measured measured;
    measured.ours = measured.implicit = measured.plain = slow;
    double inPlay = 0;
    for (int run = 0; run < runs; ++run) {
        for (std::size_t i = 0; i < all;) {
            CoupledWorld with(true, accuracy), implicit(true, elasto::Accuracy::Implicit), without(false);
            const int variant = static_cast<int>(i / ticks);
            for (CoupledWorld* world : {&with, &implicit, &without}) scene.build(*world, variant);
            for (const std::size_t end = i + ticks; i < end; ++i) {
                const double before = with.energy();
                measured.ours[i] = std::min(measured.ours[i], with.step());
                measured.implicit[i] = std::min(measured.implicit[i], implicit.step());
                measured.plain[i] = std::min(measured.plain[i], without.step());
                if (run > 0) continue;
                measured.out += (with.hasRunOut() ? 1. : 0.) / static_cast<double>(all);
                measured.implicitShare += (with.isImplicit() ? 1. : 0.) / static_cast<double>(all);
                measured.cost = std::max(measured.cost, with.cost());
                measured.costs += with.cost() / static_cast<double>(all);
                if (with.cost() > 0) measured.bounds.push_back(with.mostCost() / with.cost());
                measured.gap = std::max(measured.gap, with.jointGap());
                measured.plainGap = std::max(measured.plainGap, without.jointGap());
                measured.rise = std::max(measured.rise, with.energy() - before);
                inPlay = std::max(inPlay, with.kineticEnergy());
            }
            measured.isUncoupled |= with.isUncoupled();
        }
    }
    if (inPlay > 0) measured.rise /= inPlay;
    return measured;
}

void printRow(const CoupledScene& scene, int runs, elasto::Accuracy accuracy) {
    const Measured measured = measure(scene, runs, accuracy);
    char wanted[16] = "-";
    if (scene.target > 0) std::snprintf(wanted, sizeof wanted, "%.1f", scene.target);
    const double plain = scene.isPile ? mean(measured.plain) : quantile(measured.plain, 0.5);
    const double implicit = scene.isPile ? mean(measured.implicit) : quantile(measured.implicit, 0.5);
    std::printf(
        "%-16s %8.1f %8.1f %8.1f %8.1f  %8.1f %8.1f  %6.1f %6s %9.1f  %7.0f %6.0f %7.1f %5.0f%% %7.0f%%  %8.3f %8.3f "
        "%8.0e%s\n",
        scene.name, quantile(measured.ours, 0.5), quantile(measured.ours, 0.99), quantile(measured.ours, 1),
        mean(measured.ours), quantile(measured.plain, 0.5), mean(measured.plain), measured.ratio(scene.isPile), wanted,
        implicit / plain, measured.cost, measured.unit(), measured.bound(), 100 * measured.out,
        100 * measured.implicitShare, 1e3 * measured.gap, 1e3 * measured.plainGap, std::max(measured.rise, 0.),
        measured.isUncoupled ? "  (uncoupled)" : "");
    std::fflush(stdout);
}

/// Plain Bullet in sub-steps.
struct Substepped {
    int substeps;
    double time;  ///< mean of a tick [us]
    double gap;   ///< largest of a joint [m]
};

constexpr double kClosed = 1e-4;  // [m]
constexpr int kMostSubsteps = 64;

Substepped measureSubstepped(const CoupledScene& scene, double ourGap, int runs) {
    for (int substeps = 2;; substeps *= 2) {
        std::vector<double> times(static_cast<std::size_t>(scene.ticks), 1e300);
        double gap = 0;
        for (int run = 0; run < runs; ++run) {
            CoupledWorld world(false);
            scene.build(world, 0);
            world.setSubsteps(substeps);
            for (double& time : times) {
                time = std::min(time, world.step());
                gap = std::max(gap, world.jointGap());
            }
        }
        if (gap <= std::max(ourGap, kClosed) || substeps == kMostSubsteps) return {substeps, mean(times), gap};
    }
}

void printSubstepped(const CoupledScene& scene, int runs) {
    const Measured ours = measure(scene, runs);
    if (ours.plainGap == 0) return;
    const Substepped plain = measureSubstepped(scene, ours.gap, runs);
    std::printf("%-16s %9.3f %9.1f  %9.3f %9.1f  %9d %9.3f %9.1f %9.2f\n", scene.name, 1e3 * ours.gap, mean(ours.ours),
                1e3 * ours.plainGap, mean(ours.plain), plain.substeps, 1e3 * plain.gap, plain.time,
                mean(ours.ours) / plain.time);
    std::fflush(stdout);
}

std::vector<Target> targets() {
    constexpr double kLargestTick = 1000;  // [us]
    std::vector<Target> all;
    for (const CoupledScene& scene : coupledScenes()) {
        if (scene.target == 0) continue;
        // Once, for the first of its targets that is judged.
        const auto measured = [&scene, known = std::make_shared<std::optional<Measured>>()]() -> const Measured& {
            if (!*known) *known = measure(scene, kRuns);
            return **known;
        };
        const std::string name = scene.name;
        const std::string what = scene.isPile ? ": mean tick / plain Bullet's" : ": median tick / plain Bullet's";
        all.push_back({name + what, scene.target, true, [&scene, measured] { return measured().ratio(scene.isPile); }});
        if (scene.isPile) {
            all.push_back({name + ": largest tick [us]", kLargestTick, true,
                           [measured] { return quantile(measured().ours, 1); }});
        } else if (name.find("stack") == 0) {
            all.push_back(
                {name + ": share of ticks that run out of budget", 0, true, [measured] { return measured().out; }});
        }
    }
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Ticks of scenes with elements among joints and contacts, beside the same scenes in plain Bullet.");
    int runs = kRuns;
    app.add_option("runs", runs, "of each scene; the least time of each tick counts")->check(CLI::Range(1, 1000));
    std::vector<std::string> wanted;
    app.add_option("scenes", wanted, "parts of the names of those that are wanted");
    std::vector<std::string> judged;
    bool isSubstepped = false;
    app.add_flag("--substepped", isSubstepped, "beside plain Bullet in sub-steps: scenes with joints, means of ticks");
    double metres = elasto::Accuracy::Exact.metres();
    app.add_option("--within", metres, "the length that elements ask for [m] (elasto::Accuracy)")
        ->check(CLI::Range(1e-8, 1e-2));
    CLI::Option* verdict =
        app.add_option("--verdict", judged, "judges the targets, or those whose names contain one of these")
            ->expected(0, -1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (*verdict) return judge(targets(), judged);
    const auto isWanted = [&](const CoupledScene& scene) {
        return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
                   return std::string(scene.name).find(part) != std::string::npos;
               });
    };
    if (std::none_of(coupledScenes().begin(), coupledScenes().end(), isWanted)) {
        std::fprintf(stderr, "no scene is called like that; there are\n");
        for (const CoupledScene& scene : coupledScenes()) std::fprintf(stderr, "  %s\n", scene.name);
        return 2;
    }
    if (isSubstepped) {
        std::printf("means of ticks    ours                plain Bullet         plain Bullet in sub-steps            ");
        std::printf("ours /\n%-16s %9s %9s  %9s %9s  %9s %9s %9s %9s\n", "", "gap [mm]", "us", "gap [mm]", "us", "",
                    "gap [mm]", "us", "theirs");
        for (const CoupledScene& scene : coupledScenes()) {
            if (isWanted(scene)) printSubstepped(scene, runs);
        }
        return 0;
    }
    std::printf("us per tick      with elements                        plain Bullet       over plain Bullet        ");
    std::printf("        ns per   bound                joint gap [mm]   largest\n");
    std::printf("%-16s %8s %8s %8s %8s  %8s %8s  %6s %6s %9s  %7s %6s %7s %6s %8s  %8s %8s %8s\n", "", "p50", "p99",
                "max", "mean", "p50", "mean", "ratio", "want", "implicit", "cost", "unit", "/ cost", "out", "implicit",
                "ours", "plain", "rise");
    for (const CoupledScene& scene : coupledScenes()) {
        if (isWanted(scene)) printRow(scene, runs, elasto::Accuracy::within(metres));
    }
}
