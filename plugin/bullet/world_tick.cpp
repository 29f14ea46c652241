#include "world_tick.h"

#include <elasto/errors.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "body_memory.h"
#include "conversion.h"
#include "debug_draw.h"
#include "element_access.h"
#include "element_tick.h"
#include "exact_tick.h"
#include "hand_over.h"
#include "motion_sweep.h"
#include "rest.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void WorldTick::install() {
    m_solver.emplace(*m_world, *this);
    m_world->addAction(this);
    // First in the list: users' actions then see the bodies where they are, and may move them after us.
    auto& actions = WorldInternals::actions(*m_world);
    for (int i = actions.size() - 1; i > 0; --i) {
        actions.swap(i, i - 1);
    }
}

void WorldTick::uninstall() {
    abandonTick();
    if (m_world != nullptr) {
        m_world->removeAction(this);
    }
    m_solver.reset();
    m_world = nullptr;
    m_pending.clear();
    m_deferred.clear();
}

void WorldTick::solverDestroyed() {
    if (m_solver) {
        m_solver->worldIsGone();
    }
    m_world = nullptr;
}

void WorldTick::forget(const ForceElement& element) {
    for (PendingCallback& pending : m_pending) {
        if (pending.element == &element) {
            pending.element = nullptr;
        }
    }
}

// --- The solver's part of the tick ---

void WorldTick::beginTick() {
    abandonTick();  // one that an exception ended
    m_counts = {};
}

void WorldTick::abandonTick() {
    if (m_isHandedOver) {
        for (const auto& solved : m_networks) {
            if (!solved->isUncoupled) {
                restoreMotionClamping(*solved);
                handOverPoses(*solved);
            }
        }
    }
    m_networks.clear();
    m_uncoupled.clear();
    m_groupBegin = 0;
    m_isHandedOver = false;
}

void WorldTick::expect(std::span<btTypedConstraint*> constraints, bool isExpected) {
    for (btTypedConstraint* constraint : constraints) {
        if (ForceElement* element = ElementAccess::from(constraint)) {
            ElementAccess::expect(*element, isExpected);
        }
    }
}

void WorldTick::findRows(const SolverGroup& group) {
    m_hasRows.assign(static_cast<std::size_t>(group.solverBodies->size()), 0);
    m_isOwned.assign(m_hasRows.size(), 0);
    const auto mark = [&](int solverBody) {
        if (solverBody >= 0) {
            m_hasRows[static_cast<std::size_t>(solverBody)] = 1;
        }
    };
    for (const int solverBody : group.jointedBodies) {
        mark(solverBody);
    }
    const auto& predictive = WorldInternals::predictiveManifolds(*m_world);
    for (btPersistentManifold* manifold : group.manifolds) {
        const bool isPredictive = predictive.findLinearSearch(manifold) < predictive.size();
        if (manifold->getNumContacts() > 0 && !isPredictive) {
            mark(manifold->getBody0()->getCompanionId());
            mark(manifold->getBody1()->getCompanionId());
        }
    }
}

bool WorldTick::hasRows(const SolvedNetwork& solved) const {
    return std::any_of(solved.bodies.begin(), solved.bodies.end(), [&](const NetworkBody& entry) {
        return entry.isMovable && m_hasRows[static_cast<std::size_t>(entry.body->getCompanionId())] != 0;
    });
}

