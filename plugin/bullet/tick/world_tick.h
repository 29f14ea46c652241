#pragma once
// The tick of a world: what happens between the solver's set-up and the moment when the bodies stand at their end
// poses.

#include <elasto/force_element.h>
#include <elasto/plugin.h>
#include <elasto/threads.h>
#include <elasto/tick_moment.h>

#include <BulletDynamics/Dynamics/btActionInterface.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "contacts/contact_between.h"
#include "contacts/contact_cache.h"
#include "contacts/contact_corners.h"
#include "host/bullet_internals.h"
#include "host/installed_action.h"
#include "host/installed_islands.h"
#include "host/installed_solver.h"
#include "host/motion_backup.h"
#include "host/unmoved_bodies.h"
#include "multibody/multibody_table.h"
#include "network/body_table.h"
#include "network/element_home.h"
#include "network/sleep_test.h"
#include "network/solved_network.h"
#include "network/uncoupled.h"
#include "tick/callback_queue.h"
#include "tick/group_plan.h"
#include "tick/load_book.h"
#include "tick/multibody_tick.h"
#include "tick/network_queue.h"
#include "tick/single_elements.h"
#include "tick/tick_audits.h"
#include "tick/tick_watcher.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What the user sets (see Plugin).
struct WorldSettings {
    FlowSettings flow;
    RestThresholds restThresholds;
    std::function<void(const std::string&)> messageHandler;
    WorldBudget budget;
    AuditSettings audit;
    std::function<void(const TickRecord&)> tickHandler;
    Grade tickHandlerFrom = Grade::Failed;
    bool keepsContacts = true;  ///< points that Bullet drops while the bodies touch there
    Refusal refusal = Refusal::Throw;
    bool freeFlight = false;  ///< bodies without elements that touch nothing are the flow's
    JobRunner jobRunner;      ///< null: networks are solved one after the other
    int threads = 1;          ///< of jobRunner, where it is ours
};

/// What the world's ticks have come to (see Plugin).
struct WorldResults {
    double time = 0;
    TickStatistics statistics;
    TickStatistics totals;
    EnergyBook energy;  ///< its sums; kinetic and stored are filled on demand
};

