#include "contacts/foreseen_pairs.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <tuple>

#include "contacts/approach.h"
#include "host/body_status.h"
#include "host/bullet_internals.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

class Finder : public btBroadphaseAabbCallback {
public:
    Finder(btMultiBodyLinkCollider& link, std::vector<btCollisionObject*>& found) : m_link(link), m_found(found) {}
    bool process(const btBroadphaseProxy* proxy) override {
        auto* object = static_cast<btCollisionObject*>(proxy->m_clientObject);
        if (object != &m_link) m_found.push_back(object);
        return true;
    }

private:
    btMultiBodyLinkCollider& m_link;
    std::vector<btCollisionObject*>& m_found;
};

/// As Bullet decides it.
bool mayCollide(btDiscreteDynamicsWorld& world, const btCollisionObject& a, const btCollisionObject& b) {
    auto* ofA = const_cast<btBroadphaseProxy*>(a.getBroadphaseHandle());
    auto* ofB = const_cast<btBroadphaseProxy*>(b.getBroadphaseHandle());
    if (!world.getPairCache()->needsBroadphaseCollision(ofA, ofB)) return false;
    btDispatcher& dispatcher = *world.getDispatcher();
    return dispatcher.needsCollision(&a, &b) && dispatcher.needsResponse(&a, &b);
}

/// What it moves with is known: it does not move, is a link, or is in the group.
bool isKnown(const btCollisionObject& object, const SolverGroup& group) {
    if (object.isStaticOrKinematicObject() || isLink(object)) return true;
    const int id = object.getCompanionId();
    return isMovable(object) && id >= 0 && id < group.solverBodies->size() &&
           (*group.solverBodies)[id].m_originalBody == btRigidBody::upcast(&object);
}

}  // namespace

bool hasManifold(btDiscreteDynamicsWorld& world, const btCollisionObject& a, const btCollisionObject& b) {
    auto* ofA = const_cast<btBroadphaseProxy*>(a.getBroadphaseHandle());
    auto* ofB = const_cast<btBroadphaseProxy*>(b.getBroadphaseHandle());
    const btBroadphasePair* pair = world.getPairCache()->findPair(ofA, ofB);
    if (pair == nullptr || pair->m_algorithm == nullptr) return false;
    btManifoldArray manifolds;
    pair->m_algorithm->getAllContactManifolds(manifolds);
    return manifolds.size() > 0;
}

void ForeseenPairs::find(const SolverGroup& group, btDiscreteDynamicsWorld& world,
                         std::span<btMultiBody* const> multiBodies, std::vector<btPersistentManifold*>& manifolds) {
    const btScalar h = group.info->m_timeStep;
    std::vector<std::pair<btCollisionObject*, btCollisionObject*>> pairs;
    std::vector<btCollisionObject*> others;
    const auto look = [&](btMultiBodyLinkCollider* link) {
        if (link == nullptr || link->isStaticOrKinematicObject() || link->getBroadphaseHandle() == nullptr) return;
        const Approach approach = Approach::foreseen(*link, h);
        const btScalar way = approach.way(h);
        const btCollisionShape& shape = *link->getCollisionShape();
        btVector3 least, most;
        shape.getAabb(approach.start, least, most);
        const btVector3 room(way, way, way);
        others.clear();
        Finder finder(*link, others);
        world.getBroadphase()->aabbTest(least - room, most + room, finder);
        for (btCollisionObject* other : others) {
            if (!isKnown(*other, group) || hasManifold(world, *link, *other) || !mayCollide(world, *link, *other)) {
                continue;
            }
            const bool isFirst = link->getBroadphaseHandle()->getUid() < other->getBroadphaseHandle()->getUid();
            const bool linkFirst = other->getCollisionShape()->isConcave() || isFirst;
            pairs.emplace_back(linkFirst ? link : other, linkFirst ? other : link);
        }
    };
    for (btMultiBody* body : multiBodies) {
        look(body->getBaseCollider());
        for (int i = 0; i < body->getNumLinks(); ++i) look(body->getLink(i).m_collider);
    }
    const auto orderOf = [](const auto& pair) {
        return std::tuple(pair.first->getWorldArrayIndex(), pair.second->getWorldArrayIndex());
    };
    std::sort(pairs.begin(), pairs.end(), [&](const auto& x, const auto& y) { return orderOf(x) < orderOf(y); });
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());  // both may be fast links
    for (const auto& [a, b] : pairs) {
        const btScalar breaking = btMin(a->getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold),
                                        b->getCollisionShape()->getContactBreakingThreshold(gContactBreakingThreshold));
        const btScalar most = btMin(a->getContactProcessingThreshold(), b->getContactProcessingThreshold());
        manifolds.push_back(&m_own.emplace_back(a, b, 0, breaking, most));
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
