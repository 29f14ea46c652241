#pragma once
/// @file plugin.h
/// Makes a Bullet world solve force elements.

#include <elasto/audit_settings.h>
#include <elasto/export.h>
#include <elasto/joint_load.h>
#include <elasto/load.h>
#include <elasto/multibody_readout.h>
#include <elasto/statistics.h>
#include <elasto/threads.h>
#include <elasto/tick_file.h>
#include <elasto/world_recording.h>
#include <elasto/world_snapshot.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class btCollisionObject;
class btDiscreteDynamicsWorld;
class btMultiBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class TickMoment;
class WorldTick;

/// Below these a network of elements may fall asleep (after Bullet's own deactivation time, 2 s by default).
/// Bullet alone calls anything below 0.8 m/s at rest.
struct RestThresholds {
    double speed = 1e-4;                ///< [m/s], of every body's centre of mass
    double angularSpeed = 1e-4;         ///< [rad/s]
    double acceleration = 1e-3;         ///< [m/s^2], at the tick's end and over the tick
    double angularAcceleration = 1e-3;  ///< [rad/s^2]

    /// As Bullet has it by default: whatever is slower than 0.8 m/s and 1 rad/s for two seconds sleeps. For games: a
    /// swing that nearly ends, or a door that closes slowly, stops where it is.
    static RestThresholds asBullet() { return {0.8, 1, 1e9, 1e9}; }
};

/// What the elements of a world may cost per tick, in units of TickResult::cost: counted and not timed, so that a run
/// can be repeated.
///
/// Networks take from it one after the other: single elements between the world and a body that nothing else touches
/// (whose closed form nothing could make cheaper) and uncoupled networks first, as they are met; then those of higher
/// priority (the highest of ForceElement::priority of its elements), and those of equal priority in the order in which
/// Bullet lists them. No network gets more than its own budget (FlowSettings). What does not fit is solved by the
/// implicit step (FlowMethod::Implicit), in fewer sub-steps the less is left, in one at least; multibodies by backward
/// Euler.
/// TickStatistics::outOfBudget counts it, ForceElement::method() tells.
struct WorldBudget {
    double cost = 1e6;       ///< of all networks together, >= 0: what one in a bad tick may need to be right
    double freeShare = 100;  ///< that every network may cost, whatever the others took, > 0; an implicit tick of one
                             ///< sub-step may be more
};

/// The Plugin's own state: restore it together with the elements' states.
struct PluginState {
    double time = 0;    ///< [s]
    EnergyBook energy;  ///< its sums since the start
};

/// What becomes of a tick that cannot be: a state, a load or the end of it is not finite, an element's body is not in
/// the world.
enum class Refusal : unsigned char {
    /// stepSimulation throws, and nothing has moved.
    Throw,
    /// stepSimulation throws nothing. Elements that cannot act are switched off (`setEnabled(false)`), loads that are
    /// no numbers are taken out, and the message handler is told what and why; Bullet does with their bodies what it
    /// does without elements. A network whose end would not be finite goes on without its elements and loads.
    SwitchOff,
};

/// Installs Elasto in a world, and takes it out again when it is destroyed.
///
/// @code
/// elasto::Plugin plugin(world);
/// elasto::ElastoGap stop(mass, frameInMass, frameInWorld, {.c = 1e6, .d = 5});
/// world->addConstraint(&stop);
/// world->stepSimulation(1.f / 60);
/// @endcode
///
/// It puts its own solver, which is the world's present one plus the elements, and one action into the world.
/// Supported: btSequentialImpulseConstraintSolver, btNNCGConstraintSolver and btMultiBodyConstraintSolver as they
/// are. The present solver's settings and random seed are carried over, and back again. Without elements every tick
/// is bit-identical to Bullet's own (but see setFreeFlight); with elements the islands without them are too, unless
/// SOLVER_RANDMIZE_ORDER or the NNCG solver works on several islands in one batch (m_minimumSolverBatchSize > 1).
///
/// Inside a network (elements and the free bodies they connect) results do not depend on Bullet's iterations, nor on
/// the order in which constraints were added, as long as no two elements are alike in bodies, geometry and name.
/// Elements are ordered by their bodies' places in the world; another order of bodies changes the rounding only.
///
/// In single precision a tick length that is the float nearest to 1/n s, n whole, is taken as exactly 1/n s.
///
/// stepSimulation throws InvalidParameter, naming an element, field and value, where a state, a load or the end of the
/// tick is not finite (but see setRefusal). Elements, heat ports, time, statistics and energy book are then as they
/// were before that tick, and the next one goes on from there once the bodies' state is repaired.
///
/// Ownership: the Plugin owns its solver and action and refers to the world. It may be destroyed before or after the
/// world, the elements and the bodies, also inside its own callbacks. Do not replace the world's solver while it is
/// installed.
class ELASTO_API Plugin {
public:
    /// @throws std::invalid_argument for a null world, a world that has a Plugin already, or an unsupported solver
    /// @throws std::runtime_error if the Bullet that is linked does not work as expected (its version is named)
    explicit Plugin(btDiscreteDynamicsWorld* world);
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    /// Runs a function at the next safe point: at the end of the present tick (of the next one where none runs),
    /// when bodies, elements and constraints may be removed, deleted and added. In the order of the calls.
    /// @throws InvalidParameter if the function is empty
    void defer(std::function<void()> function);

