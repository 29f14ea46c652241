#pragma once
// Who sees each tick's end before the user is called back.

#include <elasto/precision.h>

#include <LinearMath/btScalar.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class TickWatcher {
public:
    virtual ~TickWatcher() = default;
    /// All bodies and elements are at the end of a tick of h [s]; nobody was called back yet.
    virtual void tickEnds(btScalar h) = 0;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
