#pragma once
// All bits of a world's bodies in one number.

#include <cstdint>

#include "test_world.h"

namespace elasto::test {

class BitHash {
public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i) {
            m_hash = (m_hash ^ bytes[i]) * 1099511628211ULL;
        }
    }
    void add(const btVector3& v) { add(&v[0], 3 * sizeof(btScalar)); }
    void add(const btRigidBody& body) {
        for (int row = 0; row < 3; ++row) {
            add(body.getWorldTransform().getBasis()[row]);
        }
        add(body.getWorldTransform().getOrigin());
        add(body.getLinearVelocity());
        add(body.getAngularVelocity());
        const int state = body.getActivationState();
        add(&state, sizeof state);
        const btScalar asleep = body.getDeactivationTime();
        add(&asleep, sizeof asleep);
    }
    std::uint64_t value() const { return m_hash; }

private:
    std::uint64_t m_hash = 1469598103934665603ULL;
};

inline std::uint64_t hashOf(const btDiscreteDynamicsWorld& world) {
    BitHash hash;
    for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
        if (const btRigidBody* body = btRigidBody::upcast(world.getCollisionObjectArray()[i])) {
            hash.add(*body);
        }
    }
    return hash.value();
}

inline std::uint64_t hashOf(const TestWorld& world) {
    BitHash hash;
    const std::uint64_t bodies = hashOf(*world.world);
    hash.add(&bodies, sizeof bodies);
    for (const auto& element : world.elements) {
        const auto& force = static_cast<const ForceElement&>(*element);
        const double values[] = {force.s_damper(), force.heat(), force.impulse(), force.s_rel(), force.f()};
        hash.add(values, sizeof values);
    }
    return hash.value();
}

}  // namespace elasto::test
