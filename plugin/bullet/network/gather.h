#pragma once
// From Bullet's bodies and our elements to the flow's network.

#include <memory>
#include <vector>

#include "contacts/contact_points.h"
#include "joints/group_joints.h"
#include "network/body_table.h"
#include "network/solved_network.h"

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class LoadTable;

/// A tick of h [s] at time t [s]; bulletH is what Bullet calls it.
struct TickTime {
    double t = 0;
    double h = 0;
    btScalar bulletH = 0;
};

/// Fills target.network, bodies, elements and startEnergy with the elements of one network in their order, and their
/// bodies. Advances the paths of kinematic bodies.
EnergyBetweenTicks gather(const std::vector<ForceElement*>& elements, const LoadTable& loads, const TickTime& time,
                          SolvedNetwork& target);

/// Adds what ties the network's bodies to each other and to further bodies: joints and contacts, in their order.
/// @param others bodies that must be in the network besides
EnergyBetweenTicks gatherTies(const std::vector<const HeldJoint*>& joints, const std::vector<ContactPoint>& contacts,
                              const std::vector<btRigidBody*>& others, BodyTable& table, const LoadTable& loads,
                              const TickTime& time, SolvedNetwork& target);

/// Adds contacts of bodies that are in the network, or that nothing moves.
void addContacts(const std::vector<ContactPoint>& contacts, SolvedNetwork& target);

/// Mass and inertia of a movable body, without state and forces.
FlowBody massOf(const btRigidBody& body);

/// The same with the forces and torques that Bullet knows of.
FlowBody flowBody(const btRigidBody& body);

/// A total force or torque of Bullet's, which has multiplied it by the body's factor already: the flow does it again.
Eigen::Vector3d withoutFactor(const btVector3& total, const btVector3& factor);

/// Kinetic energy of a body in a state [J].
double kineticEnergy(const FlowBody& body, const BodyState& state);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
