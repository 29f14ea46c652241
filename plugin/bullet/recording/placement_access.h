#pragma once
// The only one who sets what placements have, to the bit.

#include <elasto/multibody_placement.h>
#include <elasto/placement.h>

#include "recording/build_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class PlacementAccess {
public:
    template <class BodyAt>
    static Placement placementOf(const PlacementRecord& record, const BodyAt& bodyAt) {
        Placement placement(record.geometry, bodyAt(record.bodyA), bodyAt(record.bodyB));
        placement.m_pointA = record.pointA;
        placement.m_pointB = record.pointB;
        placement.m_frameA = record.frameA;
        placement.m_frameB = record.frameB;
        placement.m_axis = record.axis;
        if (record.isGearPair) {
            placement.m_gear = std::make_shared<const Placement::Gear>(
                Placement::Gear{&bodyAt(record.carrier), record.ratio, record.gear});
        }
        if (record.geometry == Geometry::EulerAngle || record.geometry == Geometry::SwingClearance) {
            placement.m_turning =
                std::make_shared<const Placement::Turning>(Placement::Turning{record.turns, record.spans});
        }
        return placement;
    }

    static LinkPlacement placementOf(const PlacingRecord& record, const Flange& a, const Flange& b) {
        LinkPlacement placement(a, b, record.geometry);
        placement.m_pointA = record.pointA;
        placement.m_pointB = record.pointB;
        placement.m_axis = record.axis;
        placement.m_frameA = record.frameA;
        placement.m_frameB = record.frameB;
        return placement;
    }
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
