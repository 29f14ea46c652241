// Multibodies in a tick: which of them the elements of a group move, and those without colliders, which are in no
// group.

#include <elasto/errors.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <tuple>

#include "contacts/contact_line.h"
#include "host/tick_length.h"
#include "network/element_access.h"
#include "network/element_order.h"
#include "network/finite_check.h"
#include "network/multibody_tree.h"
#include "network/sleep_test.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

std::array<const btMultiBody*, 2> bodiesOf(MultiBodyElement& element) {
    return {element.getMultiBodyA(), element.getMultiBodyB()};
}

btMultiBodyDynamicsWorld* multiBodyWorld(btDiscreteDynamicsWorld* world) {
    return dynamic_cast<btMultiBodyDynamicsWorld*>(world);
}

}  // namespace

void WorldTick::expect(std::span<btMultiBodyConstraint*> constraints, bool isExpected) {
    for (btMultiBodyConstraint* constraint : constraints) {
        if (MultiBodyElement* element = elementOf(constraint)) {
            ElementAccess::expect(*element, isExpected);
        }
    }
}

// Before Bullet's own step gives the multibodies other velocities.
void WorldTick::beginMultiBodies() {
    m_waitingElements.clear();
    m_multiBodyParts = {};
    m_ownedMultiBodies.clear();
    btMultiBodyDynamicsWorld* world = multiBodyWorld(m_world);
    if (world == nullptr) return;
    for (int i = 0; i < world->getNumMultiBodyConstraints(); ++i) {
        MultiBodyElement* element = elementOf(world->getMultiBodyConstraint(i));
        if (element != nullptr && element->isEnabled()) m_waitingElements.push_back(element);
    }
    if (!m_waitingElements.empty() || !m_multiBodies.entries().empty()) m_multiBodies.beginTick(*world);
    applyJointLoads();
    if (m_waitingElements.empty()) return;
    for (MultiBodyElement* element : m_waitingElements) {
        ElementAccess::setHome(*element, weak_from_this());
        for (const btMultiBody* body : bodiesOf(*element)) {
            if (body != nullptr && m_multiBodies.find(*body) == nullptr) {
                throw std::logic_error(element->label() +
                                       ": its btMultiBody is not in the world; remove the element before its body");
            }
        }
    }
}

// Networks take what the load is over the tick; Bullet, whose own step comes next, the mean.
void WorldTick::applyJointLoads() {
    const double h = m_tickTime.h;
    for (const LoadTable::OfJoint& load : m_loadTable.joints()) {
        btMultiBody& body = *load.body;
        if (MultiBodyTable::Entry* entry = m_multiBodies.find(body)) {
            const auto dof = static_cast<std::size_t>(body.getLink(load.link).m_dofOffset);
            QuadraticTorque& torque = entry->loads.joints[dof];
            if (load.pieces.size() > 1) {
                MultiBodyLoads::Course& course = entry->loads.courses.emplace_back();
                course = {load.link, load.pieces};
                for (LoadPiece& piece : course.pieces) piece.constant[0] += torque.constant;
            }
            const QuadraticTorque whole = QuadraticTorque::of(joined(load.pieces, h));
            torque.constant += whole.constant;
            torque.linear += whole.linear;
            torque.quadratic += whole.quadratic;
        }
        btScalar& torque = body.getLink(load.link).m_jointTorque[0];
        m_lentTorques.push_back({&body, load.link, torque});
        torque += static_cast<btScalar>(impulseOf(load.pieces, h)[0] / h);
    }
}

void WorldTick::takeJointLoadsBack() {
    while (!m_lentTorques.empty()) {
        const LentTorque& lent = m_lentTorques.back();
        lent.body->getLink(lent.link).m_jointTorque[0] = lent.before;
        m_lentTorques.pop_back();
    }
}

