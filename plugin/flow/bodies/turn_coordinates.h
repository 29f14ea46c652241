#pragma once
// Coordinates of the orientation of one frame against another.

#include "bodies/geometry.h"

namespace elasto::flow {

/// Two frames and their angular velocities, in the world's frame.
struct TurningFrames {
    Eigen::Quaterniond a, b;
    Eigen::Vector3d spinA, spinB;
};

template <class Link>
TurningFrames framesOf(const Link& link, const Motion& a, const Motion& b) {
    return {a.q * link.frameA, b.q * link.frameB, a.w, b.w};
}

struct TurnCoordinate {
    double value = 0;
    Eigen::Vector3d gradient = Eigen::Vector3d::Zero();  ///< rate = gradient . (spinB - spinA), world frame
    double gamma = 0;                                    ///< its second derivative where both spins are constant
};

/// Angle as of Geometry::EulerAngle, in [-pi, pi].
TurnCoordinate eulerAngle(const EulerTurns& turns, const TurningFrames& frames);

/// As of Geometry::SwingClearance.
TurnCoordinate swingClearance(const Eigen::Vector2d& spans, const TurningFrames& frames);

/// As of Geometry::SwingCone.
TurnCoordinate swingCone(const Eigen::Vector2d& spans, const TurningFrames& frames);

}  // namespace elasto::flow
