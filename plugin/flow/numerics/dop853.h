#pragma once
// Dormand and Prince's explicit Runge-Kutta method of order 8 with Hairer and Wanner's error estimate.

#include "numerics/stepper.h"

namespace elasto::flow {

/// Order 8(5,3) with dense output of order 7: a third of the evaluations of the pair of order 5 where accuracy is asked
/// for over hundreds of oscillations. The dense output costs three evaluations, spent only where events are looked for.
/// Source: Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, 2nd ed., sections II.5 and II.6, and the
/// coefficients of the authors' program DOP853.
class Dop853 final : public Stepper {
public:
    void start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) override;
    bool step(HybridSystem& system, double dt) override;
    const Eigen::VectorXd& end() const override { return m_end; }
    const Eigen::VectorXd& error() const override { return m_error; }
    void prepareInterpolation(HybridSystem& system) override;
    void interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const override;
    int errorOrder() const override { return 8; }

private:
    static constexpr int kStages = 12;
    static constexpr int kAllStages = 16;  ///< with the derivative at the end and three for the dense output
    static constexpr int kTerms = 7;       ///< of the dense output

    void combine(int i);
    void stage(HybridSystem& system, int i);
    void findEndDerivative(HybridSystem& system);
    void estimateError();

    double m_t = 0;
    double m_dt = 0;
    bool m_knowsEnd = false;  ///< the derivative at the end of the last step
    Eigen::VectorXd m_start, m_end, m_error, m_stage;
    Eigen::VectorXd m_k[kAllStages];
    Eigen::VectorXd m_terms[kTerms];
};

}  // namespace elasto::flow
