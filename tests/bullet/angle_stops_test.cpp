// Stops and springs in the place of those of 6-dof joints with several free angles.

#include <elasto/from_bullet.h>
#include <elasto/parameter_forms.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace angle_stops_test {

using namespace elasto;
using namespace elasto::test;

btTransform turned(const btVector3& about, double angle) {
    return btTransform(btQuaternion(about.normalized(), btScalar(angle)));
}

/// A body at the place of a base that does not move, joined by what lets it turn about all axes, with nothing but the
/// joint's elements to turn it.
template <class Joint>
struct Gimbal {
    TestWorld world;
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), turned(vec(3, 1, 2), 0.4));
    btRigidBody& part;
    Joint joint;
    std::vector<std::unique_ptr<ForceElement>> elements;
    std::vector<ElastoGap*> lower = std::vector<ElastoGap*>(6), upper = std::vector<ElastoGap*>(6);

    template <class... Arguments>
    explicit Gimbal(const btVector3& halves, Arguments... arguments)
        : part(world.body(1, new btBoxShape(halves), base.getWorldTransform() * frameA() * frameB().inverse())),
          joint(base, part, frameA(), frameB(), arguments...) {
        world.world->setGravity(vec(0, 0, 0));
        for (int k = 0; k < 3; ++k) joint.setLimit(k, 0, 0);
        for (int k = 3; k < 6; ++k) joint.setLimit(k, 1, -1);
        world.world->addConstraint(&joint, true);
    }
    ~Gimbal() {
        for (const auto& element : elements) world.world->removeConstraint(element.get());
        world.world->removeConstraint(&joint);
    }
    static btTransform frameA() { return turned(vec(1, 2, 3), 0.7); }
    static btTransform frameB() { return turned(vec(-2, 1, 1), 1.1); }

    void add(std::unique_ptr<ForceElement> element) {
        world.world->addConstraint(element.get(), true);
        elements.push_back(std::move(element));
    }
    void addStops(int coordinate, double c, double d) {
        StopPair pair = stopsFromLimits(joint, coordinate, c, d);
        const auto k = static_cast<std::size_t>(coordinate);
        lower[k] = pair.lower.get();
        upper[k] = pair.upper.get();
        add(std::move(pair.lower));
        add(std::move(pair.upper));
    }
    double angle(int coordinate) {
        joint.calculateTransforms();
        return static_cast<double>(joint.getAngle(coordinate - 3));
    }
    /// About an axis of the joint where all angles are 0, so that its angle grows.
    void spin(int coordinate, double rate) {
        const btVector3 axis = part.getWorldTransform().getBasis() * frameB().getBasis().getColumn(coordinate - 3);
        part.setAngularVelocity(axis * btScalar(-rate));  // Bullet's angles are A's against B
    }
    double energy() const {
        double sum = kineticOf(part);
        for (const auto& element : elements) sum += element->storedEnergy();
        return sum;
    }
};

btVector3 cube() {
    return vec(0.2, 0.2, 0.2);
}
btVector3 brick() {
    return vec(0.1, 0.2, 0.3);
}

template <class Joint>
double inertiaOf(const Gimbal<Joint>& gimbal) {
    return 1 / static_cast<double>(gimbal.part.getInvInertiaDiagLocal().x());
}

template <class Joint, class... Arguments>
void requireRebound(int coordinate, double hz, double d, double side, Arguments... arguments) {
    Gimbal<Joint> gimbal(cube(), arguments...);
    gimbal.joint.setLimit(coordinate, btScalar(-0.2), btScalar(0.3));
    const double c = 2000;
    gimbal.addStops(coordinate, c, d);
    const double rate = 1.5;
    gimbal.spin(coordinate, side * rate);
    const Impact impact = impactOf({.c = c, .d = d}, inertiaOf(gimbal));
    // To one stop, and back through the middle before the other one.
    const double time = (side > 0 ? 0.3 : 0.2) / rate + impact.penetrationTime + 0.1 / (impact.restitution * rate);
    gimbal.world.tick(static_cast<int>(std::ceil(time * hz)), hz);
    CAPTURE(coordinate, hz, d, side, impact.restitution);
    CHECK(static_cast<double>(gimbal.part.getAngularVelocity().length()) ==
          Approx(rate * impact.restitution).epsilon(byPrecision(1e-7, 1e-4)));
    const int own = coordinate;
    for (int other = 3; other < 6; ++other) {
        if (other != own) CHECK(gimbal.angle(other) == Approx(0).margin(byPrecision(1e-9, 2e-4)));
    }
    CHECK_FALSE(gimbal.lower[static_cast<std::size_t>(own)]->uncoupled());
}

