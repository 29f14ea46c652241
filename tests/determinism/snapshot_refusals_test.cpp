// A snapshot that does not fit the world is refused by what differs, and nothing is changed then.

#include "snapshot_refusals.h"

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;

TEST_CASE("a snapshot of nothing") {
    SmallWorld world;
    const WorldSnapshot nothing;
    CHECK(nothing.isEmpty());
    CHECK(nothing.bodies() == 0);
    CHECK(nothing.contactPoints() == 0);
    CHECK(nothing.hash() == 0);
    refusesToRestore(world, nothing, "empty");
}

TEST_CASE("snapshots of other bodies are refused") {
    SmallWorld world;
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    SECTION("one was added since") {
        world.ball(1, 4, 4, 0);
        refusesToRestore(world, snapshot, "5 bodies, the snapshot 4");
    }
    SECTION("one was removed since") {
        world.world->removeRigidBody(world.bodies[2].get());
        refusesToRestore(world, snapshot, "3 bodies, the snapshot 4");
    }
    SECTION("one was removed and put in again: another place in the world's lists") {
        world.world->removeRigidBody(world.bodies[2].get());
        world.world->addRigidBody(world.bodies[2].get());
        refusesToRestore(world, snapshot, "same");
    }
    SECTION("two have changed their places in the broadphase") {
        btRigidBody& first = *world.bodies[3];
        world.world->removeRigidBody(&first);
        world.world->addRigidBody(&first);  // the last of all: its place stays, its id in the broadphase does not
        CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));
        world.world->removeRigidBody(world.bodies[2].get());
        world.world->removeRigidBody(&first);
        world.world->addRigidBody(&first);
        world.world->addRigidBody(world.bodies[2].get());
        refusesToRestore(world, snapshot, "same");
    }
    SECTION("the moving ones are listed in another order") {
        world.bodies[1]->forceActivationState(ISLAND_SLEEPING);
        CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));
        CHECK(world.bodies[1]->getActivationState() == DISABLE_DEACTIVATION);
    }
    SECTION("another shape") {
        world.shapes.push_back(std::make_unique<btSphereShape>(btScalar(0.2)));
        world.bodies[2]->setCollisionShape(world.shapes.back().get());
        refusesToRestore(world, snapshot, "body 2 has another shape");
    }
    SECTION("the same shape, scaled") {
        world.bodies[1]->getCollisionShape()->setLocalScaling(vec(1, 1, 1.01));
        refusesToRestore(world, snapshot, "body 1 has another shape");
    }
    SECTION("another mass") {
        world.bodies[2]->setMassProps(2, vec(0.002, 0.002, 0.002));
        refusesToRestore(world, snapshot, "body 2 has another mass");
    }
    SECTION("another kind") {
        world.world->removeConstraint(world.elements[1].get());
        world.world->removeRigidBody(world.bodies[3].get());
        btCollisionObject scenery;
        scenery.setCollisionShape(world.shapes[3].get());
        world.world->addCollisionObject(&scenery);
        refusesToRestore(world, snapshot, "body 3 is of another kind");
        world.world->removeCollisionObject(&scenery);
        world.world->addRigidBody(world.bodies[3].get());
    }
}

TEST_CASE("snapshots of other joints and elements are refused") {
    SmallWorld world;
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    SECTION("one was added since") {
        world.add<Spring>(*world.bodies[2], vec(0, 0, 0), vec(0, 1, 0), 20, 1);
        refusesToRestore(world, snapshot, "3 joints and elements, the snapshot 2");
    }
    SECTION("another order") {
        world.world->removeConstraint(world.elements[0].get());
        world.world->addConstraint(world.elements[0].get());
        refusesToRestore(world, snapshot, "joint or element 0 is of another class");
    }
    SECTION("other bodies") {
        world.world->removeConstraint(world.elements[1].get());
        world.add<btHingeConstraint>(*world.bodies[2], vec(-0.3, 0, 0), vec(0, 0, 1));
        refusesToRestore(world, snapshot, "joint or element 1");
    }
    SECTION("another line") {
        world.world->removeConstraint(world.elements[0].get());
        world.world->removeConstraint(world.elements[1].get());
        world.elements[0] =
            std::make_unique<Spring>(Placement::alongAxis(*world.bodies[1], upwards(), upwards()), 20, 1);
        world.world->addConstraint(world.elements[0].get());
        world.world->addConstraint(world.elements[1].get());
        refusesToRestore(world, snapshot, "acts along or about another line");
    }
    SECTION("another place, and another order of elements that differ in nothing else") {
        const ElastoGapParameters parameters{.c = 1e4, .d = 1};
        btRigidBody& ball = world.ball(0.2, 7, 1, 0);
        ElastoGap& floor = world.add<ElastoGap>(ball, upwards(), upwards(7, 0, 0), parameters);
        world.add<ElastoGap>(ball, upwards(), upwards(7, -1, 0), parameters);
        const WorldSnapshot both = world.plugin->saveWorld();
        world.world->removeConstraint(&floor);
        world.world->addConstraint(&floor);
        refusesToRestore(world, both, "another line");
    }
    SECTION("another heat port") {
        auto& spring = static_cast<Spring&>(*world.elements[0]);
        spring.setHeatPort(std::make_shared<HeatPort>(30));
        refusesToRestore(world, snapshot, "Spring 'string' has another heat port");
        const WorldSnapshot withPort = world.plugin->saveWorld();
        spring.setHeatPort(std::make_shared<HeatPort>(31));
        refusesToRestore(world, withPort, "heat port");
    }
}

