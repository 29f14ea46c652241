#pragma once
// Integration of a HybridSystem: steps as long as the error allows, events located where they happen.

#include "stepper.h"

namespace elasto::flow {

/// Why an integration ended.
enum class Ended {
    AtEnd,      ///< t == tEnd
    AtEvent,    ///< HybridSystem::shouldReturn asked for it: t <= tEnd, phase changed
    Exhausted,  ///< t < tEnd: the steps ran out, or no step of any useful length meets the error bound. The state at t
                ///< is good; the caller must go on by a method that cannot fail
};

/// Integrates from t to tEnd, both advanced in place.
///
/// Event functions are looked at along the whole step, not only at its ends, so that a brief contact is not stepped
/// over. A step in which one falls through zero is repeated so that it ends there; the phase changes, and the next step
/// begins. Where phases alternate without time passing (contacts that touch at rest), a growing minimal time is spent
/// in each.
/// @param stepper DormandPrince or Rodas4
/// @param maxSteps steps are tried until `steps` reaches this number
/// @param steps counts every step that was tried, rejected and repeated ones included
Ended integrate(HybridSystem& system, Stepper& stepper, double& t, double tEnd, Eigen::VectorXd& y, int maxSteps,
                int& steps);

}  // namespace elasto::flow
