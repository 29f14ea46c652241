#include "constraints/row_measure.h"

#include "bodies/turn_coordinates.h"

namespace elasto::flow {

namespace {

/// @param p, q the axes of a and b in the world frame
inline void orthogonal(const HeldRow& row, const Motion& a, const Motion& b, const Eigen::Vector3d& p,
                       const Eigen::Vector3d& q, RowMeasure& m) {
    m.value = p.dot(q) - row.offset;
    m.linear.setZero();
    m.angularA = p.cross(q);
    m.angularB = -m.angularA;
    m.rate = m.angularA.dot(a.w - b.w);
    const Eigen::Vector3d dp = a.w.cross(p);
    const Eigen::Vector3d dq = b.w.cross(q);
    m.gamma = a.w.cross(dp).dot(q) + 2 * dp.dot(dq) + p.dot(b.w.cross(dq));
}

// A body's own axis feels no change of its rate by turning about it: gamma = 0.
inline void gear(const HeldRow& row, const Motion& a, const Motion& b, const Eigen::Vector3d& p,
                 const Eigen::Vector3d& q, RowMeasure& m) {
    m.value = m.gamma = 0;
    m.linear.setZero();
    m.angularA = p;
    m.angularB = row.ratio * q;
    m.rate = m.angularA.dot(a.w) + m.angularB.dot(b.w);
}

// The twist's gradient turns with frame a, and changes with the tilt of b against a.
template <class Link>
double twistGamma(const Link& row, const Motion& a, const Motion& b) {
    const Eigen::Quaterniond frame = a.q * row.frameA;
    const Eigen::Quaterniond r = frame.conjugate() * (b.q * row.frameB);
    const Eigen::Vector3d axis = row.frameA.conjugate() * row.axis;
    const Eigen::Vector3d spin = frame.conjugate() * (b.w - a.w);
    const double w = r.w();
    const Eigen::Vector3d v = r.vec();
    const double p = v.dot(axis);
    const double norm = w * w + p * p;
    if (!(norm > 1e-12)) return 0;
    const Eigen::Vector3d gradient = (w * w * axis + w * v.cross(axis) + p * v) / norm;
    const double dw = -0.5 * spin.dot(v);
    const Eigen::Vector3d dv = 0.5 * (w * spin + spin.cross(v));
    const double dp = dv.dot(axis);
    const Eigen::Vector3d change = 2 * w * dw * axis + dw * v.cross(axis) + w * dv.cross(axis) + dp * v + p * dv -
                                   (2 * w * dw + 2 * p * dp) * gradient;
    return (change / norm).dot(spin) - gradient.dot((frame.conjugate() * a.w).cross(spin));
}

template <class Link>
double alongGamma(const Link& row, const Motion& a, const Motion& b) {
    HeldRow same;
    same.pointA = row.pointA;
    same.pointB = row.pointB;
    same.axisA = row.axis;
    return measureHeld(same, a, b).gamma;
}

/// Of a second coordinate.
double gearedGamma(const BoundedRow& row, const Motion& a, const Motion& b, const Motion& carrier) {
    const GearedCoordinate& geared = row.geared;
    double gamma = geared.geometry == Geometry::AlongAxis ? alongGamma(geared, a, b) : twistGamma(geared, a, b);
    if (geared.carried != 0) {
        GearedCoordinate turn;
        turn.axis = geared.carrierFrame * row.axis;
        turn.frameA = geared.carrierFrame;
        gamma -= geared.carried * twistGamma(turn, Motion(), carrier);
    }
    return gamma;
}

}  // namespace

void JointPoints::set(const Motion& a, const Eigen::Vector3d& leverA, const Motion& b,
                      const Eigen::Vector3d& leverToB) {
    leverB = leverToB;
    fromA = b.x + leverB - a.x;
    apart = fromA - leverA;
    const Eigen::Vector3d ofA = a.w.cross(fromA);
    const Eigen::Vector3d ofB = b.w.cross(leverB);
    velocity = b.v + ofB - (a.v + ofA);
    acceleration = b.w.cross(ofB) - a.w.cross(ofA + 2 * velocity);  // centripetal, and Coriolis'
}

void measureAlong(const HeldRow& row, const Eigen::Vector3d& d, const JointPoints& points, RowMeasure& m) {
    m.value = d.dot(points.apart) - row.offset;
    m.rate = d.dot(points.velocity);
    m.gamma = d.dot(points.acceleration);
    m.linear = d;
    m.angularB = points.leverB.cross(d);
    m.angularA = d.cross(points.fromA);
}

RowMeasure measureHeld(const HeldRow& row, const Motion& a, const Eigen::Matrix3d& turnA, const Motion& b,
                       const Eigen::Matrix3d& turnB) {
    RowMeasure m;
    if (row.kind == HeldRow::Kind::AlongAxis) {
        measureAlong(row, turnA * row.axisA, JointPoints(a, turnA * row.pointA, b, turnB * row.pointB), m);
    } else if (row.kind == HeldRow::Kind::Orthogonal) {
        orthogonal(row, a, b, turnA * row.axisA, turnB * row.axisB, m);
    } else {
        gear(row, a, b, turnA * row.axisA, turnB * row.axisB, m);
    }
    return m;
}

RowMeasure measureHeld(const HeldRow& row, const Motion& a, const Motion& b) {
    return measureHeld(row, a, a.q.toRotationMatrix(), b, b.q.toRotationMatrix());
}

RowMeasure measureHeld(const BoundedRow& row, const Motion& a, const Motion& b) {
    const bool isLimit = row.kind == BoundedRow::Kind::Limit;
    const Row measured = measureOwnRow(row, a, b, row.phi);
    RowMeasure m;
    m.value = isLimit ? measured.s - row.bound : 0;
    m.rate = measured.v - (isLimit ? 0 : row.targetRate);
    m.linear = measured.linear;
    m.angularA = measured.angularA;
    m.angularB = measured.angularB;
    if (row.geometry == Geometry::AlongAxis) {
        m.gamma = alongGamma(row, a, b);
    } else if (row.geometry == Geometry::AboutAxis) {
        m.gamma = twistGamma(row, a, b);
    } else if (row.geometry == Geometry::EulerAngle) {
        m.gamma = eulerAngle(row.turns, framesOf(row, a, b)).gamma;
    } else if (row.geometry == Geometry::SwingClearance) {
        m.gamma = swingClearance(row.spans, framesOf(row, a, b)).gamma;
    } else {
        m.gamma = swingCone(row.spans, framesOf(row, a, b)).gamma;
    }
    return m;
}

void addGearedHeld(const BoundedRow& row, const Motion& a, const Motion& b, const Motion& carrier, RowMeasure& m) {
    Row second;
    addGeared(row.geared, a, b, carrier, row.axis, Turns::of(row), second);
    if (row.kind == BoundedRow::Kind::Limit) m.value += second.s;
    m.rate += second.v;
    m.gamma -= row.geared.ratio * gearedGamma(row, a, b, carrier);
    m.gearedLinear = second.gearedLinear;
    m.gearedAngularA = second.gearedAngularA;
    m.gearedAngularB = second.gearedAngularB;
    m.carriedAngular = second.carriedAngular;
}

}  // namespace elasto::flow
