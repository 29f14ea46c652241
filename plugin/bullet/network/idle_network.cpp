#include "network/idle_network.h"

#include <elasto/force_element.h>

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "host/body_status.h"
#include "host/conversion.h"
#include "network/element_access.h"
#include "network/load_table.h"
#include "network/network_builder.h"
#include "network/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

double norm(const btVector3& v) {
    return static_cast<double>(v.length());
}

/// Force of a joint's spring at present [N, N.m].
double pullOf(const btTypedConstraint& joint, FlowElement spring) {
    FlowNetwork pair;
    for (const btRigidBody* body : {&joint.getRigidBodyA(), &joint.getRigidBodyB()}) {
        FlowBody end;
        end.position = toEigen(body->getWorldTransform().getOrigin());
        end.orientation = rotationOf(body->getWorldTransform().getBasis());
        end.velocity = toEigen(body->getLinearVelocity());
        end.angularVelocity = toEigen(body->getAngularVelocity());
        pair.bodies.push_back(end);
    }
    spring.a = 0;
    spring.b = 1;
    const Measure now = measure(pair, spring);
    return std::abs(evaluate(spring.law, now.s, now.v, 0).f);
}

double reachOf(const btRigidBody& body) {
    btVector3 centre(0, 0, 0);
    btScalar radius = 0;
    if (body.getCollisionShape() != nullptr) {
        body.getCollisionShape()->getBoundingSphere(centre, radius);
    }
    return norm(centre) + static_cast<double>(radius);
}

// How many times faster than any point of its body an end of the element may be, on an arm beyond the body's shape.
// @param displacement that any point of the bodies may move [m]
double leverOf(const SolvedNetwork& gathered, const FlowElement& element, const Measure& now, double displacement) {
    struct End {
        int body;
        Eigen::Vector3d point;
        double lever = 1;
    };
    const auto armOf = [&](const End& end) -> Eigen::Vector3d {
        return end.point - gathered.network.bodies[static_cast<std::size_t>(end.body)].position;
    };
    const auto leverAt = [&](const End& end, double arm) {
        const btRigidBody& body = *gathered.bodies[static_cast<std::size_t>(end.body)].body;
        return std::max(1.0, arm / std::max(reachOf(body), 1e-3));
    };
    const bool isAlongAxis = element.geometry == Geometry::AlongAxis;
    std::array<End, 2> ends = {End{element.a, isAlongAxis ? now.pointB : now.pointA}, End{element.b, now.pointB}};
    double drift = 0;
    for (End& end : ends) {
        if (end.body != kWorld) end.lever = leverAt(end, armOf(end).norm());
        drift += displacement * end.lever;
    }
    // A body that turns moves along a given direction what is beside its centre.
    if (isAlongAxis) {
        for (End& end : ends) {
            if (end.body == kWorld) continue;
            end.lever = std::min(end.lever, leverAt(end, armOf(end).cross(now.direction).norm() + drift));
        }
    }
    return std::max(ends[0].lever, ends[1].lever);
}

bool isOpenBeyond(const SolvedNetwork& gathered, const FlowElement& element, double reach) {
    const ReducedLaw law = reduced(element.law);
    if (law.kind != ReducedLaw::Kind::Contact || isRotational(element.geometry)) return false;
    const Measure now = measure(gathered.network, element);
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const double opening = std::min(law.below ? now.s - law.edgeLow : kNone, law.above ? law.edgeHigh - now.s : kNone);
    return opening > reach && opening > reach * leverOf(gathered, element, now, reach);
}

bool areOpenBeyond(const SolvedNetwork& gathered, double reach) {
    return std::all_of(gathered.network.elements.begin(), gathered.network.elements.end(),
                       [&](const FlowElement& element) { return isOpenBeyond(gathered, element, reach); });
}

}  // namespace

NetworkMotion::NetworkMotion(const LoadTable& loads, double h) : m_h(h) {
    for (const LoadTable::OfBody& load : loads.bodies()) {
        m_loads += speedBy(*load.body, reachOf(*load.body), load.force, load.torque);
    }
}

void NetworkMotion::add(const btCollisionObject& object) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    if (body == nullptr || isFixed(*body)) return;
    const double reach = reachOf(*body);
    const double speed = norm(body->getLinearVelocity()) + reach * norm(body->getAngularVelocity());
    m_speed = std::max(m_speed, speed);
    if (body->isKinematicObject()) {
        m_fastest = std::max(m_fastest, speed);
        return;
    }
    const double more = speedBy(*body, reach, norm(body->getTotalForce()), norm(body->getTotalTorque()));
    m_fastest = std::max(m_fastest, speed + more);
    count(*body);
}

