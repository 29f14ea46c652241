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
#include "network/refused_element.h"
#include "network/turning_loads.h"
#include "network/write_bodies.h"
#include "network/write_contacts.h"
#include "tick/check_start.h"
#include "tick/tuning.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Something has changed a body's speed by more than what holds it against its loads: what its network's contacts bore
// is not what bears it at rest.
bool hasStruck(const SolvedNetwork& solved) {
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (!solved.bodies[i].isMovable) continue;
        const FlowBody& start = solved.network.bodies[i];
        const Eigen::Vector3d loads = start.inverseMass * solved.network.loadImpulse(i, solved.h).head<3>();
        const Eigen::Vector3d change = solved.result.bodies[i].velocity - start.velocity;
        if ((change - loads).norm() > kBulletRestSpeed + loads.norm()) return true;
    }
    return false;
}

// Nor is what contacts bear that contradict joints: more than loads and elements can press them with.
bool isJammed(const SolvedNetwork& solved) {
    double pressed = 0, borne = 0;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (solved.bodies[i].isMovable) pressed += solved.network.loadImpulse(i, solved.h).head<3>().norm();
    }
    for (const ElementTick& element : solved.result.elements) pressed += std::abs(element.impulse);
    for (const ContactTick& contact : solved.result.contacts) borne = std::max(borne, contact.impulse);
    return borne > kLongestLever * pressed;
}

}  // namespace

void WorldTick::beginTick() {
    const TickRollback rollback(*m_world);
    m_isTicking = false;  // what an exception of the user's left: his changes since stay
    abandonTick();
    m_isTicking = true;
    // Users' actions then see the bodies where they are, and may move them after us.
    m_action->goFirst();
    m_counts = {};
    m_between = {};
    m_ownedMultiBodies.clear();
    m_bodyTable.beginTick();
    m_plan.beginTick();
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    m_tickTime = {results.time, exactTick(bulletH), bulletH};
    m_queue.begin(m_networks, settings.budget, settings.flow.maxCost, m_world->getSolverInfo(), m_multiBodies,
                  m_tickTime);
    m_hasLength = settings.refusal == Refusal::Throw || (m_tickTime.h > 0 && std::isfinite(m_tickTime.h));
    if (!m_hasLength) m_tickTime.h = 0;
    beginLoads();
    insist([&] { checkNewElements(); });
    m_contactCache.fadeImpacts(*m_world->getDispatcher());
    m_islands.sortAsWithoutElements(*m_world);
    m_islands.begin(*m_world);
    m_singles.begin(m_tickTime, m_islands.wereHidden() && loads.isEmpty(), weak_from_this());
    insist([&] { m_multiBodyTick.begin(*m_world, loads.ofTick(), m_tickTime.h, weak_from_this()); });
}

// Those that have not ticked yet; asked for where there are other constraints than in the tick before.
void WorldTick::checkNewElements() {
    const int count = m_world->getNumConstraints();
    std::uintptr_t sum = static_cast<std::uintptr_t>(count);
    for (int i = 0; i < count; ++i) sum += reinterpret_cast<std::uintptr_t>(m_world->getConstraint(i));
    if (sum == m_knownConstraints) return;
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
    const auto isMissing = [](const Problem& problem) { return problem.kind == Problem::Kind::BodyNotInWorld; };
    const auto missing = std::find_if(problems.begin(), problems.end(), isMissing);
    if (missing != problems.end()) throw RefusedElement(*missing->element, missing->message);
    for (const Problem& problem : problems) callbacks.say(problem.message);
    m_knownConstraints = sum;
}

