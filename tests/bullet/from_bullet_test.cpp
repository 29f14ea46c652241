// Elements in the place of limits and springs of Bullet's 6-dof joints.

#include <elasto/from_bullet.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "test_world.h"

namespace from_bullet_test {

using namespace elasto;
using namespace elasto::test;

/// A frame that is no axis' own.
btTransform tilted() {
    return btTransform(btQuaternion(vec(1, 2, 3).normalized(), btScalar(0.7)), vec(0.1, 0.2, 0.3));
}

/// A base, and a body at the same place, joined with all coordinates locked but one.
template <class Joint>
struct Bench {
    TestWorld world;
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& part = world.box(1, 0, 0, 0);
    Joint joint;
    std::vector<std::unique_ptr<ForceElement>> elements;

    template <class... Arguments>
    explicit Bench(int coordinate, Arguments... arguments) : joint(base, part, tilted(), tilted(), arguments...) {
        world.world->setGravity(vec(0, 0, 0));
        for (int k = 0; k < 6; ++k) joint.setLimit(k, 0, 0);
        joint.setLimit(coordinate, btScalar(-0.2), btScalar(0.3));
        world.world->addConstraint(&joint, true);
    }
    ~Bench() {
        for (const auto& element : elements) world.world->removeConstraint(element.get());
        world.world->removeConstraint(&joint);
    }
    void add(std::unique_ptr<ForceElement> element) {
        world.world->addConstraint(element.get(), true);
        elements.push_back(std::move(element));
    }
    /// Along or about the joint's own axis, so that the coordinate grows.
    void push(int coordinate, double speed) {
        const btVector3 axis = tilted().getBasis().getColumn(coordinate % 3);
        if (coordinate < 3) {
            part.setLinearVelocity(axis * btScalar(speed));
        } else {
            part.setAngularVelocity(axis * btScalar(-speed));  // Bullet's angles are A's against B
            part.setLinearVelocity(-part.getAngularVelocity().cross(tilted().getOrigin()));  // about the pivot
        }
    }
};

double coordinateOf(btGeneric6DofConstraint& joint, int k) {
    joint.calculateTransforms();
    return static_cast<double>(k < 3 ? joint.getRelativePivotPosition(k) : joint.getAngle(k - 3));
}

double coordinateOf(btGeneric6DofSpring2Constraint& joint, int k) {
    joint.calculateTransforms();
    return static_cast<double>(k < 3 ? joint.getRelativePivotPosition(k) : joint.getAngle(k - 3));
}

template <class Joint, class... Arguments>
void requireStops(int coordinate, double side, Arguments... arguments) {
    Bench<Joint> bench(coordinate, arguments...);
    StopPair stops = stopsFromLimits(bench.joint, coordinate, 1e4, 0);
    ElastoGap& lower = *stops.lower;
    ElastoGap& upper = *stops.upper;
    bench.add(std::move(stops.lower));
    bench.add(std::move(stops.upper));
    bench.push(coordinate, side);
    double lowest = 0, highest = 0, fastest = 0;
    int touchedLower = 0, touchedUpper = 0;
    for (int i = 0; i < 480; ++i) {
        bench.world.tick(1, 240);
        const double now = coordinateOf(bench.joint, coordinate);
        lowest = std::min(lowest, now);
        highest = std::max(highest, now);
        touchedLower += lower.contact() ? 1 : 0;
        touchedUpper += upper.contact() ? 1 : 0;
        if (i > 240)
            fastest = std::max(fastest, static_cast<double>(bench.part.getLinearVelocity().length() +
                                                            bench.part.getAngularVelocity().length()));
    }
    CAPTURE(coordinate, side, lowest, highest);
    CHECK(touchedLower > 0);
    CHECK(touchedUpper > 0);
    CHECK(lowest == Approx(-0.2).margin(0.02));
    CHECK(highest == Approx(0.3).margin(0.02));
    CHECK(fastest > 0.9);  // undamped stops give all of it back
    CHECK_THROWS_WITH(stopsFromLimits(bench.joint, coordinate, 1, 1), Catch::Contains("has no limits"));
}

TEST_CASE("limits of a 6-dof joint become stops at the same coordinates") {
    const int coordinate = GENERATE(range(0, 6));
    const double side = GENERATE(1., -1.);
    requireStops<btGeneric6DofConstraint>(coordinate, side, true);
    requireStops<btGeneric6DofSpring2Constraint>(coordinate, side);
}

TEST_CASE("limits that no element can stand for are refused") {
    Bench<btGeneric6DofConstraint> bench(3, true);
    CHECK_THROWS_WITH(stopsFromLimits(bench.joint, 0, 1e4, 0), Catch::Contains("is locked"));
    CHECK_THROWS_WITH(stopsFromLimits(bench.joint, 6, 1e4, 0), Catch::Contains("0 ... 5"));
    CHECK(bench.joint.getRotationalLimitMotor(0)->m_loLimit == Approx(-0.2));
}

TEST_CASE("springs of 6-dof joints become elements with their period") {
    const int coordinate = GENERATE(0, 2, 4);
    for (const bool isSecond : {false, true}) {
        const double c = 200;
        double period = 0;
        const auto swing = [&](auto& bench) {
            bench.push(coordinate, 0.5);
            int crossings = 0;
            double before = 0;
            for (int i = 0; i < 2400 && crossings < 3; ++i) {
                bench.world.tick(1, 1000);
                const double now = coordinateOf(bench.joint, coordinate) - 0.05;
                if (before < 0 && now >= 0 && crossings++ == 0) period = -1e-3 * (i - now / (now - before));
                if (crossings == 2) {
                    period += 1e-3 * (i - now / (now - before));
                    break;
                }
                before = now;
            }
        };
        double inertia = 1;
        if (isSecond) {
            Bench<btGeneric6DofSpring2Constraint> bench(coordinate);
            bench.joint.setLimit(coordinate, 1, -1);
            bench.joint.enableSpring(coordinate, true);
            bench.joint.setStiffness(coordinate, btScalar(c));
            bench.joint.setEquilibriumPoint(coordinate, btScalar(0.05));
            for (auto& spring : replaceSprings(bench.joint)) bench.add(std::move(spring));
            REQUIRE(bench.elements.size() == 1);
            swing(bench);
            if (coordinate > 2) inertia = 1 / static_cast<double>(bench.part.getInvInertiaDiagLocal().x());
        } else {
            Bench<btGeneric6DofSpringConstraint> bench(coordinate, true);
            bench.joint.setLimit(coordinate, 1, -1);
            bench.joint.enableSpring(coordinate, true);
            bench.joint.setStiffness(coordinate, btScalar(c));
            bench.joint.setEquilibriumPoint(coordinate, btScalar(0.05));
            for (auto& spring : replaceSprings(bench.joint, 0)) bench.add(std::move(spring));
            REQUIRE(bench.elements.size() == 1);
            CHECK_FALSE(bench.joint.isSpringEnabled(coordinate));
            swing(bench);
            if (coordinate > 2) inertia = 1 / static_cast<double>(bench.part.getInvInertiaDiagLocal().x());
        }
        // About an axis off the centre of mass.
        if (coordinate > 2) {
            const btVector3 axis = tilted().getBasis().getColumn(coordinate - 3);
            inertia += static_cast<double>(axis.cross(tilted().getOrigin()).length2());
        }
        CAPTURE(coordinate, isSecond);
        CHECK(period == Approx(2 * M_PI * std::sqrt(inertia / c)).epsilon(1e-3));
    }
}

}  // namespace from_bullet_test
