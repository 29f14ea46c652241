#include <elasto/errors.h>
#include <elasto/multibody_placement.h>

#include <string>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

void requireRotation(const char* frame, const btTransform& transform) {
    if (!isRotation(transform.getBasis())) {
        throw InvalidParameter("LinkPlacement", std::string("the basis of ") + frame +
                                                    " is no rotation; its columns must be right-handed unit vectors "
                                                    "at right angles");
    }
}

}  // namespace

LinkPlacement LinkPlacement::alongAxis(const Flange& a, const Flange& b, const btTransform& frameInA,
                                       const btTransform& frameInB) {
    requireRotation("frame A", frameInA);
    LinkPlacement placement(a, b, Geometry::AlongAxis);
    placement.m_pointA = toEigen(frameInA.getOrigin());
    placement.m_pointB = toEigen(frameInB.getOrigin());
    placement.m_axis = toEigen(frameInA.getBasis().getColumn(0)).normalized();
    return placement;
}

LinkPlacement LinkPlacement::alongLine(const Flange& a, const Flange& b, const btVector3& pivotInA,
                                       const btVector3& pivotInB) {
    LinkPlacement placement(a, b, Geometry::AlongLine);
    placement.m_pointA = toEigen(pivotInA);
    placement.m_pointB = toEigen(pivotInB);
    return placement;
}

LinkPlacement LinkPlacement::aboutAxis(const Flange& a, const Flange& b, const btTransform& frameInA,
                                       const btTransform& frameInB) {
    requireRotation("frame A", frameInA);
    requireRotation("frame B", frameInB);
    LinkPlacement placement(a, b, Geometry::AboutAxis);
    placement.m_frameA = rotationOf(frameInA.getBasis());
    placement.m_frameB = rotationOf(frameInB.getBasis());
    placement.m_axis = toEigen(frameInA.getBasis().getColumn(2)).normalized();
    return placement;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
