#pragma once
/// @file flow.h
/// The tick as mathematics: motion of free rigid bodies under force elements over one tick of any length.
///
/// No physics engine in here: usable from any engine that hands over the bodies' state at the start of a tick and
/// takes it back at the end. Needs only the C++ library and Eigen.
///
/// @code
/// elasto::FlowNetwork network;
/// network.bodies.push_back(elasto::FlowBody::sphere(0.2, 0.05));     // 0.2 kg, radius 5 cm
/// network.bodies[0].position = {0, 0.3, 0};
/// network.bodies[0].force.constant = {0, -0.2 * 9.80665, 0};
/// elasto::FlowElement stop{elasto::ElastoGapLaw({.c = 1e6, .d = 5})};
/// stop.b = 0;                                                        // a is the world
/// stop.axis = {0, 1, 0};
/// network.elements.push_back(stop);
/// const elasto::TickResult tick = elasto::solveTick(network, 1.0 / 60);
/// network.adopt(tick);                                               // ready for the next tick
/// @endcode

#include <elasto/accuracy.h>
#include <elasto/eigen.h>
#include <elasto/export.h>
#include <elasto/flow_contact.h>
#include <elasto/flow_load.h>
#include <elasto/flow_rows.h>
#include <elasto/grade.h>
#include <elasto/law.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace elasto {

/// Position, orientation and twist of a body. World frame; the position is the centre of mass's.
struct BodyState {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();               ///< [m]
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< body (principal) frame -> world
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               ///< [m/s]
    Eigen::Vector3d angularVelocity = Eigen::Vector3d::Zero();        ///< [rad/s], world frame

    bool operator==(const BodyState&) const = default;  ///< equal where all fields are
};

/// Gap of a contact where its bodies have these poses [m]: negative where they penetrate. Velocities are not read.
/// @param a,b those of place.a and place.b; the world has the default
ELASTO_API double contactGap(const ContactPlace& place, const BodyState& a, const BodyState& b);

/// By how much two faces overlap along that of their edges' normals along which they do so least [m]: negative where
/// they are apart. Infinite for a contact of other things.
ELASTO_API double faceOverlap(const ContactPlace& place, const BodyState& a, const BodyState& b);

/// Gives a contact of what is round with a box the plane or the rounding of that face, edge or corner of the box that
/// is nearest to the vertex. Others, and a vertex inside the box, stay as they are.
ELASTO_API void faceVertex(ContactPlace& place, const BodyState& a, const BodyState& b);

/// A frame whose z axis points along a direction, by the shortest turn from where z is.
/// @param direction of any length > 0
ELASTO_API Eigen::Quaterniond frameAlong(const Eigen::Vector3d& direction);

/// A rigid body. With inverseMass 0 and inverseInertia 0 it moves with its given velocities whatever acts on it
/// (a kinematic body).
struct ELASTO_API FlowBody : BodyState {
    double inverseMass = 0;                                    ///< [1/kg], >= 0
    Eigen::Vector3d inverseInertia = Eigen::Vector3d::Zero();  ///< principal, body frame [1/(kg.m^2)], each >= 0
    Eigen::Vector3d linearFactor = Eigen::Vector3d::Ones();    ///< per world axis, >= 0: acceleration = factor f / m
    Eigen::Vector3d angularFactor = Eigen::Vector3d::Ones();   ///< per world axis, >= 0: inverse inertia
                                                               ///< sqrt(F) I^-1 sqrt(F), which keeps it symmetric
    bool gyroscopic = true;  ///< integrate w x I w; false leaves it out, as engines without that term do
    /// Of rotors that spin in it: moment of momentum about their axes, which turn with the body, in the body's frame
    /// [N.m.s], the same over the tick. The body feels the gyroscopic moment -w x spinMomentum. Rotors themselves are
    /// bodies of their own (GearedCoordinate::carried), or of no other interest.
    Eigen::Vector3d spinMomentum = Eigen::Vector3d::Zero();
    QuadraticLoad force;   ///< everything else that pulls at the centre of mass, gravity included [N], world frame
    QuadraticLoad torque;  ///< everything else about the centre of mass [N.m], world frame

