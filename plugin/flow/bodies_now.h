#pragma once
// Motion and response of the bodies of a network at one instant.

#include "geometry.h"

#include <vector>

namespace elasto::flow {

using Vector6 = Eigen::Matrix<double, 6, 1>;  ///< linear and angular part

struct BodiesNow {
    std::vector<Motion> motions;
    std::vector<Eigen::Matrix3d> inverses;  ///< of movable bodies: inverse inertia in the world frame

    static BodiesNow of(const FlowNetwork& network);
    const Motion& at(int body) const {
        static const Motion world;
        return body == kWorld ? world : motions[static_cast<std::size_t>(body)];
    }
};

}  // namespace elasto::flow
