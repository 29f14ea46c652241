// Cost of a tick of a Bullet world (double precision): as it is, with the plugin, and with elements.

#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "bare_world.h"
#include "bench_names.h"

namespace {

constexpr int kBodies = 100;
constexpr btScalar kTick = btScalar(1) / 60;

/// Balls that do not touch each other, each above a stop of its own if there are stops.
class World : elasto::bench::BareWorld {
public:
    World(bool withPlugin, bool withStops, btScalar gravity) : m_shape(btScalar(0.05)) {
        m_world.setGravity(btVector3(0, -gravity, 0));
        if (withPlugin) m_plugin = std::make_unique<elasto::Plugin>(&m_world);
        btVector3 inertia;
        m_shape.calculateLocalInertia(btScalar(0.2), inertia);
        const btQuaternion upwards(btVector3(0, 0, 1), SIMD_HALF_PI);
        for (int i = 0; i < kBodies; ++i) {
            const btVector3 place(btScalar(i % 10), btScalar(0.3), btScalar(i / 10));
            const btRigidBody::btRigidBodyConstructionInfo info(btScalar(0.2), nullptr, &m_shape, inertia);
            m_bodies.push_back(std::make_unique<btRigidBody>(info));
            m_bodies.back()->setWorldTransform(btTransform(btQuaternion::getIdentity(), place));
            m_bodies.back()->setActivationState(DISABLE_DEACTIVATION);
            m_world.addRigidBody(m_bodies.back().get());
            if (!withStops) continue;
            const btTransform onGround(upwards, btVector3(place.x(), 0, place.z()));
            m_stops.push_back(std::make_unique<elasto::ElastoGap>(*m_bodies.back(), btTransform(upwards), onGround,
                                                                  elasto::ElastoGapParameters{.c = 1e6, .d = 0}));
            m_world.addConstraint(m_stops.back().get());
        }
    }
    ~World() {
        for (const auto& stop : m_stops) m_world.removeConstraint(stop.get());
        for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
    }

    void step() { m_world.stepSimulation(kTick, 0, kTick); }

private:
    btSphereShape m_shape;
    std::unique_ptr<elasto::Plugin> m_plugin;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<elasto::ElastoGap>> m_stops;
};

void step(benchmark::State& state, bool withPlugin, bool withStops, btScalar gravity) {
    World world(withPlugin, withStops, gravity);
    for (auto _ : state) world.step();
    state.counters[kPerTick] = kBodies;
}

// Without gravity nothing reaches a stop; with it every ball hits its stop about every half second.
BENCHMARK_CAPTURE(step, plain, false, false, btScalar(0))->Name(kBaseline);
BENCHMARK_CAPTURE(step, plugin, true, false, btScalar(0))->Name("world/plugin_without_elements");
BENCHMARK_CAPTURE(step, idle, true, true, btScalar(0))->Name("world/gaps_out_of_reach");
BENCHMARK_CAPTURE(step, bouncing, true, true, btScalar(9.80665))->Name("world/gaps_bouncing");

}  // namespace
