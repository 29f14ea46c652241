#pragma once
// Motion of one rigid body, and the angle between two.

#include <elasto/flow.h>

namespace elasto::reference {

/// Whether the body's orientation can change.
bool canTurn(const FlowBody& body);
/// dw/dt, world axes, for a torque about the centre of mass: sqrt(F) R I^-1 R' sqrt(F) (torque - w x I w).
/// The gyroscopic term is left out where asked and where a moment of inertia is infinite (inverse 0).
Eigen::Vector3d angularAcceleration(const FlowBody& body, const BodyState& state, const Eigen::Vector3d& torque);
/// An immovable body after t seconds with its constant velocities.
BodyState drift(const BodyState& start, double t);

/// Turning of frame b against frame a about the element's axis.
struct Twist {
    double angle = 0;          ///< some representative, modulo a turn
    Eigen::Vector3d gradient;  ///< world axes: d angle/dt = gradient . (w_b - w_a)
    double bend = 0;           ///< d gradient/dt . (w_b - w_a)
};
/// With q = (w, v) the relative orientation and n the axis, both in frame a:
///     angle    = 2 atan2(v.n, w)
///     gradient = (w^2 n + w v x n + (v.n) v) / (w^2 + (v.n)^2)
/// For a rotation about n alone the gradient is n.
Twist twistBetween(const FlowElement& element, const BodyState& a, const BodyState& b);

}  // namespace elasto::reference
