// What scenes cost that have come to rest: ticks of a Bullet world with elements against ticks of the same scene in
// plain Bullet, from 10 s after plain Bullet's fell asleep. Rest thresholds are RestThresholds::asBullet. A scene that
// is awake then is said to be; so is one whose plain counterpart does not fall asleep within a minute.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "car_scenes.h"
#include "machine_scenes.h"

namespace {

using namespace elasto::bench;

constexpr int kRate = 60;
constexpr int kLongest = 60 * kRate;  // ticks that plain Bullet may take
constexpr int kLater = 10 * kRate;
constexpr int kMeasured = 5 * kRate;

/// They swing on their hinges until Bullet's damping has stopped them, and never reach their stops.
void doors(CoupledWorld& world) {
    for (int i = 0; i < 50; ++i) {
        btRigidBody& door = world.box(20, vec(0.4, 1, 0.02), vec(2. * (i % 10), 1, 2. * (i / 10)));
        btVector3 up = vec(0, 1, 0);
        auto& hinge = world.join<btHingeConstraint>(door, vec(-0.4, 0, 0), up);
        door.setDamping(btScalar(0.2), btScalar(0.8));
        door.setAngularVelocity(vec(0, 0.5 + 0.02 * i, 0));
        door.setLinearVelocity(door.getAngularVelocity().cross(vec(0.4, 0, 0)));
        hinge.setLimit(btScalar(-2.5), btScalar(2.5));
        if (!world.hasElements()) continue;
        elasto::StopPair stops = elasto::ElastoGap::fromHingeLimit(hinge, 1e3, 5);
        world.add(std::move(stops.lower));
        world.add(std::move(stops.upper));
    }
}

/// Its motor presses it against a stop (a limit in plain Bullet), and a ball lies on it.
void flipper(CoupledWorld& world) {
    world.box(0, vec(5, 0.5, 5), vec(0, -0.5, 0));
    btRigidBody& bat = world.box(0.5, vec(0.4, 0.05, 0.1), vec(0.4, 0.5, 0));
    btVector3 axis = vec(0, 0, 1);
    auto& hinge = world.join<btHingeConstraint>(bat, vec(-0.4, 0, 0), axis);
    hinge.setLimit(0, btScalar(0.3));
    hinge.enableAngularMotor(true, 10, btScalar(20. / kRate));
    if (!world.hasElements()) return;
    elasto::StopPair stops = elasto::ElastoGap::fromHingeLimit(hinge, 1e4, 20);
    world.add(std::move(stops.lower));
    world.add(std::move(stops.upper));
}

void loadedBridge(CoupledWorld& world) {
    ropeBridge(world, 1e6, 3);
}

struct Scene {
    const char* name;
    std::function<void(CoupledWorld&)> build;
};

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> all = {
        {"loaded bridge", loadedBridge},
        {"50 doors", doors},
        {"flipper", flipper},
        {"parked car", [](CoupledWorld& world) { carOn(CarKind::Parked)(world, 0); }},
    };
    return all;
}

struct Rested {
    double plain = 0, ours = 0;  ///< time at which it fell asleep [s]; < 0: it did not
    double ratio = 0;
    double us = 0, plainUs = 0;  ///< per tick
};

Rested measure(const Scene& scene) {
    CoupledWorld with(true), without(false);
    for (CoupledWorld* world : {&with, &without}) {
        scene.build(*world);
        world->allowSleep();
    }
    Rested rested{-1, -1};
    int end = kLongest;
    for (int tick = 1; tick <= end; ++tick) {
        with.step();
        without.step();
        const double time = 1. * tick / kRate;
        if (!with.isAsleep()) rested.ours = -1;
        if (with.isAsleep() && rested.ours < 0) rested.ours = time;
        if (without.isAsleep() && rested.plain < 0) {
            rested.plain = time;
            end = tick + kLater;
        }
    }
    for (int tick = 0; tick < kMeasured; ++tick) {
        rested.us += with.step() / kMeasured;
        rested.plainUs += without.step() / kMeasured;
    }
    rested.ratio = rested.us / rested.plainUs;
    return rested;
}

std::string timeText(double time) {
    return time < 0 ? "awake" : std::to_string(time).substr(0, 5) + " s";
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("What scenes cost that have come to rest, beside the same scenes in plain Bullet.");
    std::vector<std::string> wanted;
    app.add_option("scenes", wanted, "parts of the names of those that are wanted");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    const auto isWanted = [&](const Scene& scene) {
        return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& part) {
                   return std::string(scene.name).find(part) != std::string::npos;
               });
    };
    if (std::none_of(scenes().begin(), scenes().end(), isWanted)) {
        std::fprintf(stderr, "no scene is called like that; there are\n");
        for (const Scene& scene : scenes()) std::fprintf(stderr, "  %s\n", scene.name);
        return 2;
    }
    std::printf("%-16s  asleep after         us per tick       ratio   asked\n", "");
    std::printf("%-16s %9s %9s %9s %9s\n", "", "ours", "plain", "ours", "plain");
    for (const Scene& scene : scenes()) {
        if (!isWanted(scene)) continue;
        const Rested rested = measure(scene);
        std::printf("%-16s %9s %9s %9.1f %9.1f %9.2f  2\n", scene.name, timeText(rested.ours).c_str(),
                    timeText(rested.plain).c_str(), rested.us, rested.plainUs, rested.ratio);
        std::fflush(stdout);
    }
}
