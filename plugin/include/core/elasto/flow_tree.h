#pragma once
/// @file flow_tree.h
/// The tick of articulated trees (robot arms, legs, gear trains) in their joints' coordinates, under force elements
/// that act on these coordinates.
///
/// The same kind of plain data as flow.h, and as independent of any engine. A tree is a base, fixed or free, with links
/// that hang on it or on one another by one joint each. An element sees a coordinate s: a sum of joint and rotor
/// coordinates with coefficients. That covers
///
///     elastic joint, end stop    s = q
///     drive with a rotor         s = phi / ratio - q
///     gear pair                  s = q1 - ratio q2     (any two joints, of two trees, too)
///
/// @code
/// elasto::TreeNetwork network;
/// elasto::FlowTree& arm = network.trees.emplace_back();               // its base is fixed
/// elasto::TreeLink& bar = arm.links.emplace_back();
/// bar.axis = {0, 0, 1};
/// bar.centerOfMass = {0.5, 0, 0};
/// bar.mass = 1;
/// bar.inertia = Eigen::Vector3d(1e-3, 1. / 12, 1. / 12).asDiagonal();
/// bar.force.constant = {0, -9.80665, 0};                              // its weight
/// elasto::TreeElement stop{elasto::ElastoGapLaw({.c = 1e5, .d = 5, .s_rel0 = -0.8})};
/// stop.terms = {elasto::TreeTerm::joint(0, 0)};                       // ends the swing at q = -0.8
/// network.elements.push_back(stop);
/// const elasto::TreeTickResult tick = elasto::solveTreeTick(network, 1.0 / 60);
/// network.adopt(tick);                                                // ready for the next tick
/// @endcode

#include <elasto/export.h>
#include <elasto/flow.h>

namespace elasto {

/// A scalar that changes over a tick: value(t) = constant + linear t + quadratic t^2, t [s] from the tick's start.
struct ELASTO_API QuadraticTorque {
    double constant = 0;   ///< value at the start [N.m, N]
    double linear = 0;     ///< rate at the start [N.m/s, N/s]
    double quadratic = 0;  ///< half the second derivative [N.m/s^2, N/s^2]