    /// A solid sphere of mass m [kg] and radius r [m] at the origin, at rest.
    static FlowBody sphere(double m, double r);
    /// A body of mass m [kg] and principal moments of inertia I [kg.m^2] at the origin, at rest.
    static FlowBody rigid(double m, const Eigen::Vector3d& inertia);
    /// True for a body that nothing can accelerate.
    bool isImmovable() const { return inverseMass == 0 && inverseInertia.isZero(0); }

    bool operator==(const FlowBody&) const = default;  ///< equal where all fields are, loads included
};

/// A network whose contacts were too much for the exact method takes implicit ticks for a while.
struct ImplicitPause {
    double length = 0;  ///< of the exact method's last pause [s]; 0: it has not failed since it last came through
    double left = 0;    ///< of it [s]; ticks are implicit while it is > 0

    bool operator==(const ImplicitPause&) const = default;  ///< equal where both times are
};

/// A force element between two bodies, or a body and the world.
struct FlowElement {
    Law law;                                  ///< what force the element has
    Geometry geometry = Geometry::AlongAxis;  ///< what s and v of the law are
    int a = kWorld;                           ///< body of flange (frame) a, or kWorld
    int b = kWorld;                           ///< body of flange (frame) b, or kWorld
    /// Attachment in body a's frame (world coordinates for kWorld) [m].
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< attachment in body b's frame [m]
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   ///< unit vector in body a's frame (AlongAxis, AboutAxis)
    /// Rotations: orientation of frame a in body a's frame (world for kWorld).
    Eigen::Quaterniond frameA = Eigen::Quaterniond::Identity();
    /// Rotations: orientation of frame b in body b's frame; angles are 0 where both frames coincide.
    Eigen::Quaterniond frameB = Eigen::Quaterniond::Identity();
    EulerTurns turns = {};                            ///< EulerAngle
    Eigen::Vector2d spans = Eigen::Vector2d::Ones();  ///< SwingClearance: as BoundedRow::spans
    double s_small = 1e-10;            ///< AlongLine: guard against a zero distance, as in Modelica [m], > 0
    QuadraticShare f_normalized = {};  ///< friction: share of its force, over the tick
    GearedCoordinate geared = {};      ///< AlongAxis, AboutAxis: what the coordinate counts with besides its own

    // State carried from tick to tick.
    double s_damper = 0;  ///< inner state: SpringDamperSeries the damper's length, Bushing what has slipped [m, rad],
                          ///< friction how it sticks [-]
    double phi = 0;       ///< angles: last known own one [rad]; it is measured as the one nearest to this
    ImplicitPause pause = {};  ///< of its network, which takes the longest of its elements'

    bool isGeared() const { return geared.ratio != 0; }  ///< it has a second coordinate

    bool operator==(const FlowElement&) const = default;  ///< equal where all fields are
};

/// Bodies, elements, joints and contacts that are solved together. Ones that are not connected are legal.
struct ELASTO_API FlowNetwork {
    std::vector<FlowBody> bodies;       ///< elements, joints and contacts name them by their place here
    std::vector<FlowElement> elements;  ///< what acts between them
    std::vector<HeldRow> joints;        ///< the rows that joints hold
    std::vector<BoundedRow> bounded;    ///< their motors and limits
    std::vector<FlowContact> contacts;  ///< where they touch or may touch
    std::vector<LoadChange> changes;    ///< of loads inside the tick, in the order of time

    /// Takes over the end of a tick as the start of the next one (loads stay as they are).
    void adopt(const struct TickResult& tick);
    /// Force and torque on a body at a time inside the tick, or at its end [s].
    LoadValue load(std::size_t body, double t) const;
    /// Their integral over a tick of h [s].
    LoadValue loadImpulse(std::size_t body, double h) const;

