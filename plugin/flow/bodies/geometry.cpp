#include "bodies/geometry.h"

#include "bodies/single_element_row.h"
#include "bodies/turn_coordinates.h"
#include "numerics/elementary.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace elasto::flow {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

/// Of the largest inverse inertia: what is less is that of a locked axis.
constexpr double kLockedShare = 1e-12;

template <class Link>
Row alongAxis(const Link& element, const Motion& a, const Motion& b) {
    Row row;
    row.pointA = a.x + a.q * element.pointA;
    row.pointB = b.x + b.q * element.pointB;
    row.direction = a.q * element.axis;
    row.linear = row.direction;
    row.s = row.direction.dot(row.pointB - row.pointA);
    // The pair acts along one line, through b's point: that is what the rate of s asks for where a turns.
    row.angularB = (row.pointB - b.x).cross(row.direction);
    row.angularA = -(row.pointB - a.x).cross(row.direction);
    return row;
}

template <class Link>
Row alongLine(const Link& element, const Motion& a, const Motion& b) {
    Row row;
    row.pointA = a.x + a.q * element.pointA;
    row.pointB = b.x + b.q * element.pointB;
    const Eigen::Vector3d r = row.pointB - row.pointA;
    row.s = r.norm();
    row.direction = r / std::max(row.s, element.s_small);
    row.linear = row.direction;
    row.angularB = (row.pointB - b.x).cross(row.direction);
    row.angularA = -(row.pointA - a.x).cross(row.direction);
    return row;
}

double nearest(double angle, double phi) {
    return angle + kTwoPi * std::floor((phi - angle) / kTwoPi + 0.5);
}

template <class Link>
Row turnRow(const Link& link, const TurnCoordinate& coordinate, const Motion& a, const Motion& b) {
    Row row;
    row.pointA = a.x + a.q * link.pointA;
    row.pointB = b.x + b.q * link.pointB;
    row.s = coordinate.value;
    row.direction = coordinate.gradient;
    row.angularB = coordinate.gradient;
    row.angularA = -coordinate.gradient;
    return row;
}

template <class Link>
Row eulerRow(const Link& link, const Motion& a, const Motion& b, double phi) {
    Row row = turnRow(link, eulerAngle(link.turns, framesOf(link, a, b)), a, b);
    row.s = nearest(row.s, phi);
    return row;
}

template <class Link>
Row swingRow(const Link& link, const Motion& a, const Motion& b) {
    const TurningFrames frames = framesOf(link, a, b);
    const bool isCone = link.geometry == Geometry::SwingCone;
    return turnRow(link, isCone ? swingCone(link.spans, frames) : swingClearance(link.spans, frames), a, b);
}

/// The twist about an axis in a rotation (swing-twist), with its exact gradient, which equals the axis where nothing is
/// tilted.
struct Twist {
    double angle;
    Eigen::Vector3d gradient;

    static Twist of(const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis) {
        const double w = rotation.w();
        const Eigen::Vector3d v = rotation.vec();
        const double p = v.dot(axis);
        const double norm = w * w + p * p;
        // Tilted by 180 degrees the twist is undefined; the axis itself is then as good as any direction.
        return {2 * elementary::atan2(p, w),
                norm > 1e-12 ? Eigen::Vector3d((w * w * axis + w * v.cross(axis) + p * v) / norm) : axis};
    }
};

template <class Link>
Row aboutAxis(const Link& element, const Motion& a, const Motion& b, double phi) {
    Row row;
    row.pointA = a.x + a.q * element.pointA;
    row.pointB = b.x + b.q * element.pointB;
    const Eigen::Quaterniond frame = a.q * element.frameA;
    const Eigen::Quaterniond relative = frame.conjugate() * (b.q * element.frameB);
    const Twist twist = Twist::of(relative, element.frameA.conjugate() * element.axis);
    row.s = nearest(twist.angle, phi);
    row.direction = frame * twist.gradient;
    row.angularB = row.direction;
    row.angularA = -row.direction;
    return row;
}

Eigen::Vector3d inverseOrZero(const Eigen::Vector3d& values) {
    Eigen::Vector3d result;
    for (int i = 0; i < 3; ++i) {
        result[i] = values[i] > 0 ? 1 / values[i] : 0;
    }
    return result;
}