void NetworkMotion::add(const btSolverBody& body) {
    const btRigidBody& original = *body.m_originalBody;
    const double reach = reachOf(original);
    const double speed = norm(body.m_linearVelocity) + reach * norm(body.m_angularVelocity);
    m_speed = std::max(m_speed, speed);
    if (original.isKinematicObject()) {
        m_fastest = std::max(m_fastest, speed);
        return;
    }
    const double more = norm(body.m_externalForceImpulse) + reach * norm(body.m_externalTorqueImpulse);
    m_fastest = std::max(m_fastest, speed + more);
    count(original);
}

void NetworkMotion::add(const HeldJoint& held) {
    add(held.joint->getRigidBodyA());
    add(held.joint->getRigidBodyB());
    for (const BoundedRow& row : held.rows.bounded) {
        if (row.kind == BoundedRow::Kind::Limit) continue;
        const bool isTurning = countsTurns(row.geometry);
        for (const btRigidBody* body : {&held.joint->getRigidBodyA(), &held.joint->getRigidBodyB()}) {
            if (!isMovable(*body)) continue;
            const double reach = reachOf(*body);
            const double full = speedBy(*body, reach, isTurning ? 0 : row.maxForce, isTurning ? row.maxForce : 0);
            m_loads += std::min(full, std::abs(row.targetRate) * (isTurning ? reach : 1));
        }
    }
    for (const FlowElement& spring : held.rows.springs) {
        const double force = pullOf(*held.joint, spring);
        const bool isTurning = countsTurns(spring.geometry);
        for (const btRigidBody* body : {&held.joint->getRigidBodyA(), &held.joint->getRigidBodyB()}) {
            if (!isMovable(*body)) continue;
            m_loads += speedBy(*body, reachOf(*body), isTurning ? 0 : force, isTurning ? force : 0);
        }
    }
}

void NetworkMotion::add(const NetworkMotion& others) {
    m_speed = std::max(m_speed, others.m_speed);
    m_fastest = std::max(m_fastest, others.m_fastest);
    for (std::size_t i = 0; i < others.m_count; ++i) count(*others.m_bodies[i]);
}

double NetworkMotion::speedBy(const btRigidBody& body, double reach, double force, double torque) const {
    double speed = static_cast<double>(body.getInvMass()) * force;
    if (torque > 0) {
        const btVector3& inertia = body.getInvInertiaDiagLocal();
        speed += static_cast<double>(inertia[inertia.maxAxis()]) * torque * reach;
    }
    return m_h * speed;
}

void NetworkMotion::count(const btRigidBody& body) {
    const auto end = m_bodies.begin() + static_cast<std::ptrdiff_t>(m_count);
    if (isLarge() || std::find(m_bodies.begin(), end, &body) != end) return;
    m_bodies[m_count++] = &body;
}

bool areGapsOpen(const SolvedNetwork& gathered) {
    if (areOpenBeyond(gathered, 0)) return true;
    for (ForceElement* element : gathered.elements) ElementAccess::setRest(*element, 0);
    return false;
}

std::optional<Idleness> idlenessOf(const SolvedNetwork& gathered, const NetworkMotion& known, const NetworkMotion& most,
                                   double h) {
    const auto isOpenFor = [&](const NetworkMotion& motion) {
        // Both ends move; bodies that touch never less than Bullet's stacks jitter.
        return areOpenBeyond(gathered, 2 * (2 * std::max(motion.fastest(), kIdleSpeed)) * h);
    };
    double rest = kRestTime;
    for (ForceElement* element : gathered.elements) rest = std::min(rest, ElementAccess::rest(*element));
    const double restSpeed = rest < kRestTime ? kIdleSpeed : kBulletRestSpeed;
    const bool isOpen = isOpenFor(most);
    const bool isSlow = most.speed() < restSpeed;
    const bool isCertain = isOpen ? isSlow || !(known.speed() < restSpeed) : !isOpenFor(known);
    if (!isCertain) return std::nullopt;
    const bool isResting = isOpen && isSlow;
    for (ForceElement* element : gathered.elements) {
        ElementAccess::setRest(*element, isResting ? ElementAccess::rest(*element) + h : 0);
    }
    if (!isOpen) return Idleness::Active;
    return (isResting && rest >= kRestTime) || known.isLarge() ? Idleness::Idle : Idleness::IfUncoupled;
}

void setIdleResult(SolvedNetwork& gathered) {
    TickResult& result = gathered.result;
    std::vector<BodyTick> bodies = std::move(result.bodies);  // for their storage
    std::vector<ElementTick> elements = std::move(result.elements);
    bodies.clear();
    elements.clear();
    for (const FlowBody& body : gathered.network.bodies) {
        BodyTick tick;
        static_cast<BodyState&>(tick) = body;
        bodies.push_back(tick);
    }
    for (const FlowElement& element : gathered.network.elements) {
        ElementTick tick;
        tick.s_damper = element.s_damper;
        tick.pause = element.pause;
        elements.push_back(tick);
    }
    result = {};
    result.bodies = std::move(bodies);
    result.elements = std::move(elements);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
