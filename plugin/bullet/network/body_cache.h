#pragma once
// What an element remembers of one of its bodies (SavedBody): Bullet's own values as the last tick left them, and the
// same state in double precision. The double values hold as long as Bullet's are the same bit for bit, so that nothing
// is lost by Bullet's rounding; anything else was changed by the user, who is right.

#include <elasto/element_state.h>
#include <elasto/flow.h>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Notes Bullet's present values together with the exact state they stand for.
void remember(SavedBody& cache, const btRigidBody& body, const BodyState& exact);

/// The same of a body that holds what Bullet's precision makes of that state.
void remember(SavedBody& cache, const BodyState& exact);

/// True if the body stands where the cache was filled.
bool isPoseRemembered(const SavedBody& cache, const btRigidBody& body);

/// True if it moves as it did then, too.
bool isRemembered(const SavedBody& cache, const btRigidBody& body);

/// The body's present state: exact values where Bullet's are unchanged, Bullet's elsewhere.
BodyState presentState(const SavedBody& cache, const btRigidBody& body);

/// The state that was cached, whatever the body does now.
BodyState rememberedState(const SavedBody& cache);

/// Where a tick of a movable body starts.
struct TickStart {
    BodyState state;
    bool isDamped = false;  ///< its velocity was only made shorter since the last tick, as Bullet's damping does
};

/// As presentState, and sees through the damping that Bullet applies to the velocity at the start of a tick of h [s].
TickStart tickStart(const SavedBody& cache, const btRigidBody& body, btScalar h);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
