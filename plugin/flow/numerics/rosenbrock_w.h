#pragma once
// A linearly implicit method that keeps its order whatever matrix it is given for df/dy.

#include "numerics/stepper.h"

namespace elasto::flow {

/// W-method with 4 stages, order 3(2), stiffly accurate and L-stable with the true df/dy. Where only a part of a system
/// is stiff, df/dy of that part is enough: HybridSystem::linearise may leave the rest out, df/dt is not asked for.
/// Source of the coefficients: Rang, Angermann: New Rosenbrock W-methods of order 3 for partial differential algebraic
/// equations of index 1, BIT 45 (2005), ROS34PW2.
class RosenbrockW final : public Stepper {
public:
    void start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) override;
    bool step(HybridSystem& system, double dt) override;
    const Eigen::VectorXd& end() const override { return m_end; }
    const Eigen::VectorXd& error() const override { return m_error; }
    /// Of degree 2, through the values at both ends and the slope at the step's end: that at its beginning belongs to
    /// what dies out at once.
    void interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const override;
    bool interpolatesByParabola() const override { return true; }
    int errorOrder() const override { return 3; }

private:
    double m_t = 0;
    double m_dt = 0;
    Eigen::VectorXd m_start, m_end, m_error, m_slope, m_endSlope;
    Eigen::VectorXd m_k[4];
};

}  // namespace elasto::flow
