#pragma once
/// @file controls.h
/// Brings inputs into a world, and keeps what they set that a snapshot of the world does not hold.

#include "input.h"
#include "movable.h"

#include <elasto/scene/scene_world.h>

#include <map>
#include <optional>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Spring and damper that pull a point of a body (or turn a body): chosen from its inertia so that it answers within
/// about a third of a second at any size, critically damped.
struct DragConstants {
    double c = 0;
    double d = 0;
};
DragConstants dragConstants(const Movable& body, const Eigen::Vector3d& point);
DragConstants turnConstants(const Movable& body);

/// What the inputs so far have set.
struct Controls {
    std::optional<DragBegin> drag;  ///< with its present target
    std::optional<TurnBegin> turn;  ///< with its present orientation
    int iterations = 10;
    Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
    std::map<int, double> targets;  ///< of servos of robots, by joint, in the place of the robot scene's
    std::vector<HeldJoint> held;    ///< by joint; empty: none is

    /// Those of a scene before any input.
    static Controls of(const Scene& scene);
    /// Takes over what an action sets here.
    void take(const Action& action);
    /// Puts iterations, gravity and the targets of robots into a world whose bodies have their own gravity already.
    void putSettings(SceneWorld& world) const;

private:
    void takeTarget(int joint, std::optional<double> target);
    void putTargets(const SceneWorld& world) const;
};
/// Holds joints of a world's robots, or lets them go. @param held by joint of playedJoints(); empty: none is
/// @throws InvalidParameter as JointHold::hold
void holdJoints(const std::vector<HeldJoint>& held, const SceneWorld& world);

/// Force of the drag spring on the body over the next tick [N], from the body's present state. It is that of the tick's
/// end in the implicit Euler sense, so that no stiffness and no tick length makes it unstable.
Eigen::Vector3d dragForce(const DragBegin& drag, const Movable& body, double h);
/// Torque of the turning spring [N.m], likewise.
Eigen::Vector3d turnTorque(const TurnBegin& turn, const Movable& body, double h);

/// Makes an action happen in the world: bodies, elements and motors. Drags only wake the body.
/// @param balls index of the first ball among the world's bodies
/// @throws InvalidParameter naming what is not acceptable; nothing is changed then
void perform(const Action& action, SceneWorld& world, std::size_t balls);
/// Applies the forces of drags for one tick; before each.
void pull(const Controls& controls, SceneWorld& world);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
