#include "element_facts.h"

#include <elasto/scene/load_scene.h>
#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using namespace elasto::tools;

namespace {

constexpr double kPi = 3.141592653589793;

ElementFacts factsOf(const std::string& bodies, const std::string& element, double rate = 240) {
    const Scene scene =
        parseScene(R"({"elasto": 1, "name": "s", "bodies": [)" + bodies + R"(], "elements": [)" + element + "]}");
    return explainElements(scene, rate).at(0);
}

const std::string kBall = R"({"name": "ball", "mass": 0.2, "inertia": [1e-4, 1e-4, 1e-4], "position": [0, 0.3, 0]})";

std::string gap(const std::string& fields) {
    return R"({"name": "gap", "type": "ElastoGap", "frame_a": {"body": "world"}, "frame_b": {"body": "ball"},
               "axis": [0, 1, 0], )" +
           fields + "}";
}

/// Whether a semi-implicit Euler with one evaluation per tick stays bounded on x'' = -k x - b x'.
bool staysBounded(double k, double b, double rate) {
    double x = 1;
    double v = 0;
    for (int i = 0; i < 20000; ++i) {
        v -= (k * x + b * v) / rate;
        x += v / rate;
    }
    return std::abs(x) < 1e6;
}

}  // namespace

TEST_CASE("an undamped stop: frequency, half a period of contact, and half its angular frequency to explode") {
    const ElementFacts facts = factsOf(kBall, gap(R"("c": 1e6, "d": 0)"));
    const double omega = std::sqrt(1e6 / 0.2);
    CHECK(facts.name == "gap");
    CHECK(facts.type == "ElastoGap");
    CHECK(facts.effectiveMass == Approx(0.2));
    CHECK(facts.frequency.value() == Approx(omega / (2 * kPi)));
    CHECK(facts.dampingRatio.value() == 0);
    CHECK(facts.contactTime.value() == Approx(kPi / omega));
    CHECK(facts.contactTicks.value() == Approx(240 * kPi / omega));
    CHECK(facts.explicitRate.value() == Approx(omega / 2));
    CHECK(facts.method == "closed form");
}

TEST_CASE("the contact time of a damped stop is that of the reference case gap_laws") {
    const ElementFacts facts = factsOf(R"({"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0.05, 0]})",
                                       gap(R"("c": 1000, "d": 30)"));
    CHECK(facts.contactTime.value() == Approx(0.159375 - 0.05).epsilon(1e-3));
    CHECK(facts.dampingRatio.value() == Approx(30 / (2 * std::sqrt(1000.0))));
}

TEST_CASE("a Hertz contact is described at the speed at which it will be hit") {
    const ElementFacts facts = factsOf(kBall, gap(R"("c": 1e7, "d": 0, "n": 1.5)"));
    const double speed = std::sqrt(2 * 9.80665 * 0.3);
    CHECK(facts.speed.value() == Approx(speed));
    const double depth = std::pow(2.5 * 0.5 * 0.2 * speed * speed / 1e7, 0.4);
    CHECK(facts.stiffness == Approx(1.5 * 1e7 * std::sqrt(depth)));
    // Hertz: 2.943275 depth / speed, from elliptic integrals.
    CHECK(facts.contactTime.value() == Approx(2.943275 * depth / speed).epsilon(1e-4));
    CHECK(facts.method == "DOP853");
}

TEST_CASE("two free bodies have their reduced mass, and a lever its inertia") {
    CHECK(factsOf(R"({"name": "a", "mass": 1, "inertia": [1, 1, 1]},
                      {"name": "b", "mass": 3, "inertia": [1, 1, 1], "position": [1, 0, 0]})",
                  R"({"name": "e", "type": "Spring", "frame_a": {"body": "a"}, "frame_b": {"body": "b"}, "c": 7})")
              .effectiveMass == Approx(0.75));
    CHECK(factsOf(R"({"name": "b", "mass": 2, "inertia": [1, 1, 0.5], "position": [0, 1, 0]})",
                  R"({"name": "e", "type": "Spring", "frame_a": {"body": "world", "position": [0.3, 0, 0]},
                      "frame_b": {"body": "b", "position": [0.3, 0, 0]}, "c": 7})")
              .effectiveMass == Approx(1 / (0.5 + 0.09 / 0.5)));
    CHECK(factsOf(R"({"name": "b", "mass": 2, "inertia": [1, 1, 0.5]})",
                  R"({"name": "e", "type": "RotationalSpringDamper", "frame_a": {"body": "world"},
                      "frame_b": {"body": "b"}, "axis": [0, 0, 1], "c": 7, "d": 0})")
              .effectiveMass == Approx(0.5));
}

TEST_CASE("springs and dampers that never lift off have no contact time") {
    const ElementFacts damper = factsOf(kBall, R"({"name": "e", "type": "Damper", "frame_a": {"body": "world"},
                                                   "frame_b": {"body": "ball"}, "d": 4})");
    CHECK_FALSE(damper.contactTime.has_value());
    CHECK_FALSE(damper.frequency.has_value());
    CHECK(damper.explicitRate.value() == Approx(4 / 0.2 / 2));
    const ElementFacts series = factsOf(kBall, R"({"name": "e", "type": "SpringDamperSeries",
        "frame_a": {"body": "world"}, "frame_b": {"body": "ball"}, "c": 0, "d": 4})");
    CHECK_FALSE(series.frequency.has_value());
    CHECK_FALSE(series.explicitRate.has_value());
}

TEST_CASE("the method is that of the tick in which the element acts, also where it is far from contact at the start") {
    CHECK(factsOf(kBall, gap(R"("c": 1e6, "d": 5, "s_rel0": -0.5)")).method == "closed form");
    CHECK(factsOf(kBall, R"({"name": "e", "type": "Spring", "frame_a": {"body": "world", "position": [1, 0, 0]},
                             "frame_b": {"body": "ball"}, "c": 100})")
              .method == "DOP853");
}

TEST_CASE("a force computed once per tick explodes just below the stated rate, and not above it") {
    const double k = GENERATE(1e2, 5e6);
    const double b = GENERATE(0.0, 3.0, 900.0, 1e5);
    const double rate = explicitRate(k, b);
    CHECK(staysBounded(k, b, 1.002 * rate));
    CHECK_FALSE(staysBounded(k, b, 0.998 * rate));
}
