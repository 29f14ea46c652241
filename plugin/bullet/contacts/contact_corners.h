#pragma once
// Corners on the ground.

#include <elasto/precision.h>

#include <LinearMath/btVector3.h>

#include <span>
#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds to the points of bodies on the faces of immovable ones those of their corners that touch there too. Of all but
/// two boxes Bullet finds one point in a tick, the lowest, and forgets the others as soon as they have moved: whoever
/// comes down on two corners at once would fall from one to the other, tremble on them for ever, and sink into a plane
/// faster than it is pushed out.
class GroundCorners {
public:
    /// @param points of a network, in order; they are so afterwards
    /// @return those that were added, until the next call
    std::span<const ContactPoint> addTo(std::vector<ContactPoint>& points);

private:
    struct Corner {
        ContactPoint point;
        double gap = 0;
        std::size_t index = 0;
    };
    void findNear(const ContactPoint& like, bool hasBorne);
    void findMissing(std::span<const ContactPoint> pair);

    std::vector<btVector3> m_all;  // of a shape
    std::vector<Corner> m_near;
    std::vector<ContactPoint> m_present;  // of a pair
    std::vector<ContactPoint> m_added;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
