#include "network/body_cache.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>
#include <cstring>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

struct Bits {
    btScalar values[12] = {};
};

Bits poseBits(const btTransform& pose) {
    Bits bits;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            bits.values[3 * row + column] = pose.getBasis()[row][column];
        }
        bits.values[9 + row] = pose.getOrigin()[row];
    }
    return bits;
}

bool isSame(const btScalar (&remembered)[3], const btVector3& now) {
    const btScalar bits[3] = {now.x(), now.y(), now.z()};
    return std::memcmp(remembered, bits, sizeof bits) == 0;
}

void store(const btVector3& v, btScalar (&target)[3]) {
    for (int i = 0; i < 3; ++i) {
        target[i] = v[i];
    }
}

void store(const Eigen::Vector3d& v, double (&target)[3]) {
    for (int i = 0; i < 3; ++i) {
        target[i] = v[i];
    }
}

Eigen::Vector3d load(const double (&source)[3]) {
    return Eigen::Map<const Eigen::Vector3d>(source);
}

// Velocity as btRigidBody::applyDamping leaves it.
bool isDampedTo(const btScalar (&remembered)[3], const btVector3& now, btScalar factor) {
    btVector3 damped(remembered[0], remembered[1], remembered[2]);
    damped *= factor;
    const btScalar bits[3] = {damped.x(), damped.y(), damped.z()};
    return isSame(bits, now);
}

// Shorter than before, in the same direction: additional damping, whose parameters Bullet does not show, or sleep.
bool isShortened(const btScalar (&remembered)[3], const btVector3& now) {
    const btVector3 before(remembered[0], remembered[1], remembered[2]);
    const btScalar rounding = 16 * SIMD_EPSILON * before.length2();
    return now.length2() <= before.length2() && before.cross(now).length() <= rounding && before.dot(now) >= 0;
}

// What Bullet's damping leaves of a velocity: all of it, without the cost of a power, where there is none.
btScalar keptOf(btScalar damping, btScalar h) {
    return damping == 0 ? btScalar(1) : btPow(btScalar(1) - damping, h);
}

// The values that Bullet holds.
void rememberHeld(SavedBody& memory, const btTransform& pose, const btVector3& velocity,
                  const btVector3& angularVelocity, const BodyState& exact) {
    memory.known = true;
    const Bits bits = poseBits(pose);
    std::memcpy(memory.pose, bits.values, sizeof memory.pose);
    store(velocity, memory.velocity);
    store(angularVelocity, memory.angularVelocity);
    store(exact.position, memory.position);
    Eigen::Map<Eigen::Vector4d>{memory.orientation} = exact.orientation.coeffs();
    store(exact.velocity, memory.exactVelocity);
    store(exact.angularVelocity, memory.exactAngularVelocity);
}

}  // namespace

void remember(SavedBody& memory, const btRigidBody& body, const BodyState& exact) {
    rememberHeld(memory, body.getWorldTransform(), body.getLinearVelocity(), body.getAngularVelocity(), exact);
}

void remember(SavedBody& memory, const BodyState& exact) {
    rememberHeld(memory, toBullet(exact), toBullet(exact.velocity), toBullet(exact.angularVelocity), exact);
}

bool isPoseRemembered(const SavedBody& memory, const btRigidBody& body) {
    const Bits bits = poseBits(body.getWorldTransform());
    return memory.known && std::memcmp(memory.pose, bits.values, sizeof memory.pose) == 0;
}

bool isRemembered(const SavedBody& memory, const btRigidBody& body) {
    return isPoseRemembered(memory, body) && isSame(memory.velocity, body.getLinearVelocity()) &&
           isSame(memory.angularVelocity, body.getAngularVelocity());
}

BodyState rememberedState(const SavedBody& memory) {
    BodyState state;
    state.position = load(memory.position);
    state.orientation.coeffs() = Eigen::Map<const Eigen::Vector4d>(memory.orientation);
    state.velocity = load(memory.exactVelocity);
    state.angularVelocity = load(memory.exactAngularVelocity);
    return state;
}

BodyState presentState(const SavedBody& memory, const btRigidBody& body) {
    const BodyState exact = rememberedState(memory);
    BodyState state;
    if (isPoseRemembered(memory, body)) {
        state.position = exact.position;
        state.orientation = exact.orientation;
    } else {
        state.position = toEigen(body.getWorldTransform().getOrigin());
        state.orientation = rotationOf(body.getWorldTransform().getBasis());
    }
    const bool isLinearKept = memory.known && isSame(memory.velocity, body.getLinearVelocity());
    const bool isAngularKept = memory.known && isSame(memory.angularVelocity, body.getAngularVelocity());
    state.velocity = isLinearKept ? exact.velocity : toEigen(body.getLinearVelocity());
    state.angularVelocity = isAngularKept ? exact.angularVelocity : toEigen(body.getAngularVelocity());
    return state;
}

TickStart tickStart(const SavedBody& memory, const btRigidBody& body, btScalar h) {
    TickStart start{presentState(memory, body), false};
    if (!memory.known) {
        return start;
    }
    const BodyState exact = rememberedState(memory);
    const btScalar linear = keptOf(body.getLinearDamping(), h);
    const btScalar angular = keptOf(body.getAngularDamping(), h);
    const btVector3& v = body.getLinearVelocity();
    const btVector3& w = body.getAngularVelocity();
    const bool isLinearDamped = isDampedTo(memory.velocity, v, linear);
    const bool isAngularDamped = isDampedTo(memory.angularVelocity, w, angular);
    if (isLinearDamped) {
        start.state.velocity = exact.velocity * static_cast<double>(linear);
    }
    if (isAngularDamped) {
        start.state.angularVelocity = exact.angularVelocity * static_cast<double>(angular);
    }
    start.isDamped = (isLinearDamped || isShortened(memory.velocity, v)) &&
                     (isAngularDamped || isShortened(memory.angularVelocity, w));
    return start;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