// The elements of the group, and all those that act on the same multibodies.
void WorldTick::findMultiBodies(const SolverGroup& group, double h) {
    m_multiBodyParts = {};
    m_ownedMultiBodies.clear();
    m_bounds.clear();
    m_refusedMultiBodies.clear();
    if (m_waitingElements.empty()) return;
    std::vector<MultiBodyElement*>& members = m_multiBodyParts.elements;
    for (btMultiBodyConstraint* constraint : group.multiBodyConstraints) {
        MultiBodyElement* element = elementOf(constraint);
        if (element != nullptr && element->isEnabled()) members.push_back(element);
    }
    const auto isMember = [&](const MultiBodyElement* element) {
        return std::find(members.begin(), members.end(), element) != members.end();
    };
    const auto touches = [&](MultiBodyElement* element) {
        return std::any_of(members.begin(), members.end(), [&](MultiBodyElement* member) {
            for (const btMultiBody* x : bodiesOf(*element)) {
                for (const btMultiBody* y : bodiesOf(*member)) {
                    if (x != nullptr && x == y) return true;
                }
            }
            return false;
        });
    };
    for (std::size_t before = 0; before != members.size();) {
        before = members.size();
        for (MultiBodyElement* element : m_waitingElements) {
            if (!isMember(element) && touches(element)) members.push_back(element);
        }
    }
    std::erase_if(m_waitingElements, isMember);
    std::erase_if(members, [&](MultiBodyElement* element) { return wakesFirst(*element); });
    sortByPlace(members);
    if (members.empty()) return;

    m_multiBodyParts.places = m_world->getNumCollisionObjects();
    for (const MultiBodyTable::Entry& entry : m_multiBodies.entries()) {
        if (!entry.isAwake) continue;
        m_multiBodyParts.bodies.push_back(entry.body);
        if (entry.refusal != nullptr) m_refusedMultiBodies.emplace_back(entry.body, entry.refusal);
    }
    btMultiBodyDynamicsWorld& world = *multiBodyWorld(m_world);
    for (int i = 0; i < world.getNumMultiBodyConstraints(); ++i) {
        btMultiBodyConstraint& constraint = *world.getMultiBodyConstraint(i);
        const MultiBodyTable::Entry* entry =
            constraint.getMultiBodyA() != nullptr ? m_multiBodies.find(*constraint.getMultiBodyA()) : nullptr;
        if (entry == nullptr) continue;
        const std::size_t first = m_bounds.size();
        const char* why = addBounds(constraint, entry->start, h, m_bounds);
        const auto& prepared = group.multiBodyConstraints;
        const bool isPrepared = std::find(prepared.begin(), prepared.end(), &constraint) != prepared.end();
        for (std::size_t k = first; isPrepared && k < m_bounds.size(); ++k) m_bounds[k].constraint = &constraint;
        if (why != nullptr) {
            for (const btMultiBody* body : {constraint.getMultiBodyA(), constraint.getMultiBodyB()}) {
                if (body != nullptr) m_refusedMultiBodies.emplace_back(body, why);
            }
        }
    }
    std::stable_sort(m_bounds.begin(), m_bounds.end(), [&](const JointBound& x, const JointBound& y) {
        const auto orderOf = [&](const JointBound& bound) {
            return std::tuple(m_multiBodies.find(*bound.body), bound.link, bound.row.kind, bound.row.side);
        };
        return orderOf(x) < orderOf(y);
    });
}

// An element with one end asleep: that multibody wakes for the next tick, as Bullet's own constraints wake bodies.
bool WorldTick::wakesFirst(MultiBodyElement& element) const {
    bool isAsleep = false;
    bool isAwake = false;
    for (const btMultiBody* body : bodiesOf(element)) {
        if (body == nullptr) continue;
        (m_multiBodies.find(*body)->isAwake ? isAwake : isAsleep) = true;
    }
    if (const auto* placement = std::get_if<LinkPlacement>(&element.placing())) {
        for (const Flange* flange : {&placement->a(), &placement->b()}) {
            isAwake = isAwake || (flange->rigidBody() != nullptr && isMovable(*flange->rigidBody()));
        }
    }
    if (isAsleep && isAwake) {
        for (btMultiBody* body : {element.getMultiBodyA(), element.getMultiBodyB()}) {
            if (body != nullptr) keepAwake(*body);
        }
    }
    return isAsleep;
}

// By place, however they were added and Bullet has sorted them; only elements alike in all of this keep that order.
void WorldTick::sortByPlace(std::vector<MultiBodyElement*>& elements) const {
    const auto orderOf = [&](MultiBodyElement* element) {
        const auto indexOf = [&](const btMultiBody* body) {
            return body != nullptr ? m_multiBodies.find(*body) - m_multiBodies.entries().data() : -1;
        };
        return std::tuple(indexOf(element->getMultiBodyA()), element->getLinkA(), indexOf(element->getMultiBodyB()),
                          element->getLinkB(), element->placing().index(), element->law().index(),
                          std::string_view(element->name()), placingOrder(*element), lawOrder(*element));
    };
    std::stable_sort(elements.begin(), elements.end(),
                     [&](MultiBodyElement* x, MultiBodyElement* y) { return orderOf(x) < orderOf(y); });
}

const char* WorldTick::refusalOf(const btMultiBody& body, const Plan& plan) const {
    for (const auto& [refused, why] : m_refusedMultiBodies) {
        if (refused == &body) return why;
    }
    for (const btCollisionObject* other : m_contacts.others()) {
        int link = -1;
        if (multiBodyOf(*other, link) == &body) return "a contact that it cannot solve";
    }
    return isTree(plan) ? nullptr : whyNotInFlow(body);
}

