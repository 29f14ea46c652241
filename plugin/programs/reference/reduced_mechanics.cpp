#include "reduced_mechanics.h"

#include "rigid_body.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace elasto::reference {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr const char* kOwner = "solveReference";

}  // namespace

ReducedMechanics::ReducedMechanics(const ReferenceProblem& problem, const std::vector<int>& bodies,
                                   std::vector<int> elements, std::vector<int> joints, std::vector<int> motors)
    : m_problem(problem),
      m_free(problem, bodies, std::move(elements)),
      m_constraints(problem, std::move(joints), std::move(motors)) {
    m_columnOfBody.assign(problem.network.bodies.size(), -1);
    int column = 0;
    for (const Mechanics::BodySlot& slot : m_free.bodySlots()) {
        m_columnOfBody[static_cast<std::size_t>(slot.index)] = column;
        column += kColumns;
        m_origin.push_back(problem.network.bodies[static_cast<std::size_t>(slot.index)]);
        m_origin.back().orientation.normalize();
    }
    check();
    Placed placed;
    placed.states = m_origin;
    placed.displacement = VectorXd::Zero(column);
    evaluate(0, placed);
    constexpr double kAgrees = 1e-6;  // of poses and velocities that were written with few digits
    const double opening = placed.rows.value.cwiseAbs().maxCoeff();
    if (!(opening <= kAgrees)) {
        throw InvalidParameter(kOwner, "opening of a joint at time 0 [m, rad]", opening, "at most 1e-6");
    }
    const VectorXd u = velocities(placed);
    const double parting = (placed.rows.gradient * u + placed.rows.drift).cwiseAbs().maxCoeff();
    if (!(parting <= kAgrees)) {
        throw InvalidParameter(kOwner, "velocity against a joint at time 0 [m/s, rad/s]", parting, "at most 1e-6");
    }
    factor(placed, -1);
    m_freedoms = static_cast<int>(placed.allowed.cols());
    m_allowed = placed.allowed;
    m_held = placed.held;
    m_lastShare = VectorXd::Zero(m_held.cols());
    m_start = VectorXd::Zero(size());
    m_start.segment(m_freedoms, m_freedoms) = m_allowed.transpose() * u;
    const VectorXd full = m_free.startState();
    const int share = m_free.size() - m_free.bodyPart();
    m_start.segment(2 * m_freedoms, share) = full.tail(share);
}

void ReducedMechanics::check() const {
    const auto& network = m_problem.network;
    for (const Mechanics::BodySlot& slot : m_free.bodySlots()) {
        const FlowBody& body = network.bodies[static_cast<std::size_t>(slot.index)];
        const bool turnsFully = body.inverseInertia.minCoeff() > 0 && body.angularFactor.minCoeff() > 0;
        if (body.inverseMass > 0 && body.linearFactor.minCoeff() > 0 && (turnsFully || !slot.turns)) continue;
        throw InvalidParameter(kOwner,
                               "a body with joints must be free to move in all directions and to turn about all axes "
                               "or none");
    }
    const auto checkEnd = [&](int body) {
        if (body == kWorld || m_columnOfBody[static_cast<std::size_t>(body)] >= 0) return;
        const auto index = static_cast<std::size_t>(body);
        if (index < m_problem.drives.size() && m_problem.drives[index].motion) {
            throw InvalidParameter(kOwner, "a joint must not be on a body that follows a path");
        }
    };
    for (const HeldRow& row : network.joints) {
        checkEnd(row.a);
        checkEnd(row.b);
    }
}

int ReducedMechanics::size() const {
    return std::max(1, 2 * m_freedoms + m_free.size() - m_free.bodyPart());  // CVODE wants a state
}

int ReducedMechanics::dynamicSize() const {
    return 2 * m_freedoms + m_free.dynamicSize() - m_free.bodyPart();
}

ReducedMechanics::Vector ReducedMechanics::expand(const Placed& placed, const double* y) const {
    VectorXd full = VectorXd::Zero(m_free.size());
    const auto& slots = m_free.bodySlots();
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const BodyState& state = placed.states[k];
        full.segment<3>(slots[k].offset) = state.position;
        full.segment<3>(slots[k].offset + 3) = state.velocity;
        if (!slots[k].turns) continue;
        full.segment<4>(slots[k].offset + 6) = state.orientation.coeffs();
        full.segment<3>(slots[k].offset + 10) = state.angularVelocity;
    }
    std::copy_n(y + 2 * m_freedoms, m_free.size() - m_free.bodyPart(), full.data() + m_free.bodyPart());
    return full;
}

