#pragma once
/// @file session.h
/// A scene that one plays with: it runs, takes inputs, goes back in time and on from there.
///
/// Deterministic: what happens is a function of scene, tick rate and inputs, and of nothing else. Everything here is
/// counted in ticks; how fast they pass on a clock is up to the caller.
///
/// @code
/// play::Session session(loadScene("elasto_gap.json"));
/// session.beginDrag(0, {0, 0, 0}, {0, 2, 0});
/// for (int i = 0; i < 240; ++i) session.step();
/// session.seek(100);                              // the bits of the first pass
/// session.setParameter(0, "c", 2e5);              // a new branch from tick 100 on
/// session.step();                                 // the old one is session.ghosts()[0]
/// @endcode

#include "balls.h"
#include "controls.h"
#include "history.h"
#include "input.h"
#include "movable.h"
#include "parameters.h"
#include "played_element.h"
#include "played_joint.h"
#include "scope.h"
#include "snapshot_store.h"
#include "state_mark.h"

#include <elasto/scene/scene_world.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

struct SessionOptions {
    std::optional<double> rate = std::nullopt;  ///< ticks per second [Hz]; without it the scene's
    double snapshotMegabytes = 64;              ///< budget for going back quickly
    double historyMegabytes = 512;              ///< budget for what was seen; then rows of ghosts go, then the oldest
    int balls = 6;                              ///< that can be thrown
    std::optional<double> ballRadius = std::nullopt;  ///< [m]; without it from the sizes in the scene
    std::optional<double> ballMass = std::nullopt;    ///< [kg]; without it from the masses in the scene
    /// Called with every world that the session builds, before its first tick: for what a scene has no words for. It
    /// must do the same each time.
    std::function<void(SceneWorld&)> prepare = {};
    bool takesMultiBodies = false;  ///< so that `prepare` can bring robots (SceneWorld)
    std::string preparedBy = {};    ///< what recordings call that, e.g. the demo's name
};

/// Why a session stopped. Going back clears it.
struct Trouble {
    long tick = 0;        ///< that could not be done: it leads from here to tick + 1
    int element = -1;     ///< index of the element that is to blame, -1: none is known
    int body = -1;        ///< index of the body, -1: none is known
    std::string message;  ///< names the element or body, and what is wrong
};

/// The drag spring now.
struct DragView {
    int body = 0;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< where it holds the body, world [m]
    Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world [m]
    Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< on the body over the next tick, world [N]
};

/// A branch that was left: what the run was from `fork` on before new inputs came.
struct Ghost {
    int id = 0;
    long fork = 0;                 ///< last tick that it shares with what came after
    History history;               ///< rows fork + 1 .. its last tick; none where the budget had no room for them
    Inputs inputs;                 ///< all of it, from the start of the run
    std::vector<StateMark> marks;  ///< by tick, all of it
    int run = 0;                   ///< Session::run() when it was the present
};

/// A recording that was taken over, and how far it was compared.
struct RecordingCheck {
    long ticks = 0;                                             ///< that it has, or had until another branch began
    long checked = 0;                                           ///< that were run so far
    std::optional<ReplayDifference> difference = std::nullopt;  ///< the first one
};

/// What snapshots cost, and whether there are any.
struct SnapshotUse {
    std::size_t count = 0;
    double megabytes = 0;
    double budgetMegabytes = 0;
    long spacing = 1;     ///< ticks between those kept for long
    std::string refusal;  ///< why this world has none (it is run again from its start instead); "" where it has
};

