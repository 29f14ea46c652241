#include "contacts/group_contacts.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contacts/closed_pairs.h"
#include "contacts/contact_cache.h"
#include "contacts/contact_pair.h"
#include "contacts/contact_pair_points.h"
#include "contacts/fast_contacts.h"
#include "contacts/tuning.h"
#include "host/body_status.h"
#include "host/bullet_internals.h"
#include "host/disabled_row.h"
#include "host/stable_sort.h"

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

bool isSoftBody(const btCollisionObject& object) {
    return object.getInternalType() == btCollisionObject::CO_SOFT_BODY;
}

bool isNear(const btPersistentManifold& manifold, const btManifoldPoint& point) {
    return point.getDistance() <= manifold.getContactProcessingThreshold();
}

bool hasMass(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body != nullptr && !(body->getInvMass() * body->getLinearFactor()).fuzzyZero();
}

// As Bullet's solver decides it, which gives no row to a pair that neither can push the other.
bool hasRow(const btPersistentManifold& manifold, const btManifoldPoint& point) {
    return isNear(manifold, point) && (hasMass(*manifold.getBody0()) || hasMass(*manifold.getBody1()));
}

// Moves, but not by what touches it.
bool isDriven(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body != nullptr && !isFixed(*body) && !isMovable(*body);
}

void fetch(const btPersistentManifold& manifold) {
    const btManifoldPoint& point = manifold.getContactPoint(0);  // its place only: there may be none
    __builtin_prefetch(&manifold.m_companionIdA);                // next to the bodies
    __builtin_prefetch(&point.m_distance1);
    __builtin_prefetch(&point.m_contactPointFlags);
}

// Soft bodies push rigid ones without manifolds.
void addSoftPartners(btDiscreteDynamicsWorld& world, std::vector<const btCollisionObject*>& others) {
    if (world.getWorldType() == BT_DISCRETE_DYNAMICS_WORLD) return;
    const btBroadphasePairArray& pairs = world.getPairCache()->getOverlappingPairArray();
    for (int i = 0; i < pairs.size(); ++i) {
        const auto* x = static_cast<const btCollisionObject*>(pairs[i].m_pProxy0->m_clientObject);
        const auto* y = static_cast<const btCollisionObject*>(pairs[i].m_pProxy1->m_clientObject);
        if (isSoftBody(*x) || isSoftBody(*y)) {
            others.push_back(x);
            others.push_back(y);
        }
    }
}

bool responds(const btPersistentManifold& manifold) {
    return manifold.getBody0()->hasContactResponse() && manifold.getBody1()->hasContactResponse();
}

double gapNow(const ContactPoint& point) {
    return gapOf(point.contact, poseOf(*point.bodyA), poseOf(*point.bodyB));
}

bool isPair(const ContactPoint& x, const ContactPoint& y) {
    return x.bodyA == y.bodyA && x.bodyB == y.bodyB;
}

// Two of Bullet's points for the same rounding on the same surface: one is where it touched when it lay otherwise.
bool isSameRounding(const ContactPoint& x, const ContactPoint& y) {
    return x.contact.radius > 0 && x.contact.radius == y.contact.radius &&
           x.contact.isVertexOnA == y.contact.isVertexOnA &&
           (x.contact.vertex - y.contact.vertex).norm() < kSameCentre * x.contact.radius &&
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

// Bullet follows a point of the surface, which rises as the body rolls: the rounding is as near as it was.
void lower(std::vector<ContactPoint>& points) {
    for (ContactPoint& point : points) {
        if (point.risen < kRisen) continue;
        point.contact.offset -= point.risen;
        if (point.hasBorne()) closeHairline(point);
    }
}

}  // namespace

void GroupContacts::begin(const SolverGroup& group, btDiscreteDynamicsWorld& world,
                          std::span<btMultiBody* const> multiBodies, std::span<const char> isForeseen,
                          const ContactCache& last) {
    m_manifolds.assign(group.manifolds.begin(), group.manifolds.end());
    m_withLinks = !multiBodies.empty();
    m_foreseen.find(group, world, multiBodies, m_manifolds);
    m_next = 0;
    m_info = group.info;
    m_isForeseen = isForeseen;
    m_last = &last;
    m_pairs.clear();
    m_pairsWithDriven.clear();
    m_nearPairs.clear();
    m_others.clear();
    m_predictive.clear();
    const auto& predictive = WorldInternals::predictiveManifolds(world);
    for (int i = 0; i < predictive.size(); ++i) m_predictive.push_back(predictive[i]);
    std::sort(m_predictive.begin(), m_predictive.end());
    addSoftPartners(world, m_others);
    findLost(group, world);
}