// Bullet expects contacts where the start velocity leads to; the solved way is swept for what is really there.
void WorldTick::dropPredictiveRows(SolverGroup& group, const SolvedNetwork& solved) const {
    const auto& predictive = WorldInternals::predictiveManifolds(*m_world);
    const auto isOwned = [&](const btCollisionObject* body) {
        return std::any_of(solved.bodies.begin(), solved.bodies.end(),
                           [&](const NetworkBody& entry) { return entry.isMovable && entry.body == body; });
    };
    const auto silence = [](btSolverConstraint& row) {
        row.m_jacDiagABInv = row.m_rhs = row.m_rhsPenetration = row.m_cfm = row.m_appliedImpulse = 0;
        row.m_lowerLimit = -SIMD_INFINITY;
        row.m_upperLimit = SIMD_INFINITY;
    };
    for (int m = 0; m < predictive.size(); ++m) {
        if (!isOwned(predictive[m]->getBody0()) && !isOwned(predictive[m]->getBody1())) {
            continue;
        }
        for (int p = 0; p < predictive[m]->getNumContacts(); ++p) {
            for (int r = 0; r < group.contactRows->size(); ++r) {
                btSolverConstraint& row = (*group.contactRows)[r];
                if (row.m_originalContactPoint == &predictive[m]->getContactPoint(p)) {
                    silence(row);
                    silence((*group.frictionRows)[row.m_frictionIndex]);
                }
            }
        }
    }
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

void WorldTick::warnUncoupled(const SolvedNetwork& solved) const {
    for (ForceElement* element : solved.elements) {
        if (!ElementAccess::hasWarned(*element)) {
            ElementAccess::setWarned(*element);
            if (messageHandler) {
                messageHandler("elasto: " + element->label() +
                               " is solved uncoupled: a body of its network has joints or contacts, which the solution "
                               "does not know; it acts with the free bodies' impulse, and rebounds may be lost");
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
    m_pool[index]->isUncoupled = false;
    m_pool[index]->isCutBack = false;
    return m_pool[index];
}

TickResult WorldTick::solveNetwork(const SolvedNetwork& solved, double h) const {
    try {
        return solveTick(solved.network, h, settings);
    } catch (const InvalidParameter& error) {
        throw InvalidParameter("the network of " + solved.elements.front()->label(), error.what());
    }
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
    if (m_elements.empty() && loads.empty()) {
        return;
    }
    const TickTime tickTime{time, exactTick(group.timeStep), group.timeStep};
    findRows(group);
    for (const std::vector<ForceElement*>& elements : m_builder.build(m_elements)) {
        for (ForceElement* element : elements) {
            ElementAccess::setHome(*element, weak_from_this());
            ElementAccess::releaseTick(*element);
        }
        const std::shared_ptr<SolvedNetwork> solved = freshNetwork();
        const EnergyBetweenTicks between = gather(elements, loads, tickTime, *solved);
        energy.pushed += between.pushed;
        energy.damping += between.damping;
        UncoupledTick uncoupled;
        solved->h = tickTime.h;
        solved->settings = settings;
        solved->isUncoupled = hasRows(*solved) || isLimited(*solved);
        if (solved->isUncoupled) {
            warnUncoupled(*solved);
            uncoupled = limitForces(*solved);
        }
        solved->result = solveNetwork(*solved, tickTime.h);
        if (solved->isUncoupled) {
            addImpulses(*solved, *group.solverBodies);
        } else {
            dropPredictiveRows(group, *solved);
            for (const NetworkBody& entry : solved->bodies) {
                if (entry.isMovable) {
                    m_isOwned[static_cast<std::size_t>(entry.body->getCompanionId())] = 1;
                }
            }
        }
        m_networks.push_back(solved);
        m_uncoupled.push_back(uncoupled);
    }
    addLoads(group, tickTime);
}

void WorldTick::finish(SolverGroup& group) {
    for (std::size_t i = m_groupBegin; i < m_networks.size(); ++i) {
        if (m_networks[i]->isUncoupled) {
            limitWork(*m_networks[i], m_uncoupled[i], *group.solverBodies);
        }
    }
    m_groupBegin = m_networks.size();
}

void WorldTick::allSolved() {
    const btScalar bulletH = m_world->getSolverInfo().m_timeStep;
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            handOverVelocities(*solved, bulletH);
        }
    }
    m_isHandedOver = true;
}

// --- The action's part ---

void WorldTick::updateAction(btCollisionWorld* /*world*/, btScalar bulletH) {
    const std::shared_ptr<WorldTick> keepAlive = shared_from_this();  // a callback may destroy the plugin
    if (!m_solver->isInPlace()) {
        throw std::logic_error(
            "elasto::Plugin: the world's solver was replaced while the Plugin is installed; destroy the Plugin first");
    }
    const double h = exactTick(bulletH);
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            restoreMotionClamping(*solved);
            handOverPoses(*solved);
        }
    }
    m_isHandedOver = false;
    cutBackMotion();
    for (std::size_t i = 0; i < m_networks.size(); ++i) {
        finishNetwork(i);
    }
    addHeat(m_networks);
    for (const auto& solved : m_networks) {
        if (!solved->isUncoupled) {
            setDrawnMotion(*solved, h, m_world->getLatencyMotionStateInterpolation());
        }
        if (!isAtRest(*solved, restThresholds)) {
            keepAwake(*solved);
        }
    }
    m_counts.ticks = 1;
    statistics = m_counts;
    totals += m_counts;
    time += h;
    m_networks.clear();
    m_uncoupled.clear();
    wakeSleepers(h);
    runCallbacks();
}

void WorldTick::cutBackMotion() {
    for (const auto& solved : m_networks) {
        if (solved->isUncoupled) {
            continue;  // Bullet's own motion clamping has worked
        }
        if (const std::optional<double> hit = sweepMotion(*m_world, *solved, settings)) {
            // The whole network stops there, so that elements and bodies stay together; the rest of the tick is lost,
            // as with Bullet's motion clamping. The next tick finds an ordinary contact.
            solved->result = solveNetwork(*solved, *hit);
            solved->h = *hit;
            solved->isCutBack = true;
            handOverPoses(*solved);
        }
    }
}

void WorldTick::finishNetwork(std::size_t index) {
    SolvedNetwork& solved = *m_networks[index];
    double dissipated = 0;
    if (solved.isUncoupled) {
        dissipated = settle(solved, m_uncoupled[index]);
    } else {
        for (std::size_t e = 0; e < solved.elements.size(); ++e) {
            dissipated += solved.result.elements[e].heat;
        }
    }
    keepBook(solved, dissipated);
    countNetwork(solved);
    for (const ContactEvent& event : solved.result.events) {
        ForceElement* element = solved.elements[static_cast<std::size_t>(event.element)];
        if (ElementAccess::contactCallback(*element, event.begin)) {
            m_pending.push_back({element, event.begin, {event.time, event.speed}});
        }
    }
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        finishElement(m_networks[index], e);
    }
}

