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
void rememberHeld(SavedBody& cache, const btTransform& pose, const btVector3& velocity,
                  const btVector3& angularVelocity, const BodyState& exact) {
    cache.known = true;
    const Bits bits = poseBits(pose);
    std::memcpy(cache.pose, bits.values, sizeof cache.pose);
    store(velocity, cache.velocity);
    store(angularVelocity, cache.angularVelocity);
    store(exact.position, cache.position);
    Eigen::Map<Eigen::Vector4d>{cache.orientation} = exact.orientation.coeffs();
    store(exact.velocity, cache.exactVelocity);
    store(exact.angularVelocity, cache.exactAngularVelocity);
}

}  // namespace

void remember(SavedBody& cache, const btRigidBody& body, const BodyState& exact) {
    rememberHeld(cache, body.getWorldTransform(), body.getLinearVelocity(), body.getAngularVelocity(), exact);
}

void remember(SavedBody& cache, const BodyState& exact) {
    rememberHeld(cache, toBullet(exact), toBullet(exact.velocity), toBullet(exact.angularVelocity), exact);
}

bool isPoseRemembered(const SavedBody& cache, const btRigidBody& body) {
    const Bits bits = poseBits(body.getWorldTransform());
    return cache.known && std::memcmp(cache.pose, bits.values, sizeof cache.pose) == 0;
}

bool isRemembered(const SavedBody& cache, const btRigidBody& body) {
    return isPoseRemembered(cache, body) && isSame(cache.velocity, body.getLinearVelocity()) &&
           isSame(cache.angularVelocity, body.getAngularVelocity());
}

BodyState rememberedState(const SavedBody& cache) {
    BodyState state;
    state.position = load(cache.position);
    state.orientation.coeffs() = Eigen::Map<const Eigen::Vector4d>(cache.orientation);
    state.velocity = load(cache.exactVelocity);
    state.angularVelocity = load(cache.exactAngularVelocity);
    return state;
}

BodyState presentState(const SavedBody& cache, const btRigidBody& body) {
    const BodyState exact = rememberedState(cache);
    BodyState state;
    if (isPoseRemembered(cache, body)) {
        state.position = exact.position;
        state.orientation = exact.orientation;
    } else {
        state.position = toEigen(body.getWorldTransform().getOrigin());
        state.orientation = rotationOf(body.getWorldTransform().getBasis());
    }
    const bool isLinearKept = cache.known && isSame(cache.velocity, body.getLinearVelocity());
    const bool isAngularKept = cache.known && isSame(cache.angularVelocity, body.getAngularVelocity());
    state.velocity = isLinearKept ? exact.velocity : toEigen(body.getLinearVelocity());
    state.angularVelocity = isAngularKept ? exact.angularVelocity : toEigen(body.getAngularVelocity());
    return state;
}

TickStart tickStart(const SavedBody& cache, const btRigidBody& body, btScalar h) {
    TickStart start{presentState(cache, body), false};
    if (!cache.known) {
        return start;
    }
    const BodyState exact = rememberedState(cache);
    const btScalar linear = keptOf(body.getLinearDamping(), h);
    const btScalar angular = keptOf(body.getAngularDamping(), h);
    const btVector3& v = body.getLinearVelocity();
    const btVector3& w = body.getAngularVelocity();
    const bool isLinearDamped = isDampedTo(cache.velocity, v, linear);
    const bool isAngularDamped = isDampedTo(cache.angularVelocity, w, angular);
    if (isLinearDamped) {
        start.state.velocity = exact.velocity * static_cast<double>(linear);
    }
    if (isAngularDamped) {
        start.state.angularVelocity = exact.angularVelocity * static_cast<double>(angular);
    }
    start.isDamped = (isLinearDamped || isShortened(cache.velocity, v)) &&
                     (isAngularDamped || isShortened(cache.angularVelocity, w));
    return start;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
