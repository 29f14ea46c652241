// The oscilloscope, and what is seen inside the last tick.

#include "play_scenes.h"

#include <elasto/errors.h>
#include <elasto/reference/reference.h>

#include <cmath>
#include <numeric>

using namespace elasto;
using namespace elasto::play;

namespace {

/// Largest |f| of an element by CVODE between two times, at 0.5 us.
double referencePeak(const Scene& scene, const std::string& signal, double from, double to) {
    std::vector<double> times = {0};
    for (double t = from; t <= to; t += 5e-7) times.push_back(t);
    const Trajectory oracle = solveReference(scene, times);
    double peak = 0;
    for (const double f : oracle.at(signal)) peak = std::max(peak, std::abs(f));
    return peak;
}

/// Runs until contact of the watched element begins and ends within what the oscilloscope shows.
void runToImpact(Session& session) {
    for (int i = 0; i < 2000; ++i) {
        REQUIRE(session.step());
        if (session.scope()->latest().events().size() >= 2) return;
    }
    FAIL("no impact");
}

}  // namespace

TEST_CASE("the oscilloscope shows the peak of an impact that is over within its tick", "[slow]") {
    for (const char* name : {"drop_c1e6_d0", "drop_c1e6_d5", "drop_hertz_d5"}) {
        INFO(name);
        const Scene scene = asset(name);
        Session session(scene, {.rate = 60});
        session.watch({.element = 0, .ticks = 3});
        runToImpact(session);
        const ScopeTrace& scope = session.scope()->latest();
        const double oracle = referencePeak(scene, scene.elements[0].name + ".f", scope.from(), scope.to());
        REQUIRE(scope.peak());
        CHECK(std::abs(scope.peak()->force.f) == Approx(oracle).epsilon(0.01));
        // The points tell the impulse too, and are in order.
        const std::vector<ScopePoint> points = scope.points();
        double impulse = 0;
        for (std::size_t i = 1; i < points.size(); ++i) {
            CHECK(points[i].time >= points[i - 1].time);
            impulse += (points[i].time - points[i - 1].time) * (points[i].force.f + points[i - 1].force.f) / 2;
        }
        double booked = 0;
        for (long tick = session.tick() - 2; tick <= session.tick(); ++tick) {
            if (tick > 0) booked += session.history().value(tick, 0, Quantity::MeanForce) / 60;
        }
        CHECK(impulse == Approx(booked).epsilon(2e-3));
        CHECK(points.size() < 3 * session.scope()->settings().mostPoints);
    }
}

TEST_CASE("the oscilloscope shows the peak of an impact within a network", "[slow]") {
    const Scene scene = asset("newton_cradle");
    Session session(scene, {.rate = 60});
    session.watch({.element = 1, .ticks = 4});
    runToImpact(session);
    const ScopeTrace& scope = session.scope()->latest();
    const double oracle = referencePeak(scene, scene.elements[1].name + ".f", scope.from(), scope.to());
    REQUIRE(oracle > 0);
    CHECK(std::abs(scope.peak()->force.f) == Approx(oracle).epsilon(0.01));
}

TEST_CASE("the oscilloscope looks at what rests no more closely than at a straight line") {
    const Scene scene = asset("gallery/falling_crates");
    Session session(scene);
    while (session.time() < 5) REQUIRE(session.step());
    session.watch({.element = 0, .ticks = 2});
    const std::vector<ScopePoint> points = session.scope()->latest().points();
    CHECK(points.size() > 2 * 16);
    CHECK(points.size() < 3 * 3 * 16);
}

TEST_CASE("the oscilloscope shows the same after going back, and when it is switched on later") {
    Session session(asset("drop_c1e6_d5"), {.rate = 60});
    session.watch({.element = 0, .ticks = 4});
    runToImpact(session);
    const long tick = session.tick();
    const std::vector<ScopePoint> first = session.scope()->latest().points();
    const auto same = [&] {
        const std::vector<ScopePoint> now = session.scope()->latest().points();
        REQUIRE(now.size() == first.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
            REQUIRE(now[i].time == first[i].time);
            REQUIRE(now[i].force.f == first[i].force.f);
        }
    };
    run(session, 100);
    session.seek(tick);
    same();
    session.unwatch();
    CHECK(session.scope() == nullptr);
    session.watch({.element = 0, .ticks = 4});
    CHECK(session.tick() == tick);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    same();
    CHECK_THROWS_AS(session.watch({.element = 7}), std::out_of_range);
    CHECK_THROWS_AS(session.watch({.element = 0, .ticks = 0}), InvalidParameter);
    same();
}

