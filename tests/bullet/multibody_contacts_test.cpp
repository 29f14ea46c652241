// Links that are pressed on the floor, on a joint's limit and against a joint's motor by an element.

#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include <catch2/catch.hpp>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

enum class Support { Floor, Limit, Motor };

// A box of 1 kg that slides upwards, and on it, on the same line, a pusher of 1 kg with a gap between them. The pusher
// presses with 100 N, its weight included.
class Press {
public:
    Press(Support support, double c, double d, int iterations = 10) : m_body(world.multiBody(2)) {
        world.world->getSolverInfo().m_numIterations = iterations;
        const btQuaternion straight = btQuaternion::getIdentity();
        m_body.setupPrismatic(0, 1, vec(0.1, 0.1, 0.1), -1, straight, vec(0, 1, 0), vec(0, 0, 0), vec(0, 0, 0), true);
        m_body.setupPrismatic(1, 1, vec(0.1, 0.1, 0.1), 0, straight, vec(0, 1, 0), vec(0, 0, 0), vec(0, 0.5, 0), true);
        world.collider(m_body, 0, new btBoxShape(vec(0.125, 0.125, 0.125)));
        world.add(m_body);
        m_body.setJointPos(1, btScalar(-kForce / c));
        world.place(m_body);
        if (support == Support::Floor) {
            world.rigid(0, new btBoxShape(vec(1, 0.5, 1)), at(0, -0.625, 0));
        } else if (support == Support::Limit) {
            m_bound = &world.constrain<btMultiBodyJointLimitConstraint>(&m_body, 0, btScalar(0), btScalar(1));
        } else {
            m_bound = &world.constrain<btMultiBodyJointMotor>(&m_body, 0, btScalar(0), btScalar(1000));
        }
        stop = &world.element(JointCoordinate{&m_body, 1}, ElastoGapLaw({.c = c, .d = d}));
    }

    void tick() {
        m_body.addLinkForce(1, vec(0, MultiBodyWorld::kGravity - kForce, 0));
        world.tick();
    }

    double height() const { return static_cast<double>(m_body.getJointPos(0)); }
    /// Of floor, limit or motor.
    double supportForce() {
        double impulse = m_bound != nullptr ? static_cast<double>(m_bound->getAppliedImpulse(0)) : 0;
        for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
            const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
            for (int k = 0; k < manifold.getNumContacts(); ++k) {
                impulse += static_cast<double>(manifold.getContactPoint(k).m_appliedImpulse);
            }
        }
        return 60 * impulse;
    }

    static constexpr double kForce = 100;
    MultiBodyWorld world;
    MultiBodyElement* stop = nullptr;

private:
    btMultiBodyConstraint* m_bound = nullptr;
    btMultiBody& m_body;
};

}  // namespace

TEST_CASE("a pressed link bears the force exactly", "[slow]") {
    const Support support = GENERATE(Support::Floor, Support::Limit, Support::Motor);
    const double c = GENERATE(1e4, 1e6, 1e8);
    const double d = GENERATE(0.0, 100.0);
    CAPTURE(static_cast<int>(support), c, d);
    Press press(support, c, d);
    for (int i = 0; i < 120; ++i) {
        press.tick();
        REQUIRE(press.stop->meanForce() == Approx(-Press::kForce).epsilon(byPrecision(1e-5, 1e-3)));
        REQUIRE(std::abs(press.height()) < byPrecision(1e-8, 1e-5));
    }
    CHECK(press.world.messages.empty());
    CHECK(press.supportForce() == Approx(Press::kForce + MultiBodyWorld::kGravity).epsilon(byPrecision(1e-5, 1e-3)));
}

TEST_CASE("a pressed link has the same bits for any number of iterations") {
    const Support support = GENERATE(Support::Floor, Support::Limit, Support::Motor);
    CAPTURE(static_cast<int>(support));
    Press one(support, 1e6, 0, 1);
    Press ten(support, 1e6, 0, 10);
    Press fifty(support, 1e6, 0, 50);
    for (int i = 0; i < 60; ++i) {
        one.tick();
        ten.tick();
        fifty.tick();
        REQUIRE(one.height() == ten.height());
        REQUIRE(fifty.height() == ten.height());
        REQUIRE(one.stop->readout().s_rel == ten.stop->readout().s_rel);
        REQUIRE(fifty.stop->readout().s_rel == ten.stop->readout().s_rel);
    }
}
