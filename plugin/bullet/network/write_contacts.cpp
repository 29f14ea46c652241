#include "network/write_contacts.h"

#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Bullet's point that stands for a remembered one: the nearest of the same pair. -1: none
int nearestPoint(const std::vector<ContactPoint>& contacts, std::size_t remembered) {
    const ContactPoint& from = contacts[remembered];
    int nearest = -1;
    double least = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const ContactPoint& to = contacts[i];
        if (to.point == nullptr || to.bodyA != from.bodyA || to.bodyB != from.bodyB) continue;
        const auto onA = [](const ContactPoint& at) { return at.contact.isVertexOnA ? at.contact.vertex : at.anchor; };
        const double distance = (onA(to) - onA(from)).norm();
        if (nearest < 0 || distance < least) {
            nearest = static_cast<int>(i);
            least = distance;
        }
    }
    return nearest;
}

btPersistentManifold* manifoldOf(const ContactPoint& contact, btDispatcher& dispatcher) {
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(i);
        const bool isPair = manifold->getBody0() == contact.bodyA && manifold->getBody1() == contact.bodyB;
        if (isPair && manifold->getNumContacts() > 0) return manifold;
    }
    return nullptr;
}

/// As Bullet would have it. @param like another one of the pair, whose materials and shapes it has
btManifoldPoint bulletsPoint(const ContactPoint& contact, const btManifoldPoint& like) {
    const btTransform& a = contact.bodyA->getWorldTransform();
    const btTransform& b = contact.bodyB->getWorldTransform();
    const bool isOnA = contact.contact.isVertexOnA;
    const btVector3 normal = normalOf(contact);
    const btVector3 vertex = (isOnA ? a : b) * toBullet(contact.contact.vertex);
    const btScalar along = normal.dot(vertex - (isOnA ? b : a) * toBullet(contact.contact.planePoint));
    const btVector3 onFace = vertex - along * normal;
    btManifoldPoint point = like;
    point.m_userPersistentData = nullptr;
    point.m_positionWorldOnA = isOnA ? vertex : onFace;
    point.m_positionWorldOnB = isOnA ? onFace : vertex;
    point.m_localPointA = a.invXform(point.m_positionWorldOnA);
    point.m_localPointB = b.invXform(point.m_positionWorldOnB);
    point.m_normalWorldOnB = normal;
    point.m_distance1 = isOnA ? along : -along;
    return point;
}

}  // namespace

void completeContacts(SolvedNetwork& solved, btDispatcher& dispatcher) {
    for (ContactPoint& contact : solved.contacts) {
        btPersistentManifold* manifold = contact.point == nullptr ? manifoldOf(contact, dispatcher) : nullptr;
        if (manifold == nullptr || manifold->getNumContacts() == MANIFOLD_CACHE_SIZE) continue;
        const int index = manifold->addManifoldPoint(bulletsPoint(contact, manifold->getContactPoint(0)));
        contact.point = &manifold->getContactPoint(index);
    }
}

void writeContacts(const SolvedNetwork& solved, const btContactSolverInfo& info, std::vector<ContactTick>& ticks) {
    ticks = solved.result.contacts;
    for (std::size_t i = 0; i < solved.contacts.size(); ++i) {
        const int nearest = solved.contacts[i].point == nullptr ? nearestPoint(solved.contacts, i) : -1;
        if (nearest >= 0) {
            ticks[static_cast<std::size_t>(nearest)].impulse += ticks[i].impulse;
            ticks[static_cast<std::size_t>(nearest)].frictionImpulse += ticks[i].frictionImpulse;
        }
    }
    for (std::size_t i = 0; i < solved.contacts.size(); ++i) {
        btManifoldPoint* point = solved.contacts[i].point;
        if (point == nullptr) continue;
        if (solved.contacts[i].isReplaced) point->m_normalWorldOnB = normalOf(solved.contacts[i]);
        const btVector3 friction = toBullet(ticks[i].frictionImpulse);
        point->m_appliedImpulse = static_cast<btScalar>(ticks[i].impulse);
        if (!hasUsersDirections(*point, info) && friction.length2() > 0) {
            point->m_lateralFrictionDir1 = friction.normalized();
            point->m_lateralFrictionDir2 = point->m_lateralFrictionDir1.cross(point->m_normalWorldOnB);
        }
        point->m_appliedImpulseLateral1 = friction.dot(point->m_lateralFrictionDir1);
        point->m_appliedImpulseLateral2 = friction.dot(point->m_lateralFrictionDir2);
    }
}

void writeBounds(const SolvedNetwork& solved) {
    for (std::size_t i = 0; i < solved.multi.bounds.size(); ++i) {
        const JointBound& bound = solved.multi.bounds[i];
        if (bound.constraint == nullptr) continue;
        const double direction = bound.row.kind == BoundedRow::Kind::Limit ? bound.row.side : 1;
        bound.constraint->internalSetAppliedImpulse(
            bound.rowOfBullet, static_cast<btScalar>(direction * solved.result.bounded[i].impulse));
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