const ReducedMechanics::Vector& ReducedMechanics::expand(double t, const double* y) const {
    const Eigen::Map<const VectorXd> given(y, size());
    if (m_expandedFrom.size() == given.size() && m_expandedTime == t && m_expandedFrom == given) return m_expanded;
    Placed placed = place(t, y);
    move(t, y, placed);
    m_expanded = expand(placed, y);
    m_expandedTime = t;
    m_expandedFrom = given;
    return m_expanded;
}

ReducedMechanics::Vector ReducedMechanics::freeAccelerations(double t, const Vector& full, const Branches& branches,
                                                             Vector& fullRate) const {
    fullRate.setZero(m_free.size());
    m_free.derivative(t, full.data(), branches, fullRate.data());
    const auto& slots = m_free.bodySlots();
    VectorXd a = VectorXd::Zero(kColumns * static_cast<Eigen::Index>(slots.size()));
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const auto at = kColumns * static_cast<Eigen::Index>(k);
        a.segment<3>(at) = fullRate.segment<3>(slots[k].offset + 3);
        if (slots[k].turns) a.segment<3>(at + 3) = fullRate.segment<3>(slots[k].offset + 10);
    }
    return a;
}

Eigen::MatrixXd ReducedMechanics::masses(const Placed& placed) const {
    const auto& slots = m_free.bodySlots();
    const auto n = kColumns * static_cast<Eigen::Index>(slots.size());
    MatrixXd masses = MatrixXd::Identity(n, n);
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const FlowBody& body = m_problem.network.bodies[static_cast<std::size_t>(slots[k].index)];
        const auto at = kColumns * static_cast<Eigen::Index>(k);
        for (int axis = 0; axis < 3; ++axis)
            masses(at + axis, at + axis) = 1 / (body.inverseMass * body.linearFactor[axis]);
        if (!slots[k].turns) continue;
        const Matrix3d toWorld = placed.states[k].orientation.toRotationMatrix();
        const Matrix3d factors = body.angularFactor.cwiseSqrt().cwiseInverse().asDiagonal();
        masses.block<3, 3>(at + 3, at + 3) =
            factors * toWorld * body.inverseInertia.cwiseInverse().asDiagonal() * toWorld.transpose() * factors;
    }
    return masses;
}

ReducedMechanics::Vector ReducedMechanics::accelerations(const Placed& placed, const Vector& free) const {
    VectorXd a = least(placed, -placed.rows.curvature);
    if (m_freedoms == 0) return a;
    const MatrixXd weighted = placed.allowed.transpose() * masses(placed);
    a += placed.allowed * (weighted * placed.allowed).llt().solve(weighted * (free - a));
    return a;
}

void ReducedMechanics::derivative(double t, const double* y, const Branches& branches, double* dy) const {
    std::fill_n(dy, size(), 0.0);
    Placed placed = place(t, y);
    move(t, y, placed);
    VectorXd fullRate;
    const VectorXd free = freeAccelerations(t, expand(placed, y), branches, fullRate);
    Eigen::Map<VectorXd>(dy + m_freedoms, m_freedoms) = m_allowed.transpose() * accelerations(placed, free);
    VectorXd rate = velocities(placed);
    for (std::size_t k = 0; k < placed.states.size(); ++k) {
        const auto at = kColumns * static_cast<Eigen::Index>(k) + 3;
        rate.segment<3>(at) =
            turnJacobian(placed.displacement.segment<3>(at)).partialPivLu().solve(rate.segment<3>(at).eval());
    }
    Eigen::Map<VectorXd>(dy, m_freedoms) = m_allowed.transpose() * rate;
    std::copy_n(fullRate.data() + m_free.bodyPart(), m_free.size() - m_free.bodyPart(), dy + 2 * m_freedoms);
}

Motion::Branches ReducedMechanics::startBranches() const {
    return m_free.startBranches();
}

