#pragma once
// Points in the middle of an edge whose ends touch too.

#include <elasto/precision.h>

#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A point of contact in the world.
struct PointPlace {
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    double gap = 0;
    bool isFlat = false;  ///< a rigid point of what is not round
};

/// Rigid points of flat faces that lie on the straight line between two others of their pair, no nearer than these:
/// whatever they bear their ends bear as well. Where edges of two boxes lie on each other, Bullet finds a point
/// anywhere on them, and what is held at more points than it needs may share its forces in any way.
class PointsBetween {
public:
    /// @param points of a network, in order; they stay so
    void leaveOut(std::vector<ContactPoint>& points);

private:
    std::vector<PointPlace> m_places;  // kept for the storage
    std::vector<char> m_isOne;         // the same
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
