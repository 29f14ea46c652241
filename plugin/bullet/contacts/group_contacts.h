#pragma once
// The contacts of one call of the solver: which of them the flow can solve, and how Bullet's own rows are put out of
// action.

#include <elasto/precision.h>

#include <span>
#include <vector>

#include "contacts/contact_points.h"
#include "contacts/resting_contacts.h"

class btDiscreteDynamicsWorld;
struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

/// Two bodies that Bullet's solver keeps apart, at one point at least as the flow can do it.
struct TouchingPair {
    const btCollisionObject* a = nullptr;
    const btCollisionObject* b = nullptr;
};

/// What touches what is found for all bodies, at little cost and step by step; the points themselves, which are much
/// work, only where they are asked for.
class GroupContacts {
public:
    /// Begins with another group, which must live as long as anything is asked for.
    /// @param withLinks contacts of a btMultiBody's links too; else links are among the others
    /// @param isForeseen by solver body: what comes at it faster than Bullet looks is found too (see
    /// contacts/fast_contacts.h)
    void begin(const SolverGroup& group, btDiscreteDynamicsWorld& world, bool withLinks,
               std::span<const char> isForeseen);
    /// Looks at some more of the group's pairs of bodies. @return false if there were no more
    bool lookOn();
    bool isComplete() const { return m_next == m_manifolds.size(); }

    /// Those with contacts that have rows: of bodies that respond to each other, without what continuous collision
    /// detection expects.
    const std::vector<TouchingPair>& pairs() const { return m_pairs; }
    /// Those of the pairs with a body that others move, or that is taken out of the simulation.
    const std::vector<TouchingPair>& pairsWithDriven() const { return m_pairsWithDriven; }

    /// Bodies that also touch in another way: links of a btMultiBody and soft bodies, and from findPoints on contacts
    /// that the flow has not.
    const std::vector<const btCollisionObject*>& others() const { return m_others; }

    /// The contacts of these manifolds that the flow can solve, in order (see inOrder). @param points are written over
    void findPoints(std::span<btPersistentManifold* const> manifolds, std::vector<ContactPoint>& points);

private:
    bool isExpected(const btPersistentManifold& manifold) const;
    void look(const btPersistentManifold& manifold);
    bool isForeseen(const btPersistentManifold& manifold) const;

    std::span<btPersistentManifold* const> m_manifolds;
    std::size_t m_next = 0;  // that is not looked at yet
    const btContactSolverInfo* m_info = nullptr;
    std::vector<const btPersistentManifold*> m_predictive;  // of the world, sorted
    bool m_withLinks = false;
    std::span<const char> m_isForeseen;
    std::vector<TouchingPair> m_pairs;
    std::vector<TouchingPair> m_pairsWithDriven;
    std::vector<const btCollisionObject*> m_others;

    // Kept for the storage.
    std::vector<ContactPoint> m_found;          // as Bullet has them
    std::vector<const ContactPoint*> m_sorted;  // points are large: their places are sorted
};

/// By the bodies' places in the world, then by the places on the bodies: the order in which Bullet found them does not
/// matter.
bool inOrder(const ContactPoint& x, const ContactPoint& y);

/// Lets Bullet's solver begin with other impulses than it left in its contact points, if it begins with any.
void warmStart(SolverGroup& group, std::vector<WarmStart> starts);

/// Makes all contact rows of these bodies, with their friction, do nothing; those that continuous collision detection
/// expects too. @param isOwned by solver body
void disableContacts(SolverGroup& group, const std::vector<char>& isOwned);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
