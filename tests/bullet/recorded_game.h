#pragma once
// A small game, played by a program that knows nothing of recordings: bodies come and go, it pushes, steers motors,
// moves a platform, changes and replaces elements.

#include <random>

#include "test_world.h"

namespace elasto::test {

class RecordedGame : public TestWorld {
public:
    RecordedGame() {
        body(0, new btBoxShape(vec(20, 0.5, 20)), at(0, -0.5, 0));
        buildCar();
        buildGate();
        platform = &body(0, new btBoxShape(vec(1, 0.1, 1)), at(-3, 0.5, 3));
        platform->setCollisionFlags(platform->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        for (int i = 0; i < 6; ++i) box(2, 4, 0.25 + 0.5 * i, 4, 0.25).setActivationState(ACTIVE_TAG);
    }

    void play(int frame) {
        steer(frame);
        if (frame % 30 == 0) shoot();
        if (frame % 30 == 15 && frame > 120) vanish();
        if (frame % 200 == 100) swapBumper(frame);
        movePlatform(frame);
        tick();
    }

    std::size_t living() const { return static_cast<std::size_t>(world->getNumCollisionObjects()); }

private:
    // A chassis on four struts, each wheel on a hinge with a motor.
    void buildCar() {
        chassis = &body(20, new btBoxShape(vec(0.8, 0.1, 0.4)), at(0, 0.6, 0));
        for (const double x : {-0.6, 0.6}) {
            for (const double z : {-0.55, 0.55}) {
                btRigidBody& carrier = box(2, x, 0.45, z * 0.8, 0.05);
                btRigidBody& wheel = body(3, new btCylinderShapeZ(vec(0.25, 0.25, 0.05)), at(x, 0.25, z));
                wheel.setFriction(1);
                auto slider = std::make_unique<btSliderConstraint>(*chassis, carrier, upwards(x, -0.15, z * 0.8),
                                                                   upwards(), true);
                slider->setLowerLinLimit(btScalar(-0.2));
                slider->setUpperLinLimit(btScalar(0.1));
                slider->setLowerAngLimit(0);
                slider->setUpperAngLimit(0);
                auto hinge = std::make_unique<btHingeConstraint>(carrier, wheel, vec(0, -0.2, z * 0.2), vec(0, 0, 0),
                                                                 vec(0, 0, 1), vec(0, 0, 1));
                motors.push_back(hinge.get());
                world->addConstraint(slider.get(), true);
                world->addConstraint(hinge.get(), true);
                elements.push_back(std::move(slider));
                elements.push_back(std::move(hinge));
                add<SpringDamperParallel>(*chassis, carrier, vec(x, 0.2, z * 0.8), vec(0, 0, 0),
                                          SpringDamperParameters{.c = 4000, .d = 150, .s_rel0 = 0.36});
            }
        }
    }

    // A door on a hinge with stops at its limits.
    void buildGate() {
        btRigidBody& door = body(5, new btBoxShape(vec(0.6, 0.5, 0.05)), at(3, 0.6, -2));
        auto hinge = std::make_unique<btHingeConstraint>(door, vec(-0.6, 0, 0), vec(0, 1, 0));
        hinge->setLimit(btScalar(-1.2), btScalar(1.2));
        world->addConstraint(hinge.get());
        StopPair stops = ElastoGap::fromHingeLimit(*hinge, 300, 2);
        elements.push_back(std::move(hinge));
        for (auto* stop : {&stops.lower, &stops.upper}) {
            world->addConstraint(stop->get());
            elements.push_back(std::move(*stop));
        }
    }

    void steer(int frame) {
        const double speed = 6 * std::sin(0.01 * frame);
        for (btHingeConstraint* motor : motors) motor->enableAngularMotor(true, btScalar(speed), btScalar(0.3));
        chassis->applyTorque(vec(0, 3 * std::cos(0.013 * frame), 0));
        if (frame % 7 == 0) chassis->applyCentralForce(vec(0, 20, 0));
    }

    void shoot() {
        btRigidBody& shot = ball(0.5, m_random(m_engine), 2.5, m_random(m_engine), 0.12);
        shot.setActivationState(ACTIVE_TAG);
        shot.setLinearVelocity(vec(2 * m_random(m_engine), 1, 2 * m_random(m_engine)));
        shot.setRestitution(btScalar(0.4));
        shots.push_back(&shot);
        if (shots.size() % 3 == 0) {
            tethers.push_back(&add<SpringDamperSeries>(
                shot, vec(0, 0, 0), vec(0, 3, 0), SpringDamperSeriesParameters{.c = 30, .d = 20, .s_unstretched = 1}));
        }
    }

    void vanish() {
        btRigidBody* gone = shots.front();
        shots.erase(shots.begin());
        for (auto tether = tethers.begin(); tether != tethers.end(); ++tether) {
            if (&(*tether)->getRigidBodyB() != gone) continue;
            world->removeConstraint(*tether);
            std::erase_if(elements, [&](const auto& e) { return e.get() == *tether; });
            tethers.erase(tether);
            break;
        }
        world->removeRigidBody(gone);
        std::erase_if(bodies, [&](const auto& b) { return b.get() == gone; });
    }

    void swapBumper(int frame) {
        if (bumper != nullptr) {
            world->removeConstraint(bumper);
            std::erase_if(elements, [&](const auto& e) { return e.get() == bumper; });
        }
        bumper = &add<ElastoGap>(*chassis, at(0, 0, 0), upwards(0, 0.5, 0),
                                 ElastoGapParameters{.c = 3000.0 + frame, .d = 50, .n = 1.5, .s_ref = 0.1});
        bumper->setName("bumper");
    }

    void movePlatform(int frame) { platform->setWorldTransform(at(-3, 0.5 + 0.3 * std::sin(0.05 * frame), 3)); }

    btRigidBody* chassis = nullptr;
    btRigidBody* platform = nullptr;
    ElastoGap* bumper = nullptr;
    std::vector<btHingeConstraint*> motors;
    std::vector<btRigidBody*> shots;
    std::vector<SpringDamperSeries*> tethers;
    std::minstd_rand m_engine{7};
    std::uniform_real_distribution<double> m_random{-2, 2};
};

}  // namespace elasto::test
