#include "principal_inertia.h"

#include <Eigen/Eigenvalues>

#include <array>
#include <cstdio>

namespace elasto::robot {

namespace {

/// Of tensors that were written with few digits.
constexpr double kRounding = 0.01;

std::string toText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

}  // namespace

PrincipalInertia principalInertia(const Eigen::Matrix3d& tensor) {
    const Eigen::Matrix3d rest = tensor - Eigen::Matrix3d(tensor.diagonal().asDiagonal());
    if (rest.isZero(0)) return {tensor.diagonal(), Eigen::Quaterniond::Identity()};
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(tensor);
    const Eigen::Matrix3d found = solver.eigenvectors();
    // Of the six ways to number three axes, the one whose cosines with the tensor's own axes are largest.
    constexpr std::array<std::array<int, 3>, 6> kOrders = {
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    std::array<int, 3> best = kOrders[0];
    double most = -1;
    for (const std::array<int, 3>& order : kOrders) {
        double sum = 0;
        for (int k = 0; k < 3; ++k) sum += std::abs(found(k, order[static_cast<std::size_t>(k)]));
        if (sum <= most + 1e-12) continue;
        most = sum;
        best = order;
    }
    Eigen::Matrix3d axes;
    Eigen::Vector3d moments;
    for (int k = 0; k < 3; ++k) {
        const int from = best[static_cast<std::size_t>(k)];
        axes.col(k) = found(k, from) < 0 ? Eigen::Vector3d(-found.col(from)) : Eigen::Vector3d(found.col(from));
        moments[k] = solver.eigenvalues()[from];
    }
    if (axes.determinant() < 0) axes.col(2) *= -1;
    return {moments, Eigen::Quaterniond(axes).normalized()};
}

bool isNegative(const Eigen::Vector3d& moments) {
    return moments.minCoeff() < -kRounding * moments.maxCoeff() || !(moments.maxCoeff() >= 0);
}

std::string impossibleMoments(const Eigen::Vector3d& moments) {
    const double most = moments.maxCoeff();
    if (most <= (moments.sum() - most) * (1 + kRounding)) return "";
    return "principal moments " + toText(moments[0]) + ", " + toText(moments[1]) + ", " + toText(moments[2]) +
           " kg.m2: no body has one above the sum of the other two; they are taken as they are";
}

}  // namespace elasto::robot
