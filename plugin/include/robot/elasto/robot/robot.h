#pragma once
/// @file robot.h
/// A robot in a Bullet world.

#include <elasto/export.h>
#include <elasto/multibody_element.h>
#include <elasto/precision.h>
#include <elasto/robot/description.h>

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <memory>
#include <string_view>
#include <vector>

class btMultiBodyDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// How to build a robot.
struct RobotOptions {
    /// Whether the root link may move.
    enum class Base {
        AsStated,  ///< free if the root link has mass or a floating joint carries the robot, else fixed
        Fixed,     ///< the root link never moves
        /// The root link moves, whatever the file says. One without mass gets that of the links that are fixed to it,
        /// as exporters write robots on a root of no meaning; description() says so.
        Free,
    };
    Base base = Base::AsStated;  ///< as the description says, at first
    /// Who moves it.
    enum class Solver {
        Elasto,  ///< the world's Plugin, exactly, whether the robot has elements or not
        Bullet,  ///< Bullet's own step, of first order; only of robots without elements
    };
    Solver solver = Solver::Elasto;  ///< without a Plugin in its world the first tick throws std::logic_error
    RobotPose pose;                  ///< of the root link's frame in the world
    /// Free base: of the origin of its link's frame at the start, world axes [m/s].
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();  ///< Free base: the same [rad/s]
    /// Start of the joints' coordinates [rad, m]: as many as joints, or empty: all 0, or the limit nearest to it.
    std::vector<double> q;
    std::vector<double> v;  ///< their rates [rad/s, m/s], as q
    /// Length of the ticks the world will make [s]: Bullet takes a joint's friction as an impulse per tick.
    double tickLength = 1.0 / 240;
    bool selfCollision = false;  ///< between links that are not neighbours
    bool canSleep = false;       ///< Bullet may put it to sleep
    double friction = 0.5;       ///< Bullet's coefficient of all shapes, but for links with one of their own
    double restitution = 0;      ///< Bullet's coefficient of all shapes, but for links with one of their own
    double linearDamping = 0;    ///< Bullet's (which has 0.04 by itself)
    double angularDamping = 0;   ///< Bullet's (which has 0.04 by itself)
};

/// Where a robot is and how it moves, for the begin of an episode.
struct RobotState {
    RobotPose pose;                                             ///< as RobotOptions::pose
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();         ///< as RobotOptions::velocity
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();  ///< as RobotOptions::angularVelocity
    std::vector<double> q;  ///< as many as joints [rad, m]; used where a joint has one coordinate, planar ones are at 0
    std::vector<double> v;  ///< their rates [rad/s, m/s]
};

/// Torques and forces that give a robot accelerations (Robot::inverseDynamics).
struct RobotEfforts {
    std::vector<double> joints;  ///< of each of Bullet's degrees of freedom (Robot::dofOfJoint) [N.m, N]
    /// What the base must be given besides, at its centre of mass, world axes [N]. Of a free base: 0 where the
    /// accelerations are those that the joints' efforts alone lead to.
    Eigen::Vector3d baseForce = Eigen::Vector3d::Zero();
    Eigen::Vector3d baseTorque = Eigen::Vector3d::Zero();  ///< the same [N.m]
};

/// Accelerations of a robot.
struct RobotAccelerations {
    std::vector<double> joints;                      ///< of Bullet's degrees of freedom [rad/s2, m/s2]; empty: all 0
    Eigen::Vector3d base = Eigen::Vector3d::Zero();  ///< of the base's centre of mass, world axes [m/s2]
    Eigen::Vector3d baseAngular = Eigen::Vector3d::Zero();  ///< of the base, world axes [rad/s2]
};

