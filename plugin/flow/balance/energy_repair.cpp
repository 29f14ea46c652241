#include "balance/energy_repair.h"

#include "balance/centroidal.h"
#include "balance/network_energy.h"

#include <cmath>

namespace elasto::flow {

namespace {

/// By a damping impulse along the rates of the elements that pushed.
double dampElements(FlowNetwork& network, double wanted, Eigen::VectorXd& impulses, DampingSpace& space,
                    const std::vector<int>& held) {
    readRows(network, space.rows);
    Eigen::VectorXd& rates = space.rates;
    rates.setZero(impulses.size());
    for (Eigen::Index e = 0; e < rates.size(); ++e) {
        if (impulses[e] != 0) rates[e] = space.rows[static_cast<std::size_t>(e)].v;
    }
    if (rates.isZero(0)) return 0;
    space.responses.find(network, space.rows, space.hold, held);
    // Where joints let nothing move, rates are rounding, and impulses change no motion: they take no energy.
    for (Eigen::Index e = 0; e < rates.size(); ++e) {
        if (space.responses.isBlocked(static_cast<std::size_t>(e))) rates[e] = 0;
    }
    const double B = rates.squaredNorm();
    if (!(B > 0) || !std::isfinite(B)) return 0;
    space.responses.inverseMass(space.inverseMass);
    space.changes.noalias() = space.inverseMass * rates;
    const double A = rates.dot(space.changes);
    const double theta = dampingShare(A, B, wanted);
    const double before = kineticEnergy(network);
    rates *= theta;
    for (Eigen::Index e = 0; e < rates.size(); ++e) {
        const ReducedLaw law = reduced(network.elements[static_cast<std::size_t>(e)].law);
        const double impulse = impulses[e] + rates[e];
        const bool pulls = law.pushesOnly() && impulse > 0;
        const bool pushes = law.pullsOnly() && impulse < 0;
        if (pulls || pushes) rates[e] = -impulses[e];  // which it never does
    }
    space.responses.apply(network, rates);
    impulses += rates;
    return before - kineticEnergy(network);
}

/// The motion of the network that its bodies' own kinetic energy does not count: that of a free-floating one has its
/// momenta.
CommonMotion motionOfCarrier(const FlowNetwork& network) {
    if (isFreeFloating(network)) {
        const Centroidal common = Centroidal::of(network);
        if (common.mass > 0) return CommonMotion::of(common);
    }
    CommonMotion motion;
    motion.velocity = restVelocity(network);
    return motion;
}

/// Speeds bodies up or slows them down alike, which changes their kinetic energy by the factor's square: not along axes
/// that their factors lock, where nothing can change their motion.
void scaleMotion(FlowNetwork& network, double factor) {
    for (FlowBody& body : network.bodies) {
        if (body.isImmovable()) continue;
        Vector6 motion = velocitiesOf(body);
        motion += (factor - 1) * changeableMotion(body, motion);
        body.velocity = motion.head<3>();
        body.angularVelocity = motion.tail<3>();
    }
}

}  // namespace

Eigen::Vector3d carriedVelocity(const FlowNetwork& network) {
    return motionOfCarrier(network).velocity;
}

double slowDown(FlowNetwork& network, double wanted, double largestShare) {
    const double kinetic = kineticEnergy(network);
    if (!(wanted > 0 && wanted <= largestShare * kinetic)) return 0;
    scaleMotion(network, std::sqrt(1 - wanted / kinetic));
    return kinetic - kineticEnergy(network);
}

double takeEnergy(FlowNetwork& network, double wanted, double largestShare, Eigen::VectorXd& impulses, double& work,
                  const std::vector<int>& held) {
    DampingSpace space;
    return takeEnergy(network, wanted, largestShare, impulses, work, space, held);
}

double takeEnergy(FlowNetwork& network, double wanted, double largestShare, Eigen::VectorXd& impulses, double& work,
                  DampingSpace& space, const std::vector<int>& held) {
    // Seen from what carries the network, which then does no work.
    const Eigen::Vector3d before = momentum(network);
    const CommonMotion carried = motionOfCarrier(network);
    carried.addTo(network, -1);
    double taken = dampElements(network, wanted, impulses, space, held);
    taken += slowDown(network, wanted - taken, largestShare);
    carried.addTo(network, 1);
    work += carried.velocity.dot(momentum(network) - before);
    return taken;
}

void giveEnergy(FlowNetwork& network, double wanted, double largestShare) {
    if (!(wanted > 0)) return;
    const CommonMotion carried = motionOfCarrier(network);
    carried.addTo(network, -1);
    const double kinetic = kineticEnergy(network);
    if (wanted <= largestShare * kinetic) scaleMotion(network, std::sqrt(1 + wanted / kinetic));
    carried.addTo(network, 1);
}

double dampingShare(double A, double B, double wanted) {
    const double discriminant = B * B - 2 * A * wanted;
    return discriminant > 0 ? 2 * wanted / (B + std::sqrt(discriminant)) : B / A;
}

}  // namespace elasto::flow
