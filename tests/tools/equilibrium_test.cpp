#include "equilibrium.h"

#include <elasto/errors.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/start.h>
#include <catch2/catch.hpp>

#include <cmath>

#include "statics.h"

using namespace elasto;
using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

constexpr double kWeight = 0.2 * 9.80665;

Scene ballAbove(const std::string& element) {
    return parseScene(R"({"elasto": 1, "name": "ball", "bodies": [{"name": "ball", "mass": 0.2,
                          "inertia": [1e-4, 1e-4, 1e-4], "position": [0, 0.3, 0]}],
                          "elements": [)" +
                      element + "]}");
}

Scene wheelOn(double torque, const std::string& law, const std::string& type = "ElastoBacklash") {
    return parseScene(R"({"elasto": 1, "name": "wheel", "gravity": [0, 0, 0],
        "bodies": [{"name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.1], "linearFactor": [0, 0, 0],
                    "angularFactor": [0, 0, 1]}],
        "elements": [{"name": "lash", "type": ")" +
                      type + R"(", "axis": [0, 0, 1], "frame_a": {"body": "world"},
                      "frame_b": {"body": "wheel"}, )" +
                      law + R"(}],
        "loads": [{"name": "drive", "body": "wheel", "type": "constant", "torque": [0, 0, )" +
                      std::to_string(torque) + "]}]}");
}

/// Largest change of velocity in a tick from the found start: the flow knows nothing of how it was found.
double drift(const Scene& scene) {
    FlowNetwork network = startNetwork(scene);
    for (const SceneLoad& load : scene.loads) {
        FlowBody& body = network.bodies[static_cast<std::size_t>(load.body)];
        (load.quantity == SceneLoad::Quantity::Force ? body.force : body.torque).constant += loadValue(load, 0);
    }
    double largest = 0;
    for (const BodyTick& body : solveTick(network, 1.0 / 240).bodies) {
        largest = std::max({largest, body.velocity.norm(), body.angularVelocity.norm()});
    }
    return largest;
}

}  // namespace

TEST_CASE("a ball above a stop rests on it, from soft to stiff") {
    const double c = GENERATE(1e2, 1e4, 1e6, 1e9);
    const Equilibrium rest = findEquilibrium(ballAbove(
        R"({"name": "gap", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"},
            "axis": [0, 1, 0], "d": 5, "s_rel0": 0.05, "c": )" +
        std::to_string(c) + "}"));
    REQUIRE(rest.found);
    CHECK(rest.s[0] == Approx(0.05 - kWeight / c).epsilon(1e-12));
    CHECK(rest.f[0] == Approx(-kWeight).epsilon(1e-6));
    CHECK(drift(rest.scene) < 1e-8);
}

TEST_CASE("a ball on a Hertz contact rests where the power law carries it") {
    const Equilibrium rest = findEquilibrium(ballAbove(
        R"({"name": "gap", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"},
            "axis": [0, 1, 0], "c": 1e7, "d": 5, "n": 1.5})"));
    REQUIRE(rest.found);
    CHECK(rest.s[0] == Approx(-std::pow(kWeight / 1e7, 2.0 / 3)).epsilon(1e-9));
    CHECK(drift(rest.scene) < 1e-8);
}

TEST_CASE("a ball beside the hook of a spring ends below it: the direction is found too") {
    Scene scene =
        ballAbove(R"({"name": "spring", "type": "Spring", "frame_a": {"body": "world", "position": [0.4, 0, 0]},
                                "frame_b": {"body": "ball"}, "c": 50, "s_unstretched": 0.3})");
    const Equilibrium rest = findEquilibrium(scene);
    REQUIRE(rest.found);
    CHECK((rest.scene.bodies[0].position - Eigen::Vector3d(0.4, -0.3 - kWeight / 50, 0)).norm() < 1e-9);
    CHECK(rest.scene.bodies[0].velocity.isZero(0));
    CHECK(drift(rest.scene) < 1e-8);
}