Twist carrierTwist(const GearedCoordinate& link, const Motion& carrier, const Eigen::Vector3d& axis) {
    return Twist::of(link.carrierFrame.conjugate() * carrier.q, axis);
}

}  // namespace

void addGeared(const GearedCoordinate& link, const Motion& a, const Motion& b, const Motion& carrier,
               const Eigen::Vector3d& axis, const Turns& turns, Row& row) {
    double turn = 0, turnRate = 0;
    if (link.carried != 0) {
        Eigen::Vector3d gradient;
        if (turns.carrier) {
            gradient = carrier.q * axis;
            turn = link.carried * *turns.carrier;
        } else {
            const Twist twist = carrierTwist(link, carrier, axis);
            gradient = link.carrierFrame * twist.gradient;
            turn = link.carried * nearest(twist.angle, 0);
        }
        turnRate = link.carried * gradient.dot(carrier.w);
        row.carriedAngular = link.ratio * link.carried * gradient;
    }
    const Row second =
        link.geometry == Geometry::AlongAxis ? alongAxis(link, a, b) : aboutAxis(link, a, b, turns.geared + turn);
    row.geared = second.s - turn;
    row.gearedDirection = second.direction;
    row.gearedRate = second.linear.dot(b.v - a.v) + second.angularB.dot(b.w) + second.angularA.dot(a.w) - turnRate;
    row.gearedLinear = -link.ratio * second.linear;
    row.gearedAngularA = -link.ratio * second.angularA;
    row.gearedAngularB = -link.ratio * second.angularB;
    row.s -= link.ratio * row.geared;
    row.v -= link.ratio * row.gearedRate;
}

double carrierTurn(const GearedCoordinate& link, const Motion& carrier, const Eigen::Vector3d& axis) {
    return nearest(carrierTwist(link, carrier, axis).angle, 0);
}

Row measureOwnRow(const FlowElement& element, const Motion& a, const Motion& b, double phi) {
    Row row = element.geometry == Geometry::AlongAxis    ? alongAxis(element, a, b)
              : element.geometry == Geometry::AlongLine  ? alongLine(element, a, b)
              : element.geometry == Geometry::AboutAxis  ? aboutAxis(element, a, b, phi)
              : element.geometry == Geometry::EulerAngle ? eulerRow(element, a, b, phi)
                                                         : swingRow(element, a, b);
    row.v = row.linear.dot(b.v - a.v) + row.angularB.dot(b.w) + row.angularA.dot(a.w);
    return row;
}

Row measureOwnRow(const SingleElement& element, const Motion& a, const Motion& b, double phi) {
    Row row = element.geometry == Geometry::AlongAxis   ? alongAxis(element, a, b)
              : element.geometry == Geometry::AlongLine ? alongLine(element, a, b)
                                                        : aboutAxis(element, a, b, phi);
    row.v = row.linear.dot(b.v - a.v) + row.angularB.dot(b.w) + row.angularA.dot(a.w);
    return row;
}

Row measureOwnRow(const BoundedRow& row, const Motion& a, const Motion& b, double phi) {
    Row result = row.geometry == Geometry::AlongAxis    ? alongAxis(row, a, b)
                 : row.geometry == Geometry::AboutAxis  ? aboutAxis(row, a, b, phi)
                 : row.geometry == Geometry::EulerAngle ? eulerRow(row, a, b, phi)
                                                        : swingRow(row, a, b);
    result.v = result.linear.dot(b.v - a.v) + result.angularB.dot(b.w) + result.angularA.dot(a.w);
    return result;
}

Eigen::Matrix3d inverseInertiaWorld(const FlowBody& body, const Eigen::Matrix3d& turn) {
    if (body.angularFactor.isZero(0) || body.inverseInertia.isZero(0)) return Eigen::Matrix3d::Zero();
    const Eigen::Vector3d &x = turn.col(0), &y = turn.col(1), &z = turn.col(2);
    const Eigen::Vector3d& i = body.inverseInertia;
    Eigen::Matrix3d inverse;
    for (int column = 0; column < 3; ++column) {
        const double ofX = i[0] * x[column], ofY = i[1] * y[column], ofZ = i[2] * z[column];
        for (int row = column; row < 3; ++row) inverse(row, column) = ofX * x[row] + ofY * y[row] + ofZ * z[row];
    }
    inverse(0, 1) = inverse(1, 0);
    inverse(0, 2) = inverse(2, 0);
    inverse(1, 2) = inverse(2, 1);
    if (body.angularFactor == Eigen::Vector3d::Ones()) return inverse;
    const Eigen::Vector3d root = body.angularFactor.cwiseSqrt();
    return root.asDiagonal() * inverse * root.asDiagonal();
}

