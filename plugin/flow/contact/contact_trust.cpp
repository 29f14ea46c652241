#include "contact/contact_trust.h"

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "constraints/contact_box.h"
#include "contact/contact_tick.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// What motors could bring in within the tick.
double motorEnergyInPlay(const FlowNetwork& network, double h, ContactSpace& space) {
    ContactFrame& frame = space.frame;
    space.bodies.read(network);
    frame.place(network, space.bodies);
    std::vector<Vector6>& velocities = space.velocities;
    readVelocities(network, velocities);
    double energy = 0;
    for (std::size_t k = 0; k < network.bounded.size(); ++k) {
        const BoundedRow& row = network.bounded[k];
        if (row.kind == BoundedRow::Kind::Limit) continue;
        const double response = frame.responseOf(frame.row(frame.boundedOf(k)));
        if (!(response > 0)) continue;
        const double speed = std::max(std::abs(frame.rate(frame.boundedOf(k), velocities)), std::abs(row.targetRate));
        // To its target it brings no more than this.
        const double most = 2 * speed * speed / response;
        energy += isPrescribed(row) ? most : std::min(most, h * row.maxForce * (speed + h * response * row.maxForce));
    }
    return energy;
}

/// The largest that is seen in a tick.
struct InPlay {
    double impulse = 0;  ///< that elements give or bodies have [N s]
    double speed = 0;    ///< of a body [m/s]
};

InPlay inPlay(const FlowNetwork& network, const ContactState& state) {
    InPlay largest{state.P.size() > 0 ? state.P.cwiseAbs().maxCoeff() : 0};
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const FlowBody& body = network.bodies[i];
        const double speed = std::max(body.velocity.norm(), state.u[i].head<3>().norm());
        largest.speed = std::max(largest.speed, speed);
        if (body.inverseMass > 0) largest.impulse = std::max(largest.impulse, speed / body.inverseMass);
    }
    return largest;
}

/// Velocity of a against b in the plane of a patch, of bodies that do not turn; or their displacement.
template <class Of>
Eigen::Vector3d slipOf(const Patch& patch, const Of& of) {
    Eigen::Vector3d slip = Eigen::Vector3d::Zero();
    if (patch.a >= 0) slip += of(static_cast<std::size_t>(patch.a));
    if (patch.b >= 0) slip -= of(static_cast<std::size_t>(patch.b));
    return slip - patch.normal * patch.normal.dot(slip);
}

/// True if a patch that bears slips along one line.
bool slipsStraight(const FlowNetwork& start, const Patch& patch, const Trial& trial) {
    double impulse = 0;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) impulse += trial.state.contacts[i].impulse;
    if (patch.friction == 0 || !(impulse > 0)) return true;
    const Eigen::Vector3d slips[] = {
        slipOf(patch, [&](std::size_t i) { return start.bodies[i].velocity; }) - patch.surfaceVelocity,
        slipOf(patch, [&](std::size_t i) -> Eigen::Vector3d { return trial.state.displacement[i].head<3>(); }) /
                trial.length -
            patch.surfaceVelocity,
        slipOf(patch, [&](std::size_t i) { return trial.end.bodies[i].velocity; }) - patch.surfaceVelocity};
    double fastest = 0;
    for (const FlowBody& body : trial.end.bodies) fastest = std::max(fastest, body.velocity.norm());
    double largest = kRest * fastest * fastest, across = 0;  // what is slower than that squared does not move
    for (const Eigen::Vector3d& a : slips) {
        largest = std::max(largest, a.squaredNorm());
        for (const Eigen::Vector3d& b : slips) across = std::max(across, a.cross(b).norm());
    }
    return across <= kFixedTurn * largest;
}

/// True if what is round stays at the same part of a box, what bore kept its normal, and faces are on each other still.
bool keepsPlace(const FlowNetwork& start, std::size_t i, const Trial& trial) {
    const FlowContact& contact = start.contacts[i];
    const Motion startA = motionOf(start, contact.a), startB = motionOf(start, contact.b);
    const Motion a = motionOf(trial.end, contact.a), b = motionOf(trial.end, contact.b);
    if (contact.isRoundOnBox() && nearestPart(contact, a, b) != nearestPart(contact, startA, startB)) return false;
    if (trial.state.contacts[i].impulse == 0) return true;
    if (contact.ownerRadius > 0) {
        const Eigen::Vector3d before = measureContact(contact, startA, startB).normal;
        if (before.cross(measureContact(contact, a, b).normal).norm() > kFixedTurn) return false;
    }
    return faceOverlap(contact, a, b) > 0;
}

/// Speed that an impulse along a contact gives its bodies towards each other, but for how they turn.
double speedBy(const FlowNetwork& network, const FlowContact& contact, double impulse) {
    double inverse = 0;
    for (const int body : {contact.a, contact.b}) {
        if (body != kWorld) inverse += network.bodies[static_cast<std::size_t>(body)].inverseMass;
    }
    return inverse * impulse;
}

}  // namespace

double energyInPlay(const FlowNetwork& network, double h, ContactSpace& space) {
    double energy = flow::energy(network);
    for (const FlowBody& body : network.bodies) {
        const double force = body.force.value(h / 2).norm();
        energy += h * force * (body.velocity.norm() + h / 2 * body.inverseMass * force);
    }
    if (!network.bounded.empty()) energy += motorEnergyInPlay(network, h, space);
    return energy;
}

bool isSame(const std::vector<Vector6>& displacements, const std::vector<Vector6>& last) {
    double largest[] = {0, 0}, change[] = {0, 0};
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        for (int k = 0; k < 2; ++k) {
            largest[k] = std::max(largest[k], displacements[i].segment<3>(3 * k).squaredNorm());
            change[k] = std::max(change[k], (displacements[i] - last[i]).segment<3>(3 * k).squaredNorm());
        }
    }
    return std::sqrt(change[0]) <= kSameDisplacement * std::sqrt(largest[0]) &&
           std::sqrt(change[1]) <= kSameDisplacement * std::sqrt(largest[1]);
}

bool keepsDirections(const FlowNetwork& start, const std::vector<Patch>& patches, const Trial& trial) {
    if (largestTurn(start, trial.state) > kFixedTurn) return false;
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        if (start.elements[e].geometry != Geometry::AlongLine) continue;
        const Eigen::Vector3d before = rowOf(start, e).direction, after = rowOf(trial.end, e).direction;
        if (before.cross(after).norm() > kFixedTurn) return false;
    }
    for (std::size_t i = 0; i < start.contacts.size(); ++i) {
        if (!keepsPlace(start, i, trial)) return false;
    }
    return std::all_of(patches.begin(), patches.end(),
                       [&](const Patch& patch) { return slipsStraight(start, patch, trial); });
}

bool havePulled(const FlowNetwork& network, const std::vector<Patch>& patches, const ContactState& state) {
    double least = 0, largest = 0, fastest = 0;
    for (const Patch& patch : patches) {
        double sum = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) sum += state.contacts[i].impulse;
        least = std::min(least, sum);
        largest = std::max(largest, sum);
        if (sum < 0) fastest = std::max(fastest, speedBy(network, network.contacts[patch.first], -sum));
    }
    if (least == 0) return false;
    const InPlay most = inPlay(network, state);
    if (least < -kMostPull * largest && least < -kNoPull * most.impulse) return true;
    return fastest > kMostPull * most.speed && least < -kRoundedPull * std::max(most.impulse, largest);
}

}  // namespace elasto::flow
