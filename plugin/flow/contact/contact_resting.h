#pragma once
// Bodies at rest: those that an engine left so on each other, but for the speed at which it pushes them apart, and
// those that stand still.

#include <elasto/flow.h>

namespace elasto::flow {

/// Takes away what FlowContact::restSpeed says is no motion, and the rates that joints then have.
/// @return kinetic energy taken [J]: >= 0 where nothing is driven
double bringToRest(FlowNetwork& network);

/// Up to where a body stands, as a share of what each of the forces on it would give it in a tick.
struct Standing {
    double speed, displacement;
};
/// What is left where forces hold each other is rounding.
inline constexpr Standing kExactStanding{1e-11, 1e-11};
/// Contacts of the implicit step give way a little before they hold.
inline constexpr Standing kImplicitStanding{1e-4, 2e-5};
/// Without contacts the tolerance of its minima is left: what creeps against a damper is much faster.
inline constexpr Standing kElasticStanding{1e-8, 1e-8};

/// Bodies that stood still all through a tick end where they began, at rest: else rounding would carry them away in
/// time, and no tick would be like the one before.
/// @param impulses of the elements in the tick; contacts have theirs
/// @param speeds storage
/// @return true if they stood
bool keepStanding(const FlowNetwork& start, const Eigen::VectorXd& impulses, const std::vector<ContactTick>& contacts,
                  double h, const Standing& share, std::vector<double>& speeds, FlowNetwork& end);

/// Contacts that bear what they bore in the last tick, but for little, bear the same: no tick would be like the one
/// before while they share out what stands on them.
void keepBearing(const std::vector<FlowContact>& before, std::vector<ContactTick>& contacts);

}  // namespace elasto::flow
