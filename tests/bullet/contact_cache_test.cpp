// Contact points that Bullet drops for a tick.

#include "contacts/contact_cache.h"

#include <catch2/catch.hpp>

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <algorithm>
#include <array>

#include "contacts/contact_face.h"
#include "contacts/group_contacts.h"
#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

class Touching {
public:
    explicit Touching(bool isOnPlane = false) {
        if (isOnPlane) {
            world.body(0, new btStaticPlaneShape(vec(0, 1, 0), 0), at(0, 0, 0));
        } else {
            world.body(0, new btBoxShape(vec(0.5, 0.5, 0.5)), at(0, -0.5, 0));
        }
        box = &world.box(1, 0, 0.09999, 0);
    }

    // Bullet's points, without those dropped by hand.
    std::vector<ContactPoint> find(int dropped = 0) {
        world.world->performDiscreteCollisionDetection();
        btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
        std::vector<ContactPoint> points;
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            points.push_back(*contactPoint(manifold, manifold.getContactPoint(i), world.world->getSolverInfo()));
        }
        std::sort(points.begin(), points.end(), inOrder);
        points.erase(points.begin(), points.begin() + dropped);
        return points;
    }

    void tick(const std::vector<ContactPoint>& points) {
        memory.note(points);
        memory.endTick();
    }

    TestWorld world;
    btRigidBody* box = nullptr;
    ContactCache memory;
};

}  // namespace

TEST_CASE("points that Bullet drops are kept while the bodies touch there") {
    Touching touching;
    auto points = touching.find();
    REQUIRE(points.size() == 4);
    CHECK(touching.memory.recall(points) == 0);
    touching.tick(points);

    SECTION("none is missing") {
        CHECK(touching.memory.recall(points) == 0);
    }
    SECTION("two are missing") {
        auto fewer = touching.find(2);
        CHECK(touching.memory.recall(fewer) == 2);
        REQUIRE(fewer.size() == 4);
        CHECK(std::is_sorted(fewer.begin(), fewer.end(), inOrder));
        CHECK(std::count_if(fewer.begin(), fewer.end(), [](const ContactPoint& p) { return p.point == nullptr; }) == 2);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK((fewer[i].contact.vertex - points[i].contact.vertex).norm() < 1e-9);
        }
        // And they stay while they are missing.
        for (int i = 0; i < 10; ++i) {
            touching.tick(fewer);
            fewer = touching.find(2);
            CHECK(touching.memory.recall(fewer) == 2);
        }
    }
    SECTION("all are missing") {
        std::vector<ContactPoint> none;
        CHECK(touching.memory.recall(none) == 0);  // Bullet says that the bodies are apart
    }
    SECTION("they were forgotten for a tick") {
        touching.memory.endTick();
        auto fewer = touching.find(2);
        CHECK(touching.memory.recall(fewer) == 0);
    }
    SECTION("a tick that was abandoned changes nothing") {
        auto fewer = touching.find(2);
        touching.memory.note(fewer);
        touching.memory.abandonTick();
        CHECK(touching.memory.recall(fewer) == 2);
    }
}

TEST_CASE("a corner that has opened or slid off is not kept") {
    Touching touching;
    auto points = touching.find();
    REQUIRE(points.size() == 4);
    touching.tick(points);
    const auto missing = [&](const btTransform& pose) {
        auto fewer = touching.find();
        // Two of the same side stay; then the body is elsewhere than Bullet's detection saw it.
        fewer.erase(std::remove_if(fewer.begin(), fewer.end(),
                                   [](const ContactPoint& point) { return point.contact.vertex.x() > 0; }),
                    fewer.end());
        REQUIRE(fewer.size() == 2);
        touching.box->setWorldTransform(pose);
        return touching.memory.recall(fewer);
    };
    SECTION("open by half a millimetre") {
        CHECK(missing(btTransform(btQuaternion(vec(0, 0, 1), btScalar(0.0025)), vec(0, 0.0999 + 0.00025, 0))) == 2);
    }
    SECTION("open by three millimetres") {
        CHECK(missing(btTransform(btQuaternion(vec(0, 0, 1), btScalar(0.015)), vec(0, 0.0999 + 0.0015, 0))) == 0);
    }
    SECTION("slid by a centimetre on the face") {
        CHECK(missing(at(0.01, 0.09999, 0.01)) == 2);
    }
    SECTION("slid past the edge") {
        CHECK(missing(at(0.405, 0.09999, 0)) == 0);
    }
}

