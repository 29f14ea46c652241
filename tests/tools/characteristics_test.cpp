#include "characteristics.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace elasto::tools;

namespace {

double largest(const Curve& curve) {
    return *std::max_element(curve.y.begin(), curve.y.end());
}
double smallest(const Curve& curve) {
    return *std::min_element(curve.y.begin(), curve.y.end());
}

double largestJump(const Curve& curve) {
    double jump = 0;
    for (std::size_t k = 1; k < curve.y.size(); ++k) jump = std::max(jump, std::abs(curve.y[k] - curve.y[k - 1]));
    return jump;
}

}  // namespace

TEST_CASE("the gap's picture shows what the documentation says about each of its curves") {
    const Picture picture = elastoGapPicture();
    REQUIRE(picture.panels.size() == 2);
    const std::vector<Curve>& forces = picture.panels[0].curves;
    REQUIRE(forces.size() == 4);

    SECTION("(1) jumps by d v when contact starts and pulls before it ends") {
        // Values of the reference case gap_laws: forces from -30.156 to 5.520 N.
        CHECK(largestJump(forces[0]) == Approx(30).epsilon(0.01));
        CHECK(smallest(forces[0]) == Approx(-30.15594214).epsilon(1e-3));
        CHECK(largest(forces[0]) == Approx(5.520358556).epsilon(1e-3));
    }
    SECTION("(2) jumps and never pulls") {
        CHECK(largestJump(forces[1]) == Approx(30).epsilon(0.01));
        CHECK(largest(forces[1]) == 0);
    }
    SECTION("(3), ElastoGap, neither jumps nor pulls") {
        CHECK(largestJump(forces[2]) < 0.3);
        CHECK(smallest(forces[2]) == Approx(-35.8552132).epsilon(1e-3));
        CHECK(largest(forces[2]) == 0);
    }
    SECTION("(4) does not jump") {
        CHECK(largestJump(forces[3]) < 0.3);
    }
    SECTION("all four have parted at the end, each slower than it came") {
        for (const Curve& position : picture.panels[1].curves) {
            CHECK(position.y.front() == 0.05);
            CHECK(position.y.back() > 0);
            CHECK(position.y.back() < 0.06);
        }
    }
}

TEST_CASE("the backlash's picture shows jump, pull and bound") {
    const Picture picture = elastoBacklashPicture();
    REQUIRE(picture.panels.size() == 2);
    const std::vector<Curve>&torques = picture.panels[0].curves, &angles = picture.panels[1].curves;
    REQUIRE(torques.size() == 3);
    // d w_rel = 6 N.m where contact starts at 1 rad/s.
    CHECK(largestJump(torques[0]) == Approx(6).epsilon(0.01));
    CHECK(largestJump(torques[1]) == Approx(6).epsilon(0.01));
    CHECK(largestJump(torques[2]) < 0.1);
    // A pull is a torque against the side of the play that is in contact.
    const auto pulls = [](const Curve& torque, const Curve& angle) {
        for (std::size_t k = 0; k < torque.x.size(); ++k) {
            if (angle.y[k] * torque.y[k] < -1e-9) return true;
        }
        return false;
    };
    CHECK(pulls(torques[0], angles[0]));
    CHECK_FALSE(pulls(torques[1], angles[1]));
    CHECK_FALSE(pulls(torques[2], angles[2]));
    for (const Curve& torque : torques) {
        CHECK(largest(torque) > 5);
        CHECK(smallest(torque) < -1);  // the other side of the play, more slowly
    }
}
