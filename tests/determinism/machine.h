#pragma once
// A world with every element type, networks of several bodies, a kinematic drive, loads, and plain boxes beside them.

#include <algorithm>
#include <random>

#include "test_world.h"

namespace elasto::test {

struct MachineOptions {
    int iterations = 10;
    bool reverseElements = false;
    bool withBoxes = true;
};

class Machine : public TestWorld {
public:
    explicit Machine(const MachineOptions& options = {}) {
        world->getSolverInfo().m_numIterations = options.iterations;
        btRigidBody& hammer = ball(0.5, 0, 0.5, 0);
        btRigidBody& anvil = ball(2, 0, 0.1, 0);
        btRigidBody& wheel = ball(1, 3, 0, 0);
        btRigidBody& rim = ball(1, 4, 0, 0);
        btRigidBody& pendulum = body(1, new btBoxShape(vec(0.1, 0.2, 0.3)), at(6, 0, 0));
        btRigidBody& bob = ball(0.3, 6.5, 0.2, 0.1);
        driver = &body(0, new btBoxShape(vec(0.1, 0.1, 0.1)), at(9, 0, 0));
        driver->setCollisionFlags(driver->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        driver->setActivationState(DISABLE_DEACTIVATION);
        btRigidBody& driven = ball(1, 9, -1, 0);
        for (btRigidBody* body : {&wheel, &rim}) {
            body->setMassProps(1, vec(0.1, 0.1, 0.1));
            body->updateInertiaTensor();
            body->setLinearFactor(vec(0, 0, 0));  // on an axle
        }
        wheel.setAngularVelocity(vec(0, 0, 25));
        pendulum.setAngularVelocity(vec(0.3, 4, 0.2));
        hammer.setLinearVelocity(vec(0, -3, 0));
        hammer.setDamping(btScalar(0.05), btScalar(0.05));

        std::vector<std::unique_ptr<ForceElement>> made;
        const btTransform frame = btTransform::getIdentity();
        made.push_back(std::make_unique<ElastoGap>(anvil, hammer, upwards(), upwards(),
                                                   ElastoGapParameters{.c = 1e6, .d = 20, .s_rel0 = 0.1, .n = 1.5}));
        made.push_back(
            std::make_unique<SpringDamperParallel>(Placement::alongAxis(anvil, upwards(), upwards()),
                                                   SpringDamperParameters{.c = 2e4, .d = 40, .s_rel0 = 0.1}));
        made.push_back(std::make_unique<ElastoBacklash>(wheel, rim, frame, frame,
                                                        ElastoBacklashParameters{.c = 500, .d = 0.2, .b = 0.4}));
        made.push_back(std::make_unique<RotationalSpringDamper>(rim, frame, SpringDamperParameters{.c = 20, .d = 0.1}));
        made.push_back(std::make_unique<Spring>(pendulum, vec(0.1, 0.2, 0.3), vec(6, 2, 0), 400, 1.5));
        made.push_back(std::make_unique<SpringDamperSeries>(
            pendulum, bob, vec(0.1, 0, 0), vec(0, 0, 0),
            SpringDamperSeriesParameters{.c = 300, .d = 8, .s_unstretched = 0.2, .s_damper_start = 0.2}));
        made.push_back(std::make_unique<SpringDamperParallel>(*driver, driven, vec(0, 0, 0), vec(0, 0, 0),
                                                              SpringDamperParameters{.c = 100, .d = 1, .s_rel0 = 1}));
        if (options.reverseElements) {
            std::reverse(made.begin(), made.end());
        }
        for (auto& element : made) {
            world->addConstraint(element.get(), true);
            elements.push_back(std::move(element));
        }
        plugin->addLoad(Load::sine(driven, Load::Kind::Force, vec(0, 1, 0), {.amplitude = 3, .f = 1.3}));
        plugin->addLoad(Load::sine(rim, Load::Kind::Torque, vec(0, 0, 1), {.amplitude = 2, .f = 0.7}));
        if (options.withBoxes) {
            body(0, new btBoxShape(vec(20, 1, 20)), at(0, -12, 0));
            for (int i = 0; i < 12; ++i) {
                box(1, 0.05 * i, -10.8 + 0.3 * i, 0.03 * i);
            }
        }
    }

    void tickMachine() {
        driver->setWorldTransform(at(9, 0.3 * std::sin(0.05 * ++m_count), 0));
        tick();
    }

    int count() const { return m_count; }
    void setCount(int count) { m_count = count; }

    btRigidBody* driver = nullptr;

private:
    int m_count = 0;
};

}  // namespace elasto::test
