#pragma once
// An impact of a single point that slips: friction turns and stops the slip while the impulse grows (Keller, Journal of
// Applied Mechanics 53, 1986; Stronge, Impact Mechanics, 2000). What wedges is pressed in by its friction first,
// without any approach, and the impact ends where it comes apart no more: it is inelastic.

#include <Eigen/Core>

#include <optional>

namespace elasto::flow {

/// Of a body a against b: along the normal from b to a, and along two tangents.
/// @param W velocities by unit impulses on a, symmetric
/// @param slip velocity along the tangents before [m/s]
/// @return impulse on a; none where nothing presses, or where friction would press for ever
std::optional<Eigen::Vector3d> impactOfSlip(const Eigen::Matrix3d& W, double friction, const Eigen::Vector2d& slip);

}  // namespace elasto::flow
