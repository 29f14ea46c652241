// A ball dropped on a stiff undamped stop in an ordinary Bullet world at 60 Hz comes back to its height.
#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    const btScalar g = btScalar(9.80665);
    world.setGravity(btVector3(0, -g, 0));
    elasto::Plugin plugin(&world);

    btSphereShape shape(btScalar(0.05));
    btVector3 inertia;
    shape.calculateLocalInertia(btScalar(0.2), inertia);
    btRigidBody ball(btRigidBody::btRigidBodyConstructionInfo(btScalar(0.2), nullptr, &shape, inertia));
    ball.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(0.3), 0)));
    ball.setInterpolationWorldTransform(ball.getWorldTransform());
    world.addRigidBody(&ball);

    const btTransform up(btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI));  // its x axis points upwards
    elasto::ElastoGap stop(ball, up, up, {.c = 1e6, .d = 0});
    world.addConstraint(&stop);

    btScalar lowest = 1;
    double rebound = 0;
    bool touched = false;
    for (int tick = 0; tick < 60; ++tick) {
        world.stepSimulation(btScalar(1) / 60, 0, btScalar(1) / 60);
        const btScalar y = ball.getWorldTransform().getOrigin().y();
        const btScalar v = ball.getLinearVelocity().y();
        touched = touched || plugin.statistics().events > 0;
        lowest = std::min(lowest, y);
        if (touched) rebound = std::max(rebound, double(y + v * v / (2 * g)));
    }
    world.removeConstraint(&stop);
    world.removeRigidBody(&ball);
    if (std::abs(rebound - 0.3) > 1e-4 || lowest < -0.01) {
        std::printf("rebound to %.9g m, lowest %g m\n", rebound, double(lowest));
        return 1;
    }
#ifdef OWN_BULLET_IS_USED
    std::printf("own Bullet, ");
#endif
    std::printf("%s precision: ok\n", elasto::kPrecision);
}
