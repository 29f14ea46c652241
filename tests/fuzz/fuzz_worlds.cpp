// Random worlds through the plugin, against what must hold for any world: elasto-fuzz-worlds --help.
#include "in_child.h"
#include "world_oracles.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

using namespace elasto::fuzz;

namespace {

/// Runs a recipe in a process of its own, so that a crash is a finding.
WorldFindings findingsOf(const WorldRecipe& recipe, bool isQuiet) {
    auto& found = sharedWithChildren<WorldFindings>();
    found = {};
    const std::string ended = inChild(kSlowestWorld, isQuiet, [&] { lookAt(recipe, found); });
    if (!ended.empty()) found.say(Failure::Crash, fmt::format("{} in tick {}", ended, found.tick));
    return found;
}

WorldRecipe shrink(WorldRecipe recipe, Failure failure) {
    for (bool isSmaller = true; isSmaller;) {
        isSmaller = false;
        for (WorldRecipe& simpler : simplerOnes(recipe)) {
            if (findingsOf(simpler, true).failure != failure) continue;
            recipe = std::move(simpler);
            isSmaller = true;
            break;
        }
    }
    return recipe;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Random worlds through the plugin, against what must hold for any world."};
    unsigned long first = 1;
    unsigned long count = 100;
    std::string mixText = "all";
    bool isShrunk = false;
    bool isPrinted = false;
    app.add_option("--seed", first, "the first seed")->capture_default_str();
    app.add_option("--count", count, "how many seeds")->capture_default_str();
    app.add_option("--mix", mixText,
                   "what worlds may hold: all, none, or some of contacts,motors,kinematic,locked,"
                   "multibodies")
        ->capture_default_str();
    app.add_flag("--shrink", isShrunk, "look for a smaller world that fails in the same way");
    app.add_flag("--print", isPrinted, "print what the worlds are made of");
    CLI11_PARSE(app, argc, argv);
    WorldMix mix;
    try {
        mix = WorldMix::parse(mixText);
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "{}: --mix: {}\n", argv[0], error.what());
        return 2;
    }
    unsigned long failed = 0;
    WorldSummary summary;
    for (unsigned long seed = first; seed < first + count; ++seed) {
        WorldRecipe recipe = makeWorldRecipe(seed, mix);
        const WorldFindings found = findingsOf(recipe, false);
        summary.add(found, seed);
        if (isPrinted) fmt::print("{}", textOf(recipe));
        if (found.failure == Failure::None) continue;
        ++failed;
        fmt::print("FAILED: {}\n  {} --seed {} --count 1 --mix {} --print\n", found.text, argv[0], seed, mixText);
        std::fflush(stdout);
        if (isShrunk) {
            recipe = shrink(recipe, found.failure);
            fmt::print("{}{}\n", textOf(recipe), findingsOf(recipe, true).text);
        }
    }
    fmt::print("{}{} of {} worlds failed\n", summary.text(), failed, count);
    return failed == 0 ? 0 : 1;
}
