#pragma once
// What a tick needs besides the network, kept from tick to tick.

#include "contact/contact_tick.h"
#include "network_parts.h"
#include "rigid/rigid_tick.h"
#include "straight/row_network.h"
#include "straight/solve_rows.h"
#include "straight/straight_frame.h"
#include "tick_cache.h"

#include <memory>
#include <vector>

namespace elasto {

struct FlowWorkspace::Storage {
    /// For one connected network.
    struct OfPart {
        FlowNetwork network;  ///< the part itself, where it is not the whole network
        TickResult result;    ///< of the part
        flow::StraightFrame frame;
        flow::RowNetwork rows;
        flow::RowState state;
        flow::RowSolver solver;
        flow::RowOutcome outcome;
        flow::RigidSpace turning;
        flow::ContactSpace contacts;
    };

    FlowNetwork withRows;  ///< the network with the rows of its friction
    FlowNetwork moving;    ///< of a tick in pieces, and what a piece of it gave
    TickResult piece;
    flow::NetworkParts parts;
    std::vector<std::unique_ptr<OfPart>> ofParts;
    flow::TickCache steady;  ///< of networks with contacts
};

}  // namespace elasto
