// Bullet's contact points as the flow gets them: gaps, who has the vertex, roundings, softness.

#include <catch2/catch.hpp>

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include "contacts/contact_points.h"
#include "host/conversion.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

struct Found {
    ContactPoint point;
    double distance;
};

std::vector<Found> pointsOf(TestWorld& world) {
    world.world->performDiscreteCollisionDetection();
    std::vector<Found> found;
    for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
        btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            btManifoldPoint& point = manifold.getContactPoint(i);
            const auto translated = contactPoint(manifold, point, world.world->getSolverInfo());
            REQUIRE(translated.has_value());
            found.push_back({*translated, static_cast<double>(point.getDistance())});
        }
    }
    return found;
}

double gapNow(const ContactPoint& point) {
    return gapOf(point.contact, poseOf(*point.bodyA), poseOf(*point.bodyB));
}

const btCollisionObject& vertexBody(const ContactPoint& point) {
    return point.contact.isVertexOnA ? *point.bodyA : *point.bodyB;
}

const btCollisionObject& normalBody(const ContactPoint& point) {
    return point.contact.isVertexOnA ? *point.bodyB : *point.bodyA;
}

// The normal in world coordinates, away from the body that has it.
Eigen::Vector3d outward(const ContactPoint& point) {
    const double sign = point.contact.isVertexOnA ? 1 : -1;
    return sign * (poseOf(normalBody(point)).orientation * point.contact.normal);
}

void checkGaps(const std::vector<Found>& found) {
    for (const Found& each : found) {
        CHECK(gapNow(each.point) == Approx(each.distance).margin(kRounding));
    }
}

btTransform turned(double x, double y, double z, const btVector3& axis, double angle) {
    return btTransform(btQuaternion(axis, btScalar(angle)), vec(x, y, z));
}

btRigidBody& floorOf(TestWorld& world) {
    return world.body(0, new btBoxShape(vec(5, 1, 5)), at(0, -1, 0));
}

}  // namespace

TEST_CASE("a box on the floor touches with its corners") {
    const bool isFloorFirst = GENERATE(true, false);
    TestWorld world;
    btRigidBody* floor = isFloorFirst ? &floorOf(world) : nullptr;
    btRigidBody& box = world.box(1, 0.3, 0.0995, -0.2);
    if (floor == nullptr) {
        floor = &floorOf(world);
    }
    const auto found = pointsOf(world);
    REQUIRE(found.size() == 4);
    checkGaps(found);
    for (const Found& each : found) {
        CHECK(&vertexBody(each.point) == &box);
        CHECK(&normalBody(each.point) == floor);
        CHECK(each.distance == Approx(-0.0005).margin(kRounding));
        CHECK(each.point.contact.radius == 0);
        CHECK(each.point.contact.vertex.cwiseAbs().isApprox(Eigen::Vector3d(0.1, 0.1, 0.1), 1e-6));
        CHECK((outward(each.point) - Eigen::Vector3d::UnitY()).norm() < 1e-12);
    }
    // Tilted about its centre, each corner is where its own height says.
    box.setWorldTransform(turned(0.3, 0.0995, -0.2, vec(0, 0, 1), 0.1));
    for (const Found& each : found) {
        const btVector3 corner = box.getWorldTransform() * toBullet(each.point.contact.vertex);
        CHECK(gapNow(each.point) == Approx(static_cast<double>(corner.y())).margin(kRounding));
    }
}

TEST_CASE("a sphere touches with its centre and radius, whatever it touches") {
    const auto other = GENERATE(as<std::string>{}, "floor", "plane", "box", "static ball");
    TestWorld world;
    double top = 0;
    if (other == "floor") {
        floorOf(world);
    } else if (other == "plane") {
        world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    } else if (other == "box") {
        world.box(1, 0, 0, 0);
        top = 0.1;
    } else {
        world.body(0, new btSphereShape(btScalar(0.3)), at(0, -0.3, 0));
    }
    btRigidBody& ball = world.ball(1, 0, top + 0.0495, 0);
    const auto found = pointsOf(world);
    REQUIRE(!found.empty());
    checkGaps(found);
    for (const Found& each : found) {
        CHECK(&vertexBody(each.point) == &ball);
        CHECK(each.point.contact.vertex.norm() < 1e-12);
        CHECK(each.point.contact.radius == Approx(0.05));
        ball.setWorldTransform(turned(0, top + 0.0495, 0, vec(1, 2, 3), 1));
        CHECK(gapNow(each.point) == Approx(-0.0005).margin(kRounding));
        ball.setWorldTransform(at(0, top + 0.06, 0));
        CHECK(gapNow(each.point) == Approx(0.01).margin(kRounding));
    }
}