TEST_CASE("a damper in series carries nothing at rest and is as long as that asks for") {
    Scene scene = ballAbove(
        R"({"name": "spring", "type": "Spring", "frame_a": {"body": "world", "position": [0, 1, 0]},
            "frame_b": {"body": "ball"}, "c": 50, "s_unstretched": 0.3},
           {"name": "series", "type": "SpringDamperSeries", "frame_a": {"body": "world", "position": [0, 1, 0]},
            "frame_b": {"body": "ball"}, "c": 80, "d": 20, "s_unstretched": 0.1})");
    const Equilibrium rest = findEquilibrium(scene);
    REQUIRE(rest.found);
    const double s = 0.3 + kWeight / 50;
    CHECK(rest.s[1] == Approx(s).epsilon(1e-9));
    CHECK(rest.f[1] == 0);
    CHECK(std::get<SpringDamperSeriesLaw>(rest.scene.elements[1].law).parameters().s_damper_start == Approx(s - 0.1));
    CHECK(drift(rest.scene) < 1e-8);
}

TEST_CASE("a loaded backlash rests outside its play, also where the initial characteristic would hold it inside") {
    const double tau = GENERATE(5000.0, 100.0, 5.0, -5.0);
    const Equilibrium rest = findEquilibrium(wheelOn(tau, R"("c": 1000, "d": 1, "b": 0.2)"));
    REQUIRE(rest.found);
    CHECK(rest.s[0] == Approx(std::copysign(0.1, tau) + tau / 1000).epsilon(1e-9));
    CHECK(rest.f[0] == Approx(tau).epsilon(1e-9));
    CHECK(drift(rest.scene) < 1e-8);
}

TEST_CASE("more than half a turn is kept in the scene") {
    const Equilibrium rest = findEquilibrium(wheelOn(9000, R"("c": 1000, "d": 1, "b": 0.2)"));
    REQUIRE(rest.found);
    CHECK(rest.s[0] == Approx(9.1).epsilon(1e-9));
    CHECK(drift(parseScene(writeScene(rest.scene))) < 1e-8);
}

TEST_CASE("an unloaded backlash rests where it is in the play") {
    const Equilibrium rest = findEquilibrium(wheelOn(0, R"("c": 1000, "d": 1, "b": 0.2)"));
    REQUIRE(rest.found);
    CHECK(std::abs(rest.s[0]) <= 0.1);
    CHECK(rest.f[0] == 0);
}

TEST_CASE("a scene that cannot rest is refused with the body and the force") {
    SECTION("nothing below") {
        const Equilibrium rest = findEquilibrium(ballAbove(
            R"({"name": "gap", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"},
                "axis": [1, 0, 0], "c": 100, "d": 5})"));
        CHECK_FALSE(rest.found);
        CHECK_THAT(rest.reason, Contains("nothing balances a force of (0, -1.961, 0) N on body 'ball'"));
    }
    SECTION("a damper alone") {
        const Equilibrium rest = findEquilibrium(ballAbove(
            R"({"name": "damper", "type": "Damper", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"}, "d": 5})"));
        CHECK_FALSE(rest.found);
        CHECK_THAT(rest.reason, Contains("body 'ball'"));
    }
    SECTION("a torque that nothing holds") {
        const Equilibrium rest = findEquilibrium(wheelOn(3, R"("c": 0, "d": 1)", "RotationalSpringDamper"));
        CHECK_FALSE(rest.found);
        CHECK_THAT(rest.reason, Contains("nothing balances a torque of (0, 0, 3) N.m on body 'wheel'"));
    }
}

TEST_CASE("a scene whose start is moved by a path cannot rest") {
    const Scene scene = parseScene(R"({"elasto": 1, "name": "road", "bodies": [
        {"name": "road", "motion": "kinematic", "path": [{"time": 0, "position": [0, 0, 0]},
                                                          {"time": 1, "position": [1, 0, 0]}]}]})");
    CHECK_THROWS_WITH(findEquilibrium(scene), Contains("body 'road'") && Contains("nothing can rest"));
}

