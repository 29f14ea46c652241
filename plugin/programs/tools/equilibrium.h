#pragma once
/// @file equilibrium.h
/// Finds a start at which everything rests.

#include <elasto/scene/description.h>

#include <string>
#include <vector>

namespace elasto::tools {

/// A resting start, or why there is none.
struct Equilibrium {
    bool found = false;
    std::string reason;  ///< empty if found: a sentence that names the body that nothing holds
    Scene scene;         ///< with the bodies where they rest and inner states to match (if found)
    int iterations = 0;
    double unbalanced = 0;  ///< largest acceleration that is left [m/s^2 or rad/s^2]
    std::vector<double> s;  ///< per element: s_rel, s or phi_rel there [m, rad]
    std::vector<double> f;  ///< per element: force there [N, N.m]
};

/// Looks for poses of the bodies near their start at which element forces balance gravity and the loads at t = 0.
///
/// The way there is that of a very viscous fluid (Newton's method on the unbalanced forces with a damping that fades
/// out), so that it ends at a stable rest and comes down to a stop from above it. Backlashes follow Modelica's initial
/// characteristic first, since their own is singular in the play, and their own from there. A SpringDamperSeries
/// carries no force at rest. Forces between collision shapes are not known here. Joints hold, ends of their ranges as long
/// as something presses; a motor holds its joint where it starts, if it is strong enough.
/// @throws InvalidParameter if a kinematic body moves at t = 0, or a motor wants to: nothing can rest then
Equilibrium findEquilibrium(const Scene& scene);

}  // namespace elasto::tools
