#pragma once
/// @file audit.h
/// A tick that is solved again in a finer way, to see how far off it was.

#include <elasto/export.h>
#include <elasto/flow.h>
#include <elasto/flow_tree.h>

namespace elasto {

/// The largest way by which a tick of h [s] ends elsewhere than another one: of the elements' coordinates [m, rad], of
/// the bodies' places [m] and turns [rad], and of their rates times h.
/// @param other of the same network
ELASTO_API double endDifference(const TickResult& tick, const TickResult& other, double h);
/// The same of trees: coordinates are those of their joints and rotors too.
ELASTO_API double endDifference(const TreeTickResult& tick, const TreeTickResult& other, double h);

/// What an audit found.
struct TickAudit {
    /// endDifference of the tick and of its parts. Of halves, and a method of order p, the tick's own error is
    /// 2^p / (2^p - 1) times that: twice for backward Euler, 4/3 for the implicit step.
    double difference = 0;
    double cost = 0;  ///< of the parts, in units of TickResult::cost
};

/// Storage for audits, kept from one to the next: where it sees networks of the same size nothing is allocated.
struct AuditSpace {
    FlowWorkspace workspace;  ///< of the parts
    FlowNetwork part;         ///< at the start of the present one
    TickResult end;           ///< of the last one
};
/// The same for trees.
struct TreeAuditSpace {
    TreeWorkspace workspace;  ///< of the parts
    TreeNetwork part;         ///< at the start of the present one
    TreeTickResult end;       ///< of the last one
};

/// Solves a tick again in parts, halves at first, each with the whole budget, and with sub-steps that are shorter by
/// as much where the implicit step was used. Changes neither the network nor the tick.
/// @param tick what solveTick gave of the network, h and the settings @param space any; `end` is the last part's
/// @param parts >= 1 @throws InvalidParameter as solveTick
ELASTO_API TickAudit auditTick(const FlowNetwork& network, double h, const FlowSettings& settings,
                               const TickResult& tick, AuditSpace& space, int parts = 2);
/// The same of trees.
ELASTO_API TickAudit auditTick(const TreeNetwork& network, double h, const FlowSettings& settings,
                               const TreeTickResult& tick, TreeAuditSpace& space, int parts = 2);

}  // namespace elasto
