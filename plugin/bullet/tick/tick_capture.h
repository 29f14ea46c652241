#pragma once
// A solved network as a record of its tick.

#include <elasto/precision.h>
#include <elasto/tick_file.h>

#include <string>

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// @param start when the tick began [s] @param label whose it is
TickRecord recordOf(const SolvedNetwork& solved, double start, std::string label);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
