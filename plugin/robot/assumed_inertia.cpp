#include "assumed_inertia.h"

#include "robot_problems.h"
#include "shape_extent.h"

namespace elasto::robot {

namespace {

constexpr double kMass = 1;      // [kg], as the header says
constexpr double kRadius = 0.1;  // [m]

}  // namespace

std::string assumeInertia(RobotLink& link) {
    const bool hasMass = link.mass > 0;
    if (!hasMass) {
        link.mass = kMass;
        link.principalFrame = {};
    }
    std::string assumed = briefText(link.mass) + " kg of ";
    const Eigen::AlignedBox3d box = extentOf(link.collisions);
    if (box.isEmpty()) {
        link.principalMoments.setConstant(0.4 * link.mass * kRadius * kRadius);
        assumed += "a ball of " + briefText(kRadius) + " m";
    } else {
        const Eigen::Vector3d squares = box.sizes().cwiseAbs2();
        link.principalMoments = link.mass / 12 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
        if (!hasMass) link.principalFrame.position = box.center();
        assumed += "a box around its shapes";
    }
    link.principalFrame.orientation.setIdentity();
    return "assumed are " + assumed + ", moments " + briefText(link.principalMoments[0]) + ", " +
           briefText(link.principalMoments[1]) + ", " + briefText(link.principalMoments[2]) + " kg.m2";
}

}  // namespace elasto::robot
