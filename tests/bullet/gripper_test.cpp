// A gripper takes a box, lifts it and shakes it: motors of bounded strength, joints, soft pads and sticking friction in
// one network, whose rows contradict each other by what rounding makes of the joints' axes.

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "contact_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A carriage on an upright slide, two fingers on it that close by motors, and a pad on each on a spring.
class Gripper {
public:
    explicit Gripper(TestWorld& world, double force, double c) : m_world(world) {
        btRigidBody& carriage = world.body(5, new btBoxShape(vec(0.3, 0.03, 0.05)), at(0, 0.6, 0));
        const btTransform upright(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI), vec(0, 0, 0));
        m_lift = add(std::make_unique<btSliderConstraint>(carriage, upright, true), 5, 500);
        for (const int side : {-1, 1}) {
            btRigidBody& finger = world.body(1, new btBoxShape(vec(0.02, 0.2, 0.05)), at(0.25 * side, 0.35, 0));
            m_fingers.push_back(add(
                std::make_unique<btSliderConstraint>(carriage, finger, at(0.25 * side, -0.25, 0), at(0, 0, 0), true),
                0.3, force));
            btRigidBody& pad = world.body(0.1, new btBoxShape(vec(0.015, 0.05, 0.05)), at(0.19 * side, 0.17, 0));
            pad.setFriction(btScalar(0.8));
            add(std::make_unique<btSliderConstraint>(finger, pad, at(-0.06 * side, -0.18, 0), at(0, 0, 0), true), 0.02,
                0);
            world.add<SpringDamperParallel>(finger, pad, vec(0.04 * side, -0.18, 0), vec(0, 0, 0),
                                            SpringDamperParameters{.c = c, .d = 20, .s_rel0 = 0.1});
        }
        close();
    }
    ~Gripper() {
        for (const auto& joint : m_joints) m_world.world->removeConstraint(joint.get());
    }

    void lift(double speed) { m_lift->setTargetLinMotorVelocity(btScalar(speed)); }

private:
    btSliderConstraint* add(std::unique_ptr<btSliderConstraint> joint, double way, double force) {
        joint->setLowerLinLimit(btScalar(-way));
        joint->setUpperLinLimit(btScalar(way));
        joint->setLowerAngLimit(0);
        joint->setUpperAngLimit(0);
        joint->setPoweredLinMotor(force > 0);
        joint->setMaxLinMotorForce(btScalar(force));
        m_world.world->addConstraint(joint.get(), true);
        m_joints.push_back(std::move(joint));
        return m_joints.back().get();
    }
    void close() {
        m_fingers[0]->setTargetLinMotorVelocity(btScalar(0.15));
        m_fingers[1]->setTargetLinMotorVelocity(btScalar(-0.15));
    }

    TestWorld& m_world;
    std::vector<std::unique_ptr<btSliderConstraint>> m_joints;
    std::vector<btSliderConstraint*> m_fingers;
    btSliderConstraint* m_lift;
};

double liftingSpeed(double t) {
    return t < 1.5 ? 0 : t < 2.5 ? 0.3 : t < 4.5 ? 0.5 * std::sin(8 * (t - 2.5)) : 0;
}

}  // namespace

TEST_CASE("a gripper holds what it lifts and shakes", "[slow]") {
    const double hz = GENERATE(60., 120., 240.);
    const double c = GENERATE(2e4, 1e6);
    TestWorld world;
    addFloor(world).setFriction(btScalar(0.8));
    btRigidBody& box = world.box(1, 0.013, 0.1, 0);
    box.setFriction(btScalar(0.8));
    Gripper gripper(world, 60, c);
    for (int i = 0; i < 6 * hz; ++i) {
        const double t = i / hz;
        gripper.lift(liftingSpeed(t));
        world.tick(1, hz);
    }
    CAPTURE(hz, c, world.plugin->totals().implicit);
    CHECK(world.plugin->totals().uncoupled == 0);
    CHECK(world.plugin->totals().elementsPerMethod[static_cast<std::size_t>(FlowMethod::BackwardEuler)] == 0);
    // At 2400 Hz it ends at 0.5219 m; plain Bullet loses it at 60 Hz.
    CHECK(heightOf(box) == Approx(0.522).margin(0.012));
}
