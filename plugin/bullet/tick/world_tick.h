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

#include "contacts/contact_cache.h"
#include "contacts/contact_corners.h"
#include "contacts/group_contacts.h"
#include "host/bullet_internals.h"
#include "host/installed_action.h"
#include "host/installed_islands.h"
#include "host/installed_solver.h"
#include "host/motion_backup.h"
#include "host/unmoved_bodies.h"
#include "multibody/multibody_constraints.h"
#include "multibody/multibody_table.h"
#include "network/element_home.h"
#include "network/gather_multibodies.h"
#include "network/idle_network.h"
#include "network/load_table.h"
#include "network/network_builder.h"
#include "network/single_element.h"
#include "network/sleep_test.h"
#include "network/solved_network.h"
#include "network/uncoupled.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

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

    // --- Settings and results (see Plugin) ---
    double time = 0;
    FlowSettings settings;
    RestThresholds restThresholds;
    std::function<void(const std::string&)> messageHandler;
    TickStatistics statistics;
    TickStatistics totals;
    EnergyBook energy;  ///< its sums; kinetic and stored are filled on demand
    std::vector<std::shared_ptr<const Load>> loads;
    std::vector<std::shared_ptr<const JointLoad>> jointLoads;
    WorldBudget budget;
    bool keepsContacts = true;  ///< points that Bullet drops while the bodies touch there
    JobRunner jobRunner;        ///< null: networks are solved one after the other
    int threads = 1;            ///< of jobRunner, where it is ours

    EnergyBook energyNow() const;
    btDiscreteDynamicsWorld* world() const { return m_world; }  ///< null: destroyed
    bool isTicking() const { return m_isTicking; }              ///< from the solver's begin to the end of our action
    BodyTable& bodyTable() { return m_bodyTable; }
    const BodyTable& bodyTable() const { return m_bodyTable; }
    MultiBodyTable& multiBodies() { return m_multiBodies; }
    const MultiBodyTable& multiBodies() const override { return m_multiBodies; }
    ContactMemory& contactMemory() { return m_contactMemory; }
    const ContactMemory& contactMemory() const { return m_contactMemory; }
    /// At once, or when no load is being asked any more: what changes them may be one of them.
    void changeLoads(std::function<void()> change);
    void defer(std::function<void()> function) { m_deferred.push_back(std::move(function)); }
    TickMoment inside(double t) const;  ///< see Plugin::insideTick
    /// An element that is being deleted, or is another world's now, gets no more callbacks.
    void forget(ForceElement& element) override;
    void forget(const MultiBodyElement& element) override;

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
    bool mayTakeAlone(btTypedConstraint& constraint) override;
    bool takeAlone(btTypedConstraint& constraint, btCollisionObject& islandsBody) override;
    bool mayTouch(const btPersistentManifold& manifold, const btContactSolverInfo& info) override;
    void fetchAlone(btTypedConstraint& later, btTypedConstraint& soon) override;
    IslandGroups& islands() override { return m_islands; }

    // --- btActionInterface ---
    void updateAction(btCollisionWorld* world, btScalar h) override;
    void debugDraw(btIDebugDraw* drawer) override;

