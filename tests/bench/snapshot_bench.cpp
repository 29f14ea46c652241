// Cost and size of saving and restoring whole worlds (double precision): per body, of worlds that touch little and
// much.

#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "bare_world.h"
#include "bench_names.h"

namespace {

/// A floor and blocks of boxes close together, some hinged to each other, each fourth on a spring.
class Heap : elasto::bench::BareWorld {
public:
    explicit Heap(int bodies) {
        m_world.setGravity(btVector3(0, btScalar(-9.80665), 0));
        addBody(m_floor, 0, btVector3(0, -1, 0));
        const btScalar pitch = btScalar(0.51);
        for (int i = 0; i < bodies; ++i) {
            const btVector3 place(pitch * btScalar(i % 5) + btScalar(0.02) * btScalar(i / 25),
                                  btScalar(0.26) + btScalar(0.505) * btScalar(i / 25), pitch * btScalar(i / 5 % 5));
            btRigidBody& box = addBody(m_box, 1, place);
            box.setLinearVelocity(btVector3(btScalar(i % 7 - 3) / 3, 0, btScalar(i % 5 - 2) / 2));
            if (i % 10 == 9) {
                m_constraints.push_back(std::make_unique<btPoint2PointConstraint>(*m_bodies[m_bodies.size() - 2], box,
                                                                                  btVector3(btScalar(0.25), 0, 0),
                                                                                  btVector3(btScalar(-0.26), 0, 0)));
            } else if (i % 4 == 0) {
                m_constraints.push_back(std::make_unique<elasto::Spring>(box, btVector3(0, 0, 0),
                                                                         place + btVector3(0, btScalar(5), 0), 5, 5));
            } else {
                continue;
            }
            m_world.addConstraint(m_constraints.back().get());
        }
        m_plugin.setMessageHandler(nullptr);
    }
    ~Heap() {
        for (const auto& constraint : m_constraints) m_world.removeConstraint(constraint.get());
        for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
    }

    void step(int ticks) {
        for (int i = 0; i < ticks; ++i) m_world.stepSimulation(btScalar(1) / 60, 0);
    }
    elasto::Plugin& plugin() { return m_plugin; }

private:
    btRigidBody& addBody(btCollisionShape& shape, btScalar mass, const btVector3& place) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape.calculateLocalInertia(mass, inertia);
        m_bodies.push_back(std::make_unique<btRigidBody>(mass, nullptr, &shape, inertia));
        m_bodies.back()->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), place));
        m_world.addRigidBody(m_bodies.back().get());
        return *m_bodies.back();
    }

    btBoxShape m_floor{btVector3(20, 1, 20)};
    btBoxShape m_box{btVector3(btScalar(0.25), btScalar(0.25), btScalar(0.25))};
    elasto::Plugin m_plugin{&m_world};
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_constraints;
};

void count(benchmark::State& state, const elasto::WorldSnapshot& snapshot) {
    const double bodies = snapshot.bodies();
    state.counters[kPerTick] = bodies;
    state.counters["bytes_per_body"] = static_cast<double>(snapshot.size()) / bodies;
    state.counters["points_per_body"] = snapshot.contactPoints() / bodies;
    state.counters["per_body"] = benchmark::Counter(bodies * static_cast<double>(state.iterations()),
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void save(benchmark::State& state) {
    Heap heap(static_cast<int>(state.range(0)));
    heap.step(60);
    for (auto _ : state) benchmark::DoNotOptimize(heap.plugin().saveWorld());
    count(state, heap.plugin().saveWorld());
}

// As a rollback does: the world has gone on by some ticks.
void restore(benchmark::State& state) {
    Heap heap(static_cast<int>(state.range(0)));
    heap.step(60);
    const elasto::WorldSnapshot snapshot = heap.plugin().saveWorld();
    for (auto _ : state) {
        state.PauseTiming();
        heap.step(8);
        state.ResumeTiming();
        heap.plugin().restoreWorld(snapshot);
    }
    count(state, snapshot);
}

// Ticks of the heap, going on from the same one: without a recording, and with one.
void tick(benchmark::State& state, bool isRecorded) {
    Heap heap(static_cast<int>(state.range(0)));
    heap.step(60);
    const elasto::WorldSnapshot snapshot = heap.plugin().saveWorld();
    if (isRecorded) heap.plugin().record(100);
    for (auto _ : state) {
        heap.step(1);
        state.PauseTiming();
        heap.plugin().restoreWorld(snapshot);
        state.ResumeTiming();
    }
    count(state, snapshot);
}

BENCHMARK_CAPTURE(tick, alone, false)->Name("recording/tick_without")->Arg(10)->Arg(200)->Arg(1000)->Iterations(200);
BENCHMARK_CAPTURE(tick, recorded, true)->Name("recording/tick_with")->Arg(10)->Arg(200)->Arg(1000)->Iterations(200);
BENCHMARK(save)->Name("snapshot/save")->Arg(10)->Arg(200)->Arg(1000);
BENCHMARK(restore)->Name("snapshot/restore_after_8_ticks")->Arg(10)->Arg(200)->Arg(1000)->Iterations(40);

}  // namespace
