#include "network/motion_ccd.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>

#include "host/conversion.h"
#include "network/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// The nearest thing in the way of a body that it is not moving away from, by the filters Bullet's own sweep uses.
class NearestInTheWay : public btCollisionWorld::ClosestConvexResultCallback {
public:
    NearestInTheWay(btCollisionWorld& world, btCollisionObject& body, const btVector3& from, const btVector3& to)
        : ClosestConvexResultCallback(from, to), m_world(world), m_body(body) {
        m_collisionFilterGroup = body.getBroadphaseHandle()->m_collisionFilterGroup;
        m_collisionFilterMask = body.getBroadphaseHandle()->m_collisionFilterMask;
    }

    bool needsCollision(btBroadphaseProxy* proxy) const override {
        auto* other = static_cast<btCollisionObject*>(proxy->m_clientObject);
        return other != &m_body && ClosestConvexResultCallback::needsCollision(proxy) &&
               m_world.getPairCache()->needsBroadphaseCollision(proxy, m_body.getBroadphaseHandle()) &&
               m_world.getDispatcher()->needsCollision(&m_body, other) &&
               m_world.getDispatcher()->needsResponse(&m_body, other);
    }

    btScalar addSingleResult(btCollisionWorld::LocalConvexResult& result, bool normalInWorldSpace) override {
        const btScalar approach = result.m_hitNormalLocal.dot(m_convexToWorld - m_convexFromWorld);
        if (!result.m_hitCollisionObject->hasContactResponse() ||
            approach >= -m_world.getDispatchInfo().m_allowedCcdPenetration) {
            return 1;
        }
        return ClosestConvexResultCallback::addSingleResult(result, normalInWorldSpace);
    }

private:
    btCollisionWorld& m_world;
    btCollisionObject& m_body;
};

// Between these times every body's path is nearly straight: contacts begin or end, the motion turns half-way between.
std::vector<double> sampleTimes(const SolvedNetwork& solved) {
    std::vector<double> marks{0, solved.h};
    for (const ContactEvent& event : solved.result.events) {
        marks.push_back(event.time);
    }
    std::sort(marks.begin(), marks.end());
    std::vector<double> times = marks;
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
        times.push_back((marks[i] + marks[i + 1]) / 2);
    }
    for (int part = 1; part < kEvenParts; ++part) {
        times.push_back(solved.h * part / kEvenParts);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

bool isSwept(const btDiscreteDynamicsWorld& world, const NetworkBody& entry, const FlowBody& start,
             const BodyState& end, double h) {
    if (!entry.isMovable || entry.ccdMotionThreshold == 0 || !world.getDispatchInfo().m_useContinuous ||
        !entry.body->getCollisionShape()->isConvex() || entry.body->getBroadphaseHandle() == nullptr) {
        return false;
    }
    const double displacement =
        std::max({(end.position - start.position).norm(), start.velocity.norm() * h, end.velocity.norm() * h});
    return displacement > static_cast<double>(entry.ccdMotionThreshold);
}

}  // namespace

std::optional<double> sweepMotion(btDiscreteDynamicsWorld& world, const SolvedNetwork& solved,
                                  const FlowSettings& settings) {
    std::vector<std::size_t> swept;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (isSwept(world, solved.bodies[i], solved.network.bodies[i], solved.result.bodies[i], solved.h)) {
            swept.push_back(i);
        }
    }
    if (swept.empty()) {
        return std::nullopt;
    }
    const std::vector<double> times = sampleTimes(solved);
    std::vector<BodyTick> from = solved.result.bodies;
    for (std::size_t i = 0; i < from.size(); ++i) {
        static_cast<BodyState&>(from[i]) = solved.network.bodies[i];
    }
    for (std::size_t leg = 0; leg + 1 < times.size(); ++leg) {
        const std::vector<BodyTick> to = times[leg + 1] < solved.h
                                             ? solveTick(solved.network, times[leg + 1], settings).bodies
                                             : solved.result.bodies;
        double fraction = 2;
        for (const std::size_t i : swept) {
            btRigidBody& body = *solved.bodies[i].body;
            const btTransform start = toBullet(from[i]);
            const btTransform end(start.getBasis(), toBullet(to[i].position));
            NearestInTheWay nearest(world, body, start.getOrigin(), end.getOrigin());
            world.convexSweepTest(static_cast<const btConvexShape*>(body.getCollisionShape()), start, end, nearest);
            if (nearest.hasHit()) {
                fraction = std::min(fraction, static_cast<double>(nearest.m_closestHitFraction));
            }
        }
        if (fraction < 1) {
            return std::max(times[leg] + fraction * (times[leg + 1] - times[leg]), kLeastShare * solved.h);
        }
        from = to;
    }
    return std::nullopt;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