private:
    struct PendingCallback {
        ForceElement* element;  // null: deleted meanwhile, or the other
        MultiBodyElement* multiBodyElement;
        bool begins;
        ContactInfo info;
        std::size_t order;  // of those at the same time
    };

    void findRows(const SolverGroup& group, double h);
    /// What is in a network; contacts only where they are needed.
    struct Plan {
        int network = 0;  ///< its number in m_builder
        NetworkParts parts;
        std::vector<const HeldJoint*> joints;
        std::vector<ContactPoint> contacts;
    };
    std::span<Plan> planNetworks();
    void planJoints(std::span<Plan> plans);
    void lookAtContacts(bool untilIdle);
    void lookAtAllContacts(Plan& plan);
    void lookAtMotions(const SolverGroup& group, const TickTime& tickTime);
    Idleness idlenessOf(const SolverGroup& group, Plan& plan, const SolvedNetwork& solved, const TickTime& tickTime);
    void findForeseen();
    void markOthers();
    void findContacts(const SolverGroup& group, Plan& plan);
    void findRememberedContacts(const SolverGroup& group, Plan& plan);
    bool isCoupled(const Plan& plan) const;
    Accuracy accuracyOf(const Plan& plan) const;
    void solveNetwork(SolverGroup& group, Plan& plan, const TickTime& tickTime);
    // Elements that are alone: tick/world_tick_single.cpp.
    void findLoadedBodies();
    bool isLoaded(const btRigidBody& body) const;
    void leaveIsolated();
    void writeSingle();
    void abandonIsolated();
    void clearIsolated();
    void finishIsolated(bool hasLatency);
    // Multibodies: tick/world_tick_multibodies.cpp.
    void beginMultiBodies();
    void applyJointLoads();
    void takeJointLoadsBack();
    void findMultiBodies(const SolverGroup& group, double h);
    bool wakesFirst(MultiBodyElement& element) const;
    void sortByPlace(std::vector<MultiBodyElement*>& elements) const;
    void solveOutsideGroups();
    void dropMultiBodies(Plan& plan);
    /// Gathers a network with its joints, contacts and multibodies.
    EnergyBetweenTicks gatherAll(Plan& plan, const TickTime& tickTime, SolvedNetwork& solved);
    bool isTree(const Plan& plan) const;
    void solveTrees(SolvedNetwork& solved, std::size_t index, bool isAhead);
    const char* refusalOf(const btMultiBody& body, const Plan& plan) const;
    void addMultiBodyEnergy(EnergyBook& book) const;
    void followFlights(SolverGroup& group, const TickTime& tickTime);
    void addLoads(SolverGroup& group) const;
    std::string refusalOf(const SolvedNetwork& solved) const;
    void warnUncoupled(const SolvedNetwork& solved);
    void warnFirstOrder(const SolvedNetwork& solved);
    std::shared_ptr<SolvedNetwork> freshNetwork();
    /// @param index of the network in this tick
    void solveFlow(const SolvedNetwork& solved, std::size_t index, double h, TickResult& result);
    void solveMotion(SolvedNetwork& solved, std::size_t index, bool isAhead = false);
    void growWorkspaces(std::size_t count);
    void growTreeWorkspaces(std::size_t count);
    // What the world's budget leaves to whom: tick/world_tick_schedule.cpp.
    double allotted() const { return std::max(m_costLeft, budget.freeShare); }
    void allot(SolvedNetwork& solved) const;
    /// @param isAhead the flow's part is done
    void solveWithinBudget(std::size_t index, bool isAhead = false);
    void sortWaiting();
    void solveWaiting();
    void solveAhead(std::size_t first);
    bool isSolvedAhead(std::size_t place, double maxCost) const;
    void noteSolved(const SolvedNetwork& solved);
    void cutBackMotion();
    double rememberTiedBodies();
    EnergyBook settleBook();
    void finishNetwork(std::size_t index);
    void keepBook(std::size_t index, double dissipated, EnergyBook& book) const;
    void countNetwork(const SolvedNetwork& solved);
    void wakeSleepers(double h);
    void checkNewElements();
    void makeLoadChanges();
    void runCallbacks();

    btDiscreteDynamicsWorld* m_world;  // null: destroyed, or the plugin is
    std::optional<InstalledSolver> m_solver;
    std::optional<InstalledIslands> m_islandManager;
    std::optional<InstalledAction> m_action;
    IslandGroups m_islands;
    UnmovedBodies m_unmoved;  // between allSolved and updateAction

    // The tick. Networks and their uncoupled parts have the same index.
    std::vector<std::shared_ptr<SolvedNetwork>> m_networks;
    std::vector<UncoupledTick> m_uncoupled;
    std::size_t m_groupBegin = 0;        // first network of the present group
    double m_lastLength = 0;             // of the last tick that was done [s]
    std::vector<std::size_t> m_waiting;  // networks that Bullet's own solution does not need, by index
    std::vector<char> m_isAhead;         // by place in m_waiting: the flow has solved it, within some budget
    std::vector<std::size_t> m_flight;   // places in m_waiting of those that are solved ahead together
    MotionBackup m_backup;               // while there are any
    double m_costLeft = 0;               // of the world's budget
    struct Isolated {
        ForceElement* element;
        btRigidBody* body;
        IsolatedRecord* record;
    };
    bool m_movesAtOnce = false;        // in this tick nobody looks at bodies before they are where they end
    std::vector<Isolated> m_isolated;  // solved, each in its element's record
    IsolatedSums m_isolatedSums;
    std::vector<PendingCallback> m_isolatedContacts;  // of those, where somebody wants to know
    TickTime m_tickTime;
    std::weak_ptr<WorldTick> m_self;  // that elements alone come to know
    bool m_isWritten = false;
    bool m_isTicking = false;
    bool m_asksLoads = false;  // now and then in this part of the tick
    std::vector<std::function<void()>> m_loadChanges;
    TickStatistics m_counts;
    EnergyBetweenTicks m_between;

    BodyTable m_bodyTable;
    ContactMemory m_contactMemory;
    MultiBodyTable m_multiBodies;
    struct LentTorque {
        btMultiBody* body;
        int link;
        btScalar before;
    };
    std::vector<LentTorque> m_lentTorques;             // means of joint loads that Bullet's own step sees
    std::vector<MultiBodyElement*> m_waitingElements;  // of this tick, whose group has not come yet
    MultiBodyParts m_multiBodyParts;                   // of the present group
    std::vector<JointBound> m_bounds;                  // of all multibodies of the group
    std::vector<std::pair<const btMultiBody*, const char*>> m_refusedMultiBodies;
    std::vector<btMultiBody*> m_ownedMultiBodies;  // of the present group: moved by the flow

    // Kept to be used again.
    std::vector<std::shared_ptr<SolvedNetwork>> m_pool;
    std::vector<FlowWorkspace> m_workspaces;  // as m_networks
    std::vector<TreeWorkspace> m_treeWorkspaces;
    NetworkBuilder m_builder;
    std::vector<Plan> m_plans;  // of the present group, and room for more
    std::vector<ForceElement*> m_elements;
    GroupJoints m_joints;
    GroupContacts m_contacts;
    GroundCorners m_groundCorners;
    std::vector<ContactTick> m_contactTicks;
    std::vector<NetworkMotion> m_motions;  // by network of the group, last of what is in none; empty until asked for
    using Manifolds = std::vector<btPersistentManifold*>;
    std::vector<Manifolds> m_manifolds;  // by network of the group, and room for more
    Manifolds m_remembered;              // of the group: those whose pair the contact memory has
    Manifolds m_rememberedOfOne;         // of one network: those of them
    bool m_hasManifolds = false;         // are known in this group
    bool m_hasRemembered = false;        // are known in this group
    RestSpace m_restSpace;
    std::vector<char> m_isForeseen;      // by solver body: it is swept over the tick
    std::vector<char> m_hasRows;         // by solver body: contacts or joints that the flow cannot solve
    std::vector<char> m_isOwned;         // by solver body: moved by the flow
    LoadTable m_loadTable;               // of this tick
    LoadTable m_nextLoads;               // of the next one, as far as is known
    std::vector<char> m_isLoaded;        // by place in the world: has a load; empty where there are none
    std::vector<ContactEvent> m_events;  // of one element

    std::uintptr_t m_knownConstraints = 0;  // the sum of their addresses when elements were last looked at
    std::vector<std::string> m_messages;    // handed out at the end of the tick, where the user may do what he likes
    std::vector<PendingCallback> m_pending;
    std::size_t m_called = 0;  // of them
    std::vector<std::function<void()>> m_deferred;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
