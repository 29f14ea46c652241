#include "balance/centroidal.h"

#include "balance/network_state.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

Eigen::Matrix3d axesOf(const FlowBody& body) {
    return body.orientation.toRotationMatrix();
}

bool isOneOf(const std::vector<CarriedRotor>& rotors, const FlowNetwork& network, const FlowBody& body) {
    const auto index = static_cast<std::size_t>(&body - network.bodies.data());
    return std::any_of(rotors.begin(), rotors.end(), [&](const CarriedRotor& rotor) { return rotor.body == index; });
}

}  // namespace

bool isFreeFloating(const FlowNetwork& network) {
    const std::vector<CarriedRotor> rotors = carriedRotors(network);
    const auto isCarrier = [&](const FlowBody& body) {
        const auto index = static_cast<std::size_t>(&body - network.bodies.data());
        return std::any_of(rotors.begin(), rotors.end(),
                           [&](const CarriedRotor& rotor) { return rotor.carrier == index; });
    };
    const auto isRigid = [&](const FlowBody& body) {
        const Eigen::Vector3d& i = body.inverseInertia;
        const bool isIsotropic = i[0] == i[1] && i[1] == i[2];  // it has no gyroscopic term
        if (body.isImmovable() || isOneOf(rotors, network, body)) return true;
        // Rotors that are no bodies have a momentum that nobody counts.
        if (!body.spinMomentum.isZero(0) && !isCarrier(body)) return false;
        return (body.gyroscopic || isIsotropic) && i.minCoeff() > 0 && body.angularFactor == Eigen::Vector3d::Ones();
    };
    // Such a row ties rates in the world, without a carrier that would take the rest of its moments.
    const auto isGear = [](const HeldRow& row) { return row.kind == HeldRow::Kind::Gear; };
    return isFloating(network) && std::all_of(network.bodies.begin(), network.bodies.end(), isRigid) &&
           std::none_of(network.joints.begin(), network.joints.end(), isGear);
}

Centroidal Centroidal::of(const FlowNetwork& network) {
    Centroidal all;
    const std::vector<CarriedRotor> rotors = carriedRotors(network);
    const auto isLeftOut = [&](const FlowBody& body) { return body.isImmovable() || isOneOf(rotors, network, body); };
    for (const FlowBody& body : network.bodies) {
        if (isLeftOut(body)) continue;
        const double mass = 1 / body.inverseMass;
        all.mass += mass;
        all.center += mass * body.position;
        all.momentum += mass * body.velocity;
    }
    if (!(all.mass > 0)) return all;
    all.center /= all.mass;
    const Eigen::Vector3d velocity = all.momentum / all.mass;
    for (const FlowBody& body : network.bodies) {
        if (isLeftOut(body)) continue;
        const double mass = 1 / body.inverseMass;
        const Eigen::Vector3d arm = body.position - all.center;
        const Eigen::Matrix3d axes = axesOf(body);
        const Eigen::Matrix3d own = axes * body.inverseInertia.cwiseInverse().asDiagonal() * axes.transpose();
        all.moment += mass * arm.cross(body.velocity - velocity) + own * body.angularVelocity;
        all.inertia += own + mass * (arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose());
    }
    for (const CarriedRotor& rotor : rotors) {
        const Eigen::Vector3d axis = rotor.axisNow(network.bodies[rotor.carrier].orientation);
        const double inertia = rotor.carried * rotor.carried * rotor.inertia;  // about the carrier's axis
        all.moment += rotor.inertia * rotor.momentOf(network.bodies[rotor.body].angularVelocity) * axis;
        all.inertia += inertia * axis * axis.transpose();
    }
    return all;
}

Eigen::Vector3d Centroidal::spin(const Eigen::Vector3d& ofMoment) const {
    return inertia.inverse() * ofMoment;
}

CommonMotion CommonMotion::of(const Centroidal& network) {
    return {network.center, network.momentum / network.mass, network.spin(network.moment)};
}

void CommonMotion::addTo(FlowNetwork& network, double share) const {
    const std::vector<CarriedRotor> rotors = carriedRotors(network);
    for (FlowBody& body : network.bodies) {
        if (isOneOf(rotors, network, body)) continue;
        body.velocity += share * (velocity + spin.cross(body.position - center));
        body.angularVelocity += share * spin;
    }
    for (const CarriedRotor& rotor : rotors) {
        const double turning = spin.dot(rotor.axisNow(network.bodies[rotor.carrier].orientation));
        network.bodies[rotor.body].angularVelocity += share * rotor.carried * turning * rotor.ownAxis;
    }
}

void CentroidalBalance::begin(const FlowNetwork& start) {
    m_isFreeFloating = flow::isFreeFloating(start);
    m_start = m_isFreeFloating ? Centroidal::of(start) : Centroidal();
    m_isFreeFloating &= m_start.mass > 0;
}

double CentroidalBalance::project(FlowNetwork& now, const FlowNetwork& start, double t,
                                  const Eigen::Vector3d& moment) const {
    if (!m_isFreeFloating) return 0;
    Eigen::Vector3d momentum = m_start.momentum;
    for (const FlowBody& body : start.bodies) {
        if (!body.isImmovable()) momentum += body.force.impulse(t);
    }
    const Centroidal found = Centroidal::of(now);
    const Eigen::Vector3d displacement = found.center - m_start.center;
    const Eigen::Vector3d wanted = m_start.moment + moment - displacement.cross(momentum);
    const CommonMotion missing{found.center, (momentum - found.momentum) / found.mass,
                               found.spin(wanted - found.moment)};
    missing.addTo(now, 1);
    return std::sqrt(missing.velocity.squaredNorm() + missing.spin.dot(found.inertia * missing.spin) / found.mass);
}

}  // namespace elasto::flow
