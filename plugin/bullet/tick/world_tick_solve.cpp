// The tick's first part: called by the solver, before any body has moved.

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>

#include "host/conversion.h"
#include "host/tick_length.h"
#include "host/tick_rollback.h"
#include "multibody/multibody_rows.h"
#include "network/element_access.h"
#include "network/finite_check.h"
#include "network/idle_network.h"
#include "network/joint_feedback.h"
#include "network/multibody_hand_over.h"
#include "network/turning_loads.h"
#include "network/write_bodies.h"
#include "network/write_contacts.h"
#include "tick/check_start.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// So many ticks of the first order more than others are no passing event: a second at 60 Hz.
constexpr int kMostOfFirstOrder = 60;
constexpr int kHasSaid = -1;

}  // namespace

void WorldTick::beginTick() {
    const ThrownTick thrown(*m_world);
    m_isTicking = false;  // what an exception of the user's left: his changes since stay
    abandonTick();
    m_isTicking = m_asksLoads = true;
    // Users' actions then see the bodies where they are, and may move them after us.
    m_action->goFirst();
    m_counts = {};
    m_between = {};
    m_costLeft = budget.cost;
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    m_tickTime = {time, exactTick(bulletH), bulletH};
    m_loadTable.begin(loads, jointLoads, m_tickTime);
    checkNewElements();
    findLoadedBodies();
    m_self = weak_from_this();
    m_contactMemory.fadeImpacts(*m_world->getDispatcher());
    m_islands.sortAsWithoutElements(*m_world);
    m_islands.begin(*m_world);
    m_movesAtOnce = m_islands.wereHidden() && loads.empty() && jointLoads.empty();
    beginMultiBodies();
}

// Those that have not ticked yet; asked for where there are other constraints than in the tick before.
void WorldTick::checkNewElements() {
    const int count = m_world->getNumConstraints();
    std::uintptr_t sum = static_cast<std::uintptr_t>(count);
    for (int i = 0; i < count; ++i) sum += reinterpret_cast<std::uintptr_t>(m_world->getConstraint(i));
    if (sum == m_knownConstraints) return;
    const ThrownTick thrown(*m_world);
    std::vector<const ForceElement*> elements;
    std::vector<const btTypedConstraint*> joints;
    for (int i = 0; i < count; ++i) {
        const btTypedConstraint* constraint = m_world->getConstraint(i);
        if (const ForceElement* element = elementOf(constraint)) {
            if (element->isEnabled() && element->tickLength() == 0) elements.push_back(element);
        } else {
            joints.push_back(constraint);
        }
    }
    std::vector<Problem> problems;
    checkStart(*m_world, elements, joints, problems);
    for (const Problem& problem : problems) {
        if (problem.kind == Problem::Kind::BodyNotInWorld) throw std::logic_error(problem.message);
    }
    for (const Problem& problem : problems) m_messages.push_back("elasto: " + problem.message);
    m_knownConstraints = sum;
}

void WorldTick::abandonTick() {
    m_islands.end();
    m_unmoved.putBack();
    takeJointLoadsBack();
    makeLoadChanges();
    if (m_isTicking && !m_isWritten) m_multiBodies.restore();  // Bullet has given them their new velocities
    m_backup.forget();
    abandonIsolated();
    if (m_isWritten) {
        for (const auto& solved : m_networks) {
            if (!solved->isUncoupled) {
                restoreMotionClamping(*solved);
                writePoses(*solved);
                for (const MovedMultiBody& moved : solved->multiBodies) writeExactly(moved);
            }
        }
    }
    m_networks.clear();
    m_uncoupled.clear();
    m_waiting.clear();
    m_contactMemory.abandonTick();
    m_groupBegin = 0;
    m_isWritten = false;
    m_isTicking = false;
}

void WorldTick::expect(std::span<btTypedConstraint*> constraints, bool isExpected) {
    for (btTypedConstraint* constraint : constraints) {
        if (ForceElement* element = elementOf(constraint)) {
            ElementAccess::expect(*element, isExpected);
        }
    }
}

// On bodies that the flow does not move, loads act with their mean.
void WorldTick::addLoads(SolverGroup& group) const {
    for (const LoadTable::OfBody& load : m_loadTable.bodies()) {
        const btRigidBody& body = *load.body;
        const int id = body.getCompanionId();
        if (id < 0 || id >= group.solverBodies->size() || (*group.solverBodies)[id].m_originalBody != &body ||
            m_isOwned[static_cast<std::size_t>(id)] != 0 || !isMovable(body)) {
            continue;
        }
        // Networks refuse theirs by name.
        for (const double part : load.impulse) {
            if (!std::isfinite(part)) throw InvalidParameter("Load", "value", part, "finite");
        }
        btSolverBody& target = (*group.solverBodies)[id];
        target.internalGetDeltaLinearVelocity() +=
            toBullet(Eigen::Vector3d(load.impulse.head<3>())) * target.internalGetInvMass();
        target.internalGetDeltaAngularVelocity() += body.getInvInertiaTensorWorld() *
                                                    toBullet(Eigen::Vector3d(load.impulse.tail<3>())) *
                                                    body.getAngularFactor();
    }
}

