#pragma once
// Networks with contacts that are left to Bullet, as if there were no elements, because none can act.

#include <elasto/load.h>
#include <elasto/precision.h>

#include <memory>
#include <vector>

#include "contact_points.h"
#include "gather.h"
#include "group_joints.h"
#include "solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// True if the tick of a network is Bullet's own, at Bullet's cost and with Bullet's accuracy: its elements are gaps
/// that are open, and stay open even if their ends approach each other at twice the speed that the fastest point of all
/// the bodies can have at the end of the tick (contacts hand speed on), and
/// - the network has rested like that for a while, or
/// - it has more than eight bodies: following a pile that no element touches would cost much and show nothing, or
/// - the flow could not follow it anyway.
/// Smaller networks that move stay with the flow, or a crate on its way to a stop would get there by Bullet's
/// integration. Notes how long the network has rested.
/// @param gathered the network's elements and their bodies @param contacts, joints what else is in the network
bool isIdle(const SolvedNetwork& gathered, bool isCoupled, const std::vector<ContactPoint>& contacts,
            const std::vector<const HeldJoint*>& joints, const std::vector<std::shared_ptr<const Load>>& loads,
            const TickTime& time);

/// The tick of an idle network before Bullet has moved its bodies: elements without force.
void setIdleResult(SolvedNetwork& gathered);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