TEST_CASE("a stop of one of three free angles gives back what a stop about an axis does") {
    const int coordinate = GENERATE(3, 4, 5);
    const double hz = GENERATE(60., 240.);
    const double d = GENERATE(0., 2.);
    const double side = GENERATE(1., -1.);
    requireRebound<btGeneric6DofConstraint>(coordinate, hz, d, side, true);
    requireRebound<btGeneric6DofSpring2Constraint>(coordinate, hz, d, side, RO_YZX);
}

template <class Joint, class... Arguments>
void requireOwnAngles(double hz, Arguments... arguments) {
    Gimbal<Joint> gimbal(brick(), arguments...);
    for (int k = 3; k < 6; ++k) {
        gimbal.joint.setLimit(k, btScalar(-0.3 - 0.1 * k), btScalar(0.4 + 0.05 * k));
        gimbal.addStops(k, 3000, 0);
    }
    CHECK(gimbal.joint.getRotationalLimitMotor(0)->m_loLimit > gimbal.joint.getRotationalLimitMotor(0)->m_hiLimit);
    gimbal.part.setAngularVelocity(vec(2, 1.3, -1.7));
    const double energy = gimbal.energy();
    int touches[2] = {0, 0};
    for (std::size_t k = 3; k < 6; ++k) {
        gimbal.lower[k]->onContactBegin([&](ForceElement&, const ContactInfo&) { ++touches[0]; });
        gimbal.upper[k]->onContactBegin([&](ForceElement&, const ContactInfo&) { ++touches[1]; });
    }
    double worst = 0, farthest = 0;
    for (int i = 0; i < static_cast<int>(5 * hz); ++i) {
        gimbal.world.tick(1, hz);
        worst = std::max(worst, std::abs(gimbal.energy() / energy - 1));
        for (int k = 3; k < 6; ++k) {
            const ElastoGap& lower = *gimbal.lower[static_cast<std::size_t>(k)];
            const ElastoGap& upper = *gimbal.upper[static_cast<std::size_t>(k)];
            const double angle = gimbal.angle(k);
            CHECK(lower.s_rel() == Approx(angle).margin(byPrecision(1e-9, 1e-5)));
            CHECK(upper.s_rel() == Approx(-angle).margin(byPrecision(1e-9, 1e-5)));
            farthest = std::max({farthest, -0.3 - 0.1 * k - angle, angle - 0.4 - 0.05 * k});
        }
    }
    CAPTURE(hz, worst, touches[0], touches[1], farthest);
    CHECK(touches[0] > 3);
    CHECK(touches[1] > 3);
    CHECK(farthest < 0.05);
    CHECK(worst < byPrecision(1e-11, 1e-4));
    for (const auto& element : gimbal.elements) CHECK_FALSE(element->uncoupled());
}

TEST_CASE("stops of three angles measure Bullet's angles in all its orders and keep the energy") {
    const double hz = GENERATE(60., 240.);
    requireOwnAngles<btGeneric6DofConstraint>(hz, true);
    for (const RotateOrder order : {RO_XYZ, RO_XZY, RO_YXZ, RO_YZX, RO_ZXY, RO_ZYX}) {
        CAPTURE(order);
        requireOwnAngles<btGeneric6DofSpring2Constraint>(hz, order);
    }
}

TEST_CASE("damped stops of three angles lead to the same end at all ticks") {
    const auto end = [](double hz) {
        Gimbal<btGeneric6DofConstraint> gimbal(brick(), true);
        for (int k = 3; k < 6; ++k) {
            gimbal.joint.setLimit(k, btScalar(-0.3), btScalar(0.4));
            gimbal.addStops(k, 3000, 3);
        }
        gimbal.part.setAngularVelocity(vec(2, 1.3, -1.7));
        gimbal.world.tick(static_cast<int>(1.5 * hz), hz);
        double heat = 0;
        for (const auto& element : gimbal.elements) heat += element->heat();
        return Eigen::Vector4d(gimbal.angle(3), gimbal.angle(4), gimbal.angle(5), heat);
    };
    const Eigen::Vector4d fine = end(960);
    CHECK(fine[3] > 0.01);
    for (const double hz : {60., 240.}) {
        INFO(hz << " Hz: " << (end(hz) - fine).transpose());
        CHECK((end(hz) - fine).cwiseAbs().maxCoeff() < byPrecision(1e-7, 1e-3));
    }
}

