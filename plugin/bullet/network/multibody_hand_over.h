#pragma once
// The end of a tick, from the flow to Bullet's multibodies.

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Before Bullet moves its multibodies: end pose and velocities, and nothing left for Bullet's own step to do.
void writeEnd(const MovedMultiBody& moved);

/// After Bullet has moved them: the end state to the last bit, and the colliders there.
void writeExactly(const MovedMultiBody& moved);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
