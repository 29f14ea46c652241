#pragma once
// Hairer and Wanner's linearly implicit method for stiff problems.

#include "numerics/stepper.h"

namespace elasto::flow {

/// Error bound of RODAS4's steps as a multiple of FlowSettings::tolerance. Its steps are of order 4 where explicit ones
/// are of order 5 and more, and strongly damped motion forgets their errors: the same bound would cost many times the
/// steps and change nothing that can be seen.
inline constexpr double kRodas4Looseness = 1e3;

/// Rosenbrock method with 6 stages, order 4(3), stiffly accurate and L-stable, dense output of order 3.
/// Source: Hairer, Wanner: Solving Ordinary Differential Equations II, 2nd ed., section IV.7, and the authors' code
/// RODAS, whose coefficients these are.
class Rodas4 final : public Stepper {
public:
    void start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) override;
    bool step(HybridSystem& system, double dt) override;
    const Eigen::VectorXd& end() const override { return m_end; }
    const Eigen::VectorXd& error() const override { return m_k[5]; }
    void interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const override;
    int errorOrder() const override { return 4; }

private:
    double m_t = 0;
    Eigen::VectorXd m_start, m_end, m_slope, m_timeDerivative;
    Eigen::VectorXd m_k[6];
};

}  // namespace elasto::flow
