// Inside the last tick: contacts, the oscilloscope, and where everything was between the tick's ends.

#include "session.h"

#include <elasto/errors.h>
#include <elasto/scene/inside_tick.h>

#include <algorithm>
#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Books contacts and warnings as they come.
void Session::listen(SceneWorld& world) {
    world.plugin().setMessageHandler([this](const std::string& message) {
        if (std::find(m_messages.begin(), m_messages.end(), message) == m_messages.end()) m_messages.push_back(message);
    });
    const auto note = [this, &world](std::size_t index, bool begins) {
        return [this, &world, index, begins](auto&, const ContactInfo& info) {
            // The world counts the tick when it is done.
            m_events.push_back({static_cast<int>(index), begins, world.time() + info.time, info.speed});
        };
    };
    const auto listenTo = [&](auto& element, std::size_t index) {
        element.onContactBegin(note(index, true));
        element.onContactEnd(note(index, false));
    };
    for (std::size_t i = 0; i < world.elements(); ++i) listenTo(world.element(i), i);
    std::size_t next = world.elements();
    for (MultiBodyElement* element : guestElements(world)) listenTo(*element, next++);
}

/// Keeps in which ticks contact began, so that an impact is found again later.
void Session::noteContacts() {
    for (const ScopeEvent& event : m_events) {
        std::vector<long>& ticks = m_contacts[static_cast<std::size_t>(event.element)];
        if (event.begins && (ticks.empty() || ticks.back() < m_tick)) ticks.push_back(m_tick);
    }
}

/// The last tick up to another one in which contact of an element began; -1: it did not.
long Session::lastContact(int element, long tick) const {
    const std::vector<long>& ticks = m_contacts[static_cast<std::size_t>(element)];
    const auto after = std::upper_bound(ticks.begin(), ticks.end(), tick);
    return after == ticks.begin() ? -1 : *std::prev(after);
}

/// The tick in which contact ends that began in another one; the last known one while it lasts.
long Session::endOfContact(int element, long begin) const {
    long tick = begin;
    while (m_history->has(tick) && m_history->element(tick, static_cast<std::size_t>(element)).force.contact) ++tick;
    return tick;
}

bool Session::hasForeignForce() const {
    const btDispatcher& dispatcher = *m_world->world().getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *const_cast<btDispatcher&>(dispatcher).getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const btManifoldPoint& point = manifold.getContactPoint(k);
            if (point.getDistance() <= 0 || point.getAppliedImpulse() > 0) return true;
        }
    }
    for (std::size_t i = 0; i < m_scene.joints.size(); ++i) {
        const std::optional<SceneLimits>& limits = m_scene.joints[i].limits;
        if (!limits) continue;
        const Signal coordinate{SignalKind::JointCoordinate, static_cast<int>(i), 0, "", ""};
        const double value = signalValue(m_scene, m_tickEnd, coordinate);
        if (value <= limits->lower || value >= limits->upper) return true;
    }
    return false;
}

void Session::watch(const ScopeSettings& settings) {
    Scope scope(settings);
    if (static_cast<std::size_t>(settings.element) >= m_elements.size()) {
        throw std::out_of_range("session: no element " + std::to_string(settings.element) + "; there are " +
                                std::to_string(m_elements.size()));
    }
    m_scope = std::move(scope);
    if (m_tick == 0 || m_trouble) return;
    goTo(m_tick);  // what it shows is run again, with the oscilloscope on
}

SceneSample Session::inside(double t) const {
    if (m_tick == 0) return m_sample;
    return sampleInside(*m_world, m_places, m_tickStart, m_tickEnd, t);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
