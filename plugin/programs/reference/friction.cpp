// Dry friction and motors that may be too weak: what sticks keeps its rate, by forces that follow from that.

#include "mechanics.h"

#include <cmath>
#include <limits>

namespace elasto::reference {

/// Force up to which it holds.
double Mechanics::largest(const Slot& slot, double t) const {
    if (slot.limit != nullptr) return std::numeric_limits<double>::infinity();
    return slot.motor != nullptr ? slot.motor->maxForce : shareAt(slot, t) * slot.friction->largest();
}

Characteristic::Boundaries Mechanics::dryBoundaries(std::size_t k, Branch branch, double t,
                                                    const Coordinate& measured) const {
    const Slot& slot = m_slots[k];
    const double v = measured.v - slot.target();
    if (!slot.holds(branch)) {
        double room = 1;
        if (slot.friction != nullptr && slot.friction->hasStop(branch.side)) {
            const FrictionParameters& p = slot.friction->parameters();
            room = branch.side > 0 ? p.s_max - measured.s : measured.s - p.s_min;
        }
        return {room, branch.side * v, 1};
    }
    const double most = largest(slot, t);
    const double force = m_sticking[static_cast<Eigen::Index>(k)];
    // At a stop nothing is too strong that presses against it. A hit elsewhere, or a driven body that jumps, gives what
    // sticks a rate.
    const bool isAtStop = branch.part == Part::Limited;
    return {kRest - std::abs(v), isAtStop && branch.side > 0 ? 1 : most - force,
            isAtStop && branch.side < 0 ? 1 : most + force};
}

/// Where a boundary leads.
Branch Mechanics::dryBeyond(std::size_t k, double t, const double* y, const Branches& branches, int boundary) const {
    const Slot& slot = m_slots[k];
    const Branch branch = branches[k];
    const double v = rate(t, y, static_cast<int>(k)) - slot.target();
    if (slot.holds(branch)) {
        if (boundary != 0) return {Part::Slips, boundary == 1 ? +1 : -1};
        // Pressed into its stop again it is stopped again.
        if (branch.part == Part::Limited && branch.side * v > 0) return branch;
        return {Part::Slips, v > 0 ? +1 : -1};
    }
    if (boundary == 0) return {Part::Limited, branch.side};            // a stop is hit
    if (branch.side * v < -kRest) return {Part::Slips, -branch.side};  // what drives a body has jumped
    return atRest(k, t, y, branches);
}

/// Of what has no rate at this instant.
Branch Mechanics::atRest(std::size_t k, double t, const double* y, const Branches& branches) const {
    // What has just given way has hardly any speed yet, of any sign.
    if (branches[k].side * rateChange(k, t, y, branches) > 0) return branches[k];
    const Branch stuck = {Part::Proportional, +1};
    Branches trial = branches;
    trial[k] = stuck;
    if (largest(m_slots[k], t) == 0) {
        // A brake or clutch without strength holds nothing, not for an instant either.
        trial[k] = {Part::Slips, branches[k].side};
        return {Part::Slips, rateChange(k, t, y, trial) > 0 ? +1 : -1};
    }
    const double change = rateChange(k, t, y, trial);
    if (m_canStick[k] || std::abs(change) < kRest) return stuck;
    // At a dead point its force has no lever on what moves it.
    return {Part::Slips, change > 0 ? +1 : -1};
}

double Mechanics::rateChange(std::size_t k, double t, const double* y, const Branches& branches) const {
    m_rates.resize(m_size);
    derivative(t, y, branches, m_rates.data());
    const Coordinate measured = measure(m_slots[k], y);
    return accelerationAlong(measured.form, m_rates.data()) + givenAcceleration(measured.form) + measured.bend;
}

/// Takes the rate of what begins to stick, and the last bits of it, of the wrong sign, where something gives way.
void Mechanics::stop(const Slot& slot, Branch branch, double* y) const {
    gather(m_gatheredAt, y);
    const Coordinate measured = measure(slot, y);
    const double v = measured.v - slot.target();
    if (!slot.holds(branch) && (branch.side * v >= 0 || std::abs(v) > kRest)) return;
    double impulse = 0;
    hit(measured.form, -v, y, impulse);
    if (slot.integrals >= 0) y[slot.integrals] -= impulse;  // of a hard stop
}

}  // namespace elasto::reference
