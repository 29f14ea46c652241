#pragma once
// Motion and response of the bodies of a network at one instant.

#include "bodies/direction_rules.h"

#include <vector>

namespace elasto::flow {

using Vector6 = Eigen::Matrix<double, 6, 1>;  ///< linear and angular part

struct BodyKinematics {
    std::vector<Motion> motions;
    std::vector<Eigen::Matrix3d> turns;     ///< their orientations
    std::vector<Eigen::Matrix3d> inverses;  ///< of movable bodies: inverse inertia in the world frame

    void read(const FlowNetwork& network);
    void resize(std::size_t count);
    void set(const FlowBody& body, std::size_t i, const Motion& motion) {
        motions[i] = motion;
        turn(body, i);
    }
    /// Brings what follows from a body's orientation up to date.
    void turn(const FlowBody& body, std::size_t i);
    static BodyKinematics of(const FlowNetwork& network);
    const Motion& at(int body) const {
        static const Motion world;
        return body == kWorld ? world : motions[static_cast<std::size_t>(body)];
    }
    const Eigen::Matrix3d& turnOf(int body) const {
        static const Eigen::Matrix3d world = Eigen::Matrix3d::Identity();
        return body == kWorld ? world : turns[static_cast<std::size_t>(body)];
    }
};

inline Vector6 velocitiesOf(const FlowBody& body) {
    Vector6 u;
    u << body.velocity, body.angularVelocity;
    return u;
}

/// What impulses can change of a body's velocities u: not what it has along or about axes whose factor is 0.
inline Vector6 changeableMotion(const FlowBody& body, const Vector6& u) {
    const bool canTurn = isTurnable(body);
    Vector6 part = Vector6::Zero();
    for (int k = 0; k < 3; ++k) {
        if (body.inverseMass > 0 && body.linearFactor[k] != 0) part[k] = u[k];
        if (canTurn && body.angularFactor[k] != 0) part[3 + k] = u[3 + k];
    }
    return part;
}

/// What a body moves with that nothing can accelerate: a driven one wholly, others along and about locked axes.
inline Vector6 carriedMotion(const FlowBody& body) {
    const Vector6 u = velocitiesOf(body);
    return body.isImmovable() ? u : Vector6(u - changeableMotion(body, u));
}

/// Rate along a row of what nothing can accelerate: all of a driven body's, and what others have along locked axes.
inline double drivenRate(const FlowBody& body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular,
                         const Eigen::Vector3d& v, const Eigen::Vector3d& w) {
    if (body.isImmovable()) return linear.dot(v) + angular.dot(w);
    const bool isFree = body.inverseMass > 0 && isTurnable(body);
    if (isFree && body.linearFactor.all() && body.angularFactor.all()) return 0;  // by far the most
    Vector6 u, gradient;
    u << v, w;
    gradient << linear, angular;
    return gradient.dot(u - changeableMotion(body, u));
}

/// Share of the rate of an element's or a joint's row that nothing can accelerate: what drives it does its work.
template <class Link, class Gradient>
double drivenRate(const FlowNetwork& network, const Link& link, const Gradient& row) {
    double rate = 0;
    forEachEnd(link, row, [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        const FlowBody& body = network.bodies[static_cast<std::size_t>(index)];
        rate += drivenRate(body, linear, angular, body.velocity, body.angularVelocity);
    });
    return rate;
}

}  // namespace elasto::flow