    /// The parabola through the values at the tick's start, middle and end; h [s] > 0 is the tick.
    static QuadraticTorque through(double start, double middle, double end, double h);
    /// The first component of a piece, t counted from its start.
    static QuadraticTorque of(const LoadPiece& piece) {
        return {piece.constant[0], piece.linear[0], piece.quadratic[0]};
    }
    double value(double t) const { return constant + t * (linear + t * quadratic); }  ///< at t [s] from the start
    /// The same load, counted from a later time t [s].
    QuadraticTorque from(double t) const { return {value(t), linear + 2 * t * quadratic, quadratic}; }
    bool isConstant() const { return linear == 0 && quadratic == 0; }  ///< the same at all times
};

/// Parent of a link that hangs on the base.
inline constexpr int kTreeBase = -1;

/// How a link hangs on its parent.
enum class TreeJoint {
    Fixed,      ///< no coordinate
    Revolute,   ///< q [rad], any number of turns, about TreeLink::axis
    Prismatic,  ///< q [m] along TreeLink::axis
    Spherical,  ///< TreeLink::turn and spin
};

/// The joint coordinates of a link, and their rates.
struct TreeJointState {
    double q = 0;   ///< Revolute [rad], Prismatic [m]
    double qd = 0;  ///< its rate [rad/s, m/s]
    /// Spherical: the link's frame -> the same frame at rest (q = 0). Normalised within 1e-6.
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    Eigen::Vector3d spin = Eigen::Vector3d::Zero();  ///< Spherical: against the parent, in the link's frame [rad/s]
};

/// A rigid link. Its frame's origin is the joint's point; a prismatic joint carries it along.
///
/// Pose of the link's frame in its parent's frame: origin = pivot (+ orientation axis q where prismatic), rotation =
/// orientation * (turn by q about axis, or turn). The base's frame has its origin in the base's centre of mass.
struct TreeLink : TreeJointState {
    int parent = kTreeBase;  ///< index of the parent among the links, less than the own one, or kTreeBase
    TreeJoint joint = TreeJoint::Revolute;                            ///< how it hangs on its parent
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();                  ///< unit vector in the link's frame
    Eigen::Vector3d pivot = Eigen::Vector3d::Zero();                  ///< the joint's point in the parent's frame [m]
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< link -> parent at q = 0
    Eigen::Vector3d centerOfMass = Eigen::Vector3d::Zero();           ///< in the link's frame [m]
    /// [kg] >= 0. Links without mass and inertia are legal as long as each joint moves something that has some: a
    /// planar joint is two prismatic ones and a revolute one.
    double mass = 0;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass, in the link's axes [kg.m^2]
    QuadraticTorque torque;     ///< on the joint: motor torque [N.m] or force [N]; its reaction acts on the parent
    QuadraticLoad ballTorque;   ///< Spherical: motor torque in the link's frame [N.m]
    QuadraticLoad force;        ///< all else that pulls at the centre of mass, weight included [N], world frame
    QuadraticLoad forceTorque;  ///< all else about the centre of mass [N.m], world frame
};

/// The body on which a tree stands.
struct TreeBase : BodyState {
    bool isFixed = true;  ///< it stays where it is; velocities must be 0, mass, inertia and loads do not matter
    double mass = 0;      ///< [kg] >= 0
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass, in the base's axes [kg.m^2]
    QuadraticLoad force;                                ///< at the centre of mass, weight included [N], world frame
    QuadraticLoad torque;                               ///< about the centre of mass [N.m], world frame
};

/// A rotor that rides on a link: a motor behind a gear, a reaction wheel, a spinning top in a gimbal. It is round, and
/// its coordinate phi counts against its carrier. Where the carrier turns with omega, the rotor spins with
///
///     w_abs = a . omega + w,    kinetic energy = inertia w_abs^2 / 2
///
/// so that the carrier bears the inertia about the axis too, feels the reaction of all that turns the rotor (of its own
/// torque and of elements), and the gyroscopic moment -inertia w_abs (omega x a). Mass, place and moments of inertia
/// across the axis belong to the carrier's own mass and inertia, as those who export robots write them. On a base that
/// is fixed the rotor is a scalar inertia. Source: L. Sciavicco and B. Siciliano, Modelling and Control of Robot
/// Manipulators, chapter 4 (dynamics with motors); Modelica's MultiBody.Parts.Rotor1D with exact = true.
struct TreeRotor {
    int carrier = kTreeBase;                          ///< index of the link that it rides on, or kTreeBase
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< a: unit vector in the carrier's frame
    double inertia = 0;                               ///< about the axis [kg.m^2], > 0
    double phi = 0;                                   ///< against the carrier [rad], any number of turns
    double w = 0;                                     ///< its rate [rad/s]
    QuadraticTorque torque;                           ///< between carrier and rotor [N.m]
};

/// A tree of links, and the rotors that go with it.
struct FlowTree {
    TreeBase base;                  ///< what the first links hang on
    std::vector<TreeLink> links;    ///< parents before their children
    std::vector<TreeRotor> rotors;  ///< elements couple them to joints
    /// Drag on each body: force -m k (1 + |v|) v at the centre of mass, torque -I k (1 + |w|) w, v and w in SI units:
    /// what btMultiBody does with its linear and angular damping; rotors have none. k of the force [1/s] >= 0
    double linearDamping = 0;
    double angularDamping = 0;  ///< k of the torque [1/s] >= 0
    bool gyroscopic = true;     ///< integrate w x I w, of rotors too; false leaves it out, as btMultiBody without its
                                ///< gyroscopic term does
};

/// A coordinate that elements, motors and limits of trees refer to, with its coefficient.
struct TreeTerm {
    /// Whose coordinate it is.
    enum class Kind {
        Joint,  ///< q of a revolute or prismatic link
        Rotor,  ///< phi of a rotor
    };
    Kind kind = Kind::Joint;  ///< which list `index` points into
    int tree = 0;             ///< index in TreeNetwork::trees
    int index = 0;            ///< of the link (revolute or prismatic) or of the rotor
    double coefficient = 1;   ///< not 0

    /// q of a link, times the coefficient.
    static TreeTerm joint(int tree, int link, double coefficient = 1) { return {Kind::Joint, tree, link, coefficient}; }
    /// phi of a rotor, times the coefficient.
    static TreeTerm rotor(int tree, int rotor, double coefficient = 1) {
        return {Kind::Rotor, tree, rotor, coefficient};
    }
};

/// A coordinate s = offset + sum of the terms. A force f along it acts on each of the coordinates with its coefficient.
struct TreeCoordinate {
    std::vector<TreeTerm> terms;  ///< at least one; no coordinate twice
    double offset = 0;            ///< [rad, m]
};

/// A force element on a coordinate. f > 0 pulls s back: each coordinate feels -coefficient f.
struct TreeElement : TreeCoordinate {
    /// An element with this law on no coordinate yet: terms must be added.
    explicit TreeElement(Law law_) : law(std::move(law_)) {}
    Law law;                           ///< what force it has along the coordinate
    QuadraticShare f_normalized = {};  ///< friction: share of its force, over the tick
    double s_damper = 0;               ///< inner state, carried from tick to tick: as FlowElement::s_damper
};

/// A motor, or a limit of a coordinate, as BoundedRow.
struct TreeBounded : TreeCoordinate {
    BoundedRow::Kind kind = BoundedRow::Kind::Motor;  ///< decides which of the fields below count
    double targetRate = 0;                            ///< Motor: of the coordinate [rad/s, m/s]
    double maxForce = 0;                              ///< Motor: [N.m, N] >= 0; infinity: the rate is prescribed
    double bound = 0;                                 ///< Limit: of the coordinate [rad, m]
    int side = 1;                                     ///< Limit: +1: coordinate >= bound, -1: coordinate <= bound
    double restitution = 0;                           ///< Limit: share of the rate that an impact gives back, 0..1
    DryFriction friction = {};                        ///< Motor, of elements: as BoundedRow::friction
};

/// From a time inside the tick on, another torque on a joint or a rotor, or another strength of an element.
struct TreeLoadChange {
    double time = 0;                              ///< [s] from the tick's start, > 0
    TreeTerm::Kind kind = TreeTerm::Kind::Joint;  ///< which list `index` points into
    int tree = 0;                                 ///< index in TreeNetwork::trees
    int index = 0;                                ///< of the link (revolute or prismatic) or of the rotor
    QuadraticTorque torque;     ///< instead of TreeLink::torque or TreeRotor::torque, t counted from `time`
    int element = -1;           ///< index in TreeNetwork::elements; -1 where a torque changes
    QuadraticShare share = {};  ///< instead of TreeElement::f_normalized, t counted from `time`
};

/// Trees and what acts between their coordinates. Trees that nothing connects are legal; they share steps, so it is
/// cheaper to solve them apart.
struct ELASTO_API TreeNetwork {
    std::vector<FlowTree> trees;          ///< TreeTerm::tree is a place in here
    std::vector<TreeElement> elements;    ///< what acts along their coordinates
    std::vector<TreeBounded> bounded;     ///< motors and limits of their coordinates
    std::vector<TreeLoadChange> changes;  ///< of loads inside the tick, in the order of time