TEST_CASE("a box against a static ball has the normal") {
    TestWorld world;
    btRigidBody& ball = world.body(0, new btSphereShape(btScalar(0.3)), at(0, -0.3, 0));
    btRigidBody& box = world.box(1, 0, 0.0999, 0);
    const auto found = pointsOf(world);
    REQUIRE(!found.empty());
    checkGaps(found);
    CHECK(&vertexBody(found[0].point) == &ball);
    CHECK(&normalBody(found[0].point) == &box);
    CHECK((outward(found[0].point) + Eigen::Vector3d::UnitY()).norm() < 1e-6);
}

TEST_CASE("capsules and cylinders roll on their roundings") {
    const bool isCapsule = GENERATE(true, false);
    TestWorld world;
    world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
    btCollisionShape* shape = nullptr;
    if (isCapsule) {
        shape = new btCapsuleShapeX(btScalar(0.1), btScalar(0.4));
    } else {
        shape = new btCylinderShapeX(vec(0.3, 0.1, 0.1));
    }
    btRigidBody& roller = world.body(1, shape, at(0, 0.0995, 0));
    const auto found = pointsOf(world);
    REQUIRE(!found.empty());
    checkGaps(found);
    for (const Found& each : found) {
        CHECK(&vertexBody(each.point) == &roller);
        CHECK(each.point.contact.radius == Approx(0.1));
        CHECK(each.point.contact.vertex.tail<2>().norm() < 1e-6);
        CHECK(std::fabs(each.point.contact.vertex.x()) <= 0.3 + 1e-6);
        roller.setWorldTransform(turned(0, 0.0995, 0, vec(1, 0, 0), 0.5));
        CHECK(gapNow(each.point) == Approx(each.distance).margin(byPrecision(1e-12, 2e-6)));
    }
}

TEST_CASE("of two boxes the one with a face there has the normal") {
    TestWorld world;
    // The lower one stands on an edge and touches the upper one with another.
    const double half = 0.1;
    btRigidBody& lower =
        world.body(1, new btBoxShape(vec(half, half, half)), turned(0, 0, 0, vec(0, 0, 1), 0.7853981633974483));
    btRigidBody& upper = world.box(1, 0.01, half * (1 + std::sqrt(2.0)) - 0.0005, 0);
    const auto found = pointsOf(world);
    REQUIRE(!found.empty());
    checkGaps(found);
    for (const Found& each : found) {
        CHECK(&vertexBody(each.point) == &lower);
        CHECK(&normalBody(each.point) == &upper);
        CHECK((outward(each.point) + Eigen::Vector3d::UnitY()).norm() < 1e-6);
    }
}

TEST_CASE("of two faces the one whose corner is there has the vertex, whatever slides") {
    TestWorld world;
    const bool isPlateFirst = GENERATE(true, false);
    btRigidBody* plate = nullptr;
    const auto addPlate = [&] { plate = &world.body(5, new btBoxShape(vec(1, 0.05, 1)), at(0, -0.05, 0)); };
    if (isPlateFirst) addPlate();
    btRigidBody& box = world.box(1, 0.3, 0.0999, 0.2);
    if (!isPlateFirst) addPlate();
    const auto found = pointsOf(world);
    REQUIRE(found.size() == 4);
    checkGaps(found);
    for (const Found& each : found) {
        CHECK(&vertexBody(each.point) == &box);
        CHECK(&normalBody(each.point) == plate);
        CHECK((each.point.contact.vertex.cwiseAbs() - Eigen::Vector3d(0.1, 0.1, 0.1)).norm() < 10 * kRounding);
    }
}

TEST_CASE("a movable face on a static edge has the normal") {
    TestWorld world;
    const double half = 0.1;
    btRigidBody& edge =
        world.body(0, new btBoxShape(vec(half, half, half)), turned(0, 0, 0, vec(0, 0, 1), 0.7853981633974483));
    btRigidBody& box = world.box(1, 0.01, half * (1 + std::sqrt(2.0)) - 0.0005, 0);
    const auto found = pointsOf(world);
    REQUIRE(!found.empty());
    checkGaps(found);
    CHECK(&vertexBody(found[0].point) == &edge);
    CHECK(&normalBody(found[0].point) == &box);
}

