#pragma once
// Bullet's solver rows of multibodies that the flow moves.

#include <elasto/precision.h>

#include <vector>

class btMultiBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

/// Makes all rows of these multibodies (contacts, friction, limits, motors) do nothing.
void disable(SolverGroup& group, const std::vector<btMultiBody*>& bodies);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
