#pragma once
// One-step methods with error estimate and dense output; the adaptive integrator drives them.

#include "numerics/hybrid_system.h"

namespace elasto::flow {

/// One step of an embedded method. start() fixes the point to step from; step() may then be called again and again with
/// other lengths (a rejected step, a step that must end at an event) and reuses what depends on the point only.
class Stepper {
public:
    virtual ~Stepper() = default;

    /// The next steps begin at (t, y). @param continues true if that is the end of the last step, in the same phase
    virtual void start(HybridSystem& system, double t, const Eigen::VectorXd& y, bool continues) = 0;
    /// Tries a step of length dt > 0. @return false if it could not be computed (singular matrix)
    virtual bool step(HybridSystem& system, double dt) = 0;
    /// A shorter step than the last one, whose error was small enough. Its error is not asked for.
    virtual bool shorten(HybridSystem& system, double dt) { return step(system, dt); }
    /// State at the end of the last step, and the estimate of its error.
    virtual const Eigen::VectorXd& end() const = 0;
    virtual const Eigen::VectorXd& error() const = 0;
    /// To be called before interpolate(), once after a step.
    virtual void prepareInterpolation(HybridSystem& /*system*/) {}
    /// The first y.size() entries of the state at start + theta dt, 0 <= theta <= 1, a polynomial in theta.
    virtual void interpolate(double theta, Eigen::Ref<Eigen::VectorXd> y) const = 0;
    /// Whether that polynomial is of degree 2.
    virtual bool interpolatesByParabola() const { return false; }
    /// The error estimate falls with dt to this power.
    virtual int errorOrder() const = 0;
};

}  // namespace elasto::flow
