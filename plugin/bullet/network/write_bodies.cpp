#include "network/write_bodies.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <LinearMath/btTransformUtil.h>

#include "host/conversion.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

template <class Visit>
void forMovable(const SolvedNetwork& solved, const Visit& visit) {
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (solved.bodies[i].isMovable) {
            visit(*solved.bodies[i].body, solved.result.bodies[i], i);
        }
    }
}

}  // namespace

void setVelocities(btRigidBody& body, const BodyState& state) {
    body.setLinearVelocity(toBullet(state.velocity));
    body.setAngularVelocity(toBullet(state.angularVelocity));
}

void writeVelocities(SolvedNetwork& solved, btScalar bulletH) {
    forMovable(solved, [&](btRigidBody& body, const BodyState& end, std::size_t i) {
        setVelocities(body, end);
        btTransform before = toBullet(end);
        if (body.getAngularVelocity().isZero()) {
            before.getOrigin() -= body.getLinearVelocity() * bulletH;
        } else {
            btTransformUtil::integrateTransform(toBullet(end), -body.getLinearVelocity(), -body.getAngularVelocity(),
                                                bulletH, before);
        }
        body.setWorldTransform(before);
        solved.bodies[i].ccdMotionThreshold = body.getCcdMotionThreshold();
        body.setCcdMotionThreshold(0);
    });
}

void restoreMotionClamping(SolvedNetwork& solved) {
    forMovable(solved, [&](btRigidBody& body, const BodyState&, std::size_t i) {
        body.setCcdMotionThreshold(solved.bodies[i].ccdMotionThreshold);
    });
}

void writePoses(const SolvedNetwork& solved) {
    forMovable(solved, [](btRigidBody& body, const BodyState& end, std::size_t) {
        setVelocities(body, end);
        body.setCenterOfMassTransform(toBullet(end));
    });
}

void setDrawnMotion(const SolvedNetwork& solved, double h, bool hasLatency) {
    forMovable(solved, [&](btRigidBody& body, const BodyState& end, std::size_t i) {
        elasto::setDrawnMotion(body, solved.network.bodies[i], end, h, hasLatency);
    });
}

void setDrawnMotion(btRigidBody& body, const BodyState& start, const BodyState& end, double h, bool hasLatency) {
    body.setInterpolationLinearVelocity(toBullet(Eigen::Vector3d((end.position - start.position) / h)));
    Eigen::Vector3d rate = Eigen::Vector3d::Zero();
    if (end.orientation.coeffs() != start.orientation.coeffs()) {
        const Eigen::AngleAxisd turn(end.orientation * start.orientation.conjugate());
        rate = turn.angle() / h * turn.axis();
    }
    body.setInterpolationAngularVelocity(toBullet(rate));
    if (!hasLatency) {
        body.setHitFraction(0);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
