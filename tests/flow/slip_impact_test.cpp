// Impacts of a point that slips and wedges, against small steps along the impulse, and the energy that they take.

#include <catch2/catch.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <random>

#include "contact/slip_impact.h"

using namespace elasto::flow;

namespace {

Eigen::Matrix3d randomResponse(std::mt19937& random) {
    const auto next = [&] { return static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 0.5; };
    Eigen::Matrix3d root;
    for (double& entry : root.reshaped()) entry = next();
    return root * root.transpose() + 0.02 * Eigen::Matrix3d::Identity();
}

/// By steps of the normal impulse, until the point parts no more. @return velocity then
Eigen::Vector3d inSmallSteps(const Eigen::Matrix3d& W, double friction, const Eigen::Vector2d& slip, double step) {
    Eigen::Vector3d velocity(0, slip[0], slip[1]);
    for (int k = 0; k == 0 || velocity[0] < 0; ++k) {
        const Eigen::Vector2d along = velocity.tail<2>().normalized();
        velocity += step * W * Eigen::Vector3d(1, -friction * along[0], -friction * along[1]);
    }
    return velocity;
}

}  // namespace

TEST_CASE("what wedges slips through its impact as small steps have it") {
    std::mt19937 random(7);
    int found = 0;
    for (int k = 0; k < 4000; ++k) {
        const Eigen::Matrix3d W = randomResponse(random);
        const double friction = 0.3 + 0.001 * (k % 2000);
        const Eigen::Vector2d slip(std::cos(k), std::sin(k));
        const bool presses = W.row(0).dot(Eigen::Vector3d(1, -friction * slip[0], -friction * slip[1])) < -1e-3;
        const auto impulse = impactOfSlip(W, friction, slip);
        if (presses) CHECK(impulse);
        if (!presses || !impulse) continue;
        ++found;
        CAPTURE(k, friction, W);
        const Eigen::Vector3d before(0, slip[0], slip[1]), after = before + W * *impulse;
        CHECK(std::abs(after[0]) < 1e-9);
        CHECK((*impulse)[0] > 0);
        CHECK(impulse->tail<2>().norm() <= (1 + 1e-9) * friction * (*impulse)[0]);
        CHECK(impulse->dot(before + after) <= 1e-9);  // twice the energy that it brings
        CHECK((inSmallSteps(W, friction, slip, 1e-5 * (*impulse)[0]) - after).norm() < 1e-3);
    }
    CHECK(found > 100);
}

TEST_CASE("what parts by itself, or is not turned where it would be pressed, has no such impact") {
    CHECK(!impactOfSlip(Eigen::Matrix3d::Identity(), 2, {1, 0}));
    Eigen::Matrix3d W = Eigen::Matrix3d::Identity();
    W(0, 1) = W(1, 0) = 0.5;
    CHECK(!impactOfSlip(W, 2, {1, 0}));  // on the verge, and slip does not turn
    CHECK(impactOfSlip(W, 2.1, {1, 0}));
    CHECK(!impactOfSlip(W, 1.9, {1, 0}));
}
