// Machines whose motion is known: from closed forms, or from scipy's DOP853 at 1e-11 with events, in generalised
// coordinates. Compiled for each of Bullet's precisions.

#include <elasto/scene/load_scene.h>
#include <elasto/scene/recorder.h>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace elasto;

namespace {

/// What poses that Bullet rounds are worth more in error.
const double kOfPrecision = sizeof(btScalar) == sizeof(double) ? 1 : 10;

/// A machine of tests/data/machines, run at some rate.
struct Run {
    SceneWorld world;
    Recorder recorder;

    Run(const std::string& name, double rate) : Run(sceneOf(name, rate)) {}
    explicit Run(const Scene& scene) : world(scene), recorder(world) {
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            recorder.record();
        }
    }
    static Scene sceneOf(const std::string& name, double rate) {
        Scene scene = loadScene(ELASTO_SOURCE_DIR "/tests/data/machines/" + name + ".json");
        scene.rate = rate;
        return scene;
    }
    double at(const std::string& signal, double time) const {
        const std::vector<double>& times = recorder.time();
        const auto place = std::min_element(
            times.begin(), times.end(), [&](double x, double y) { return std::abs(x - time) < std::abs(y - time); });
        return recorder.column(signal)[static_cast<std::size_t>(place - times.begin())];
    }
    double last(const std::string& signal) const { return recorder.column(signal).back(); }
};

/// Angle of a pendulum from the lowest point, by small steps of the leapfrog.
class Pendulum {
public:
    Pendulum(double length, double speed) : m_length(length), m_rate(speed / length) {}
    double xAt(double time) {
        constexpr double kStep = 1e-4;
        while (m_time < time) {
            const double dt = std::min(kStep, time - m_time);
            const double middle = m_angle + m_rate * dt / 2;
            m_rate -= dt * 9.80665 / m_length * std::sin(middle);
            m_angle = middle + m_rate * dt / 2;
            m_time += dt;
        }
        return m_length * std::sin(m_angle);
    }

private:
    double m_length, m_rate, m_angle = 0, m_time = 0;
};

}  // namespace

TEST_CASE("a wheel that nothing acts on keeps its angle", "[machines]") {
    const double rate = GENERATE(30., 60., 240., 960.);
    CAPTURE(rate);
    const Run run("wheel_on_hinge", rate);
    CHECK(run.at("probe.phi_rel", 1) == Approx(100).margin(1e-8 * kOfPrecision));
}

TEST_CASE("gears that coast stay in the middle of their play", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("gears_coast", rate);
    for (const double phi : run.recorder.column("mesh.phi_rel")) REQUIRE(std::abs(phi) <= 1e-8 * kOfPrecision);
    for (const double tau : run.recorder.column("mesh.tau")) REQUIRE(tau == 0);
}

TEST_CASE("gears rattle on hinges as on axes that their bodies' factors lock", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run hinged("gear_rattle_on_hinges", rate), locked("gear_rattle_locked", rate);
    const std::vector<double>&of = hinged.recorder.column("mesh.phi_rel"),
          &wanted = locked.recorder.column("mesh.phi_rel");
    for (std::size_t i = 0; i < static_cast<std::size_t>(rate / 2); ++i) {
        REQUIRE(of[i] == Approx(wanted[i]).margin(1e-6 * kOfPrecision));
    }
}

TEST_CASE("a slider-crank meets its stop the same at any rate", "[machines]") {
    const double rate = GENERATE(60., 240., 900., 960., 1020.);
    CAPTURE(rate);
    SECTION("undamped, without heat") {
        const Run run("crank_undamped_stop", rate);
        CHECK(run.at("piston.r_0[1]", 0.5) == Approx(0.18459235).margin(1e-7 * kOfPrecision));
        CHECK(run.at("piston.r_0[1]", 1) == Approx(0.40856587).margin(1e-7 * kOfPrecision));
        CHECK(run.at("piston.r_0[1]", 1.5) == Approx(0.42426648).margin(1e-7 * kOfPrecision));
        CHECK(run.last("totalHeat") == 0);
    }
    SECTION("damped") {
        const Run run("crank_damped_stop", rate);
        CHECK(run.at("piston.r_0[1]", 0.5) == Approx(0.42620481).margin(5e-7 * kOfPrecision));
        CHECK(run.at("piston.r_0[1]", 1) == Approx(0.33870137).margin(5e-7 * kOfPrecision));
        CHECK(run.at("piston.r_0[1]", 1.5) == Approx(0.49120621).margin(5e-7 * kOfPrecision));
        CHECK(run.last("totalHeat") == Approx(123.9).margin(0.05));
    }
}