/// A btMultiBody built from a description, with its colliders, limits, joint friction and elements; owns all of them.
///
/// Every joint of the description is a link of the btMultiBody, in the same order (a floating joint at the root is the
/// base itself). Bullet's link frames are those of the principal axes; linkPose() gives URDF's.
/// Limits are btMultiBodyJointLimitConstraints, a joint's friction is a btMultiBodyJointMotor that holds as far as the
/// friction reaches. Every link has a collider, an empty one if need be: limits and motors of links without
/// colliders are silently ignored by Bullet. Bullet's cap on joint rates (100 rad/s) is lifted.
///
/// Elements are MultiBodyElements of the same names; the damping of a joint is one too. A robot without any has one
/// without force, by which the world's Plugin moves it, unless RobotOptions::solver leaves it to Bullet. A motor starts
/// where its element has no force.
class ELASTO_API Robot {
public:
    /// @throws InvalidParameter naming the robot, and the joint, link or option that cannot be built
    explicit Robot(RobotDescription description, const RobotOptions& options = {});
    /// Takes it out of its world.
    ~Robot();
    Robot(const Robot&) = delete;
    Robot& operator=(const Robot&) = delete;

    /// Adds the multibody, its colliders and constraints to a world, which must outlive the robot or be left first.
    /// Forces that the multibody was given before are forgotten.
    /// @throws std::logic_error if it is in a world already
    void addTo(btMultiBodyDynamicsWorld& world);
    /// Removes all of it from its world; nothing happens without one.
    void leaveWorld();

    const RobotDescription& description() const { return m_description; }  ///< what it was built from
    btMultiBody& multiBody() { return *m_body; }                           ///< owned by the robot
    const btMultiBody& multiBody() const { return *m_body; }               ///< owned by the robot

    /// Bullet's index of a link of the description; -1: the base.
    int bulletLink(int link) const { return link - m_baseLink - 1; }
    /// Bullet's index of the link that a joint of the description carries.
    int bulletLinkOfJoint(int joint) const { return bulletLink(joint + 1); }

    /// Coordinate of a joint of one coordinate [rad, m]; counts turns. @throws InvalidParameter for a joint that is not
    /// there
    double q(int joint) const;
    double v(int joint) const;  ///< its rate [rad/s, m/s]; throws as q()

    // --- Episodes: to be called between ticks. Nothing is allocated. ---
    // An element on what is placed begins anew: its inner state (damper, what has slipped, rotor) is what it would be
    // in a robot built there, its heat is 0. The same call gives the same bits, whatever was before.
    /// Places a joint with its elements and its motor. @throws InvalidParameter unless finite, and for a joint that is
    /// not there or not moved by one coordinate
    void setJoint(int joint, double q, double v);
    /// Places the base; its links come along as they are. @param pose as RobotOptions::pose
    /// @param velocity as RobotOptions::velocity @param angularVelocity as RobotOptions::angularVelocity
    /// @throws InvalidParameter unless finite; for a fixed base that is to move
    void setBase(const RobotPose& pose, const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero(),
                 const Eigen::Vector3d& angularVelocity = Eigen::Vector3d::Zero());
    /// Places all of it; contacts that Bullet remembers of its links are forgotten.
    /// @throws InvalidParameter as setJoint and setBase, and unless q and v are as many as joints
    void setPose(const RobotState& state);
    /// As it was built.
    void reset() { setPose(m_start); }
    const RobotState& start() const { return m_start; }  ///< as it was built

    // --- Dynamics of the links alone: rotors and elements are not in it. By recursive Newton and Euler. ---
    /// First of the degrees of freedom of a joint among Bullet's: one of a joint of one coordinate, three of a planar
    /// one (angle, then the two ways in the plane, in the link's axes). A fixed joint has none.
    int dofOfJoint(int joint) const { return m_body->getLink(bulletLinkOfJoint(joint)).m_dofOffset; }
    /// Efforts for accelerations, where the robot is now and as it moves:
    /// M(q) a + C(q, v) v + G(q), with G from a field of gravity [m/s2], world axes.
    /// @throws InvalidParameter unless the accelerations are none or as many as degrees of freedom
    RobotEfforts inverseDynamics(const RobotAccelerations& accelerations, const Eigen::Vector3d& gravity) const;
    /// Efforts that hold it at rest where it is, against gravity [m/s2] alone.
    RobotEfforts gravityEfforts(const Eigen::Vector3d& gravity) const;
    /// The same into efforts that are used again: nothing is allocated.
    void gravityEfforts(const Eigen::Vector3d& gravity, RobotEfforts& efforts) const;

