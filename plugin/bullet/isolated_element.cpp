#include "isolated_element.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>

#include "body_memory.h"
#include "conversion.h"
#include "element_access.h"
#include "network_builder.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isBodyA(const ForceElement& element) {
    return &element.getRigidBodyB() == &Placement::world();
}

SavedBody& memoryOf(ForceElement& element) {
    return isBodyA(element) ? ElementAccess::savedA(element) : ElementAccess::savedB(element);
}

IsolatedElement viewOf(const ForceElement& element, double s_damper, double phi) {
    const Placement& placement = element.placement();
    return {element.law(),
            placement.geometry(),
            isBodyA(element),
            placement.pointA(),
            placement.pointB(),
            placement.axis(),
            placement.frameA(),
            placement.frameB(),
            element.s_small(),
            s_damper,
            phi};
}

// As Bullet will hold it.
bool isFinite(const BodyState& state) {
    const auto sum = [](const btVector3& v) { return v.x() + v.y() + v.z(); };
    const btScalar total =
        sum(toBullet(state.position)) + sum(toBullet(state.velocity)) + sum(toBullet(state.angularVelocity));
    return std::isfinite(static_cast<double>(total) + state.orientation.coeffs().sum());
}

bool isSlow(const Eigen::Vector3d& v, double limit) {
    return v.squaredNorm() <= limit * limit;
}

// As isAtRest of networks (rest.h).
bool isAtRest(const FlowBody& start, const IsolatedTick& tick, double h, const RestThresholds& thresholds) {
    const BodyTick& end = tick.body;
    return isSlow((end.velocity - start.velocity) / h, thresholds.acceleration) &&
           isSlow((end.angularVelocity - start.angularVelocity) / h, thresholds.angularAcceleration) &&
           isSlow(end.velocity, thresholds.speed) && isSlow(end.angularVelocity, thresholds.angularSpeed) &&
           isSlow(tick.endAcceleration, thresholds.acceleration) &&
           isSlow(tick.endAngularAcceleration, thresholds.angularAcceleration);
}

// Start of the tick, and what has changed since the last one ended.
EnergyBetweenTicks readStart(const SavedBody& memory, const btRigidBody& body, btScalar bulletH, FlowBody& start) {
    EnergyBetweenTicks between;
    const bool isUndamped = body.getLinearDamping() == 0 && body.getAngularDamping() == 0;
    if (isUndamped && isRemembered(memory, body)) {
        static_cast<BodyState&>(start) = rememberedState(memory);
        return between;
    }
    const TickStart found = tickStart(memory, body, bulletH);
    static_cast<BodyState&>(start) = found.state;
    if (memory.known) {
        const double change = kineticEnergy(start, start) - kineticEnergy(start, rememberedState(memory));
        (found.isDamped ? between.damping : between.pushed) += found.isDamped ? -change : change;
    }
    return between;
}

}  // namespace

btRigidBody* isolatedBody(ForceElement& element) {
    if (!element.isEnabled()) return nullptr;
    btRigidBody& a = element.getRigidBodyA();
    btRigidBody& b = element.getRigidBodyB();
    if (!isBodyA(element) && &a != &Placement::world()) return nullptr;
    btRigidBody& body = isBodyA(element) ? a : b;
    const bool isAsked = element.getJointFeedback() != nullptr || element.heatPort() != nullptr ||
                         element.placement().isGearPair() || element.uncoupled() || ElementAccess::debt(element) != 0;
    // Bullet's continuous collision detection may cut a network's tick short.
    return !isAsked && isMovable(body) && body.getCcdSquareMotionThreshold() == 0 ? &body : nullptr;
}

bool solveIsolated(ForceElement& element, const btRigidBody& body, const TickTime& time,
                   const RestThresholds& thresholds, IsolatedSums& sums, std::vector<ContactEvent>& events) {
    IsolatedRecord& record = ElementAccess::isolatedRecord(element);
    record.isValid = false;
    FlowBody start = flowBody(body);
    EnergyBetweenTicks between = readStart(memoryOf(element), body, time.bulletH, start);
    record.s_damper = element.s_damper();
    record.phi = ElementAccess::angle(element);
    IsolatedTick tick;
    if (!solveIsolated(start, viewOf(element, record.s_damper, record.phi), time.h, tick, events)) return false;
    if (element.tickLength() > 0) {
        between.pushed += tick.storedBefore - ElementAccess::lastStoredEnergy(element);
    }
    record.h = time.h;
    record.start = start;
    record.inverseMass = start.inverseMass;
    record.inverseInertia = start.inverseInertia;
    record.linearFactor = start.linearFactor;
    record.angularFactor = start.angularFactor;
    record.force = start.force.constant;
    record.torque = start.torque.constant;
    record.gyroscopic = start.gyroscopic;
    record.end = tick.body;
    record.s = tick.element.s;
    record.s_damperEnd = tick.element.s_damper;
    record.impulse = tick.element.impulse;
    record.heat = tick.element.heat;
    record.storedEnergy = tick.element.storedEnergy;
    const double gain =
        kineticEnergy(start, tick.body) + tick.element.storedEnergy - (kineticEnergy(start, start) + tick.storedBefore);
    record.method = tick.method;
    record.steps = tick.steps;
    record.isAtRest = isAtRest(start, tick, time.h, thresholds);
    const double amounts =
        gain + record.heat + record.impulse + tick.element.force.f + between.pushed + between.damping;
    if (!std::isfinite(amounts) || !isFinite(tick.body)) return false;
    sums.gain += gain;
    sums.heat += record.heat;
    sums.handedOut += tick.energyHandedOut;
    sums.mostHandedOut = std::max(sums.mostHandedOut, tick.energyHandedOut);
    sums.between += between;
    return true;
}

void handOverPose(const IsolatedRecord& record, btRigidBody& body) {
    body.setCenterOfMassTransform(toBullet(record.end));
}

void finishIsolated(ForceElement& element, btRigidBody& body) {
    const IsolatedRecord& record = ElementAccess::isolatedRecord(element);
    ElementAccess::adopt(element, record);
    remember(memoryOf(element), body, record.end);
    if (std::fabs(element.impulse()) >= static_cast<double>(element.getBreakingImpulseThreshold())) {
        element.setEnabled(false);
    }
}

SolvedNetwork networkOf(const IsolatedRecord& record, const ForceElement& element) {
    SolvedNetwork solved;
    solved.tick = record.tick;
    solved.h = record.h;
    FlowBody& flowBody = solved.network.bodies.emplace_back();
    static_cast<BodyState&>(flowBody) = record.start;
    flowBody.inverseMass = record.inverseMass;
    flowBody.inverseInertia = record.inverseInertia;
    flowBody.linearFactor = record.linearFactor;
    flowBody.angularFactor = record.angularFactor;
    flowBody.gyroscopic = record.gyroscopic;
    flowBody.force.constant = record.force;
    flowBody.torque.constant = record.torque;
    FlowElement flow = ElementAccess::flowElement(element);
    (isBodyA(element) ? flow.a : flow.b) = 0;
    flow.s_damper = record.s_damper;
    flow.phi = record.phi;
    solved.network.elements.push_back(flow);
    solved.result = solveTick(solved.network, solved.h);
    NetworkBody body;
    const Placement& placement = element.placement();
    body.body = isBodyA(element) ? &placement.bodyA() : &placement.bodyB();
    body.isMovable = true;
    solved.bodies.push_back(body);
    return solved;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
