// The energy gauge: it stays still for what is only carried about, and shows what is made.

#include "play_scenes.h"

#include <algorithm>
#include <cmath>

using namespace elasto;
using namespace elasto::play;

namespace {

/// The largest rise of the gauge above what it had fallen to before [J].
double rise(const History& history) {
    double lowest = history.energyGauge(0);
    double most = 0;
    for (long tick = 1; tick <= history.lastTick(); ++tick) {
        const double now = history.energyGauge(tick);
        lowest = std::min(lowest, now);
        most = std::max(most, now - lowest);
    }
    return most;
}

/// The largest energy that took part [J].
double size(const History& history) {
    double most = 0;
    for (long tick = 0; tick <= history.lastTick(); ++tick) {
        const EnergyBook& book = history.energy(tick);
        most = std::max({most, book.kinetic, book.stored, std::abs(book.work)});
    }
    return most;
}

const double kRounding = byPrecision(1e-9, 1e-4);

Scene sunkenBox() {
    return parseScene(R"({"elasto": 1, "name": "sunken", "rate": 240, "duration": 2,
        "bodies": [{"name": "floor", "motion": "fixed", "shape": {"type": "plane"}},
                   {"name": "box", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0.15, 0],
                    "shape": {"type": "box", "size": [0.4, 0.4, 0.4]}}],
        "elements": [{"name": "spring", "type": "SpringDamper", "frame_a": {"body": "world", "position": [0, 1, 0]},
                      "frame_b": {"body": "box"}, "c": 10, "d": 0.1, "s_rel0": 0.85}]})");
}

}  // namespace

TEST_CASE("the gauge does not rise where a motor works and its joints bring bodies along") {
    Session session(asset("gallery/slider_crank"), withoutBalls());
    run(session, 600);
    const History& history = session.history();
    const EnergyBook& end = history.energy(600);
    CHECK(end.carried < -0.2);  // crank and rod moved before a joint tied them to the stop
    CHECK(std::abs(end.work) > 1);
    CHECK(rise(history) < kRounding * size(history));
    CHECK(history.energyGauge(600) < history.energyGauge(0) - 1);  // the dampers took it
}

TEST_CASE("the gauge does not rise where crates fall onto crates", "[slow]") {
    Session session(asset("gallery/falling_crates"), withoutBalls());
    run(session, 600);
    const History& history = session.history();
    const EnergyBook& end = history.energy(600);
    // Crates that fly are counted from the start; one that bounces off all that its network has leaves it for a while.
    CHECK(std::abs(end.carried) < 1e-3 * size(history));
    CHECK(end.contacts > 10);
    CHECK(rise(history) < kRounding * size(history));
    CHECK(history.energyGauge(600) < history.energyGauge(0) - 10);
}

TEST_CASE("the gauge shows the energy that contacts make when they push apart what overlaps") {
    Session session(sunkenBox(), withoutBalls());
    run(session, 60);
    const History& history = session.history();
    const EnergyBook& end = history.energy(60);
    CHECK(rise(history) > 0.5);
    CHECK(end.carried == 0);
    // The box was lifted by most of 5 cm, for nothing.
    CHECK(-end.exchanged > 0.5);
    CHECK(-end.exchanged < 2 * 9.80665 * 0.055);
}

TEST_CASE("elements that are switched bring and take their energy without a rise") {
    Session session(asset("elasto_gap"), withoutBalls());
    run(session, 50);
    const double whole = session.history().energyGauge(50);
    session.setEnabled(0, false);
    session.setEnabled(1, false);
    run(session, 30);
    session.setEnabled(1, true);
    run(session, 30);
    session.setEnabled(0, true);
    run(session, 50);
    const double before = session.history().energyGauge(160);
    CHECK(rise(session.history()) < kRounding * size(session.history()));
    CHECK(before <= whole);
    // Rows that are added after the switches were performed again count them once.
    session.seek(20);
    session.seek(160);
    run(session, 20);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    CHECK(rise(session.history()) < kRounding * size(session.history()));
    session.seek(90);
    session.setEnabled(0, true);
    run(session, 40);
    CHECK(rise(session.history()) < kRounding * size(session.history()));
}