TEST_CASE("the oscilloscope has the last impact, whoever looked when it came") {
    for (const char* name : {"drop_c1e6_d5", "newton_cradle"}) {
        INFO(name);
        Session watched(asset(name), {.rate = 60});
        watched.watch({.element = 0, .ticks = 3});
        REQUIRE(watched.scope()->impact().isEmpty());
        run(watched, 200);
        const ScopeTrace& impact = watched.scope()->impact();
        REQUIRE(impact.ticks().size() == 3);
        REQUIRE(impact.ticks()[0].number <= 197);  // it is not among the last ticks
        const std::vector<ScopeEvent> events = impact.events();
        CHECK(std::any_of(events.begin(), events.end(), [](const ScopeEvent& event) { return event.begins; }));
        CHECK(impact.ticks()[0].to == Approx(static_cast<double>(impact.ticks()[0].number) / 60));
        const auto isSame = [&](const ScopeTrace& other) {
            REQUIRE(other.ticks().size() == 3);
            REQUIRE(other.points().size() == impact.points().size());
            for (std::size_t i = 0; i < other.points().size(); ++i) {
                REQUIRE(other.points()[i].time == impact.points()[i].time);
                REQUIRE(other.points()[i].force.f == impact.points()[i].force.f);
            }
        };
        // Nobody looked at this one until now.
        Session alone(asset(name), {.rate = 60});
        run(alone, 200);
        alone.watch({.element = 0, .ticks = 3});
        CHECK(alone.tick() == 200);
        CHECK(alone.bitsAreThoseOfTheFirstPass());
        isSame(alone.scope()->impact());
        CHECK(alone.scope()->latest().ticks().back().number == 200);
        CHECK(alone.scope()->latest().ticks().size() == 3);
        // Back before that impact there is the one before it, and ahead it is found again.
        alone.seek(impact.ticks()[0].number - 1);
        CHECK((alone.scope()->impact().isEmpty() ||
               alone.scope()->impact().ticks()[0].number < impact.ticks()[0].number));
        alone.seek(200);
        isSame(alone.scope()->impact());
        CHECK(alone.bitsAreThoseOfTheFirstPass());
        // A new branch from before it has none of it.
        alone.seek(1);
        alone.setEnabled(0, false);
        run(alone, 199);
        CHECK(alone.scope()->impact().isEmpty());
    }
}

TEST_CASE("the oscilloscope knows the peak of a whole contact, however many ticks it lasts") {
    const Scene scene = asset("drop_c1e3_d5");
    Session session(scene, {.rate = 240});
    session.watch({.element = 0, .ticks = 4});
    const auto contact = [&] { return session.scope()->contact(); };
    while (!contact() || !contact()->end) REQUIRE(session.step());
    const double length = *contact()->end - contact()->begin;
    CHECK(length > 8 * session.tickLength());
    const double oracle = referencePeak(scene, scene.elements[0].name + ".f", contact()->begin, *contact()->end);
    REQUIRE(contact()->peak);
    CHECK(std::abs(contact()->peak->force.f) == Approx(oracle).epsilon(0.002));
    // What is kept of it reaches to its end.
    const ScopeTrace& impact = session.scope()->impact();
    CHECK(impact.from() <= contact()->begin);
    CHECK(impact.to() >= *contact()->end);
    REQUIRE(impact.peak());
    CHECK(impact.peak()->force.f == contact()->peak->force.f);
    const ScopeContact seen = *contact();
    const long end = session.tick();
    SECTION("also when it is looked at later") {
        session.unwatch();
        for (int i = 0; i < 40; ++i) REQUIRE(session.step());
        session.watch({.element = 0, .ticks = 4});
        REQUIRE(contact());
        CHECK(contact()->begin == seen.begin);
        REQUIRE(contact()->end);
        CHECK(*contact()->end == *seen.end);
        CHECK(contact()->peak->force.f == seen.peak->force.f);
        CHECK(session.bitsAreThoseOfTheFirstPass());
    }
    SECTION("in the middle of it nobody knows the rest") {
        session.seek(end - static_cast<long>(length / session.tickLength()) / 2 - 2);
        REQUIRE(contact());
        CHECK(contact()->begin == seen.begin);
        CHECK_FALSE(contact()->end);
        CHECK(session.scope()->impact().to() <= session.time() + 1e-9);
        while (session.tick() < end) REQUIRE(session.step());
        REQUIRE(contact()->end);
        CHECK(*contact()->end == *seen.end);
        CHECK(contact()->peak->force.f == seen.peak->force.f);
    }
}

TEST_CASE("inside the tick everything is where a run of finer ticks is") {
    Session coarse(asset("drop_c1e6_d5"), {.rate = 60, .balls = 1});
    Session fine(asset("drop_c1e6_d5"), {.rate = 6000, .balls = 1});
    coarse.throwBall({3, 1, 0}, {0, 4, 0});
    fine.throwBall({3, 1, 0}, {0, 4, 0});
    CHECK(coarse.inside(0).bodies.size() == 2);
    for (int tick = 1; tick <= 60; ++tick) {
        REQUIRE(coarse.step());
        for (int part = 1; part <= 100; ++part) {
            REQUIRE(fine.step());
            if (part % 7 != 0) continue;
            const SceneSample inside = coarse.inside(part / 6000.0);
            const SceneSample oracle = fine.sample();
            CHECK(inside.time == Approx(oracle.time));
            const double exactness = byPrecision(1e-6, 2e-5);
            REQUIRE((inside.bodies[0].position - oracle.bodies[0].position).norm() < exactness);
            REQUIRE(inside.elements[0].s == Approx(oracle.elements[0].s).margin(exactness));
            REQUIRE(inside.elements[0].force.f == Approx(oracle.elements[0].force.f).margin(1e6 * exactness));
            REQUIRE((inside.bodies[1].position - oracle.bodies[1].position).norm() < byPrecision(1e-6, 1e-4));
        }
        const SceneSample end = coarse.inside(coarse.tickLength());
        REQUIRE((end.bodies[1].position - coarse.sample().bodies[1].position).norm() < byPrecision(1e-12, 1e-6));
        REQUIRE((end.bodies[0].position - coarse.sample().bodies[0].position).norm() < byPrecision(1e-12, 1e-6));
    }
    CHECK_THROWS_AS(coarse.inside(-1e-6), InvalidParameter);
    CHECK_THROWS_AS(coarse.inside(0.02), InvalidParameter);
}