TEST_CASE("a chain swings into a stop", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("chain_into_stop", rate);
    CHECK(run.at("b2.r_0[1]", 1) == Approx(0.0398875).margin(2e-7 * kOfPrecision));
    CHECK(run.at("b2.r_0[1]", 1.5) == Approx(0.1565512).margin(2e-7 * kOfPrecision));
    CHECK(run.at("b2.r_0[1]", 2) == Approx(-0.0089939).margin(2e-7 * kOfPrecision));
}

TEST_CASE("a heavy top goes round its tip", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("top_50", rate);
    const auto axis = [&](double time) {
        const Eigen::Quaterniond q(run.at("top.q[4]", time), run.at("top.q[1]", time), run.at("top.q[2]", time),
                                   run.at("top.q[3]", time));
        return Eigen::Vector3d(q * Eigen::Vector3d::UnitY());
    };
    CHECK((axis(1) - Eigen::Vector3d(0.45174291, 0.63978931, -0.62177004)).norm() < 1e-5 * kOfPrecision);
    CHECK((axis(3) - Eigen::Vector3d(0.96433956, -0.0144387, -0.26427397)).norm() < 1e-5 * kOfPrecision);
}

TEST_CASE("friction that turns round where nothing can hold it takes all of its heat", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("friction_pin_on_disc", rate);
    CHECK(run.last("e.heat") == Approx(25.444806).epsilon(1e-6 * kOfPrecision));
}

TEST_CASE("a rope of light links with a heavy load swings as one pendulum", "[machines]") {
    const double rate = GENERATE(60., 240.);
    const std::string name = GENERATE("rope_16_links_100kg", "rope_20_links_1000kg");
    CAPTURE(rate, name);
    const Run run(name, rate);
    Pendulum pendulum(5.5, 1);
    for (std::size_t i = 0; i < run.recorder.rows(); ++i) {
        REQUIRE(std::abs(run.recorder.column("load.r_0[1]")[i] - pendulum.xAt(run.recorder.time()[i])) < 0.02);
    }
}

TEST_CASE("a chain of many light links swings on its soft hook at 60 Hz as at 960 Hz", "[machines]") {
    // Its damper gives way fifty times within a tick: a step that solves for all links at once costs more than the
    // steps that follow that.
    constexpr int kLinks = 50;
    const auto chain = [&](double rate) {
        std::string bodies, joints;
        for (int i = 0; i < kLinks; ++i) {
            bodies += fmt::format(R"({{"name": "l{}", "mass": 0.09, "inertia": [3.5e-6, 7e-8, 3.5e-6],
                                       "position": [0, {}, 0]}},)",
                                  i, -0.02 * i - 0.01);
            joints +=
                fmt::format(R"({}{{"name": "j{}", "type": "ball", "frame_a": {{"body": "{}",
                                         "position": [0, {}, 0]}}, "frame_b": {{"body": "l{}",
                                         "position": [0, 0.01, 0]}}}})",
                            i == 0 ? "" : ",", i, i == 0 ? "world" : fmt::format("l{}", i - 1), i == 0 ? 0 : -0.01, i);
        }
        Scene scene = parseScene(fmt::format(
            R"({{"elasto": 1, "name": "chain", "rate": {}, "duration": 0.5, "bodies": [{}{{"name": "weight", "mass": 0.5,
                 "inertia": [0.002, 0.002, 0.002], "position": [0, -1.5, 0], "velocity": [1.2, 0, 0.9]}}],
                 "joints": [{}], "elements": [{{"name": "hook", "type": "SpringDamperSeries", "geometry": "line",
                 "frame_a": {{"body": "l{}", "position": [0, -0.01, 0]}}, "frame_b": {{"body": "weight"}},
                 "c": 300, "d": 0.1, "s_unstretched": 0.5}}]}})",
            rate, bodies, joints, kLinks - 1));
        return Run(scene);
    };
    const Run coarse = chain(60), fine = chain(960);
    CHECK(coarse.world.plugin().totals().fallbacks == 0);
    for (const char* signal : {"weight.r_0[1]", "weight.r_0[2]", "l49.r_0[1]", "l25.r_0[3]"}) {
        CAPTURE(signal);
        CHECK(coarse.last(signal) == Approx(fine.last(signal)).margin(1e-5 * kOfPrecision));
    }
}

TEST_CASE("a rope of light links stays whole", "[machines]") {
    const double rate = GENERATE(60., 240.);
    CAPTURE(rate);
    const Run run("rope_20_links_1000kg_torn", rate);
    for (const double y : run.recorder.column("load.r_0[2]")) {
        REQUIRE(y >= -5.5 - 1e-4);
        REQUIRE(y <= -5.44);
    }
}

