// Random worlds through the plugin, against what must hold for any world: elasto-fuzz-worlds --help.
#include "world_oracles.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

using namespace elasto::fuzz;

namespace {

/// What a child has found, for its parent to read after it has ended, however it has.
struct Shared {
    WorldFindings findings;
};

Shared& shared() {
    static auto* const memory =
        static_cast<Shared*>(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *memory;
}

/// Runs a recipe in a process of its own, so that a crash is a finding.
WorldFindings findingsOf(const WorldRecipe& recipe, bool isQuiet) {
    shared().findings = {};
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (isQuiet && freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
        alarm(kSlowestWorld);
        lookAt(recipe, shared().findings);
        std::fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    WorldFindings& found = shared().findings;
    if (WIFSIGNALED(status)) {
        found.say(WTERMSIG(status) == SIGALRM ? Failure::Hang : Failure::Crash,
                  fmt::format("signal {} in tick {}", WTERMSIG(status), found.tick));
    } else if (WEXITSTATUS(status) != 0) {
        found.say(Failure::Crash, fmt::format("exit code {} in tick {}", WEXITSTATUS(status), found.tick));
    }
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
