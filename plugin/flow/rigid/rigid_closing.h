#pragma once
// Joints and limits that are found apart, and what closing them costs.

#include "rigid/rigid_tick.h"
#include "rigid/tuning.h"

namespace elasto::flow {

/// Energy that the elements handed out: gain of bodies and springs minus the work of everything else.
double handedOut(const RigidLedger& ledger);
/// True unless what drives the network has brought more through its joints than can be; what is missing in the balance
/// will be heat.
bool isBroughtBy(const RigidSpace& space, const RigidLedger& ledger);
/// Values that joints and these motors and limits keep in this tick.
void valuesOf(const RigidLedger& ledger, const std::vector<int>& bounded, Eigen::VectorXd& values);

/// Joints and limits that Bullet or the user left apart close by a share of the gap per tick, a displacement without
/// velocity. What springs make of it is work, but never more than a little: a stiff stop that is met makes the share
/// smaller.
void closeJoints(RigidSpace& space, TickResult& result);
/// Gaps of joints and limits that integration closes at once lift bodies a little: at rest that may be all the energy
/// there is.
/// @return false if there are none
bool closeHairlines(RigidSpace& space, TickResult& result);

}  // namespace elasto::flow
