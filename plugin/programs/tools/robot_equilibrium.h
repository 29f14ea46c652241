#pragma once
/// @file robot_equilibrium.h
/// Finds a start at which a robot rests.

#include <elasto/robot/robot_scene.h>

#include <string>
#include <vector>

namespace elasto::tools {

/// A resting start of a robot, or why there is none.
struct RobotEquilibrium {
    bool found = false;
    std::string reason;  ///< empty if found: a sentence that names the joint that nothing holds
    RobotScene scene;    ///< with joints and motors where they rest, and inner states to match (if found)
    int iterations = 0;
    double unbalanced = 0;  ///< largest torque or force that is left on a coordinate [N.m, N]
    std::vector<double> s;  ///< per element: s_rel or phi_rel there [m, rad]
    std::vector<double> f;  ///< per element: its force there [N, N.m]
};

/// Looks for coordinates of the joints, and of the motors behind elements, near their start at which elements, servos
/// and loads at t = 0 balance gravity. Limits that no element stands for hold their joints.
///
/// The way there is that of a very viscous fluid, as findEquilibrium's: it ends at a stable rest and comes down to a
/// stop from above it. Servos have their targets of t = 0 and all joints' rates 0; dry friction, which would hold any
/// place, holds nothing. Contacts are not known here.
/// @throws InvalidParameter for a free base, for joints that move by more than one coordinate, and for servos with an
///         integral part, which hold any place in time
RobotEquilibrium findRobotEquilibrium(const RobotScene& scene);

}  // namespace elasto::tools
