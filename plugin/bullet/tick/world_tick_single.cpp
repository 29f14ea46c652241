// Elements that are alone with their body in an island: they need neither Bullet's solver nor a network.

#include <algorithm>
#include <cmath>

#include "contacts/fast_contacts.h"
#include "host/prefetch.h"
#include "network/element_access.h"
#include "network/write_bodies.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// What a tick of an element alone looks at.
void fetchForTick(const btRigidBody& body) {
    fetch(&body.getWorldTransform(), &body.getInterpolationAngularVelocity() + 1);
    fetch(&body.getLinearVelocity(), &body.getTotalTorque() + 1);
}

}  // namespace

// Loads are functions of the user's, which networks know how to ask.
void WorldTick::findLoadedBodies() {
    m_isLoaded.clear();
    for (const LoadTable::OfBody& load : m_loadTable.bodies()) {
        const int place = load.body->getWorldArrayIndex();
        if (place < 0) continue;
        m_isLoaded.resize(std::max(m_isLoaded.size(), static_cast<std::size_t>(place) + 1));
        m_isLoaded[static_cast<std::size_t>(place)] = 1;
    }
}

bool WorldTick::isLoaded(const btRigidBody& body) const {
    const auto place = static_cast<std::size_t>(body.getWorldArrayIndex());
    return place < m_isLoaded.size() && m_isLoaded[place] != 0;
}

std::uint64_t WorldTick::destroyed() const {
    return ElementAccess::destroyed().load();
}

bool WorldTick::mayTakeAlone(btTypedConstraint& constraint) {
    ForceElement* element = elementOf(&constraint);
    if (element == nullptr || element->placement().isGearPair()) return false;
    const btRigidBody& world = Placement::world();
    if (&element->getRigidBodyA() != &world && &element->getRigidBodyB() != &world) return false;
    ElementAccess::setHome(*element, weak_from_this());  // which is told when it is destroyed
    return true;
}

bool WorldTick::mayTouch(const btPersistentManifold& manifold, const btContactSolverInfo& info) {
    return elasto::mayTouch(manifold, info) || m_contactMemory.has(*manifold.getBody0(), *manifold.getBody1());
}

void WorldTick::fetchAlone(btTypedConstraint& later, btTypedConstraint& soon) {
    if (m_islands.wereHidden()) {
        ElementAccess::fetchState(static_cast<ForceElement&>(later));
        if (ElementAccess::hasRecord(static_cast<ForceElement&>(soon))) {
            fetch(ElementAccess::isolatedRecord(static_cast<ForceElement&>(soon)));
        }
    } else {
        fetch(later);
    }
    const bool isBodyA = &soon.getRigidBodyB() == &Placement::world();
    fetchForTick(isBodyA ? soon.getRigidBodyA() : soon.getRigidBodyB());
}

// Solved at once, and before all networks: what the world's budget leaves to whom does not touch it, for there is
// nothing to save. The body gets its velocity while it is at hand, and loses it again if the tick comes to nothing.
bool WorldTick::takeAlone(btTypedConstraint& constraint, btCollisionObject& islandsBody) {
    // What was hidden is known to be an element.
    ForceElement* element = m_islands.wereHidden() ? static_cast<ForceElement*>(&constraint) : elementOf(&constraint);
    btRigidBody* body = element != nullptr ? isolatedBody(*element) : nullptr;
    if (body == nullptr || body != &islandsBody || isLoaded(*body)) return false;
    if (!(m_tickTime.h > 0) || !std::isfinite(m_tickTime.h)) return false;  // networks refuse such ticks
    if (!solveIsolated(*element, *body, m_tickTime, restThresholds, m_isolatedSums, m_events)) return false;
    ElementAccess::setHome(*element, m_self);
    IsolatedRecord& record = ElementAccess::isolatedRecord(*element);
    m_costLeft = std::max(m_costLeft - record.steps, 0.);
    m_counts.events += static_cast<int>(m_events.size());
    m_isolated.push_back({element, body, &record});
    writeVelocity(record, *body);
    if (m_movesAtOnce && record.isStraight) {
        moveAtOnce(record, *body, m_world->getLatencyMotionStateInterpolation());
    }
    for (const ContactEvent& event : m_events) {
        if (ElementAccess::contactCallback(*element, event.begin)) {
            m_isolatedContacts.push_back({element, nullptr, event.begin, {event.time, event.speed}, 0});
        }
    }
    return true;
}

// Bullet's own motion would be done for nothing.
void WorldTick::leaveIsolated() {
    if (m_unmoved.takeOut(*m_world, m_isolated.size(), [this](std::size_t i) { return m_isolated[i].body; })) return;
    for (const Isolated& alone : m_isolated) leaveToBullet(*alone.record, *alone.body);
}

void WorldTick::writeSingle() {
    for (const Isolated& alone : m_isolated) writePose(*alone.record, *alone.body);
}

void WorldTick::abandonIsolated() {
    if (m_isWritten) {
        writeSingle();
    } else {
        for (const Isolated& alone : m_isolated) takeBack(*alone.record, *alone.body, m_tickTime.bulletH);
    }
    clearIsolated();
}

void WorldTick::clearIsolated() {
    m_isolated.clear();
    m_isolatedContacts.clear();
    m_isolatedSums = {};
}

void WorldTick::finishIsolated(bool hasLatency) {
    const ForceElement* worst = nullptr;
    for (std::size_t i = 0; i < m_isolated.size(); ++i) {
        if (i + kFetchAhead < m_isolated.size()) {
            const Isolated& later = m_isolated[i + kFetchAhead];
            ElementAccess::fetchState(*later.element);
            fetch(*later.record);
            if (!m_movesAtOnce) fetchForTick(*later.body);
        }
        const Isolated& alone = m_isolated[i];
        IsolatedRecord& record = *alone.record;
        m_counts.elementsPerMethod[static_cast<std::size_t>(record.method)] += 1;
        m_counts.steps += record.steps;
        m_counts.cost += record.steps;
        if (record.steps > m_counts.worstSteps) {
            m_counts.worstSteps = record.steps;
            worst = alone.element;
        }
        elasto::finishIsolated(*alone.element, record, *alone.body, totals.ticks, hasLatency);
    }
    if (worst != nullptr) m_counts.worstNetwork = worst->label();
    m_counts.networks += static_cast<int>(m_isolated.size());
    m_counts.elements += static_cast<int>(m_isolated.size());
    for (PendingCallback& contact : m_isolatedContacts) {
        contact.order = m_pending.size();
        m_pending.push_back(contact);
    }
    clearIsolated();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
