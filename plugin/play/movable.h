#pragma once
/// @file movable.h
/// All bodies that one can pull: the scene's, the balls, then the links of its guests' multibodies (each one's base
/// first). Each has one index, whatever it is.

#include <elasto/flow.h>
#include <elasto/scene/scene_world.h>

#include <string>
#include <vector>

class btMultiBody;

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A link of a multibody in a world.
struct GuestLink {
    btMultiBody* body = nullptr;
    int link = -1;  ///< Bullet's index; -1: the base

    bool operator==(const GuestLink&) const = default;
};
/// In the order of the world's multibodies and of their links. Those of a guest come where the world has it.
std::vector<GuestLink> guestLinks(const SceneWorld& world);
/// Pose and velocities of a link's centre of mass; its axes are those in which Bullet has its inertia.
BodyState stateOf(const GuestLink& link);

/// A body or link of a world, as something that forces move. Points are in its frame, which is that of its centre of
/// mass; what it gives is in the world's.
class Movable {
public:
    /// @throws std::out_of_range if there is none of that index
    Movable(const SceneWorld& world, std::size_t index);

    std::string name() const;
    bool isMovedByForces() const;
    Eigen::Vector3d toWorld(const Eigen::Vector3d& point) const;
    Eigen::Quaterniond orientation() const;                               ///< body -> world
    Eigen::Vector3d velocityAt(const Eigen::Vector3d& worldPoint) const;  ///< [m/s]
    Eigen::Vector3d angularVelocity() const;                              ///< [rad/s]
    /// Upper bound of the velocity that a unit of impulse at a point gives to that point, whatever its direction
    /// [1/kg]. Of a link: with its whole multibody, without the motors behind its joints.
    double mobility(const Eigen::Vector3d& point) const;
    /// The same of torques [1/(kg.m^2)].
    double rotationalMobility() const;

    void activate() const;
    void applyForce(const Eigen::Vector3d& force, const Eigen::Vector3d& worldPoint) const;  ///< for one tick [N]
    void applyTorque(const Eigen::Vector3d& torque) const;                                   ///< for one tick [N.m]

private:
    btRigidBody* m_body = nullptr;  ///< null: it is a link
    GuestLink m_link;
    std::string m_name;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
