#pragma once
// The tick of a connected network with contacts, and of any other one whose own method does not get to its end.

#include "balance/settle_events.h"
#include "contact/contact_trial.h"
#include "contact/depenetration.h"
#include "contact/pause.h"
#include "contact/tuning.h"

namespace elasto::flow {

/// Storage, kept from tick to tick.
struct ContactSpace {
    FlowNetwork now;
    Trial trial, other;
    ContactTrials attempts;
    DepenetrationSpace recovery;
    BodyKinematics bodies;
    ContactFrame frame;
    std::vector<Vector6> velocities;
    Eigen::VectorXd impulses, heat;
    std::vector<double> bounded;
    std::vector<double> speeds;  ///< see keepStanding
    std::vector<Seen> seen;      ///< by element: contact as was told last
};

/// Whether the bodies' own motion is integrated where directions turn: where little touches.
bool followsBodies(const FlowNetwork& network);
/// Exactly, or by the implicit step where the settings or the network's pause say so or the budget ends.
/// @param result as new
void solveContacts(const FlowNetwork& network, double h, const FlowSettings& settings, Pause& pause,
                   ContactSpace& space, TickResult& result);
/// By the implicit step, for whichever network: where its own method has failed.
/// @param result as new
void solveImplicitly(const FlowNetwork& network, double h, const FlowSettings& settings, Pause& pause,
                     ContactSpace& space, TickResult& result);

}  // namespace elasto::flow
