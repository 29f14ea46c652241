#pragma once
// Where a body is in a network, in a time that does not grow with the network.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// A hash table over the bodies of a network; a few are simply looked through.
class BodyIndex {
public:
    /// @param places storage, used again from tick to tick
    BodyIndex(const std::vector<NetworkBody>& bodies, std::vector<int>& places) : m_bodies(bodies), m_places(places) {
        m_places.clear();
        noteAdded();
    }

    /// -1 if it is not among them.
    int find(const btRigidBody& body) const {
        if (m_places.empty()) {
            for (std::size_t i = 0; i < m_bodies.size(); ++i) {
                if (m_bodies[i].body == &body) return static_cast<int>(i);
            }
            return -1;
        }
        return m_places[slotOf(body)];
    }

    /// To be called when bodies were added to the network.
    void noteAdded() {
        if (m_bodies.size() <= kFew) return;
        if (m_places.size() < 2 * m_bodies.size()) {
            m_places.assign(4 * m_bodies.size(), -1);
            m_noted = 0;
        }
        for (; m_noted < m_bodies.size(); ++m_noted) {
            const btRigidBody* body = m_bodies[m_noted].body;
            if (body != nullptr) m_places[slotOf(*body)] = static_cast<int>(m_noted);
        }
    }

private:
    static constexpr std::size_t kFew = 8;

    /// That of the body, or the free one where it belongs.
    std::size_t slotOf(const btRigidBody& body) const {
        const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&body));
        std::size_t slot = static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15u) >> 32) % m_places.size();
        while (m_places[slot] >= 0 && m_bodies[static_cast<std::size_t>(m_places[slot])].body != &body) {
            slot = slot + 1 < m_places.size() ? slot + 1 : 0;
        }
        return slot;
    }

    const std::vector<NetworkBody>& m_bodies;
    std::vector<int>& m_places;  // in m_bodies
    std::size_t m_noted = 0;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
