#pragma once
// Which elements belong together: networks of elements and the movable bodies they connect.

#include <elasto/precision.h>

#include <vector>

#include "group_joints.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;

/// True for a body that forces can move in this tick: not static, kinematic, or taken out of the simulation.
bool isMovable(const btRigidBody& body);

/// Splits elements into networks: of movable bodies that elements and joints connect. Immovable bodies connect nothing.
///
/// The order is that of the bodies' places in the world, then of geometry, frames and name, so that the order in which
/// elements were added matters only for elements that are alike in all of these.
/// @throws std::logic_error if a movable body is not in the world
class NetworkBuilder {
public:
    /// The networks, each in order, in the order of their first elements. Valid until the next call.
    const std::vector<std::vector<ForceElement*>>& build(std::vector<ForceElement*>& elements,
                                                         const std::vector<HeldJoint>& joints);
    /// After build: the network of a movable body of an element or a joint, -1 if it has no element.
    int networkOf(const btRigidBody& body);

private:
    int find(int body);

    std::vector<int> m_parent;   // of a body, by its place in the world; -1 outside build
    std::vector<int> m_network;  // of a root body
    std::vector<std::vector<ForceElement*>> m_networks;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
