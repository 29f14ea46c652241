#include "principal_inertia.h"

#include <catch2/catch.hpp>

using namespace elasto::robot;

namespace {

Eigen::Matrix3d tensorOf(const PrincipalInertia& principal) {
    const Eigen::Matrix3d axes = principal.orientation.toRotationMatrix();
    return axes * principal.moments.asDiagonal() * axes.transpose();
}

}  // namespace

TEST_CASE("a diagonal tensor keeps its axes and bits") {
    const PrincipalInertia principal = principalInertia(Eigen::Vector3d(3, 1, 2).asDiagonal());
    CHECK(principal.moments == Eigen::Vector3d(3, 1, 2));
    CHECK(principal.orientation.coeffs() == Eigen::Quaterniond::Identity().coeffs());
}

TEST_CASE("moments and axes of any tensor give it back") {
    for (int k = 0; k < 200; ++k) {
        const Eigen::Vector3d moments(2 + std::sin(k), 2.5 + std::sin(2 * k), 3 + std::cos(k));
        const Eigen::Quaterniond turn =
            Eigen::Quaterniond(std::cos(0.7 * k), std::sin(k), std::sin(3 * k), std::cos(k)).normalized();
        const Eigen::Matrix3d tensor = tensorOf({moments, turn});
        const PrincipalInertia principal = principalInertia(tensor);
        CHECK((tensorOf(principal) - tensor).cwiseAbs().maxCoeff() < 1e-14);
    }
}

TEST_CASE("a nearly diagonal tensor keeps the order of its axes") {
    Eigen::Matrix3d tensor = Eigen::Vector3d(3, 1, 2).asDiagonal();
    tensor(0, 1) = tensor(1, 0) = 0.01;
    const PrincipalInertia principal = principalInertia(tensor);
    CHECK(principal.orientation.angularDistance(Eigen::Quaterniond::Identity()) < 0.01);
    CHECK(principal.moments[0] == Approx(3).epsilon(1e-3));
}

TEST_CASE("moments that no body has are told from rounding") {
    for (const Eigen::Vector3d& moments : {Eigen::Vector3d(1, 1, 1), {1, 1, 2}, {0, 0, 0}, {1, 1, 2.019}}) {
        INFO(moments.transpose());
        CHECK(impossibleMoments(moments).empty());
    }
    CHECK(impossibleMoments({1, 1, 2.1}) ==
          "principal moments 1, 1, 2.1 kg.m2: no body has one above the sum of the other two; they are taken as they "
          "are");
    CHECK(isNegative({1, 1, -0.1}));
    CHECK(isNegative({-1, -1, -1}));
    CHECK_FALSE(isNegative({1, 1, -0.009}));
    CHECK_FALSE(isNegative({0, 0, 0}));
}
