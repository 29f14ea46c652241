#pragma once
// Rotors of drives among the flow's bodies, for networks with contacts.
//
// There a rotor is a body of its own that moves along one fixed axis of the world, on the joint's side of the gear: by
// phi / ratio, with the inertia that the rotor has there, inertia ratio^2. The drive's element counts with its
// coordinate besides the joint's (GearedCoordinate): what pushes on the joint, on link and parent, pushes on the rotor
// the other way round, and nothing else holds it. So the rotor is the scalar inertia that it is in joint coordinates:
// neither its weight nor its turning with the parent is felt.

#include <elasto/multibody_element.h>
#include <elasto/precision.h>

#include "multibody/multibody_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds the rotor of a drive as a body.
/// @param torque of the motor over the tick, on its own side [N.m]
void addRotor(MovedMultiBody& moved, const MultiBodyElement& element, const QuadraticTorque& torque,
              FlowNetwork& network);

/// The drive's element between its rotor and its joint. After addRotor.
void placeOnRotor(const MovedMultiBody& moved, const MultiBodyElement& element, FlowElement& flow);

/// The motor's side at the end of a tick: angle and speed.
struct RotorEnd {
    double phi = 0;
    double w = 0;
};
/// @param end of the drive's element
RotorEnd readRotor(const MovedMultiBody& moved, const MultiBodyElement& element, const ElementTick& end,
                   const TickResult& result);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
