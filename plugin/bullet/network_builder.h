#pragma once
// Which elements belong together: networks of elements and the movable bodies they connect.

#include <elasto/precision.h>

#include <vector>

#include "contact_points.h"
#include "group_joints.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;

/// True for a body that forces can move in this tick: not static, kinematic, or taken out of the simulation.
bool isMovable(const btCollisionObject& body);

/// Splits elements into networks: of movable bodies that elements, joints and contacts connect. Immovable bodies
/// connect nothing.
///
/// The order is that of the bodies' places in the world, then of geometry, frames and name, so that the order in which
/// elements were added matters only for elements that are alike in all of these.
/// @throws std::logic_error if a movable body is not in the world
class NetworkBuilder {
public:
    /// The networks, each in order, in the order of their first elements. Valid until the next call.
    const std::vector<std::vector<ForceElement*>>& build(std::vector<ForceElement*>& elements,
                                                         const std::vector<HeldJoint>& joints,
                                                         const std::vector<ContactPoint>& contacts);
    const std::vector<std::vector<ForceElement*>>& networks() const { return m_networks; }
    /// After build: the network of a body, -1 if it has no element or cannot move.
    int networkOf(const btCollisionObject& body);

private:
    int find(int body);

    std::vector<int> m_parent;   // of a body, by its place in the world; -1 if nothing connects it
    std::vector<int> m_network;  // of a root body
    std::vector<std::vector<ForceElement*>> m_networks;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
