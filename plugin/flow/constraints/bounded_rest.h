#pragma once
// When limits stand at their bound, and when what they do there is too little to follow: in every engine.

#include "constraints/bounded_rows.h"
#include "constraints/tuning.h"
#include "numerics/box_qp.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace elasto::flow {

/// True if a bounce is over at once. @param rate with which it begins @param back acceleration towards the bound
inline bool isShortBounce(double rate, double back, double h) {
    return back > 0 && 2 * std::abs(rate) < kShortestBounce * h * back;
}

/// Where an open limit counts as hit, by its distance from the bound, <= 0: one that stands there without a force is
/// not hit by what rounding, and rates that count as none, do.
/// @param gap now @param tolerance rate that counts as none
inline double hitGap(double gap, double tolerance, double h) {
    const double nothing = std::max(kNotHit, tolerance * h / kTimesPerTick);
    return std::min(0.0, gap) - (gap <= kTouching ? nothing : 0);
}

/// To what the end of a phase need not be met better. @param largest force that is held
inline double slackOf(BoundedExit::Kind kind, double largest) {
    using Kind = BoundedExit::Kind;
    if (kind == Kind::Reaches) return 0;
    if (kind == Kind::Touches) return kFound * kNotHit;
    return kNoForce * largest;
}

/// Forces of the rows that stay at their bound or rate, see solveBoxQp. What has been hit may let a limit part that
/// is pressed: it stays only if it would be back at once.
/// @param rates with which limits part; 0 for rows that do not
/// @param lower, upper bounds of the forces; of what parts 0 in the end
inline Eigen::VectorXd forcesOfThoseThatStay(const Eigen::MatrixXd& A, const Eigen::VectorXd& accelerations,
                                             const Eigen::VectorXd& rates, double h, Eigen::VectorXd& lower,
                                             Eigen::VectorXd& upper) {
    while (true) {
        Eigen::VectorXd forces = solveBoxQp(A, accelerations, lower, upper);
        bool doAllStay = true;
        for (Eigen::Index i = 0; i < forces.size(); ++i) {
            if (rates[i] == 0 || lower[i] == upper[i]) continue;
            if (isShortBounce(rates[i], A(i, i) * std::abs(forces[i]), h)) continue;
            lower[i] = upper[i] = 0;
            doAllStay = false;
        }
        if (doAllStay) return forces;
    }
}

}  // namespace elasto::flow