TEST_CASE("springs of three angles pull at Bullet's angles and keep the energy") {
    const double hz = GENERATE(60., 240.);
    Gimbal<btGeneric6DofSpring2Constraint> gimbal(brick(), RO_ZXY);
    for (int k = 3; k < 6; ++k) {
        gimbal.joint.enableSpring(k, true);
        gimbal.joint.setStiffness(k, btScalar(2 * k));
        gimbal.joint.setEquilibriumPoint(k, btScalar(0.05 * k - 0.2));
    }
    for (auto& spring : replaceSprings(gimbal.joint)) gimbal.add(std::move(spring));
    REQUIRE(gimbal.elements.size() == 3);
    gimbal.part.setAngularVelocity(vec(2, 1.3, -1.7));
    const double energy = gimbal.energy();
    double worst = 0;
    for (int i = 0; i < static_cast<int>(5 * hz); ++i) {
        gimbal.world.tick(1, hz);
        worst = std::max(worst, std::abs(gimbal.energy() / energy - 1));
        for (int k = 3; k < 6; ++k) {
            const double stretch = gimbal.angle(k) - (0.05 * k - 0.2);
            CHECK(gimbal.elements[static_cast<std::size_t>(k - 3)]->tau() ==
                  Approx(2 * k * stretch).margin(byPrecision(1e-7, 1e-3)));
        }
    }
    CHECK(worst < byPrecision(1e-11, 1e-4));
}

TEST_CASE("a spring of one of several angles has its period") {
    const int coordinate = GENERATE(3, 4, 5);
    Gimbal<btGeneric6DofSpringConstraint> gimbal(cube(), true);
    const double c = 5;
    gimbal.joint.enableSpring(coordinate, true);
    gimbal.joint.setStiffness(coordinate, btScalar(c));
    for (auto& spring : replaceSprings(gimbal.joint, 0)) gimbal.add(std::move(spring));
    REQUIRE(gimbal.elements.size() == 1);
    gimbal.spin(coordinate, 1);
    const double w = std::sqrt(c / inertiaOf(gimbal));
    for (int i = 1; i <= 60; ++i) {
        gimbal.world.tick(1, 60);
        CHECK(gimbal.angle(coordinate) == Approx(std::sin(w * i / 60) / w).margin(byPrecision(1e-7, 1e-3)));
    }
}

TEST_CASE("universal and hinge-2 joints get stops for both of their angles") {
    const double hz = GENERATE(60., 240.);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& part = world.body(1, new btBoxShape(brick()), at(0, 0, 0));
    std::unique_ptr<btTypedConstraint> joint;
    std::vector<StopPair> pairs;
    btVector3 anchor(0, 0, 0), first(0, 0, 1), second(0, 1, 0);
    if (GENERATE(true, false)) {
        auto universal = std::make_unique<btUniversalConstraint>(base, part, anchor, first, second);
        universal->setLowerLimit(btScalar(-0.3), btScalar(-0.4));
        universal->setUpperLimit(btScalar(0.4), btScalar(0.2));
        pairs.push_back(stopsFromLimits(*universal, 4, 2000, 0));
        pairs.push_back(stopsFromLimits(*universal, 5, 2000, 0));
        CHECK_THROWS_WITH(stopsFromLimits(*universal, 3, 2000, 0), Catch::Contains("coordinate 3 is locked"));
        joint = std::move(universal);
    } else {
        auto hinge2 = std::make_unique<btHinge2Constraint>(base, part, anchor, first, second);
        hinge2->setLimit(2, 0, 0);  // no strut
        hinge2->enableSpring(2, false);
        hinge2->setLowerLimit(btScalar(-0.3));
        hinge2->setUpperLimit(btScalar(0.4));
        hinge2->setLimit(3, btScalar(-0.4), btScalar(0.2));
        pairs.push_back(stopsFromLimits(*hinge2, 3, 2000, 0));
        pairs.push_back(stopsFromLimits(*hinge2, 5, 2000, 0));
        joint = std::move(hinge2);
    }
    world.world->addConstraint(joint.get(), true);
    for (const StopPair& pair : pairs) {
        world.world->addConstraint(pair.lower.get(), true);
        world.world->addConstraint(pair.upper.get(), true);
    }
    part.setAngularVelocity(vec(0, 1.5, 2));
    const auto energy = [&] {
        double sum = kineticOf(part);
        for (const StopPair& pair : pairs) sum += pair.lower->storedEnergy() + pair.upper->storedEnergy();
        return sum;
    };
    world.tick(1, hz);
    const double start = energy();
    int touched = 0;
    for (const StopPair& pair : pairs) {
        pair.lower->onContactBegin([&](ForceElement&, const ContactInfo&) { ++touched; });
        pair.upper->onContactBegin([&](ForceElement&, const ContactInfo&) { ++touched; });
    }
    double worst = 0;
    for (int i = 0; i < static_cast<int>(3 * hz); ++i) {
        world.tick(1, hz);
        worst = std::max(worst, std::abs(energy() / start - 1));
    }
    CHECK(touched > 3);
    CHECK(worst < byPrecision(1e-11, 1e-4));
    for (const StopPair& pair : pairs) {
        CHECK_FALSE(pair.lower->uncoupled());
        world.world->removeConstraint(pair.lower.get());
        world.world->removeConstraint(pair.upper.get());
    }
    world.world->removeConstraint(joint.get());
}