    double time() const;        ///< simulated time at the end of the last tick [s]
    void setTime(double time);  ///< sets the time that loads see [s]. @throws InvalidParameter unless finite

    /// Of the last tick: where stepSimulation makes substeps, of the last one.
    const TickStatistics& statistics() const;
    const TickStatistics& totals() const;  ///< since the start
    EnergyBook energy() const;             ///< now and since the start

    /// Bodies and elements at a time inside the last tick, from the solution itself and not from interpolation. Each
    /// call solves the networks of that tick up to t. Empty before the first tick and after a restore. See
    /// tick_moment.h.
    /// @param t [s] from the tick's start, 0 <= t <= its length @throws InvalidParameter for another t
    TickMoment insideTick(double t) const;

    /// Poses, velocities and forces of a multibody in the last tick. Nothing if the Plugin did not move it in that
    /// tick (no element is on it, it sleeps, Bullet has kept it), before the first tick and after a restore.
    std::optional<MultiBodyReadout> readout(const btMultiBody& body) const;
    /// Where a body or the collider of a link was pushed in the last tick, by what the Plugin has solved; points
    /// without force are left out. Empty where Bullet solved its contacts, before the first tick and after a restore.
    std::vector<ContactReadout> contactsOf(const btCollisionObject& object) const;

    /// Settings of the flow, e.g. the budget of steps per tick and network.
    const FlowSettings& settings() const;
    /// @throws InvalidParameter naming the field that is out of its range
    void setSettings(const FlowSettings& settings);
    /// Largest number of integration steps per tick and network (see worldBudget for all of them together).
    /// @throws InvalidParameter unless >= 1
    void setBudget(int maxSteps);

    /// How exact networks are whose elements do not say it (ElementCommon::setAccuracy).
    void setAccuracy(Accuracy accuracy);

    /// The budget of all networks together.
    const WorldBudget& worldBudget() const;
    /// @throws InvalidParameter unless cost >= 0 and freeShare > 0
    void setWorldBudget(const WorldBudget& budget);

    /// How often ticks are solved again to estimate their errors (TickStatistics::error, ElementCommon::grade).
    const AuditSettings& audit() const;
    /// The motion stays the same, bit for bit. @throws InvalidParameter unless every >= 0 and share >= 0 and finite
    void setAudit(const AuditSettings& settings);

    /// The networks of the last tick as they were solved, for writeTick: what `elasto tick` solves again. Without those
    /// that Bullet has solved. Empty before the first tick and after a restore.
    std::vector<TickRecord> captureTick() const;
    /// Calls back at the end of each tick, when contact callbacks are, with each network whose grade was no better than
    /// `from`. Null: nobody. Networks of single elements are always exact.
    void setTickHandler(std::function<void(const TickRecord&)> handler, Grade from = Grade::Failed);

    /// Threads on which networks are solved side by side, the calling one among them. 0 and 1 (the default): none is
    /// started. The bits are the same for any number.
    ///
    /// Bullet's part of the tick, the gathering of networks and the handing over of results stay on the calling thread,
    /// and so does whatever calls back: loads, contact callbacks, messages. All networks of the tick are solved
    /// together, however Bullet splits its islands, except uncoupled ones, which Bullet's own solution needs at once.
    /// Nor are single elements between the world and a body that nothing else touches: each takes less than a job.
    /// It pays where networks take more than some 50 us together. See onThreads for how many threads there are.
    /// @throws InvalidParameter unless 0 <= threads <= kMostThreads, or > 1 where Elasto was built without oneTBB
    void setThreads(int threads);
    int threads() const;  ///< 1 too while jobs are run by setJobRunner's
    /// The same with threads of your own, from a game's job system say. Null: none.
    void setJobRunner(JobRunner runner);

    /// True (the default) if contact points that Bullet drops while the bodies still touch there are kept, in networks
    /// that are solved with their contacts. Bullet keeps four points per pair and replaces them as it likes: without
    /// this a stack under load tips in single ticks. And if corners are added that touch the ground and that Bullet,
    /// which looks for one in a tick, has not found: without them small things stay sunk in planes.
    bool contactCache() const;
    void setContactCache(bool isKept);  ///< from the next tick on