    /// Takes over the end of a tick as the start of the next one (loads stay as they are).
    void adopt(const struct TreeTickResult& tick);
};

/// A rotor at the tick's end.
struct TreeRotorState {
    double phi = 0;  ///< [rad]
    double w = 0;    ///< [rad/s]
};

/// A tree at the tick's end.
struct TreeTick {
    BodyState base;                      ///< of the base
    std::vector<TreeJointState> links;   ///< same order as in the tree
    std::vector<TreeRotorState> rotors;  ///< same order as in the tree
};

/// The result of a tick of trees.
struct TreeTickResult {
    std::vector<TreeTick> trees;        ///< same order as in the network
    std::vector<ElementTick> elements;  ///< same order as in the network; s and v are the coordinate and its rate
    /// Same order; impulses are along the coordinate: > 0 raises it. Forces are told of elements of friction only
    std::vector<BoundedTick> bounded;
    std::vector<ContactEvent> events;      ///< in the order of time (then of element)
    FlowMethod method = FlowMethod::Free;  ///< Free, Dop853, Ros34Pw2 or BackwardEuler
    int steps = 0;                         ///< integration steps spent
    bool overBudget = false;               ///< backward Euler solved the rest of the tick
    double cost = 0;                       ///< what the tick took, in units of TickResult::cost
    double leastCost = 0;                  ///< as TickResult::leastCost
    double energyHandedOut = 0;            ///< as TickResult::energyHandedOut [J]
    double driveWork = 0;                  ///< work of the bounded motors [J]
    double limitLoss = 0;                  ///< energy that impacts at limits took [J], >= 0
    double energyRepaired = 0;             ///< energy that the velocities were corrected by, either way [J], >= 0
    TickBalance balance;                   ///< as TickResult::balance; joints of trees cannot open
    TickGrade grade;                       ///< as TickResult::grade
};

/// Storage that ticks of trees need, kept from one to the next. A tick's result does not depend on what the workspace
/// was used for before. Not for two threads at once. Moved-from workspaces must not be used.
class ELASTO_API TreeWorkspace {
public:
    TreeWorkspace();                                           ///< empty: the first tick fills it
    TreeWorkspace(TreeWorkspace&& other) noexcept;             ///< takes the storage; `other` is of no use then
    TreeWorkspace& operator=(TreeWorkspace&& other) noexcept;  ///< takes the storage; `other` is of no use then
    ~TreeWorkspace();

    /// What it keeps: known inside the library only.
    struct Storage;

private:
    friend void solveTreeTick(const TreeNetwork&, double, const FlowSettings&, TreeWorkspace&, TreeTickResult&);
    std::unique_ptr<Storage> m_storage;
};

/// Moves trees over a tick of h [s] > 0. The network itself is not changed.
///
/// Steps may err by 30 times settings.tolerance. What they get wrong of the energy is in TreeTickResult::balance; above
/// 1e-7 of what is in play the tick is solved again with finer steps, as long as the budget lasts, and what is left of
/// it, if it is little, is put right in the velocities.
/// @throws InvalidParameter if h is not finite or <= 0, an index is out of range, a joint moves nothing that has mass,
///         an axis is not of unit length, a coordinate belongs to a joint that has none, or a state is not finite
ELASTO_API void solveTreeTick(const TreeNetwork& network, double h, const FlowSettings& settings,
                              TreeWorkspace& workspace, TreeTickResult& result);
/// The same with a workspace and a result of its own.
ELASTO_API TreeTickResult solveTreeTick(const TreeNetwork& network, double h, const FlowSettings& settings = {});

/// World pose of a link's frame, and the velocity of its origin, in the network's present state.
/// @param link index, or kTreeBase
ELASTO_API BodyState linkFrame(const FlowTree& tree, int link);
/// Kinetic energy of a tree, its rotors included [J].
ELASTO_API double kineticEnergy(const FlowTree& tree);

}  // namespace elasto