/// In the order of a tick:
/// 1. beginTick
/// 2. for each group of islands: expect, solve (networks are found, gathered and solved), finish
/// 3. allSolved: end velocities are handed over - as late as possible, so that a tick which throws has moved nothing
/// 4. Bullet moves its bodies; updateAction: exact poses, collisions on the way, elements' ends, sleep, drawing,
///    and last the user's callbacks and deferred functions, when anything may be removed
class WorldTick final : public SolverEvents,
                        public ElementHome,
                        public btActionInterface,
                        public std::enable_shared_from_this<WorldTick> {
public:
    explicit WorldTick(btDiscreteDynamicsWorld& world) : m_world(&world) {}
    ~WorldTick() override { uninstall(); }

    void install();    ///< @throws std::invalid_argument; nothing is changed then
    void uninstall();  ///< for good

    WorldSettings settings;
    WorldResults results;
    LoadBook loads;
    CallbackQueue callbacks;
    std::shared_ptr<TickWatcher> watcher;  ///< null: nobody

    EnergyBook energyNow() const;
    btDiscreteDynamicsWorld* world() const { return m_world; }  ///< null: destroyed
    bool isTicking() const { return m_isTicking; }              ///< from the solver's begin to the end of our action
    BodyTable& bodyTable() { return m_bodyTable; }
    const BodyTable& bodyTable() const { return m_bodyTable; }
    MultiBodyTable& multiBodies() { return m_multiBodies; }
    const MultiBodyTable& multiBodies() const override { return m_multiBodies; }
    ContactCache& contactCache() { return m_contactCache; }
    const ContactCache& contactCache() const { return m_contactCache; }
    TickMoment inside(double t) const;                                              ///< see Plugin::insideTick
    std::optional<MultiBodyReadout> readout(const btMultiBody& body) const;         ///< see Plugin::readout
    std::vector<ContactReadout> contactsOf(const btCollisionObject& object) const;  ///< see Plugin::contactsOf
    std::vector<TickRecord> capture() const;                                        ///< see Plugin::captureTick
    /// There is no last tick: the world is another one now. Elements forget theirs themselves.
    void forgetLastTick() { m_pool.clear(); }
    /// An element that is being deleted, or is another world's now, gets no more callbacks.
    void forget(ForceElement& element) override;
    void forget(const MultiBodyElement& element) override { callbacks.forget(element); }

    // --- SolverEvents ---
    void beginTick() override;
    void expect(std::span<btTypedConstraint*> constraints, bool isExpected) override;
    void expect(std::span<btMultiBodyConstraint*> constraints, bool isExpected) override;
    void solve(SolverGroup& group) override;
    void finish(SolverGroup& group) override;
    void allSolved() override;
    void abandonTick() override;
    void solverDestroyed() override;
    std::uint64_t destroyed() const override;
    bool mayTakeSingle(btTypedConstraint& constraint) override;
    bool takeSingle(btTypedConstraint& constraint, btCollisionObject& islandsBody) override;
    bool mayTouch(const btPersistentManifold& manifold, const btContactSolverInfo& info) override;
    void fetchSingle(btTypedConstraint& later, btTypedConstraint& soon) override;
    IslandGroups& islands() override { return m_islands; }

    // --- btActionInterface ---
    void updateAction(btCollisionWorld* world, btScalar h) override;
    void debugDraw(btIDebugDraw* drawer) override;

private:
    // What ticks may not throw: tick/world_tick_refusals.cpp.
    /// Calls it. With Refusal::SwitchOff what it throws is said, and what is suspected is switched off.
    /// @return false then
    template <class Step>
    bool attempt(const Step& step) {
        if (settings.refusal == Refusal::Throw) {
            step();
            return true;
        }
        try {
            step();
            return true;
        } catch (const std::exception& error) {
            refuse(error);
            return false;
        }
    }
    /// The same, until it is done without what was refused.
    template <class Step>
    void insist(const Step& step) {
        while (!attempt(step)) {
        }
    }
    /// Says what is refused, and switches off what is suspected, or what the error names.
    void refuse(const std::exception& error);
    void suspectNobody();
    void suspect(const SolvedNetwork& solved);
    void suspect(const NetworkParts& parts);
    void beginLoads();
    /// The network has its bodies, joints and contacts, but elements and loads of them do not act.
    void goOnWithout(std::size_t index);

    // The solver's part: tick/world_tick_solve.cpp.
    void checkNewElements();
    Accuracy accuracyOf(const NetworkPlan& plan) const;
    Idleness idlenessOf(NetworkPlan& plan, SolvedNetwork& solved);
    std::optional<std::span<NetworkPlan>> planNetworks(SolverGroup& group);
    void solveNetwork(SolverGroup& group, NetworkPlan& plan);
    /// Gathers a network with its joints, contacts and multibodies.
    EnergyBetweenTicks gatherAll(NetworkPlan& plan, SolvedNetwork& solved);
    void dropMultiBodies(NetworkPlan& plan);
    void solveOutsideGroups();
    /// Whether the flow may have bodies in this tick that no element has.
    bool mayFollow() const { return settings.freeFlight || !m_bodyTable.isEmpty(); }
    void addLoads(SolverGroup& group) const;
    void warnUncoupled(const SolvedNetwork& solved);
    void warnInexact(const SolvedNetwork& solved);
    void warnShortLines(const SolvedNetwork& solved);
    void warnDeepLinks(const std::vector<ContactPoint>& contacts);
    std::shared_ptr<SolvedNetwork> freshNetwork();
    void addNetwork(std::shared_ptr<SolvedNetwork> solved, const UncoupledTick& uncoupled);
    void solveWaiting();
    void noteContacts();
    void noteSolved(const SolvedNetwork& solved);
    // The action's part: tick/world_tick_action.cpp.
    void writeExactPoses();
    void cutBackMotion();
    double rememberTiedBodies();
    EnergyBook settleBook();
    void keepBookOf(std::size_t index, EnergyBook& book);
    void finishNetwork(std::size_t index);
    void wakeSleepers();

    btDiscreteDynamicsWorld* m_world;  // null: destroyed, or the plugin is
    std::optional<InstalledSolver> m_solver;
    std::optional<InstalledIslands> m_islandManager;
    std::optional<InstalledAction> m_action;
    IslandGroups m_islands;
    UnmovedBodies m_unmoved;  // between allSolved and updateAction

    // Kept from tick to tick.
    BodyTable m_bodyTable;
    ContactCache m_contactCache;
    MultiBodyTable m_multiBodies;
    double m_lastLength = 0;                // of the last tick that was done [s]
    std::uintptr_t m_knownConstraints = 0;  // the sum of their addresses when elements were last looked at

    // The tick.
    TickTime m_tickTime;
    bool m_isTicking = false;
    bool m_isWritten = false;  // velocities are
    TickStatistics m_counts;
    EnergyBetweenTicks m_between;
    SingleElements m_singles;
    MultiBodyTick m_multiBodyTick{m_multiBodies};
    GroupPlan m_plan{m_contactCache, loads.ofTick(), m_multiBodyTick};  // of the present group
    std::vector<btMultiBody*> m_ownedMultiBodies;                       // of the present group: moved by the flow
    NetworkQueue::Networks m_networks;
    std::vector<UncoupledTick> m_uncoupled;  // as m_networks
    std::size_t m_groupBegin = 0;            // first network of the present group
    NetworkQueue m_queue;                    // of those that wait until all groups are known
    MotionBackup m_backup;                   // while there are any
    TickAudits m_audits;
    bool m_hasLength = true;                // false: the tick's length is none, and elements do not act in it
    std::vector<ForceElement*> m_suspects;  // what is being worked at
    std::vector<MultiBodyElement*> m_suspectsOnMultiBodies;

    // Kept to be used again.
    NetworkQueue::Networks m_pool;
    FaceCorners m_faceCorners;
    PointsBetween m_pointsBetween;
    std::vector<ContactTick> m_contactTicks;
    RestSpace m_restSpace;
    std::vector<btRigidBody*> m_others;  // of a network: those that no joint or contact brings into it
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
