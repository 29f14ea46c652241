// Pairs of bodies and frames that no element can act between.

#include <elasto/errors.h>
#include <catch2/catch.hpp>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

const btTransform kFrame = btTransform::getIdentity();

template <class Attempt>
void checkRefused(const Attempt& attempt, const std::string& words) {
    CHECK_THROWS_AS(attempt(), InvalidParameter);
    CHECK_THROWS_WITH(attempt(), Catch::Contains("ElastoGap") && Catch::Contains(words));
}

ElastoGap gap(const Placement& placement) {
    return ElastoGap(placement, {.c = 1, .d = 1});
}

}  // namespace

TEST_CASE("the same body twice") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 0, 0);
    checkRefused([&] { gap(Placement::alongAxis(a, a, kFrame, kFrame)); }, "are the same");
    checkRefused([&] { gap(Placement::alongLine(a, a, vec(0, 0, 0), vec(1, 0, 0))); }, "are the same");
    checkRefused([&] { gap(Placement::aboutAxis(a, a, kFrame, kFrame)); }, "are the same");
}

TEST_CASE("two immovable bodies") {
    TestWorld world;
    btRigidBody& floor = world.body(0, new btSphereShape(1), kFrame);
    btRigidBody& wall = world.body(0, new btSphereShape(1), kFrame);
    btRigidBody& driver = world.body(0, new btSphereShape(1), kFrame);
    driver.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    checkRefused([&] { gap(Placement::alongAxis(floor, wall, kFrame, kFrame)); }, "both immovable");
    checkRefused([&] { gap(Placement::alongAxis(floor, driver, kFrame, kFrame)); }, "both immovable");
    checkRefused([&] { gap(Placement::alongAxis(floor, kFrame, kFrame)); }, "both immovable");
    checkRefused([&] { gap(Placement::alongAxis(Placement::world(), wall, kFrame, kFrame)); }, "both immovable");
}

TEST_CASE("frames that are no frames") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 0, 0);
    const btTransform zero(btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0));
    CHECK_THROWS_WITH(Placement::alongAxis(a, kFrame, zero), Catch::Contains("frameInA is no rotation"));
    CHECK_THROWS_WITH(Placement::aboutAxis(a, kFrame, zero), Catch::Contains("frameInA is no rotation"));
    checkRefused(
        [&] {
            gap(Placement::alongAxis(Placement::world(), a, Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0, 0, 0),
                                     Eigen::Vector3d(0, 0, 0)));
        },
        "zero length");
    const btTransform nowhere = at(0, NAN, 0);
    checkRefused([&] { gap(Placement::alongAxis(a, nowhere, kFrame)); }, "not finite");
    checkRefused([&] { gap(Placement::alongAxis(a, kFrame, nowhere)); }, "not finite");
    checkRefused([&] { gap(Placement::alongLine(a, vec(INFINITY, 0, 0), vec(0, 0, 0))); }, "not finite");
}

TEST_CASE("geometries that do not fit the element") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 0, 0, 0);
    CHECK_THROWS_WITH(SpringDamperParallel(Placement::aboutAxis(a, kFrame, kFrame), {.c = 1, .d = 1}),
                      Catch::Contains("RotationalSpringDamper"));
    CHECK_THROWS_WITH(Spring(Placement::aboutAxis(a, kFrame, kFrame), 1), Catch::Contains("RotationalSpringDamper"));
    CHECK_THROWS_WITH(RotationalSpringDamper(Placement::alongAxis(a, kFrame, kFrame), {.c = 1, .d = 1}),
                      Catch::Contains("SpringDamperParallel"));
}

TEST_CASE("a frame that stretches is refused, one that is rounded is not") {
    TestWorld world;
    btRigidBody& a = world.ball(1, 2, 0, 0);
    const btTransform stretched(btMatrix3x3(3, 0, 0, 0, 3, 0, 0, 0, 3));
    CHECK_THROWS_WITH(ElastoGap(a, kFrame, stretched, {.c = 1, .d = 1}), Catch::Contains("frameInA is no rotation"));
    const btTransform rounded(btMatrix3x3(btScalar(1.0001), 0, 0, 0, 1, 0, 0, 0, 1));
    const ElastoGap element(a, kFrame, rounded, {.c = 1, .d = 1});
    CHECK(element.s_rel() == Approx(2));
}
