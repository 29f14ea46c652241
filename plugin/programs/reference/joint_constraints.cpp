#include "joint_constraints.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace elasto::reference {

using Eigen::Vector3d;

namespace {

BodyState startState(const ReferenceProblem& problem, int body) {
    if (body == kWorld) return {};
    return problem.network.bodies[static_cast<std::size_t>(body)];
}

double turnedAngle(const ReferenceMotor& motor, const BodyState& a, const BodyState& b) {
    const Vector3d turned = b.orientation * motor.acrossB;
    const Vector3d across = a.orientation * motor.acrossA;
    const Vector3d axis = a.orientation * motor.axis;
    return std::atan2(axis.cross(across).dot(turned), across.dot(turned));
}

}  // namespace

/// One relation, whatever it comes from.
struct JointConstraints::Row {
    enum class Kind { Along, Across, About };
    Kind kind = Kind::Along;
    int a = kWorld;
    int b = kWorld;
    Vector3d pointA, pointB;  // in the bodies' frames
    Vector3d axisA, axisB;
    double target = 0;  // the coordinate's wanted value
    double rate = 0;    // and its rate
    const ReferenceMotor* motor = nullptr;
};

JointConstraints::JointConstraints(const ReferenceProblem& problem, std::vector<int> joints, std::vector<int> motors)
    : m_problem(problem), m_joints(std::move(joints)), m_motors(std::move(motors)) {
    for (int index : m_motors) m_starts.push_back(startOf(problem.motors[static_cast<std::size_t>(index)]));
}

double JointConstraints::startOf(const ReferenceMotor& motor) const {
    const BodyState a = startState(m_problem, motor.a);
    const BodyState b = startState(m_problem, motor.b);
    if (motor.turns) return turnedAngle(motor, a, b);
    return (a.orientation * motor.axis)
        .dot(b.position + b.orientation * motor.pointB - a.position - a.orientation * motor.pointA);
}

void JointConstraints::add(const Row& row, int index, const StateOf& stateOf, const ColumnOf& columnOf,
                           Rows& rows) const {
    const BodyState a = stateOf(row.a);
    const BodyState b = stateOf(row.b);
    const Vector3d axisA = a.orientation * row.axisA;
    const Vector3d &wA = a.angularVelocity, &wB = b.angularVelocity;
    // dC/dt = onA . (v_a, w_a) + onB . (v_b, w_b)
    Eigen::Matrix<double, 6, 1> onA = Eigen::Matrix<double, 6, 1>::Zero();
    Eigen::Matrix<double, 6, 1> onB = Eigen::Matrix<double, 6, 1>::Zero();
    double value = 0;
    double curvature = 0;
    switch (row.kind) {
        case Row::Kind::Along: {
            // C = d . D, d fixed in a, D from a's point to b's.
            const Vector3d armA = a.orientation * row.pointA;
            const Vector3d armB = b.orientation * row.pointB;
            const Vector3d apart = b.position + armB - a.position - armA;
            const Vector3d apartRate = b.velocity + wB.cross(armB) - a.velocity - wA.cross(armA);
            const Vector3d axisRate = wA.cross(axisA);
            value = axisA.dot(apart) - row.target;
            onA << -axisA, -(armA + apart).cross(axisA);
            onB << axisA, armB.cross(axisA);
            curvature = wA.cross(axisRate).dot(apart) + 2 * axisRate.dot(apartRate) +
                        axisA.dot(wB.cross(wB.cross(armB)) - wA.cross(wA.cross(armA)));
            break;
        }
        case Row::Kind::Across: {
            // C = a . b, each fixed in its body.
            const Vector3d axisB = b.orientation * row.axisB;
            const Vector3d rateA = wA.cross(axisA);
            const Vector3d rateB = wB.cross(axisB);
            value = axisA.dot(axisB);
            onA.tail<3>() = axisA.cross(axisB);
            onB.tail<3>() = -axisA.cross(axisB);
            curvature = wA.cross(rateA).dot(axisB) + 2 * rateA.dot(rateB) + axisA.dot(wB.cross(rateB));
            break;
        }
        case Row::Kind::About:
            // The angle about an axis that other rows hold parallel.
            value = std::remainder(turnedAngle(*row.motor, a, b) - row.target, 2 * std::numbers::pi);
            onA.tail<3>() = -axisA;
            onB.tail<3>() = axisA;
            curvature = wA.cross(axisA).dot(wB - wA);
            break;
    }
    rows.value[index] = value;
    rows.curvature[index] = curvature;
    rows.drift[index] = -row.rate;
    rows.gradient.row(index).setZero();
    const auto assign = [&](int body, const BodyState& state, const Eigen::Matrix<double, 6, 1>& on) {
        const int column = body == kWorld ? -1 : columnOf(body);
        if (column >= 0) {
            rows.gradient.row(index).segment<6>(column) = on.transpose();
        } else {
            rows.drift[index] += on.head<3>().dot(state.velocity) + on.tail<3>().dot(state.angularVelocity);
        }
    };
    assign(row.a, a, onA);
    assign(row.b, b, onB);
}

void JointConstraints::evaluate(double t, const StateOf& stateOf, const ColumnOf& columnOf, Rows& rows) const {
    int index = 0;
    for (int joint : m_joints) {
        const HeldRow& held = m_problem.network.joints[static_cast<std::size_t>(joint)];
        Row row;
        row.kind = held.kind == HeldRow::Kind::AlongAxis ? Row::Kind::Along : Row::Kind::Across;
        row.a = held.a;
        row.b = held.b;
        row.pointA = held.pointA;
        row.pointB = held.pointB;
        row.axisA = held.axisA;
        row.axisB = held.axisB;
        row.target = held.offset;
        add(row, index++, stateOf, columnOf, rows);
    }
    for (std::size_t k = 0; k < m_motors.size(); ++k) {
        const ReferenceMotor& motor = m_problem.motors[static_cast<std::size_t>(m_motors[k])];
        Row row;
        row.kind = motor.turns ? Row::Kind::About : Row::Kind::Along;
        row.a = motor.a;
        row.b = motor.b;
        row.pointA = motor.pointA;
        row.pointB = motor.pointB;
        row.axisA = motor.axis;
        row.axisB = motor.axis;
        row.target = m_starts[k] + motor.velocity * t;
        row.rate = motor.velocity;
        row.motor = &motor;
        add(row, index++, stateOf, columnOf, rows);
    }
}

}  // namespace elasto::reference
