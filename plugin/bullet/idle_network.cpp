#include "idle_network.h"

#include <elasto/force_element.h>

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "conversion.h"
#include "element_access.h"
#include "network_builder.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

double norm(const btVector3& v) {
    return static_cast<double>(v.length());
}

constexpr std::size_t kMostFollowed = 8;  // bodies
constexpr double kRestSpeed = 0.05;       // [m/s], above what most of Bullet's stacks jitter with
constexpr double kJumpSpeed = 0.2;        // [m/s], above their jumps: who is Bullet's own stays it up to this
constexpr double kRestTime = 0.15;        // [s], longer than anything turns round

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

// What the bodies of a network do and may do in a tick.
class Motion {
public:
    Motion(const std::vector<std::shared_ptr<const Load>>& loads, const TickTime& time) : m_h(time.h) {
        for (const auto& load : loads) {
            double most = 0;
            for (const double part : {0.0, 0.5, 1.0}) {
                most = std::max(most, norm(load->value(time.t + part * m_h)));
            }
            const bool isForce = load->kind() == Load::Kind::Force;
            m_loads += speedBy(load->body(), isForce ? most : 0, isForce ? 0 : most);
        }
    }

    void add(const btCollisionObject& object) {
        const btRigidBody* body = btRigidBody::upcast(&object);
        if (body == nullptr || body->isStaticObject()) {
            return;
        }
        const double speed = norm(body->getLinearVelocity()) + reachOf(*body) * norm(body->getAngularVelocity());
        m_speed = std::max(m_speed, speed);
        if (body->isKinematicObject()) {
            m_fastest = std::max(m_fastest, speed);
            return;
        }
        m_fastest =
            std::max(m_fastest, speed + speedBy(*body, norm(body->getTotalForce()), norm(body->getTotalTorque())));
        count(*body);
    }

    // What the joint's motors can make of its bodies.
    void add(const HeldJoint& held) {
        add(held.joint->getRigidBodyA());
        add(held.joint->getRigidBodyB());
        for (const BoundedRow& row : held.rows.bounded) {
            if (row.kind == BoundedRow::Kind::Limit) {
                continue;
            }
            const bool isTurning = countsTurns(row.geometry);
            for (const btRigidBody* body : {&held.joint->getRigidBodyA(), &held.joint->getRigidBodyB()}) {
                if (!isMovable(*body)) {
                    continue;
                }
                const double full = speedBy(*body, isTurning ? 0 : row.maxForce, isTurning ? row.maxForce : 0);
                m_loads += std::min(full, std::abs(row.targetRate) * (isTurning ? reachOf(*body) : 1));
            }
        }
        for (const FlowElement& spring : held.rows.springs) {
            const double force = pullOf(*held.joint, spring);
            const bool isTurning = countsTurns(spring.geometry);
            for (const btRigidBody* body : {&held.joint->getRigidBodyA(), &held.joint->getRigidBodyB()}) {
                if (isMovable(*body)) m_loads += speedBy(*body, isTurning ? 0 : force, isTurning ? force : 0);
            }
        }
    }

    double speed() const { return m_speed; }                ///< of the fastest point [m/s]
    double fastest() const { return m_fastest + m_loads; }  ///< the most that loads can make of it in the tick
    bool isFollowed() const { return m_bodies <= kMostFollowed; }

private:
    void count(const btRigidBody& body) {
        const auto end = m_known.begin() + static_cast<std::ptrdiff_t>(std::min(m_bodies, kMostFollowed));
        if (std::find(m_known.begin(), end, &body) != end) return;
        if (m_bodies < kMostFollowed) m_known[m_bodies] = &body;
        ++m_bodies;  // beyond that no longer exact
    }
    static double reachOf(const btRigidBody& body) {
        btVector3 centre(0, 0, 0);
        btScalar radius = 0;
        if (body.getCollisionShape() != nullptr) {
            body.getCollisionShape()->getBoundingSphere(centre, radius);
        }
        return norm(centre) + static_cast<double>(radius);
    }
    double speedBy(const btRigidBody& body, double force, double torque) const {
        const btVector3& inertia = body.getInvInertiaDiagLocal();
        return m_h * (static_cast<double>(body.getInvMass()) * force +
                      static_cast<double>(inertia[inertia.maxAxis()]) * torque * reachOf(body));
    }

    double m_h;
    double m_speed = 0;
    double m_fastest = 0;
    double m_loads = 0;
    std::size_t m_bodies = 0;
    std::array<const btRigidBody*, kMostFollowed> m_known{};  // the first of them
};

bool isOpenBeyond(const FlowNetwork& network, const FlowElement& element, double reach) {
    const auto* gap = std::get_if<ElastoGapLaw>(&element.law);
    return gap != nullptr && element.geometry != Geometry::AboutAxis &&
           measure(network, element).s - gap->parameters().s_rel0 > reach;
}

}  // namespace

bool isIdle(const SolvedNetwork& gathered, bool isCoupled, const std::vector<ContactPoint>& contacts,
            const std::vector<const HeldJoint*>& joints, const std::vector<std::shared_ptr<const Load>>& loads,
            const TickTime& time) {
    const auto areOpenBeyond = [&](double reach) {
        return std::all_of(gathered.network.elements.begin(), gathered.network.elements.end(),
                           [&](const FlowElement& element) { return isOpenBeyond(gathered.network, element, reach); });
    };
    if (!areOpenBeyond(0)) {
        for (ForceElement* element : gathered.elements) ElementAccess::setRest(*element, 0);
        return false;
    }
    Motion motion(loads, time);
    for (const NetworkBody& entry : gathered.bodies) {
        motion.add(*entry.body);
    }
    for (const ContactPoint& contact : contacts) {
        motion.add(*contact.bodyA);
        motion.add(*contact.bodyB);
    }
    for (const HeldJoint* held : joints) {
        motion.add(*held);
    }
    const double reach = 2 * (2 * motion.fastest()) * time.h;  // both ends move
    const bool isOpen = areOpenBeyond(reach);
    double rest = kRestTime;
    for (ForceElement* element : gathered.elements) rest = std::min(rest, ElementAccess::rest(*element));
    const bool isResting = isOpen && motion.speed() < (rest < kRestTime ? kRestSpeed : kJumpSpeed);
    for (ForceElement* element : gathered.elements) {
        ElementAccess::setRest(*element, isResting ? ElementAccess::rest(*element) + time.h : 0);
    }
    return isOpen && ((isResting && rest >= kRestTime) || !motion.isFollowed() || !isCoupled);
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
        elements.push_back(tick);
    }
    result = {};
    result.bodies = std::move(bodies);
    result.elements = std::move(elements);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