TEST_CASE("inside a tick both are refused") {
    SmallWorld world;
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    int calls = 0;
    world.plugin->defer([&] {
        ++calls;
        CHECK_THROWS_WITH(world.plugin->saveWorld(), Contains("a tick is under way"));
        CHECK_THROWS_WITH(world.plugin->restoreWorld(snapshot), Contains("a tick is under way"));
        CHECK_THROWS_AS(world.plugin->saveWorld(), std::logic_error);
    });
    world.tick();
    CHECK(calls == 1);
    CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));
    // A tick that threw is over.
    world.plugin->defer([] { throw std::runtime_error("the user's"); });
    CHECK_THROWS_WITH(world.tick(), "the user's");
    CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));
}

TEST_CASE("snapshots outlive the world, but need one") {
    WorldSnapshot snapshot;
    std::unique_ptr<Plugin> plugin;
    WorldParts parts;
    {
        btDbvtBroadphase broadphase;
        auto world = std::make_unique<btDiscreteDynamicsWorld>(&parts.dispatcher, &broadphase, &parts.solver,
                                                               &parts.configuration);
        plugin = std::make_unique<Plugin>(world.get());
        snapshot = plugin->saveWorld();
    }
    CHECK(!snapshot.isEmpty());
    CHECK_THROWS_WITH(plugin->saveWorld(), Contains("the world is gone"));
    CHECK_THROWS_WITH(plugin->restoreWorld(snapshot), Contains("the world is gone"));
}

TEST_CASE("a restore that fails late has changed nothing") {
    // Whether two bodies get contacts is the dispatcher's to say, when it is asked: here it has changed its mind.
    struct Moody : btCollisionDispatcher {
        using btCollisionDispatcher::btCollisionDispatcher;
        bool needsCollision(const btCollisionObject* a, const btCollisionObject* b) override {
            return !isTired && btCollisionDispatcher::needsCollision(a, b);
        }
        bool isTired = false;
    };
    struct Heap {
        btDefaultCollisionConfiguration configuration;
        Moody dispatcher{&configuration};
        btDbvtBroadphase broadphase;
        btSequentialImpulseConstraintSolver solver;
        btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
        Plugin plugin{&world};
        btBoxShape shape{vec(0.2, 0.2, 0.2)};
        std::vector<std::unique_ptr<btRigidBody>> bodies;
        Heap() {
            for (int i = 0; i < 12; ++i) {
                bodies.push_back(std::make_unique<btRigidBody>(btScalar(i > 1 ? 1 : 0), nullptr, &shape,
                                                               i > 1 ? vec(0.03, 0.03, 0.03) : vec(0, 0, 0)));
                bodies.back()->setCenterOfMassTransform(at(i % 2 * 0.3, 0.42 * (i / 2), 0.01 * i));
                world.addRigidBody(bodies.back().get());
            }
        }
        ~Heap() {
            for (const auto& body : bodies) {
                world.removeRigidBody(body.get());
            }
        }
        std::uint64_t step() {
            world.stepSimulation(btScalar(1.0 / 60), 0);
            return hashOf(world);
        }
    };
    Heap heap;
    Heap twin;
    for (int i = 0; i < 60; ++i) {
        heap.step();
        twin.step();
    }
    const WorldSnapshot snapshot = heap.plugin.saveWorld();
    for (Heap* each : {&heap, &twin}) {
        for (std::size_t i = 2; i < each->bodies.size(); ++i) {
            each->bodies[i]->translate(vec(0.9 * static_cast<double>(i), 1, 0));  // all apart
        }
        for (int i = 0; i < 20; ++i) {
            each->step();
        }
    }
    heap.dispatcher.isTired = true;
    const std::uint64_t before = heap.plugin.saveWorld().hash();
    CHECK_THROWS_WITH(heap.plugin.restoreWorld(snapshot), Contains("does not let them collide now"));
    CHECK(heap.plugin.saveWorld().hash() == before);
    heap.dispatcher.isTired = false;
    for (int i = 0; i < 200; ++i) {
        REQUIRE(heap.step() == twin.step());
    }
    CHECK_NOTHROW(heap.plugin.restoreWorld(snapshot));
    CHECK(heap.plugin.saveWorld().hash() == snapshot.hash());
}
