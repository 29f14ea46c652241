#include "group_contacts.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bullet_internals.h"
#include "inert_row.h"
#include "steady_sort.h"

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

double gapNow(const ContactPoint& point) {
    return gapOf(point.contact, poseOf(*point.bodyA), poseOf(*point.bodyB));
}

bool isPair(const ContactPoint& x, const ContactPoint& y) {
    return x.bodyA == y.bodyA && x.bodyB == y.bodyB;
}

// Two of Bullet's points for the same rounding on the same surface: one is where it touched when it lay otherwise.
bool isSameRounding(const ContactPoint& x, const ContactPoint& y) {
    constexpr double kSamePlace = 1e-3;  // of the radius
    constexpr double kSameNormal = 0.9999;
    return x.contact.radius > 0 && x.contact.radius == y.contact.radius &&
           x.contact.isVertexOnA == y.contact.isVertexOnA &&
           (x.contact.vertex - y.contact.vertex).norm() < kSamePlace * x.contact.radius &&
           x.contact.normal.dot(y.contact.normal) > kSameNormal;
}

// @param points in order: those of a pair follow each other
void keepDeepest(const std::vector<const ContactPoint*>& points, std::vector<ContactPoint>& kept) {
    for (const ContactPoint* point : points) {
        auto same = kept.rbegin();
        while (same != kept.rend() && isPair(*point, *same) && !isSameRounding(*point, *same)) ++same;
        if (same == kept.rend() || !isPair(*point, *same)) {
            kept.push_back(*point);
        } else if (gapNow(*point) < gapNow(*same)) {
            *same = *point;
        }
    }
}

}  // namespace

void findContacts(const SolverGroup& group, btDiscreteDynamicsWorld& world, bool withLinks, GroupContacts& contacts) {
    contacts.clear();
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
            if (hasLink && withLinks && point.getDistance() > manifold->getContactProcessingThreshold()) continue;
            if (!hasLink || withLinks) translated = contactPoint(*manifold, point, *group.info);
            if (translated) {
                contacts.found.push_back(*translated);
            } else {
                contacts.others.push_back(manifold->getBody0());
                contacts.others.push_back(manifold->getBody1());
            }
        }
    }
    addSoftPartners(world, contacts.others);
    for (const ContactPoint& point : contacts.found) contacts.sorted.push_back(&point);
    sortSteadily(contacts.sorted, [](const ContactPoint* x, const ContactPoint* y) { return inOrder(*x, *y); });
    keepDeepest(contacts.sorted, contacts.points);
}

bool inOrder(const ContactPoint& x, const ContactPoint& y) {
    return orderOf(x) < orderOf(y);
}

void warmStart(SolverGroup& group, const std::vector<WarmStart>& starts) {
    if (starts.empty() || (group.info->m_solverMode & SOLVER_USE_WARMSTARTING) == 0) return;
    for (int i = 0; i < group.contactRows->size(); ++i) {
        btSolverConstraint& row = (*group.contactRows)[i];
        const auto start = std::find_if(starts.begin(), starts.end(), [&](const WarmStart& candidate) {
            return candidate.point == row.m_originalContactPoint;
        });
        if (start == starts.end()) continue;
        const btScalar impulse = static_cast<btScalar>(start->impulse) * group.info->m_warmstartingFactor;
        const btScalar more = impulse - row.m_appliedImpulse;
        btSolverBody& a = (*group.solverBodies)[row.m_solverBodyIdA];
        btSolverBody& b = (*group.solverBodies)[row.m_solverBodyIdB];
        a.internalApplyImpulse(row.m_contactNormal1 * a.internalGetInvMass(), row.m_angularComponentA, more);
        b.internalApplyImpulse(row.m_contactNormal2 * b.internalGetInvMass(), row.m_angularComponentB, more);
        row.m_appliedImpulse = impulse;
    }
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
