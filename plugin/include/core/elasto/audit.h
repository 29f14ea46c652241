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

/// Solves a tick again in parts, halves at first, each with the whole budget, and with sub-steps that are shorter by
/// as much where the implicit step was used. Networks that were left to that by a pause are tried exactly. Changes
/// neither the network nor the tick.
/// @param tick what solveTick gave of the network, h and the settings
/// @param workspace any: the next tick gives the same bits, whatever it was used for
/// @param end of the last part @param parts >= 1 @throws InvalidParameter as solveTick
ELASTO_API TickAudit auditTick(const FlowNetwork& network, double h, const FlowSettings& settings,
                               const TickResult& tick, FlowWorkspace& workspace, TickResult& end, int parts = 2);
/// The same of trees.
ELASTO_API TickAudit auditTick(const TreeNetwork& network, double h, const FlowSettings& settings,
                               const TreeTickResult& tick, TreeWorkspace& workspace, TreeTickResult& end,
                               int parts = 2);

}  // namespace elasto
