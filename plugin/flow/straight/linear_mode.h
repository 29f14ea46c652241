#pragma once
// The motion of one element while its law is linear: x'' + b x' + k x = a with k, b >= 0 and a constant, solved through
// the fundamental solution S (S(0) = 0, S'(0) = 1) and its integrals. Section 2 of docs/method.md.

#include "numerics/infinity.h"

namespace elasto::flow {

class LinearMode {
public:
    /// @param k stiffness over mass [1/s^2], @param b damping over mass [1/s]; both >= 0
    LinearMode(double k, double b);

    double k() const { return m_k; }
    double b() const { return m_b; }

    /// S, S' and I = int S at a time t >= 0.
    struct Response {
        double S;
        double rate;
        double I;
    };
    Response response(double t) const;

    /// I, J = int I and K = int J at a time t >= 0, each to about 1e-13 of itself whatever k and b.
    struct Integrals {
        double I;
        double J;
        double K;
    };
    Integrals integrals(double t) const;

    /// Moves (x, v) on by t >= 0.
    void advance(double t, double a, double& x, double& v) const;

    /// First time in [0, end] at which g = byX x + byV v, not negative at the start, falls through zero; kNever if it
    /// does not. A start that is below zero by rounding counts as zero.
    double firstCrossing(double end, double a, double x, double v, double byX, double byV) const;

private:
    enum class Kind { ForceFree, Underdamped, Overdamped };
    struct Interval {
        double begin;
        double end;
    };
    struct Watched;  // g as a function of time

    bool isShort(double t, double limit) const { return m_b * t < limit && m_k * t * t < limit * limit; }
    Integrals overdampedIntegrals(double t) const;
    Interval fallingInterval(double slope, double curvature) const;

    double m_k;
    double m_b;
    Kind m_kind = Kind::ForceFree;
    double m_decay = 0;      ///< b / 2
    double m_frequency = 0;  ///< underdamped: angular frequency
    double m_slow = 0;       ///< overdamped: both decay rates and their difference
    double m_fast = 0;
    double m_spread = 0;
};

/// First t in [0, end] at which g0 + g1 t + g2 t^2, not negative at the start, falls through zero, or kNever.
double firstCrossingOfParabola(double end, double g0, double g1, double g2);

}  // namespace elasto::flow