TEST_CASE("a point is over a face or past its edges") {
    struct Case {
        const char* name;
        std::unique_ptr<btCollisionShape> shape;
        double height;   // of the face
        double reachX;   // from the middle to the edge
        double reachXZ;  // the same along the diagonal, in x
    };
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < 12; ++i) {
        const double angle = 2 * M_PI * (i % 6) / 6;
        hull->addPoint(vec(0.5 * std::cos(angle), i < 6 ? 0.3 : -0.3, 0.5 * std::sin(angle)));
    }
    hull->addPoint(vec(0, -1, 0));
    btTriangleMesh triangles;
    triangles.addTriangle(vec(-1, 0.3, -1), vec(-1, 0.3, 1), vec(1, 0.3, -1));
    triangles.addTriangle(vec(1, 0.3, 1), vec(1, 0.3, -1), vec(-1, 0.3, 1));
    const std::array<Case, 5> cases = {
        Case{"box", std::make_unique<btBoxShape>(vec(0.5, 0.3, 0.4)), 0.3, 0.5, 0.4},
        Case{"cylinder", std::make_unique<btCylinderShape>(vec(0.5, 0.3, 0.5)), 0.3, 0.5, 0.5 / std::sqrt(2)},
        Case{"hull", std::move(hull), 0.3, 0.5, 0.5 * std::sqrt(3) / (1 + std::sqrt(3))},
        Case{"mesh", std::make_unique<btBvhTriangleMeshShape>(&triangles, true), 0.3, 1, 1},
        Case{"plane", std::make_unique<btStaticPlaneShape>(vec(0, 1, 0), btScalar(0.3)), 0.3, 1e6, 1e6}};
    for (const Case& each : cases) {
        CAPTURE(each.name);
        const TouchingShape touching{each.shape.get(), btTransform::getIdentity()};
        const btVector3 up = vec(0, 1, 0);
        const auto isOver = [&](double x, double z) { return isOverFace(touching, up, vec(x, each.height, z)); };
        CHECK(isOver(0, 0));
        for (const double sign : {1., -1.}) {
            CHECK(isOver(0.99 * sign * each.reachX, 0));
            CHECK(isOver(0.99 * sign * each.reachXZ, 0.99 * each.reachXZ));
            CHECK(isOver(1.01 * sign * each.reachX, 0) == (each.reachX > 1e5));
            CHECK(isOver(1.01 * sign * each.reachXZ, 1.01 * each.reachXZ) == (each.reachX > 1e5));
        }
        if (each.reachX < 1e5) CHECK_FALSE(isOverFace(touching, vec(0.1, 0.995, 0), vec(0, each.height, 0)));
    }
}

TEST_CASE("a ball touches where it touches") {
    TestWorld world;
    world.body(0, new btBoxShape(vec(0.5, 0.5, 0.5)), at(0, -0.5, 0));
    btRigidBody& ball = world.ball(1, 0, 0.0499, 0);
    ContactCache memory;
    const auto find = [&] {
        world.world->performDiscreteCollisionDetection();
        btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
        return std::vector<ContactPoint>{
            *contactPoint(manifold, manifold.getContactPoint(0), world.world->getSolverInfo())};
    };
    memory.note(find());
    memory.endTick();
    ball.setWorldTransform(at(0.01, 0.0499, 0));
    auto points = find();
    CHECK(memory.recall(points) == 0);
}

TEST_CASE("another body in the same place has no memory") {
    Touching touching;
    touching.tick(touching.find());
    touching.world.world->removeRigidBody(touching.box);
    touching.world.world->addRigidBody(touching.box);
    auto fewer = touching.find(2);
    CHECK(touching.memory.recall(fewer) == 0);
}
