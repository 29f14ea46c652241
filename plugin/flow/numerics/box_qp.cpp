#include "numerics/box_qp.h"
#include "numerics/regular_factor.h"
#include "numerics/tuning.h"

#include <cmath>
#include <vector>

namespace elasto::flow {

// Each round goes down to the lowest point of the rows that are not at a bound, or until the first of them reaches one;
// from there the row that pulls away most from its bound is let go.
Eigen::VectorXd solveBoxQp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& lower,
                           const Eigen::VectorXd& upper) {
    const Eigen::Index n = b.size();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Index> free;
    std::vector<Eigen::Index> bound;
    RegularFactor factor;
    for (Eigen::Index k = 0; k < n; ++k) (lower[k] < 0 && upper[k] > 0 ? free : bound).push_back(k);
    for (Eigen::Index round = 0; round < kRoundsPerRow * (n + 1); ++round) {
        std::size_t blocking = free.size();
        if (!free.empty()) {
            factor.compute(A(free, free));
            const Eigen::VectorXd step = factor.solve(-(A * x + b)(free));
            double share = 1;
            for (std::size_t j = 0; j < free.size(); ++j) {
                const Eigen::Index k = free[j];
                const double d = step[static_cast<Eigen::Index>(j)];
                const double room = (d > 0 ? upper[k] : lower[k]) - x[k];
                if (d != 0 && std::abs(room) < share * std::abs(d)) {
                    share = room / d;
                    blocking = j;
                }
            }
            for (std::size_t j = 0; j < free.size(); ++j) x[free[j]] += share * step[static_cast<Eigen::Index>(j)];
            if (blocking < free.size()) {
                const Eigen::Index k = free[blocking];
                x[k] = step[static_cast<Eigen::Index>(blocking)] > 0 ? upper[k] : lower[k];
                bound.push_back(k);
                free.erase(free.begin() + static_cast<std::ptrdiff_t>(blocking));
                continue;
            }
        }
        const Eigen::VectorXd slope = A * x + b;
        const Eigen::VectorXd scale = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
        std::size_t leaving = bound.size();
        double steepest = 0;
        for (std::size_t j = 0; j < bound.size(); ++j) {
            const Eigen::Index k = bound[j];
            const bool isAwayFromLower = x[k] == lower[k] && lower[k] < upper[k] && slope[k] < -kFlat * scale[k];
            const bool isAwayFromUpper = x[k] == upper[k] && lower[k] < upper[k] && slope[k] > kFlat * scale[k];
            // Rows in different units: what counts is how far down each leads by itself.
            const double depth = A(k, k) > 0 ? slope[k] * slope[k] / A(k, k) : 0;
            if ((isAwayFromLower || isAwayFromUpper) && depth > steepest) {
                steepest = depth;
                leaving = j;
            }
        }
        if (leaving == bound.size()) break;
        free.push_back(bound[leaving]);
        bound.erase(bound.begin() + static_cast<std::ptrdiff_t>(leaving));
    }
    return x;
}

}  // namespace elasto::flow