TEST_CASE("slopes of the static forces agree with differences of the forces") {
    const double s = GENERATE(-0.31, -0.12, -0.04, 0.03, 0.14, 0.4);
    const auto backlash = GENERATE(BacklashLaw::Initial, BacklashLaw::Actual);
    const Law law = GENERATE(Law(SpringDamperLaw({.c = 20, .d = 3})), Law(ElastoGapLaw({.c = 50, .d = 1, .n = 1})),
                             Law(ElastoGapLaw({.c = 50, .d = 1, .s_rel0 = 0.2, .n = 2.5, .s_ref = 0.1})),
                             Law(ElastoBacklashLaw({.c = 30, .d = 1, .b = 0.2})),
                             Law(ElastoBacklashLaw({.c = 30, .d = 1, .b = 0, .phi_rel0 = 0.1})),
                             Law(SpringDamperSeriesLaw({.c = 30, .d = 1})));
    const double step = 1e-6;
    const double difference =
        (staticForce(law, s + step, backlash).f - staticForce(law, s - step, backlash).f) / (2 * step);
    CHECK(staticForce(law, s, backlash).slope == Approx(difference).epsilon(1e-6).margin(1e-8));
}

TEST_CASE("a bar on a hinge rests below it, or where a spring's moment is that of its weight") {
    const auto bar = [](const std::string& elements) {
        return parseScene(
            R"({"elasto": 1, "name": "bar", "bodies": [{"name": "bar", "mass": 2, "inertia": [0.1, 0.1, 0.1],
            "position": [0.5, 0, 0]}], "joints": [{"name": "pin", "type": "hinge", "frame_a": {"body": "world"},
            "frame_b": {"body": "bar", "position": [-0.5, 0, 0]}}], "elements": [)" +
            elements + "]}");
    };
    const Equilibrium hangs = findEquilibrium(bar(""));
    REQUIRE(hangs.found);
    CHECK((hangs.scene.bodies[0].position - Eigen::Vector3d(0, -0.5, 0)).norm() < 1e-6);
    const Equilibrium held =
        findEquilibrium(bar(R"({"name": "spring", "type": "RotationalSpringDamper", "c": 20, "d": 1,
        "frame_a": {"body": "world"}, "frame_b": {"body": "bar"}})"));
    REQUIRE(held.found);
    CHECK(20 * held.s[0] + 9.80665 * std::cos(held.s[0]) == Approx(0).margin(1e-6));
    CHECK(drift(held.scene) < 1e-7);
}

TEST_CASE("ends of ranges and motors that stand hold what they can") {
    const auto flap = [](const std::string& more) {
        return parseScene(
            R"({"elasto": 1, "name": "flap", "bodies": [{"name": "flap", "mass": 2, "inertia": [0.1, 0.1, 0.1],
            "position": [0.5, 0, 0]}], "joints": [{"name": "pin", "type": "hinge", "frame_a": {"body": "world"},
            "frame_b": {"body": "flap", "position": [-0.5, 0, 0]}, )" +
            more + "}]}");
    };
    const Equilibrium ends = findEquilibrium(flap(R"("limits": {"lower": -0.3, "upper": 0.3})"));
    REQUIRE(ends.found);
    CHECK(ends.scene.bodies[0].position.y() == Approx(-0.5 * std::sin(0.3)).epsilon(1e-9));
    const Equilibrium held = findEquilibrium(flap(R"("motor": {"velocity": 0, "maxTorque": 10})"));
    REQUIRE(held.found);
    CHECK(held.scene.bodies[0].position.x() == Approx(0.5).epsilon(1e-12));
    const Equilibrium weak = findEquilibrium(flap(R"("motor": {"velocity": 0, "maxTorque": 9})"));
    CHECK_FALSE(weak.found);
    CHECK(weak.reason == "no resting start: the motor of joint 'pin' would have to hold 9.807 N.m, and can hold 9 N.m");
    CHECK_THROWS_WITH(findEquilibrium(flap(R"("motor": {"velocity": 1, "maxTorque": 9})")),
                      Contains("joint 'pin'") && Contains("its motor moves it"));
}

TEST_CASE("scenes with joints that come with Elasto rest where their start is found") {
    for (const char* name : {"chain_stop", "four_bar_gap", "hinge_stop", "preload_sliders"}) {
        INFO(name);
        const Equilibrium rest =
            findEquilibrium(loadScene(std::string(ELASTO_SOURCE_DIR "/assets/scenes/coupled/") + name + ".json"));
        CHECK(rest.reason.empty());
        REQUIRE(rest.found);
        CHECK(drift(rest.scene) < 1e-6);
        // What is written is a scene with closed joints.
        CHECK(findEquilibrium(parseScene(writeScene(rest.scene))).found);
    }
}
