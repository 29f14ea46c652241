#pragma once
// Elements that are alone: one body, one element to the world, nothing else in the island. Their ticks need no network.

#include <elasto/detail/straight_element.h>
#include <elasto/plugin.h>

#include <array>

#include "network/gather.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;

/// Where such an element and its body are, and the last tick that was such a one.
struct SingleRecord {
    bool isValid = false;     ///< the element's last tick was such a one
    bool isReady = false;     ///< `straight` fits, as long as the body's mass and load are those below
    bool holdsBody = false;   ///< what the element remembers of its body is end(), and not its SavedBody
    bool isStraight = false;  ///< the tick was solved by `straight`
    bool isMoved = false;     ///< and the body is where it ends
    bool gyroscopic = true;   ///< as in FlowBody
    bool isAtRest = false;
    signed char last = 0;  ///< place of end()
    FlowMethod method = FlowMethod::Free;
    int steps = 0;
    std::int64_t tick = 0;  ///< ticks that the world had done before it
    double h = 0;           ///< [s]
    BodyState states[2];

    double s_damper = 0;  ///< at the start, as in FlowElement
    double phi = 0;
    // Of the element at the end, as in ElementTick.
    double s = 0;
    double s_damperEnd = 0;
    double impulse = 0;
    double heat = 0;
    double storedEnergy = 0;

    double inverseMass = 0;  ///< as in FlowBody
    // Bullet's own values of the body.
    using Numbers = std::array<btScalar, 3>;
    Numbers inverseInertia{}, linearFactor{}, totalForce{}, angularFactor{}, totalTorque{};
    StraightElement straight;

    const BodyState& start() const { return states[1 - last]; }
    const BodyState& end() const { return states[last]; }
    // While a tick is under way, which may come to nothing.
    const BodyState& nextStart() const { return states[last]; }
    const BodyState& nextEnd() const { return states[1 - last]; }
    BodyState& nextStart() { return states[last]; }
    BodyState& nextEnd() { return states[1 - last]; }
};

/// The body that the element acts on if the other end is the world and nothing about the element asks for more than
/// its motion (feedback, heat, debts of uncoupled ticks); else null.
btRigidBody* singleBody(ForceElement& element);

/// Energies of such ticks [J].
struct SingleSums {
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
bool solveSingle(ForceElement& element, const btRigidBody& body, const TickTime& time, const RestThresholds& thresholds,
                 SingleSums& sums, std::vector<ContactEvent>& events);

/// The end velocity, as soon as it is known.
void writeVelocity(const SingleRecord& record, btRigidBody& body);
/// All of a straight tick at once, while the body is at hand: for worlds in which nobody looks at it meanwhile.
/// @param hasLatency see network/write_bodies.h
void moveAtOnce(SingleRecord& record, btRigidBody& body, bool hasLatency);
/// Bullet will move the body, and all of its pose has to be handed over again.
void leaveToBullet(SingleRecord& record, btRigidBody& body);
/// The tick came to nothing.
void takeBack(SingleRecord& record, btRigidBody& body, btScalar bulletH);
/// When Bullet has moved its bodies: the end pose, to the last bit.
void writePose(const SingleRecord& record, btRigidBody& body);
/// What finishElement does (network/element_tick.h), the pose and what Bullet draws (network/write_bodies.h).
void finishSingle(ForceElement& element, SingleRecord& record, btRigidBody& body, std::int64_t tick, bool hasLatency);

/// The tick as that of a network, for those who look inside it. @param element with the law of that tick
SolvedNetwork networkOf(const SingleRecord& record, const ForceElement& element);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
