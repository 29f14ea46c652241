// Uses shared libraries across their border: classes that derive from theirs, exceptions, the version.
#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <cstdio>
#include <cstring>

int main() {
    btSphereShape shape(0.05f);
    btRigidBody ball(btRigidBody::btRigidBodyConstructionInfo(0.2f, nullptr, &shape, {2e-4f, 2e-4f, 2e-4f}));
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    elasto::Plugin plugin(&world);
    const auto stop = elasto::ElastoGap::against(ball, {0, 0, 0}, {0, -0.3f, 0}, {0, 1, 0}, {.c = 1e6, .d = 5});
    world.addRigidBody(&ball);
    world.addConstraint(stop.get());
    double lowest = 1;
    for (int tick = 0; tick < 60; ++tick) {
        world.stepSimulation(btScalar(1.0 / 60), 0);
        lowest = std::min(lowest, stop->s_rel());
    }
    const bool bounces = lowest > -1e-3 && lowest < 0.1;

    bool caught = false;
    try {
        stop->setParameters({.c = -1, .d = 5});
    } catch (const elasto::InvalidParameter& error) {
        caught = std::strstr(error.what(), "c = -1") != nullptr;
    }
    const bool derived = dynamic_cast<elasto::ForceElement*>(world.getConstraint(0)) == stop.get();
    world.removeConstraint(stop.get());
    world.removeRigidBody(&ball);
    std::printf("%s in %s precision: %s\n", elasto::version(), elasto::kPrecision,
                bounces && caught && derived ? "ok" : "wrong");
    return bounces && caught && derived ? 0 : 1;
}
