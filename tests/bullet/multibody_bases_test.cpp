// Free bases, ball joints and planar joints under elements; what they conserve.

#include <catch2/catch.hpp>

#include "multibody_momentum.h"
#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("a free-flying multibody keeps its momentum through impacts inside it") {
    const double hz = GENERATE(60.0, 240.0);
    CAPTURE(hz);
    MultiBodyWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btMultiBody& body = world.multiBody(2, false, 1, vec(0.02, 0.05, 0.04));
    world.bar(body, 0, -1, 1, 0.5, vec(0.2, 0, 0));
    world.bar(body, 1, 0, 0.5, 0.4, vec(0.25, 0, 0), vec(0, 1, 0));
    world.add(body);
    body.setBaseVel(vec(0.5, -0.2, 0.1));
    body.setBaseOmega(vec(0.3, 1.2, -0.7));
    body.setJointVel(0, btScalar(3));
    body.setJointVel(1, btScalar(-2));
    const MultiBodyElement& knee = world.element(JointCoordinate{&body, 0}, SpringDamperSeriesLaw({.c = 40, .d = 4}));
    const MultiBodyElement& stop =
        world.element(JointCoordinate{&body, 1}, ElastoBacklashLaw({.c = 1e4, .d = 1, .b = 0.2}));
    const Momentum before = momentumOf(body);
    for (int i = 0; i < 2 * hz; ++i) world.tick(1, hz);
    const Momentum after = momentumOf(body);
    CHECK(world.messages.empty());
    CHECK(world.plugin->totals().events > 2);
    CAPTURE((after.linear - before.linear).norm() / before.linear.norm());
    CAPTURE((after.angular - before.angular).norm() / before.angular.norm());
    CHECK(knee.heat() > 0);
    CHECK(stop.heat() > 0);
    CHECK((after.linear - before.linear).norm() < byPrecision(1e-12, 1e-5) * before.linear.norm());
    CHECK((after.angular - before.angular).norm() < byPrecision(1e-12, 1e-5) * before.angular.norm());
}

TEST_CASE("energy of an undamped multibody stays") {
    // The second joint is a ball joint; the first has an end stop.
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    world.bar(body, 0, -1, 1, 0.5, vec(0, 0, 0));
    body.setupSpherical(1, btScalar(0.5), vec(0.002, 0.004, 0.005), 0, btQuaternion::getIdentity(), vec(0.25, 0, 0),
                        vec(0.2, 0, 0), true);
    world.add(body);
    btScalar spin[] = {2, 3, 1};
    body.setJointVelMultiDof(1, spin);
    world.element(JointCoordinate{&body, 0, -0.8}, ElastoGapLaw({.c = 1e4, .d = 0}));
    world.tick();
    const EnergyBook start = world.plugin->energy();
    const auto total = [&] {
        const EnergyBook now = world.plugin->energy();
        return now.kinetic + now.stored - now.work;
    };
    const double before = start.kinetic + start.stored - start.work;
    for (int i = 0; i < 600; ++i) world.tick();
    CHECK(world.messages.empty());
    CHECK(world.plugin->totals().events > 2);
    CAPTURE(total() - before);
    CHECK(total() == Approx(before).margin(byPrecision(1e-7, 1e-3)));
}

