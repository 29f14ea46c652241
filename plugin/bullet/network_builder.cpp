#include "network_builder.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <tuple>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

auto orderOf(const ForceElement& element) {
    const Placement& placement = element.placement();
    const Eigen::Vector3d& a = placement.pointA();
    const Eigen::Vector3d& b = placement.pointB();
    const Eigen::Vector3d& n = placement.axis();
    return std::tuple(placement.bodyA().getWorldArrayIndex(), placement.bodyB().getWorldArrayIndex(),
                      placement.geometry(), a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), n.x(), n.y(), n.z(),
                      element.law().index(), std::string_view(element.name()));
}

}  // namespace

bool isMovable(const btCollisionObject& body) {
    return btRigidBody::upcast(&body) != nullptr && !body.isStaticOrKinematicObject() && body.isActive();
}

int NetworkBuilder::find(int body) {
    while (m_parent[static_cast<std::size_t>(body)] != body) {
        body = m_parent[static_cast<std::size_t>(body)];
    }
    return body;
}

int NetworkBuilder::networkOf(const btCollisionObject& body) {
    const int index = body.getWorldArrayIndex();
    const bool isKnown = index >= 0 && static_cast<std::size_t>(index) < m_parent.size() &&
                         m_parent[static_cast<std::size_t>(index)] >= 0;
    return isKnown && isMovable(body) ? m_network[static_cast<std::size_t>(find(index))] : -1;
}

const std::vector<std::vector<ForceElement*>>& NetworkBuilder::build(std::vector<ForceElement*>& elements,
                                                                     const std::vector<HeldJoint>& joints,
                                                                     const std::vector<ContactPoint>& contacts) {
    std::fill(m_parent.begin(), m_parent.end(), -1);
    std::stable_sort(elements.begin(), elements.end(),
                     [](const ForceElement* x, const ForceElement* y) { return orderOf(*x) < orderOf(*y); });
    const auto enter = [&](const btCollisionObject& body) {
        const int index = body.getWorldArrayIndex();
        const auto i = static_cast<std::size_t>(index);
        if (m_parent.size() <= i) {
            m_parent.resize(i + 1, -1);
            m_network.resize(i + 1, -1);
        }
        if (m_parent[i] < 0) {
            m_parent[i] = index;
            m_network[i] = -1;
        }
    };
    for (const ForceElement* element : elements) {
        for (const btRigidBody* body : {&element->getRigidBodyA(), &element->getRigidBodyB()}) {
            if (isMovable(*body)) {
                if (!body->isInWorld() || body->getWorldArrayIndex() < 0) {
                    throw std::logic_error(element->label() +
                                           ": a body is not in the world; remove the element before its body");
                }
                enter(*body);
            }
        }
    }
    const auto join = [&](const btCollisionObject& x, const btCollisionObject& y) {
        if (isMovable(x) && isMovable(y)) {
            const int a = find(x.getWorldArrayIndex());
            const int b = find(y.getWorldArrayIndex());
            m_parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
    };
    const auto tie = [&](const btCollisionObject& x, const btCollisionObject& y) {
        for (const btCollisionObject* body : {&x, &y}) {
            if (isMovable(*body)) {
                enter(*body);
            }
        }
        join(x, y);
    };
    for (const ForceElement* element : elements) {
        join(element->getRigidBodyA(), element->getRigidBodyB());
    }
    for (const HeldJoint& held : joints) {
        tie(held.joint->getRigidBodyA(), held.joint->getRigidBodyB());
    }
    for (const ContactPoint& contact : contacts) {
        tie(*contact.bodyA, *contact.bodyB);
    }
    std::size_t count = 0;
    for (ForceElement* element : elements) {
        const bool isMovableA = isMovable(element->getRigidBodyA());
        if (!isMovableA && !isMovable(element->getRigidBodyB())) {
            continue;  // asleep, or stopped by the user: it cannot move anything
        }
        const btRigidBody& owner = isMovableA ? element->getRigidBodyA() : element->getRigidBodyB();
        int& network = m_network[static_cast<std::size_t>(find(owner.getWorldArrayIndex()))];
        if (network < 0) {
            network = static_cast<int>(count++);
            if (m_networks.size() < count) {
                m_networks.emplace_back();
            }
            m_networks[count - 1].clear();
        }
        m_networks[static_cast<std::size_t>(network)].push_back(element);
    }
    m_networks.resize(count);
    return m_networks;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
