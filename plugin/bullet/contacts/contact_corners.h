#pragma once
// All corners of faces that touch.

#include <elasto/precision.h>

#include <LinearMath/btVector3.h>

#include <span>
#include <vector>

#include "contacts/contact_points.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds to the points of bodies on faces those of their corners that touch there too, or are as near as Bullet would
/// report them: of two boxes that lie on each other those of where the faces overlap.
///
/// Of all but two boxes Bullet finds one point in a tick, the lowest, and forgets the others as soon as they have
/// moved: whoever comes down on two corners at once would fall from one to the other, tremble on them for ever, and
/// sink into a plane faster than it is pushed out. Of two boxes it finds what overlaps: of faces that rounding has left
/// closed two corners may be inside and two outside, and what stands there would tip. Of the up to eight corners it
/// keeps four, in one tick these and in another those.
class FaceCorners {
public:
    /// @param points of a network, in order; they are so afterwards @param info of the world
    /// @return those that were added, until the next call
    std::span<const ContactPoint> addTo(std::vector<ContactPoint>& points, const btContactSolverInfo& info);

private:
    struct Corner {
        ContactPoint point;
        double gap = 0;
        std::size_t index = 0;
    };
    double displacementOf(const ContactPoint& like) const;
    void findOfBoxes(const ContactPoint& like);
    void findOverFace(const ContactPoint& like);
    void findNear(const ContactPoint& like, bool hasBorne);
    void findMissing(std::span<const ContactPoint> pair);

    const btContactSolverInfo* m_info = nullptr;
    std::vector<btVector3> m_all;  // of a shape
    std::vector<ContactPoint> m_corners;
    std::vector<Corner> m_near;
    std::vector<ContactPoint> m_present;  // of a pair
    std::vector<ContactPoint> m_added;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
