#pragma once
// Ticks in which bodies turn under their elements: the bodies' motion itself is integrated.

#include "balance/energy_repair.h"
#include "balance/joint_projection.h"
#include "balance/network_state.h"
#include "numerics/dop853.h"
#include "numerics/hybrid_integrator.h"
#include "numerics/rodas4.h"
#include "rigid/free_motion.h"
#include "rigid/rigid_system.h"

#include <vector>

namespace elasto::flow {

/// A tick being integrated: where the network stands, and the books that must close.
struct RigidLedger {
    FlowNetwork now;
    Eigen::VectorXd jointValues;  ///< that this tick holds; what they ought to be is 0
    double startEnergy = 0;
    double work = 0;
    Eigen::VectorXd impulses;
    Eigen::VectorXd heat;  ///< per element, by quadrature of what its law loses
    TickBalance balance;   ///< what the steps got wrong, before any of it was put right
    Eigen::VectorXd boundedImpulses, boundedWork;
    std::vector<double> boundedForces;  ///< at the end
    double driveWork = 0;
    double limitLoss = 0;
    double repaired = 0;  ///< energy that was taken out of the motion [J]
    double lifted = 0;    ///< work of closing limits by a hairline, in `work` [J]
    std::vector<Reaction> reactions;
    std::vector<int> held;  ///< motors and limits, at the end
    std::vector<ContactEvent> events;
};

/// Storage of one network's turning ticks. It refers to itself: stays where it is.
struct RigidSpace {
    RigidSpace() = default;
    RigidSpace(const RigidSpace&) = delete;
    RigidSpace& operator=(const RigidSpace&) = delete;

    FlowNetwork start;  ///< as given, but with velocities that the joints allow
    FlowSettings settings;
    double h = 0;
    double fineness = 1;     ///< tolerance of an attempt, in that of the first
    double leastSteps = 0;   ///< as RigidSystem::leastSteps, of all attempts
    double mostBrought = 0;  ///< flow::mostBrought of what is given
    RigidSystem system{start, settings};
    RigidLedger ledger, coarser;
    Eigen::VectorXd y, values, hairlines;
    std::vector<int> closing;
    Dop853 dop853;
    Rodas4 rodas4;
    IntegrationSpace integration;
    HoldSpace hold;
    DampingSpace damping;
    FreeMotion free;
};

/// General case: bodies translate and turn, and directions with them. Explicit steps, events located; RODAS4 where
/// damping is strong.
/// @param result as new; overBudget if the budget ends before the tick or no solution keeps joints and energy: it is
///        no result then
/// @return least FlowSettings::maxSteps that gives the same tick
int solveRigid(const FlowNetwork& network, double h, const FlowSettings& settings, RigidSpace& space,
               TickResult& result);

}  // namespace elasto::flow