// What the solution cannot hold, in brackets; empty if that is contacts.
std::string WorldTick::refusalOf(const SolvedNetwork& solved) const {
    for (const RefusedJoint& joint : m_joints.refused) {
        for (const NetworkBody& entry : solved.bodies) {
            const int id = entry.body->getCompanionId();
            if (entry.isMovable && (id == joint.bodyA || id == joint.bodyB)) {
                return std::string(" (") + joint.reason + ")";
            }
        }
    }
    return {};
}

void WorldTick::warnUncoupled(const SolvedNetwork& solved) {
    for (ForceElement* element : solved.elements) {
        if (!ElementAccess::hasWarned(*element)) {
            ElementAccess::setWarned(*element);
            m_messages.push_back("elasto: " + element->label() +
                                 " is solved uncoupled: a body of its network has contacts, or joints that the "
                                 "solution cannot hold" +
                                 refusalOf(solved) +
                                 "; it acts with the free bodies' impulse, and rebounds may be lost");
        }
    }
}

void WorldTick::warnFirstOrder(const SolvedNetwork& solved) {
    const auto note = [&](auto& element) {
        int& ticks = ElementAccess::firstOrder(element);
        if (ticks == kHasSaid) return;
        ticks = std::max(ticks + (solved.result.isFirstOrder ? 1 : -1), 0);
        if (ticks < kMostOfFirstOrder) return;
        ticks = kHasSaid;
        m_messages.push_back("elasto: " + element.label() +
                             " is solved to the first order in most ticks, and its rebounds lose energy: the implicit "
                             "step finds nothing better for its network in the length of a tick and the budget "
                             "(FlowSettings::mostSubsteps, maxCost); more ticks per second help");
    };
    for (ForceElement* element : solved.elements) note(*element);
    for (MultiBodyElement* element : solved.multiBodyElements) note(*element);
}

std::shared_ptr<SolvedNetwork> WorldTick::freshNetwork() {
    const std::size_t index = m_networks.size();
    if (index >= m_pool.size()) {
        m_pool.push_back(std::make_shared<SolvedNetwork>());
    } else if (m_pool[index].use_count() > 1) {  // elements that were not solved since keep theirs
        m_pool[index] = std::make_shared<SolvedNetwork>();
    }
    m_pool[index]->tick = totals.ticks;
    m_pool[index]->isUncoupled = false;
    m_pool[index]->isIdle = false;
    m_pool[index]->completesContacts = false;
    m_pool[index]->isCutBack = false;
    return m_pool[index];
}

void WorldTick::growWorkspaces(std::size_t count) {
    while (m_workspaces.size() < count) m_workspaces.emplace_back();
}

void WorldTick::solveFlow(const SolvedNetwork& solved, std::size_t index, double h, TickResult& result) {
    growWorkspaces(index + 1);
    try {
        solveTick(solved.network, h, solved.settings, m_workspaces[index], result);
    } catch (const InvalidNetwork& refused) {
        throw named(solved, refused);
    } catch (const InvalidParameter& error) {
        throw InvalidParameter(nameOf(solved), error.what());
    }
}

// Loads that depend on the motion are those of the start at first, and then those along the motion that this gave.
void WorldTick::solveMotion(SolvedNetwork& solved, std::size_t index, bool isAhead) {
    if (!isAhead) solveFlow(solved, index, solved.h, solved.result);
    const bool turned = turnLoads(solved);
    if (setLoadsInside(solved, solved.result.bodies) || turned) {
        const double cost = solved.result.cost, most = solved.result.mostCost;
        solveFlow(solved, index, solved.h, solved.result);
        solved.result.cost += cost;
        solved.result.mostCost += most;
    }
    for (MovedMultiBody& moved : solved.multiBodies) readEnd(moved, solved.result, solved.h);
}

void WorldTick::noteSolved(const SolvedNetwork& solved) {
    requireFiniteStart(solved, solved.between);
    requireFiniteEnd(solved);
    m_between += solved.between;
}

void WorldTick::solve(SolverGroup& group) {
    const ThrownTick thrown(*m_world);
    m_groupBegin = m_networks.size();
    m_elements.clear();
    for (btTypedConstraint* constraint : group.constraints) {
        ForceElement* element = elementOf(constraint);
        if (element != nullptr && element->isEnabled()) {
            m_elements.push_back(element);
        }
    }
    const TickTime& tickTime = m_tickTime;
    findMultiBodies(group, tickTime.h);
    if (m_elements.empty() && loads.empty() && m_bodyTable.isEmpty() && m_multiBodyParts.elements.empty()) {
        return;
    }
    findRows(group, tickTime.h);
    for (Plan& plan : planNetworks()) {
        solveNetwork(group, plan, tickTime);
    }
    silenceContacts(group, m_isOwned);
    silence(group, m_ownedMultiBodies);
    followFlights(group, tickTime);
    addLoads(group);
}