TEST_CASE("what floats keeps its momentum when it is hit", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("panel_in_space", rate);
    CHECK(run.last("ball.v_0[1]") == Approx(100.5).margin(0.5));
}

TEST_CASE("a trampoline sags and swings", "[machines]") {
    // Its planks buckle under what their springs press on them: to a centimetre or so any difference grows.
    const double rate = GENERATE(60., 240.);
    CAPTURE(rate);
    const Run run("trampoline", rate);
    const std::vector<double>& height = run.recorder.column("p2_2.r_0[2]");
    CHECK(*std::min_element(height.begin(), height.end()) == Approx(1.46).margin(0.02));
    CHECK(run.at("p2_2.r_0[2]", 1) == Approx(1.477).margin(0.02));
}

TEST_CASE("a box on a plate that is driven by a jump slips as friction lets it", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("box_on_driven_plate", rate);
    CHECK(run.last("part.r_0[1]") == Approx(0.9335).margin(2e-5 * kOfPrecision));
}

TEST_CASE("a ball bounces on a sprung tray, six times in a tick", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("ball_on_sprung_tray", rate);
    CHECK(run.at("ball.r_0[2]", 0.4) == Approx(0.780842).margin(1e-6 * kOfPrecision));
    CHECK(run.at("ball.r_0[2]", 0.5) == Approx(0.825778).margin(1e-6 * kOfPrecision));
    CHECK(run.at("ball.r_0[2]", 0.6) == Approx(0.772648).margin(1e-6 * kOfPrecision));
}

TEST_CASE("a pinched box slides down between its pads", "[machines]") {
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    const Run run("pinched_box_slides", rate);
    CHECK(run.at("part.r_0[2]", 0.2) == Approx(-0.096133).margin(1e-6 * kOfPrecision));
    CHECK(run.at("fl.f", 0.2) == Approx(-10).margin(1e-5 * kOfPrecision));
}

TEST_CASE("boxes on a plate that slides along one axis do not throw it away", "[machines]") {
    // A corner that is pushed out at right angles to that axis, but for rounding, threw the plate to 1e29 m.
    const Run run("boxes_on_sliding_plate", 60);
    CHECK(run.last("plate.r_0[1]") == Approx(0.217).margin(0.005));
    CHECK(run.last("box2.r_0[2]") == Approx(0.1065).margin(1e-4));
}

TEST_CASE("what a lift leaves behind lands on it once", "[machines]") {
    // The lift moves off at 1 m/s, the case falls after it with the mass that it carries on a spring. Closed form of a
    // case by itself: it is 51 mm above the lift at most.
    const double rate = GENERATE(60., 240., 960.);
    CAPTURE(rate);
    Scene scene = parseScene(R"({"elasto": 1, "name": "lift", "gravity": [0, -9.80665, 0], "duration": 2, "bodies": [
        {"name": "lift", "motion": "kinematic", "path": [{"time": 0, "position": [0, 0, 0]},
         {"time": 0.5, "position": [0, 0, 0]}, {"time": 2, "position": [0, -1.5, 0]}],
         "shape": {"type": "box", "size": [1, 0.1, 1]}, "friction": 0.5},
        {"name": "case", "mass": 5, "inertia": [0.07, 0.07, 0.07], "position": [0, 0.2, 0],
         "shape": {"type": "box", "size": [0.3, 0.3, 0.3]}, "friction": 0.5},
        {"name": "mass", "mass": 2, "inertia": [0.01, 0.01, 0.01], "position": [0, 0.6, 0],
         "linearFactor": [0, 1, 0], "angularFactor": [0, 0, 0]}],
        "elements": [{"name": "s", "type": "SpringDamper", "frame_a": {"body": "case"}, "frame_b": {"body": "mass"},
         "axis": [0, 1, 0], "c": 2000, "d": 2, "s_rel0": 0.4098}]})");
    scene.rate = rate;
    const Run run(scene);
    const std::vector<double> lift = run.recorder.column("lift.r_0[2]"), box = run.recorder.column("case.r_0[2]");
    double highest = 0;
    for (std::size_t i = 0; i < box.size(); ++i) highest = std::max(highest, box[i] - lift[i] - 0.2);
    CHECK(highest < 0.06);
    CHECK(run.last("case.r_0[2]") == Approx(-1.3).margin(1e-6 * kOfPrecision));
    CHECK(run.last("s.heat") == Approx(0.4833406).epsilon(1e-6 * kOfPrecision));
}