    bool operator==(const FlowNetwork&) const = default;  ///< equal where all lists are
};

/// The integrator that solved a tick; the last one, where several did.
enum class FlowMethod {
    Free,        ///< no element could act: bodies' own motion, exact
    ClosedForm,  ///< one element on a fixed direction, n = 1 or in series, load constant: exact, events exact
    Taylor,      ///< n = 1, fixed directions: Taylor series of order 14, polynomial events
    Dop853,      ///< explicit steps of order 8, events located: n != 1, directions that turn within the tick, joints,
                 ///< multibodies
    Rodas4,      ///< L-stable steps, events located: strong damping, or too fast an oscillation for explicit steps
    Ros34Pw2,    ///< L-stable steps of multibodies, for the same reasons
    Contacts,    ///< contacts and their friction, with the elements' own solution between the changes of what touches
    Implicit,    ///< sub-steps of a convex minimisation (leapfrog), where another method's budget ended, now or lately,
                 ///< and where the settings ask for it: keeps the rebound, of order 2
    BackwardEuler,  ///< multibodies whose budget ended, for the rest of the tick: never adds energy, loses the rebound
};
/// Number of FlowMethod's enumerators.
inline constexpr int kFlowMethods = 9;
/// Name of a method as printed in tables, e.g. "closed form".
ELASTO_API const char* methodName(FlowMethod method);

/// Where contact of an element begins or ends inside the tick.
struct ContactEvent {
    int element = 0;    ///< index in FlowNetwork::elements
    bool begin = true;  ///< false: contact ends
    double time = 0;    ///< [s] from the tick's start
    double speed = 0;   ///< |v_rel| at that time [m/s, rad/s]: approach speed where contact begins
};

/// An element over one tick.
struct ElementTick {
    double s = 0;             ///< s_rel, s or phi_rel at the tick's end [m, rad]
    double v = 0;             ///< its rate at the tick's end [m/s, rad/s]
    double s_damper = 0;      ///< inner state at the end [m, rad]
    ForceTerms force;         ///< at the tick's end
    double impulse = 0;       ///< integral of f over the tick [N.s, N.m.s]; mean force = impulse / h
    double heat = 0;          ///< energy dissipated in the tick [J], >= 0 up to rounding
    double storedEnergy = 0;  ///< in the spring at the tick's end [J]
    double geared = 0;        ///< the second coordinate of a geared element at the tick's end [m, rad]
    ImplicitPause pause;      ///< as FlowElement::pause, for the next tick
};

/// A body over one tick.
struct BodyTick : BodyState {
    /// Change of velocity caused by elements and joints [m/s], world: end value minus that of the free motion.
    Eigen::Vector3d elementVelocity = Eigen::Vector3d::Zero();
    /// Change of angular velocity caused by them [rad/s], world.
    Eigen::Vector3d elementAngularVelocity = Eigen::Vector3d::Zero();
};

/// A motor or limit over one tick.
struct BoundedTick {
    double coordinate = 0;  ///< at the tick's end [m, rad]
    double rate = 0;        ///< of it [m/s, rad/s]
    double impulse = 0;     ///< along the coordinate, on body b [N.s, N.m.s]
    double work = 0;        ///< of it on the bodies [J]
    double force = 0;       ///< at the tick's end, or its mean where contacts are solved [N, N.m]
    bool isHeld = false;    ///< at its rate or limit, at the tick's end
    double geared = 0;      ///< the second coordinate of a geared row at the tick's end [m, rad]
};

/// Impulse of a joint over one tick, world frame.
struct ELASTO_API Reaction {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();    ///< on body b; its negative acts on body a [N.s]
    Eigen::Vector3d angularA = Eigen::Vector3d::Zero();  ///< on body a about its centre of mass [N.m.s]
    Eigen::Vector3d angularB = Eigen::Vector3d::Zero();  ///< on body b about its centre of mass [N.m.s]

    /// Adds impulses of the same joint, of one more row or tick.
    Reaction& operator+=(const Reaction& other);
};

