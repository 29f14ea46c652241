#pragma once
// The end of a tick, from the flow to Bullet's bodies.

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// As Bullet rounds them.
void setVelocities(btRigidBody& body, const BodyState& state);

/// Before Bullet moves its bodies: they get their end velocity, and the pose from which Bullet's own integration leads
/// to the end pose. Bullet's motion clamping is switched off, as it would sweep from that pose.
void writeVelocities(SolvedNetwork& solved, btScalar bulletH);

/// Gives the user's threshold for motion clamping back.
void restoreMotionClamping(SolvedNetwork& solved);

/// After Bullet has moved its bodies: they get the end pose itself, to the last bit, and their end velocity.
void writePoses(const SolvedNetwork& solved);

/// So that Bullet draws a straight line from the start pose to the end pose: motion states between two ticks are
/// extrapolated back from the end pose with the interpolation velocities, which Bullet has set to the end velocity.
/// @param hasLatency getLatencyMotionStateInterpolation(); without it Bullet extrapolates ahead, and holds the end pose
void setDrawnMotion(const SolvedNetwork& solved, double h, bool hasLatency);
void setDrawnMotion(btRigidBody& body, const BodyState& start, const BodyState& end, double h, bool hasLatency);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
