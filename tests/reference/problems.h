#pragma once
// Short ways to write small problems.

#include <elasto/reference/reference.h>

#include <vector>

namespace elasto::test {

/// n + 1 times from 0 to end, evenly.
inline std::vector<double> evenTimes(double end, int n) {
    std::vector<double> times;
    for (int i = 0; i <= n; ++i) times.push_back(end * i / n);
    return times;
}

/// A ball of mass m [kg] at a point, moving; under a constant force.
inline FlowBody ball(double m, const Eigen::Vector3d& position, const Eigen::Vector3d& velocity = {0, 0, 0},
                     const Eigen::Vector3d& force = {0, 0, 0}) {
    FlowBody body;
    body.inverseMass = 1 / m;
    body.inverseInertia.setConstant(2.5 / m / 0.01);  // radius 0.1 m
    body.position = position;
    body.velocity = velocity;
    body.force.constant = force;
    return body;
}

/// An element from a to b (indices, or kWorld) at points in their frames.
inline FlowElement between(const Law& law, Geometry geometry, int a, const Eigen::Vector3d& pointA, int b,
                           const Eigen::Vector3d& pointB) {
    FlowElement element{.law = law};
    element.geometry = geometry;
    element.a = a;
    element.b = b;
    element.pointA = pointA;
    element.pointB = pointB;
    return element;
}

/// An element along the world's x axis from the origin to the centre of body 0.
inline FlowElement fromOrigin(const Law& law) {
    return between(law, Geometry::AlongAxis, kWorld, {0, 0, 0}, 0, {0, 0, 0});
}

/// Kinetic energy of a body [J].
inline double kineticEnergy(const FlowBody& body, const BodyState& state) {
    double energy = state.velocity.squaredNorm() / body.inverseMass / 2;
    const Eigen::Vector3d w = state.orientation.conjugate() * state.angularVelocity;
    for (int i = 0; i < 3; ++i)
        if (body.inverseInertia[i] > 0) energy += w[i] * w[i] / body.inverseInertia[i] / 2;
    return energy;
}

/// Angular momentum of a body about the world's origin [kg.m^2/s].
inline Eigen::Vector3d angularMomentum(const FlowBody& body, const BodyState& state) {
    const Eigen::Vector3d w = state.orientation.conjugate() * state.angularVelocity;
    return state.position.cross(state.velocity) / body.inverseMass +
           state.orientation * w.cwiseQuotient(body.inverseInertia);
}

}  // namespace elasto::test
