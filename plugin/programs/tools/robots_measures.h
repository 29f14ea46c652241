#pragma once
/// @file robots_measures.h
/// Robots in Bullet, and what is measured of them.

#include <functional>
#include <optional>
#include <vector>

#include "coupled_checks.h"
#include "robots_models.h"
#include "verify_case.h"

namespace elasto::tools {

/// What a run found. Empty if `proceed` said no.
struct RobotValue {
    CoupledValue reached;
    TickStatistics totals;
};
using RobotOutcome = std::optional<RobotValue>;

class RobotBed;

/// NRMSE of the model's worst coordinate in a world that it was built into [%].
/// @param coordinates as they are now, in the order of coordinateNames()
/// @param untilDivergence compare up to the model's horizon() only
RobotOutcome measureCoordinates(const RobotModel& model, bool untilDivergence, RobotBed& world,
                                const std::function<std::vector<double>()>& coordinates, double rate,
                                const Continue& proceed);

/// NRMSE of the worst angle of a joint or rotor [%].
/// @param untilDivergence compare up to the model's horizon() only
RobotOutcome measureAngles(const RobotModel& model, bool untilDivergence, double rate, const Continue& proceed);

/// Largest change of momentum, or of angular momentum about the centre of mass, of its size at the start.
RobotOutcome measureMomentum(const RobotModel& model, double rate, const Continue& proceed);

/// Largest rise of kinetic, potential and stored energy above the start, of the kinetic energy that the fall can make
/// at most.
RobotOutcome measureEnergy(const RobotModel& model, double rate, const Continue& proceed);

/// What holds up a link that is pressed.
enum class Support { Floor, Limit, Motor };
/// A link of 1 kg on a support; a second one is pressed on it with 100 N through a gap: error of the gap's mean force
/// in the second half of 2 s [%].
RobotOutcome measurePress(Support support, double c, double d, double rate, const Continue& proceed);

/// A link that lies on the floor and is free to slide, and a rigid body on the same floor, held by an element; there is
/// no friction: NRMSE of the worst of both positions [%].
RobotOutcome measureHeldBody(double c, double d, double rate, const Continue& proceed);

}  // namespace elasto::tools