TEST_CASE("a hull on a mesh and a box on a hull") {
    TestWorld world;
    btTriangleMesh mesh;
    for (const double sign : {1.0, -1.0}) {
        mesh.addTriangle(vec(-5, 0, -5), vec(5 * sign, 0, 5), vec(5, 0, -5 * sign));
    }
    btRigidBody& ground = world.body(0, new btBvhTriangleMeshShape(&mesh, true), at(0, 0, 0));
    auto* shape = new btConvexHullShape;
    for (int i = 0; i < 8; ++i) {
        shape->addPoint(vec((i & 1) != 0 ? 0.2 : -0.2, (i & 2) != 0 ? 0.1 : -0.1, (i & 4) != 0 ? 0.3 : -0.3));
    }
    shape->setMargin(btScalar(0.01));
    btRigidBody& hull = world.body(2, shape, at(0.1, 0.1095, 0.2));
    btRigidBody& box = world.box(1, 0.1, 0.219 + 0.1, 0.2);
    const auto found = pointsOf(world);
    REQUIRE(found.size() >= 2);
    checkGaps(found);
    for (const Found& each : found) {
        if (each.point.bodyA == &ground || each.point.bodyB == &ground) {
            CHECK(&vertexBody(each.point) == &hull);
            CHECK((outward(each.point) - Eigen::Vector3d::UnitY()).norm() < 1e-3);
        } else {
            // Both have a face there: body 1's.
            CHECK(&normalBody(each.point) == each.point.bodyB);
            CHECK(std::fabs(outward(each.point).y()) == Approx(1).margin(1e-4));
            CHECK((&vertexBody(each.point) == &box || &vertexBody(each.point) == &hull));
        }
    }
}

TEST_CASE("edges inside a mesh are none, ridges are") {
    const double slope = GENERATE(0.0, 0.3, -0.3);  // beside the edge: flat, a ridge, a valley
    const bool isOnEdge = GENERATE(true, false);
    TestWorld world;
    btTriangleMesh mesh;
    mesh.addTriangle(vec(-5, -5 * slope, -5), vec(0, 0, 5), vec(0, 0, -5));
    mesh.addTriangle(vec(5, -5 * slope, 5), vec(0, 0, -5), vec(0, 0, 5));
    world.body(0, new btBvhTriangleMeshShape(&mesh, true), at(0, 0, 0));
    // The ball touches the right triangle near the edge, or both sides of the edge.
    const btVector3 right = vec(slope, 1, 0).normalized();
    const double beside = slope < 0 ? 0.1 : 0.01;
    const btVector3 touched = isOnEdge ? vec(0, 0, 0) : vec(beside, -beside * slope, 0);
    const double radius = 0.2;
    btVector3 centre = touched + right * btScalar(radius);
    if (isOnEdge) centre = vec(0, slope < 0 ? radius / static_cast<double>(right.y()) : radius, 0);
    world.ball(1, static_cast<double>(centre.x()), static_cast<double>(centre.y()), 0, radius);
    const auto found = pointsOf(world);
    REQUIRE(!found.empty());
    double least = 1;
    for (const Found& each : found) {
        CAPTURE(slope, isOnEdge, outward(each.point).transpose());
        const Eigen::Vector3d normal = outward(each.point);
        const Eigen::Vector3d mirrored(-normal.x(), normal.y(), normal.z());
        const bool isFace = std::min((normal - toEigen(right)).norm(), (mirrored - toEigen(right)).norm()) < 1e-6;
        const bool isRidge = slope > 0 && isOnEdge && (normal - Eigen::Vector3d::UnitY()).norm() < 1e-5;
        CHECK((isFace || isRidge));
        least = std::min(least, gapNow(each.point));
    }
    CHECK(least == Approx(0).margin(10 * kRounding));
}

TEST_CASE("children of a compound touch as what they are") {
    TestWorld world;
    floorOf(world);
    auto* compound = new btCompoundShape;
    btBoxShape block(vec(0.1, 0.1, 0.1));
    btSphereShape ball(btScalar(0.15));
    compound->addChildShape(at(-0.5, 0, 0), &block);
    compound->addChildShape(at(0.5, 0.05, 0), &ball);
    btRigidBody& body = world.body(3, compound, at(0, 0.0998, 0));
    const auto found = pointsOf(world);
    REQUIRE(found.size() == 5);
    checkGaps(found);
    int round = 0;
    for (const Found& each : found) {
        CHECK(&vertexBody(each.point) == &body);
        if (each.point.contact.radius > 0) {
            ++round;
            CHECK((each.point.contact.vertex - Eigen::Vector3d(0.5, 0.05, 0)).norm() < 1e-6);
        } else {
            CHECK(std::fabs(each.point.contact.vertex.x() + 0.5) == Approx(0.1));
        }
    }
    CHECK(round == 1);
    world.world->removeRigidBody(&body);
}

