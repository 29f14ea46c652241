#pragma once
/// @file joint_hold.h
/// Position servos for a robot that has none, so that its joints stay where one puts them.

#include "input.h"

#include <elasto/robot/robot_drives.h>

#include <Eigen/Geometry>

#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A servo on every joint that one number moves and that follows no other one.
///
/// A joint without a motor gets a spring and damper between its links, c (w - q) - d v, which acts at every instant and
/// is exact at any tick. A joint with a motor is held by that motor, whose rotor the servo reads at the start of each
/// tick; the torque that holds the joint against gravity is added.
class JointHold {
public:
    /// All let go. @param drives what else moves the robot's motors
    JointHold(Robot& robot, const RobotScene& scene, const RobotDrives& drives);
    JointHold(const JointHold&) = delete;
    JointHold& operator=(const JointHold&) = delete;

    /// Holds joints from the next tick on. @param joints as many as the description has; those with c = 0 are free.
    /// Empty: all are let go. @throws InvalidParameter unless all are finite, with c and d >= 0; nothing is changed
    /// then
    void hold(const std::vector<HeldJoint>& joints);
    const std::vector<HeldJoint>& held() const { return m_held; }  ///< as hold(); empty: let go
    /// Before each tick: motors read their rotors.
    void look();

    /// What holds each joint where it is now. Per joint, with I its inertia [kg.m^2, kg], L the robot's size [m] and
    /// g = 9.80665 m/s^2:
    ///
    ///     omega = sqrt(g / (0.01 L)),   c = omega^2 I,   d = 2 omega I
    ///
    /// so that the servo is critically damped, and what it holds sags by a hundredth of the robot's size under its
    /// weight, however large the robot is. I is that of all that the joint carries, turned about its axis as it stands
    /// now; of a robot with a free base that of all else, if that is more, for it may stand on what the joint carries;
    /// and a motor's rotor by the square of its ratio. Of a motor d is at most half of its rotor's inertia per tick, so
    /// that it is held in the play of its gear too, and c = d^2 / (4 I).
    /// @param h tick [s]
    static std::vector<HeldJoint> holding(const Robot& robot, double h);

private:
    struct Motor {
        MultiBodyElement* element;
        int joint;
        double ratio;
        double effort = 0;  ///< on the joint's side of the gear [N.m, N]
    };

    Robot& m_robot;
    std::vector<MultiBodyElement*> m_springs;  ///< by joint; null: it has a motor, or cannot be held
    std::vector<Motor> m_motors;
    std::vector<HeldJoint> m_held;
    RobotEfforts m_gravity;  ///< kept for its storage
};

/// The spring and damper of a JointHold: no element of the robot, and not shown as one.
class HoldElement final : public MultiBodyElement {
public:
    using MultiBodyElement::MultiBodyElement;
};

/// The box around a robot's collision shapes and the frames of its links, where it is now [m].
Eigen::AlignedBox3d boundsOf(const Robot& robot);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
