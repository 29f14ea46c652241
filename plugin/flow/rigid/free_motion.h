#pragma once
// Bodies that only their own loads move and turn.

#include "bodies/geometry.h"
#include "rigid/tuning.h"

#include <memory>

namespace elasto::flow {

/// Bodies by themselves, one after another.
class FreeMotion {
public:
    FreeMotion();
    ~FreeMotion();
    FreeMotion(FreeMotion&&) noexcept;
    FreeMotion& operator=(FreeMotion&&) noexcept;

    /// Orientation and angular velocity after h of a body that only its own torque load turns.
    Motion rotation(const FlowBody& body, double h, int maxSteps = kFreeSteps);
    /// State after h of a body that only its own loads move.
    BodyState motion(const FlowBody& body, double h, int maxSteps = kFreeSteps);

private:
    struct Space;
    std::unique_ptr<Space> m_space;  // where a body has needed it
};

inline BodyState freeMotion(const FlowBody& body, double h, int maxSteps = kFreeSteps) {
    return FreeMotion().motion(body, h, maxSteps);
}

}  // namespace elasto::flow