class Session {
public:
    /// @throws InvalidParameter as SceneWorld, or if an option makes no sense
    explicit Session(Scene scene, SessionOptions options = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // --- What runs ---
    /// The scene as it was given; its indices are used everywhere. Parameters are those at the start.
    const Scene& scene() const { return m_scene; }
    double rate() const;        ///< [Hz]
    double tickLength() const;  ///< [s]
    /// The world now. Its bodies are the scene's, then the balls. References into it end with restart(), with a seek
    /// after trouble, and with any seek where snapshots are refused. Change it through inputs only.
    SceneWorld& world() { return *m_world; }
    const SceneWorld& world() const { return *m_world; }
    const SceneSample& sample() const {
        return m_sample;
    }  ///< the values now (balls, guests' links and elements included)
    /// The scene's elements, then those of its guests, as they are at the start. Everywhere here an element is counted
    /// among them.
    const std::vector<PlayedElement>& elements() const { return m_elements; }
    /// Joints of its guests that are robots.
    const std::vector<PlayedJoint>& joints() const { return m_joints; }
    JointSample joint(int joint) const;    ///< now @throws std::out_of_range
    double startOfJoint(int joint) const;  ///< where its robot has it at the start [rad, m]
    const Law& law(int element) const;     ///< of an element, now @throws std::out_of_range, as all that take an index
    bool isEnabled(int element) const;
    std::size_t balls() const { return m_balls; }
    /// Of sample().bodies: those of the scene, then the balls, then the links of guests (guestLinks).
    std::size_t bodies() const { return m_sample.bodies.size(); }
    std::string bodyName(int body) const;  ///< @throws std::out_of_range
    bool isBall(std::size_t body) const { return body >= m_scene.bodies.size() && body < m_world->bodies(); }
    bool isMovedByForces(int body) const;   ///< it can be dragged @throws std::out_of_range
    bool isParked(std::size_t body) const;  ///< a ball that has not been thrown: far away, not to be drawn
    const BallSize& ballSize() const { return m_ballSize; }

    // --- Time ---
    long tick() const { return m_tick; }  ///< now
    double time() const;                  ///< now [s]
    long lastTick() const;                ///< of this branch: up to here it can be seen without anything new
    bool isAtEnd() const { return m_tick == lastTick(); }
    /// One tick on: again what was recorded, or at the end a new one. False if there is trouble; nothing moves then.
    bool step();
    /// Goes to any recorded tick. The bits are those of the first pass; bitsAreThoseOfTheFirstPass() has checked it.
    /// @throws std::out_of_range unless 0 <= tick <= lastTick()
    void seek(long tick);
    /// Starts the run again. Parameters, switches, motors, iterations and gravity as they are now count from the start
    /// on; drags and throws are gone. What was recorded lies ahead if it would come again, and is a ghost otherwise.
    /// With another tick rate nothing of it can stay.
    /// @throws InvalidParameter for a rate that is not allowed; nothing is changed then
    void restart(std::optional<double> rate = std::nullopt);
    /// Starts the run again as the scene is, with these inputs alone; nothing of what was recorded stays.
    void reset(Inputs inputs = {});
    /// Starts a recorded run of this scene, rate, and balls: it lies ahead, up to its last tick (recording.h).
    /// @param marks by tick, at least one
    void takeOver(Inputs inputs, std::vector<StateMark> marks);
    /// Of the recording that was taken over; nothing in a run without one.
    const std::optional<RecordingCheck>& recordingCheck() const { return m_check; }
    const std::string& preparedBy() const { return m_options.preparedBy; }
    /// Whether the present state has the fingerprint that this tick had when it was computed first.
    bool bitsAreThoseOfTheFirstPass() const { return m_bitsAgree; }
    const std::optional<Trouble>& trouble() const { return m_trouble; }

    // --- Inside the last tick ---
    /// Everything at a time inside the last tick: networks from their own solution, bodies that Bullet moved on
    /// straight lines as Bullet moves them, driven bodies on their paths. At tick 0 the start. Balls included.
    /// @param t [s] from the tick's start, 0 <= t <= tickLength() @throws InvalidParameter for another t
    SceneSample inside(double t) const;
    /// Where contact of elements began and ended in the last tick, in the order of time.
    const std::vector<ScopeEvent>& events() const { return m_events; }
    /// Puts the oscilloscope on an element; it shows the last ticks from now on, those before the present one included,
    /// and the last impact before it, whoever looked at it.
    /// @throws InvalidParameter, std::out_of_range; nothing is changed then
    void watch(const ScopeSettings& settings);
    void unwatch() { m_scope.reset(); }
    const Scope* scope() const { return m_scope ? &*m_scope : nullptr; }  ///< null: off

    // --- Inputs: they act from the present tick on ---
    // In the past (not isAtEnd()) an input starts a new branch; what was recorded after it becomes a ghost.
    // All throw InvalidParameter, naming what is wrong, and std::out_of_range for an index; nothing is changed then.
    /// @param point in the body (Bullet's frame) [m] @param target world [m]
    void beginDrag(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& target);
    void moveDrag(const Eigen::Vector3d& target);  ///< nothing happens without a drag, as with endDrag
    void endDrag();
    std::optional<DragView> drag() const;
    void beginTurn(int body);
    void moveTurn(const Eigen::Quaterniond& orientation);  ///< wanted, body -> world
    void endTurn();
    /// The next ball flies; when all have flown, the one that was thrown first.
    void throwBall(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity);
    /// @param continues true while a slider is held: all of it is one step for undo()
    void setParameter(int element, const std::string& symbol, double value, bool continues = false);
    double parameter(int element, const std::string& symbol) const;       ///< now
    double startParameter(int element, const std::string& symbol) const;  ///< the scene's
    void resetParameter(int element, const std::string& symbol);
    bool canUndo() const { return undoDepth() > 0; }
    bool canRedo() const;
    std::size_t undoDepth() const;          ///< how many edits undo() can take back now
    long edits() const { return m_edits; }  ///< of parameters so far, whatever became of them; undo() is none
    void undo();                            ///< takes back the last edit of a parameter that is in force now
    void redo();
    void setEnabled(int element, bool enabled);
    void setMotor(int joint, double velocity, double maxForce);
    SceneMotor motor(int joint) const;  ///< what drives a joint now; of one that has a motor
    /// Places a joint of a robot, at rest; a servo of position, or what holds it, keeps it there. @param q [rad, m]
    void placeJoint(int joint, double q);
    /// Gives a joint's servo, or what holds it, another target; nothing: that of the robot scene, or where it was held
    /// first.
    void setTarget(int joint, std::optional<double> target);
    /// Holds all joints of robots without servos where they are now (JointHold), or lets them go; those that are held
    /// already stay as they are. @param robot PlayedJoint::robot: of this one alone
    void holdJoints(bool isHeld, std::optional<int> robot = {});
    bool areJointsHeld() const { return !m_controls.held.empty(); }  ///< of some robot
    bool areJointsHeld(int robot) const;                             ///< of this one
    bool canHoldJoints() const;                                      ///< there are robots without servos
    void setIterations(int iterations);
    void setGravity(const Eigen::Vector3d& gravity);
    const Controls& controls() const { return m_controls; }
    /// The scene with parameters, motors, iterations, gravity and rate as they are now, from its start. What is
    /// switched off is part of it, guests and balls are not.
    Scene editedScene() const;
    /// The same with bodies where they are now; those on paths stand there. For what is placed among them.
    Scene presentScene() const;
    /// Number of the recorded past: it changes whenever what was recorded is not the past of the present any more.
    int run() const { return m_run; }
    /// True if the run of that number is the same as the present one up to a tick.
    bool isSameUpTo(int run, long tick) const;
    const Inputs& inputs() const { return m_inputs; }  ///< of this branch, from the start of the run

    /// First tick at which something acted on bodies that no element, joint or load is: shapes touched, or a joint was
    /// at a limit; -1: none so far.
    long firstForeignForce() const { return m_firstForeign; }

    // --- Records ---
    /// Of this branch; ticks beyond the budget, and those of a recording that were not visited yet, have no row.
    const History& history() const { return *m_history; }
    std::size_t historyBytes() const;                                    ///< memory of its rows and those of the ghosts
    double historyBudget() const { return m_options.historyMegabytes; }  ///< for them [MB]
    const std::vector<Ghost>& ghosts() const { return m_ghosts; }
    void dismissGhost(int id);
    /// A ghost becomes the present again, and what was the present becomes a ghost. Time stays, or is at the ghost's
    /// end if that came before. @throws std::out_of_range if there is none of this id
    void takeUp(int id);
    void dismissGhosts() { m_ghosts.clear(); }
    const std::vector<StateMark>& marks() const { return m_marks; }  ///< by tick, of this branch
    SnapshotUse snapshots() const;
    /// What the plugin warned of in this run, each once (elements that are solved uncoupled, say).
    const std::vector<std::string>& messages() const { return m_messages; }

private:
    std::unique_ptr<SceneWorld> freshWorld(std::optional<double> rate);
    void begin(std::unique_ptr<SceneWorld> world, Inputs inputs);
    Inputs standingInputs() const;
    bool hasStandingInputsAlone() const;
    void keepBookOfStart();
    bool goTo(long tick);
    bool runTo(long tick, long before);
    void noteContacts();
    long lastContact(int element, long tick) const;
    long endOfContact(int element, long begin) const;
    void startFrom(long tick);
    bool advance();
    void arrive();
    void keepHistoryWithin();
    void saveSnapshot();
    void applyDue();
    void act(const Action& action);
    void put(Action action);
    void append(Action action);
    void branch();
    void leave(long fork);
    void stop(const std::string& message);
    std::string nonFinite(Trouble& trouble) const;
    void listen(SceneWorld& world);
    bool hasForeignForce() const;
    std::vector<JointSample> jointSamples() const;

    Scene m_scene;
    FlowNetwork m_places;  ///< where elements are attached
    std::vector<PlayedElement> m_elements;
    std::vector<PlayedJoint> m_joints;
    SessionOptions m_options;
    std::optional<double> m_rate;
    std::size_t m_balls;
    BallSize m_ballSize;
    bool m_isSpoilt = false;  ///< the world broke off within a tick

    std::unique_ptr<SceneWorld> m_world;
    Controls m_controls;
    SceneSample m_sample;
    SceneSample m_tickStart;  ///< when the last tick began, and when it ended, before the inputs that came then
    SceneSample m_tickEnd;
    std::vector<ScopeEvent> m_events;
    std::vector<std::vector<long>> m_contacts;  ///< by element: ticks in which contact began, in the order of time
    std::optional<Scope> m_scope;
    long m_tick = 0;
    long m_firstForeign = -1;
    bool m_bitsAgree = true;
    std::optional<Trouble> m_trouble;
    std::optional<RecordingCheck> m_check;
    std::optional<ReplayDifference> m_refusedInput;  // of a recording, in the present run

    Inputs m_inputs;
    long m_edits = 0;
    std::vector<StateMark> m_marks;
    std::unique_ptr<History> m_history;
    SnapshotStore m_snapshots;
    std::string m_refusal;
    std::vector<Ghost> m_ghosts;
    std::vector<std::string> m_messages;
    int m_nextGhost = 1;
    std::vector<long> m_forks = {-1};  ///< by run: last tick that it has in common with the run before
    int m_run = 0;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
