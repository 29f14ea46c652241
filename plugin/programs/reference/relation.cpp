#include "relation.h"

#include <cmath>

namespace elasto::reference {

using Eigen::Vector3d;

namespace {

/// C = d . D, d fixed in a, D from a's point to b's.
Relation along(const HeldRow& row, const BodyState& a, const BodyState& b) {
    const Vector3d axis = a.orientation * row.axisA;
    const Vector3d armA = a.orientation * row.pointA;
    const Vector3d armB = b.orientation * row.pointB;
    const Vector3d apart = b.position + armB - a.position - armA;
    const Vector3d &wA = a.angularVelocity, &wB = b.angularVelocity;
    const Vector3d apartRate = b.velocity + wB.cross(armB) - a.velocity - wA.cross(armA);
    const Vector3d axisRate = wA.cross(axis);
    Relation out;
    out.opening = axis.dot(apart) - row.offset;
    out.size = a.position.norm() + armA.norm() + b.position.norm() + armB.norm() + std::abs(row.offset);
    out.form.add(row.a, -axis, -(armA + apart).cross(axis));
    out.form.add(row.b, axis, armB.cross(axis));
    out.rate = axis.dot(apartRate) + axisRate.dot(apart);
    out.bend = wA.cross(axisRate).dot(apart) + 2 * axisRate.dot(apartRate) +
               axis.dot(wB.cross(wB.cross(armB)) - wA.cross(wA.cross(armA)));
    return out;
}

/// C = a . b, each fixed in its body.
Relation across(const HeldRow& row, const BodyState& a, const BodyState& b) {
    const Vector3d axisA = a.orientation * row.axisA;
    const Vector3d axisB = b.orientation * row.axisB;
    const Vector3d rateA = a.angularVelocity.cross(axisA);
    const Vector3d rateB = b.angularVelocity.cross(axisB);
    Relation out;
    out.opening = axisA.dot(axisB) - row.offset;
    out.form.add(row.a, Vector3d::Zero(), axisA.cross(axisB));
    out.form.add(row.b, Vector3d::Zero(), -axisA.cross(axisB));
    out.rate = rateA.dot(axisB) + axisA.dot(rateB);
    out.bend =
        a.angularVelocity.cross(rateA).dot(axisB) + 2 * rateA.dot(rateB) + axisA.dot(b.angularVelocity.cross(rateB));
    return out;
}

/// axisA . wA + ratio axisB . wB = 0; both axes turn with their bodies, which does not change these components.
Relation geared(const HeldRow& row, const BodyState& a, const BodyState& b) {
    const Vector3d axisA = a.orientation * row.axisA;
    const Vector3d axisB = row.ratio * (b.orientation * row.axisB);
    Relation out;
    out.form.add(row.a, Vector3d::Zero(), axisA);
    out.form.add(row.b, Vector3d::Zero(), axisB);
    out.rate = axisA.dot(a.angularVelocity) + axisB.dot(b.angularVelocity);
    return out;
}

}  // namespace

Relation relationOf(const HeldRow& row, const StateOf& stateOf) {
    const BodyState& a = stateOf(row.a);
    const BodyState& b = stateOf(row.b);
    switch (row.kind) {
        case HeldRow::Kind::AlongAxis:
            return along(row, a, b);
        case HeldRow::Kind::Orthogonal:
            return across(row, a, b);
        case HeldRow::Kind::Gear:
            break;
    }
    return geared(row, a, b);
}

}  // namespace elasto::reference
