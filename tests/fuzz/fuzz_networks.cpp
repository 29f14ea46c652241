// Random networks through the core, against what must hold for any network: elasto-fuzz-networks --help.
#include "in_child.h"

#include <body_energy.h>
#include <random_bodies.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

using namespace elasto;
using elasto::fuzz::inChild;
using elasto::fuzz::sharedWithChildren;
using elasto::test::RandomBodies;
using elasto::test::RandomNumbers;

namespace {

constexpr int kTicks = 12;
/// Largest rise of the energy in a tick, in energies in play.
constexpr double kMostRise = 1e-9;
constexpr double kMostMissed = 1e-4;

struct Case {
    RandomBodies bodies;
    FlowSettings settings;
};

Case makeCase(unsigned long seed) {
    Case made{elasto::test::randomBodies(seed), {}};
    RandomNumbers random(seed ^ 0x5eed);
    if (random.chance(0.6)) elasto::test::addRandomJoints(random, made.bodies);
    constexpr std::array kBudgets = {2000, 2000, 100, 20, 3, 1};
    made.settings.maxSteps = kBudgets[static_cast<std::size_t>(random.below(static_cast<int>(kBudgets.size())))];
    return made;
}

/// What a child has found.
struct Found {
    int tick;
    int coarse;   ///< ticks that were not solved within the budget
    double rise;  ///< of the energy, the largest
    std::array<char, 400> problem;

    void say(const std::string& text) { std::strncpy(problem.data(), text.c_str(), problem.size() - 1); }
};

double energyOf(const FlowNetwork& network) {
    double energy = elasto::test::storedEnergy(network);
    for (const FlowBody& body : network.bodies) energy += elasto::test::kineticEnergy(body);
    return energy;
}

using Bits = std::vector<std::uint64_t>;

void add(Bits& bits, const double* values, int count) {
    for (int i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) throw std::runtime_error("a value is not finite");
        bits.push_back(std::bit_cast<std::uint64_t>(values[i]));
    }
}

/// Runs it and keeps the books. @return the bits of all that it does @throws std::exception if something is wrong
Bits run(const Case& made, Found& found) {
    FlowNetwork network = made.bodies.network;
    const double h = made.bodies.h;
    Bits bits;
    double energy = energyOf(network);
    double scale = energy;
    for (found.tick = 0; found.tick < kTicks; ++found.tick) {
        const TickResult tick = solveTick(network, h, made.settings);
        double heat = 0;
        for (const ElementTick& element : tick.elements) {
            heat += element.heat;
            const std::array values = {element.heat, element.impulse};
            add(bits, values.data(), static_cast<int>(values.size()));
            if (element.heat < -kMostRise * scale) throw std::runtime_error("an element's heat falls");
        }
        double work = tick.driveWork - tick.limitLoss + tick.jointEnergy;
        for (std::size_t k = 0; k < network.bodies.size(); ++k) {
            const BodyState& end = tick.bodies[k];
            work += network.bodies[k].force.constant.dot(end.position - network.bodies[k].position);
            add(bits, end.position.data(), 3);
            add(bits, end.orientation.coeffs().data(), 4);
            add(bits, end.velocity.data(), 3);
            add(bits, end.angularVelocity.data(), 3);
        }
        network.adopt(tick);
        const double before = energy;
        energy = energyOf(network);
        scale = std::max({scale, energy, std::abs(work)});
        // Heat is integrated beside the motion: it closes the balance as well as steps are good.
        const double rise = (energy - before - work) / scale;
        const double miss = rise + heat / scale;
        found.rise = std::max(found.rise, rise);
        if (!(miss < kMostMissed)) throw std::runtime_error(fmt::format("heat of {:.3g} of the energy is from nowhere", miss));
        found.coarse += tick.overBudget ? 1 : 0;
        if (!(rise < kMostRise)) throw std::runtime_error(fmt::format("the energy rises by {:.3g} of itself", rise));
    }
    return bits;
}

void look(const Case& made, Found& found) {
    try {
        const Bits first = run(made, found);
        found.coarse = 0;
        if (run(made, found) != first) found.say("the second run has other bits");
    } catch (const std::exception& error) {
        found.say(error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Random networks through the core, against what must hold for any network."};
    unsigned long first = 1;
    unsigned long count = 1000;
    double seconds = 0;
    int limit = 10;
    bool isPrinted = false;
    app.add_option("--seed", first, "the first seed")->capture_default_str();
    app.add_option("--count", count, "how many seeds")->capture_default_str();
    app.add_option("--seconds", seconds, "go on with further seeds for so long, whatever the count");
    app.add_option("--limit", limit, "how long a network may take [s]")->capture_default_str();
    app.add_flag("--print", isPrinted, "print what the networks are made of");
    CLI11_PARSE(app, argc, argv);
    const auto start = std::chrono::steady_clock::now();
    const auto isOver = [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        return seconds > 0 && passed.count() > seconds;
    };
    auto& found = sharedWithChildren<Found>();
    unsigned long failed = 0;
    unsigned long done = 0;
    unsigned long coarse = 0;
    double worst = 0;
    for (unsigned long seed = first; (seconds > 0 || seed < first + count) && !isOver(); ++seed) {
        const Case made = makeCase(seed);
        found = {};
        const std::string end = inChild(limit, false, [&] { look(made, found); });
        if (!end.empty()) found.say(end);
        ++done;
        coarse += static_cast<unsigned long>(found.coarse);
        worst = std::max(worst, found.rise);
        const bool isFailed = found.problem[0] != '\0';
        if (isPrinted || isFailed) {
            fmt::print("{}: 1/{:.0f} s, at most {} steps,{}\n", seed, 1 / made.bodies.h, made.settings.maxSteps,
                       made.bodies.text);
        }
        if (!isFailed) continue;
        ++failed;
        fmt::print("FAILED: tick {}: {}\n  {} --seed {} --count 1\n", found.tick, found.problem.data(), argv[0], seed);
    }
    fmt::print("{} of {} networks failed; {} of their {} ticks beyond the budget; largest rise of energy {:.2g}\n",
               failed, done, coarse, done * kTicks, worst);
    return failed == 0 ? 0 : 1;
}
