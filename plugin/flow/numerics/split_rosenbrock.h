#pragma once
// A linearly implicit method for systems of which only a cheap part is fast.

#include "numerics/split_system.h"
#include "numerics/stepper.h"

namespace elasto::flow {

/// RosenbrockW whose stages evaluate the cheap part of a SplitSystem alone. The dear part is evaluated once per step,
/// at its end: in between it follows the line that the last steps suggest, and what it turns out to be beside that line
/// is put right as the trapezoidal rule would (order 2, with a twelfth of the error of what was foreseen). Where a step
/// is cut short on an event the dear part is known already.
class SplitRosenbrock final : public Stepper {
public:
    /// Forgets what it knows. The system must outlast all steps.
    void begin(SplitSystem& system);

    void start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) override;
    bool step(HybridSystem& system, double dt) override;
    bool shorten(HybridSystem& system, double dt) override;
    const Eigen::VectorXd& end() const override { return m_end; }
    const Eigen::VectorXd& error() const override { return m_error; }
    /// As RosenbrockW::interpolate.
    void interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const override;
    bool interpolatesByParabola() const override { return true; }
    int errorOrder() const override { return 3; }

private:
    bool findStages(double dt);

    SplitSystem* m_system = nullptr;
    bool m_knows = false;  ///< the dear part from m_t to m_t + m_dt
    double m_t = 0;
    double m_dt = 0;
    Eigen::VectorXd m_start, m_end, m_error;
    Eigen::VectorXd m_slow, m_slope;        ///< dear part at the step's start, and how it is expected to change
    Eigen::VectorXd m_slowEnd, m_newSlope;  ///< at its end, and how it changed
    Eigen::VectorXd m_quick, m_endQuick;    ///< cheap part at both ends
    Eigen::VectorXd m_total, m_missed;
    Eigen::VectorXd m_k[4];
};

}  // namespace elasto::flow
