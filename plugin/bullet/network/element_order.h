#pragma once
// An order of elements that does not depend on the order in which they were added. Only elements alike in all of it
// keep that one.

#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

#include <array>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Parameters and inner length, to tell elements apart that sit at the same place.
using LawOrder = std::tuple<std::array<double, kMostParameters>, std::vector<ForceTable::Point>, double>;
LawOrder lawOrder(const ElementCommon& element);
/// Numbers of the placing, to tell elements apart that are on the same links.
std::array<double, 13> placingOrder(const MultiBodyElement& element);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
