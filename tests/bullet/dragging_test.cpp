// Bodies of networks that are dragged as Bullet's examples do it: by a ball joint of bounded strength to a point of the
// world that follows the mouse.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// Drags a body at a point of its own. With a second body of no mass the same joint has its bodies the other way round.
class Drag {
public:
    Drag(TestWorld& world, btRigidBody& body, const btVector3& grip, double impulse, bool worldIsA = false)
        : m_world(world), m_worldIsA(worldIsA) {
        if (worldIsA) {
            btRigidBody& anchor = world.body(0, new btSphereShape(btScalar(0.01)), at(0, -100, 0));
            joint = std::make_unique<btPoint2PointConstraint>(anchor, body, btVector3(0, 0, 0), grip);
        } else {
            joint = std::make_unique<btPoint2PointConstraint>(body, grip);
        }
        joint->m_setting.m_impulseClamp = btScalar(impulse);
        joint->setJointFeedback(&feedback);
        world.world->addConstraint(joint.get());
        to(body.getCenterOfMassTransform() * grip);
    }
    ~Drag() { m_world.world->removeConstraint(joint.get()); }

    void to(const btVector3& point) {
        if (m_worldIsA) {
            joint->setPivotA(point - vec(0, -100, 0));
        } else {
            joint->setPivotB(point);
        }
    }
    const btVector3& forceOnBody() const {
        return m_worldIsA ? feedback.m_appliedForceBodyB : feedback.m_appliedForceBodyA;
    }
    const btVector3& torqueOnBody() const {
        return m_worldIsA ? feedback.m_appliedTorqueBodyB : feedback.m_appliedTorqueBodyA;
    }

    std::unique_ptr<btPoint2PointConstraint> joint;
    btJointFeedback feedback = {};

private:
    TestWorld& m_world;
    bool m_worldIsA;
};

// A force along the way from the body's centre is no element that moves it: it only makes a network of it.
void addNothing(TestWorld& world, btRigidBody& body) {
    world.add<SpringDamperParallel>(body, vec(0, 0, 0), vec(9, 9, 9),
                                    SpringDamperParameters{.c = 1e-9, .d = 0, .s_rel0 = 1});
}

std::vector<btVector3> dragAround(bool withPlugin, bool worldIsA) {
    TestWorld world(withPlugin);
    btRigidBody& box = world.body(2, new btBoxShape(vec(0.2, 0.1, 0.15)), at(0.3, 1, 0));
    if (withPlugin) addNothing(world, box);
    Drag drag(world, box, vec(0.2, 0.1, 0.05), 1, worldIsA);
    std::vector<btVector3> ways;
    constexpr double kHz = 960;
    for (int tick = 0; tick < 960; ++tick) {
        const double angle = 3 * tick / kHz;
        drag.to(vec(0.5 * std::cos(angle), 1.1 + 0.5 * std::sin(angle), 0.05 + 0.1 * angle));
        world.tick(1, kHz);
        ways.push_back(box.getCenterOfMassPosition());
    }
    if (withPlugin) {
        CHECK(world.messages.empty());
        CHECK(world.plugin->totals().uncoupled == 0);
        CHECK(world.plugin->totals().fallbacks == 0);
    }
    return ways;
}

}  // namespace

TEST_CASE("a dragged body of a network follows the mouse as in plain Bullet") {
    const bool worldIsA = GENERATE(false, true);
    const std::vector<btVector3> ours = dragAround(true, worldIsA), plain = dragAround(false, worldIsA);
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        worst = std::max(worst, static_cast<double>((ours[i] - plain[i]).length()));
        most = std::max(most, static_cast<double>((plain[i] - plain[0]).length()));
    }
    CAPTURE(worldIsA, worst);
    CHECK(most > 0.5);
    // Bullet's step turns bodies after their impulses, ours while they act.
    CHECK(worst < 0.01);
}