// Those without colliders are in no island, and so in no group.
void WorldTick::solveOutsideGroups() {
    if (m_waitingElements.empty()) return;
    btAlignedObjectArray<btSolverBody> solverBodies;
    btConstraintArray rows;
    std::vector<btMultiBodyConstraint*> constraints(m_waitingElements.begin(), m_waitingElements.end());
    SolverGroup group;
    group.info = &m_world->getSolverInfo();
    group.timeStep = group.info->m_timeStep;
    group.solverBodies = &solverBodies;
    group.contactRows = group.frictionRows = group.rollingRows = group.jointRows = &rows;
    group.multiBodyConstraints = constraints;
    solve(group);
}

// Bullet keeps these multibodies, and elements on them do not act.
void WorldTick::dropMultiBodies(Plan& plan) {
    for (MultiBodyElement* element : plan.parts.multiBodyElements) {
        if (ElementAccess::hasWarned(*element)) continue;
        ElementAccess::setWarned(*element);
        const char* why = nullptr;
        for (const btMultiBody* body : plan.parts.multiBodies) {
            if (why == nullptr) why = refusalOf(*body, plan);
        }
        m_messages.push_back("elasto: " + element->label() +
                             " does not act: its multibody, or what that touches, has what the solution cannot hold (" +
                             (why != nullptr ? why : "a rigid body with joints or contacts that it does not know") +
                             ")");
    }
    m_counts.uncoupled += static_cast<int>(plan.parts.multiBodyElements.size());
    plan.parts.multiBodyElements.clear();
    plan.parts.multiBodies.clear();
}

bool WorldTick::isTree(const Plan& plan) const {
    return elasto::isTree(plan.parts, !plan.joints.empty() || !plan.contacts.empty());
}

EnergyBetweenTicks WorldTick::gatherAll(Plan& plan, const TickTime& tickTime, SolvedNetwork& solved) {
    m_ownedMultiBodies.insert(m_ownedMultiBodies.end(), plan.parts.multiBodies.begin(), plan.parts.multiBodies.end());
    solved.isTree = !plan.parts.multiBodies.empty() && isTree(plan);
    if (solved.isTree) return gatherTrees(plan.parts, m_bounds, m_multiBodies, tickTime, solved);
    m_contactMemory.slacken(plan.contacts);
    m_counts.remembered += m_contactMemory.recogniseRest(plan.contacts, keepsContacts);
    putOnLines(plan.contacts);
    if (keepsContacts) {
        const std::span<const ContactPoint> corners = m_groundCorners.addTo(plan.contacts);
        m_contactMemory.noteAdded(corners);
        m_counts.remembered += static_cast<int>(corners.size());
        m_counts.remembered += m_contactMemory.recall(plan.contacts);
    }
    m_contactMemory.carryCreep(plan.contacts);
    EnergyBetweenTicks between = gatherMultiBodies(plan.parts, m_bounds, m_multiBodies, tickTime, solved);
    between += gatherTies(plan.joints, plan.contacts, rigidFlanges(plan.parts.multiBodyElements), m_bodyTable,
                          m_loadTable, tickTime, solved);
    between += placeOnRigidBodies(solved);
    return between;
}

void WorldTick::growTreeWorkspaces(std::size_t count) {
    while (m_treeWorkspaces.size() < count) m_treeWorkspaces.emplace_back();
}

void WorldTick::solveTrees(SolvedNetwork& solved, std::size_t index, bool isAhead) {
    growTreeWorkspaces(index + 1);
    try {
        if (!isAhead) {
            solveTreeTick(solved.trees, solved.h, solved.settings, m_treeWorkspaces[index], solved.treeResult);
        }
    } catch (const InvalidParameter& error) {
        throw InvalidParameter(nameOf(solved), error.what());
    }
    readTrees(solved);
}

void WorldTick::addMultiBodyEnergy(EnergyBook& book) const {
    const btMultiBodyDynamicsWorld* world = multiBodyWorld(m_world);
    if (world == nullptr) return;
    for (int i = 0; i < world->getNumMultiBodyConstraints(); ++i) {
        auto* constraint = const_cast<btMultiBodyConstraint*>(world->getMultiBodyConstraint(i));
        const MultiBodyElement* element = elementOf(constraint);
        if (element == nullptr || !element->isEnabled()) continue;
        book.stored += element->storedEnergy();
        book.kinetic += rotorEnergy(*element);
    }
    for (int i = 0; i < world->getNumMultibodies(); ++i) {
        const btMultiBody& body = *world->getMultiBody(i);
        if (m_multiBodies.find(body) != nullptr) {
            book.kinetic += kineticEnergy(body, linkStates(body, m_multiBodies.presentState(body)));
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
