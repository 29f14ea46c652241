#include "bodies/direction_rules.h"

namespace elasto::flow {

bool StartingElement::keepsDirection(const Displacement& a, const Displacement& b) const {
    const auto& [translationA, rotationA] = a;
    const auto& [translationB, rotationB] = b;
    const Eigen::Vector3d& axis = row.direction;
    switch (geometry) {
        case Geometry::AlongAxis: {
            const Eigen::Vector3d across = translationB + rotationB.cross(leverB) - translationA;
            // The transverse motion of b only matters for the moment on a.
            return isParallel(rotationA, axis, kTurnTolerance) &&
                   (!respondsA || isParallel(across, axis, kTurnTolerance));
        }
        case Geometry::AlongLine: {
            const Eigen::Vector3d across =
                translationB + rotationB.cross(leverB) - translationA - rotationA.cross(leverA);
            return row.s > s_small && isParallel(across, axis, kTurnTolerance * row.s) &&
                   isParallel(rotationA, leverA, kTurnTolerance) && isParallel(rotationB, leverB, kTurnTolerance);
        }
        case Geometry::AboutAxis:
            return isParallel(rotationA, axis, kTurnTolerance) && isParallel(rotationB, axis, kTurnTolerance);
        case Geometry::EulerAngle:
        case Geometry::SwingClearance:
        case Geometry::SwingCone:
            return false;
    }
    return false;
}

}  // namespace elasto::flow