// Bullet gives up the manifold of a compound's part as soon as the boxes around the shapes are apart.
void GroupContacts::findLost(const SolverGroup& group, btDiscreteDynamicsWorld& world) {
    m_lost.clear();
    m_bearing.clear();
    m_last->findBearing(world.getCollisionObjectArray(), m_bearing);
    const auto isOfGroup = [&](const btCollisionObject& object) {
        if (isLink(object)) return m_withLinks && !object.isStaticOrKinematicObject();
        const int id = object.getCompanionId();
        return isMovable(object) && id >= 0 && id < group.solverBodies->size() &&
               (*group.solverBodies)[id].m_originalBody == btRigidBody::upcast(&object);
    };
    for (const TouchingPair& pair : m_bearing) {
        if (!isOfCompound(*pair.a, *pair.b) || !(isOfGroup(*pair.a) || isOfGroup(*pair.b))) continue;
        if (hasManifold(world, *pair.a, *pair.b)) continue;
        if (isClosed(*pair.a, *pair.b, *m_info, true) || m_last->recallOnSurfaces(*pair.a, *pair.b, nullptr)) {
            m_lost.push_back(pair);
        }
    }
}

bool GroupContacts::lookOn() {
    if (isComplete()) return false;
    const std::size_t end = std::min(m_next + kManifoldsAtOnce, m_manifolds.size());
    for (; m_next < end; ++m_next) {
        if (m_next + kManifoldsAhead < m_manifolds.size()) fetch(*m_manifolds[m_next + kManifoldsAhead]);
        look(*m_manifolds[m_next]);
    }
    for (; m_next >= m_manifolds.size() && !isComplete(); ++m_next) {
        const TouchingPair& lost = m_lost[m_next - m_manifolds.size()];
        addPair(*lost.a, *lost.b);
    }
    return true;
}

void GroupContacts::addPair(const btCollisionObject& a, const btCollisionObject& b) {
    m_pairs.push_back({&a, &b});
    if (isDriven(a) || isDriven(b)) m_pairsWithDriven.push_back({&a, &b});
}

bool GroupContacts::isForeseen(const btCollisionObject& object) const {
    if (isLink(object)) return m_withLinks && !object.isStaticOrKinematicObject();
    const int id = object.getCompanionId();
    return isMovable(object) && id >= 0 && static_cast<std::size_t>(id) < m_isForeseen.size() &&
           m_isForeseen[static_cast<std::size_t>(id)] != 0;
}

bool GroupContacts::isForeseen(const btPersistentManifold& manifold) const {
    return isForeseen(*manifold.getBody0()) || isForeseen(*manifold.getBody1());
}

// Touches, or will within the tick, but Bullet has no point there.
bool GroupContacts::touchesUnseen(const btPersistentManifold& manifold) const {
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    if (manifold.getNumContacts() > 0 || isExpected(manifold)) return false;
    const bool hasBorne = m_last->hasBorne(a, b);
    if (!hasBorne && !isForeseen(manifold)) return false;
    return isClosed(a, b, *m_info, hasBorne) || (hasBorne && m_last->recallOnSurfaces(a, b, nullptr)) ||
           (isForeseen(manifold) && touchesWithin(manifold, *m_info));
}

void GroupContacts::addUnseen(btPersistentManifold& manifold) {
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    const bool hasBorne = m_last->hasBorne(a, b);
    if ((!hasBorne && !isForeseen(manifold)) || hasPoint(m_found, a, b)) {
        return;  // a pair may have several manifolds
    }
    const bool isRecalled = hasBorne && m_last->recallOnSurfaces(a, b, &m_found);
    if (!isRecalled) addClosedPoints(manifold, *m_info, hasBorne, m_found);
    if (isForeseen(manifold)) addFastPoints(manifold, *m_info, m_found);
}

void GroupContacts::look(const btPersistentManifold& manifold) {
    const btCollisionObject& a = *manifold.getBody0();
    const btCollisionObject& b = *manifold.getBody1();
    const bool hasLink = isLink(a) || isLink(b);
    bool isPair = false;
    for (int i = 0; i < manifold.getNumContacts() && (!isPair || hasLink); ++i) {
        const btManifoldPoint& point = manifold.getContactPoint(i);
        if (hasLink ? m_withLinks && !isNear(manifold, point) : !hasRow(manifold, point)) continue;
        if (isExpected(manifold)) return;
        if ((!hasLink || m_withLinks) && isSolvable(manifold, point, *m_info)) {
            isPair = true;
        } else if (hasLink) {
            m_others.push_back(&a);
            m_others.push_back(&b);
        }
    }
    if (!isPair && hasLink && !m_withLinks) return;
    if (!isPair && !touchesUnseen(manifold)) {
        if (isForeseen(a) && isForeseen(b) && responds(manifold)) m_nearPairs.push_back({&a, &b});
        return;
    }
    addPair(a, b);
}

