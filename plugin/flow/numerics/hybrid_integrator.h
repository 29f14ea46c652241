#pragma once
// Integration of a HybridSystem: steps as long as the error allows, events located where they happen.

#include "numerics/stepper.h"
#include "numerics/zero_crossing.h"

#include <array>
#include <vector>

namespace elasto::flow {

/// Why an integration ended.
enum class Ended {
    AtEnd,      ///< t == tEnd
    AtEvent,    ///< HybridSystem::shouldReturn asked for it: t <= tEnd, phase changed
    Exhausted,  ///< t < tEnd: the steps ran out, or no step of any useful length meets the error bound. The state at t
                ///< is good; the caller must go on by a method that cannot fail
};

/// Storage that an integration needs, kept from one to the next.
struct IntegrationSpace {
    Eigen::VectorXd between;                                    ///< state inside a step, as far as events depend on it
    std::vector<std::array<double, kCrossingSamples>> samples;  ///< event functions at several places of a step
    std::vector<char> isParabola;                               ///< of event functions
};

/// Integrates from t to tEnd, both advanced in place.
///
/// Event functions are looked at along the whole step, not only at its ends, so that a brief contact is not stepped
/// over. A step in which one falls through zero is repeated so that it ends there; the phase changes, and the next step
/// begins. Where phases alternate without time passing (contacts that touch at rest), a growing minimal time is spent
/// in each.
/// @param stepper any
/// @param maxSteps steps are tried until `steps` reaches this number
/// @param steps counts every step that was tried, rejected and repeated ones included
Ended integrate(HybridSystem& system, Stepper& stepper, double& t, double tEnd, Eigen::VectorXd& y, int maxSteps,
                int& steps, IntegrationSpace& space);
inline Ended integrate(HybridSystem& system, Stepper& stepper, double& t, double tEnd, Eigen::VectorXd& y, int maxSteps,
                       int& steps) {
    IntegrationSpace space;
    return integrate(system, stepper, t, tEnd, y, maxSteps, steps, space);
}

}  // namespace elasto::flow