TEST_CASE("the mouse pulls with no more than its strength") {
    const double hz = GENERATE(60., 240.);
    const bool worldIsA = GENERATE(false, true);
    TestWorld world;
    btRigidBody& box = world.box(10, 0, 0, 0);
    addNothing(world, box);
    Drag drag(world, box, vec(0, 0, 0), 30 / hz, worldIsA);
    drag.to(vec(0, 5, 0));
    world.tick(static_cast<int>(hz / 2), hz);
    const double expected = -0.5 * (TestWorld::kGravity - 3) * 0.25;
    const double height = static_cast<double>(box.getCenterOfMassPosition().y());
    CAPTURE(hz, worldIsA, height);
    CHECK(height == Approx(expected).epsilon(byPrecision(1e-9, 1e-5)));
    CHECK(static_cast<double>(drag.forceOnBody().y()) == Approx(30).epsilon(byPrecision(1e-9, 1e-5)));
}

TEST_CASE("the mouse stretches a spring by its strength, whatever the stiffness", "[slow]") {
    const double hz = GENERATE(60., 240.);
    const double c = GENERATE(1e3, 1e5, 1e7);
    const bool worldIsA = GENERATE(false, true);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& box = world.box(1, 0.5, 0, 0);
    auto& spring = world.add<SpringDamperParallel>(
        box, vec(0.1, 0, 0), vec(0, 0, 0), SpringDamperParameters{.c = c, .d = 0.4 * std::sqrt(c), .s_rel0 = 0.6});
    Drag drag(world, box, vec(0.1, 0, 0), 100 / hz, worldIsA);
    drag.to(vec(3, 0, 0));
    world.tick(static_cast<int>(4 * hz), hz);
    CAPTURE(hz, c, worldIsA, spring.s_rel());
    CHECK_FALSE(spring.uncoupled());
    CHECK(std::abs(spring.f()) == Approx(100).epsilon(byPrecision(1e-6, 2e-2)));
    CHECK(static_cast<double>(drag.forceOnBody().x()) == Approx(100).epsilon(byPrecision(1e-6, 1e-4)));
    CHECK(drag.torqueOnBody().length() < byPrecision(1e-6, 1e-3));
}

TEST_CASE("a box is dragged off the plate it rests on, and let go") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.body(0, new btBoxShape(vec(2, 0.5, 2)), at(0, -0.5, 0)).setFriction(btScalar(0.5));
    btRigidBody& box = world.box(1, 0, 0.1, 0);
    box.setFriction(btScalar(0.5));
    addNothing(world, box);
    world.tick(static_cast<int>(hz), hz);
    {
        Drag drag(world, box, vec(0, 0.1, 0), 30 / hz * 2);
        for (int tick = 0; tick < static_cast<int>(hz); ++tick) {
            drag.to(vec(0, 0.2 + 0.5 * tick / hz, 0));
            world.tick(1, hz);
        }
        CHECK(static_cast<double>(box.getCenterOfMassPosition().y()) > 0.4);
    }
    world.tick(static_cast<int>(2 * hz), hz);
    CAPTURE(hz);
    CHECK(world.plugin->totals().uncoupled == 0);
    CHECK(static_cast<double>(box.getCenterOfMassPosition().y()) == Approx(0.1).margin(2e-3));
    CHECK(static_cast<double>(box.getLinearVelocity().length()) < 1e-3);
}

TEST_CASE("two bodies that move at the ends of a ball joint of bounded strength are left to Bullet") {
    TestWorld world;
    btRigidBody& a = world.box(1, 0, 0, 0);
    btRigidBody& b = world.box(1, 0.5, 0, 0);
    addNothing(world, a);
    btPoint2PointConstraint joint(a, b, vec(0.25, 0, 0), vec(-0.25, 0, 0));
    joint.m_setting.m_impulseClamp = 1;
    world.world->addConstraint(&joint);
    world.tick(2);
    CHECK(world.plugin->totals().uncoupled > 0);
    REQUIRE(world.messages.size() == 1);
    CHECK(world.messages[0].find("a ball joint of bounded strength between two bodies that move") != std::string::npos);
    world.world->removeConstraint(&joint);
}
