#pragma once
// When an element's direction counts as fixed: by each displacement that its bodies can have over a tick, one at a
// time.

#include "bodies/geometry.h"

namespace elasto::flow {

/// Directions may turn by this much in a tick and still count as fixed [rad]: well below what the targets can see and
/// well above what rounding in a pose does.
inline constexpr double kTurnTolerance = 1e-11;

inline bool isParallel(const Eigen::Vector3d& v, const Eigen::Vector3d& axis, double tolerance) {
    return v.cross(axis).squaredNorm() <= tolerance * tolerance;
}

/// True if a moment can turn it.
inline bool isTurnable(const FlowBody& body) {
    return !body.inverseInertia.isZero(0) && !body.angularFactor.isZero(0);
}

/// Of a body.
struct Displacement {
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();
    Eigen::Vector3d rotation = Eigen::Vector3d::Zero();
};

/// An element where the tick starts.
struct StartingElement {
    Geometry geometry;
    double s_small;
    const Row& row;
    Eigen::Vector3d leverA;  ///< of its point on body a, about the centre of mass; the world's is the origin
    Eigen::Vector3d leverB;
    bool respondsA;  ///< a moment can turn body a

    bool keepsDirection(const Displacement& a, const Displacement& b) const;
};

/// Along an axis, b may turn about that axis or about its own lever arm, but not about both in one tick.
class TurnsOfB {
public:
    void add(const StartingElement& element, const Displacement& b) {
        m_aboutAxis &= isParallel(b.rotation, element.row.direction, kTurnTolerance);
        m_aboutLever &= isParallel(b.rotation, element.leverB, kTurnTolerance);
    }
    bool areLegal() const { return m_aboutAxis || m_aboutLever; }

private:
    bool m_aboutAxis = true;
    bool m_aboutLever = true;
};

}  // namespace elasto::flow
