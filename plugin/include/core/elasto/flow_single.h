#pragma once
/// @file flow_single.h
/// The tick of one body with one element to the world: what solveTick does with a network of these two, without a
/// network's storage, for engines that have thousands of them.

#include <elasto/export.h>
#include <elasto/flow.h>

#include <vector>

namespace elasto {

/// An element between a body and the world. Refers to its law, points and frames, which must outlive it.
struct SingleElement {
    const Law& law;                           ///< what force the element has
    Geometry geometry = Geometry::AlongAxis;  ///< AlongAxis, AlongLine or AboutAxis
    bool isBodyA = false;                     ///< the body is at flange a, the world at flange b; false: the other way
    const Eigen::Vector3d& pointA;            ///< attachment in a's frame (world coordinates where a is the world) [m]
    const Eigen::Vector3d& pointB;            ///< attachment in b's frame [m]
    const Eigen::Vector3d& axis;              ///< unit vector in a's frame (AlongAxis, AboutAxis)
    const Eigen::Quaterniond& frameA;         ///< AboutAxis: orientation of frame a in a's frame
    const Eigen::Quaterniond& frameB;         ///< AboutAxis: orientation of frame b in b's frame
    double s_small = 1e-10;                   ///< AlongLine: guard against a zero distance [m], > 0
    double s_damper = 0;                      ///< inner state at the tick's start [m, rad]
    double phi = 0;                           ///< AboutAxis: last known angle [rad]
};

/// One tick of both; as in TickResult.
struct SingleTick {
    BodyTick body;                           ///< at the tick's end
    ElementTick element;                     ///< at the tick's end, and over the tick
    FlowMethod method = FlowMethod::Free;    ///< Free or ClosedForm
    int steps = 0;                           ///< its cost, too
    double energyHandedOut = 0;              ///< as TickResult::energyHandedOut [J]
    double storedBefore = 0;                 ///< energy in the spring at the tick's start [J]
    Eigen::Vector3d endAcceleration;         ///< of the body at the tick's end [m/s^2]
    Eigen::Vector3d endAngularAcceleration;  ///< without the gyroscopic term [rad/s^2]
};

/// Moves a body over a tick of h [s] > 0 where its motion is known in closed form: the element is piecewise linear or
/// in series, the loads are constant, and no direction turns within the tick. The result has the bits of solveTick's.
/// @param events the contacts that began and ended, in the order of time; what was in it before is lost
/// @return false where solveTick is to be asked, which says too what is wrong with values that are not finite; tick and
///         events are then of no use
ELASTO_API bool solveSingle(const FlowBody& body, const SingleElement& element, double h, SingleTick& tick,
                            std::vector<ContactEvent>& events);

}  // namespace elasto
