#pragma once
/// @file finest_tick.h
/// How well a tick can be solved at all: what other ways to solve it are compared with.

#include <elasto/flow.h>

namespace elasto::tools {

/// In so many parts it is solved (auditTick): more of them change nothing that is seen.
inline constexpr int kFinestParts = 64;

/// With a hundred times the budget, and exactly as far as that goes.
FlowSettings withGreatBudget(FlowSettings settings);

}  // namespace elasto::tools
