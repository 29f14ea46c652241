#pragma once
// A tick whose numbers are not finite is refused before anything has moved, so that no sum is spoilt by it.

#include <elasto/errors.h>
#include <elasto/statistics.h>

#include "network/gather.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// For messages: by its first element.
std::string nameOf(const SolvedNetwork& solved);

/// What the flow has refused, with the name of the element (and which of its bodies) in the place of an index.
InvalidParameter named(const SolvedNetwork& solved, const InvalidNetwork& refused);

/// @throws InvalidParameter naming the element unless the tick's end is finite in Bullet's precision too
void requireFiniteEnd(const SolvedNetwork& solved);

/// @throws InvalidParameter naming the element and its body unless all bodies are at places that are numbers
void requireFiniteBodies(const SolvedNetwork& solved);

/// @throws InvalidParameter naming the network unless its energy at the tick's start and what changed it are finite
void requireFiniteStart(const SolvedNetwork& solved, const EnergyBetweenTicks& between);

/// @throws InvalidParameter naming the network, which was added last, unless all sums are finite
void requireFiniteBook(const SolvedNetwork& solved, const EnergyBook& book);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
