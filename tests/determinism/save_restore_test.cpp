// Save and restore of worlds of elements and free bodies: the runs after it are equal to the bit.

#include <catch2/catch.hpp>

#include <cstring>
#include <type_traits>

#include "machine.h"
#include "world_hash.h"

using namespace elasto;
using namespace elasto::test;

namespace {

static_assert(std::is_trivially_copyable_v<ElementState>);

// What a user has to keep of the bodies, and of what Elasto offers.
struct Snapshot {
    struct Body {
        btTransform pose;
        btTransform interpolation;
        btVector3 velocity;
        btVector3 angularVelocity;
        int activation;
        btScalar asleep;
    };
    std::vector<Body> bodies;
    std::vector<ElementState> elements;
    PluginState plugin;
    int count;

    explicit Snapshot(const Machine& machine) : plugin(machine.plugin->saveState()), count(machine.count()) {
        for (const auto& body : machine.bodies) {
            bodies.push_back({body->getWorldTransform(), body->getInterpolationWorldTransform(),
                              body->getLinearVelocity(), body->getAngularVelocity(), body->getActivationState(),
                              body->getDeactivationTime()});
        }
        for (const auto& element : machine.elements) {
            elements.push_back(static_cast<const ForceElement&>(*element).saveState());
        }
    }

    void restore(Machine& machine) const {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            btRigidBody& body = *machine.bodies[i];
            body.setLinearVelocity(bodies[i].velocity);
            body.setAngularVelocity(bodies[i].angularVelocity);
            body.setWorldTransform(bodies[i].pose);
            body.setInterpolationWorldTransform(bodies[i].interpolation);
            body.updateInertiaTensor();
            body.forceActivationState(bodies[i].activation);
            body.setDeactivationTime(bodies[i].asleep);
        }
        for (std::size_t i = 0; i < elements.size(); ++i) {
            static_cast<ForceElement&>(*machine.elements[i]).restoreState(elements[i]);
        }
        machine.plugin->restoreState(plugin);
        machine.setCount(count);
    }
};

}  // namespace

TEST_CASE("600 ticks after a restore are equal to the bit", "[slow]") {
    const int savedAt = GENERATE(7, 100, 333);
    Machine machine({.withBoxes = false});
    for (int i = 0; i < savedAt; ++i) {
        machine.tickMachine();
    }
    const Snapshot snapshot(machine);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 600; ++i) {
        machine.tickMachine();
        hashes.push_back(hashOf(machine));
    }
    const EnergyBook book = machine.plugin->energy();
    snapshot.restore(machine);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        machine.tickMachine();
        REQUIRE(hashOf(machine) == hashes[i]);
    }
    CHECK(machine.plugin->energy().work == book.work);
    CHECK(machine.plugin->energy().dissipated == book.dissipated);

    Machine fresh({.withBoxes = false});  // another world built the same way
    snapshot.restore(fresh);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        fresh.tickMachine();
        REQUIRE(hashOf(fresh) == hashes[i]);
    }
}

TEST_CASE("states are plain bytes") {
    Machine machine({.withBoxes = false});
    for (int i = 0; i < 50; ++i) {
        machine.tickMachine();
    }
    for (const auto& constraint : machine.elements) {
        auto& element = static_cast<ForceElement&>(*constraint);
        const ElementState state = element.saveState();
        ElementState copy;
        std::memcpy(static_cast<void*>(&copy), &state, sizeof state);
        element.restoreState(copy);
        CHECK(element.heat() == state.heat);
        CHECK(element.s_damper() == state.s_damper);
        CHECK(element.impulse() == state.impulse);
        CHECK(element.tickLength() == state.tick);
        CHECK_THROWS_AS(element.solutionAt(0), std::logic_error);
    }
}
