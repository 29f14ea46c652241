// Ends of joints' ranges: impacts with a restitution, and rest at the end as long as something presses.
//
// Branches: Apart, Slack (thrown back, otherwise as Apart), Limited (at rest at the end on that side).

#include "mechanics.h"

#include <algorithm>
#include <cmath>

namespace elasto::reference {

namespace {

/// Rebounds slower than it end in rest [m/s, rad/s]: such a hop is as high as what is taken for the end itself.
constexpr double kSlowestRebound = 1e-5;

}  // namespace

Characteristic::Boundaries Mechanics::limitBoundaries(std::size_t k, Branch branch, const Coordinate& measured) const {
    const Slot& slot = m_slots[k];
    if (!slot.holds(branch)) {
        // What comes back from an end may be beyond it by rounding.
        const auto room = [&](int side, double distance) {
            return distance < 0 && side * measured.v < 0 ? -distance : distance;
        };
        return {room(-1, measured.s - slot.limit->lower), room(+1, slot.limit->upper - measured.s), 1};
    }
    // f > 0 pulls, as the upper end does.
    return {kRest - std::abs(measured.v), branch.side * m_sticking[static_cast<Eigen::Index>(k)], 1};
}

Branch Mechanics::limitBeyond(const Slot& slot, Branch branch, int boundary, double v) const {
    int side = branch.side;
    if (!slot.holds(branch)) {
        side = boundary == 0 ? -1 : +1;
        if (side * v <= 0) return branch;
    } else if (boundary == 1 || side * v <= 0) {
        return {Part::Apart, side};  // nothing presses any more, or a hit elsewhere takes it away
    }
    const bool rests = slot.limit->restitution * std::abs(v) < kSlowestRebound;
    return {rests ? Part::Limited : Part::Slack, side};
}

void Mechanics::meetLimit(const Slot& slot, Branch branch, double* y) const {
    if (branch.part == Part::Apart) return;
    gather(m_gatheredAt, y);
    const Coordinate measured = measure(slot, y);
    if (branch.part == Part::Slack && branch.side * measured.v <= 0) return;
    const double kept = branch.part == Part::Slack ? slot.limit->restitution : 0;
    double impulse = 0;
    hit(measured.form, -(1 + kept) * measured.v, y, impulse);
}

}  // namespace elasto::reference
