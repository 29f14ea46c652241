#pragma once
/// @file played_joint.h
/// All joints that one plays with: those of the robots that are guests in a scene, as far as one number says where a
/// joint is and it follows no other one. Each has one index.

#include "history.h"
#include "robot_guest.h"

#include <optional>
#include <string>
#include <vector>

namespace elasto::play {

inline namespace ELASTO_BULLET_NAMESPACE {

/// What a joint is, as panels show it.
struct PlayedJoint {
    int robot = 0;     ///< index in robotsOf()
    int joint = 0;     ///< index in RobotDescription::joints
    std::string name;  ///< of several robots with the robot's before it
    /// The part of the name that says which robot it is; empty: there is one.
    std::string prefix = {};
    bool turns = true;  ///< [rad], else [m]
    double lower = 0;   ///< of its range [rad, m]; without one -infinity
    double upper = 0;   ///< the same, +infinity
    /// What its servo wants; nothing: it has none.
    std::optional<RobotServo::Mode> servo;
    bool canBeHeld = false;  ///< its robot has no servos: JointHold gives it one
};

/// Those guests of a world that are robots, in its order.
std::vector<RobotGuest*> robotsOf(const SceneWorld& world);
/// Joints of all robots, in their order.
std::vector<PlayedJoint> playedJoints(const SceneWorld& world);
/// What a joint does now.
JointSample sampleOf(const PlayedJoint& joint, const SceneWorld& world);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
