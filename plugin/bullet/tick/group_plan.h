#pragma once
// Which elements, joints and contacts of a group belong together, and what is known of how fast they move.

#include <elasto/force_element.h>

#include <span>
#include <vector>

#include "contacts/contact_cache.h"
#include "contacts/group_contacts.h"
#include "host/bullet_internals.h"
#include "network/idle_network.h"
#include "network/load_table.h"
#include "network/network_builder.h"
#include "network/solved_network.h"
#include "tick/free_bodies.h"
#include "tick/multibody_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What is in a network; contacts only where they are needed.
struct NetworkPlan {
    int network = 0;  ///< its number in the group
    NetworkParts parts;
    std::vector<const HeldJoint*> joints;
    std::vector<ContactPoint> contacts;
    std::vector<btPersistentManifold*> unwatched;  ///< of its bodies: without points
};

class GroupPlan {
public:
    /// All must outlast it.
    GroupPlan(const ContactCache& cache, const LoadTable& loads, const MultiBodyTick& multiBodies)
        : m_cache(cache), m_loads(loads), m_multiBodies(multiBodies) {}

    void beginTick() { m_contacts.beginTick(); }
    /// Looks at a new group.
    void begin(SolverGroup& group, btDiscreteDynamicsWorld& world, double h);
    bool hasElements() const { return !m_elements.empty() || !m_multiBodies.parts().elements.empty(); }
    /// Bodies that fly, joints, and what is to be met in time. To be called before what follows.
    void findRows(const BodyTable& table, Flights flights);
    /// The networks, in their order.
    std::span<NetworkPlan> networks();

    Idleness idlenessOf(NetworkPlan& plan, const SolvedNetwork& solved);
    bool isLarge(const NetworkPlan& plan) const { return m_motions[static_cast<std::size_t>(plan.network)].isLarge(); }
    /// Of a network, and what else touches its bodies, of which nothing is known until then.
    void findContacts(NetworkPlan& plan);
    /// Of an idle network, with what Bullet is to begin.
    void findRememberedContacts(NetworkPlan& plan);
    /// The flow knows all that acts on the network's bodies.
    bool isCoupled(const NetworkPlan& plan) const;
    static bool isTree(const NetworkPlan& plan);
    /// Why the flow cannot move a multibody of the network; null: it can.
    const char* refusalOf(const btMultiBody& body, const NetworkPlan& plan) const;
    /// Joints that the solution cannot hold.
    std::span<const RefusedJoint> refusedJoints() const { return m_joints.refused; }

    // By solver body.
    std::vector<char>& owned() { return m_isOwned; }  ///< moved by the flow
    const std::vector<char>& owned() const { return m_isOwned; }

private:
    void findForeseen(Flights flights);
    void markOthers();
    void lookAtContacts(bool untilIdle);
    void planJoints(std::span<NetworkPlan> plans);
    void lookAtAllContacts(NetworkPlan& plan);
    void lookAtMotions();
    std::span<const TouchingPair> lostOf(const NetworkPlan& plan);

    const ContactCache& m_cache;
    const LoadTable& m_loads;
    const MultiBodyTick& m_multiBodies;
    SolverGroup* m_group = nullptr;
    btDiscreteDynamicsWorld* m_world = nullptr;
    double m_h = 0;
    NetworkBuilder m_builder;
    std::vector<NetworkPlan> m_plans;  // and room for more
    std::vector<ForceElement*> m_elements;
    FreeBodies m_freeBodies;
    GroupJoints m_joints;
    GroupContacts m_contacts;
    std::vector<NetworkMotion> m_motions;  // by network, last of what is in none; empty until asked for
    using Manifolds = std::vector<btPersistentManifold*>;
    std::vector<Manifolds> m_manifolds;     // by network, and room for more
    std::vector<TouchingPair> m_lostOfOne;  // of one network: that have no manifold
    Manifolds m_remembered;                 // those whose pair the contact cache has
    Manifolds m_rememberedOfOne;            // of one network: those of them
    bool m_hasManifolds = false;            // are known in this group
    bool m_hasRemembered = false;           // are known in this group
    std::vector<char> m_isForeseen;         // it is swept over the tick
    std::vector<char> m_hasRows;            // that the flow cannot solve
    std::vector<char> m_isOwned;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
