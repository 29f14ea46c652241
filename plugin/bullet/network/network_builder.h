#pragma once
// Which elements belong together: networks of elements and the movable bodies they connect.

#include <elasto/multibody_placement.h>
#include <elasto/precision.h>

#include <BulletCollision/CollisionDispatch/btCollisionWorld.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "contacts/group_contacts.h"
#include "host/body_status.h"
#include "joints/group_joints.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;
class MultiBodyElement;

/// What belongs together.
struct NetworkParts {
    std::vector<ForceElement*> elements;
    std::vector<MultiBodyElement*> multiBodyElements;
    std::vector<btMultiBody*> multiBodies;
    std::vector<btRigidBody*> freeBodies;  ///< of those that fly
    bool isTouched = false;                ///< has contacts

    /// True without elements: of bodies that fly, and what they meet.
    bool isEmpty() const { return elements.empty() && multiBodyElements.empty(); }
};

/// The multibodies that may take part, and what acts on them.
struct MultiBodyParts {
    std::vector<btMultiBody*> bodies;  ///< awake ones
    std::vector<MultiBodyElement*> elements;
    int places = 0;  ///< of collision objects in the world
};

/// Splits elements into networks: of movable bodies that elements, joints and contacts connect. Immovable bodies
/// connect nothing.
///
/// The order is that of the bodies' places in the world, then of geometry, frames and name, so that the order in which
/// elements were added matters only for elements that are alike in all of these.
/// @throws std::logic_error if a movable body is not in the world
class NetworkBuilder {
public:
    /// Begins with other elements, joints, multibodies and bodies that fly. Sorts the elements, which must stay until
    /// finish, as must the bodies.
    void begin(const btCollisionWorld& world, std::vector<ForceElement*>& elements,
               const std::vector<const HeldJoint*>& joints, const MultiBodyParts& multiBodies,
               std::span<btRigidBody* const> freeBodies);
    /// Adds what contacts connect.
    void touch(std::span<const TouchingPair> pairs);
    /// Adds what may turn out to touch, as long as a network of few bodies comes of it (kMostFollowed).
    void approach(std::span<const TouchingPair> pairs);
    /// True if all elements, and all bodies that fly, are in one network already, which has contacts and more bodies
    /// than this.
    bool isOneLarger(int bodies);
    /// The networks, each in order, in the order of their first elements; then those without elements. Valid until
    /// begin. Contacts may be added after that, as long as they connect no two networks.
    const std::vector<NetworkParts>& finish();
    const std::vector<NetworkParts>& networks() const { return m_networks; }
    /// After finish: the network of a body, -1 if it is in none or cannot move.
    int networkOf(const btCollisionObject& body);

private:
    int find(int body);
    int placeOf(const btCollisionObject& body) const;
    int placeOf(const ForceElement& element) const;
    int placeOf(const btMultiBody& body, int link) const;
    int placeOf(const Flange& flange) const;
    std::array<int, 2> placesOf(const MultiBodyElement& element) const;
    void enter(int place);
    int join(int x, int y);
    void sort(std::vector<ForceElement*>& elements);
    NetworkParts& networkAt(int place, std::size_t& count);

    std::vector<int> m_parent;   // of a body, by its place in the world (multibodies follow); -1 if nothing connects it
    std::vector<int> m_network;  // of a root body
    std::vector<int> m_count;    // of a root body: how many are connected
    std::vector<char> m_isTouched;  // of a root body: contacts are among what connects them
    std::vector<int> m_entered;     // places whose m_parent is not -1
    std::vector<NetworkParts> m_networks;
    std::span<ForceElement* const> m_elements;  // in order
    MultiBodyParts m_multiBodies;
    std::span<btRigidBody* const> m_freeBodies;
    std::vector<std::pair<ForceElement*, std::size_t>> m_numbered;  // to sort them
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