Eigen::Vector3d linearResponse(const FlowBody& body, const Eigen::Vector3d& f) {
    return body.inverseMass * body.linearFactor.cwiseProduct(f);
}

Eigen::Vector3d gyroscopicAcceleration(const FlowBody& body, const Eigen::Matrix3d& turn, const Eigen::Vector3d& w) {
    const Eigen::Vector3d& i = body.inverseInertia;
    const bool isotropic = i[0] == i[1] && i[1] == i[2];
    const bool hasOwn = body.gyroscopic && !isotropic && i.minCoeff() > 0;
    if (w.isZero(0) || (!hasOwn && body.spinMomentum.isZero(0))) {
        return Eigen::Vector3d::Zero();
    }
    const Eigen::Vector3d local = turn.transpose() * w;
    Eigen::Vector3d momentum = body.spinMomentum;
    if (hasOwn) momentum += local.cwiseQuotient(i);
    const Eigen::Vector3d torque = momentum.cross(local);
    if (body.angularFactor == Eigen::Vector3d::Ones()) {
        return turn * torque.cwiseProduct(i);
    }
    // Through the response that the factors leave, so that the term does no work there either.
    return inverseInertiaWorld(body, turn) * (turn * torque);
}

namespace {

/// Angular momentum about the axes that a body's factors leave free, from its angular velocity.
Eigen::Vector3d freeMomentum(const Eigen::Matrix3d& inverseInertia, const Eigen::Vector3d& w) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> modes(inverseInertia);
    const double smallest = kLockedShare * modes.eigenvalues().maxCoeff();
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d mode = modes.eigenvectors().col(k);
        if (modes.eigenvalues()[k] > smallest) momentum += mode.dot(w) / modes.eigenvalues()[k] * mode;
    }
    return momentum;
}

}  // namespace

double lockingPower(const FlowBody& body, const Eigen::Matrix3d& turn, const Eigen::Vector3d& w) {
    const Eigen::Vector3d& i = body.inverseInertia;
    const bool isIsotropic = i[0] == i[1] && i[1] == i[2];
    if (body.angularFactor == Eigen::Vector3d::Ones() || isIsotropic || w.isZero(0)) return 0;
    const Eigen::Vector3d momentum = freeMomentum(inverseInertiaWorld(body, turn), w);
    // E = w B^+ w / 2 with B = R I^-1 R, R the roots of the factors, and dI^-1/dt = [w] I^-1 - I^-1 [w].
    const Eigen::Vector3d p = body.angularFactor.cwiseSqrt().cwiseProduct(momentum);
    return -p.dot(w.cross(turn * i.cwiseProduct(turn.transpose() * p)));
}

Eigen::Vector3d loadResponse(const FlowBody& body, const Eigen::Quaterniond& q, const Eigen::Vector3d& torque) {
    if (torque.isZero(0)) return Eigen::Vector3d::Zero();
    return inverseInertiaWorld(body, q) * torque;
}

double kineticEnergy(const FlowBody& body, const Motion& motion) {
    double energy = 0;
    const Eigen::Vector3d mass = inverseOrZero(body.inverseMass * body.linearFactor);
    energy += 0.5 * motion.v.dot(mass.cwiseProduct(motion.v));
    if (body.angularFactor == Eigen::Vector3d::Ones()) {
        const Eigen::Vector3d local = motion.q.conjugate() * motion.w;
        energy += 0.5 * local.dot(inverseOrZero(body.inverseInertia).cwiseProduct(local));
    } else {
        energy += 0.5 * motion.w.dot(freeMomentum(inverseInertiaWorld(body, motion.q), motion.w));
    }
    return energy;
}

Eigen::Quaterniond turned(const Eigen::Quaterniond& q, const Eigen::Vector3d& r) {
    const double angle = r.norm();
    if (angle == 0) {
        return q;
    }
    const double half = 0.5 * angle;
    Eigen::Quaterniond turn;
    turn.w() = elementary::cos(half);
    turn.vec() = (elementary::sin(half) / angle) * r;
    return (turn * q).normalized();
}

}  // namespace elasto::flow
