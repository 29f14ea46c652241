#pragma once
// Rotors of drives among the flow's bodies, for networks with contacts.
//
// There a rotor is a disc on the parent link, about the joint's axis, that turns by phi / ratio and has the inertia
// that the rotor has on that side of the gear, inertia ratio^2. Forces between rotor, link and parent are those of the
// drive, at rest exactly so. But such a disc also turns with its parent, as a direct drive's rotor would: where the
// parent link turns faster and faster about the joint's axis the disc holds it back, and a rotor behind a gear does
// not. Only the reduced coordinates of networks without contacts know the difference. A parent that is fixed makes
// none.

#include <elasto/multibody_element.h>
#include <elasto/precision.h>

#include "multibody_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds the rotor of a drive on a revolute joint as a body, and what holds it to the parent.
/// @param torque of the motor over the tick, on its own side [N.m]
void addRotor(MovedMultiBody& moved, const MultiBodyElement& element, const QuadraticTorque& torque,
              FlowNetwork& network);

/// The drive's element between its rotor and its link. After addRotor.
void placeOnRotor(const MovedMultiBody& moved, const MultiBodyElement& element, FlowElement& flow);

/// The motor's side at the end of a tick of h [s]: angle and speed.
struct RotorEnd {
    double phi = 0;
    double w = 0;
};
RotorEnd readRotor(const MovedMultiBody& moved, const MultiBodyElement& element, const TickResult& result, double h);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
