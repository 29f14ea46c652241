// The tick's first part: called by the solver, before any body has moved.

#include <elasto/errors.h>

#include <algorithm>

#include "conversion.h"
#include "element_access.h"
#include "exact_tick.h"
#include "finite_check.h"
#include "hand_over.h"
#include "idle_network.h"
#include "joint_feedback.h"
#include "multibody_hand_over.h"
#include "multibody_rows.h"
#include "world_tick.h"
#include "write_back.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void WorldTick::beginTick() {
    m_isTicking = false;  // what an exception of the user's left: his changes since stay
    abandonTick();
    m_isTicking = true;
    m_counts = {};
    m_between = {};
    m_costLeft = budget.cost;
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    m_tickTime = {time, exactTick(bulletH), bulletH};
    findLoadedBodies();
    m_self = weak_from_this();
    m_islands.begin(*m_world);
    beginMultiBodies();
}

void WorldTick::abandonTick() {
    m_islands.end();
    takeJointLoadsBack();
    if (m_isTicking && !m_isHandedOver) m_multiBodies.restore();  // Bullet has given them their new velocities
    m_backup.forget();
    abandonIsolated();
    if (m_isHandedOver) {
        for (const auto& solved : m_networks) {
            if (!solved->isUncoupled) {
                restoreMotionClamping(*solved);
                handOverPoses(*solved);
                for (const MovedMultiBody& moved : solved->multiBodies) handOverExactly(moved);
            }
        }
    }
    m_networks.clear();
    m_uncoupled.clear();
    m_waiting.clear();
    m_contactMemory.abandonTick();
    m_groupBegin = 0;
    m_isHandedOver = false;
    m_isTicking = false;
}

void WorldTick::expect(std::span<btTypedConstraint*> constraints, bool isExpected) {
    for (btTypedConstraint* constraint : constraints) {
        if (ForceElement* element = ElementAccess::from(constraint)) {
            ElementAccess::expect(*element, isExpected);
        }
    }
}

void WorldTick::findRows(const SolverGroup& group, double h) {
    m_hasRows.assign(static_cast<std::size_t>(group.solverBodies->size()), 0);
    m_isOwned.assign(m_hasRows.size(), 0);
    const auto mark = [&](int solverBody) {
        if (solverBody >= 0) {
            m_hasRows[static_cast<std::size_t>(solverBody)] = 1;
        }
    };
    for (const int solverBody : group.multiBodyPartners) {
        mark(solverBody);
    }
    m_joints.clear();
    if (!m_elements.empty()) {
        findJoints(group, h, m_joints);
    }
    for (const RefusedJoint& joint : m_joints.refused) {
        mark(joint.bodyA);
        mark(joint.bodyB);
    }
    findContacts(group, *m_world, !m_multiBodyParts.elements.empty(), m_contacts);
    for (const btCollisionObject* other : m_contacts.others) {
        if (isMovable(*other)) {
            mark(other->getCompanionId());
        }
    }
}

// Joints and contacts by network, in their orders.
std::span<WorldTick::Plan> WorldTick::planNetworks() {
    std::size_t count = 0;
    for (const NetworkParts& parts : m_builder.build(m_elements, m_joints.held, m_contacts.points, m_multiBodyParts)) {
        if (m_plans.size() == count) m_plans.emplace_back();
        Plan& plan = m_plans[count++];
        plan.parts = parts;
        plan.joints.clear();
        plan.contacts.clear();
    }
    const std::span<Plan> plans(m_plans.data(), count);
    const auto planOf = [&](const btCollisionObject& x, const btCollisionObject& y) {
        const int network = std::max(m_builder.networkOf(x), m_builder.networkOf(y));
        return network >= 0 ? &plans[static_cast<std::size_t>(network)] : nullptr;
    };
    for (const HeldJoint* held : m_joints.held) {
        if (Plan* plan = planOf(held->joint->getRigidBodyA(), held->joint->getRigidBodyB())) {
            plan->joints.push_back(held);
        }
    }
    for (const ContactPoint& point : m_contacts.points) {
        if (Plan* plan = planOf(*point.bodyA, *point.bodyB)) {
            plan->contacts.push_back(point);
        }
    }
    return plans;
}

