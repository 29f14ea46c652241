#pragma once
// Dormand and Prince's explicit Runge-Kutta pair of order 5(4).

#include "numerics/stepper.h"

namespace elasto::flow {

/// Order 5 with an error estimate of order 4 and dense output of order 4; the last stage is the next step's first.
/// Source: Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, 2nd ed., table II.5.2 and section II.6.
class DormandPrince final : public Stepper {
public:
    void start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) override;
    bool step(HybridSystem& system, double dt) override;
    const Eigen::VectorXd& end() const override { return m_end; }
    const Eigen::VectorXd& error() const override { return m_error; }
    void interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const override;
    int errorOrder() const override { return 5; }

private:
    double m_t = 0;
    double m_dt = 0;
    Eigen::VectorXd m_start, m_end, m_error, m_stage;
    Eigen::VectorXd m_k[7];
};

}  // namespace elasto::flow
