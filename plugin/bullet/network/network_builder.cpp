#include "network/network_builder.h"

#include <elasto/force_element.h>
#include <elasto/multibody_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "host/body_status.h"
#include "multibody/multibody_translation.h"
#include "network/element_access.h"
#include "network/element_order.h"
#include "network/refused_element.h"
#include "network/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

auto orderOf(const ForceElement& element) {
    const Placement& placement = element.placement();
    const Eigen::Vector3d& a = placement.pointA();
    const Eigen::Vector3d& b = placement.pointB();
    const Eigen::Vector3d& n = placement.axis();
    return std::tuple(placement.bodyA().getWorldArrayIndex(), placement.bodyB().getWorldArrayIndex(),
                      placement.geometry(), placement.turns().first, placement.turns().last, placement.turns().about,
                      placement.spans()[0], placement.spans()[1], a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), n.x(),
                      n.y(), n.z(), element.law().index(), placement.carrier().getWorldArrayIndex(), placement.ratio(),
                      std::string_view(element.name()), lawOrder(element));
}

// Most differ in their bodies already; the rest takes longer to gather.
bool isBefore(const ForceElement* x, const ForceElement* y) {
    const auto bodiesOf = [](const ForceElement& element) {
        const Placement& placement = element.placement();
        return std::pair(placement.bodyA().getWorldArrayIndex(), placement.bodyB().getWorldArrayIndex());
    };
    const auto a = bodiesOf(*x);
    const auto b = bodiesOf(*y);
    return a != b ? a < b : orderOf(*x) < orderOf(*y);
}

}  // namespace

int NetworkBuilder::find(int body) {
    while (m_parent[static_cast<std::size_t>(body)] != body) {
        int& parent = m_parent[static_cast<std::size_t>(body)];
        parent = m_parent[static_cast<std::size_t>(parent)];  // halves the way for those that come later
        body = parent;
    }
    return body;
}

int NetworkBuilder::placeOf(const btMultiBody& body, int link) const {
    for (; link >= 0; link = body.getParent(link)) {
        if (body.getLink(link).m_jointType != btMultibodyLink::eFixed) break;
    }
    if (link < 0 && body.hasFixedBase()) return -1;
    const auto& bodies = m_multiBodies.bodies;
    const auto found = std::find(bodies.begin(), bodies.end(), &body);
    return found == bodies.end() ? -1 : m_multiBodies.places + static_cast<int>(found - bodies.begin());
}

int NetworkBuilder::placeOf(const btCollisionObject& body) const {
    if (btRigidBody::upcast(&body) != nullptr) return isMovable(body) ? body.getWorldArrayIndex() : -1;
    int link = -1;
    const btMultiBody* multiBody = multiBodyOf(body, link);
    return multiBody != nullptr ? placeOf(*multiBody, link) : -1;
}

int NetworkBuilder::placeOf(const Flange& flange) const {
    if (flange.multiBody() != nullptr) return placeOf(*flange.multiBody(), flange.link());
    return flange.rigidBody() != nullptr ? placeOf(*flange.rigidBody()) : -1;
}

std::array<int, 2> NetworkBuilder::placesOf(const MultiBodyElement& element) const {
    const auto of = [&](const JointCoordinate& joint) { return placeOf(*joint.body, joint.link); };
    if (const auto* joint = std::get_if<JointCoordinate>(&element.placing())) return {of(*joint), -1};
    if (const auto* drive = std::get_if<Drive>(&element.placing())) return {placeOf(*drive->body, drive->link), -1};
    if (const auto* pair = std::get_if<GearPair>(&element.placing())) return {of(pair->first), of(pair->second)};
    if (const auto* rotor = std::get_if<RotorCoordinate>(&element.placing())) return placesOf(*rotor->drive);
    const auto& placement = std::get<LinkPlacement>(element.placing());
    return {placeOf(placement.a()), placeOf(placement.b())};
}

int NetworkBuilder::networkOf(const btCollisionObject& body) {
    const int place = placeOf(body);
    const bool isKnown = place >= 0 && static_cast<std::size_t>(place) < m_parent.size() &&
                         m_parent[static_cast<std::size_t>(place)] >= 0;
    return isKnown ? m_network[static_cast<std::size_t>(find(place))] : -1;
}

void NetworkBuilder::enter(int place) {
    if (place < 0) return;
    const auto i = static_cast<std::size_t>(place);
    if (m_parent.size() <= i) {
        m_parent.resize(i + 1, -1);
        m_network.resize(i + 1, -1);
        m_count.resize(i + 1, 0);
        m_isTouched.resize(i + 1, 0);
    }
    if (m_parent[i] < 0) {
        m_parent[i] = place;
        m_network[i] = -1;
        m_count[i] = 1;
        m_isTouched[i] = 0;
        m_entered.push_back(place);
    }
}

// Returns their root; -1 if neither can move.
int NetworkBuilder::join(int x, int y) {
    enter(x);
    enter(y);
    if (x < 0 || y < 0) return x < 0 && y < 0 ? -1 : find(std::max(x, y));
    const int a = find(x);
    const int b = find(y);
    if (a == b) return a;
    const auto root = static_cast<std::size_t>(std::min(a, b));
    const auto other = static_cast<std::size_t>(std::max(a, b));
    m_parent[other] = static_cast<int>(root);
    m_count[root] += m_count[other];
    m_network[root] = std::max(m_network[root], m_network[other]);
    m_isTouched[root] = static_cast<char>(m_isTouched[root] | m_isTouched[other]);
    return static_cast<int>(root);
}

