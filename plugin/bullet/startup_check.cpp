#include "startup_check.h"

#include <elasto/elasto_gap.h>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include <cmath>
#include <mutex>
#include <stdexcept>

#include "tick/world_tick.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

void require(bool condition, const std::string& what) {
    if (!condition) {
        throw std::runtime_error("elasto: Bullet " + std::to_string(btGetVersion()) + " in " + kPrecision +
                                 " precision does not work as Elasto expects (Bullet 3.24 does): " + what);
    }
}

void run() {
    constexpr int kTicks = 3;
    constexpr double kStiffness = 1e4;
    constexpr double kMass = 1;
    constexpr double kGravity = 10;
    constexpr double kExact = sizeof(btScalar) == sizeof(double) ? 1e-12 : 1e-7;  // [m], Bullet's rounding

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, btScalar(-kGravity), 0));
    btSphereShape shape(1);
    btRigidBody body(btScalar(kMass), nullptr, &shape, btVector3(1, 1, 1));
    const double rest = -kMass * kGravity / kStiffness;
    btTransform start = btTransform::getIdentity();
    start.setOrigin(btVector3(0, btScalar(rest), 0));
    body.setCenterOfMassTransform(start);
    world.addRigidBody(&body);
    ElastoGap stop(Placement::alongAxis(Placement::world(), body, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(),
                                        Eigen::Vector3d::UnitY()),
                   {.c = kStiffness, .d = 100});
    world.addConstraint(&stop);
    {
        const auto tick = std::make_shared<WorldTick>(world);
        tick->install();
        for (int i = 0; i < kTicks; ++i) {
            world.stepSimulation(btScalar(1.0 / 60), 0);
        }
        const auto y = static_cast<double>(body.getWorldTransform().getOrigin().y());
        require(tick->results.totals.ticks == kTicks, "the action was not called once per tick");
        require(tick->results.totals.networks == kTicks && tick->results.totals.uncoupled == 0,
                "the solver was not called as expected");
        require(std::fabs(y - rest) < kExact, "a mass that rests on a stop was moved to y = " + std::to_string(y));
        require(std::fabs(stop.meanForce() + kMass * kGravity) < kStiffness * kExact,
                "a mass of " + std::to_string(kMass) + " kg rests on a stop with a mean force of " +
                    std::to_string(stop.meanForce()) + " N");
        tick->uninstall();
        require(world.getConstraintSolver() == &solver, "the world's solver could not be put back");
    }
    world.removeConstraint(&stop);
    world.removeRigidBody(&body);
}

}  // namespace

void requireExpectedBullet() {
    static std::once_flag isDone;
    std::call_once(isDone, run);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
