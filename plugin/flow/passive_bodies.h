#pragma once
// The rest of a tick whose budget ended, for bodies that turn: backward Euler on the bodies' own motion. It never adds
// energy, but loses the rebound. Section 5 of docs/method.md.

#include <elasto/flow.h>

#include <Eigen/Core>

#include <vector>

namespace elasto::flow {

struct PassiveMotion {
    Eigen::VectorXd impulses;  ///< per element
    Eigen::VectorXd loss;      ///< per element: what it took without storing it [J], a measure for sharing out
    double work = 0;           ///< of everything but the elements [J]
    Eigen::VectorXd boundedImpulses;
    double driveWork = 0;  ///< of the motors
    double limitLoss = 0;
    std::vector<int> held;            ///< motors and limits, in the last step
    std::vector<Reaction> reactions;  ///< that rows ask for
    int steps = 0;
    std::vector<ContactEvent> events;  ///< time counted from the call
};

/// Moves the network over a duration [s] > 0; its loads then start at the new time.
///
/// Each step's end state is tested with the true energy. A gain is taken out of the motion; where that cannot be done,
/// the network stands still for that step, its elements' rates stopped plastically.
PassiveMotion movePassively(FlowNetwork& network, double duration);

}  // namespace elasto::flow
