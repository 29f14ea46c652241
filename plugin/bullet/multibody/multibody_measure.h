#pragma once
// What an element on a multibody measures at present, outside a tick.

#include <elasto/multibody_element.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class MultiBodyTable;

struct Coordinate {
    double s = 0;  ///< [m, rad]
    double v = 0;  ///< [m/s, rad/s]
};

/// @param table of the element's world, which knows the exact states; null: Bullet's own are all there is
/// @param angle last known one of an element about an axis [rad]
Coordinate measureNow(const MultiBodyElement& element, const MultiBodyTable* table, double angle);
Coordinate measureNow(const JointCoordinate& joint, const MultiBodyTable* table);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
