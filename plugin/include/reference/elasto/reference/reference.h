#pragma once
/// @file reference.h
/// The oracle that runs are compared with: the same bodies and elements, solved with SUNDIALS CVODE at a tolerance far
/// below what is to be judged, with root finding at every change of a law's branch.
///
/// It shares no integration code with the flow of a tick: equations of motion, geometry and branches of the laws are
/// written a second time. What it shares are the plain structs that say what is to be solved. Collisions between
/// shapes and sleeping are not part of it.
///
/// Joints, what sticks and motors that hold their speed are relations between the bodies' velocities, whose forces are
/// solved for together with the accelerations. A body on a path whose velocity jumps hands the jump on through joints,
/// as an impact, which no bounded force resists: neither friction nor a motor.

#include <elasto/flow_tree.h>
#include <elasto/reference/nrmse.h>
#include <elasto/reference/trajectory.h>
#include <elasto/scene/description.h>

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace elasto {

/// Thrown when CVODE gives up; what() has the time and CVODE's reason.
class ReferenceError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Which of CVODE's two families of methods integrates.
enum class ReferenceMethod {
    Automatic,  ///< chosen at every restart from the eigenvalues of the linearised system
    Adams,      ///< orders 1..12, fixed-point iteration: not stiff, keeps the energy of oscillations well
    Bdf,        ///< orders 1..5, Newton iteration: stiff
};

/// Settings. The defaults hold for everything that Elasto measures.
struct ReferenceOptions {
    double rtol = 1e-13;       ///< Adams: relative tolerance per step, 1e-14 < value <= 1e-3
    double rtolStiff = 1e-11;  ///< BDF: likewise; looser, as Newton's iteration meets the noise of rounding earlier
    double floor = 1e-3;       ///< a quantity is resolved relative to itself down to this share of its scale
    ReferenceMethod method = ReferenceMethod::Automatic;
    long maxSteps = 10'000'000;  ///< of CVODE, per independent group of bodies
};

/// How the velocities of a body change that follows a path.
struct BodyAcceleration {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< of the centre of mass, world [m/s^2]
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< world [rad/s^2]
};

/// What acts on or moves a body as a function of time, in addition to what FlowBody says.
struct BodyDrive {
    std::function<Eigen::Vector3d(double)> force;   ///< at the centre of mass, world axes [N]; may be empty
    std::function<Eigen::Vector3d(double)> torque;  ///< about the centre of mass, world axes [N.m]; may be empty
    std::function<LoadValue(double, const Eigen::Quaterniond&)> wrench;  ///< both, where they depend on the body's
                                                                         ///< orientation; may be empty
    std::function<BodyState(double)> motion;  ///< of an immovable body (pose and twist of its centre of mass);
                                              ///< empty: it keeps its velocities
    std::function<BodyAcceleration(double)> acceleration;  ///< of that motion; joints, motors and friction need it
    double linearDamping = 0;   ///< velocity falls as (1 - linearDamping)^t, Bullet's meaning; 0 <= value < 1
    double angularDamping = 0;  ///< likewise
};

/// The coordinate that a joint leaves free about or along an axis. The held rows of the joint keep the axis parallel in
/// both bodies.
struct ReferenceCoordinate {
    std::string name;  ///< for messages
    int a = kWorld;
    int b = kWorld;
    bool turns = true;                                   ///< about the axis; false: moves along it
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();    ///< in body a's frame [m]
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();    ///< in body b's frame [m]
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();     ///< unit vector in body a's frame
    Eigen::Vector3d acrossA = Eigen::Vector3d::UnitX();  ///< turns: unit vector across the axis in body a's frame
    Eigen::Vector3d acrossB =
        Eigen::Vector3d::UnitX();  ///< turns: the same in body b's frame; the angle is between them
};

/// A motor that drives a coordinate at a constant speed from time 0 on, as far as its force reaches: while it is too
/// weak, or the coordinate has another speed, it gives all it has.
struct ReferenceMotor : ReferenceCoordinate {
    double velocity = 0;  ///< [rad/s, m/s], b against a
    double maxForce = 0;  ///< [N.m, N], >= 0; infinite: the speed is prescribed, from time 0 on by an impact
};

/// Ends of a coordinate's range, which it meets with an impact. Where the rebound would be slower than 1e-5 m/s or
/// rad/s it stays there, as long as something presses it.
struct ReferenceLimit : ReferenceCoordinate {
    double lower = 0;        ///< of the coordinate, which counts turns from the angle nearest to 0 at time 0 [rad, m]
    double upper = 0;        ///< >= lower
    double restitution = 0;  ///< share of the speed that comes back, 0 .. 1
};

/// Bodies, joints and elements from time 0 on.
struct ReferenceProblem {
    FlowNetwork network;            ///< state at time 0; the bodies' quadratic loads count from time 0
    std::vector<BodyDrive> drives;  ///< empty, or one per body
    std::vector<double> breaks;     ///< times at which a drive is not smooth [s]; any order
    std::vector<ReferenceMotor> motors;
    std::vector<ReferenceLimit> limits;
    /// Share of the force of elements that are friction; empty, or one per element, of which any may be empty (1
    /// always).
    std::vector<std::function<double(double)>> f_normalized;
};

/// An element at one time.
struct ReferenceElementState {
    double s = 0;                                      ///< s_rel, s or phi_rel [m, rad]
    double v = 0;                                      ///< its rate [m/s, rad/s]
    double s_damper = 0;                               ///< SpringDamperSeries [m]
    ForceTerms force;                                  ///< on the branch that is in force, also where the force jumps
    double lossPower = 0;                              ///< Modelica's formula [W]
    double dissipatedPower = 0;                        ///< closes the energy balance [W]
    double storedEnergy = 0;                           ///< [J]
    double impulse = 0;                                ///< integral of f since time 0 [N.s, N.m.s]
    double heat = 0;                                   ///< integral of dissipatedPower since time 0 [J]
    Eigen::Vector3d pointA = Eigen::Vector3d::Zero();  ///< attachments, world [m]; zero AboutAxis
    Eigen::Vector3d pointB = Eigen::Vector3d::Zero();
};

/// Everything at one time.
struct ReferenceState {
    double time = 0;
    std::vector<BodyState> bodies;
    std::vector<ReferenceElementState> elements;
    std::vector<TreeTick> trees;  ///< of a TreeReferenceProblem, which has no bodies
};

/// Contact of an element begins or ends.
struct ReferenceEvent {
    double time = 0;  ///< [s]
    int element = 0;
    bool begin = true;
    double speed = 0;  ///< |v| at that time
};

/// What the integration cost.
struct ReferenceStatistics {
    long steps = 0;        ///< CVODE's steps
    long evaluations = 0;  ///< of the right-hand side (without those for Jacobians)
    int restarts = 0;      ///< at changes of branch and at breaks
    int groups = 0;        ///< independent groups of bodies
    int adamsStarts = 0;   ///< restarts with Adams
    int bdfStarts = 0;     ///< restarts with BDF
    int missedRoots = 0;   ///< changes of branch found by the check after each step instead of CVODE's root finder
};

struct ReferenceSolution {
    std::vector<ReferenceState> states;  ///< one per requested time
    std::vector<ReferenceEvent> events;  ///< in the order of time, then of element
    ReferenceStatistics statistics;
};

/// Solves from time 0 and returns the state at the given times.
/// @param times [s], not falling, >= 0
/// @throws InvalidParameter on a problem or times that make no sense, on joints that are open at time 0 or, unless
///         something is driven, moving apart, and on what is not part of it: contacts of shapes, gear pairs with the
///         law of dry friction, Euler angles and swings; ReferenceError if CVODE gives up, or if joints and prescribed
///         motions contradict each other
ReferenceSolution solveReference(const ReferenceProblem& problem, std::span<const double> times,
                                 const ReferenceOptions& options = {});

/// The scene's bodies, joints, elements and loads as a problem. Shapes are left out: what could touch passes through.
/// A body's Bullet damping is taken as the continuous decay that Bullet's factor per tick samples.
ReferenceProblem referenceProblem(const Scene& scene);

/// Time histories of all the signals that can be recorded from the scene (availableSignals), at the given times.
/// A mean force is that over the interval from the previous time; at the first time, and where a time repeats, it is
/// the force itself.
/// @param statistics filled in if not null
Trajectory solveReference(const Scene& scene, std::span<const double> times, const ReferenceOptions& options = {},
                          ReferenceStatistics* statistics = nullptr);

/// The signals that the scene records, in its order and under its column names.
/// @throws std::out_of_range if the trajectory is not of this scene
Trajectory recordedColumns(const Scene& scene, const Trajectory& trajectory);

/// How far the reference can be trusted: its difference from a second solution at tolerances `looser` times as wide,
/// per signal (compareSignals). Its own error is smaller still.
std::vector<SignalError> referenceSelfDifference(const Scene& scene, std::span<const double> times,
                                                 const ReferenceOptions& options = {}, double looser = 10);

}  // namespace elasto