void WorldTick::keepBook(const SolvedNetwork& solved, double dissipated) {
    double gain = -solved.startEnergy;
    double loadWork = 0;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        const FlowBody& start = solved.network.bodies[i];
        const BodyState& end = solved.result.bodies[i];
        gain += kineticEnergy(start, end);
        if (solved.bodies[i].isMovable) {
            loadWork += start.force.value(solved.h / 2).dot(end.position - start.position);
        }
    }
    for (const ElementTick& element : solved.result.elements) {
        gain += element.storedEnergy;
    }
    energy.dissipated += dissipated;
    if (solved.isUncoupled) {
        energy.work += loadWork;
        energy.exchanged -= gain - loadWork + dissipated;
        return;
    }
    energy.work += gain - solved.result.energyHandedOut;
    energy.numerical += solved.result.energyHandedOut + dissipated;
    energy.repaired += solved.result.energyRepaired;
    energy.handedOut = std::max(energy.handedOut, solved.result.energyHandedOut);
}

void WorldTick::countNetwork(const SolvedNetwork& solved) {
    const int elements = static_cast<int>(solved.elements.size());
    m_counts.networks += 1;
    m_counts.elements += elements;
    m_counts.elementsPerMethod[static_cast<std::size_t>(solved.result.method)] += elements;
    m_counts.events += static_cast<int>(solved.result.events.size());
    m_counts.steps += solved.result.steps;
    m_counts.fallbacks += solved.result.overBudget ? 1 : 0;
    m_counts.repairs += solved.result.energyRepaired > 0 ? 1 : 0;
    m_counts.uncoupled += solved.isUncoupled ? elements : 0;
    m_counts.cutBack += solved.isCutBack ? 1 : 0;
    if (solved.result.steps > m_counts.worstSteps || m_counts.worstNetwork.empty()) {
        m_counts.worstSteps = solved.result.steps;
        m_counts.worstNetwork = solved.elements.front()->label();
    }
}

void WorldTick::wakeSleepers(double h) const {
    for (const auto& load : loads) {
        if (load->body().isInWorld() && !parabola(*load, {time, h, 0}).isConstant()) {
            load->body().activate();
        }
    }
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        ForceElement* element = ElementAccess::from(m_world->getConstraint(i));
        if (element == nullptr || !element->isEnabled()) {
            continue;
        }
        btRigidBody& a = element->getRigidBodyA();
        btRigidBody& b = element->getRigidBodyB();
        const auto wakeIfMoved = [](btRigidBody& sleeper, const btRigidBody& other, const SavedBody& memory) {
            if (sleeper.getActivationState() == ISLAND_SLEEPING && !sleeper.isStaticOrKinematicObject() &&
                other.isStaticOrKinematicObject() && memory.known && !isPoseRemembered(memory, other)) {
                sleeper.activate();
            }
        };
        wakeIfMoved(a, b, ElementAccess::savedB(*element));
        wakeIfMoved(b, a, ElementAccess::savedA(*element));
    }
}

void WorldTick::runCallbacks() {
    std::stable_sort(m_pending.begin(), m_pending.end(),
                     [](const PendingCallback& x, const PendingCallback& y) { return x.info.time < y.info.time; });
    while (!m_pending.empty()) {
        const PendingCallback pending = m_pending.front();
        m_pending.pop_front();
        if (pending.element != nullptr) {
            // A copy: the callback may delete the element, and itself with it.
            const ForceElement::ContactCallback callback =
                ElementAccess::contactCallback(*pending.element, pending.begins);
            if (callback) {
                callback(*pending.element, pending.info);
            }
        }
    }
    std::vector<std::function<void()>> deferred;
    deferred.swap(m_deferred);  // what these defer runs after the next tick
    for (const std::function<void()>& function : deferred) {
        function();
    }
}

EnergyBook WorldTick::energyNow() const {
    EnergyBook book = energy;
    book.kinetic = 0;
    book.stored = 0;
    if (m_world == nullptr) {
        return book;
    }
    std::vector<const btRigidBody*> counted;
    const auto count = [&](const btRigidBody& body, const SavedBody& memory) {
        if (!body.isStaticOrKinematicObject() && std::find(counted.begin(), counted.end(), &body) == counted.end()) {
            counted.push_back(&body);
            book.kinetic += kineticEnergy(massOf(body), presentState(memory, body));
        }
    };
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        ForceElement* element = ElementAccess::from(m_world->getConstraint(i));
        if (element != nullptr && element->isEnabled()) {
            book.stored += element->storedEnergy();
            count(element->getRigidBodyA(), ElementAccess::savedA(*element));
            count(element->getRigidBodyB(), ElementAccess::savedB(*element));
        }
    }
    return book;
}

void WorldTick::debugDraw(btIDebugDraw* drawer) {
    for (int i = 0; i < m_world->getNumConstraints(); ++i) {
        if (const ForceElement* element = ElementAccess::from(m_world->getConstraint(i))) {
            drawElement(*element, *drawer);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
