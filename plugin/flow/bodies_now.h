#pragma once
// Motion and response of the bodies of a network at one instant.

#include "geometry.h"

#include <vector>

namespace elasto::flow {

using Vector6 = Eigen::Matrix<double, 6, 1>;  ///< linear and angular part

struct BodiesNow {
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
    static BodiesNow of(const FlowNetwork& network);
    const Motion& at(int body) const {
        static const Motion world;
        return body == kWorld ? world : motions[static_cast<std::size_t>(body)];
    }
    const Eigen::Matrix3d& turnOf(int body) const {
        static const Eigen::Matrix3d world = Eigen::Matrix3d::Identity();
        return body == kWorld ? world : turns[static_cast<std::size_t>(body)];
    }
};

/// Share of the rate of an element's or a joint's row that driven bodies have, which nothing can accelerate: their
/// work.
template <class Link, class Gradient>
double drivenRate(const FlowNetwork& network, const Link& link, const Gradient& row) {
    double rate = 0;
    forEachEnd(link, row, [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        const FlowBody& body = network.bodies[static_cast<std::size_t>(index)];
        if (body.isImmovable()) rate += linear.dot(body.velocity) + angular.dot(body.angularVelocity);
    });
    return rate;
}

}  // namespace elasto::flow
