// Worlds with something that a snapshot does not hold are refused by name.

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletCollision/CollisionDispatch/btSphereSphereCollisionAlgorithm.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <BulletDynamics/Vehicle/btRaycastVehicle.h>

#include "snapshot/snapshot_version.h"
#include "snapshot_refusals.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("worlds with something that a snapshot does not hold are refused") {
    SmallWorld world;
    const WorldSnapshot snapshot = world.plugin->saveWorld();
    btSphereShape shape(btScalar(0.1));
    SECTION("ghosts") {
        btGhostObject ghost;
        ghost.setCollisionShape(&shape);
        world.world->addCollisionObject(&ghost);
        refusesToSave(*world.plugin, "body 4 is a ghost object");
        world.world->removeCollisionObject(&ghost);
        CHECK_NOTHROW(world.plugin->saveWorld());
    }
    SECTION("soft bodies") {
        struct Soft : btCollisionObject {
            Soft() { m_internalType = CO_SOFT_BODY; }
        } soft;
        soft.setCollisionShape(&shape);
        world.world->addCollisionObject(&soft);
        refusesToSave(*world.plugin, "body 4 is a soft body");
        world.world->removeCollisionObject(&soft);
    }
    SECTION("vehicles") {
        btDefaultVehicleRaycaster raycaster(world.world.get());
        btRaycastVehicle vehicle({}, world.bodies[1].get(), &raycaster);
        world.world->addAction(&vehicle);
        refusesToSave(*world.plugin, "a vehicle");
        refusesToRestore(world, snapshot, "a vehicle");
        world.world->removeAction(&vehicle);
    }
    SECTION("characters") {
        btPairCachingGhostObject ghost;
        btKinematicCharacterController character(&ghost, &shape, btScalar(0.1));
        world.world->addAction(&character);
        refusesToSave(*world.plugin, "a character");
        world.world->removeAction(&character);
    }
    SECTION("actions of the user are his") {
        struct Action : btActionInterface {
            void updateAction(btCollisionWorld* /*world*/, btScalar /*h*/) override {}
            void debugDraw(btIDebugDraw* /*drawer*/) override {}
        } action;
        world.world->addAction(&action);
        CHECK_NOTHROW(world.plugin->saveWorld());
        world.world->removeAction(&action);
    }
    SECTION("joints of the user's own class") {
        struct Own : btPoint2PointConstraint {
            using btPoint2PointConstraint::btPoint2PointConstraint;
        } joint(*world.bodies[2], vec(0, 0, 0));
        world.world->addConstraint(&joint);
        refusesToSave(*world.plugin, "joint 2 is of a class");
        world.world->removeConstraint(&joint);
    }
    SECTION("contact points with the user's data") {
        int data = 0;
        REQUIRE(world.dispatcher.getNumManifolds() > 0);
        btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(0);
        REQUIRE(manifold.getNumContacts() > 0);
        manifold.getContactPoint(0).m_userPersistentData = &data;
        refusesToSave(*world.plugin, "m_userPersistentData");
        manifold.getContactPoint(0).m_userPersistentData = nullptr;
    }
    SECTION("manifolds of the user") {
        btPersistentManifold* own = world.dispatcher.getNewManifold(world.bodies[1].get(), world.bodies[2].get());
        refusesToSave(*world.plugin, "belong to no pair");
        refusesToRestore(world, snapshot, "belong to no pair");
        world.dispatcher.releaseManifold(own);
        CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));
    }
    SECTION("collision algorithms of other classes") {
        btGImpactCollisionAlgorithm::registerAlgorithm(&world.dispatcher);
        CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));  // no shape here uses them
        btTriangleMesh mesh;
        mesh.addTriangle(vec(0, 0, 0), vec(1, 0, 0), vec(0, 0, 1));
        auto* gimpact = new btGImpactMeshShape(&mesh);
        gimpact->updateBound();
        world.body(1, gimpact, at(-1, 0, 0));
        world.tick();
        refusesToSave(*world.plugin, "collide by an algorithm");
        world.world->removeRigidBody(world.bodies.back().get());
        world.bodies.pop_back();
        world.shapes.pop_back();
    }
    SECTION("a dispatcher that makes other algorithms since") {
        btSphereSphereCollisionAlgorithm::CreateFunc other;
        world.dispatcher.registerCollisionCreateFunc(BOX_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE, &other);
        refusesToRestore(world, snapshot, "other collision algorithms");
        world.dispatcher.registerCollisionCreateFunc(
            BOX_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE,
            world.configuration.getCollisionAlgorithmCreateFunc(BOX_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE));
        CHECK_NOTHROW(world.plugin->restoreWorld(snapshot));
    }
}

TEST_CASE("other broadphases are refused") {
    WorldParts parts;
    std::unique_ptr<btBroadphaseInterface> broadphase;
    SECTION("btAxisSweep3") {
        broadphase = std::make_unique<btAxisSweep3>(vec(-9, -9, -9), vec(9, 9, 9), static_cast<unsigned short>(100));
    }
    SECTION("btSimpleBroadphase") {
        broadphase = std::make_unique<btSimpleBroadphase>();
    }
    btDiscreteDynamicsWorld world(&parts.dispatcher, broadphase.get(), &parts.solver, &parts.configuration);
    const Plugin plugin(&world);
    refusesToSave(plugin, "must be a btDbvtBroadphase");
}

TEST_CASE("other pair caches are refused") {
    WorldParts parts;
    btSortedOverlappingPairCache pairs;
    btDbvtBroadphase broadphase(&pairs);
    btDiscreteDynamicsWorld world(&parts.dispatcher, &broadphase, &parts.solver, &parts.configuration);
    const Plugin plugin(&world);
    refusesToSave(plugin, "must be a btHashedOverlappingPairCache");
}

TEST_CASE("a Bullet that nobody has looked at is tried: a small world is put back and goes on as before") {
    CHECK(lostOnTheWayBack() == "");
    constexpr int kUnknown = 399;
    CHECK_NOTHROW(requireKnownBullet(kUnknown, "test"));
}
