#pragma once
// The contacts of one call of the solver: which of them the flow can solve, and how Bullet's own rows are put out of
// action.

#include <elasto/precision.h>

#include <span>
#include <vector>

#include "contacts/contact_points.h"
#include "contacts/foreseen_pairs.h"
#include "contacts/resting_contacts.h"

class btDiscreteDynamicsWorld;
struct btContactSolverInfo;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;
class ContactCache;

/// What touches what is found for all bodies, at little cost and step by step; the points themselves, which are much
/// work, only where they are asked for.
class GroupContacts {
public:
    /// Begins with another group, which must live as long as anything is asked for.
    /// @param multiBodies whose links' contacts are found too; without any, links are among the others
    /// @param isForeseen by solver body: what comes at it faster than Bullet looks is found too (see
    /// contacts/fast_contacts.h), and what just touches it
    /// @param last what bore in the last tick and touches still is found too (see contacts/closed_pairs.h)
    void begin(const SolverGroup& group, btDiscreteDynamicsWorld& world, std::span<btMultiBody* const> multiBodies,
               std::span<const char> isForeseen, const ContactCache& last);
    /// Of the group, and those of fast links that Bullet has not paired yet. Valid until the next tick begins.
    std::span<btPersistentManifold* const> manifolds() const { return m_manifolds; }
    /// A new tick.
    void beginTick() { m_foreseen.beginTick(); }
    /// Looks at some more of the group's pairs of bodies. @return false if there were no more
    bool lookOn();
    bool isComplete() const { return m_next == m_manifolds.size() + m_lost.size(); }

    /// Those with contacts that have rows: of bodies that respond to each other, without what continuous collision
    /// detection expects.
    const std::vector<TouchingPair>& pairs() const { return m_pairs; }
    /// Those of the pairs with a body that others move, or that is taken out of the simulation.
    const std::vector<TouchingPair>& pairsWithDriven() const { return m_pairsWithDriven; }

    /// Of bodies on elements, or tied to such, that do not touch as far as is known, but the boxes around them and
    /// their ways do: they may turn out to touch.
    const std::vector<TouchingPair>& nearPairs() const { return m_nearPairs; }

    /// Bodies that also touch in another way: links of a btMultiBody and soft bodies, and from findPoints on contacts
    /// that the flow has not.
    const std::vector<const btCollisionObject*>& others() const { return m_others; }

    /// Bodies that bore each other in the last tick and touch still, but have no manifold any more.
    const std::vector<TouchingPair>& lostPairs() const { return m_lost; }

    /// The contacts of these manifolds and of these lost pairs that the flow can solve, in order (see inOrder).
    /// @param points are written over @param unwatched so is this: those of the manifolds that have no point, and
    /// those of compounds, of which other parts may have none
    void findPoints(std::span<btPersistentManifold* const> manifolds, std::span<const TouchingPair> lost,
                    std::vector<ContactPoint>& points, std::vector<btPersistentManifold*>& unwatched);

private:
    bool isExpected(const btPersistentManifold& manifold) const;
    void look(const btPersistentManifold& manifold);
    bool isForeseen(const btPersistentManifold& manifold) const;
    bool isForeseen(const btCollisionObject& object) const;
    bool touchesUnseen(const btPersistentManifold& manifold) const;
    void addUnseen(btPersistentManifold& manifold);
    void findLost(const SolverGroup& group, btDiscreteDynamicsWorld& world);
    void addPair(const btCollisionObject& a, const btCollisionObject& b);

    ForeseenPairs m_foreseen;
    std::vector<btPersistentManifold*> m_manifolds;
    std::size_t m_next = 0;  // that is not looked at yet
    const btContactSolverInfo* m_info = nullptr;
    std::vector<const btPersistentManifold*> m_predictive;  // of the world, sorted
    bool m_withLinks = false;
    std::span<const char> m_isForeseen;
    const ContactCache* m_last = nullptr;
    std::vector<TouchingPair> m_lost;
    std::vector<TouchingPair> m_pairs;
    std::vector<TouchingPair> m_pairsWithDriven;
    std::vector<TouchingPair> m_nearPairs;
    std::vector<const btCollisionObject*> m_others;

    // Kept for the storage.
    std::vector<ContactPoint> m_found;          // as Bullet has them
    std::vector<const ContactPoint*> m_sorted;  // points are large: their places are sorted
    std::vector<btPersistentManifold*> m_empty;
    std::vector<TouchingPair> m_bearing;
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