TEST_CASE("the angle that counts is the one nearest to the middle of the limits") {
    Gimbal<btGeneric6DofConstraint> gimbal(cube(), true);
    // Just past the upper limit, where Bullet's own angle is far below the lower one.
    const btVector3 axis = Gimbal<btGeneric6DofConstraint>::frameB().getBasis().getColumn(0);
    gimbal.part.setCenterOfMassTransform(gimbal.part.getWorldTransform() * turned(axis, -3.2));
    CHECK(gimbal.angle(3) == Approx(3.2 - 2 * M_PI));
    gimbal.joint.setLimit(3, 2, 3);
    gimbal.addStops(3, 2000, 0);
    CHECK(gimbal.lower[3]->s_rel() == Approx(3.2));
    CHECK(gimbal.upper[3]->s_rel() == Approx(-3.2));
    CHECK_FALSE(gimbal.lower[3]->contact());
    CHECK(gimbal.upper[3]->contact());
}

TEST_CASE("a stop of an angle beside others that are locked away from 0 measures that angle") {
    const int coordinate = GENERATE(3, 4, 5);
    Gimbal<btGeneric6DofConstraint> gimbal(cube(), true);
    for (int k = 3; k < 6; ++k) gimbal.joint.setLimit(k, btScalar(0.5), btScalar(0.5));
    gimbal.joint.setLimit(coordinate, btScalar(-0.3), btScalar(0.4));
    gimbal.part.setCenterOfMassTransform(gimbal.part.getWorldTransform() * turned(vec(1, 2, -1), 0.6));
    gimbal.addStops(coordinate, 1000, 0);
    CHECK(gimbal.lower[static_cast<std::size_t>(coordinate)]->s_rel() ==
          Approx(gimbal.angle(coordinate)).margin(byPrecision(1e-12, 1e-5)));
}

TEST_CASE("stops of angles that are never reached, and placements of none, are refused") {
    Gimbal<btGeneric6DofConstraint> gimbal(cube(), true);
    gimbal.joint.setLimit(4, btScalar(-1.6), btScalar(0.5));
    CHECK_THROWS_WITH(stopsFromLimits(gimbal.joint, 4, 1e3, 0),
                      Catch::Contains("coordinate 4") && Catch::Contains("-1.6") && Catch::Contains("-pi/2 ... pi/2"));
    CHECK(gimbal.joint.getRotationalLimitMotor(1)->m_loLimit == btScalar(-1.6));
    CHECK_THROWS_WITH(stopsFromLimits(gimbal.joint, 3, 1e3, 0), Catch::Contains("coordinate 3 has no limits"));
    gimbal.joint.setLimit(3, btScalar(-0.1), btScalar(0.1));
    CHECK_THROWS_WITH(stopsFromLimits(gimbal.joint, 3, -1, 0), Catch::Contains("c = -1"));
    CHECK(gimbal.joint.getRotationalLimitMotor(0)->m_loLimit == btScalar(-0.1));
    // The second angle of another order is another one.
    Gimbal<btGeneric6DofSpring2Constraint> other(cube(), RO_YXZ);
    other.joint.setLimit(4, btScalar(-1.6), btScalar(0.5));
    CHECK_NOTHROW(stopsFromLimits(other.joint, 4, 1e3, 0));

    const auto make = [&](const EulerTurns& turns) {
        return ElastoGap(Placement::eulerAngle(gimbal.base, gimbal.part, at(0, 0, 0), at(0, 0, 0), turns),
                         ElastoGapParameters{.c = 1, .d = 0});
    };
    CHECK_THROWS_WITH(make({.first = 1, .last = 1, .about = 0}), Catch::Contains("turns.last = 1"));
    CHECK_THROWS_WITH(make({.first = 3, .last = 1, .about = 0}), Catch::Contains("turns.first = 3"));
    CHECK_THROWS_WITH(make({.first = 2, .last = 1, .about = -1}), Catch::Contains("turns.about = -1"));
    const Placement angle = Placement::eulerAngle(gimbal.base, gimbal.part, at(0, 0, 0), at(0, 0, 0), {});
    CHECK_THROWS_WITH(SpringDamperParallel(angle, {.c = 1, .d = 0}), Catch::Contains("RotationalSpringDamper"));
}

