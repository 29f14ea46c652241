#pragma once
// A small world, and refusals that change nothing.

#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include "test_world.h"
#include "world_hash.h"

namespace elasto::test {

// A box and a ball on a floor, on a spring, and a hinge beside them.
class SmallWorld : public TestWorld {
public:
    SmallWorld() {
        body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
        box(1, 0, 0.1, 0);
        ball(1, 1, 0.05, 0);
        ball(1, 2, 1, 0);
        add<Spring>(*bodies[1], vec(0, 0, 0), vec(0, 1, 0), 20, 1).setName("string");
        add<btHingeConstraint>(*bodies[3], vec(-0.3, 0, 0), vec(0, 0, 1));
        tick(5);
    }
};

inline void refusesToRestore(TestWorld& world, const WorldSnapshot& snapshot, const std::string& words) {
    const std::uint64_t before = hashOf(*world.world);
    CHECK_THROWS_WITH(world.plugin->restoreWorld(snapshot),
                      Catch::Contains("Plugin::restoreWorld") && Catch::Contains(words));
    CHECK_THROWS_AS(world.plugin->restoreWorld(snapshot), InvalidParameter);
    CHECK(hashOf(*world.world) == before);
}

inline void refusesToSave(const Plugin& plugin, const std::string& words) {
    CHECK_THROWS_WITH(plugin.saveWorld(), Catch::Contains("Plugin::saveWorld") && Catch::Contains(words));
    CHECK_THROWS_AS(plugin.saveWorld(), InvalidParameter);
}

/// Everything of a world but its broadphase.
struct WorldParts {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btSequentialImpulseConstraintSolver solver;
};

}  // namespace elasto::test
