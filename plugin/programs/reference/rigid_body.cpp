#include "rigid_body.h"

#include <cmath>

namespace elasto::reference {

using Eigen::Quaterniond;
using Eigen::Vector3d;

bool canTurn(const FlowBody& body) {
    return !body.inverseInertia.isZero(0) || !body.angularVelocity.isZero(0);
}

Vector3d angularAcceleration(const FlowBody& body, const BodyState& state, const Vector3d& torque) {
    const Quaterniond toBody = state.orientation.conjugate();
    Vector3d total = torque;
    if (body.gyroscopic && body.inverseInertia.minCoeff() > 0) {
        const Vector3d momentum =
            state.orientation * (toBody * state.angularVelocity).cwiseQuotient(body.inverseInertia);
        total -= state.angularVelocity.cross(momentum);
    }
    const Vector3d share = body.angularFactor.cwiseSqrt();
    const Vector3d acted = toBody * share.cwiseProduct(total);
    return share.cwiseProduct(state.orientation * body.inverseInertia.cwiseProduct(acted));
}

BodyState drift(const BodyState& start, double t) {
    BodyState out = start;
    out.position += t * start.velocity;
    const double speed = start.angularVelocity.norm();
    const Quaterniond q = start.orientation.normalized();
    out.orientation = speed > 0 ? Quaterniond(Eigen::AngleAxisd(speed * t, start.angularVelocity / speed)) * q : q;
    return out;
}

BodyState moved(const BodyState& origin, const Vector3d& translation, const Vector3d& rotation) {
    BodyState out = origin;
    out.position += translation;
    const double angle = rotation.norm();
    if (angle > 0) {
        out.orientation = (Quaterniond(Eigen::AngleAxisd(angle, rotation / angle)) * origin.orientation).normalized();
    }
    return out;
}

Eigen::Matrix3d turnJacobian(const Vector3d& rotation) {
    const double angle = rotation.norm();
    Eigen::Matrix3d cross;
    cross << 0, -rotation.z(), rotation.y(), rotation.z(), 0, -rotation.x(), -rotation.y(), rotation.x(), 0;
    constexpr double kSmall = 1e-4;  // below it the series is exact to rounding
    const double square = angle * angle;
    const double first = angle < kSmall ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
    const double second = angle < kSmall ? 1.0 / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
    return Eigen::Matrix3d::Identity() + first * cross + second * cross * cross;
}

Twist twistBetween(const FlowElement& element, const BodyState& a, const BodyState& b) {
    const Quaterniond frameA = a.orientation * element.frameA;
    const Quaterniond q = frameA.conjugate() * (b.orientation * element.frameB);
    const Vector3d n = element.frameA.conjugate() * element.axis;  // the axis is given in the body's frame
    const Vector3d v = q.vec();
    const double w = q.w();
    const double along = v.dot(n);
    Twist out;
    out.angle = 2 * std::atan2(along, w);
    out.gradient = frameA * Vector3d((w * w * n + w * v.cross(n) + along * v) / (w * w + along * along));
    return out;
}

}  // namespace elasto::reference