Motion::Vector ReducedMechanics::scales(std::span<const double> times) const {
    const VectorXd full = m_free.scales(times);
    double length = 1;  // of a rotation vector
    double speed = 0;
    for (const Mechanics::BodySlot& slot : m_free.bodySlots()) {
        length = std::max(length, full[slot.offset]);
        speed = std::max({speed, full[slot.offset + 3], slot.turns ? full[slot.offset + 10] : 0});
    }
    VectorXd scales = VectorXd::Ones(size());
    scales.head(m_freedoms).setConstant(length);
    scales.segment(m_freedoms, m_freedoms).setConstant(speed);
    const int share = m_free.size() - m_free.bodyPart();
    scales.segment(2 * m_freedoms, share) = full.tail(share);
    return scales;
}

void ReducedMechanics::boundaries(double t, const double* y, const Branches& branches, double* g) const {
    m_free.boundaries(t, expand(t, y).data(), branches, g);
}

void ReducedMechanics::boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors,
                                     double* noise) const {
    // Errors of the coordinates are those of all positions and angles, errors of their rates those of all rates.
    VectorXd full = VectorXd::Zero(m_free.size());
    const double ofPose = m_freedoms > 0 ? errors[0] : 0;
    const double ofRate = m_freedoms > 0 ? errors[m_freedoms] : 0;
    for (const Mechanics::BodySlot& slot : m_free.bodySlots()) {
        full.segment<3>(slot.offset).setConstant(ofPose);
        full.segment<3>(slot.offset + 3).setConstant(ofRate);
        if (!slot.turns) continue;
        full.segment<4>(slot.offset + 6).setConstant(ofPose);
        full.segment<3>(slot.offset + 10).setConstant(ofRate);
    }
    const int share = m_free.size() - m_free.bodyPart();
    full.tail(share) = errors.segment(2 * m_freedoms, share);
    m_free.boundaryNoise(t, expand(t, y).data(), branches, full, noise);
}

void ReducedMechanics::speedBounds(double t, const double* y, double* speeds) const {
    m_free.speedBounds(t, expand(t, y).data(), speeds);
}

// The states of elements stand behind those of the bodies, here as there.
void ReducedMechanics::settle(int local, Branch branch, double* y) const {
    m_free.settle(local, branch, y + 2 * m_freedoms - m_free.bodyPart());
}

Branch ReducedMechanics::beyond(double t, const double* y, const Branches& branches, int local, int boundary) const {
    return m_free.beyond(t, expand(t, y).data(), branches, local, boundary);
}

double ReducedMechanics::rate(double t, const double* y, int local) const {
    return m_free.rate(t, expand(t, y).data(), local);
}

void ReducedMechanics::report(double t, const double* y, const Branches& branches, ReferenceState& state) const {
    Placed placed = place(t, y);
    move(t, y, placed);
    const VectorXd full = expand(placed, y);
    m_free.report(t, full.data(), branches, state);
    checkMotors(t, placed, full, branches);
}

void ReducedMechanics::checkMotors(double t, const Placed& placed, const Vector& full, const Branches& branches) const {
    if (m_constraints.motors().empty()) return;
    VectorXd fullRate;
    const VectorXd free = freeAccelerations(t, full, branches, fullRate);
    // What the joints and motors add: M (a - a_free) = G' force. No other row does what a motor does, so that its own
    // force is the same however those of the others are shared.
    const VectorXd added = masses(placed) * (accelerations(placed, free) - free);
    const VectorXd forces = placed.triangle.triangularView<Eigen::Upper>().solve(placed.held.transpose() * added);
    for (std::size_t k = 0; k < m_constraints.motors().size(); ++k) {
        const ReferenceMotor& motor = m_problem.motors[static_cast<std::size_t>(m_constraints.motors()[k])];
        const int row = m_constraints.rowOfMotor(k);
        const auto found = std::find(placed.picked.begin(), placed.picked.end(), row);
        if (found == placed.picked.end()) {
            throw ReferenceError("motor '" + motor.name + "' drives what is held already");
        }
        const double force = forces[found - placed.picked.begin()];
        if (std::abs(force) <= motor.maxForce) continue;
        throw ReferenceError("motor '" + motor.name + "' needs " + std::to_string(std::abs(force)) +
                             " N, N.m at t = " + std::to_string(t) + " s and has " + std::to_string(motor.maxForce) +
                             "; the reference knows motors that hold their speed");
    }
}

}  // namespace elasto::reference