TEST_CASE("friction, restitution and softness are Bullet's") {
    TestWorld world;
    btRigidBody& floor = floorOf(world);
    btRigidBody& ball = world.ball(1, 0, 0.0499, 0);
    floor.setFriction(btScalar(0.5));
    ball.setFriction(btScalar(0.8));
    floor.setRestitution(btScalar(0.5));
    ball.setRestitution(btScalar(0.4));
    btContactSolverInfo& info = world.world->getSolverInfo();
    const double h = static_cast<double>(info.m_timeStep);

    SECTION("plain") {
        ball.setSpinningFriction(btScalar(0.1));
        const auto found = pointsOf(world);
        const FlowContact& contact = found.at(0).point.contact;
        CHECK(contact.friction == Approx(0.4));
        CHECK(contact.restitution == Approx(0.2));
        CHECK(contact.restitutionVelocity == Approx(0.2));
        CHECK(contact.rollingFriction == 0);
        CHECK(contact.spinningFriction == 0);  // Bullet has no such row without rolling friction
        CHECK(std::isinf(contact.stiffness));
        CHECK(contact.surfaceVelocity.norm() == 0);
    }
    SECTION("rolling") {
        ball.setRollingFriction(btScalar(0.2));
        ball.setSpinningFriction(btScalar(0.1));
        const FlowContact contact = pointsOf(world).at(0).point.contact;
        CHECK(contact.rollingFriction == Approx(0.1));
        CHECK(contact.spinningFriction == Approx(0.05));
    }
    SECTION("stiffness and damping") {
        ball.setContactStiffnessAndDamping(1000, 20);
        const FlowContact contact = pointsOf(world).at(0).point.contact;
        CHECK(contact.stiffness == Approx(1000));
        CHECK(contact.damping == Approx(20.1));  // the floor's is 0.1
    }
    SECTION("CFM and ERP") {
        info.m_globalCfm = btScalar(1e-3);
        info.m_erp2 = btScalar(0.25);
        const FlowContact contact = pointsOf(world).at(0).point.contact;
        CHECK(contact.stiffness == Approx(0.25 / (h * 1e-3)));
        CHECK(contact.damping == Approx(0.75 / 1e-3));
    }
    SECTION("slop") {
        info.m_linearSlop = btScalar(0.01);
        CHECK(gapNow(pointsOf(world).at(0).point) == Approx(0.0099).margin(kRounding));
    }
}

TEST_CASE("a conveyor's motion is that of body b's surface") {
    TestWorld world;
    floorOf(world);
    world.box(1, 0, 0.1, 0);
    btContactSolverInfo& info = world.world->getSolverInfo();
    info.m_solverMode |= SOLVER_ENABLE_FRICTION_DIRECTION_CACHING | SOLVER_USE_2_FRICTION_DIRECTIONS;
    world.world->performDiscreteCollisionDetection();
    btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
    btManifoldPoint& point = manifold.getContactPoint(0);
    point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
    point.m_lateralFrictionDir1 = vec(1, 0, 0);
    point.m_lateralFrictionDir2 = vec(0, 0, 1);
    point.m_contactMotion1 = 2;
    point.m_contactMotion2 = -1;
    const auto translated = contactPoint(manifold, point, info);
    REQUIRE(translated);
    CHECK((translated->contact.surfaceVelocity - Eigen::Vector3d(2, 0, -1)).norm() < 1e-12);
    point.m_frictionCFM = btScalar(0.1);
    CHECK_FALSE(contactPoint(manifold, point, info));
}

TEST_CASE("what the flow has not is left out") {
    TestWorld world;
    btRigidBody& floor = floorOf(world);
    btRigidBody& box = world.box(1, 0, 0.1, 0);
    SECTION("friction anchors") {
        box.setCollisionFlags(box.getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
    }
    SECTION("anisotropic friction") {
        floor.setAnisotropicFriction(vec(1, 1, 0.5));
    }
    SECTION("anisotropic rolling friction") {
        box.setAnisotropicFriction(vec(1, 1, 0.5), btCollisionObject::CF_ANISOTROPIC_ROLLING_FRICTION);
    }
    world.world->performDiscreteCollisionDetection();
    btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
    REQUIRE(manifold.getNumContacts() > 0);
    SECTION("points without a normal") {
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            manifold.getContactPoint(i).m_normalWorldOnB = vec(0, 0, 0);
        }
    }
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        CHECK_FALSE(contactPoint(manifold, manifold.getContactPoint(i), world.world->getSolverInfo()));
    }
}
