#include "contact/contact_resting.h"

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "contact/contact_frame.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

namespace {

/// What loads, elements and contacts would make of the bodies in a tick, each by itself.
void findSpeedsInPlay(const FlowNetwork& network, const Eigen::VectorXd& impulses,
                      const std::vector<ContactTick>& contacts, double h, std::vector<double>& speeds) {
    speeds.clear();
    for (const FlowBody& body : network.bodies) speeds.push_back(h * body.inverseMass * body.force.constant.norm());
    const auto add = [&](int index, double impulse) {
        if (index < 0) return;
        const auto i = static_cast<std::size_t>(index);
        speeds[i] += network.bodies[i].inverseMass * std::abs(impulse);
    };
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const double impulse = impulses[static_cast<Eigen::Index>(e)];
        forEachBody(network.elements[e], [&](int body) { add(body, impulse); });
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        add(network.contacts[i].a, contacts[i].impulse);
        add(network.contacts[i].b, contacts[i].impulse);
    }
}

bool isSlow(const FlowBody& body, double most) {
    return body.velocity.lpNorm<Eigen::Infinity>() <= most && body.angularVelocity.lpNorm<Eigen::Infinity>() <= most;
}

/// @param most displacement, besides rounding
bool isNear(const FlowBody& start, const FlowBody& end, double most) {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    const double rounding = kEpsilon * start.position.lpNorm<Eigen::Infinity>();
    return (end.position - start.position).lpNorm<Eigen::Infinity>() <= most + rounding &&
           (end.orientation.coeffs() - start.orientation.coeffs()).lpNorm<Eigen::Infinity>() <= most + kEpsilon;
}

}  // namespace

bool keepStanding(const FlowNetwork& start, const Eigen::VectorXd& impulses, const std::vector<ContactTick>& contacts,
                  double h, const Standing& share, std::vector<double>& speeds, FlowNetwork& end) {
    findSpeedsInPlay(start, impulses, contacts, h, speeds);
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        const double inPlay = start.bodies[i].isImmovable() ? 0 : speeds[i];
        const double most = share.speed * inPlay;
        if (!isSlow(start.bodies[i], most) || !isSlow(end.bodies[i], most)) return false;
        if (!isNear(start.bodies[i], end.bodies[i], h * share.displacement * inPlay)) return false;
    }
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.position = start.bodies[i].position;
        body.orientation = start.bodies[i].orientation;
        body.velocity.setZero();
        body.angularVelocity.setZero();
    }
    return true;
}

void keepBearing(const std::vector<FlowContact>& before, std::vector<ContactTick>& contacts) {
    double largest = 0;
    for (const FlowContact& contact : before) largest = std::max(largest, contact.impulse);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (std::abs(contacts[i].impulse - before[i].impulse) > kSameImpulse * largest) return;
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        contacts[i].impulse = before[i].impulse;
        contacts[i].creep = before[i].creep;
    }
}

double bringToRest(FlowNetwork& network) {
    const auto wasAtRest = [](const FlowContact& contact) { return contact.restSpeed > 0; };
    if (std::none_of(network.contacts.begin(), network.contacts.end(), wasAtRest)) return 0;
    ContactFrame frame(network, BodyKinematics::of(network));
    std::vector<Vector6> velocities;
    readVelocities(network, velocities);
    std::vector<RowMode> modes(frame.rowCount());
    std::vector<double> wanted(modes.size(), 0), impulses(modes.size()), rates;
    frame.rates(velocities, true, rates);
    // Joints come to rest with their contacts: what an engine left of their rates may contradict these, and to keep it
    // takes any speeds. Of all rows together the nearest velocity has the least energy.
    for (std::size_t k = 0; k < frame.jointCount(); ++k) {
        modes[k] = RowMode::held();
        wanted[k] = -rates[k];
    }
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
