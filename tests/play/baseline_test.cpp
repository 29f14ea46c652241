// Bullet's own ways with the same scene, and the reference that all are measured against.

#include "play_scenes.h"

#include <elasto/reference/reference.h>

#include <play/baseline.h>
#include <play/reference_run.h>

#include <chrono>
#include <cmath>

using namespace elasto;
using namespace elasto::play;

namespace {

Scene gapScene(double c, double d) {
    return parseScene(R"({"elasto": 1, "name": "gap", "duration": 2,
        "bodies": [{"name": "mass", "mass": 2, "inertia": [0.1, 0.1, 0.1], "position": [0, 0.3, 0]}],
        "elements": [{"name": "stop", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "mass"},
                      "axis": [0, 1, 0], "c": )" +
                      std::to_string(c) + R"(, "d": )" + std::to_string(d) + "}]}");
}

Scene backlashScene(double c, double d) {
    return parseScene(R"({"elasto": 1, "name": "backlash", "gravity": [0, 0, 0], "duration": 2,
        "bodies": [{"name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.1], "angularVelocity": [0, 0, 2]}],
        "elements": [{"name": "lash", "type": "ElastoBacklash", "frame_a": {"body": "world"},
                      "frame_b": {"body": "wheel"}, "axis": [0, 0, 1], "b": 0.4, "phi_rel0": 0.1, "c": )" +
                      std::to_string(c) + R"(, "d": )" + std::to_string(d) + "}]}");
}

double largest(const History& history, Quantity quantity) {
    double most = -1e300;
    for (const double value : history.column(0, quantity, 0, history.lastTick())) most = std::max(most, value);
    return most;
}
double smallest(const History& history, Quantity quantity) {
    double least = 1e300;
    for (const double value : history.column(0, quantity, 0, history.lastTick())) least = std::min(least, value);
    return least;
}

}  // namespace

TEST_CASE("at a fine tick the explicit force does what the reference does") {
    const auto compare = [](const Scene& scene, long ticks) {
        Session session(scene, {.rate = 4000});
        run(session, ticks);
        ReferenceRun oracle(session);
        oracle.request(ticks);
        REQUIRE(oracle.wait());
        CHECK(comparableRun(session).last == ticks);
        CHECK(errorOf(scene, session.history(), *oracle.history(), ticks).nrmse < byPrecision(1e-6, 1e-4));
        Baseline baseline(session, BaselineKind::ExplicitForce);
        baseline.follow(session);
        CHECK(baseline.failedAt() == -1);
        CHECK(baseline.fallbacks().empty());
        const RunError error = errorOf(scene, baseline.history(), *oracle.history(), ticks);
        CHECK(error.nrmse > 1e-6);
        CHECK(error.nrmse < 0.02);
        return error.signal;
    };
    CHECK(compare(gapScene(1e4, 20), 4000) == "stop.s_rel");
    CHECK(compare(backlashScene(100, 0.5), 3200) == "lash.phi_rel");
}

TEST_CASE("a soft limit bears a weight with the element's stiffness") {
    // The tick must be long against the oscillation: Bullet's CFM holds for such limits only.
    Session session(gapScene(1e6, 1e4), {.rate = 60});
    Baseline baseline(session, BaselineKind::SoftLimit);
    run(session, 600);
    baseline.follow(session);
    const long last = baseline.history().lastTick();
    CHECK(baseline.fallbacks().empty());
    CHECK(baseline.history().value(last, 0, Quantity::Force) == Approx(-2 * 9.80665).epsilon(1e-3));
    CHECK(baseline.history().value(last, 0, Quantity::S) == Approx(-2 * 9.80665 / 1e6).epsilon(1e-2));
    CHECK(largest(baseline.history(), Quantity::Force) <= 1e-9);
}

TEST_CASE("a limit with restitution throws back at the element's speed") {
    Session session(gapScene(1e6, 300), {.rate = 1000});
    Baseline baseline(session, BaselineKind::Restitution);
    run(session, 400);
    baseline.follow(session);
    const auto ratio = [](const History& history) {
        return largest(history, Quantity::V) / -smallest(history, Quantity::V);
    };
    CHECK(ratio(session.history()) < 0.8);
    CHECK(ratio(baseline.history()) == Approx(ratio(session.history())).epsilon(0.03));
    CHECK(smallest(baseline.history(), Quantity::Force) < -100);
}

TEST_CASE("the limits of a backlash are on the element's sides") {
    for (const BaselineKind kind : {BaselineKind::SoftLimit, BaselineKind::Restitution}) {
        Session session(backlashScene(1e4, 0.5), {.rate = 240});
        INFO(baselineName(kind, session.scene()));
        Baseline baseline(session, kind);
        run(session, 480);
        baseline.follow(session);
        CHECK(baseline.fallbacks().empty());
        const History& history = baseline.history();
        CHECK(largest(history, Quantity::S) == Approx(0.3).margin(0.02));
        CHECK(largest(history, Quantity::Force) > 1);
        if (kind == BaselineKind::Restitution) {
            CHECK(smallest(history, Quantity::S) == Approx(-0.1).margin(0.02));
            CHECK(smallest(history, Quantity::Force) < -1);
        }
        CHECK(smallest(history, Quantity::S) > -0.12);
    }
}

TEST_CASE("at 60 Hz the baselines are off, the session is not") {
    const Scene scene = asset("drop_c1e6_d5");
    Session session(scene, {.rate = 60});
    run(session, 120);
    ReferenceRun oracle(session);
    oracle.request(120);
    REQUIRE(oracle.wait());
    CHECK(errorOf(scene, session.history(), *oracle.history(), 120).nrmse < byPrecision(1e-4, 1e-3));
    for (int k = 0; k < kBaselineKinds; ++k) {
        Baseline baseline(session, static_cast<BaselineKind>(k));
        INFO(baselineName(baseline.kind(), session.scene()));
        baseline.follow(session);
        const double error = errorOf(scene, baseline.history(), *oracle.history(), 120).nrmse;
        CHECK(error > 0.02);
        if (baseline.kind() == BaselineKind::ExplicitForce) CHECK(error > 1);  // the impact throws it away
    }
}

TEST_CASE("a baseline follows the session's inputs, and starts again where the past has changed") {
    Session session(gapScene(1e4, 20), {.rate = 240});
    Baseline baseline(session, BaselineKind::ExplicitForce);
    run(session, 40);
    session.beginDrag(0, {0, 0, 0}, {0, 1, 0});
    run(session, 40);
    session.moveDrag({0, 0.5, 0});
    run(session, 20);
    baseline.follow(session);
    CHECK(baseline.history().lastTick() == 100);
    const float height = baseline.history().pose(100, 0).position.y();
    CHECK(height == Approx(session.sample().bodies[0].position.y()).margin(0.05));

    session.seek(60);
    baseline.follow(session);
    CHECK(baseline.history().lastTick() == 100);
    CHECK(baseline.history().pose(100, 0).position.y() == height);

    session.endDrag();
    run(session, 60);
    baseline.follow(session);
    CHECK(baseline.history().lastTick() == 120);
    CHECK(std::abs(baseline.history().pose(100, 0).position.y() - height) > 0.1F);
    // As one that has seen nothing else.
    Baseline fresh(session, BaselineKind::ExplicitForce);
    fresh.follow(session);
    for (long tick = 0; tick <= 120; ++tick) {
        REQUIRE(fresh.history().pose(tick, 0).position == baseline.history().pose(tick, 0).position);
    }
    session.setParameter(0, "c", 1e5);
    session.setEnabled(0, false);
    run(session, 100);
    baseline.follow(session);
    CHECK(baseline.history().lastTick() == 220);
    CHECK(baseline.history().value(220, 0, Quantity::Force) == 0);
}

TEST_CASE("a baseline that flies apart stops, and its error is infinite") {
    Scene scene = gapScene(1e9, 0);
    Session session(scene, {.rate = 60});
    Baseline baseline(session, BaselineKind::ExplicitForce);
    run(session, 2000);
    baseline.follow(session);
    REQUIRE(baseline.failedAt() > 0);
    CHECK(baseline.history().lastTick() == baseline.failedAt() - 1);
    CHECK(std::isinf(errorOf(scene, baseline.history(), session.history(), 2000).nrmse));
}

TEST_CASE("what Bullet has no constraint for acts as an explicit force, and is named") {
    Session session(asset("creep"));
    Baseline baseline(session, BaselineKind::SoftLimit);
    REQUIRE(!baseline.fallbacks().empty());
    CHECK(baseline.fallbacks().front() == session.scene().elements.front().name);
}

TEST_CASE("the reference is that of the session's start, up to where something else acts") {
    Session session(gapScene(1e4, 20), {.rate = 240});
    ReferenceRun before(session);
    CHECK(before.fits(session));
    session.setParameter(0, "c", 2e4);
    CHECK(!before.fits(session));
    session.setEnabled(0, false);
    CHECK(sceneAtStart(session).elements[0].law.index() == Law(SpringDamperLaw({.c = 0, .d = 0})).index());
    session.setEnabled(0, true);
    CHECK(parameterOf(sceneAtStart(session).elements[0].law, "c") == 2e4);
    ReferenceRun oracle(session);
    oracle.request(30);
    run(session, 100);
    CHECK(comparableRun(session).last == 100);
    oracle.request(400);
    REQUIRE(oracle.wait());
    REQUIRE(oracle.history()->lastTick() >= 400);
    CHECK(errorOf(session.scene(), session.history(), *oracle.history(), 100).nrmse < byPrecision(1e-6, 1e-4));
    session.throwBall({5, 5, 5}, {1, 0, 0});
    run(session, 10);
    CHECK(comparableRun(session).last == 110);
    session.beginDrag(0, {0, 0, 0}, {0, 1, 0});
    run(session, 10);
    CHECK(comparableRun(session).last == 110);
}

TEST_CASE("shapes that touch end what can be compared with the reference") {
    Session session(asset("drop_c1e6_d5"));
    run(session, 20);
    CHECK(session.firstForeignForce() == -1);
    const Eigen::Vector3d ball = session.sample().bodies[0].position;
    session.throwBall(ball + Eigen::Vector3d(0.5, 0, 0), {-5, 0, 0});
    run(session, 100);
    const long touched = session.firstForeignForce();
    CHECK(touched > 20);
    CHECK(touched < 60);
    CHECK(comparableRun(session).last == touched);
    session.seek(20);
    session.setIterations(11);
    CHECK(session.firstForeignForce() == -1);
}

TEST_CASE("nobody waits for a reference that is not wanted any more") {
    Session session(asset("swing_c1e7"));
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 3; ++i) {
        ReferenceRun run(session);
        run.request(240 * 600);
    }
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 1);
}

TEST_CASE("with Bullet's contact stiffness a stiffer contact lets a box sink more") {
    Session session(asset("gallery/sinking_box"), withBalls(0));
    Baseline soft(session, BaselineKind::SoftContact);
    Baseline hard(session, BaselineKind::HardContact);
    run(session, 300);
    soft.follow(session);
    hard.follow(session);
    CHECK(soft.fallbacks().empty());
    CHECK(hard.fallbacks().empty());
    const auto depth = [](const History& history, std::size_t element) {
        return -history.value(history.lastTick(), element, Quantity::S);
    };
    const double weight = 10 * 9.80665;
    const double stiffness[] = {2500, 4000, 12000};
    for (std::size_t i = 0; i < 3; ++i) {
        INFO(i);
        CHECK(depth(session.history(), i) == Approx(weight / stiffness[i]).epsilon(0.01));
        CHECK(std::abs(depth(hard.history(), i)) < 1e-3);
        for (const Baseline* baseline : {&soft, &hard}) {
            CHECK(baseline->history().value(300, i, Quantity::Force) == Approx(-weight).epsilon(0.01));
        }
    }
    CHECK(depth(soft.history(), 0) == Approx(weight / 2500).epsilon(0.01));
    CHECK(depth(soft.history(), 1) > 0.15);  // instead of 0.025
    CHECK(depth(soft.history(), 2) == Approx(weight / 12000).epsilon(0.01));

    session.setEnabled(0, false);
    session.setParameter(1, "d", 4000);
    run(session, 60);
    soft.follow(session);
    CHECK(depth(soft.history(), 0) > 1);  // it falls through
}

TEST_CASE("kinds of contacts are for gaps between shapes") {
    const Scene boxes = asset("gallery/sinking_box");
    const Scene walls = asset("elasto_gap");
    for (const BaselineKind kind : {BaselineKind::SoftContact, BaselineKind::HardContact}) {
        CHECK(baselineSuits(kind, boxes));
        CHECK_FALSE(baselineSuits(kind, walls));
    }
    CHECK(baselineSuits(BaselineKind::SoftLimit, walls));
    Session session(walls);
    Baseline baseline(session, BaselineKind::SoftContact);
    CHECK(baseline.fallbacks().size() == walls.elements.size());
    CHECK(baselineName(BaselineKind::SoftLimit, asset("gallery/pendulum_length")) == std::string("6-dof spring"));
    CHECK(baselineName(BaselineKind::SoftLimit, boxes) != std::string("6-dof spring"));
}

TEST_CASE("Bullet's 6-dof spring swings pendulums of any length alike") {
    Session session(asset("gallery/pendulum_length"), withBalls(0));
    Baseline baseline(session, BaselineKind::SoftLimit);
    run(session, 240);
    baseline.follow(session);
    CHECK(baseline.fallbacks().empty());
    // Mean time between zeros, by the crossings of the straight lines between ticks.
    const auto halfPeriod = [&](const History& history, std::size_t element) {
        double first = -1, last = -1;
        int count = 0;
        for (long tick = 1; tick <= 240; ++tick) {
            const double before = history.value(tick - 1, element, Quantity::S);
            const double now = history.value(tick, element, Quantity::S);
            if ((before < 0) == (now < 0)) continue;
            last = static_cast<double>(tick) - now / (now - before);
            if (count++ == 0) first = last;
        }
        REQUIRE(count > 2);
        return (last - first) / (count - 1) * session.tickLength();
    };
    const double lengths[] = {0.35, 0.7, 1.4};
    for (std::size_t i = 0; i < 3; ++i) {
        INFO(lengths[i]);
        const double inertia = lengths[i] * lengths[i] / 3;
        CHECK(halfPeriod(session.history(), i) == Approx(M_PI * std::sqrt(inertia / 300)).epsilon(0.002));
        CHECK(halfPeriod(baseline.history(), i) == Approx(M_PI * 4 * session.tickLength()).epsilon(0.02));
    }
}

TEST_CASE("a torque per tick never rests on a limit with h omega = 29", "[slow]") {
    Session session(asset("gallery/finger_limit"), withBalls(0));
    Baseline baseline(session, BaselineKind::ExplicitForce);
    run(session, 240);
    baseline.follow(session);
    const auto isQuiet = [](const History& history) {
        for (long tick = 120; tick <= 240; ++tick) {
            if (std::abs(history.value(tick, 0, Quantity::S) + 0.2) > 1e-3) return false;
        }
        return true;
    };
    CHECK(isQuiet(session.history()));
    CHECK_FALSE(isQuiet(baseline.history()));
    CHECK(largest(baseline.history(), Quantity::S) > 2);
    Session fine(asset("gallery/finger_limit"), {.rate = 4000, .balls = 0});
    Baseline calm(fine, BaselineKind::ExplicitForce);
    run(fine, 4000);
    calm.follow(fine);
    CHECK(calm.history().value(4000, 0, Quantity::S) == Approx(-0.2).margin(0.001));
}
