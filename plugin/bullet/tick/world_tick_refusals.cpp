// What ticks may not throw in worlds of programs without exceptions (Refusal::SwitchOff).

#include <elasto/errors.h>

#include <cmath>

#include "network/element_access.h"
#include "network/refused_element.h"
#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// No force acts by itself any more. Friction keeps its law, whose rows the network has.
template <class Elements>
void switchOff(Elements& elements) {
    for (auto& element : elements) {
        element.f_normalized = {0, 0, 0};
        if (frictionOf(element.law) == nullptr) element.law = SpringDamperLaw({.c = 0, .d = 0});
    }
}

}  // namespace

void WorldTick::suspect(const SolvedNetwork& solved) {
    if (settings.refusal == Refusal::Throw) return;
    m_suspects = solved.elements;
    m_suspectsOnMultiBodies = solved.multi.elements;
}

void WorldTick::suspect(const NetworkParts& parts) {
    if (settings.refusal == Refusal::Throw) return;
    m_suspects = parts.elements;
    m_suspectsOnMultiBodies = parts.multiBodyElements;
}

void WorldTick::suspectNobody() {
    m_suspects.clear();
    m_suspectsOnMultiBodies.clear();
}

void WorldTick::refuse(const std::exception& error) {
    if (const auto* refused = dynamic_cast<const RefusedElement*>(&error)) {
        suspectNobody();
        if (refused->element != nullptr) m_suspects.push_back(refused->element);
        if (refused->onMultiBodies != nullptr) m_suspectsOnMultiBodies.push_back(refused->onMultiBodies);
    }
    std::string who;
    std::size_t count = 0;
    const auto switchOff = [&](auto& elements) {
        for (auto* element : elements) {
            element->setEnabled(false);
            if (count++ == 0) who = element->label();
        }
        elements.clear();
    };
    switchOff(m_suspects);
    switchOff(m_suspectsOnMultiBodies);
    if (count > 1) who += " and " + std::to_string(count - 1) + " more";
    callbacks.say((count == 0 ? std::string() : who + (count == 1 ? " is" : " are") + " switched off: ") +
                  error.what());
}

void WorldTick::beginLoads() {
    suspectNobody();
    if (attempt([&] {
            loads.begin(m_tickTime);
            if (settings.refusal == Refusal::SwitchOff) loads.requireFinite();
        })) {
        return;
    }
    loads.takeOutRefused(m_tickTime);
    loads.begin(m_tickTime);
}

void WorldTick::goOnWithout(std::size_t index) {
    SolvedNetwork& solved = *m_networks[index];
    switchOff(solved.network.elements);
    switchOff(solved.multi.trees.elements);
    for (FlowBody& body : solved.network.bodies) body.force = body.torque = {};
    solved.network.changes.clear();
    solved.multi.trees.changes.clear();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