NetworkParts& NetworkBuilder::networkAt(int place, std::size_t& count) {
    const auto root = static_cast<std::size_t>(find(place));
    int& network = m_network[root];
    if (network < 0) {
        network = static_cast<int>(count++);
        if (m_networks.size() < count) {
            m_networks.emplace_back();
        }
        NetworkParts& parts = m_networks[count - 1];
        parts.elements.clear();
        parts.multiBodyElements.clear();
        parts.multiBodies.clear();
        parts.freeBodies.clear();
        parts.isTouched = m_isTouched[root] != 0;
    }
    return m_networks[static_cast<std::size_t>(network)];
}

// What is alike stays in its order. (std::stable_sort allocates.)
void NetworkBuilder::sort(std::vector<ForceElement*>& elements) {
    if (std::is_sorted(elements.begin(), elements.end(), isBefore)) return;
    m_numbered.clear();
    for (ForceElement* element : elements) m_numbered.emplace_back(element, m_numbered.size());
    std::sort(m_numbered.begin(), m_numbered.end(), [&](const auto& x, const auto& y) {
        return isBefore(x.first, y.first) || (!isBefore(y.first, x.first) && x.second < y.second);
    });
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = m_numbered[i].first;
}

void NetworkBuilder::begin(const btCollisionWorld& world, std::vector<ForceElement*>& elements,
                           const std::vector<const HeldJoint*>& joints, const MultiBodyParts& multiBodies,
                           std::span<btRigidBody* const> freeBodies) {
    m_multiBodies = multiBodies;
    m_freeBodies = freeBodies;
    for (const int place : m_entered) m_parent[static_cast<std::size_t>(place)] = -1;
    m_entered.clear();
    sort(elements);
    for (const ForceElement* element : elements) {
        int last = -1;
        ElementAccess::forEachBody(*element, [&](const btRigidBody& body) {
            if (!isMovable(body)) return;
            if (!isThere(world, body)) {
                throw RefusedElement(
                    *element, element->label() + ": a body is not in the world; remove the element before its body");
            }
            const int place = body.getWorldArrayIndex();
            enter(place);
            if (last >= 0) join(last, place);
            last = place;
        });
    }
    for (const MultiBodyElement* element : multiBodies.elements) {
        const std::array<int, 2> places = placesOf(*element);
        join(places[0], places[1]);
    }
    for (const HeldJoint* held : joints) {
        join(placeOf(held->joint->getRigidBodyA()), placeOf(held->joint->getRigidBodyB()));
    }
    for (const btRigidBody* body : freeBodies) enter(placeOf(*body));
    m_elements = elements;
}

void NetworkBuilder::touch(std::span<const TouchingPair> pairs) {
    for (const TouchingPair& pair : pairs) {
        const int root = join(placeOf(*pair.a), placeOf(*pair.b));
        if (root >= 0) m_isTouched[static_cast<std::size_t>(root)] = 1;
    }
}

void NetworkBuilder::approach(std::span<const TouchingPair> pairs) {
    const auto countOf = [&](int place) {
        enter(place);
        return place >= 0 ? m_count[static_cast<std::size_t>(find(place))] : 0;
    };
    for (const TouchingPair& pair : pairs) {
        const int a = placeOf(*pair.a), b = placeOf(*pair.b);
        if (countOf(a) + countOf(b) <= static_cast<int>(kMostFollowed)) join(a, b);
    }
}

// Of one of its bodies that can move.
int NetworkBuilder::placeOf(const ForceElement& element) const {
    int place = -1;
    ElementAccess::forEachBody(element, [&](const btRigidBody& body) { place = place >= 0 ? place : placeOf(body); });
    return place;
}

bool NetworkBuilder::isOneLarger(int bodies) {
    int root = -1;
    const auto isInLarge = [&](int place) {
        if (place < 0) return true;
        const int own = find(place);
        if (root >= 0 && own != root) return false;
        root = own;
        const auto i = static_cast<std::size_t>(root);
        return m_isTouched[i] != 0 && m_count[i] > bodies;
    };
    for (const ForceElement* element : m_elements) {
        if (!isInLarge(placeOf(*element))) return false;
    }
    for (const btRigidBody* body : m_freeBodies) {
        if (!isInLarge(placeOf(*body))) return false;
    }
    return root >= 0;
}

const std::vector<NetworkParts>& NetworkBuilder::finish() {
    std::size_t count = 0;
    for (ForceElement* element : m_elements) {
        const int owner = placeOf(*element);
        if (owner < 0) continue;  // asleep, or stopped by the user: it cannot move anything
        networkAt(owner, count).elements.push_back(element);
    }
    const MultiBodyParts& multiBodies = m_multiBodies;
    for (MultiBodyElement* element : multiBodies.elements) {
        const std::array<int, 2> places = placesOf(*element);
        const int owner = places[0] >= 0 ? places[0] : places[1];
        if (owner >= 0) networkAt(owner, count).multiBodyElements.push_back(element);
    }
    for (btRigidBody* body : m_freeBodies) networkAt(placeOf(*body), count).freeBodies.push_back(body);
    m_networks.resize(count);
    for (std::size_t i = 0; i < multiBodies.bodies.size(); ++i) {
        const std::size_t place = static_cast<std::size_t>(multiBodies.places) + i;
        if (place >= m_parent.size() || m_parent[place] < 0) continue;
        const int network = m_network[static_cast<std::size_t>(find(static_cast<int>(place)))];
        if (network >= 0) m_networks[static_cast<std::size_t>(network)].multiBodies.push_back(multiBodies.bodies[i]);
    }
    return m_networks;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
