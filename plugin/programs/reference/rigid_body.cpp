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

Twist twistBetween(const FlowElement& element, const BodyState& a, const BodyState& b) {
    const Quaterniond frameA = a.orientation * element.frameA;
    const Quaterniond toA = frameA.conjugate();
    const Quaterniond q = toA * (b.orientation * element.frameB);
    const Vector3d n = element.frameA.conjugate() * element.axis;  // the axis is given in the body's frame
    const Vector3d v = q.vec();
    const double w = q.w();
    const double along = v.dot(n);
    const Vector3d numerator = w * w * n + w * v.cross(n) + along * v;
    const double denominator = w * w + along * along;
    Twist out;
    out.angle = 2 * std::atan2(along, w);
    out.gradient = frameA * Vector3d(numerator / denominator);
    // With W the turning of b against a, in frame a: w' = -W.v / 2, v' = (w W + W x v) / 2.
    const Vector3d turning = toA * (b.angularVelocity - a.angularVelocity);
    const double wRate = -turning.dot(v) / 2;
    const Vector3d vRate = (w * turning + turning.cross(v)) / 2;
    const double alongRate = vRate.dot(n);
    const Vector3d numeratorRate =
        2 * w * wRate * n + wRate * v.cross(n) + w * vRate.cross(n) + alongRate * v + along * vRate;
    const double denominatorRate = 2 * (w * wRate + along * alongRate);
    const Vector3d gradientRate = (numeratorRate - numerator / denominator * denominatorRate) / denominator;
    out.bend = gradientRate.dot(turning) + (toA * a.angularVelocity).cross(numerator / denominator).dot(turning);
    return out;
}

}  // namespace elasto::reference
