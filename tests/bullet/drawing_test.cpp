// What motion states and the debug drawer are shown.

#include <LinearMath/btIDebugDraw.h>

#include <catch2/catch.hpp>

#include <vector>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

struct Drawn : btMotionState {
    btTransform pose;
    explicit Drawn(const btTransform& start) : pose(start) {}
    void getWorldTransform(btTransform& target) const override { target = pose; }
    void setWorldTransform(const btTransform& drawn) override { pose = drawn; }
};

class LineCounter : public btIDebugDraw {
public:
    void drawLine(const btVector3&, const btVector3&, const btVector3& color) override {
        ++lines;
        colors.push_back(color);
    }
    void drawContactPoint(const btVector3&, const btVector3&, btScalar, int, const btVector3&) override {}
    void reportErrorWarning(const char*) override {}
    void draw3dText(const btVector3&, const char*) override {}
    void setDebugMode(int) override {}
    int getDebugMode() const override { return DBG_DrawWireframe; }

    int lines = 0;
    std::vector<btVector3> colors;
};

int linesOf(TestWorld& world) {
    LineCounter counter;
    world.world->setDebugDrawer(&counter);
    world.world->debugDrawWorld();
    world.world->setDebugDrawer(nullptr);
    return counter.lines;
}

}  // namespace

TEST_CASE("a bouncing body is drawn between the poses of its ticks, not below the floor") {
    const bool hasLatency = GENERATE(true, false);
    TestWorld world;
    world.world->setLatencyMotionStateInterpolation(hasLatency);
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    mass.setAngularVelocity(vec(0, 0, 40));
    Drawn drawn(mass.getWorldTransform());
    mass.setMotionState(&drawn);
    world.add<ElastoGap>(mass, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 0});
    const double frame = 1.0 / 144;
    const double tick = 1.0 / 60;
    double local = 0;
    btTransform last = mass.getWorldTransform();
    btTransform next = last;
    double offLine = 0;
    double lowest = 1;
    for (int i = 0; i < 1000; ++i) {
        local += frame;
        const btTransform before = mass.getWorldTransform();
        if (world.world->stepSimulation(btScalar(frame), 4, btScalar(tick)) > 0) {
            local = std::fmod(local, tick);
            last = before;
            next = mass.getWorldTransform();
        }
        const double y = static_cast<double>(drawn.pose.getOrigin().y());
        lowest = std::min(lowest, y);
        const double y0 = static_cast<double>(last.getOrigin().y());
        const double y1 = static_cast<double>(next.getOrigin().y());
        const double line = hasLatency ? y0 + (y1 - y0) * local / tick : y1;
        if (i > 3) {
            offLine = std::max(offLine, std::fabs(y - line));
        }
    }
    CAPTURE(hasLatency, offLine, lowest);
    CHECK(offLine < byPrecision(1e-12, 5e-6));
    CHECK(lowest > -0.0025);  // the stop's own deflection is 2.4 mm
}

TEST_CASE("spins of more than pi/4 per tick are drawn as they are") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& body = world.ball(1, 0, 0, 0);
    Drawn drawn(body.getWorldTransform());
    body.setMotionState(&drawn);
    body.setAngularVelocity(vec(0, 0, 170));
    world.add<RotationalSpringDamper>(body, btTransform::getIdentity(), SpringDamperParameters{.c = 0, .d = 0});
    double t = -1.0 / 60;
    for (int i = 0; i < 300; ++i) {
        world.world->stepSimulation(btScalar(1.0 / 144), 4, btScalar(1.0 / 60));
        t += 1.0 / 144;
        if (i > 3) {
            const btQuaternion expected(vec(0, 0, 1), btScalar(170 * t));
            CHECK(std::fabs(static_cast<double>(expected.angleShortestPath(drawn.pose.getRotation()))) <
                  byPrecision(1e-7, 5e-3));
        }
    }
}

TEST_CASE("every element type is drawn, in the colour of its method") {
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    const int bare = linesOf(world);
    btRigidBody& a = world.ball(1, 0, 0, 0);
    btRigidBody& b = world.ball(1, 1, 0, 0);
    const int bodies = linesOf(world);
    CHECK(bodies > bare);
    const btTransform frame = btTransform::getIdentity();
    std::vector<ForceElement*> all;
    const auto isDrawn = [&](ForceElement& element) {
        all.push_back(&element);
        const int lines = linesOf(world);
        element.setDbgDrawSize(0);
        CHECK(linesOf(world) < lines);
        element.setDbgDrawSize(btScalar(0.05));
    };
    isDrawn(world.add<ElastoGap>(a, b, frame, frame, ElastoGapParameters{.c = 1e3, .d = 0}));
    isDrawn(world.add<ElastoBacklash>(a, b, frame, frame, ElastoBacklashParameters{.c = 1e3, .d = 0, .b = 0.1}));
    isDrawn(world.add<SpringDamperSeries>(a, b, vec(0, 0, 0), vec(0, 0, 0),
                                          SpringDamperSeriesParameters{.c = 1e3, .d = 1, .s_damper_start = 0.5}));
    isDrawn(world.add<Spring>(a, b, vec(0, 0, 0), vec(0, 0, 0), 1e3));
    isDrawn(world.add<Damper>(a, b, vec(0, 0, 0), vec(0, 0, 0), 10));
    isDrawn(world.add<RotationalSpringDamper>(a, b, frame, frame, SpringDamperParameters{.c = 10, .d = 1}));
    world.tick();
    LineCounter counter;
    world.world->setDebugDrawer(&counter);
    world.plugin->setMessageHandler(nullptr);
    for (ForceElement* element : all) {
        element->setEnabled(false);
    }
    counter.colors.clear();
    world.world->debugDrawWorld();
    world.world->setDebugDrawer(nullptr);
    const btVector3 grey(btScalar(0.5), btScalar(0.5), btScalar(0.5));
    CHECK(std::count(counter.colors.begin(), counter.colors.end(), grey) > 0);
}
