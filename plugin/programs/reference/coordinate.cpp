#include "coordinate.h"

#include "rigid_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::reference {

using Eigen::Vector3d;

namespace {

Coordinate aboutAxis(const FlowElement& element, const FlowElement& geared, const StateOf& stateOf, double phi) {
    Coordinate out;
    double angle = 0;
    const auto add = [&](const FlowElement& turned, double ratio) {
        const BodyState& a = stateOf(turned.a);
        const BodyState& b = stateOf(turned.b);
        const Twist twist = twistBetween(turned, a, b);
        const Vector3d turning = b.angularVelocity - a.angularVelocity;
        angle = twist.angle;
        out.v += ratio * twist.gradient.dot(turning);
        // Were the axis to turn: what is across it now.
        out.speed += std::abs(ratio) * twist.gradient.cross(turning).norm();
        out.bend += ratio * twist.bend;
        out.form.add(turned.a, Vector3d::Zero(), -ratio * twist.gradient);
        out.form.add(turned.b, Vector3d::Zero(), ratio * twist.gradient);
    };
    if (element.isGeared()) {
        // Turns of both wheels count, which only the integral of the rate knows.
        add(element, 1);
        add(geared, -element.geared.ratio);
        out.s = phi;
        out.speed += std::abs(out.v);
        return out;
    }
    add(element, 1);
    out.speed += std::abs(out.v);
    constexpr double kTurn = 2 * std::numbers::pi;
    out.s = angle + kTurn * std::round((phi - angle) / kTurn);
    return out;
}

}  // namespace

Coordinate measured(const FlowElement& element, const FlowElement& geared, const StateOf& stateOf, double phi) {
    if (element.geometry == Geometry::AboutAxis) return aboutAxis(element, geared, stateOf, phi);
    const BodyState& a = stateOf(element.a);
    const BodyState& b = stateOf(element.b);
    const Vector3d &wA = a.angularVelocity, &wB = b.angularVelocity;
    const Vector3d fromA = a.orientation * element.pointA;
    const Vector3d armB = b.orientation * element.pointB;
    Coordinate out;
    out.pointA = a.position + fromA;
    out.pointB = b.position + armB;
    const Vector3d distance = out.pointB - out.pointA;
    // Of the points, and what their accelerations are where the bodies' are zero.
    const Vector3d rate = b.velocity + wB.cross(armB) - a.velocity - wA.cross(fromA);
    const Vector3d centripetal = wB.cross(wB.cross(armB)) - wA.cross(wA.cross(fromA));
    if (element.geometry == Geometry::AlongLine) {
        out.s = distance.norm();
        const double length = std::max(out.s, element.s_small);
        const Vector3d direction = distance / length;
        out.v = direction.dot(rate);
        out.speed = rate.norm();
        out.bend = direction.dot(centripetal) + (rate.squaredNorm() - out.v * out.v) / length;
        out.form.add(element.a, -direction, -fromA.cross(direction));
        out.form.add(element.b, direction, armB.cross(direction));
        return out;
    }
    // The axis turns with a, so that a feels the force where it acts: at b's point.
    const Vector3d axis = a.orientation * element.axis;
    const Vector3d axisRate = wA.cross(axis);
    out.s = axis.dot(distance);
    out.v = axis.dot(rate) + axisRate.dot(distance);
    out.speed = (rate - wA.cross(distance)).norm();
    out.bend = axis.dot(centripetal) + 2 * axisRate.dot(rate) + wA.cross(axisRate).dot(distance);
    out.form.add(element.a, -axis, -(fromA + distance).cross(axis));
    out.form.add(element.b, axis, armB.cross(axis));
    return out;
}

}  // namespace elasto::reference