    /// Adds an element of the program's own on its multibody, which then goes with the robot into worlds and out, and
    /// begins anew in setPose as it is now.
    MultiBodyElement& add(std::unique_ptr<MultiBodyElement> element);
    /// Length of the next ticks [s] > 0, if it is not RobotOptions::tickLength: joints' friction depends on it.
    /// @throws InvalidParameter unless finite and > 0
    void setTickLength(double h);
    /// Names its links and elements, as messages have them, with this in front: of several robots.
    void setPrefix(const std::string& prefix);
    btMultiBodyDynamicsWorld* world() const { return m_world; }  ///< null: it is in none

    MultiBodyElement& element(std::size_t index) { return *m_elements.at(index); }  ///< of the description
    /// By its index in the description.
    const MultiBodyElement& element(std::size_t index) const { return *m_elements.at(index); }
    /// Element by its name in the description. @throws std::out_of_range naming it
    MultiBodyElement& element(std::string_view name);
    /// The element through which a joint's motor drives it; null: the joint has no motor.
    /// @throws InvalidParameter for a joint that is not there
    MultiBodyElement* motorOf(int joint);
    const MultiBodyElement* motorOf(int joint) const;  ///< null: the joint has no motor

    /// Frame of a link as RobotDescription has it, in the world: that of the joint that carries it. Where an SDF file
    /// has the link's frame says RobotLink::statedFrame.
    RobotPose linkPose(int link) const;

private:
    void checkOptions(const RobotOptions& options) const;
    void build(const RobotOptions& options);
    void setupJoint(int joint);
    void addCollider(int link, const RobotOptions& options);
    void addConstraints(int joint, const RobotOptions& options);
    void addGear(int joint);
    void addElement(const RobotElement& element);
    LinkPlacement placementOf(const RobotSpan& span) const;
    void addClaim();
    void restartElement(std::size_t element);
    void placeJoint(int joint, double q, double v);
    void placeBase(const RobotPose& pose, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angularVelocity);
    void checkIndex(int joint) const;
    void checkJoint(int joint, double q, double v) const;
    void checkBase(const RobotPose& pose, const Eigen::Vector3d& velocity,
                   const Eigen::Vector3d& angularVelocity) const;
    void newtonEuler(const RobotAccelerations* accelerations, const Eigen::Vector3d& gravity,
                     RobotEfforts& efforts) const;
    void setMotor(std::size_t element);
    void updateColliders();
    bool isRigidlyFixed(int link) const;

    /// A velocity, an acceleration or a force of a link, at its centre of mass and in its principal axes.
    struct Spatial {
        Eigen::Vector3d angular = Eigen::Vector3d::Zero();
        Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    };
    struct LinkMotion {
        Spatial velocity;
        Spatial acceleration;  ///< spatial: linear is that of the centre of mass less w x v
        Spatial force;         ///< what accelerates the link, and all that it carries
    };
    struct FromParent;

    struct JointFriction {
        btMultiBodyConstraint* motor;
        double friction;  ///< [N.m, N]
    };

    RobotDescription m_description;
    int m_baseLink = 0;  ///< link of the description that is Bullet's base
    // In the order in which they may be destroyed, last first.
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::unique_ptr<btMultiBody> m_body;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> m_colliders;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> m_constraints;  ///< limits, friction
    std::vector<std::string> m_linkNames;                               ///< with a prefix: Bullet keeps no texts
    std::vector<JointFriction> m_frictions;                             ///< those of m_constraints that are friction
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;          ///< of the description
    std::vector<MultiBodyElementState> m_elementStarts;                 ///< as m_elements
    std::vector<std::unique_ptr<MultiBodyElement>> m_others;            ///< beside those of the description
    std::vector<MultiBodyElementState> m_otherStarts;                   ///< as m_others
    RobotState m_start;
    mutable std::vector<LinkMotion> m_motions;       ///< of base and links, kept for newtonEuler
    btAlignedObjectArray<btQuaternion> m_rotations;  ///< kept for updateColliders
    btAlignedObjectArray<btVector3> m_positions;     ///< the same
    btMultiBodyDynamicsWorld* m_world = nullptr;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
