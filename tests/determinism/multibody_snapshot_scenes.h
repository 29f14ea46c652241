#pragma once
// Worlds with multibodies for snapshots, and what drives them.

#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointMotor.h>

#include "multibody_world.h"
#include "world_hash.h"

namespace elasto::test {

enum class MultiBodyScene {
    Arm,      ///< three joints driven through backlash, an end stop, and a rotor on no joint of Bullet's
    Leg,      ///< on a free base, with a series element in the knee; it stands and hops on the floor
    Held,     ///< limits, motors and contacts of Bullet's with elements among them
    Sleeper,  ///< no elements: a chain with a spherical joint that falls asleep and is woken, gears, a ball on a point
};
inline constexpr MultiBodyScene kMultiBodyScenes[] = {MultiBodyScene::Arm, MultiBodyScene::Leg, MultiBodyScene::Held,
                                                      MultiBodyScene::Sleeper};

inline const char* nameOf(MultiBodyScene scene) {
    constexpr const char* names[] = {"arm", "leg", "held", "sleeper"};
    return names[static_cast<int>(scene)];
}

class MultiBodySnapshotScene : public MultiBodyWorld {
public:
    explicit MultiBodySnapshotScene(MultiBodyScene scene) : m_scene(scene) {
        switch (scene) {
            case MultiBodyScene::Arm:
                buildArm();
                break;
            case MultiBodyScene::Leg:
                buildLeg();
                break;
            case MultiBodyScene::Held:
                buildHeld();
                break;
            case MultiBodyScene::Sleeper:
                buildSleeper();
                break;
        }
    }

    /// @param count ticks before this one: pushes depend on it
    std::uint64_t step(int count) {
        if (count % 90 == 45) push(count / 90);
        tick();
        return hash();
    }

    std::uint64_t hash() const {
        BitHash hash;
        const std::uint64_t ofBodies = hashOf(*world);
        hash.add(&ofBodies, sizeof ofBodies);
        for (const auto& body : multiBodies) {
            hash.add(body->getBasePos());
            for (int i = 0; i < 4; ++i) hash.add(&body->getWorldToBaseRot()[i], sizeof(btScalar));
            hash.add(body->getVelocityVector(), sizeof(btScalar) * static_cast<std::size_t>(6 + body->getNumDofs()));
            for (int i = 0; i < body->getNumLinks(); ++i) {
                const btMultibodyLink& link = body->getLink(i);
                hash.add(link.m_jointPos, sizeof(btScalar) * static_cast<std::size_t>(link.m_posVarCount));
            }
            const bool isAwake = body->isAwake();
            hash.add(&isAwake, sizeof isAwake);
        }
        for (const auto& collider : colliders) {
            hash.add(collider->getWorldTransform().getOrigin());
            const int state = collider->getActivationState();
            hash.add(&state, sizeof state);
        }
        for (const auto& constraint : constraints) {
            if (const auto* element = dynamic_cast<const MultiBodyElement*>(constraint.get())) {
                const MultiBodyElementState state = element->saveState();
                const double values[] = {state.s_damper,     state.phi,        state.heat,
                                         state.storedEnergy, state.impulse,    element->s_rel(),
                                         element->f(),       state.motorAngle, state.motorSpeed};
                hash.add(values, sizeof values);
            }
        }
        const EnergyBook book = plugin->energy();
        const double sums[] = {
            plugin->time(),  book.work,    book.kinetic,   book.stored,
            book.dissipated, book.damping, book.numerical, static_cast<double>(plugin->totals().steps)};
        hash.add(sums, sizeof sums);
        return hash.value();
    }

private:
    void floor() { rigid(0, new btBoxShape(vec(20, 1, 20)), at(0, -1, 0)).setFriction(btScalar(0.7)); }

    MultiBodyElement& drive(btMultiBody& body, int link, double torque, double frequency) {
        MultiBodyElement& element =
            this->element(Drive{&body, link, 1e-4, 50}, ElastoBacklashLaw({.c = 4e3, .d = 5, .b = 0.02}));
        element.setMotorTorque([=](double t) { return torque * std::sin(2 * M_PI * frequency * t); });
        return element;
    }

    void buildArm() {
        btMultiBody& arm = multiBody(3);
        arm.setBasePos(vec(0, 3, 0));
        bar(arm, 0, -1, 3, 0.6, vec(0, 0, 0), vec(0, 1, 0));
        bar(arm, 1, 0, 2, 0.5, vec(0.3, 0, 0));
        bar(arm, 2, 1, 1, 0.4, vec(0.25, 0, 0));
        for (int i = 0; i < 3; ++i) collider(arm, i, new btBoxShape(vec(0.15, 0.02, 0.02)));
        arm.setHasSelfCollision(false);
        add(arm);
        drive(arm, 0, 0.3, 0.7);
        drive(arm, 1, 0.6, 0.5);
        MultiBodyElement& wrist = drive(arm, 2, 0.2, 1.1);
        element(RotorCoordinate{&wrist}, FrictionLaw({.F_Coulomb = 0.02, .F_prop = 1e-5}));
        // In the world it stands behind what rubs on its rotor.
        world->removeMultiBodyConstraint(&wrist);
        world->addMultiBodyConstraint(&wrist);
        element(JointCoordinate{&arm, 2, -1.5}, ElastoGapLaw({.c = 1e4, .d = 10}))
            .setHeatPort(std::make_shared<HeatPort>());
    }

