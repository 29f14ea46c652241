#pragma once
// What an element gives to its bodies over a sub-step, as a function of the rate that they have in it.

#include "law/hybrid_law.h"

namespace elasto::flow::implicit {

/// Impulses of an element (Modelica's sign) over a sub-step that is a drift of its coordinate from s0 to s0 + dt u,
/// with a kick of the bodies before and another one after it.
struct Push {
    double before = 0;  ///< in the kick before: grows with u
    double slope = 0;   ///< of it, >= 0
    double after = 0;   ///< in the kick after
    double heat = 0;    ///< that the damper takes [J], >= 0 up to rounding
    double z = 0;       ///< the inner state at the end
};

/// An element at the beginning of a sub-step.
///
/// Elasticity pushes with its discrete gradient F = (U(s1) - U(s0)) / (s1 - s0) (Gonzalez, Time integration and
/// discrete Hamiltonian systems, 1996), half of it before and half after the drift: where directions stay, the sum of
/// kinetic and elastic energy is kept to rounding, however stiff. Of the damper's impulse as much is given after the
/// drift as cannot turn the bodies round, half at most: of order 2 where it is weak, and stable where it is strong.
///
/// Where a linear gap's own oscillation is fast, x = dt sqrt(c response) ~ 1, the discrete rebound meets its damper
/// more slowly than the true one and lasts longer: of what the damper takes, 1 - x^2/6 remains for small x, and a half
/// in the mean for large x, where the rebound is over within two drifts. So the damper counts 1 + x^2 / (6 + x^2)
/// times.
///
/// Elements may be asked to lose energy: then all is given before the drift, with the force of its end (backward
/// Euler). That ends within a few drifts what is faster than they are, and gains nothing whatever directions do.
class ElementDrift {
public:
    enum class Form : unsigned char { KeepsEnergy, LosesEnergy };

    /// @param response how much a unit impulse lowers the element's rate [1/kg, 1/(kg m^2)]
    ElementDrift(const HybridLaw& law, double s0, double z0, double dt, double response, Form form);

    Push at(double u) const;

private:
    Push springDamper(double u) const;
    Push contact(double u) const;
    Push series(double u) const;
    Push slider(double u) const;

    const HybridLaw* m_law;
    double m_s, m_z, m_dt;
    bool m_keeps;
    double m_spring = 1, m_share = 1;  // of the spring's and of the damper's impulse that comes before the drift
    double m_damper = 1;               // times that the damper counts
};

/// True for an element that is stiff, and damped so strongly that within a drift nothing is left of its motion: with a
/// form that keeps energy what it holds would ring. A gap that is not overdamped throws its bodies off before that.
/// @param s its coordinate @param response as ElementDrift has it
bool isOverdamped(const HybridLaw& law, double s, double response, double dt);

}  // namespace elasto::flow::implicit