// The flow knows all that acts on the network's bodies.
bool WorldTick::isCoupled(const Plan& plan) const {
    const std::vector<ForceElement*>& elements = plan.parts.elements;
    const auto isFree = [&](const btCollisionObject& body) {
        return !isMovable(body) || m_hasRows[static_cast<std::size_t>(body.getCompanionId())] == 0;
    };
    const auto areFree = [&](const btTypedConstraint& link) {
        return isFree(link.getRigidBodyA()) && isFree(link.getRigidBodyB());
    };
    return std::all_of(elements.begin(), elements.end(),
                       [&](const ForceElement* element) {
                           return areFree(*element) && isFree(element->placement().carrier()) && !isLimited(*element);
                       }) &&
           std::all_of(plan.joints.begin(), plan.joints.end(),
                       [&](const HeldJoint* held) { return areFree(*held->joint); }) &&
           std::all_of(plan.contacts.begin(), plan.contacts.end(),
                       [&](const ContactPoint& point) { return isFree(*point.bodyA) && isFree(*point.bodyB); }) &&
           std::all_of(plan.parts.multiBodies.begin(), plan.parts.multiBodies.end(),
                       [&](const btMultiBody* body) { return refusalOf(*body, plan) == nullptr; });
}

// On bodies that the flow does not move, loads act with their mean.
void WorldTick::addLoads(SolverGroup& group, const TickTime& tickTime) const {
    for (const auto& load : loads) {
        const btRigidBody& body = load->body();
        const int id = body.getCompanionId();
        if (id < 0 || id >= group.solverBodies->size() || (*group.solverBodies)[id].m_originalBody != &body ||
            m_isOwned[static_cast<std::size_t>(id)] != 0 || !isMovable(body)) {
            continue;
        }
        const QuadraticLoad curve = parabola(*load, tickTime);
        const double h = tickTime.h;
        const btVector3 impulse =
            toBullet(Eigen::Vector3d(h * (curve.constant + curve.linear * (h / 2) + curve.quadratic * (h * h / 3))));
        btSolverBody& target = (*group.solverBodies)[id];
        if (load->kind() == Load::Kind::Force) {
            target.internalGetDeltaLinearVelocity() += impulse * target.internalGetInvMass();
        } else {
            target.internalGetDeltaAngularVelocity() +=
                body.getInvInertiaTensorWorld() * impulse * body.getAngularFactor();
        }
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

void WorldTick::warnUncoupled(const SolvedNetwork& solved) const {
    for (ForceElement* element : solved.elements) {
        if (!ElementAccess::hasWarned(*element)) {
            ElementAccess::setWarned(*element);
            if (messageHandler) {
                messageHandler("elasto: " + element->label() +
                               " is solved uncoupled: a body of its network has contacts, or joints that the "
                               "solution cannot hold" +
                               refusalOf(solved) + "; it acts with the free bodies' impulse, and rebounds may be lost");
            }
        }
    }
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

void WorldTick::noteSolved(const SolvedNetwork& solved) {
    requireFiniteStart(solved, solved.between);
    requireFiniteEnd(solved);
    m_between += solved.between;
}

void WorldTick::solve(SolverGroup& group) {
    m_groupBegin = m_networks.size();
    m_elements.clear();
    for (btTypedConstraint* constraint : group.constraints) {
        ForceElement* element = ElementAccess::from(constraint);
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
    addLoads(group, tickTime);
}

void WorldTick::solveNetwork(SolverGroup& group, Plan& plan, const TickTime& tickTime) {
    const std::vector<ForceElement*>& elements = plan.parts.elements;
    for (ForceElement* element : elements) {
        ElementAccess::setHome(*element, weak_from_this());
        ElementAccess::releaseTick(*element);
    }
    const bool coupled = isCoupled(plan);
    if (!coupled) dropMultiBodies(plan);
    if (plan.parts.isEmpty()) return;
    const std::shared_ptr<SolvedNetwork> solved = freshNetwork();
    EnergyBetweenTicks between = gather(elements, loads, tickTime, *solved);
    solved->h = tickTime.h;
    solved->settings = settings;
    solved->isIdle = !plan.contacts.empty() && plan.parts.multiBodies.empty() &&
                     isIdle(*solved, coupled, plan.contacts, plan.joints, loads, tickTime);
    solved->isUncoupled = solved->isIdle || !coupled;
    UncoupledTick uncoupled;
    if (solved->isUncoupled) {
        uncoupled = limitForces(*solved);
    } else {
        between += gatherAll(plan, tickTime, *solved);
    }
    if (solved->isUncoupled && !solved->isIdle) {
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
    takeJointLoadsBack();
    solveOutsideGroups();
    solveWaiting();
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            handOverVelocities(*solved, bulletH);
            for (const MovedMultiBody& moved : solved->multiBodies) handOver(moved);
            writeBackBounds(*solved);
            writeBackContacts(*solved, m_world->getSolverInfo(), m_contactTicks);
        }
    }
    m_isHandedOver = true;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
