// Inside the last tick: contacts, the oscilloscope, and where everything was between the tick's ends.

#include "session.h"

#include <elasto/errors.h>
#include <elasto/scene/start.h>
#include <elasto/tick_moment.h>

#include <algorithm>
#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

double mix(double a, double b, double share) {
    return a + share * (b - a);
}

BodyState mix(const BodyState& a, const BodyState& b, double share) {
    BodyState state;
    state.position = a.position + share * (b.position - a.position);
    state.orientation = a.orientation.slerp(share, b.orientation);
    state.velocity = a.velocity + share * (b.velocity - a.velocity);
    state.angularVelocity = a.angularVelocity + share * (b.angularVelocity - a.angularVelocity);
    return state;
}

ElementSample mix(const ElementSample& a, const ElementSample& b, double share) {
    ElementSample sample = share < 1 ? a : b;  // flags
    sample.s = mix(a.s, b.s, share);
    sample.v = mix(a.v, b.v, share);
    sample.force.f = mix(a.force.f, b.force.f, share);
    sample.force.f_c = mix(a.force.f_c, b.force.f_c, share);
    sample.force.f_d = mix(a.force.f_d, b.force.f_d, share);
    sample.force.f_d2 = mix(a.force.f_d2, b.force.f_d2, share);
    sample.meanForce = b.meanForce;
    sample.lossPower = mix(a.lossPower, b.lossPower, share);
    sample.dissipatedPower = mix(a.dissipatedPower, b.dissipatedPower, share);
    sample.heat = mix(a.heat, b.heat, share);
    sample.storedEnergy = mix(a.storedEnergy, b.storedEnergy, share);
    sample.s_damper = mix(a.s_damper, b.s_damper, share);
    sample.flange_a = mix(a.flange_a, b.flange_a, share);
    sample.flange_b = mix(a.flange_b, b.flange_b, share);
    return sample;
}

void put(const Readout& readout, ElementSample& sample) {
    sample.s = readout.s_rel;
    sample.v = readout.v_rel;
    sample.force = readout.force;
    sample.lossPower = readout.lossPower;
    sample.dissipatedPower = readout.dissipatedPower;
    sample.storedEnergy = readout.storedEnergy;
    sample.s_damper = readout.s_damper;
}

}  // namespace

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
    const double h = tickLength();
    if (m_tick == 0) return m_sample;
    if (!(t >= 0 && t <= h)) throw InvalidParameter("session", "t", t, "from 0 to " + std::to_string(h) + " s");
    const double share = t / h;
    SceneSample sample;
    sample.time = mix(m_tickStart.time, m_tickEnd.time, share);
    const TickMoment moment = m_world->plugin().insideTick(t);
    FlowNetwork places = m_places;
    for (std::size_t i = 0; i < m_tickEnd.bodies.size(); ++i) {
        const bool isLink = i >= m_world->bodies();
        const bool isOfScene = i < m_scene.bodies.size();
        const std::optional<BodyState> solved = isLink ? std::nullopt : moment.body(m_world->body(i));
        const bool isDriven = isOfScene && m_scene.bodies[i].motion == BodyMotion::Kinematic;
        if (isDriven) {
            sample.bodies.push_back(pathState(m_scene.bodies[i], sample.time));
        } else {
            sample.bodies.push_back(solved ? *solved : mix(m_tickStart.bodies[i], m_tickEnd.bodies[i], share));
        }
        if (isOfScene) static_cast<BodyState&>(places.bodies[i]) = sample.bodies[i];
    }
    for (std::size_t i = 0; i < m_tickEnd.elements.size(); ++i) {
        ElementSample element = mix(m_tickStart.elements[i], m_tickEnd.elements[i], share);
        if (m_elements[i].place != PlayedElement::Place::Scene) {
            // Nobody keeps the solution of multibodies inside a tick.
            sample.elements.push_back(element);
            continue;
        }
        if (const auto solved = moment.element(m_world->element(i))) {
            play::put(*solved, element);
        }
        const Measure measured = measure(places, places.elements[i]);
        element.pointA = measured.pointA;
        element.pointB = measured.pointB;
        sample.elements.push_back(element);
    }
    for (std::size_t i = 0; i < m_tickEnd.heatPorts.size(); ++i) {
        const HeatPortSample& a = m_tickStart.heatPorts[i];
        const HeatPortSample& b = m_tickEnd.heatPorts[i];
        sample.heatPorts.push_back(
            {mix(a.power, b.power, share), mix(a.energy, b.energy, share), mix(a.temperature, b.temperature, share)});
    }
    return sample;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
