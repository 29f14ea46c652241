#include "network/motion_ccd.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "host/conversion.h"
#include "network/gather.h"
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

/// The bodies that joints tie to one another, by the first of them.
std::vector<std::size_t> tiedBodies(const FlowNetwork& network) {
    std::vector<std::size_t> root(network.bodies.size());
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto find = [&](std::size_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (const HeldRow& row : network.joints) {
        if (row.a == kWorld || row.b == kWorld) continue;
        const std::size_t a = find(static_cast<std::size_t>(row.a)), b = find(static_cast<std::size_t>(row.b));
        root[std::max(a, b)] = std::min(a, b);
    }
    for (std::size_t i = 0; i < root.size(); ++i) root[i] = find(i);
    return root;
}

/// Between two states that are so near to each other that the way is straight.
void setBetween(const BodyState& from, const BodyState& to, double share, BodyState& state) {
    state.position = from.position + share * (to.position - from.position);
    state.orientation = from.orientation.slerp(share, to.orientation);
    state.velocity = from.velocity + share * (to.velocity - from.velocity);
    state.angularVelocity = from.angularVelocity + share * (to.angularVelocity - from.angularVelocity);
}

/// Elements have the coordinates of where their bodies were stopped.
void measureElements(SolvedNetwork& solved) {
    FlowNetwork now;
    setEnd(solved, now);
    for (std::size_t e = 0; e < solved.elementCount() && e < now.elements.size(); ++e) {
        const FlowElement& flow = now.elements[e];
        const Measure end = measure(now, flow);
        ElementTick& element = solved.result.elements[e];
        element.s = end.s;
        element.v = end.v;
        element.geared = end.geared;
        element.force = evaluate(flow.law, end.s, end.v, element.s_damper);
        solved.cutEnergy -= element.storedEnergy;
        element.storedEnergy = storedEnergy(flow.law, end.s, element.s_damper);
        solved.cutEnergy += element.storedEnergy;
    }
}

}  // namespace

std::vector<std::size_t> stopWhatHits(btDiscreteDynamicsWorld& world, SolvedNetwork& solved) {
    std::vector<std::size_t> swept, stopped;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (isSwept(world, solved.bodies[i], solved.network.bodies[i], solved.result.bodies[i], solved.h)) {
            swept.push_back(i);
        }
    }
    if (swept.empty()) return stopped;
    const std::vector<double> times = sampleTimes(solved);
    const std::vector<std::size_t> root = tiedBodies(solved.network);
    std::vector<BodyState> from(solved.network.bodies.begin(), solved.network.bodies.end());
    const std::vector<BodyState> ends(solved.result.bodies.begin(), solved.result.bodies.end());
    for (std::size_t leg = 0; leg + 1 < times.size() && !swept.empty(); ++leg) {
        std::vector<BodyState> to = ends;
        if (times[leg + 1] < solved.h) {
            const TickResult there = solveTick(solved.network, times[leg + 1], solved.settings);
            to.assign(there.bodies.begin(), there.bodies.end());
        }
        std::vector<std::pair<double, std::size_t>> hits;  // share of the leg, and which
        for (const std::size_t i : swept) {
            btRigidBody& body = *solved.bodies[i].body;
            const btTransform start = toBullet(from[i]);
            const btTransform end(start.getBasis(), toBullet(to[i].position));
            NearestInTheWay nearest(world, body, start.getOrigin(), end.getOrigin());
            world.convexSweepTest(static_cast<const btConvexShape*>(body.getCollisionShape()), start, end, nearest);
            if (nearest.hasHit()) hits.emplace_back(static_cast<double>(nearest.m_closestHitFraction), i);
        }
        std::sort(hits.begin(), hits.end());
        for (const auto& [share, hit] : hits) {
            if (std::find(stopped.begin(), stopped.end(), hit) != stopped.end()) continue;  // with what it is tied to
            const double time = times[leg] + share * (times[leg + 1] - times[leg]);
            for (std::size_t i = 0; i < root.size(); ++i) {
                if (root[i] != root[hit] || !(solved.bodies[i].isMovable || solved.bodies[i].isLink)) continue;
                BodyTick& end = solved.result.bodies[i];
                solved.cutEnergy -= kineticEnergy(solved.network.bodies[i], end);
                setBetween(from[i], to[i], share, end);
                solved.cutEnergy += kineticEnergy(solved.network.bodies[i], end);
                const double speed = std::max(end.velocity.norm(), end.angularVelocity.norm());
                solved.result.grade.error += (solved.h - time) * speed;  // of the time that is lost
                stopped.push_back(i);
            }
        }
        std::erase_if(swept,
                      [&](std::size_t i) { return std::find(stopped.begin(), stopped.end(), i) != stopped.end(); });
        from = std::move(to);
    }
    if (!stopped.empty()) measureElements(solved);
    return stopped;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
