#pragma once
// Ways that put bodies right without loading a spring, found for all rows at once: where sweeps, which share loads out
// slowly, find none.

#include "contact/contact_active_set.h"

#include <elasto/flow.h>

#include <span>
#include <vector>

namespace elasto::flow {

struct DepenetrationQpSpace {
    FlowNetwork network;
    ContactFrame frame;
    ContactTask task;
    ContactModes modes;
    ModesSpace search;
    long work = 0;  ///< that the last use took [ns, see numerics/cost_model.h]
};

/// What bodies are to do.
struct WantedDisplacements {
    std::span<const double> joints;    ///< changes of their rows' values
    std::span<const double> bounded;   ///< of limits' coordinates: at least, on their side; motors' are not read
    std::span<const double> contacts;  ///< of gaps: at least
};

/// @param bodies of the network, as they are
/// @return by body, or null if nothing fits, or bodies would go far: no element that holds energy is loaded more (in
/// first order), no limit and no contact pulls
const std::vector<Vector6>* waysPastSprings(const FlowNetwork& network, const BodyKinematics& bodies,
                                            const WantedDisplacements& wanted, DepenetrationQpSpace& space);

}  // namespace elasto::flow
