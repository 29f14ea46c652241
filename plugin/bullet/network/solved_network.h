#pragma once
// A network over one tick: what was handed to the flow and what came back.

#include <elasto/element_state.h>
#include <elasto/flow.h>
#include <elasto/flow_tree.h>
#include <elasto/force_element.h>
#include <elasto/multibody_element.h>
#include <elasto/precision.h>

#include <LinearMath/btTransform.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contacts/contact_points.h"
#include "multibody/multibody_constraints.h"
#include "multibody/multibody_translation.h"
#include "network/attached_load.h"

class btRigidBody;
class btTypedConstraint;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// One of the network's bodies. Its state and index are those of FlowNetwork::bodies.
struct NetworkBody {
    btRigidBody* body = nullptr;
    bool isMovable = false;  ///< false: static, kinematic, taken out of the simulation by the user, or a link
    bool isTied = false;     ///< has no element, only joints or contacts
    bool isLink = false;     ///< of SolvedNetwork::multi; body is null
    btTransform start = btTransform::getIdentity();  ///< Bullet's pose at the tick's start
    BodyState pathEnd;                               ///< immovable bodies: where they are at the tick's end
    btScalar ccdMotionThreshold = 0;                 ///< the user's, while ours is in place
    SavedBody* cache = nullptr;                      ///< what it starts from; valid while the network is gathered
};

/// Loads that turn with one of the network's bodies; they are known only as far as its motion over the tick is.
struct TurningLoad {
    std::size_t body = 0;  ///< in FlowNetwork::bodies
    QuadraticLoad force;   ///< all else that FlowBody::force holds
    QuadraticLoad torque;
    std::vector<LoadPiece> fixed;  ///< as LoadTable's
    std::vector<AttachedLoad> attached;
};

/// A joint whose impulse the user asks for: by feedback, or by a threshold at which it breaks.
struct WatchedJoint {
    btTypedConstraint* joint = nullptr;
    bool startAtB = false;  ///< as JointRows::startAtB
    int firstBounded = 0;   ///< of its motors and limits in FlowNetwork::bounded
    int boundedCount = 0;
    std::size_t firstSpring = 0;  ///< in FlowNetwork::elements
    std::size_t springCount = 0;
    Eigen::Matrix<double, 12, Eigen::Dynamic> rows;  ///< gradients of Bullet's rows, as columns: linear and angular on
                                                     ///< A, then on B
};

/// Energy that went into (or out of) the bodies and elements between two ticks [J].
struct EnergyBetweenTicks {
    double pushed = 0;   ///< by the user
    double damping = 0;  ///< taken by Bullet's damping
    double tied = 0;     ///< of bodies that joints have tied to the network since

    EnergyBetweenTicks& operator+=(const EnergyBetweenTicks& other) {
        pushed += other.pushed;
        damping += other.damping;
        tied += other.tied;
        return *this;
    }
};

/// What a network has of multibodies.
struct MultiBodyPart {
    std::vector<MultiBodyElement*> elements;          ///< in FlowNetwork::elements behind SolvedNetwork::elements
    std::vector<MultiBodyElement::Placing> placings;  ///< of `elements`, where the network is no tree
    std::vector<MovedMultiBody> bodies;
    std::vector<JointBound> bounds;  ///< their limits and motors, the first of TickResult::bounded; valid during the
                                     ///< tick only
    bool isTree = false;             ///< solved in the multibodies' joint coordinates; the network has no bodies then
    TreeNetwork trees;               ///< at the tick's start; in the order of `bodies`
    TreeTickResult result;           ///< at its end
};

struct SolvedNetwork {
    FlowNetwork network;                  ///< at the tick's start
    TickResult result;                    ///< at its end
    FlowSettings settings;                ///< it was solved with
    std::int64_t tick = 0;                ///< ticks that the world had done before it
    double h = 0;                         ///< the tick's length [s]
    bool isUncoupled = false;             ///< Bullet moves the bodies: their joints and contacts are not all solved
    bool isIdle = false;                  ///< uncoupled because no element can act, so that the tick is Bullet's own
    bool completesContacts = false;       ///< Bullet is to know all points before the network is its own
    bool isShort = false;                 ///< the world's budget left less than its own
    EnergyBetweenTicks between;           ///< since the tick before
    bool isCutBack = false;               ///< bodies were stopped by continuous collision detection
    double cutEnergy = 0;                 ///< that bodies and springs gained by it [J]
    double startEnergy = 0;               ///< kinetic and stored at the tick's start [J]
    double jointSprings = 0;              ///< of it: in springs of joints
    std::vector<ForceElement*> elements;  ///< in the order of network.elements, where those on multibodies and then
                                          ///< springs of joints follow; valid during the tick only
    std::vector<NetworkBody> bodies;      ///< in the order of network.bodies; valid during the tick only
    std::vector<TurningLoad> turningLoads;
    std::vector<int> bodyPlaces;         ///< storage of BodyIndex
    std::vector<ContactPoint> contacts;  ///< in the order of network.contacts; valid during the tick only
    std::vector<btPersistentManifold*>
        unwatched;                      ///< of pairs of its bodies without points; valid during the tick only
    std::vector<WatchedJoint> watched;  ///< in the order of result.reactions; valid during the tick only
    MultiBodyPart multi;

    std::size_t elementCount() const { return elements.size() + multi.elements.size(); }
    /// Largest speed at the end, of bodies and of elements' coordinates [m/s, rad/s].
    double fastest() const {
        double speed = 0;
        for (const BodyTick& body : result.bodies) {
            speed = std::max({speed, body.velocity.norm(), body.angularVelocity.norm()});
        }
        for (const ElementTick& end : result.elements) speed = std::max(speed, std::abs(end.v));
        return speed;
    }
    /// How good the tick was for it, what Bullet had of it counted in.
    TickGrade grade() const {
        if (isIdle) return {};
        TickGrade grade = result.grade;
        if (isUncoupled) grade += TickGrade::of(GradeCause::Uncoupled);
        if (isCutBack) grade += TickGrade::of(GradeCause::CutBack);
        return grade;
    }
    /// @param index in network.elements, less than elementCount()
    ElementCommon& element(std::size_t index) const {
        return index < elements.size() ? static_cast<ElementCommon&>(*elements[index])
                                       : *multi.elements[index - elements.size()];
    }
};

Readout readoutOf(const FlowElement& element, const Measure& measure);
Readout readoutOf(const Law& law, double s, double v, double s_damper);

/// Bodies, elements and contacts at the tick's end, in storage that is used again. `end` gets no joints.
void setEnd(const SolvedNetwork& solved, FlowNetwork& end);
/// The network at a time inside its tick; after h it stands. @param t [s] >= 0
FlowNetwork stateInside(const SolvedNetwork& solved, double t);
/// An element of a network, in the network's present state.
Readout readoutIn(const FlowNetwork& network, std::size_t element);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
