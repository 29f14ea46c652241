#pragma once
// Rotors of drives among the flow's bodies, for networks with contacts.
//
// There a rotor is a body of its own that moves along one fixed axis of the world, on the joint's side of the gear: as
// fast as it spins, (a . omega + w) / ratio, a the joint's axis and omega that of the parent link, its carrier, with
// the inertia that it has there, inertia ratio^2. The drive's element counts with its coordinate besides the joint's
// (GearedCoordinate), less what the carrier turns (GearedCoordinate::carried): so the element pushes on link, parent
// and rotor, and what it gives the rotor the carrier bears. The motor pushes on the rotor and on the carrier, and the
// carrier feels the gyroscopic moment of what spins in it (FlowBody::spinMomentum). Together that is TreeRotor.
//
// What rubs on a rotor counts with the rotor's own coordinate, and with the carrier's turn as its second one. In every
// network, trees too, its coordinate is |phi / ratio|: on the joint's side, as all other ones are.

#include <elasto/multibody_element.h>
#include <elasto/precision.h>

#include "multibody/multibody_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Adds the rotor of a drive as a body.
/// @param torque of the motor over the tick of h [s], on its own side [N.m]
void addRotor(MovedMultiBody& moved, const MultiBodyElement& element, std::vector<LoadPiece> torque, double h,
              FlowNetwork& network);

/// The drive's element between its rotor and its joint. After addRotor.
void placeOnRotor(const MovedMultiBody& moved, const MultiBodyElement& element, FlowElement& flow);

/// What rubs on a drive's rotor. After addRotor.
void placeOnRotor(const MovedMultiBody& moved, const RotorCoordinate& on, FlowElement& flow);

/// Angle of a rotor per coordinate that networks have for an element on it; 1 of other elements. Torques are networks'
/// forces over it.
double flowScale(const MultiBodyElement& element);
/// An element's law in its network's coordinate.
Law flowLaw(const MultiBodyElement& element);

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