/// What the solution of a tick got wrong, known from the tick itself and before any of it was put right.
struct ELASTO_API TickBalance {
    double energy =
        0;  ///< [J] > 0: it came from nowhere; < 0: it is lost. With contacts 0 instead: not told from theirs
    double inPlay = 0;    ///< what there is of energy, and what loads may bring, in the tick [J]
    double momentum = 0;  ///< of a network that nothing holds: speed that was missing, as a share of the bodies' [-]
    double joints = 0;    ///< largest way by which joints opened [m, rad]

    /// Adds another part of the network, or of the tick.
    TickBalance& operator+=(const TickBalance& other);
};

/// The result of a tick.
struct TickResult {
    std::vector<BodyTick> bodies;          ///< same order as in the network
    std::vector<ElementTick> elements;     ///< same order as in the network
    std::vector<BoundedTick> bounded;      ///< same order as in the network
    std::vector<Reaction> reactions;       ///< those that rows ask for, by HeldRow::reaction and BoundedRow::reaction
    std::vector<ContactTick> contacts;     ///< same order as in the network
    std::vector<ContactEvent> events;      ///< in the order of time (then of element)
    FlowMethod method = FlowMethod::Free;  ///< the one that decided the tick (Implicit if the budget ended)
    int steps = 0;                         ///< integration steps spent (a closed form counts its events)
    bool overBudget = false;               ///< the budget did not suffice for the exact method, or for all sub-steps
    /// What the tick took, counted and not timed: about the steps of one element that moves straight (Taylor) that take
    /// as long, some 0.3 us each. A step of bodies that turn counts 6 for each body, element and row of a joint (one of
    /// RODAS4 three times as much, or more); with contacts, and in the implicit step, all that takes time is counted by
    /// what it costs, the finding of the points too.
    double cost = 0;
    /// Bound on the cost, known before the tick is solved: from bodies, rows, contacts and the budget.
    double mostCost = 0;
    /// Any FlowSettings::maxCost from here to the one it was solved with gives the same tick, bit for bit.
    double leastCost = 0;
    /// Energy that the elements handed out: gain of the bodies and springs minus the work of all other loads [J].
    /// Before repairs, which take it back where it is > 0; after them its negative is the heat.
    double energyHandedOut = 0;
    /// Mechanical energy, that of constant loads included, which closing joints brought in that were found apart or
    /// moving apart, and moving bodies apart that were found inside each other [J]
    double jointEnergy = 0;
    double driveWork = 0;    ///< work of motors [J]; of prescribed rates too
    double limitLoss = 0;    ///< energy that impacts at limits took [J], >= 0
    double contactLoss = 0;  ///< energy that friction, impacts and the catching of bodies took [J]
    int substeps = 0;        ///< of the implicit step
    TickBalance balance;     ///< what the solution got wrong
    /// The tick, or the end of it, was solved to the first order (backward Euler), for the implicit step could not be
    /// trusted with any length of its sub-steps: rebounds lose energy.
    bool isFirstOrder = false;
    TickGrade grade;            ///< how good it is: Failed if nothing could be trusted, and its end is no solution
    int setChanges = 0;         ///< how often contacts closed, opened, began or ceased to slip
    double recovery = 0;        ///< largest way by which penetrating bodies were moved apart [m]
    double energyRepaired = 0;  ///< energy that was taken back by a damping impulse because it was > 0 [J]
};

