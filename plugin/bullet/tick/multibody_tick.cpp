#include "tick/multibody_tick.h"

#include <elasto/errors.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "host/class_of.h"
#include "network/element_access.h"
#include "network/element_order.h"
#include "network/refused_element.h"
#include "network/sleep_test.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

std::array<const btMultiBody*, 2> bodiesOf(MultiBodyElement& element) {
    return {element.getMultiBodyA(), element.getMultiBodyB()};
}

}  // namespace

btMultiBodyDynamicsWorld* multiBodyWorld(btDiscreteDynamicsWorld* world) {
    return castTo<btMultiBodyDynamicsWorld*>(world);
}

void MultiBodyTick::begin(btDiscreteDynamicsWorld& world, const LoadTable& loads, double h,
                          std::weak_ptr<ElementHome> home) {
    m_waiting.clear();
    m_parts = {};
    m_world = multiBodyWorld(&world);
    if (m_world == nullptr) return;
    for (int i = 0; i < m_world->getNumMultiBodyConstraints(); ++i) {
        MultiBodyElement* element = elementOf(m_world->getMultiBodyConstraint(i));
        if (element != nullptr && ElementAccess::acts(*element)) m_waiting.push_back(element);
    }
    if (!m_waiting.empty() || !m_table.entries().empty()) m_table.beginTick(*m_world);
    applyLoads(loads, h);
    if (m_waiting.empty()) return;
    for (MultiBodyElement* element : m_waiting) {
        ElementAccess::setHome(*element, home);
        for (const btMultiBody* body : bodiesOf(*element)) {
            if (body != nullptr && m_table.find(*body) == nullptr) {
                throw RefusedElement(
                    *element,
                    element->label() + ": its btMultiBody is not in the world; remove the element before its body");
            }
        }
        const auto* rotor = std::get_if<RotorCoordinate>(&element->placing());
        if (rotor != nullptr && std::find(m_waiting.begin(), m_waiting.end(), rotor->drive) == m_waiting.end()) {
            throw RefusedElement(
                *element, element->label() + ": its drive is not in the world; remove the element before its drive");
        }
    }
}

// Networks take what the load is over the tick; Bullet, whose own step comes next, the mean.
void MultiBodyTick::applyLoads(const LoadTable& loads, double h) {
    for (const LoadTable::OfJoint& load : loads.joints()) {
        btMultiBody& body = *load.body;
        if (MultiBodyTable::Entry* entry = m_table.find(body)) {
            const auto dof = static_cast<std::size_t>(body.getLink(load.link).m_dofOffset);
            QuadraticTorque& torque = entry->loads.joints[dof];
            if (load.pieces.size() > 1) {
                MultiBodyLoads::JointTorque& jointTorque = entry->loads.jointTorques.emplace_back();
                jointTorque = {load.link, load.pieces};
                for (LoadPiece& piece : jointTorque.pieces) piece.constant[0] += torque.constant;
                continue;
            }
            const QuadraticTorque whole = QuadraticTorque::of(load.pieces.front());
            torque.constant += whole.constant;
            torque.linear += whole.linear;
            torque.quadratic += whole.quadratic;
        }
        btScalar& torque = body.getLink(load.link).m_jointTorque[0];
        m_lent.push_back({&body, load.link, torque});
        torque += static_cast<btScalar>(impulseOf(load.pieces, h)[0] / h);
    }
}

void MultiBodyTick::takeLoadsBack() {
    while (!m_lent.empty()) {
        const LentTorque& lent = m_lent.back();
        lent.body->getLink(lent.link).m_jointTorque[0] = lent.before;
        m_lent.pop_back();
    }
}

void MultiBodyTick::find(const SolverGroup& group, double h) {
    m_parts = {};
    m_bounds.clear();
    m_refused.clear();
    if (m_waiting.empty()) return;
    findElements(group);
    if (m_parts.elements.empty()) return;
    m_parts.places = m_world->getNumCollisionObjects();
    for (const MultiBodyTable::Entry& entry : m_table.entries()) {
        if (!entry.isAwake) continue;
        noteLinkMotions(*entry.body, entry.start);
        m_parts.bodies.push_back(entry.body);
        if (entry.refusal != nullptr) m_refused.emplace_back(entry.body, entry.refusal);
    }
    findBounds(group, h);
}

