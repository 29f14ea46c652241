#pragma once
// What is wrong with an element as its first tick begins.

#include <elasto/check.h>
#include <elasto/force_element.h>

#include <span>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds for each of these elements, in their order: that it is in the list twice, that one of its bodies is in another
/// world or in none, that it begins deep inside its stop, that a joint beside it has limits of its own.
/// @param elements of the world, or those that are new
/// @param joints the world's constraints that are no elements
void checkStart(const btDynamicsWorld& world, std::span<const ForceElement* const> elements,
                std::span<const btTypedConstraint* const> joints, std::vector<Problem>& problems);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
