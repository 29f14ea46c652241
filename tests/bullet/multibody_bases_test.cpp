// Free bases, ball joints and planar joints under elements; what they conserve.

#include <catch2/catch.hpp>

#include "multibody_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

struct Momentum {
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // about the origin
};

Eigen::Vector3d eigen(const btVector3& v) {
    return {double(v.x()), double(v.y()), double(v.z())};
}

// From what Bullet shows: link velocities in their own frames.
Momentum momentumOf(btMultiBody& body) {
    const int n = body.getNumLinks();
    std::vector<btVector3> omega(static_cast<std::size_t>(n) + 1);
    std::vector<btVector3> velocity(omega.size());
    body.compTreeLinkVelocities(omega.data(), velocity.data());
    Momentum sum;
    std::vector<btQuaternion> turns{body.getWorldToBaseRot()};
    std::vector<btVector3> places{body.getBasePos()};
    for (int i = -1; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i + 1);
        if (i >= 0) {
            const auto parent = static_cast<std::size_t>(body.getParent(i) + 1);
            turns.push_back(body.getParentToLocalRot(i) * turns[parent]);
            places.push_back(places[parent] + quatRotate(turns[k].inverse(), body.getRVector(i)));
        }
        const btScalar mass = i < 0 ? body.getBaseMass() : body.getLinkMass(i);
        const btVector3 inertia = i < 0 ? body.getBaseInertia() : body.getLinkInertia(i);
        const Eigen::Vector3d p = double(mass) * eigen(quatRotate(turns[k].inverse(), velocity[k]));
        sum.linear += p;
        sum.angular += eigen(places[k]).cross(p) + eigen(quatRotate(turns[k].inverse(), inertia * omega[k]));
    }
    return sum;
}

}  // namespace

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
