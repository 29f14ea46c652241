// Real time becomes ticks, and slow motion goes into the tick.

#include "gallery/tick_clock.h"

#include <catch2/catch.hpp>

using namespace elasto::gallery;

TEST_CASE("in real time a frame of 1/60 s takes four ticks of 1/240 s") {
    TickClock clock;
    long ticks = 0;
    for (int i = 0; i < 600; ++i) ticks += clock.pass(1.0 / 60, 1, 1.0 / 240);
    CHECK(ticks == 2400);
    CHECK(clock.phase() == Approx(1));
}

TEST_CASE("slow motion shows every part of a tick before it computes the next") {
    TickClock clock;
    CHECK(clock.isAtTick());
    // 1/100 of a tick per frame.
    CHECK(clock.pass(1.0 / 60, 0.01, 1.0 / 60) == 1);
    CHECK(clock.phase() == Approx(0.01));
    for (int i = 2; i <= 100; ++i) {
        CHECK(clock.pass(1.0 / 60, 0.01, 1.0 / 60) == 0);
        CHECK(clock.phase() == Approx(0.01 * i));
    }
    CHECK(clock.pass(1.0 / 60, 0.01, 1.0 / 60) == 1);
    clock.toTick();
    CHECK(clock.phase() == 1);
}

TEST_CASE("no time, no tick") {
    TickClock clock;
    CHECK(clock.pass(0, 1, 1.0 / 60) == 0);
    CHECK(clock.pass(1, 0, 1.0 / 60) == 0);
    CHECK(clock.isAtTick());
}

TEST_CASE("no tick is lost, however frames come") {
    TickClock clock;
    long ticks = 0;
    double time = 0;
    for (int i = 0; i < 5000; ++i) {
        const double seconds = 0.001 + 0.0007 * (i % 37);
        time += seconds;
        ticks += clock.pass(seconds, 0.5, 1.0 / 240);
    }
    CHECK(static_cast<double>(ticks) - 1 + clock.phase() == Approx(time * 0.5 * 240).epsilon(1e-9));
}
