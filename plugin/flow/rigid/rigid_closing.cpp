#include "rigid/rigid_closing.h"

#include "balance/network_energy.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// What closing joints loads springs and lifts bodies by, the motion pays as far as it can.
/// @param open the network before
void payForClosing(const FlowNetwork& open, RigidLedger& ledger, TickResult& result) {
    const double shifted = shiftWork(open, ledger.now);
    const double given = energy(ledger.now) - energy(open) - shifted;
    if (given > kTrustedError * energy(ledger.now)) slowDown(ledger.now, given, kMostToTake);
    const double brought = energy(ledger.now) - energy(open);
    ledger.work += brought;
    result.jointEnergy += brought - shifted;
}

}  // namespace

double handedOut(const RigidLedger& ledger) {
    return energy(ledger.now) - ledger.startEnergy - ledger.work;
}

bool isBroughtBy(const RigidSpace& space, const RigidLedger& ledger) {
    if (std::isinf(space.mostBrought)) return true;  // most networks: their energy need not be summed up for this
    return energy(ledger.now) + std::max(-handedOut(ledger), 0.0) <= space.mostBrought;
}

void valuesOf(const RigidLedger& ledger, const std::vector<int>& bounded, Eigen::VectorXd& values) {
    const Eigen::Index joints = ledger.jointValues.size();
    values.resize(joints + static_cast<Eigen::Index>(bounded.size()));
    values.head(joints) = ledger.jointValues;
    for (std::size_t k = 0; k < bounded.size(); ++k) {
        values[joints + static_cast<Eigen::Index>(k)] =
            overrun(ledger.now, static_cast<std::size_t>(bounded[k]), kJointGap);
    }
}

void closeJoints(RigidSpace& space, TickResult& result) {
    RigidLedger& ledger = space.ledger;
    std::vector<int>& held = space.closing;
    held = ledger.held;
    for (std::size_t k = 0; k < ledger.now.bounded.size(); ++k) {
        const auto index = static_cast<int>(k);
        if (overrun(ledger.now, k, kJointGap) != 0 && std::find(held.begin(), held.end(), index) == held.end()) {
            held.push_back(index);
        }
    }
    Eigen::VectorXd& values = space.values;
    valuesOf(ledger, held, values);
    if (values.isZero(0)) return;
    const double stored = storedEnergy(ledger.now);
    const double most = stored + kClosingEnergy * (stored + kineticEnergy(ledger.now));
    const bool isOpen = values.lpNorm<Eigen::Infinity>() > kOpenJoint;
    for (double share = kJointRecovery; share > kSmallestRecovery; share /= 2) {
        FlowNetwork closed = ledger.now;
        if (!holdPoses(closed, (1 - share) * values, held) ||
            storedEnergy(closed) > most + (isOpen ? softWork(ledger.now, closed, space.h) : 0)) {
            continue;
        }
        holdVelocities(closed, ledger.held);
        std::swap(ledger.now, closed);
        if (!isBroughtBy(space, ledger)) takeVelocities(closed, ledger.now);
        payForClosing(closed, ledger, result);
        return;
    }
}

bool closeHairlines(RigidSpace& space, TickResult& result) {
    Eigen::VectorXd& values = space.values;
    readJoints(space.start, space.hold, values);
    std::vector<int>& limits = space.closing;
    limits.clear();
    for (std::size_t k = 0; k < space.start.bounded.size(); ++k) {
        const double value = std::abs(overrun(space.start, k, 0));
        if (value > 0 && value <= kJointGap) limits.push_back(static_cast<int>(k));
    }
    const bool areJointsOpen = !values.isZero(0);
    if (areJointsOpen && values.lpNorm<Eigen::Infinity>() > kJointGap) return false;
    if (!areJointsOpen && limits.empty()) return false;
    FlowNetwork closed = space.start;
    values.setZero(values.size() + static_cast<Eigen::Index>(limits.size()));
    if (!holdPoses(closed, values, space.hold, limits)) return false;
    holdVelocities(closed, space.hold);
    result.jointEnergy += energy(closed) - energy(space.start) - shiftWork(space.start, closed);
    space.start = closed;
    return true;
}

}  // namespace elasto::flow
