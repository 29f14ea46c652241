#include "group_contacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bullet_internals.h"
#include "inert_row.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

auto orderOf(const ContactPoint& point) {
    const int a = point.bodyA->getWorldArrayIndex();
    const int b = point.bodyB->getWorldArrayIndex();
    const Eigen::Vector3d& v = point.contact.vertex;
    const Eigen::Vector3d& p = point.contact.planePoint;
    return std::tuple(std::min(a, b), std::max(a, b), a < b, point.contact.isVertexOnA, v.x(), v.y(), v.z(), p.x(),
                      p.y(), p.z());
}

bool isLink(const btCollisionObject& object) {
    return object.getInternalType() == btCollisionObject::CO_FEATHERSTONE_LINK;
}

bool isSoft(const btCollisionObject& object) {
    return object.getInternalType() == btCollisionObject::CO_SOFT_BODY;
}

// What the flow's contacts can be, but its solution has not: soft ones, and the edges on which compounds lean.
bool isSolved(const ContactPoint& point) {
    return std::isinf(point.contact.stiffness);
}

// Soft bodies push rigid ones without manifolds.
void addSoftPartners(btDiscreteDynamicsWorld& world, std::vector<const btCollisionObject*>& others) {
    if (world.getWorldType() == BT_DISCRETE_DYNAMICS_WORLD) return;
    const btBroadphasePairArray& pairs = world.getPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
        const auto* x = static_cast<const btCollisionObject*>(pairs[i].m_pProxy0->m_clientObject);
        const auto* y = static_cast<const btCollisionObject*>(pairs[i].m_pProxy1->m_clientObject);
        if (isSoft(*x) || isSoft(*y)) {
            others.push_back(x);
            others.push_back(y);
        }
    }
}

}  // namespace

GroupContacts findContacts(const SolverGroup& group, btDiscreteDynamicsWorld& world) {
    GroupContacts found;
    const auto& predictive = WorldInternals::predictiveManifolds(world);
    const btConstraintArray& rows = *group.contactRows;
    int row = 0;
    for (btPersistentManifold* manifold : group.manifolds) {
        const bool isPredictive = predictive.findLinearSearch(manifold) < predictive.size();
        const bool hasLink = isLink(*manifold->getBody0()) || isLink(*manifold->getBody1());
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            btManifoldPoint& point = manifold->getContactPoint(i);
            const bool hasRow = row < rows.size() && rows[row].m_originalContactPoint == &point;
            row += hasRow ? 1 : 0;
            if (isPredictive || !(hasRow || hasLink)) continue;
            std::optional<ContactPoint> translated;
            if (!hasLink) translated = contactPoint(*manifold, point, *group.info);
            if (translated && isSolved(*translated)) {
                found.points.push_back(*translated);
            } else {
                found.others.push_back(manifold->getBody0());
                found.others.push_back(manifold->getBody1());
            }
        }
    }
    addSoftPartners(world, found.others);
    std::stable_sort(found.points.begin(), found.points.end(), inOrder);
    return found;
}

bool inOrder(const ContactPoint& x, const ContactPoint& y) {
    return orderOf(x) < orderOf(y);
}

void silenceContacts(SolverGroup& group, const std::vector<char>& isOwned) {
    const auto isSilent = [&](const btSolverConstraint& row) {
        return isOwned[static_cast<std::size_t>(row.m_solverBodyIdA)] != 0 ||
               isOwned[static_cast<std::size_t>(row.m_solverBodyIdB)] != 0;
    };
    for (btConstraintArray* rows : {group.contactRows, group.frictionRows, group.rollingRows}) {
        for (int i = 0; i < rows->size(); ++i) {
            if (isSilent((*rows)[i])) makeInert((*rows)[i]);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
