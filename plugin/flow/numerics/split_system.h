#pragma once
// A hybrid system whose rates come in two parts: one that is cheap and changes fast, and one that is dear and slow.

#include "numerics/hybrid_system.h"

namespace elasto::flow {

/// y' = f(t, y), of which quick(t, y) can be had without the dear part, and the rest changes little over a step.
class SplitSystem : public HybridSystem {
public:
    /// Fixes what quick() needs besides t and y, from the last derivative(), which was near y. @return false if that is
    /// still good enough: nothing has changed
    virtual bool refreshQuick(const Eigen::VectorXd& y) = 0;
    /// The cheap part. @param dydt has size(); every entry is written
    virtual void quick(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) = 0;
};

}  // namespace elasto::flow
