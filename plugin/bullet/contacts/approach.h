#pragma once
// A body over the tick as if its velocities were constant, and where two such bodies first touch.

#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

#include <optional>
#include <vector>

#include "contacts/contact_touch.h"

class btCollisionObject;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct Approach {
    const btCollisionObject* object = nullptr;
    btTransform start = btTransform::getIdentity();
    btVector3 velocity = btVector3(0, 0, 0);  ///< mean over the tick [m/s]
    btVector3 spin = btVector3(0, 0, 0);      ///< [rad/s]; none of a ball, which moves nothing of its surface

    /// As far as a body's motion over h [s] is known before it is solved: its velocity, and what Bullet's forces make
    /// of it.
    static Approach foreseen(const btCollisionObject& object, btScalar h);

    btTransform at(btScalar t) const;
    /// How far its points may go within h [m].
    btScalar way(btScalar h) const;
    /// How far points of the bodies may go against each other within h [m].
    static btScalar displacement(const Approach& a, const Approach& b, btScalar h);
};

/// Distance of the boxes around two bodies as they start [m]: no more than that of the bodies.
btScalar boxDistance(const Approach& a, const Approach& b);

/// True if firstTouch knows such shapes: convex ones with each other, on planes, and on surfaces of triangles.
bool maySweep(const TouchingShape& a, const TouchingShape& b);

/// Where parts of two bodies, which may be swept, first touch within h; empty if they do not, and if they are within
/// kNearAtStart as they start. What is left between them is what the search for the time allows.
std::optional<Touch> firstTouch(const Approach& a, const TouchingShape& shapeA, const Approach& b,
                                const TouchingShape& shapeB, btScalar h);

/// The same of all parts of two bodies of whose touch all points are known.
std::vector<Touch> firstTouches(const Approach& a, const Approach& b, btScalar h);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