    /// True if bodies without elements that touch nothing fly exactly: along the parabola that gravity, the tick's
    /// forces and loads (addLoad) make, and turning as free bodies do, with the gyroscopic term where they have one of
    /// Bullet's gyroscopic flags. Bullet's own steps fall g h / 2 too far in each second, 3.5 cm in the first metre at
    /// 60 Hz. False (the default): islands without elements are Bullet's, bit for bit, but for bodies that have left a
    /// network, which fly on exactly until they touch something.
    ///
    /// Each such body is a network without elements: what is said of networks holds for it (damping, sleep, continuous
    /// collision detection, budget, energy book, threads). What it meets belongs to it from the tick in which it meets
    /// it, however many bounces that takes, until all of it is slower than 0.2 m/s; then it is Bullet's, as is at once
    /// what has joints, multibodies, contacts that the flow cannot solve, or more than eight bodies. A body that
    /// touches something and has not flown stays Bullet's until it touches nothing.
    bool freeFlight() const;
    void setFreeFlight(bool isExact);  ///< from the next tick on

    /// True (the default) if islands find their constraints at once. For every island Bullet looks through the list of
    /// all constraints, which takes a time that grows with the square of their number; this gives the same islands, and
    /// the same bits, in a time that grows with the number. Worlds that can hold multibodies or soft bodies are left as
    /// they are. It is done while Bullet believes that islands are not to be split; where the user has asked for that
    /// (btSimulationIslandManager::setSplitIslands), Bullet does what he asked.
    bool linearIslands() const;
    void setLinearIslands(bool isLinear);  ///< from the next tick on

    const RestThresholds& restThresholds() const;  ///< below which networks may fall asleep
    /// @throws InvalidParameter unless all are finite and >= 0
    void setRestThresholds(const RestThresholds& thresholds);

    /// Adds a load; the handle serves to take it out again. Loads act in the order in which they were added. A load's
    /// own function may add and remove loads: from the next tick on.
    std::shared_ptr<const Load> addLoad(Load load);
    /// Takes a load out; nothing happens where it is not in.
    void removeLoad(const std::shared_ptr<const Load>& load);
    /// The same for the joint of a btMultiBody.
    std::shared_ptr<const JointLoad> addJointLoad(JointLoad load);
    /// Takes it out; nothing happens where it is not in.
    void removeJointLoad(const std::shared_ptr<const JointLoad>& load);

    /// Where warnings go at the end of the tick, when all may be done that contact callbacks may do (default: one line
    /// each on the standard error stream). Null: nowhere.
    void setMessageHandler(std::function<void(const std::string&)> handler);

    /// What becomes of a tick that cannot be: Refusal::Throw at first. For programs without exceptions:
    /// Refusal::SwitchOff, with which stepSimulation throws nothing.
    void setRefusal(Refusal refusal);
    Refusal refusal() const;  ///< as set

    PluginState saveState() const;  ///< time and sums of energy
    /// Goes on from a saved time and its sums; settings, loads and callbacks stay.
    void restoreState(const PluginState& state);

    /// The whole world as it is between two ticks: bodies, multibodies, contacts, broadphase, joints, elements,
    /// heat ports, the Plugin's time and sums. Changes nothing.
    /// See docs/snapshots.md.
    /// @throws InvalidParameter naming what a snapshot does not hold: soft bodies, ghost objects, vehicles,
    ///         characters, joints and collision algorithms of other classes than Bullet's own, another broadphase than
    ///         btDbvtBroadphase, contact points with m_userPersistentData, another version of Bullet than 3.24
    /// @throws std::logic_error inside a tick, or after the world was destroyed
    WorldSnapshot saveWorld() const;
    /// Makes the world what it was: from here on the same inputs give the same ticks, bit for bit. Any world of the
    /// same bodies, joints and elements in the same order will do; it goes on as the saved one did. Loads, callbacks,
    /// deferred functions, actions, kinematic bodies' motion states and the world's and the Plugin's settings are
    /// inputs: they stay as they are. Calls no contact callbacks.
    /// @throws InvalidParameter naming what differs in this world, or what a snapshot does not hold. Nothing is
    ///         changed then.
    /// @throws std::logic_error as saveWorld
    void restoreWorld(const WorldSnapshot& snapshot);

    /// Keeps the last ticks from now on, with all that the program does between them, so that recording() can be run
    /// again without the program (WorldReplay, `elasto replay`). Changes no bit of the motion; a tick takes
    /// longer by eight to twenty calls of saveWorld. Call it between two calls of stepSimulation. A callback before
    /// ticks (btDynamicsWorld::setInternalTickCallback) is to be set before.
    /// @param megabytes room for it, >= 0: where it is used up the oldest part goes, an eighth of it at once; 0: stops
    ///        and forgets. One state of the world and the ticks after it are kept however large they are.
    /// @throws InvalidParameter for another number, or naming what a recording does not hold: shapes of the user's own
    ///         classes, what saveWorld refuses. If such a thing comes into the world later the recording ends there,
    ///         with a message
    /// @throws std::logic_error inside a tick, or after the world was destroyed
    void record(double megabytes);
    /// What was recorded; empty where nothing is.
    WorldRecording recording() const;

private:
    std::shared_ptr<WorldTick> m_tick;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
