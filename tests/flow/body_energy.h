#pragma once
// Energy of the flow's bodies, written out a second time.

#include <elasto/flow.h>

namespace elasto::test {

inline double kineticEnergy(const FlowBody& body) {
    double energy = 0.5 * body.velocity.squaredNorm() / body.inverseMass;
    const Eigen::Vector3d w = body.orientation.conjugate() * body.angularVelocity;
    for (int k = 0; k < 3; ++k) {
        if (body.inverseInertia[k] > 0) energy += 0.5 * w[k] * w[k] / body.inverseInertia[k];
    }
    return energy;
}

inline double storedEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowElement& element : network.elements) {
        energy += elasto::storedEnergy(element.law, measure(network, element).s, element.s_damper);
    }
    return energy;
}

}  // namespace elasto::test
