// As engines are built: without run-time type information and without exceptions. Every law, an action and a snapshot
// in a world, and an element on a body that is no number.
#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

struct CountsTicks : btActionInterface {
    void updateAction(btCollisionWorld*, btScalar) override { ++ticks; }
    void debugDraw(btIDebugDraw*) override {}
    int ticks = 0;
};

}  // namespace

int main() {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    std::string said;
    elasto::Plugin plugin(&world);
    plugin.setRefusal(elasto::Refusal::SwitchOff);
    plugin.setMessageHandler([&](const std::string& message) { said += message + "\n"; });
    CountsTicks counter;
    world.addAction(&counter);

    btSphereShape shape(btScalar(0.05));
    std::vector<std::unique_ptr<btRigidBody>> balls;
    std::vector<std::unique_ptr<btTypedConstraint>> elements;
    const auto add = [&]<class Element>(const typename Element::Parameters& parameters) {
        const auto i = btScalar(balls.size());
        balls.push_back(std::make_unique<btRigidBody>(btScalar(1), nullptr, &shape, btVector3(1, 1, 1)));
        btTransform pose = btTransform::getIdentity();
        pose.setOrigin(btVector3(i, btScalar(0.3), 0));
        balls.back()->setCenterOfMassTransform(pose);
        balls.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(balls.back().get());
        const btTransform up(btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI), btVector3(0, 0, 0));
        btTransform below = up;
        below.setOrigin(btVector3(i, 0, 0));
        elements.push_back(
            std::make_unique<Element>(elasto::Placement::alongAxis(*balls.back(), up, below), parameters));
        world.addConstraint(elements.back().get());
    };
    add.operator()<elasto::ElastoGap>({.c = 1e4, .d = 5});
    add.operator()<elasto::Bushing>({.c = 1e4, .d = 10, .c_slip = 1e4, .f_slip = 5, .s_rel0 = 0.3});
    add.operator()<elasto::BumpStop>({.table = elasto::ForceTable({{0, 0}, {0.1, 1000}}), .d = 5});
    add.operator()<elasto::Friction>({.F_Coulomb = 2});
    add.operator()<elasto::Rope>({.c = 1e4, .d = 5, .s_unstretched = 1});
    add.operator()<elasto::SpringDamperParallel>({.c = 1e4, .d = 5, .s_rel0 = 0.3});
    add.operator()<elasto::SpringDamperSeries>({.c = 1e4, .d = 5, .s_unstretched = 0.3});

    const auto tick = [&](int count) {
        for (int i = 0; i < count; ++i) world.stepSimulation(btScalar(1) / 60, 0, btScalar(1) / 60);
    };
    tick(30);
    const elasto::WorldSnapshot saved = plugin.saveWorld();
    tick(30);
    const std::uint64_t hash = plugin.saveWorld().hash();
    plugin.restoreWorld(saved);
    tick(30);
    const bool isSame = plugin.saveWorld().hash() == hash;
    const bool isQuiet = said.empty();
    balls.front()->setLinearVelocity(btVector3(0, std::numeric_limits<btScalar>::quiet_NaN(), 0));
    tick(1);
    const bool isOff = !elements.front()->isEnabled() && said.find("is switched off") != std::string::npos;
    for (const auto& element : elements) world.removeConstraint(element.get());
    for (const auto& ball : balls) world.removeRigidBody(ball.get());
    world.removeAction(&counter);
    if (!isSame || !isQuiet || !isOff || counter.ticks != 91) {
        std::printf("same %d, quiet %d, off %d, %d ticks\n%s", isSame, isQuiet, isOff, counter.ticks, said.c_str());
        return 1;
    }
    std::printf("%s precision: ok\n", elasto::kPrecision);
}
