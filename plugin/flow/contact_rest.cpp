#include "contact_rest.h"

#include "contact_frame.h"
#include "network_state.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

double bringToRest(FlowNetwork& network) {
    const auto wasAtRest = [](const FlowContact& contact) { return contact.restSpeed > 0; };
    if (std::none_of(network.contacts.begin(), network.contacts.end(), wasAtRest)) return 0;
    ContactFrame frame(network, BodiesNow::of(network));
    std::vector<Vector6> velocities;
    readVelocities(network, velocities);
    std::vector<RowMode> modes(frame.rowCount());
    std::vector<double> wanted(modes.size(), 0), impulses(modes.size()), rates;
    for (std::size_t k = 0; k < frame.jointCount(); ++k) modes[k] = RowMode::held();
    frame.rates(velocities, true, rates);
    bool isMoving = false;
    const auto stop = [&](std::size_t row) {
        modes[row] = RowMode::held();
        wanted[row] = -rates[row];
        isMoving = isMoving || rates[row] != 0;
    };
    for (std::size_t p = 0; p < frame.patches().size(); ++p) {
        const Patch& patch = frame.patches()[p];
        const auto isClosed = [&](std::size_t i) { return !frame.isSoft(i) && frame.measure(i).gap <= kClosedGap; };
        const auto isSlow = [&](std::size_t i) {
            const FlowContact& contact = network.contacts[i];
            const double slip = contact.hasStuck ? frame.slipVelocity(p, i, velocities).norm() : 0;
            return std::max(std::abs(rates[frame.normalOf(i)]), slip) <= contact.restSpeed;
        };
        bool isAtRest = true;
        bool sticks = patch.friction > 0;
        std::size_t closed = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            isAtRest = isAtRest && isSlow(i);
            sticks = sticks && network.contacts[i].hasStuck;
            closed += isClosed(i) ? 1 : 0;
        }
        if (!isAtRest || closed == 0) continue;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            if (isClosed(i)) stop(frame.normalOf(i));
        }
        if (!sticks) continue;
        stop(frame.tangentOf(p));
        stop(frame.tangentOf(p) + 1);
        if (closed > 1) stop(frame.spinOf(p));
    }
    if (!isMoving || !frame.factor().factor(modes)) return 0;
    std::vector<Vector6> change(velocities.size());
    frame.factor().solve(wanted, impulses, change);
    const double before = kineticEnergy(network);
    for (std::size_t i = 0; i < change.size(); ++i) {
        network.bodies[i].velocity += change[i].head<3>();
        network.bodies[i].angularVelocity += change[i].tail<3>();
    }
    return before - kineticEnergy(network);
}

}  // namespace elasto::flow
