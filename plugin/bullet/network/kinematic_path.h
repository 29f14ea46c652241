#pragma once
// The path of a kinematic body through the substeps of a frame.
//
// In stepSimulation with n substeps Bullet shows every substep the body at the frame's END pose X, with the velocity
// (X - X0) / (n h) from the frame's start pose X0. Substep k of n therefore runs from k/n to (k + 1)/n of that
// displacement.

#include <elasto/element_state.h>
#include <elasto/flow.h>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// The motion of one substep.
struct KinematicStep {
    BodyState start;  ///< with the constant velocities that lead to `end` in h
    BodyState end;    ///< the last substep of a frame ends exactly at Bullet's pose
};

/// The next substep of h [s]; advances the path kept in the cache. Static bodies rest; one that was set elsewhere, or
/// moved while Bullet saw no velocity (asleep), is there at once.
KinematicStep nextSubstep(SavedBody& cache, const btRigidBody& body, double h);

/// Notes where a kinematic or static body stands, so that its first frame starts there.
void startPath(SavedBody& cache, const btRigidBody& body);

/// Where a kinematic or static body is at the end of the last substep, or where Bullet has it if it was set elsewhere.
BodyState immovableState(const SavedBody& cache, const btRigidBody& body);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
