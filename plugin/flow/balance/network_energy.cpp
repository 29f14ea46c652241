#include "balance/network_energy.h"

#include "balance/network_state.h"
#include "balance/tuning.h"
#include "bodies/geometry.h"
#include "law/hybrid_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

double kineticEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowBody& body : network.bodies) {
        if (!body.isImmovable()) energy += kineticEnergy(body, Motion::of(body));
    }
    return energy;
}

double storedEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        energy += storedEnergy(element.law, rowOf(network, e).s, element.s_damper);
    }
    return energy;
}

double storedRounding(const FlowNetwork& network) {
    constexpr double kOfPose = 8 * std::numeric_limits<double>::epsilon();
    double rounding = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const Row row = rowOf(network, e);
        const HybridLaw law = HybridLaw::from(element.law);
        const double f =
            forceInPhase(law, classify(law, row.s, row.v, 0, element.s_damper), row.s, row.v, element.s_damper);
        const double reach = std::max({std::abs(row.s), row.pointA.norm(), row.pointB.norm()});
        rounding += std::abs(f) * kOfPose * reach;
    }
    return rounding;
}

double forceWork(const FlowBody& body, const Eigen::Vector3d& displacement) {
    double work = 0;
    for (int k = 0; k < 3; ++k) {
        work += body.inverseMass * body.linearFactor[k] > 0 ? body.force.constant[k] * displacement[k] : 0;
    }
    return work;
}

double softWork(const FlowNetwork& from, const FlowNetwork& to, double h) {
    double work = 0;
    for (std::size_t e = 0; e < from.elements.size(); ++e) {
        const FlowElement& element = from.elements[e];
        const HybridLaw law = HybridLaw::from(element.law);
        const double s = rowOf(from, e).s, end = rowOf(to, e).s;
        if (law.kind == HybridLaw::Kind::Contact) {
            const auto stored = [&](double at) {
                return energyInPhase(law, classify(law, at, 0, 0, element.s_damper), at, 0);
            };
            if (stored(end) > stored(s)) return 0;
            continue;
        }
        const double force = forceInPhase(law, classify(law, s, 0, 0, element.s_damper), s, 0, element.s_damper);
        work += std::max(force * (end - s), 0.);
    }
    for (std::size_t i = 0; i < from.bodies.size(); ++i) {
        const FlowBody& body = from.bodies[i];
        if (!(body.inverseMass > 0)) continue;
        const double speed = (to.bodies[i].position - body.position).norm() / h;
        work += speed * speed / (2 * body.inverseMass);
    }
    return work;
}

double shiftWork(const FlowNetwork& from, const FlowNetwork& to) {
    double work = 0;
    for (std::size_t i = 0; i < from.bodies.size(); ++i) {
        const FlowBody& body = from.bodies[i];
        if (body.isImmovable()) continue;
        const Eigen::AngleAxisd turn(to.bodies[i].orientation * body.orientation.conjugate());
        work += forceWork(body, to.bodies[i].position - body.position);
        for (int k = 0; k < 3; ++k) {
            work += body.angularFactor[k] > 0 ? body.torque.constant[k] * turn.angle() * turn.axis()[k] : 0;
        }
    }
    return work;
}

double loadEnergy(const FlowNetwork& network, double h) {
    double sum = 0;
    for (const FlowBody& body : network.bodies) {
        const Eigen::Vector3d force = body.force.impulse(h);
        const Eigen::Vector3d torque = body.torque.impulse(h);
        sum += 0.5 * force.dot(linearResponse(body, force));
        sum += 0.5 * torque.dot(loadResponse(body, body.orientation, torque));
    }
    return sum;
}

namespace {

/// Kinetic energy that the bodies would have if they moved and turned as fast as what drives them: driven ones, and
/// others along and about locked axes.
double drivenEnergy(const FlowNetwork& network) {
    double speed = 0, spin = 0;
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const Vector6 carried = carriedMotion(network.bodies[i]);
        if (carried.isZero(0)) continue;
        double lever = 0;
        const auto reach = [&](const auto& link) {
            if (link.a == static_cast<int>(i)) lever = std::max(lever, link.pointA.norm());
            if (link.b == static_cast<int>(i)) lever = std::max(lever, link.pointB.norm());
        };
        std::for_each(network.elements.begin(), network.elements.end(), reach);
        std::for_each(network.joints.begin(), network.joints.end(), reach);
        std::for_each(network.bounded.begin(), network.bounded.end(), reach);
        const double turning = carried.tail<3>().norm();
        speed = std::max(speed, carried.head<3>().norm() + turning * lever);
        spin = std::max(spin, turning);
    }
    double inertia = 0;
    for (const FlowBody& body : network.bodies) {
        if (isTurnable(body) && body.inverseInertia.minCoeff() > 0) inertia += 1 / body.inverseInertia.minCoeff();
    }
    return 0.5 * (massOf(network) * speed * speed + inertia * spin * spin);
}

/// Work that could be done against the elements within a time at the speeds that the bodies have.
double pressingWork(const FlowNetwork& network, double h) {
    double work = 0;
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const Row row = rowOf(network, e);
        double rate = 0;
        forEachEnd(element, row, [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            const FlowBody& end = network.bodies[static_cast<std::size_t>(body)];
            rate += linear.norm() * end.velocity.norm() + angular.norm() * end.angularVelocity.norm();
        });
        double force = 0;
        for (const double side : {-rate, rate}) {
            force = std::max(force, std::abs(evaluate(element.law, row.s + h * side, side, element.s_damper).f));
        }
        work += force * h * rate;
    }
    return work;
}

}  // namespace

double energyAt(const FlowNetwork& network, double speed) {
    double mass = 0;
    for (const FlowBody& body : network.bodies) mass += body.inverseMass > 0 ? 1 / body.inverseMass : 0;
    return mass * speed * speed / 2;
}

double mostBrought(const FlowNetwork& network, double h) {
    if (!isDrivenThroughJoints(network)) return std::numeric_limits<double>::infinity();
    return kMostBrought * (energy(network) + loadEnergy(network, h) + pressingWork(network, h) + drivenEnergy(network));
}

}  // namespace elasto::flow
