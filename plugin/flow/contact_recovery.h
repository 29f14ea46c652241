#pragma once
// Bodies that were found inside each other.

#include "contact_sweeps.h"

namespace elasto::flow {

struct Recovery {
    double way = 0;     ///< largest displacement of a body [m]
    double energy = 0;  ///< mechanical energy, that of constant loads included, that it brought in [J]
    double paid = 0;    ///< of that, what contacts had taken in the tick [J]
    long work = 0;      ///< that it took [ns, see work_prices.h]
};

/// Storage, kept from one use to the next.
struct RecoverySpace {
    std::vector<double> wanted;
    std::vector<Vector6> ways, freeWays;
    BodiesNow bodies;
    ContactFrame frame;
    ContactSweeps sweeps;
    FlowNetwork moved;
};

/// Moves bodies that penetrate each other apart by a share of the depth, and together whose joints are apart, without
/// velocity. Elements are loaded by it with no more than contacts have taken in the tick, as springs have that pulled
/// bodies into each other, and on bodies at rest or with joints that are open with no more than lifting them would
/// cost: where a stiff one is in the way, the bodies move less, or not at all.
/// @param loss energy that contacts have taken in the tick [J]
Recovery recoverPenetration(FlowNetwork& network, double loss, RecoverySpace& space);

}  // namespace elasto::flow
