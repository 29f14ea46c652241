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
        Free,      ///< the root link moves, whatever the file says
    };
    Base base = Base::AsStated;  ///< as the description says, at first
    RobotPose pose;              ///< of the root link's frame in the world
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

/// A btMultiBody built from a description, with its colliders, limits, joint friction and elements; owns all of them.
///
/// Every joint of the description is a link of the btMultiBody, in the same order (a floating joint at the root is the
/// base itself). Bullet's link frames are those of the principal axes; linkPose() gives URDF's.
/// Limits are btMultiBodyJointLimitConstraints, a joint's friction is a btMultiBodyJointMotor that holds as far as the
/// friction reaches. Every link has a collider, an empty one if need be: limits and motors of links without
/// colliders are silently ignored by Bullet. Bullet's cap on joint rates (100 rad/s) is lifted.
///
/// Elements are MultiBodyElements of the same names; the damping of a joint is one too. With any of them the world must
/// have a Plugin. A motor starts where its element has no force.
class ELASTO_API Robot {
public:
    /// @throws InvalidParameter naming the robot, and the joint, link or option that cannot be built
    explicit Robot(RobotDescription description, const RobotOptions& options = {});
    /// Takes it out of its world.
    ~Robot();
    Robot(const Robot&) = delete;
    Robot& operator=(const Robot&) = delete;

    /// Adds the multibody, its colliders and constraints to a world, which must outlive the robot or be left first.
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

    double q(int joint) const;  ///< coordinate of a joint of one coordinate [rad, m]; counts turns
    double v(int joint) const;  ///< its rate [rad/s, m/s]
    /// Places a joint between ticks, and its motor with it. @throws InvalidParameter unless finite
    void setJoint(int joint, double q, double v);
    MultiBodyElement& element(std::size_t index) { return *m_elements.at(index); }  ///< of the description
    /// By its index in the description.
    const MultiBodyElement& element(std::size_t index) const { return *m_elements.at(index); }
    /// Element by its name. @throws std::out_of_range naming it
    MultiBodyElement& element(std::string_view name);
    /// The element through which a joint's motor drives it; null: the joint has no motor.
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
    void addElement(const RobotElement& element);
    void setMotor(std::size_t element);
    void updateColliders();
    bool isRigidlyFixed(int link) const;

    RobotDescription m_description;
    int m_baseLink = 0;  ///< link of the description that is Bullet's base
    // In the order in which they may be destroyed, last first.
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::unique_ptr<btMultiBody> m_body;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> m_colliders;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> m_constraints;  ///< limits, friction
    std::vector<std::unique_ptr<MultiBodyElement>> m_elements;
    btMultiBodyDynamicsWorld* m_world = nullptr;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