namespace {

// A free base with a ball joint, a planar joint, a prismatic one, a fixed one and a revolute one on it.
btMultiBody& centipede(MultiBodyWorld& world) {
    btMultiBody& body = world.multiBody(5, false, 2, vec(0.05, 0.08, 0.06));
    const btQuaternion tilted(vec(1, 2, 3).normalized(), btScalar(0.4));
    body.setupSpherical(0, 1, vec(0.01, 0.02, 0.015), -1, tilted, vec(0.2, 0.1, 0), vec(0.1, 0, 0.05), true);
    body.setupPlanar(1, btScalar(0.5), vec(0.01, 0.01, 0.02), 0, tilted, vec(0, 0, 1), vec(0.2, 0.1, 0), true);
    body.setupPrismatic(2, btScalar(0.7), vec(0.02, 0.01, 0.01), -1, tilted, vec(0, 1, 0), vec(-0.2, 0, 0),
                        vec(0, -0.1, 0), true);
    body.setupFixed(3, btScalar(0.3), vec(0.01, 0.02, 0.01), 2, tilted, vec(0, 0.1, 0), vec(0.1, 0, 0));
    body.setupRevolute(4, btScalar(0.4), vec(0.01, 0.02, 0.01), 3, tilted, vec(0, 0, 1), vec(0.1, 0, 0),
                       vec(0.1, 0.1, 0), true);
    world.add(body);
    body.setBaseVel(vec(0.3, 1, -0.2));
    body.setBaseOmega(vec(0.5, -0.4, 0.8));
    btScalar spin[] = {1, -2, btScalar(0.5)};
    body.setJointVelMultiDof(0, spin);
    btScalar slide[] = {2, btScalar(0.3), btScalar(-0.2)};
    body.setJointVelMultiDof(1, slide);
    body.setJointVel(2, btScalar(0.4));
    body.setJointVel(4, 3);
    return body;
}

std::vector<double> coordinatesOf(const btMultiBody& body) {
    std::vector<double> values;
    for (int i = 0; i < 3; ++i) values.push_back(double(body.getBasePos()[i]));
    const btQuaternion turn = body.getWorldToBaseRot();
    const double side = turn.w() < 0 ? -1 : 1;
    for (int i = 0; i < 4; ++i) values.push_back(side * double(turn[i]));
    for (int i = 0; i < body.getNumLinks(); ++i) {
        for (int k = 0; k < body.getLink(i).m_posVarCount; ++k) values.push_back(double(body.getLink(i).m_jointPos[k]));
    }
    for (int k = 0; k < 6 + body.getNumDofs(); ++k) values.push_back(double(body.getVelocityVector()[k]));
    return values;
}

}  // namespace

TEST_CASE("joints of every kind on a free base move as Bullet moves them in small ticks") {
    MultiBodyWorld plain(false);
    MultiBodyWorld ours;
    btMultiBody& expected = centipede(plain);
    btMultiBody& body = centipede(ours);
    // Never reached; between a link and the world, so that links are bodies of the flow.
    ours.element(LinkPlacement::alongAxis(Flange::world(), Flange(body, 4), btTransform::getIdentity(),
                                          btTransform::getIdentity()),
                 ElastoGapLaw({.c = 1, .d = 0, .s_rel0 = -1000}));
    constexpr int kFine = 200;
    for (int i = 0; i < 12; ++i) {
        ours.tick();
        plain.tick(kFine, 60. * kFine);
    }
    CHECK(ours.messages.empty());
    const std::vector<double> at = coordinatesOf(body);
    const std::vector<double> oracle = coordinatesOf(expected);
    REQUIRE(at.size() == oracle.size());
    for (std::size_t k = 0; k < at.size(); ++k) {
        CAPTURE(k);
        CHECK(at[k] == Approx(oracle[k]).margin(byPrecision(2e-3, 5e-3)));  // Bullet's ticks are of first order
    }
}

TEST_CASE("a free-flying multibody falls on the floor and rests there") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2, false, 2, vec(0.02, 0.03, 0.03));
    body.setBasePos(vec(0, 0.4, 0));
    world.collider(body, -1, new btBoxShape(vec(0.2, 0.05, 0.1)));
    for (int link = 0; link < 2; ++link) {
        const double side = link == 0 ? 1 : -1;
        body.setupRevolute(link, btScalar(0.5), vec(0.002, 0.004, 0.004), -1, btQuaternion::getIdentity(), vec(0, 0, 1),
                           vec(0.25 * side, 0, 0), vec(0.15 * side, 0, 0), true);
        world.collider(body, link, new btBoxShape(vec(0.1, 0.05, 0.05)));
    }
    world.add(body);
    world.rigid(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -0.5, 0));
    std::vector<MultiBodyElement*> knees;
    for (int link = 0; link < 2; ++link) {
        knees.push_back(&world.element(JointCoordinate{&body, link}, SpringDamperSeriesLaw({.c = 100, .d = 5})));
    }
    world.tick(300);
    CHECK(besideGrades(world.messages).empty());
    CHECK(double(body.getBasePos().y()) == Approx(0.05).margin(0.002));
    CHECK(double(body.getBaseVel().length()) < 1e-3);
    double impulse = 0;
    for (int i = 0; i < world.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            impulse += static_cast<double>(manifold.getContactPoint(k).m_appliedImpulse);
        }
    }
    CHECK(60 * impulse == Approx(3 * MultiBodyWorld::kGravity).epsilon(byPrecision(1e-4, 1e-2)));
    CHECK(knees[0]->heat() > 0);
}
