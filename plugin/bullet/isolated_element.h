#pragma once
// Elements that are alone: one body, one element to the world, nothing else in the island. Their ticks need no network.

#include <elasto/flow_isolated.h>
#include <elasto/plugin.h>

#include "gather.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;

/// The last tick of such an element: where it began, and, until the world's tick is over, where it ends.
struct IsolatedRecord {
    bool isValid = false;  ///< the element's last tick was such a one
    int tick = 0;          ///< ticks that the world had done before it
    double h = 0;          ///< [s]
    BodyState start;
    double inverseMass = 0;  ///< as in FlowBody
    Eigen::Vector3d inverseInertia, linearFactor, angularFactor, force, torque;
    bool gyroscopic = true;
    double s_damper = 0;  ///< at the start, as in FlowElement
    double phi = 0;

    BodyState end;
    double s = 0;  ///< of the element at the end, as in ElementTick
    double s_damperEnd = 0;
    double impulse = 0;
    double heat = 0;
    double storedEnergy = 0;
    FlowMethod method = FlowMethod::Free;
    int steps = 0;
    bool isAtRest = false;
};

/// The body that the element acts on if the other end is the world and nothing about the element asks for more than
/// its motion (feedback, heat, debts of uncoupled ticks); else null.
btRigidBody* isolatedBody(ForceElement& element);

/// Energies of such ticks [J].
struct IsolatedSums {
    double gain = 0;  ///< of kinetic and stored energy
    double heat = 0;
    double handedOut = 0;
    double mostHandedOut = 0;  ///< by one element
    EnergyBetweenTicks between;
};

/// Solves the tick into the element's record. The body and all else that lasts stay as they are.
/// @param sums the tick's energies are added to these
/// @param events storage; filled with the tick's contacts
/// @return false where the motion is not known in closed form, or something is not finite
bool solveIsolated(ForceElement& element, const btRigidBody& body, const TickTime& time,
                   const RestThresholds& thresholds, IsolatedSums& sums, std::vector<ContactEvent>& events);

/// After Bullet has moved the body with its end velocity: the end pose, to the last bit.
void handOverPose(const IsolatedRecord& record, btRigidBody& body);
/// What finishElement does (element_tick.h).
void finishIsolated(ForceElement& element, btRigidBody& body);

/// The tick as that of a network, for those who look inside it. @param element with the law of that tick
SolvedNetwork networkOf(const IsolatedRecord& record, const ForceElement& element);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
