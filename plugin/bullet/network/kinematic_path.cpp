#include "network/kinematic_path.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "host/conversion.h"
#include "host/rotation_vector.h"
#include "network/body_cache.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

BodyState moved(BodyState state, const BodyState& twist, double t) {
    state.position += twist.velocity * t;
    state.orientation = (exponential(twist.angularVelocity * t) * state.orientation).normalized();
    return state;
}

BodyState bulletState(const btRigidBody& body) {
    BodyState state;
    state.position = toEigen(body.getWorldTransform().getOrigin());
    state.orientation = rotationOf(body.getWorldTransform().getBasis());
    if (body.isKinematicObject()) {  // a static body's velocity means nothing
        state.velocity = toEigen(body.getLinearVelocity());
        state.angularVelocity = toEigen(body.getAngularVelocity());
    }
    return state;
}

bool isSameFrame(const SavedBody& cache, const btRigidBody& body) {
    const btVector3& v = body.getLinearVelocity();
    const btVector3& w = body.getAngularVelocity();
    const btScalar now[6] = {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
    return isPoseRemembered(cache, body) && std::memcmp(cache.velocity, now, sizeof cache.velocity) == 0 &&
           std::memcmp(cache.angularVelocity, now + 3, sizeof cache.angularVelocity) == 0;
}

double distance(const BodyState& a, const BodyState& b) {
    return (a.position - b.position).norm() + logarithm(a.orientation * b.orientation.conjugate()).norm();
}

// Number of substeps of h in the frame from `from` to `to` with the twist of `to`; 0 if that does not lead there.
int substepsOf(const BodyState& from, const BodyState& to, double h) {
    const double displacement = distance(from, to);
    const double rate = to.velocity.norm() + to.angularVelocity.norm();
    const double substeps = std::round(displacement / (rate * h));
    if (!(substeps >= 1 && substeps < 1e6)) {
        return 0;
    }
    // Bullet's rounding in single precision, above all of the angle's cosine.
    const double turn = logarithm(to.orientation * from.orientation.conjugate()).norm();
    const double rounding = turn > 0 ? 4 * static_cast<double>(SIMD_EPSILON) / turn : 0;
    const double allowed = 1e-3 * displacement + 1e-6 + std::min(rounding, 0.1 * displacement);
    return distance(moved(from, to, substeps * h), to) <= allowed ? static_cast<int>(substeps) : 0;
}

void storeFrameStart(SavedBody& cache, const BodyState& state) {
    Eigen::Map<Eigen::Vector3d>{cache.frameStartPosition} = state.position;
    Eigen::Map<Eigen::Vector4d>{cache.frameStartOrientation} = state.orientation.coeffs();
}

BodyState frameStart(const SavedBody& cache) {
    BodyState state = rememberedState(cache);
    state.position = Eigen::Map<const Eigen::Vector3d>(cache.frameStartPosition);
    state.orientation.coeffs() = Eigen::Map<const Eigen::Vector4d>(cache.frameStartOrientation);
    return state;
}

void beginFrame(SavedBody& cache, const btRigidBody& body, double h) {
    const BodyState end = bulletState(body);
    const bool isMoving = !end.velocity.isZero(0) || !end.angularVelocity.isZero(0);
    // Where the last frame ended: at the pose Bullet showed then, reached or not.
    BodyState start = end;
    if (cache.known) {
        start.position = Eigen::Map<const Eigen::Vector3d>(cache.position);
        start.orientation.coeffs() = Eigen::Map<const Eigen::Vector4d>(cache.orientation);
    }
    cache.substep = 0;
    cache.substeps = isMoving ? substepsOf(start, end, h) : 1;
    if (!isMoving) {
        start = end;  // set there, not moved
    } else if (cache.substeps == 0) {
        cache.substeps = 1;
        start = moved(end, end, -h);
    }
    storeFrameStart(cache, start);
    remember(cache, body, end);
}

}  // namespace

void startPath(SavedBody& cache, const btRigidBody& body) {
    const BodyState state = bulletState(body);
    remember(cache, body, state);
    storeFrameStart(cache, state);
    cache.substep = 1;
    cache.substeps = 1;
}

BodyState immovableState(const SavedBody& cache, const btRigidBody& body) {
    if (!cache.known || !isSameFrame(cache, body) || cache.substep >= cache.substeps) {
        return bulletState(body);
    }
    return moved(frameStart(cache), rememberedState(cache), cache.substep * cache.substepLength);
}

KinematicStep nextSubstep(SavedBody& cache, const btRigidBody& body, double h) {
    if (!cache.known || !isSameFrame(cache, body)) {
        beginFrame(cache, body, h);
    }
    const BodyState end = rememberedState(cache);
    KinematicStep step{end, end};
    if (cache.substep < cache.substeps) {
        const BodyState start = frameStart(cache);
        step.start = moved(start, end, cache.substep * h);
        cache.substep += 1;
        cache.substepLength = h;
        if (cache.substep < cache.substeps) {  // the last substep ends exactly at Bullet's pose
            step.end = moved(start, end, cache.substep * h);
        }
    }
    step.start.velocity = (step.end.position - step.start.position) / h;
    step.start.angularVelocity = logarithm(step.end.orientation * step.start.orientation.conjugate()) / h;
    step.end.velocity = step.start.velocity;
    step.end.angularVelocity = step.start.angularVelocity;
    return step;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
