#pragma once
// Energy that an integration got wrong, put right in the bodies' motion.

#include "balance/joint_projection.h"
#include "balance/network_state.h"
#include "balance/tuning.h"

namespace elasto::flow {

/// Storage for taking energy out.
struct DampingSpace {
    std::vector<Row> rows;
    Eigen::VectorXd rates, changes;
    Eigen::MatrixXd inverseMass;
    Responses responses;
    HoldSpace hold;
};

/// Takes energy out of the bodies' motion: first by a small damping impulse of the elements that pushed (impulse not
/// 0), which keeps momentum and is added to their impulses; what that cannot take, up to the given share of the kinetic
/// energy, by slowing bodies down alike. A free-floating network loses of its inner motion first, which keeps its
/// momenta; a driven body that carries others works.
/// @param work of driven bodies is added to it
/// @return the energy taken [J], at most the one asked for up to rounding
double takeEnergy(FlowNetwork& network, double wanted, double largestShare, Eigen::VectorXd& impulses, double& work,
                  DampingSpace& space, const std::vector<int>& held = {});
double takeEnergy(FlowNetwork& network, double wanted, double largestShare, Eigen::VectorXd& impulses, double& work,
                  const std::vector<int>& held = {});

/// Of what carries a network, or of a free-floating one's centre of mass: seen from there it has only its inner motion
/// [m/s].
Eigen::Vector3d carriedVelocity(const FlowNetwork& network);

/// Takes energy by slowing bodies down alike; not along axes that their factors lock.
/// @return the energy taken [J]: what was wanted, or nothing where that is more than the share of the kinetic energy
double slowDown(FlowNetwork& network, double wanted, double largestShare);

/// Gives energy back, up to the given share of the kinetic energy (nothing if it is more), by speeding bodies up alike,
/// of a free-floating network its inner motion.
void giveEnergy(FlowNetwork& network, double wanted, double largestShare);

/// The share theta of a damping impulse r, r the elements' rates, that takes this much energy out of the bodies: it
/// takes theta B - theta^2 A / 2, B = r . r, A = r . W r. Of two roots the gentler one; where there is none, the share
/// that takes most.
double dampingShare(double A, double B, double wanted);

}  // namespace elasto::flow
