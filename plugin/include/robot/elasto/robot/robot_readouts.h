#pragma once
/// @file robot_readouts.h
/// What one reads of a robot: motion of its links, forces in its joints and contacts, sensors.

#include <elasto/export.h>
#include <elasto/plugin.h>
#include <elasto/robot/robot.h>

#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A link now, and what touched it in the last tick. Its frame is the one that the file calls the link's
/// (RobotLink::statedFrame), in which Robot::linkPose is one step away.
struct RobotLinkReadout {
    RobotPose pose;                                             ///< of the frame in the world, now
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();         ///< of the frame's origin now, world axes [m/s]
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();  ///< now, world axes [rad/s]
    /// What an IMU in the frame's origin reads: acceleration less gravity's, mean over the tick, axes of the frame
    /// [m/s2]. 0 in free fall, 9.81 upwards at rest.
    Eigen::Vector3d specificForce = Eigen::Vector3d::Zero();
    Eigen::Vector3d contactForce = Eigen::Vector3d::Zero();     ///< of all contacts, mean over the tick, world axes [N]
    double contactNormalForce = 0;                              ///< sum of the normal forces' sizes [N]
    Eigen::Vector3d contactFriction = Eigen::Vector3d::Zero();  ///< the tangential part of contactForce [N]
    /// Where it is touched: mean of the places, each as much as its normal force, world [m]; 0 without contact.
    Eigen::Vector3d contactPlace = Eigen::Vector3d::Zero();

    /// What a gyroscope reads: angularVelocity in the frame's axes [rad/s].
    Eigen::Vector3d rate() const { return pose.orientation.conjugate() * angularVelocity; }
};

/// What a joint does to the link that it carries, mean over the last tick: of drives, elements, limits, friction and
/// the cut force, all together. In the axes of RobotDescription's frame of that link, which is the joint's.
struct RobotJointReadout {
    Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
    Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< about the frame's origin [N.m]
    /// Share along the coordinate of a joint that has one: the net torque about the axis [N.m], prismatic force [N].
    double effort = 0;
};

/// The robot as a whole, now. Links that a fixed base holds count, but for its own mass.
struct RobotMotion {
    double mass = 0;                                            ///< [kg]
    Eigen::Vector3d centreOfMass = Eigen::Vector3d::Zero();     ///< world [m]
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();         ///< world axes [kg.m/s]
    Eigen::Vector3d angularMomentum = Eigen::Vector3d::Zero();  ///< about the centre of mass, rotors too [kg.m2/s]
    double kineticEnergy = 0;                                   ///< of links and rotors [J]
};

/// Readouts of a robot after each tick. Motion is the Plugin's exact one; without one (before the first tick, of a
/// robot that Bullet moves) it is Bullet's, and forces are 0. Forces: see MultiBodyReadout, which has them for any
/// btMultiBody.
class ELASTO_API RobotReadouts {
public:
    /// Both must outlive it, and be of one world.
    RobotReadouts(const Robot& robot, const Plugin& plugin);

    /// To be called after each tick: stepSimulation with one substep.
    void read() {
        begin();
        add();
    }
    /// A tick that is made in parts: begin, then add after each part. Forces are means over all of them.
    void begin();
    void add();    ///< see begin
    void clear();  ///< there is no last tick: the robot was placed

    const RobotLinkReadout& link(int link) const;     ///< of the description. @throws std::out_of_range
    const RobotJointReadout& joint(int joint) const;  ///< of the description. @throws std::out_of_range
    /// What holds a fixed base, as if a joint did; about 0 of a free one. In the frame of the root link.
    const RobotJointReadout& base() const { return m_base; }
    const RobotMotion& motion() const { return m_motion; }  ///< of all of it

private:
    void readBullet();
    void readMotion();
    void addMotion(int bulletLink, const BodyState& state);
    void addRotors();
    void addContacts(std::size_t link, double share);

    const Robot& m_robot;
    const Plugin& m_plugin;
    double m_length = 0;              ///< of the parts so far [s]
    std::vector<BodyState> m_states;  ///< now: base (first) and Bullet's links, at their centres of mass
    std::vector<RobotLinkReadout> m_links;
    std::vector<RobotJointReadout> m_joints;
    RobotJointReadout m_base;
    RobotMotion m_motion;
    std::vector<btVector3> m_spins;  ///< kept for readBullet, as m_states
    std::vector<btVector3> m_velocities;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
