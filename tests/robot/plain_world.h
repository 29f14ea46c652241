#pragma once
/// A btMultiBodyDynamicsWorld without a plugin, for tests.

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

namespace elasto::test {

struct PlainWorld {
    explicit PlainWorld(const btVector3& gravity) { world.setGravity(gravity); }

    void step(btScalar h) { world.stepSimulation(h, 1, h); }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
};

/// How near numbers must be that are computed in Bullet's precision.
constexpr double kNear = sizeof(btScalar) == 8 ? 1e-11 : 2e-5;

}  // namespace elasto::test
