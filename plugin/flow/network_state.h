#pragma once
// A network at one instant: its elements' rows, its energy, and what impulses of its elements do to it.

#include "geometry.h"

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

Motion motionOf(const FlowNetwork& network, int body);
Row rowOf(const FlowNetwork& network, std::size_t element);
std::vector<Row> rowsOf(const FlowNetwork& network);

/// Kinetic energy of the bodies that elements can change, and what the springs hold [J].
double kineticEnergy(const FlowNetwork& network);
double storedEnergy(const FlowNetwork& network);
inline double energy(const FlowNetwork& network) {
    return kineticEnergy(network) + storedEnergy(network);
}

/// W = J M^-1 J^T: change of the elements' rates by their impulses, v -= W P.
Eigen::MatrixXd inverseMass(const FlowNetwork& network, const std::vector<Row>& rows);
/// Adds the elements' impulses to the bodies' velocities.
void applyImpulses(FlowNetwork& network, const std::vector<Row>& rows, const Eigen::VectorXd& impulses);

/// Takes energy out of the bodies' motion: first by a small damping impulse of the elements that pushed (impulse not
/// 0), which keeps momentum and is added to their impulses; what that cannot take, up to the given share of the kinetic
/// energy, by slowing all bodies down alike. @return the energy taken [J], at most the one asked for up to rounding
double takeEnergy(FlowNetwork& network, double wanted, double largestShare, Eigen::VectorXd& impulses);

/// The load as seen from the time t on.
QuadraticLoad startingAt(const QuadraticLoad& load, double t);
/// Its integral over h, and the integral of that.
Eigen::Vector3d impulseOf(const QuadraticLoad& load, double h);
Eigen::Vector3d secondIntegralOf(const QuadraticLoad& load, double h);

}  // namespace elasto::flow
