// Ends of joints' ranges against closed forms.

#include <elasto/reference/reference.h>
#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "problems.h"

namespace limits_test {

using namespace elasto;
using namespace elasto::test;
using Catch::WithinAbs;

namespace {

constexpr double kGravity = 9.80665;

/// 2 kg in a vertical guide between -1 m and 3 m, at rest at 0, and what acts on it.
Scene inGuide(const std::string& restitution, const std::string& loads) {
    return parseScene(R"({"elasto": 1, "name": "guide", "duration": 20, "bodies": [
        {"name": "part", "mass": 2, "inertia": [1, 1, 1]}], "elements": [],
      "joints": [{"name": "guide", "type": "slider", "frame_a": {"body": "world"}, "frame_b": {"body": "part"},
        "axis": [0, 1, 0], "limits": {"lower": -1, "upper": 3, "restitution": )" +
                      restitution + R"(}}], "loads": [)" + loads + "]}");
}

}  // namespace

TEST_CASE("a part bounces at the end of its guide, rests there and is lifted off again") {
    const double e = 0.6;
    const double fall = std::sqrt(2 / kGravity);
    const double speed = kGravity * fall;
    const double rest = fall + 2 * e / (1 - e) * speed / kGravity;  // all bounces
    const Scene scene =
        inGuide("0.6", R"({"name": "lift", "body": "part", "force": [0, 30, 0], "type": "constant", "startTime": 4})");
    REQUIRE(rest < 4);
    const std::vector<double> times = {fall + 0.1, fall + 2 * e * speed / kGravity + 0.05, 3.9, 4.5};
    const Trajectory found = solveReference(scene, times);
    const std::vector<double>& height = found.at("guide.s_rel");
    CHECK_THAT(height[0], WithinAbs(-1 + e * speed * 0.1 - kGravity * 0.01 / 2, 1e-9));
    CHECK_THAT(height[1], WithinAbs(-1 + e * e * speed * 0.05 - kGravity * 0.0025 / 2, 1e-9));
    CHECK_THAT(height[2], WithinAbs(-1, 1e-10));
    CHECK_THAT(found.at("guide.v_rel")[2], WithinAbs(0, 1e-12));
    CHECK_THAT(height[3], WithinAbs(-1 + (15 - kGravity) * 0.25 / 2, 1e-9));
}

TEST_CASE("without restitution it stays at once, with all of it it comes back for ever") {
    const double fall = std::sqrt(2 / kGravity);
    CHECK_THAT(solveReference(inGuide("0", ""), std::vector<double>{fall + 1e-6, 2}).at("guide.s_rel")[1],
               WithinAbs(-1, 1e-10));
    // Ten bounces later it is where it began.
    const Trajectory found = solveReference(inGuide("1", ""), std::vector<double>{20 * fall});
    CHECK_THAT(found.at("guide.s_rel")[0], WithinAbs(0, 1e-8));
}

TEST_CASE("an end of a hinge stops what hangs on it, and that goes on about the next hinge") {
    // Two bars of 1 m and 1 kg in a row, joined by a second hinge, turn at 2 rad/s about z into the first one's end at
    // 0.5 rad. The first stops; of its own motion the second keeps the angular momentum about the second hinge, which
    // stands still: 1/3 w2 = 1/12 * 2 + 1/2 * (3/2 * 2).
    const Scene scene = parseScene(R"({"elasto": 1, "name": "door", "gravity": [0, 0, 0], "bodies": [
        {"name": "first", "mass": 1, "inertia": [0.01, 0.0833333333333333333, 0.0833333333333333333],
         "position": [0.5, 0, 0], "velocity": [0, 1, 0], "angularVelocity": [0, 0, 2]},
        {"name": "second", "mass": 1, "inertia": [0.01, 0.0833333333333333333, 0.0833333333333333333],
         "position": [1.5, 0, 0], "velocity": [0, 3, 0], "angularVelocity": [0, 0, 2]}], "elements": [],
      "joints": [{"name": "wall", "type": "hinge", "frame_a": {"body": "world"},
         "frame_b": {"body": "first", "position": [-0.5, 0, 0]}, "limits": {"lower": -2, "upper": 0.5}},
        {"name": "fold", "type": "hinge", "frame_a": {"body": "first", "position": [0.5, 0, 0]},
         "frame_b": {"body": "second", "position": [-0.5, 0, 0]}}]})");
    const double kHit = 0.5 / 2;
    const double hitSpeed = 2;
    const Trajectory found = solveReference(scene, std::vector<double>{kHit - 1e-6, kHit + 1e-6});
    CHECK_THAT(found.at("wall.w_rel")[0], WithinAbs(hitSpeed, 1e-9));
    CHECK_THAT(found.at("wall.w_rel")[1], WithinAbs(0, 1e-9));
    CHECK_THAT(found.at("second.w_a[3]")[1], WithinAbs(3 * (hitSpeed / 12 + 1.5), 1e-4));
}

TEST_CASE("a chain of bars falls into all its ends and hangs still in them") {
    // Three bars of 0.5 m and 1 kg, each hinge within 0.6 rad: with the first and second at their ends, the third hangs
    // below its own. No equation, but the joints' ranges are kept through all bounces, and energy is not made.
    std::string bodies, joints;
    for (int k = 0; k < 3; ++k) {
        const std::string n = std::to_string(k);
        bodies += std::string(k > 0 ? "," : "") + R"({"name": "b)" + n +
                  R"(", "mass": 1, "inertia": [0.001, 0.0208, 0.0208], "position": [)" +
                  std::to_string(0.25 + 0.5 * k) + ", 0, 0]}";
        joints += std::string(k > 0 ? "," : "") + R"({"name": "j)" + n +
                  R"(", "type": "hinge", "frame_a": {"body": ")" +
                  (k == 0 ? std::string("world") : "b" + std::to_string(k - 1)) + R"(", "position": [)" +
                  (k == 0 ? "0" : "0.25") + R"(, 0, 0]}, "frame_b": {"body": "b)" + n +
                  R"(", "position": [-0.25, 0, 0]}, "limits": {"lower": -0.6, "upper": 0.6, "restitution": 0.4}})";
    }
    const Scene scene = parseScene(R"({"elasto": 1, "name": "chain", "bodies": [)" + bodies + R"(], "elements": [],
        "joints": [)" + joints + "]}");
    const std::vector<double> times = evenTimes(2, 100);
    const Trajectory found = solveReference(scene, times);
    double before = 1e-9;
    for (std::size_t i = 0; i < times.size(); ++i) {
        double energy = 0;
        for (const char* n : {"0", "1", "2"}) {
            const std::string b = "b" + std::string(n);
            energy += (std::pow(found.at(b + ".v_0[1]")[i], 2) + std::pow(found.at(b + ".v_0[2]")[i], 2)) / 2 +
                      0.0208 * std::pow(found.at(b + ".w_a[3]")[i], 2) / 2 + kGravity * found.at(b + ".r_0[2]")[i];
            INFO("t = " << times[i] << ", joint " << n);
            CHECK(std::abs(found.at("j" + std::string(n) + ".phi_rel")[i]) < 0.6 + 1e-9);
        }
        CHECK(energy <= before + 1e-9);
        before = energy;
    }
    CHECK_THAT(found.at("j0.phi_rel").back(), WithinAbs(-0.6, 1e-9));
}

}  // namespace limits_test