// An element between a body and the world, with no joint: what bodies alone are solved with.
TEST_CASE("an Euler angle against the world is that about an axis where nothing else turns") {
    const double hz = GENERATE(60., 240.);
    const int about = GENERATE(0, 1, 2);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& one = world.body(1, new btBoxShape(cube()), at(0, 0, 0));
    btRigidBody& two = world.body(1, new btBoxShape(cube()), at(3, 0, 0));
    const EulerTurns turns{.first = 2, .last = 0, .about = about};
    const SpringDamperParameters parameters{.c = 4, .d = 0.05};
    world.add<RotationalSpringDamper>(Placement::eulerAngle(Placement::world(), one, at(0, 0, 0), at(0, 0, 0), turns),
                                      parameters);
    Eigen::Vector3d axis = Eigen::Vector3d::Unit(about);
    const Eigen::Quaterniond same = Eigen::Quaterniond::Identity();
    world.add<RotationalSpringDamper>(Placement::aboutAxis(Placement::world(), two, same, same, axis), parameters);
    btVector3 rate(0, 0, 0);
    rate[about] = 3;
    one.setAngularVelocity(rate);
    two.setAngularVelocity(rate);
    for (int i = 0; i < 60; ++i) {
        world.tick(1, hz);
        CHECK(one.getAngularVelocity()[about] ==
              Approx(two.getAngularVelocity()[about]).margin(byPrecision(1e-8, 1e-5)));
    }
}

TEST_CASE("feedback of an Euler angle's spring is what changes the angular momentum") {
    const int about = GENERATE(0, 1, 2);
    TestWorld world;
    world.world->setGravity(vec(0, 0, 0));
    btRigidBody& part = world.body(1, new btBoxShape(cube()), turned(vec(1, 2, -1), 0.9));
    const EulerTurns turns{.first = 2, .last = 0, .about = about};
    ForceElement& spring = world.add<RotationalSpringDamper>(
        Placement::eulerAngle(Placement::world(), part, at(0, 0, 0), at(0, 0, 0), turns),
        SpringDamperParameters{.c = 4, .d = 0, .s_rel0 = 1});
    btJointFeedback feedback{};
    spring.setJointFeedback(&feedback);
    part.setAngularVelocity(vec(0.5, 1, 0.3));
    const double inertia = static_cast<double>(part.getLocalInertia().x());
    for (int i = 0; i < 30; ++i) {
        const btVector3 before = part.getAngularVelocity();
        world.tick(1, 960);
        const btVector3 change = (part.getAngularVelocity() - before) * btScalar(inertia * 960);
        CHECK((change - feedback.m_appliedTorqueBodyB).length() < 1e-3 * change.length());
        CHECK((spring.torqueOnB() - change).length() < 0.01 * change.length());
    }
}

TEST_CASE("a world with stops of Euler angles is restored bit for bit") {
    Gimbal<btGeneric6DofConstraint> gimbal(brick(), true);
    for (int k = 3; k < 6; ++k) {
        gimbal.joint.setLimit(k, btScalar(-0.3), btScalar(0.4));
        gimbal.addStops(k, 3000, 1);
    }
    gimbal.part.setAngularVelocity(vec(2, 1.3, -1.7));
    gimbal.world.tick(20);
    const WorldSnapshot moment = gimbal.world.plugin->saveWorld();
    gimbal.world.tick(30);
    const std::uint64_t hash = gimbal.world.plugin->saveWorld().hash();
    gimbal.world.plugin->restoreWorld(moment);
    gimbal.world.tick(30);
    CHECK(gimbal.world.plugin->saveWorld().hash() == hash);
}

}  // namespace angle_stops_test
