#pragma once
// Bodies at rest: those that an engine left so on each other, but for the speed at which it pushes them apart, and
// those that stand still.

#include <elasto/flow.h>

namespace elasto::flow {

/// True where nothing is faster than its load makes it within a tick.
bool mayComeToRest(const FlowNetwork& network, double h);

/// Takes away what FlowContact::restSpeed says is no motion. Joints keep their rates.
/// @return kinetic energy taken [J]
double bringToRest(FlowNetwork& network);

/// Bodies that stood still all through a tick end where they began, at rest: else rounding would carry them away in
/// time, and no tick would be like the one before.
/// @param impulses of the elements in the tick; contacts have theirs
/// @param speeds storage
void keepStanding(const FlowNetwork& start, const Eigen::VectorXd& impulses, const std::vector<ContactTick>& contacts,
                  double h, std::vector<double>& speeds, FlowNetwork& end);

}  // namespace elasto::flow
