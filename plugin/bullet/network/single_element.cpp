#include "network/single_element.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "host/conversion.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "network/network_builder.h"
#include "network/write_bodies.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isBodyA(const ForceElement& element) {
    return &element.getRigidBodyB() == &Placement::world();
}

SavedBody& cacheOf(ForceElement& element) {
    return isBodyA(element) ? ElementAccess::savedA(element) : ElementAccess::savedB(element);
}

const SavedBody* knownCacheOf(const ForceElement& element) {
    return isBodyA(element) ? ElementAccess::knownA(element) : ElementAccess::knownB(element);
}

SingleElement viewOf(const ForceElement& element, double s_damper, double phi) {
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

// As isAtRest of networks (network/sleep_test.h).
bool isAtRest(const BodyState& start, const BodyState& end, const Eigen::Vector3d& endAcceleration, double h,
              const RestThresholds& thresholds) {
    return isSlow(end.velocity, thresholds.speed) &&
           isSlow((end.velocity - start.velocity) / h, thresholds.acceleration) &&
           isSlow(endAcceleration, thresholds.acceleration);
}

bool isAtRestTurning(const BodyState& start, const BodyState& end, const Eigen::Vector3d& endAcceleration, double h,
                     const RestThresholds& thresholds) {
    return isSlow(end.angularVelocity, thresholds.angularSpeed) &&
           isSlow((end.angularVelocity - start.angularVelocity) / h, thresholds.angularAcceleration) &&
           isSlow(endAcceleration, thresholds.angularAcceleration);
}

// Start of the tick, and what has changed since the last one ended.
EnergyBetweenTicks readStart(const SavedBody* cache, const btRigidBody& body, btScalar bulletH, FlowBody& start) {
    static const SavedBody nothing;
    EnergyBetweenTicks between;
    const bool isUndamped = body.getLinearDamping() == 0 && body.getAngularDamping() == 0;
    if (cache != nullptr && isUndamped && isRemembered(*cache, body)) {
        static_cast<BodyState&>(start) = rememberedState(*cache);
        return between;
    }
    const TickStart found = tickStart(cache != nullptr ? *cache : nothing, body, bulletH);
    static_cast<BodyState&>(start) = found.state;
    if (cache != nullptr && cache->known) {
        const double change = kineticEnergy(start, start) - kineticEnergy(start, rememberedState(*cache));
        (found.isDamped ? between.damping : between.pushed) += found.isDamped ? -change : change;
    }
    return between;
}

// The bits that differ.
class Difference {
public:
    void add(const btVector3& x, const btVector3& y) {
        for (int i = 0; i < 3; ++i) m_bits |= bitsOf(x[i]) ^ bitsOf(y[i]);
    }
    bool isNone() const { return m_bits == 0; }

private:
    using Bits = std::conditional_t<sizeof(btScalar) == 8, std::uint64_t, std::uint32_t>;
    static Bits bitsOf(btScalar value) { return std::bit_cast<Bits>(value); }
    Bits m_bits = 0;
};

SingleRecord::Numbers numbersOf(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

btVector3 vectorOf(const SingleRecord::Numbers& numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

// The body is as the last tick has left it, and the same acts on it as did then.
bool isUnchanged(const SingleRecord& record, const btRigidBody& body) {
    const BodyState& left = record.end();
    Difference difference;
    difference.add(body.getWorldTransform().getOrigin(), toBullet(left.position));
    difference.add(body.getLinearVelocity(), toBullet(left.velocity));
    difference.add(body.getAngularVelocity(), toBullet(left.angularVelocity));
    const btMatrix3x3 basis = toBullet(left.orientation.toRotationMatrix());
    for (int row = 0; row < 3; ++row) difference.add(body.getWorldTransform().getBasis()[row], basis[row]);
    return difference.isNone() && body.getTotalTorque().isZero() && body.getLinearDamping() == 0 &&
           body.getAngularDamping() == 0 && record.inverseMass == static_cast<double>(body.getInvMass()) &&
           record.linearFactor == numbersOf(body.getLinearFactor()) &&
           record.inverseInertia == numbersOf(body.getInvInertiaDiagLocal()) &&
           record.totalForce == numbersOf(body.getTotalForce());
}

// Of a body that does not turn.
double kineticGain(const SingleRecord& record, const Eigen::Vector3d& before, const Eigen::Vector3d& after) {
    double gain = 0;
    for (int i = 0; i < 3; ++i) {
        const auto factor = static_cast<double>(record.linearFactor[static_cast<std::size_t>(i)]);
        if (factor > 0) gain += (after[i] - before[i]) * (after[i] + before[i]) / (2 * record.inverseMass * factor);
    }
    return gain;
}

/// What a tick adds to the sums.
struct Amounts {
    double gain = 0;
    EnergyBetweenTicks between;
};

void add(const SingleRecord& record, const Amounts& amounts, SingleSums& sums) {
    sums.gain += amounts.gain;
    sums.heat += record.heat;
    sums.handedOut -= record.heat;
    sums.mostHandedOut = std::max(sums.mostHandedOut, -record.heat);
    sums.between += amounts.between;
}

// The tick of most elements at most times. @return false where all of the element and its body is to be looked at
bool solveStraight(const ForceElement& element, SingleRecord& record, const btRigidBody& body, const TickTime& time,
                   const RestThresholds& thresholds, SingleSums& sums, std::vector<ContactEvent>& events) {
    if (!record.isReady || record.straight.h() != time.h || !isUnchanged(record, body)) return false;
    const BodyState& start = record.nextStart();
    record.s_damper = element.s_damper();
    StraightTick tick;
    const SingleElement view = viewOf(element, record.s_damper, 0);
    if (!record.straight.solve(start.position, start.velocity, view, tick, events)) return false;
    Amounts amounts;
    if (element.tickLength() > 0) {
        amounts.between.pushed = tick.storedBefore - ElementAccess::lastStoredEnergy(element);
    }
    amounts.gain = kineticGain(record, start.velocity, tick.velocity) + (tick.storedEnergy - tick.storedBefore);
    const double sum = amounts.gain + tick.heat + tick.impulse + tick.force + amounts.between.pushed;
    const btVector3 position = toBullet(tick.position);
    const btVector3 velocity = toBullet(tick.velocity);
    const btScalar motion = position.x() + position.y() + position.z() + velocity.x() + velocity.y() + velocity.z();
    if (!std::isfinite(sum + static_cast<double>(motion))) return false;
    BodyState& end = record.nextEnd();
    end.position = tick.position;
    end.velocity = tick.velocity;
    record.isValid = false;
    record.isStraight = true;
    record.s_damperEnd = tick.s_damper;
    record.impulse = tick.impulse;
    record.heat = tick.heat;
    record.storedEnergy = tick.storedEnergy;
    record.method = tick.method;
    record.steps = tick.steps;
    record.isAtRest = isAtRest(start, end, tick.acceleration, time.h, thresholds);
    add(record, amounts, sums);
    return true;
}

}  // namespace

btRigidBody* singleBody(ForceElement& element) {
    if (!element.isEnabled()) return nullptr;
    btRigidBody& a = element.getRigidBodyA();
    btRigidBody& b = element.getRigidBodyB();
    if (!isBodyA(element) && &a != &Placement::world()) return nullptr;
    btRigidBody& body = isBodyA(element) ? a : b;
    const bool isAsked = element.getJointFeedback() != nullptr || element.heatPort() != nullptr ||
                         element.uncoupled() || ElementAccess::debt(element) != 0 ||
                         (!ElementAccess::isReadySingle(element) && element.placement().isGearPair());
    // Bullet's continuous collision detection may cut a network's tick short.
    return !isAsked && isMovable(body) && body.getCcdSquareMotionThreshold() == 0 ? &body : nullptr;
}

bool solveSingle(ForceElement& element, const btRigidBody& body, const TickTime& time, const RestThresholds& thresholds,
                 SingleSums& sums, std::vector<ContactEvent>& events) {
    SingleRecord& record = ElementAccess::singleRecord(element);
    if (solveStraight(element, record, body, time, thresholds, sums, events)) return true;
    ElementAccess::releaseBody(element);
    record.isValid = record.isStraight = false;
    FlowBody start = flowBody(body);
    Amounts amounts{.gain = 0, .between = readStart(knownCacheOf(element), body, time.bulletH, start)};
    record.s_damper = element.s_damper();
    record.phi = ElementAccess::angle(element);
    SingleTick tick;
    const SingleElement view = viewOf(element, record.s_damper, record.phi);
    if (!solveSingle(start, view, time.h, tick, events)) return false;
    if (element.tickLength() > 0) {
        amounts.between.pushed += tick.storedBefore - ElementAccess::lastStoredEnergy(element);
    }
    record.h = time.h;
    record.nextStart() = start;
    record.nextEnd() = tick.body;
    record.inverseMass = start.inverseMass;
    record.inverseInertia = numbersOf(body.getInvInertiaDiagLocal());
    record.linearFactor = numbersOf(body.getLinearFactor());
    record.totalForce = numbersOf(body.getTotalForce());
    record.angularFactor = numbersOf(body.getAngularFactor());
    record.totalTorque = numbersOf(body.getTotalTorque());
    record.gyroscopic = start.gyroscopic;
    record.s = tick.element.s;
    record.s_damperEnd = tick.element.s_damper;
    record.impulse = tick.element.impulse;
    record.heat = tick.element.heat;
    record.storedEnergy = tick.element.storedEnergy;
    record.method = tick.method;
    record.steps = tick.steps;
    record.isAtRest = isAtRest(start, tick.body, tick.endAcceleration, time.h, thresholds) &&
                      isAtRestTurning(start, tick.body, tick.endAngularAcceleration, time.h, thresholds);
    amounts.gain =
        kineticEnergy(start, tick.body) + tick.element.storedEnergy - (kineticEnergy(start, start) + tick.storedBefore);
    const double sum = amounts.gain + record.heat + record.impulse + tick.element.force.f + amounts.between.pushed +
                       amounts.between.damping;
    if (!std::isfinite(sum) || !isFinite(tick.body)) return false;
    record.isReady = record.straight.prepare(start, view, time.h);
    add(record, amounts, sums);
    return true;
}

void writeVelocity(const SingleRecord& record, btRigidBody& body) {
    body.setLinearVelocity(toBullet(record.nextEnd().velocity));
    if (!record.isStraight) body.setAngularVelocity(toBullet(record.nextEnd().angularVelocity));
}

namespace {

void keepAwake(const SingleRecord& record, btRigidBody& body) {
    if (!record.isAtRest && body.getActivationState() != DISABLE_DEACTIVATION) body.activate();
}

// A body that has not turned keeps its basis and its inertia in the world.
void moveStraight(const SingleRecord& record, btRigidBody& body, bool hasLatency) {
    const Eigen::Vector3d& from = record.nextStart().position;
    const Eigen::Vector3d& to = record.nextEnd().position;
    btTransform& pose = body.getWorldTransform();
    pose.setOrigin(toBullet(to));
    body.setInterpolationWorldTransform(pose);
    body.setInterpolationLinearVelocity(toBullet(Eigen::Vector3d((to - from) / record.h)));
    body.setInterpolationAngularVelocity(btVector3(0, 0, 0));
    if (!hasLatency) body.setHitFraction(0);
}

}  // namespace

void moveAtOnce(SingleRecord& record, btRigidBody& body, bool hasLatency) {
    record.isMoved = true;
    moveStraight(record, body, hasLatency);
    keepAwake(record, body);
}

void leaveToBullet(SingleRecord& record, btRigidBody& body) {
    // From where it was, for others are swept against it on its way.
    if (record.isMoved) body.getWorldTransform().setOrigin(toBullet(record.nextStart().position));
    record.isStraight = record.isMoved = false;
}

void takeBack(SingleRecord& record, btRigidBody& body, btScalar bulletH) {
    setVelocities(body, record.nextStart());
    if (!record.isStraight) record.isReady = false;  // the body is remembered elsewhere
    if (!record.isMoved) return;
    record.isMoved = false;
    body.getWorldTransform().setOrigin(toBullet(record.nextStart().position));
    // As Bullet had predicted it.
    body.predictIntegratedTransform(bulletH, body.getInterpolationWorldTransform());
    body.setInterpolationLinearVelocity(body.getLinearVelocity());
    body.setInterpolationAngularVelocity(body.getAngularVelocity());
}

void writePose(const SingleRecord& record, btRigidBody& body) {
    if (!record.isMoved) body.setCenterOfMassTransform(toBullet(record.nextEnd()));
}

void finishSingle(ForceElement& element, SingleRecord& record, btRigidBody& body, std::int64_t tick, bool hasLatency) {
    ElementAccess::adopt(element, record);
    if (!record.isMoved) {
        if (record.isStraight) {
            moveStraight(record, body, hasLatency);
        } else {
            writePose(record, body);
            setDrawnMotion(body, record.nextStart(), record.nextEnd(), record.h, hasLatency);
        }
        keepAwake(record, body);
    }
    record.tick = tick;
    record.isValid = true;
    record.isMoved = false;
    record.last = static_cast<signed char>(1 - record.last);
    record.holdsBody = record.isReady;
    if (!record.holdsBody) remember(cacheOf(element), body, record.end());
    if (std::fabs(record.impulse) >= static_cast<double>(element.getBreakingImpulseThreshold())) {
        element.setEnabled(false);
    }
}

SolvedNetwork networkOf(const SingleRecord& record, const ForceElement& element) {
    SolvedNetwork solved;
    solved.tick = record.tick;
    solved.h = record.h;
    FlowBody& flowBody = solved.network.bodies.emplace_back();
    static_cast<BodyState&>(flowBody) = record.start();
    flowBody.inverseMass = record.inverseMass;
    flowBody.inverseInertia = toEigen(vectorOf(record.inverseInertia));
    flowBody.linearFactor = toEigen(vectorOf(record.linearFactor));
    flowBody.angularFactor = toEigen(vectorOf(record.angularFactor));
    flowBody.gyroscopic = record.gyroscopic;
    flowBody.force.constant = withoutFactor(vectorOf(record.totalForce), vectorOf(record.linearFactor));
    flowBody.torque.constant = withoutFactor(vectorOf(record.totalTorque), vectorOf(record.angularFactor));
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