    void buildLeg() {
        floor();
        btMultiBody& leg = multiBody(3, false, 4, vec(0.1, 0.1, 0.1));
        leg.setBasePos(vec(0, 1.2, 0));
        // A guide keeps it upright: the base is fixed in all but height.
        const btQuaternion straight = btQuaternion::getIdentity();
        leg.setupRevolute(0, 1, vec(0.01, 0.01, 0.01), -1, straight, vec(0, 0, 1), vec(0, -0.1, 0), vec(0, -0.2, 0),
                          true);
        leg.setupRevolute(1, 0.5, vec(0.005, 0.005, 0.005), 0, straight, vec(0, 0, 1), vec(0, -0.2, 0), vec(0, -0.2, 0),
                          true);
        leg.setupRevolute(2, btScalar(0.2), vec(0.002, 0.002, 0.002), 1, straight, vec(0, 0, 1), vec(0, -0.2, 0),
                          vec(0, -0.04, 0), true);
        collider(leg, -1, new btBoxShape(vec(0.3, 0.1, 0.3)));
        collider(leg, 0, new btBoxShape(vec(0.03, 0.2, 0.03)));
        collider(leg, 1, new btBoxShape(vec(0.03, 0.2, 0.03)));
        collider(leg, 2, new btBoxShape(vec(0.3, 0.04, 0.3)));
        leg.setHasSelfCollision(false);
        add(leg);
        element(JointCoordinate{&leg, 0}, SpringDamperLaw({.c = 4000, .d = 20}));
        element(JointCoordinate{&leg, 1}, SpringDamperSeriesLaw({.c = 3000, .d = 400}));
        element(JointCoordinate{&leg, 1}, SpringDamperLaw({.c = 1500, .d = 0}));
        element(JointCoordinate{&leg, 2}, SpringDamperLaw({.c = 2000, .d = 10}));
    }

    void buildHeld() {
        floor();
        btMultiBody& press = multiBody(3);
        const btQuaternion straight = btQuaternion::getIdentity();
        press.setupPrismatic(0, 1, vec(0.1, 0.1, 0.1), -1, straight, vec(0, 1, 0), vec(0, 0, 0), vec(0, 0, 0), true);
        press.setupPrismatic(1, 1, vec(0.1, 0.1, 0.1), 0, straight, vec(0, 1, 0), vec(0, 0, 0), vec(0, 0.5, 0), true);
        press.setupRevolute(2, 1, vec(0.1, 0.1, 0.1), 1, straight, vec(0, 0, 1), vec(0, 0.3, 0), vec(0.2, 0, 0), true);
        press.setBasePos(vec(0, 0.6, 0));
        collider(press, 0, new btBoxShape(vec(0.125, 0.125, 0.125)));
        collider(press, 1, new btBoxShape(vec(0.1, 0.1, 0.1)));
        collider(press, 2, new btBoxShape(vec(0.2, 0.05, 0.05)));
        press.setHasSelfCollision(false);
        add(press);
        constrain<btMultiBodyJointLimitConstraint>(&press, 1, btScalar(-0.1), btScalar(0.3));
        constrain<btMultiBodyJointMotor>(&press, 2, btScalar(2), btScalar(0.05));
        element(JointCoordinate{&press, 1}, ElastoGapLaw({.c = 1e4, .d = 50}));
        btRigidBody& crate = rigid(1, new btBoxShape(vec(0.2, 0.2, 0.2)), at(1, 0.3, 0));
        element(LinkPlacement::alongLine(Flange(press, 2), Flange(crate), vec(0.2, 0, 0), vec(0, 0.2, 0)),
                SpringDamperLaw({.c = 60, .d = 1, .s_rel0 = 0.5}));
    }

    void buildSleeper() {
        floor();
        btMultiBody& chain = multiBody(3, false, 1, vec(0.05, 0.05, 0.05));
        chain.setBasePos(vec(0, 0.5, 0));
        chain.setupSpherical(0, 1, vec(0.05, 0.05, 0.05), -1, btQuaternion::getIdentity(), vec(0.3, 0, 0),
                             vec(0.3, 0, 0), true);
        bar(chain, 1, 0, 1, 0.6, vec(0.3, 0, 0));
        bar(chain, 2, 1, 1, 0.6, vec(0.3, 0, 0));
        for (int i = -1; i < 3; ++i) {
            collider(chain, i, new btBoxShape(vec(0.25, 0.1, 0.1))).forceActivationState(ACTIVE_TAG);
        }
        chain.setHasSelfCollision(false);
        add(chain);
        chain.setCanSleep(true);
        chain.setLinearDamping(btScalar(0.1));
        chain.setAngularDamping(btScalar(0.3));
        constrain<btMultiBodySphericalJointMotor>(&chain, 0, btScalar(0.3));
        auto& gear = constrain<btMultiBodyGearConstraint>(&chain, 1, &chain, 2, vec(0, 0, 0), vec(0, 0, 0),
                                                          btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
        gear.setGearRatio(-1);
        gear.setErp(btScalar(0.1));
        btRigidBody& ball = rigid(0.3, new btSphereShape(btScalar(0.15)), at(1.7, 0.5, 0));
        ball.forceActivationState(ACTIVE_TAG);
        constrain<btMultiBodyPoint2Point>(&chain, 2, &ball, vec(0.3, 0, 0), vec(-0.2, 0, 0));
    }

    void push(int number) {
        btMultiBody& body = *multiBodies.front();
        if (m_scene == MultiBodyScene::Sleeper) {
            if (number % 3 != 0) return;  // in between it falls asleep
            body.wakeUp();
            for (const auto& collider : colliders) collider->activate(true);
            body.setBaseVel(vec(0, 3, 0.5));
            return;
        }
        if (m_scene == MultiBodyScene::Leg) body.setBaseVel(body.getBaseVel() + vec(0, 2, 0));
        if (m_scene == MultiBodyScene::Held) bodies.back()->applyCentralImpulse(vec(0.5, 2, 0));
    }

    MultiBodyScene m_scene;
};

}  // namespace elasto::test