void WorldTick::abandonTick() {
    m_islands.end();
    m_unmoved.putBack();
    m_multiBodyTick.takeLoadsBack();
    loads.makeChanges();
    if (m_isTicking && !m_isWritten) m_multiBodies.restore();  // Bullet has given them their new velocities
    m_backup.forget();
    m_singles.abandon(m_isWritten);
    if (m_isWritten) writeExactPoses();
    m_networks.clear();
    m_uncoupled.clear();
    m_queue.clear();
    m_contactCache.abandonTick();
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

void WorldTick::expect(std::span<btMultiBodyConstraint*> constraints, bool isExpected) {
    for (btMultiBodyConstraint* constraint : constraints) {
        if (MultiBodyElement* element = elementOf(constraint)) {
            ElementAccess::expect(*element, isExpected);
        }
    }
}

// On bodies that the flow does not move, loads act with their mean.
void WorldTick::addLoads(SolverGroup& group) const {
    for (const LoadTable::OfBody& load : loads.ofTick().bodies()) {
        const btRigidBody& body = *load.body;
        const int id = body.getCompanionId();
        if (id < 0 || id >= group.solverBodies->size() || (*group.solverBodies)[id].m_originalBody != &body ||
            m_plan.owned()[static_cast<std::size_t>(id)] != 0 || !isMovable(body)) {
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

void WorldTick::noteSolved(const SolvedNetwork& solved) {
    requireFiniteStart(solved, solved.between);
    requireFiniteEnd(solved);
    m_between += solved.between;
}

/// @return nothing if nobody asks for any
std::optional<std::span<NetworkPlan>> WorldTick::planNetworks(SolverGroup& group) {
    m_multiBodyTick.find(group, m_tickTime.h);
    m_plan.begin(group, *m_world, m_tickTime.h);
    if (!m_plan.hasElements() && loads.loads.empty() && !mayFollow()) return std::nullopt;
    m_plan.findRows(m_bodyTable, settings.freeFlight ? Flights::All : Flights::Left);
    return m_plan.networks();
}

void WorldTick::solve(SolverGroup& group) {
    const TickRollback rollback(*m_world);
    m_groupBegin = m_networks.size();
    m_ownedMultiBodies.clear();
    if (!m_hasLength) return;
    std::optional<std::span<NetworkPlan>> plans;
    insist([&] { plans = planNetworks(group); });
    if (!plans) return;
    for (NetworkPlan& plan : *plans) {
        const std::size_t networks = m_networks.size(), owned = m_ownedMultiBodies.size();
        suspect(plan.parts);
        if (attempt([&] { solveNetwork(group, plan); })) continue;
        m_networks.resize(networks);  // Bullet keeps it
        m_uncoupled.resize(networks);
        m_ownedMultiBodies.resize(owned);
    }
    disableContacts(group, m_plan.owned());
    disable(group, m_ownedMultiBodies);
    addLoads(group);
}

void WorldTick::finish(SolverGroup& group) {
    if (m_world->getNumConstraints() > 0 || !m_multiBodyTick.waiting().empty() || mayFollow())
        m_backup.save(*group.solverBodies);
    for (std::size_t i = m_groupBegin; i < m_networks.size(); ++i) {
        if (m_networks[i]->isUncoupled && !m_networks[i]->isIdle) {
            takeWork(*m_networks[i], m_uncoupled[i], *group.solverBodies);
        }
    }
    m_groupBegin = m_networks.size();
}

void WorldTick::allSolved() {
    const TickRollback rollback(*m_world);
    m_multiBodyTick.takeLoadsBack();
    solveOutsideGroups();
    solveWaiting();
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            writeVelocities(*solved, bulletH);
            for (const MovedMultiBody& moved : solved->multi.bodies) writeEnd(moved);
            writeBounds(*solved);
            if (solved->completesContacts) completeContacts(*solved, *m_world->getDispatcher());
            writeContacts(*solved, m_world->getSolverInfo(), m_contactTicks);
        }
    }
    m_audits.audit(m_networks, settings.audit, settings.jobRunner, m_counts);
    m_isWritten = true;
    m_singles.leaveOut(m_unmoved, *m_world);
}

void WorldTick::solveWaiting() {
    try {
        NetworkQueue::Refused refused;
        if (settings.refusal == Refusal::SwitchOff) {
            refused = [this](std::size_t index, const std::exception& error) {
                suspect(*m_networks[index]);
                refuse(error);
                goOnWithout(index);
            };
        }
        m_queue.solveWaiting(
            settings.jobRunner, [this](const SolvedNetwork& solved) { noteSolved(solved); }, refused);
    } catch (...) {
        m_backup.restore();  // Bullet has given the others their new velocities
        m_multiBodies.restore();
        throw;
    }
    m_backup.forget();
    noteContacts();
}

void WorldTick::noteContacts() {
    for (const auto& solved : m_networks) {
        if (solved->isUncoupled) {
            continue;
        }
        const bool struck = hasStruck(*solved) || isJammed(*solved);
        for (std::size_t i = 0; i < solved->contacts.size(); ++i) {
            solved->contacts[i].hasStruck = struck;
            solved->contacts[i].impulse = solved->result.contacts[i].impulse;
            solved->contacts[i].contact.slack = solved->result.contacts[i].slack;
            solved->contacts[i].contact.creep = solved->result.contacts[i].creep;
            solved->contacts[i].compressed = -solved->result.contacts[i].gap;
            solved->contacts[i].contact.entered = 0;
        }
        m_contactCache.note(solved->contacts);
    }
}

// Those without colliders are in no island, and so in no group.
void WorldTick::solveOutsideGroups() {
    if (m_multiBodyTick.waiting().empty()) return;
    btAlignedObjectArray<btSolverBody> solverBodies;
    btConstraintArray rows;
    std::vector<btMultiBodyConstraint*> constraints(m_multiBodyTick.waiting().begin(), m_multiBodyTick.waiting().end());
    SolverGroup group;
    group.info = &m_world->getSolverInfo();
    group.timeStep = group.info->m_timeStep;
    group.solverBodies = &solverBodies;
    group.contactRows = group.frictionRows = group.rollingRows = group.jointRows = &rows;
    group.multiBodyConstraints = constraints;
    solve(group);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