/// Settings of the flow. The defaults hold for everything that Elasto measures.
struct FlowSettings {
    /// Budget of the exact methods per tick, in integration steps; never in time, so that it is deterministic. Networks
    /// whose steps are dearer get fewer: large ones that turn, and those with contacts, which with more than three
    /// bodies get no more than an implicit tick takes. Where it does not suffice the tick is implicit, and so are the
    /// next ones for a while (ImplicitPause).
    int maxSteps = 2000;
    /// > 0: relative to the largest speed of the network, per step (adaptive methods), under Accuracy::Exact; under
    /// another length as many times larger as that is.
    double tolerance = 1e-9;
    double velocityFloor = 1e-3;  ///< > 0 [m/s, rad/s]: speeds far below it need not be resolved relative to themselves
    double strongDamping = 30;    ///< >= 0: h d W above which RODAS4 takes over
    Accuracy accuracy = Accuracy::Exact;  ///< how exact it is to be, and how what has contacts is solved
    /// Between these the implicit step chooses its sub-steps per tick, by how far bodies turn; 1 <= fewest <= most.
    /// Fewer are cheaper; damped stops and the time of contact are less exact.
    int fewestSubsteps = 4;
    int mostSubsteps = 64;  ///< >= fewestSubsteps: see there
    double substep = 0;     ///< [s] > 0: length of all sub-steps but the last of a tick; 0: they are chosen
    /// Budget per tick in units of TickResult::cost, > 0, besides maxSteps: the first of the two that ends counts.
    /// Where it is small the exact method has less of it, then there are fewer sub-steps, whatever fewestSubsteps says.
    /// Each connected network takes an implicit tick of one sub-step at least.
    double maxCost = std::numeric_limits<double>::infinity();

    /// The tolerance of steps that the accuracy asks for.
    double stepTolerance() const { return tolerance * accuracy.looseness(); }

    bool operator==(const FlowSettings&) const = default;  ///< equal where all fields are
};

/// Moves the network over a tick of h [s] > 0.
///
/// Where loads change (FlowNetwork::changes) the tick is solved in pieces between the changes, each with the budget
/// that the ones before have left.
///
/// The network itself is not changed. To see the solution at a time t inside the tick, solve it with h = t: loads and
/// start are the same, so it is the same motion.
/// @throws InvalidParameter if h is not finite or <= 0, an index is out of range, both ends of an element are
///         immovable, an axis is not of unit length, or a state is not finite
ELASTO_API TickResult solveTick(const FlowNetwork& network, double h, const FlowSettings& settings = {});

/// Storage that ticks need besides the network, kept from one to the next. A tick's result does not depend on what the
/// workspace was used for before. Not for two threads at once.
class ELASTO_API FlowWorkspace {
public:
    FlowWorkspace();                                           ///< empty: the first tick fills it
    FlowWorkspace(FlowWorkspace&& other) noexcept;             ///< takes the storage; `other` is of no use then
    FlowWorkspace& operator=(FlowWorkspace&& other) noexcept;  ///< takes the storage; `other` is of no use then
    ~FlowWorkspace();

    /// What it keeps: known inside the library only.
    struct Storage;

private:
    friend void solveTick(const FlowNetwork&, double, const FlowSettings&, FlowWorkspace&, struct TickResult&);
    std::unique_ptr<Storage> m_storage;
};

/// The same, into a result that is used again: where a workspace sees the same network tick after tick, nothing is
/// allocated. Moved-from workspaces must not be used.
ELASTO_API void solveTick(const FlowNetwork& network, double h, const FlowSettings& settings, FlowWorkspace& workspace,
                          TickResult& result);

/// What an element's coordinate is in the present state of its network, and where and along what its force acts.
struct Measure {
    double s = 0;                                      ///< s_rel, s or phi_rel [m, rad], a second coordinate counted in
    double v = 0;                                      ///< its rate [m/s, rad/s]
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< world position of the attachment at a [m]
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();  ///< world position of the attachment at b [m]
    Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< unit vector along (about) which f acts on a; of
                                                           ///< EulerAngle and SwingClearance the gradient, as it is
    /// Of a geared element: its second coordinate [m, rad].
    double geared = 0;
    /// Unit vector along (about) which ratio x f acts on the second coordinate's body b.
    Eigen::Vector3d gearedDirection = Eigen::Vector3d::Zero();
};
/// Measures an element in the network's present state. @param element whose bodies are in the network
ELASTO_API Measure measure(const FlowNetwork& network, const FlowElement& element);

}  // namespace elasto
