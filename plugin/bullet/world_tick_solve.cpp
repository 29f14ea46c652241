// The tick's first part: called by the solver, before any body has moved.

#include <elasto/errors.h>

#include <algorithm>

#include "conversion.h"
#include "element_access.h"
#include "exact_tick.h"
#include "finite_check.h"
#include "hand_over.h"
#include "inert_row.h"
#include "world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void WorldTick::beginTick() {
    abandonTick();  // one that an exception ended
    m_isTicking = true;
    m_counts = {};
    m_between = {};
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
    m_isTicking = false;
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
    std::vector<int> others = group.multiBodyPartners;
    m_joints.clear();
    if (!m_elements.empty()) {
        m_joints = findJoints(group, others);
    }
    for (const int solverBody : others) {
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

// The flow knows all that acts on the network's bodies.
bool WorldTick::isCoupled(const std::vector<ForceElement*>& elements,
                          const std::vector<const HeldJoint*>& joints) const {
    const auto isFree = [&](const btRigidBody& body) {
        return !isMovable(body) || m_hasRows[static_cast<std::size_t>(body.getCompanionId())] == 0;
    };
    const auto areFree = [&](const btTypedConstraint& link) {
        return isFree(link.getRigidBodyA()) && isFree(link.getRigidBodyB());
    };
    for (const ForceElement* element : elements) {
        if (!areFree(*element) || isLimited(*element)) {
            return false;
        }
    }
    return std::all_of(joints.begin(), joints.end(), [&](const HeldJoint* held) { return areFree(*held->joint); });
}

// Bullet expects contacts where the start velocity leads to; the solved way is swept for what is really there.
void WorldTick::dropPredictiveRows(SolverGroup& group, const SolvedNetwork& solved) const {
    const auto& predictive = WorldInternals::predictiveManifolds(*m_world);
    const auto isOwned = [&](const btCollisionObject* body) {
        return std::any_of(solved.bodies.begin(), solved.bodies.end(),
                           [&](const NetworkBody& entry) { return entry.isMovable && entry.body == body; });
    };
    for (int m = 0; m < predictive.size(); ++m) {
        if (!isOwned(predictive[m]->getBody0()) && !isOwned(predictive[m]->getBody1())) {
            continue;
        }
        for (int p = 0; p < predictive[m]->getNumContacts(); ++p) {
            for (int r = 0; r < group.contactRows->size(); ++r) {
                btSolverConstraint& row = (*group.contactRows)[r];
                if (row.m_originalContactPoint == &predictive[m]->getContactPoint(p)) {
                    makeInert((*group.frictionRows)[row.m_frictionIndex]);
                    makeInert(row);
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
                               " is solved uncoupled: a body of its network has contacts, or joints that the "
                               "solution cannot hold; it acts with the free bodies' impulse, and rebounds may be lost");
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

void WorldTick::solveNetwork(const SolvedNetwork& solved, std::size_t index, double h, TickResult& result) {
    while (m_workspaces.size() <= index) m_workspaces.emplace_back();
    try {
        solveTick(solved.network, h, settings, m_workspaces[index], result);
    } catch (const InvalidNetwork& refused) {
        throw named(solved, refused);
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
    const auto& networks = m_builder.build(m_elements, m_joints);
    std::vector<std::vector<const HeldJoint*>> jointsOf(networks.size());
    for (const HeldJoint& held : m_joints) {
        const btRigidBody& a = held.joint->getRigidBodyA();
        const btRigidBody& b = held.joint->getRigidBodyB();
        const btRigidBody* owner = isMovable(a) ? &a : isMovable(b) ? &b : nullptr;
        const int network = owner != nullptr ? m_builder.networkOf(*owner) : -1;
        if (network >= 0) {
            jointsOf[static_cast<std::size_t>(network)].push_back(&held);
        }
    }
    for (std::size_t n = 0; n < networks.size(); ++n) {
        const std::vector<ForceElement*>& elements = networks[n];
        std::vector<const HeldJoint*>& joints = jointsOf[n];
        const bool coupled = isCoupled(elements, joints);
        if (!coupled) {
            joints.clear();  // they are Bullet's
        }
        for (ForceElement* element : elements) {
            ElementAccess::setHome(*element, weak_from_this());
            ElementAccess::releaseTick(*element);
        }
        const std::shared_ptr<SolvedNetwork> solved = freshNetwork();
        const EnergyBetweenTicks between = gather(elements, joints, m_bodyTable, loads, tickTime, *solved);
        UncoupledTick uncoupled;
        solved->h = tickTime.h;
        solved->settings = settings;
        solved->isUncoupled = !coupled;
        if (solved->isUncoupled) {
            warnUncoupled(*solved);
            uncoupled = limitForces(*solved);
        }
        solveNetwork(*solved, m_networks.size(), tickTime.h, solved->result);
        requireFiniteStart(*solved, between);
        requireFiniteEnd(*solved);
        m_between += between;
        if (solved->isUncoupled) {
            addImpulses(*solved, uncoupled, *group.solverBodies);
        } else {
            dropPredictiveRows(group, *solved);
            for (const HeldJoint* held : joints) {
                silence(group, *held);
            }
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
            takeWork(*m_networks[i], m_uncoupled[i], *group.solverBodies);
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

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
