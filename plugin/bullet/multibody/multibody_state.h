#pragma once
// A btMultiBody's state in double precision, and the poses of its links that follow from it.

#include <elasto/flow.h>
#include <elasto/precision.h>

#include <vector>

class btMultiBody;
struct btMultibodyLink;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct MultiBodyState {
    BodyState base;             ///< of the base's centre of mass; velocities of a fixed base are 0
    std::vector<double> q;      ///< joints' positions, by m_cfgOffset [rad, m, quaternions x y z w]
    std::vector<double> rates;  ///< their rates, by m_dofOffset [rad/s, m/s]
};

/// Bullet's present values.
MultiBodyState stateOf(const btMultiBody& body);
/// Writes them, rounded: base, joints, rates; what Bullet derives from them at once (caches of the links) too.
void setState(btMultiBody& body, const MultiBodyState& state);
/// Only the velocities.
void setVelocities(btMultiBody& body, const MultiBodyState& state);

/// The base (first), then the links: pose and twist of their centres of mass.
std::vector<BodyState> linkStates(const btMultiBody& body, const MultiBodyState& state);

/// Reads joints' positions and rates from where the links are.
/// @param links as linkStates @param before the state a time h [s] earlier, which tells the turns
MultiBodyState fromLinks(const btMultiBody& body, const std::vector<BodyState>& links, const MultiBodyState& before,
                         double h);

/// Kinetic energy of base and links [J]. @param links as linkStates
double kineticEnergy(const btMultiBody& body, const std::vector<BodyState>& links);

/// Turns vectors of the link's frame into its parent's frame where the joint's angle is 0.
Eigen::Quaterniond zeroTurn(const btMultibodyLink& link);
/// The axis of a revolute or prismatic joint in the link's frame; the normal of a planar one.
Eigen::Vector3d axisOf(const btMultibodyLink& link);

/// True for a revolute or prismatic joint. @param link its child
bool hasCoordinate(const btMultiBody& body, int link);
/// @throws InvalidParameter unless hasCoordinate
void requireJoint(const char* owner, const btMultiBody& body, int link);

/// Notes how the links' colliders move (see host/body_motion.h): as from the start to where Bullet's own step, without
/// elements, has brought the velocities.
void noteLinkMotions(btMultiBody& body, const MultiBodyState& start);

/// Asleep as Bullet sees it: one of its colliders is.
bool isAsleep(const btMultiBody& body);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
