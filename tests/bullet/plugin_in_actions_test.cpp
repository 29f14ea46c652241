// Plugins that come and go in the middle of a tick: in users' actions and callbacks.

#include <BulletDynamics/Dynamics/btActionInterface.h>

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <utility>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// Writes its name when it is called, and does what it is told.
struct Writer final : btActionInterface {
    Writer(std::string& page, char name) : m_page(&page), m_name(name) {}
    void updateAction(btCollisionWorld*, btScalar) override {
        *m_page += m_name;
        if (task) std::exchange(task, nullptr)();
    }
    void debugDraw(btIDebugDraw*) override {}

    std::function<void()> task;  // for the next time

private:
    std::string* m_page;
    char m_name;
};

/// Three actions of the user's, and a mass above its stop, which acts while there is a plugin.
struct Scene {
    explicit Scene(bool withPlugin) : world(withPlugin) {
        for (Writer& writer : writers) world.world->addAction(&writer);
        stop.setEnabled(withPlugin);
    }
    ~Scene() {
        for (Writer& writer : writers) world.world->removeAction(&writer);
    }
    void makePlugin() {
        world.install();
        stop.setEnabled(true);
    }
    void destroyPlugin() {
        stop.setEnabled(false);
        world.plugin.reset();
    }
    std::string namesOf(int ticks) {
        page.clear();
        world.tick(ticks);
        return page;
    }

    std::string page;
    TestWorld world;
    Writer writers[3] = {{page, 'a'}, {page, 'b'}, {page, 'c'}};
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    ElastoGap& stop = world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 0});
};

}  // namespace

TEST_CASE("an action may make the plugin, and each action is called once") {
    const std::size_t which = GENERATE(0U, 1U, 2U);
    Scene scene(false);
    CHECK(scene.namesOf(1) == "abc");
    scene.writers[which].task = [&] { scene.makePlugin(); };
    CHECK(scene.namesOf(1) == "abc");
    CHECK(scene.world.plugin->totals().ticks == 0);
    CHECK(scene.world.plugin->time() == 0);
    CHECK(scene.namesOf(2) == "abcabc");
    CHECK(scene.world.plugin->totals().ticks == 2);
    CHECK(scene.world.plugin->statistics().elements == 1);
    const double energy = energyOf(scene.mass);
    scene.world.tick(60);
    CHECK(energyOf(scene.mass) + scene.stop.storedEnergy() == Approx(energy).epsilon(byPrecision(1e-9, 1e-5)));
}

TEST_CASE("an action may destroy the plugin, and each action is called once") {
    const std::size_t which = GENERATE(0U, 1U, 2U);
    Scene scene(true);
    CHECK(scene.namesOf(2) == "abcabc");
    scene.writers[which].task = [&] { scene.destroyPlugin(); };
    CHECK(scene.namesOf(1) == "abc");
    CHECK(scene.world.world->getConstraintSolver() == scene.world.solver.get());
    SECTION("for good") {
        CHECK(scene.namesOf(2) == "abcabc");
        const double height = heightOf(scene.mass);
        scene.world.tick(30);
        CHECK(heightOf(scene.mass) < height - 1);  // through the stop
    }
    SECTION("and another one makes it again in the next tick") {
        scene.writers[0].task = [&] { scene.makePlugin(); };
        CHECK(scene.namesOf(3) == "abcabcabc");
        CHECK(scene.world.plugin->totals().ticks == 2);
    }
}

TEST_CASE("an action may exchange the plugin for another one, and each action is called once") {
    const std::size_t which = GENERATE(0U, 1U, 2U);
    Scene scene(true);
    scene.world.tick();
    for (int i = 0; i < 3; ++i) {
        scene.writers[which].task = [&] {
            scene.destroyPlugin();
            scene.makePlugin();
        };
        CHECK(scene.namesOf(1) == "abc");
    }
    CHECK(scene.namesOf(2) == "abcabc");
    CHECK(scene.world.plugin->totals().ticks == 2);
}

TEST_CASE("the plugin may go in a callback of an element, and each action is called once") {
    Scene scene(true);
    scene.stop.onContactBegin([&](ForceElement&, const ContactInfo&) { scene.destroyPlugin(); });
    scene.page.clear();
    for (int tick = 0; scene.world.plugin != nullptr; ++tick) {
        REQUIRE(tick < 60);
        CHECK(scene.namesOf(1) == "abc");
    }
    CHECK(scene.namesOf(2) == "abcabc");
}

TEST_CASE("the plugin may come and go in tick callbacks, and each action is called once") {
    const bool isBefore = GENERATE(true, false);
    Scene scene(false);
    scene.world.world->setInternalTickCallback(
        [](btDynamicsWorld* world, btScalar) {
            auto& called = *static_cast<Scene*>(world->getWorldUserInfo());
            called.world.plugin ? called.destroyPlugin() : called.makePlugin();
        },
        &scene, isBefore);
    for (int tick = 0; tick < 6; ++tick) CHECK(scene.namesOf(1) == "abc");
    scene.world.world->setInternalTickCallback(nullptr, nullptr, isBefore);
    scene.makePlugin();
    CHECK(scene.namesOf(1) == "abc");
    CHECK(scene.world.plugin->totals().ticks == 1);
}
