#pragma once
// The contacts of one call of the solver: which of them the flow can solve, and how Bullet's own rows are put out of
// action.

#include <elasto/precision.h>

#include <vector>

#include "contact_points.h"
#include "contact_rest.h"

class btDiscreteDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SolverGroup;

struct GroupContacts {
    /// Those that the flow can solve, in order (see inOrder).
    std::vector<ContactPoint> points;
    /// Bodies that also touch in another way: links of a btMultiBody, soft bodies, contacts the flow has not.
    std::vector<const btCollisionObject*> others;

    // Kept from group to group, for the storage.
    std::vector<ContactPoint> found;          ///< as Bullet has them
    std::vector<const ContactPoint*> sorted;  ///< points are large: their places are sorted

    void clear() {
        points.clear();
        others.clear();
        found.clear();
        sorted.clear();
    }
};

/// Contacts with rows: of bodies that respond to each other, without what continuous collision detection expects.
/// @param withLinks those of a btMultiBody's links too; else links are among the others
/// @param contacts are written over
void findContacts(const SolverGroup& group, btDiscreteDynamicsWorld& world, bool withLinks, GroupContacts& contacts);

/// By the bodies' places in the world, then by the places on the bodies: the order in which Bullet found them does not
/// matter.
bool inOrder(const ContactPoint& x, const ContactPoint& y);

/// Lets Bullet's solver begin with other impulses than it left in its contact points, if it begins with any.
void warmStart(SolverGroup& group, const std::vector<WarmStart>& starts);

/// Makes all contact rows of these bodies, with their friction, do nothing; those that continuous collision detection
/// expects too. @param isOwned by solver body
void silenceContacts(SolverGroup& group, const std::vector<char>& isOwned);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
