#include "contact_recovery.h"

#include "contact_problem.h"
#include "network_state.h"

#include <algorithm>

namespace elasto::flow {

namespace {

/// Share of the depth that is recovered per tick, and the depth that is left alone [m].
constexpr double kShare = 0.2;
constexpr double kSlop = 1e-6;
constexpr int kSweeps = 30;
constexpr double kSettled = 1e-6;
/// The smallest share of the wanted way that is worth moving.
constexpr double kSmallestPart = 1. / 16;

}  // namespace

Recovery recoverPenetration(FlowNetwork& network) {
    std::vector<double> wanted;
    bool isWanted = false;
    for (const FlowContact& contact : network.contacts) {
        const double gap = measureContact(contact, motionOf(network, contact.a), motionOf(network, contact.b)).gap;
        wanted.push_back(gap < -kSlop ? kShare * (-gap - kSlop) : std::min(-gap, 0.));
        isWanted = isWanted || wanted.back() > 0;
    }
    if (!isWanted) return {};
    const ContactFrame frame(network, BodiesNow::of(network));
    ContactSweeps sweeps(frame, wanted, false);
    std::vector<Vector6> ways(network.bodies.size(), Vector6::Zero());
    sweeps.run(ways, kSweeps, kSettled);
    const double stored = storedEnergy(network);
    for (double share = 1; share >= kSmallestPart; share /= 2) {
        FlowNetwork moved = network;
        moveBodies(moved, ways, share);
        if (storedEnergy(moved) > stored) continue;
        Recovery recovery;
        recovery.energy = energy(moved) - energy(network) - shiftWork(network, moved);
        for (const Vector6& way : ways) recovery.way = std::max(recovery.way, share * way.head<3>().norm());
        network = std::move(moved);
        return recovery;
    }
    return {};
}

}  // namespace elasto::flow
