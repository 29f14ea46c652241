#include "holding.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace elasto::reference {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// A of the relations, without scale.
MatrixXd responses(std::span<const Relation> relations, std::span<const Mobility> mobilities) {
    struct Touch {
        Index relation;
        const Six* on;
    };
    std::vector<std::vector<Touch>> touching(mobilities.size());
    for (std::size_t i = 0; i < relations.size(); ++i) {
        for (const Form::Share& share : relations[i].form)
            touching[static_cast<std::size_t>(share.body)].push_back({static_cast<Index>(i), &share.on});
    }
    const auto n = static_cast<Index>(relations.size());
    MatrixXd a = MatrixXd::Zero(n, n);
    for (std::size_t body = 0; body < touching.size(); ++body) {
        for (const Touch& one : touching[body]) {
            const Six moved = mobilities[body] * *one.on;
            for (const Touch& other : touching[body]) a(other.relation, one.relation) += other.on->dot(moved);
        }
    }
    return a;
}

VectorXd scaleOf(const MatrixXd& a) {
    return a.diagonal().unaryExpr([](double value) { return value > 0 ? 1 / std::sqrt(value) : 0; });
}

/// 1 / strength of each, as a share of the largest; what is infinitely strong takes all that it can from the others.
VectorXd weaknesses(std::span<const double> strengths, const VectorXd& scale) {
    constexpr double kNone = 1e-12;
    constexpr double kNoStrength = 1e-30;
    const auto count = static_cast<Index>(strengths.size());
    VectorXd weak(count);
    for (Index k = 0; k < count; ++k) {
        const double strength = strengths[static_cast<std::size_t>(k)];
        weak[k] = std::isinf(strength) ? 0 : scale[k] * scale[k] / std::max(strength, kNoStrength);
    }
    const double most = weak.maxCoeff();
    return most > 0 ? VectorXd((weak / most).cwiseMax(kNone)) : VectorXd::Ones(count);
}

}  // namespace

Holding::Holding(std::span<const Relation> relations, std::size_t firm, std::span<const double> strengths,
                 std::span<const Mobility> mobilities)
    : m_mobilities(mobilities), m_firm(static_cast<Index>(firm)) {
    MatrixXd a = responses(relations, mobilities);
    m_scale = scaleOf(a);
    a = m_scale.asDiagonal() * a * m_scale.asDiagonal();
    const Index count = a.rows();
    const Index soft = count - m_firm;
    m_factor.compute(a.topLeftCorner(m_firm, m_firm));
    m_coupling = m_factor.matrixL().solve(a.topRightCorner(m_firm, soft));
    const MatrixXd rest = a.bottomRightCorner(soft, soft) - m_coupling.transpose() * m_coupling;
    // What is left of 1 by rounding is no mobility. A light link on a hinge that carries 1e8 times as much has 1e-8.
    constexpr double kMoves = 1e-12;
    m_held.setConstant(count, true);
    m_rest.setZero(soft, soft);
    if (soft == 0) return;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(rest);
    VectorXd share = VectorXd::Zero(soft);
    Index idle = 0;  // eigenvalues rise
    while (idle < soft && modes.eigenvalues()[idle] < kMoves) ++idle;
    for (Index k = idle; k < soft; ++k) {
        const VectorXd mode = modes.eigenvectors().col(k);
        m_rest += mode * mode.transpose() / modes.eigenvalues()[k];
        share += mode.cwiseAbs2();
    }
    if (idle > 0) {
        // Forces that change nothing go where they belong: f + Z z with Z' B (f + Z z) = 0, B the weaknesses.
        const MatrixXd none = modes.eigenvectors().leftCols(idle);
        const MatrixXd weighted = none.transpose() * weaknesses(strengths, m_scale.tail(soft)).asDiagonal();
        m_rest -= none * (weighted * none).completeOrthogonalDecomposition().solve(weighted * m_rest);
    }
    constexpr double kCounts = 1e-6;  // of 1, of a relation that no other one can do as well
    for (Index k = 0; k < soft; ++k) m_held[m_firm + k] = share[k] > kCounts;
}

VectorXd Holding::forces(const VectorXd& wanted) const {
    const VectorXd scaled = m_scale.cwiseProduct(wanted);
    const VectorXd down = m_factor.matrixL().solve(scaled.head(m_firm));
    VectorXd out(scaled.size());
    out.tail(m_rest.rows()) = m_rest * (scaled.tail(m_rest.rows()) - m_coupling.transpose() * down);
    out.head(m_firm) = m_factor.matrixU().solve(down - m_coupling * out.tail(m_rest.rows()));
    return m_scale.cwiseProduct(out);
}

VectorXd Holding::firmForces(const VectorXd& wanted) const {
    const VectorXd scale = m_scale.head(m_firm);
    return scale.cwiseProduct(m_factor.solve(scale.cwiseProduct(wanted)));
}

double Holding::response(const Form& push, const Form& of) const {
    double sum = 0;
    for (const Form::Share& one : push) {
        for (const Form::Share& other : of) {
            if (one.body != other.body) continue;
            sum += other.on.dot(m_mobilities[static_cast<std::size_t>(one.body)] * one.on);
        }
    }
    return sum;
}

double Holding::leastPivot() const {
    return m_firm == 0 ? 1 : m_factor.matrixLLT().diagonal().cwiseAbs2().minCoeff();
}

std::vector<std::size_t> independent(std::span<const Relation> relations, std::span<const Mobility> mobilities) {
    MatrixXd a = responses(relations, mobilities);
    const VectorXd scale = scaleOf(a);
    a = scale.asDiagonal() * a * scale.asDiagonal();
    // Cholesky's method, the largest pivot first.
    constexpr double kIndependent = 1e-10;
    std::vector<std::size_t> picked;
    VectorXd left = a.diagonal();
    MatrixXd lower(a.rows(), 0);
    while (lower.cols() < a.rows()) {
        Index next = 0;
        if (!(left.maxCoeff(&next) > kIndependent)) break;
        const VectorXd column = (a.col(next) - lower * lower.row(next).transpose()) / std::sqrt(left[next]);
        left -= column.cwiseAbs2();
        left[next] = 0;
        lower.conservativeResize(Eigen::NoChange, lower.cols() + 1);
        lower.rightCols(1) = column;
        picked.push_back(static_cast<std::size_t>(next));
    }
    std::sort(picked.begin(), picked.end());
    return picked;
}

}  // namespace elasto::reference
