// Contact points that Bullet drops, in networks that the flow solves: what they are good for, counted and drawn.

#include <LinearMath/btIDebugDraw.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "contact_scenes.h"
#include "touching_shapes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Keeps the middles of lines of the colour of remembered points.
class Crosses : public btIDebugDraw {
public:
    explicit Crosses(int mode) : m_mode(mode) {}
    void drawLine(const btVector3& from, const btVector3& to, const btVector3& color) override {
        if (color == btVector3(1, 0, 1)) middles.push_back((from + to) / 2);
    }
    void drawContactPoint(const btVector3&, const btVector3&, btScalar, int, const btVector3&) override {}
    void reportErrorWarning(const char*) override {}
    void draw3dText(const btVector3&, const char*) override {}
    void setDebugMode(int) override {}
    int getDebugMode() const override { return m_mode; }

    std::vector<btVector3> middles;

private:
    int m_mode;
};

std::vector<btVector3> crossesOf(TestWorld& world, int mode) {
    Crosses drawer(mode);
    world.world->setDebugDrawer(&drawer);
    world.world->debugDrawWorld();
    world.world->setDebugDrawer(nullptr);
    return drawer.middles;
}

// A box that slides on a mesh, of whose corners Bullet finds one per triangle and tick, towards a bumper.
struct Slide {
    TestWorld world;
    TouchingShapes shapes{world};
    btRigidBody* box = nullptr;
    double tilt = 0;  // largest [rad]
    std::int64_t remembered = 0;
    std::int64_t rememberedIdle = 0;  // of these, in ticks that were Bullet's
    bool areOnGround = true;

    explicit Slide(bool keepsContacts, double bumper) {
        shapes.ground("mesh").setFriction(0);
        box = &shapes.body("box", 2);
        box->setFriction(0);
        world.tick(240, 240);
        box->setLinearVelocity(vec(2, 0, 0));
        const btQuaternion back(vec(0, 1, 0), SIMD_PI);
        world.add<ElastoGap>(*box, btTransform(back, vec(0, 0, 0)), btTransform(back, vec(bumper, 0.5, 0)),
                             ElastoGapParameters{.c = 1e4, .d = 0});
        world.plugin->setContactCache(keepsContacts);
        CHECK(world.plugin->contactCache() == keepsContacts);
    }

    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) {
            world.tick(1, 240);
            const btMatrix3x3& turn = box->getWorldTransform().getBasis();
            tilt = std::max(tilt, std::hypot(static_cast<double>(turn[0][1]), static_cast<double>(turn[2][1])));
            const std::int64_t now = world.plugin->statistics().remembered;
            remembered += now;
            rememberedIdle += world.plugin->statistics().coupled == 0 ? now : 0;
            const std::vector<btVector3> middles =
                crossesOf(world, btIDebugDraw::DBG_DrawContactPoints | btIDebugDraw::DBG_DrawWireframe);
            CHECK(static_cast<int>(middles.size()) == 3 * now);
            CHECK(crossesOf(world, btIDebugDraw::DBG_DrawWireframe).empty());
            for (const btVector3& middle : middles) {
                areOnGround = areOnGround && std::abs(static_cast<double>(middle.y())) < 2e-3;
            }
        }
    }
};

}  // namespace

TEST_CASE("a box slides upright on the corners that Bullet drops") {
    Slide with(true, 1);
    with.run(200);
    Slide without(false, 1);
    without.run(200);
    CAPTURE(with.remembered, with.tilt, without.tilt);
    CHECK(with.remembered > 200);
    CHECK(with.areOnGround);
    CHECK(without.remembered == 0);
    CHECK(with.tilt < byPrecision(1e-5, 1e-3));
    CHECK(without.tilt > 5 * with.tilt);
}

TEST_CASE("networks of Bullet's own remember nothing") {
    Slide slide(true, 50);  // the bumper is far away
    slide.box->setLinearVelocity(vec(0, 0, 0));
    slide.world.tick(120, 240);
    REQUIRE(slide.world.plugin->statistics().coupled == 0);
    slide.run(60);
    // In single precision Bullet's box jumps on its mesh, and is the flow's until it rests again.
    CHECK(slide.rememberedIdle == 0);
    if (sizeof(btScalar) == sizeof(double)) CHECK(slide.remembered == 0);
}
