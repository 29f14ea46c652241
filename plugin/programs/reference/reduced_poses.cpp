// Poses and velocities that the joints allow, and the choice of coordinates.

#include "reduced_mechanics.h"
#include "rigid_body.h"

#include <algorithm>
#include <limits>

namespace elasto::reference {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void ReducedMechanics::evaluate(double t, Placed& placed) const {
    const auto& slots = m_free.bodySlots();
    const auto stateOf = [&](int body) -> BodyState {
        if (body == kWorld) return {};
        const int column = m_columnOfBody[static_cast<std::size_t>(body)];
        if (column < 0) return drift(m_problem.network.bodies[static_cast<std::size_t>(body)], t);
        return placed.states[static_cast<std::size_t>(column / kColumns)];
    };
    const auto columnOf = [&](int body) { return m_columnOfBody[static_cast<std::size_t>(body)]; };
    const auto still = std::count_if(slots.begin(), slots.end(), [](const auto& slot) { return !slot.turns; });
    const Eigen::Index count = m_constraints.count() + 3 * still;
    JointConstraints::Rows& rows = placed.rows;
    rows.value.setZero(count);
    rows.drift.setZero(count);
    rows.curvature.setZero(count);
    rows.gradient.setZero(count, kColumns * static_cast<Eigen::Index>(slots.size()));
    m_constraints.evaluate(t, stateOf, columnOf, rows);
    // A body that cannot turn keeps its angles.
    Eigen::Index row = m_constraints.count();
    for (std::size_t k = 0; k < slots.size(); ++k) {
        if (slots[k].turns) continue;
        for (int axis = 0; axis < 3; ++axis)
            rows.gradient(row++, kColumns * static_cast<Eigen::Index>(k) + 3 + axis) = 1;
    }
}

void ReducedMechanics::factor(Placed& placed, int rank) const {
    Eigen::ColPivHouseholderQR<MatrixXd> qr(placed.rows.gradient.transpose());
    constexpr double kIndependent = 1e-9;
    qr.setThreshold(kIndependent);
    const Eigen::Index r = rank < 0 ? qr.rank() : rank;
    const MatrixXd q = qr.householderQ();
    placed.held = q.leftCols(r);
    placed.allowed = q.rightCols(q.cols() - r);
    placed.triangle = qr.matrixR().topLeftCorner(r, r).triangularView<Eigen::Upper>();
    placed.picked = qr.colsPermutation().indices().head(r);
}

ReducedMechanics::Vector ReducedMechanics::least(const Placed& placed, const Vector& wanted) const {
    return placed.held * placed.triangle.transpose().triangularView<Eigen::Lower>().solve(wanted(placed.picked).eval());
}

void ReducedMechanics::setPoses(Placed& placed) const {
    for (std::size_t k = 0; k < m_origin.size(); ++k) {
        const auto at = kColumns * static_cast<Eigen::Index>(k);
        placed.states[k] =
            moved(m_origin[k], placed.displacement.segment<3>(at), placed.displacement.segment<3>(at + 3));
    }
}

ReducedMechanics::Placed ReducedMechanics::place(double t, const double* y) const {
    constexpr int kIterations = 20;
    constexpr double kClosed = 1e-11;
    const Eigen::Map<const VectorXd> p(y, m_freedoms);
    const VectorXd given = m_allowed * p;
    const int rank = static_cast<int>(m_held.cols());
    Placed placed;
    placed.states = m_origin;
    VectorXd share = m_lastShare;
    double left = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kIterations; ++iteration) {
        placed.displacement = given + m_held * share;
        setPoses(placed);
        evaluate(t, placed);
        factor(placed, rank);
        const double before = left;
        left = placed.rows.value.cwiseAbs().maxCoeff();
        // Once it is closed a step that gains nothing is rounding.
        if (left == 0 || (left < kClosed && left > 0.25 * before)) break;
        MatrixXd towards = m_held;
        for (std::size_t k = 0; k < m_origin.size(); ++k) {
            const auto at = kColumns * static_cast<Eigen::Index>(k) + 3;
            towards.middleRows<3>(at) = turnJacobian(placed.displacement.segment<3>(at)) * m_held.middleRows<3>(at);
        }
        const MatrixXd slope = placed.triangle.transpose() * (placed.held.transpose() * towards);
        share -= slope.partialPivLu().solve(placed.rows.value(placed.picked).eval());
    }
    if (left < kClosed) {
        m_lastShare = share;
    } else {
        // Too far a trial: CVODE takes a shorter step.
        for (BodyState& state : placed.states) state.position.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    return placed;
}

void ReducedMechanics::move(double t, const double* y, Placed& placed) const {
    const Eigen::Map<const VectorXd> z(y + m_freedoms, m_freedoms);
    VectorXd u = least(placed, -placed.rows.drift);
    if (m_freedoms > 0) {
        const MatrixXd share = m_allowed.transpose() * placed.allowed;
        u += placed.allowed * share.partialPivLu().solve(z - m_allowed.transpose() * u);
    }
    for (std::size_t k = 0; k < placed.states.size(); ++k) {
        const auto at = kColumns * static_cast<Eigen::Index>(k);
        placed.states[k].velocity = u.segment<3>(at);
        placed.states[k].angularVelocity = u.segment<3>(at + 3);
    }
    evaluate(t, placed);  // what depends on velocities
}

ReducedMechanics::Vector ReducedMechanics::velocities(const Placed& placed) const {
    VectorXd u(kColumns * static_cast<Eigen::Index>(placed.states.size()));
    for (std::size_t k = 0; k < placed.states.size(); ++k) {
        const auto at = kColumns * static_cast<Eigen::Index>(k);
        u.segment<3>(at) = placed.states[k].velocity;
        u.segment<3>(at + 3) = placed.states[k].angularVelocity;
    }
    return u;
}

bool ReducedMechanics::isWornOut(double t, const double* y) const {
    constexpr double kLargestTurn = 1.5;  // [rad]: the rotation vector's rate is singular at a whole turn
    constexpr double kLeastShare = 0.5;   // of the present velocities that the chosen ones see
    const Placed placed = place(t, y);
    for (std::size_t k = 0; k < m_origin.size(); ++k) {
        if (placed.displacement.segment<3>(kColumns * static_cast<Eigen::Index>(k) + 3).norm() > kLargestTurn)
            return true;
    }
    if (m_freedoms == 0) return false;
    const MatrixXd share = m_allowed.transpose() * placed.allowed;
    return share.jacobiSvd().singularValues().minCoeff() < kLeastShare;
}

void ReducedMechanics::renew(double t, Vector& y) {
    Placed placed = place(t, y.data());
    move(t, y.data(), placed);
    m_origin = placed.states;
    m_allowed = placed.allowed;
    m_held = placed.held;
    m_lastShare.setZero();
    m_expandedFrom.resize(0);
    y.head(m_freedoms).setZero();
    y.segment(m_freedoms, m_freedoms) = m_allowed.transpose() * velocities(placed);
}

}  // namespace elasto::reference
