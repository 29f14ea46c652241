#include "straight/straight_record.h"

#include "bodies/direction_rules.h"

#include <algorithm>
#include <cstring>

namespace elasto::flow {

namespace {

/// @param values without gaps between them
template <class Values>
bool isSame(const Values& x, const Values& y) {
    return std::memcmp(&x, &y, sizeof(Values)) == 0;
}

/// But for what moments would do to it.
bool isSameBody(const FlowBody& x, const FlowBody& y) {
    return isSame(x.orientation, y.orientation) && isSame(x.inverseMass, y.inverseMass) &&
           isSame(x.inverseInertia, y.inverseInertia) && isSame(x.linearFactor, y.linearFactor) &&
           isSame(x.angularFactor, y.angularFactor) && isSame(x.force, y.force);
}

bool slides(const FlowBody& body) {
    return body.angularVelocity.isZero(0) && !isTurnable(body);
}

bool slides(const FlowElement& element) {
    return element.geometry == Geometry::AlongAxis && !element.isGeared();
}

}  // namespace

bool StraightRecord::isOf(const FlowNetwork& network) const {
    if (!m_isKnown || network.bodies.size() != m_bodies.size() || network.elements.size() != m_elements.size()) {
        return false;
    }
    for (std::size_t i = 0; i < m_bodies.size(); ++i) {
        const FlowBody& body = network.bodies[i];
        if (!body.angularVelocity.isZero(0) || !isSameBody(body, m_bodies[i])) return false;
    }
    for (std::size_t e = 0; e < m_elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        const OfElement& known = m_elements[e];
        const bool isAlike = element.a == known.a && element.b == known.b && slides(element) &&
                             isSame(element.axis, known.axis) && HybridLaw::from(element.law) == known.law;
        if (!isAlike) return false;
    }
    return true;
}

void StraightRecord::note(const FlowNetwork& network, const std::vector<HybridLaw>& laws) {
    m_isKnown =
        std::all_of(network.bodies.begin(), network.bodies.end(), [](const FlowBody& body) { return slides(body); }) &&
        std::all_of(network.elements.begin(), network.elements.end(),
                    [](const FlowElement& element) { return slides(element); });
    if (!m_isKnown) return;
    m_bodies = network.bodies;
    m_elements.clear();
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const FlowElement& element = network.elements[e];
        m_elements.push_back({element.a, element.b, element.axis, laws[e]});
    }
}

}  // namespace elasto::flow
