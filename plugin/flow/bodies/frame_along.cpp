#include <elasto/flow.h>

namespace elasto {

// In a file of its own: Eigen solves for the axis of half a turn, which takes seconds to compile wherever it is used.
Eigen::Quaterniond frameAlong(const Eigen::Vector3d& direction) {
    return Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), direction);
}

}  // namespace elasto