// Those of the group, and those that share a multibody with them.
void MultiBodyTick::findElements(const SolverGroup& group) {
    std::vector<MultiBodyElement*>& members = m_parts.elements;
    for (btMultiBodyConstraint* constraint : group.multiBodyConstraints) {
        MultiBodyElement* element = elementOf(constraint);
        if (element != nullptr && ElementAccess::acts(*element)) members.push_back(element);
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
        for (MultiBodyElement* element : m_waiting) {
            if (!isMember(element) && touches(element)) members.push_back(element);
        }
    }
    std::erase_if(m_waiting, isMember);
    std::erase_if(members, [&](MultiBodyElement* element) { return wakesFirst(*element); });
    sortByPlace(members);
}

// Motors and limits of the multibodies, in an order that does not depend on Bullet's.
void MultiBodyTick::findBounds(const SolverGroup& group, double h) {
    btMultiBodyDynamicsWorld& world = *m_world;
    for (int i = 0; i < world.getNumMultiBodyConstraints(); ++i) {
        btMultiBodyConstraint& constraint = *world.getMultiBodyConstraint(i);
        const MultiBodyTable::Entry* entry =
            constraint.getMultiBodyA() != nullptr ? m_table.find(*constraint.getMultiBodyA()) : nullptr;
        if (entry == nullptr) continue;
        const std::size_t first = m_bounds.size();
        const char* why = addBounds(constraint, entry->start, h, m_bounds);
        const auto& prepared = group.multiBodyConstraints;
        const bool isPrepared = std::find(prepared.begin(), prepared.end(), &constraint) != prepared.end();
        for (std::size_t k = first; isPrepared && k < m_bounds.size(); ++k) m_bounds[k].constraint = &constraint;
        if (why != nullptr) {
            for (const btMultiBody* body : {constraint.getMultiBodyA(), constraint.getMultiBodyB()}) {
                if (body != nullptr) m_refused.emplace_back(body, why);
            }
        }
    }
    std::stable_sort(m_bounds.begin(), m_bounds.end(), [&](const JointBound& x, const JointBound& y) {
        const auto orderOf = [&](const JointBound& bound) {
            return std::tuple(m_table.find(*bound.body), bound.link, bound.row.kind, bound.row.side);
        };
        return orderOf(x) < orderOf(y);
    });
}

// An element with one end asleep: that multibody wakes for the next tick, as Bullet's own constraints wake bodies.
bool MultiBodyTick::wakesFirst(MultiBodyElement& element) const {
    bool isAsleep = false;
    bool isAwake = false;
    for (const btMultiBody* body : bodiesOf(element)) {
        if (body == nullptr) continue;
        (m_table.find(*body)->isAwake ? isAwake : isAsleep) = true;
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
void MultiBodyTick::sortByPlace(std::vector<MultiBodyElement*>& elements) const {
    const auto orderOf = [&](MultiBodyElement* element) {
        const auto indexOf = [&](const btMultiBody* body) {
            return body != nullptr ? m_table.find(*body) - m_table.entries().data() : -1;
        };
        return std::tuple(indexOf(element->getMultiBodyA()), element->getLinkA(), indexOf(element->getMultiBodyB()),
                          element->getLinkB(), element->placing().index(), element->law().index(),
                          std::string_view(element->name()), placingOrder(*element), lawOrder(*element));
    };
    std::stable_sort(elements.begin(), elements.end(),
                     [&](MultiBodyElement* x, MultiBodyElement* y) { return orderOf(x) < orderOf(y); });
}

const char* MultiBodyTick::refusalOf(const btMultiBody& body) const {
    for (const auto& [refused, why] : m_refused) {
        if (refused == &body) return why;
    }
    return nullptr;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