void GroupContacts::findPoints(std::span<btPersistentManifold* const> manifolds, std::span<const TouchingPair> lost,
                               std::vector<ContactPoint>& points, std::vector<btPersistentManifold*>& unwatched) {
    m_found.clear();
    m_empty.clear();
    unwatched.clear();
    for (btPersistentManifold* manifold : manifolds) {
        if (isExpected(*manifold)) continue;
        const bool hasLink = isLink(*manifold->getBody0()) || isLink(*manifold->getBody1());
        if (hasLink && !m_withLinks) continue;
        if (manifold->getNumContacts() == 0) {
            m_empty.push_back(manifold);
            continue;
        }
        // Bullet gives up the manifolds of other parts whose boxes are apart.
        if (isOfCompound(*manifold->getBody0(), *manifold->getBody1()) && responds(*manifold)) {
            unwatched.push_back(manifold);
        }
        const PairPose pose = poseOf(*manifold);
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            btManifoldPoint& point = manifold->getContactPoint(i);
            if (hasLink ? !isNear(*manifold, point) : !hasRow(*manifold, point)) continue;
            if (std::optional<ContactPoint> translated = contactPoint(*manifold, point, *m_info, pose)) {
                m_found.push_back(*translated);
            } else {
                m_others.push_back(manifold->getBody0());
                m_others.push_back(manifold->getBody1());
            }
        }
    }
    for (btPersistentManifold* manifold : m_empty) {
        addUnseen(*manifold);
        if (manifold->getNumContacts() == 0 && responds(*manifold)) unwatched.push_back(manifold);
    }
    for (const TouchingPair& pair : lost) {
        if (hasPoint(m_found, *pair.a, *pair.b)) continue;
        btPersistentManifold none(pair.a, pair.b, 0, 0, BT_LARGE_FLOAT);
        const std::size_t first = m_found.size();
        if (!m_last->recallOnSurfaces(*pair.a, *pair.b, &m_found)) addClosedPoints(none, *m_info, true, m_found);
        for (std::size_t i = first; i < m_found.size(); ++i) m_found[i].point = nullptr;
    }
    m_sorted.clear();
    for (const ContactPoint& point : m_found) m_sorted.push_back(&point);
    sortSteadily(m_sorted, [](const ContactPoint* x, const ContactPoint* y) { return inOrder(*x, *y); });
    points.clear();
    keepDeepest(m_sorted, points);
    lower(points);
}

bool GroupContacts::isExpected(const btPersistentManifold& manifold) const {
    return std::binary_search(m_predictive.begin(), m_predictive.end(), &manifold);
}

bool inOrder(const ContactPoint& x, const ContactPoint& y) {
    return orderOf(x) < orderOf(y);
}

void warmStart(SolverGroup& group, std::vector<WarmStart> starts) {
    if (starts.empty() || (group.info->m_solverMode & SOLVER_USE_WARMSTARTING) == 0) return;
    const auto comesBefore = [](const WarmStart& x, const WarmStart& y) { return x.point < y.point; };
    std::sort(starts.begin(), starts.end(), comesBefore);
    for (int i = 0; i < group.contactRows->size(); ++i) {
        btSolverConstraint& row = (*group.contactRows)[i];
        const WarmStart sought{static_cast<const btManifoldPoint*>(row.m_originalContactPoint), 0};
        const auto start = std::lower_bound(starts.begin(), starts.end(), sought, comesBefore);
        if (start == starts.end() || start->point != sought.point) continue;
        const btScalar impulse = static_cast<btScalar>(start->impulse) * group.info->m_warmstartingFactor;
        const btScalar more = impulse - row.m_appliedImpulse;
        btSolverBody& a = (*group.solverBodies)[row.m_solverBodyIdA];
        btSolverBody& b = (*group.solverBodies)[row.m_solverBodyIdB];
        a.internalApplyImpulse(row.m_contactNormal1 * a.internalGetInvMass(), row.m_angularComponentA, more);
        b.internalApplyImpulse(row.m_contactNormal2 * b.internalGetInvMass(), row.m_angularComponentB, more);
        row.m_appliedImpulse = impulse;
    }
}

void disableContacts(SolverGroup& group, const std::vector<char>& isOwned) {
    if (std::find(isOwned.begin(), isOwned.end(), 1) == isOwned.end()) return;
    const auto isDisabled = [&](const btSolverConstraint& row) {
        return isOwned[static_cast<std::size_t>(row.m_solverBodyIdA)] != 0 ||
               isOwned[static_cast<std::size_t>(row.m_solverBodyIdB)] != 0;
    };
    for (btConstraintArray* rows : {group.contactRows, group.frictionRows, group.rollingRows}) {
        for (int i = 0; i < rows->size(); ++i) {
            if (isDisabled((*rows)[i])) disableRow((*rows)[i]);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