Accuracy WorldTick::accuracyOf(const Plan& plan) const {
    std::optional<Accuracy> most;
    const auto look = [&](const ElementCommon& element) {
        const Accuracy its = element.accuracy().value_or(settings.accuracy);
        most = most ? std::min(*most, its) : its;
    };
    for (const ForceElement* element : plan.parts.elements) look(*element);
    for (const MultiBodyElement* element : plan.parts.multiBodyElements) look(*element);
    return most.value_or(settings.accuracy);
}

void WorldTick::solveNetwork(SolverGroup& group, Plan& plan, const TickTime& tickTime) {
    const std::vector<ForceElement*>& elements = plan.parts.elements;
    for (ForceElement* element : elements) {
        ElementAccess::setHome(*element, m_self);
        ElementAccess::releaseTick(*element);
    }
    const bool hasMultiBodies = !plan.parts.multiBodies.empty();
    const Accuracy accuracy = accuracyOf(plan);
    bool coupled = true;
    if (hasMultiBodies) {
        findContacts(group, plan);
        coupled = isCoupled(plan);
        if (!coupled) dropMultiBodies(plan);
        if (plan.parts.isEmpty()) return;
    }
    const std::shared_ptr<SolvedNetwork> solved = freshNetwork();
    EnergyBetweenTicks between = gather(elements, m_loadTable, tickTime, *solved);
    solved->h = tickTime.h;
    solved->settings = settings;
    solved->settings.accuracy = accuracy;
    Idleness idleness = idlenessOf(group, plan, *solved, tickTime);
    if (idleness == Idleness::Idle) {
        findRememberedContacts(group, plan);
        // Where Bullet has dropped a corner that bears it would tip what stands there.
        const bool isLarge = m_motions[static_cast<std::size_t>(plan.network)].isLarge();
        solved->completesContacts = keepsContacts && !isLarge && m_contactMemory.lacksPoints(plan.contacts);
        if (solved->completesContacts) idleness = Idleness::Active;
    }
    if (idleness != Idleness::Idle && !hasMultiBodies) {
        findContacts(group, plan);
        coupled = isCoupled(plan);
    }
    const bool isLeft = coupled && accuracy == Accuracy::Uncoupled && !hasMultiBodies && !plan.contacts.empty();
    coupled = coupled && !isLeft;
    solved->isIdle = idleness == Idleness::Idle || (idleness == Idleness::IfUncoupled && !coupled);
    solved->isUncoupled = solved->isIdle || !coupled;
    UncoupledTick uncoupled;
    if (solved->isUncoupled) {
        uncoupled = limitForces(*solved);
    } else {
        between += gatherAll(plan, tickTime, *solved);
    }
    if (solved->isUncoupled && !solved->isIdle && !isLeft) {
        warnUncoupled(*solved);
    }
    solved->between = between;
    const std::size_t index = m_networks.size();
    m_networks.push_back(solved);
    m_uncoupled.push_back(uncoupled);
    if (solved->isIdle) {
        warmStart(group, m_contactMemory.resume(plan.contacts));
        setIdleResult(*solved);
    } else if (solved->isUncoupled) {
        solveWithinBudget(index);
    } else {
        m_waiting.push_back(index);
    }
    if (!solved->isUncoupled) {
        for (const HeldJoint* held : plan.joints) {
            noteRows(group, *held, *solved);
            silence(group, *held);
        }
        for (const NetworkBody& entry : solved->bodies) {
            if (entry.isMovable) {
                m_isOwned[static_cast<std::size_t>(entry.body->getCompanionId())] = 1;
            }
        }
        return;
    }
    noteSolved(*solved);
    if (!solved->isIdle) {
        addImpulses(*solved, m_uncoupled.back(), *group.solverBodies);
    }
}

void WorldTick::finish(SolverGroup& group) {
    if (m_world->getNumConstraints() > 0 || !m_waitingElements.empty()) m_backup.save(*group.solverBodies);
    for (std::size_t i = m_groupBegin; i < m_networks.size(); ++i) {
        if (m_networks[i]->isUncoupled && !m_networks[i]->isIdle) {
            takeWork(*m_networks[i], m_uncoupled[i], *group.solverBodies);
        }
    }
    m_groupBegin = m_networks.size();
}

void WorldTick::allSolved() {
    const ThrownTick thrown(*m_world);
    takeJointLoadsBack();
    solveOutsideGroups();
    solveWaiting();
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            writeVelocities(*solved, bulletH);
            for (const MovedMultiBody& moved : solved->multiBodies) writeEnd(moved);
            writeBounds(*solved);
            if (solved->completesContacts) completeContacts(*solved, *m_world->getDispatcher());
            writeContacts(*solved, m_world->getSolverInfo(), m_contactTicks);
        }
    }
    m_isWritten = true;
    leaveIsolated();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
