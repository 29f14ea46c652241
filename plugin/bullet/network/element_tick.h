#pragma once
// What an element does when its tick is over.

#include <memory>

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The element takes over its end state and its bodies' states, fills its joint feedback, adds its heat, and breaks
/// where Bullet's breaking threshold says so.
/// @param index of the element in the network
void finishElement(const std::shared_ptr<const SolvedNetwork>& solved, std::size_t index);

/// The same for an element on a multibody: its end state and heat.
void finishMultiBodyElement(const SolvedNetwork& solved, std::size_t index);

/// Heat ports: the tick's heat of every element. Each port's tick begins once.
void addHeat(const std::vector<std::shared_ptr<SolvedNetwork>>& networks);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
