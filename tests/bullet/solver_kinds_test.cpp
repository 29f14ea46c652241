// Every kind of solver and world either carries elements or is refused with the reason, by check and by the Plugin.

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolverMt.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyMLCPConstraintSolver.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <catch2/catch.hpp>

#include "test_world.h"

namespace solver_kinds_test {

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;

namespace {

struct Parts {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
};

// Refused by both, with the same reason; the world goes on with its solver.
void requireRefused(btDiscreteDynamicsWorld& world, const std::string& reason) {
    const btConstraintSolver* const solver = world.getConstraintSolver();
    CHECK_THROWS_WITH(Plugin(&world), Contains("elasto::Plugin") && Contains(reason));
    CHECK_THROWS_AS(Plugin(&world), std::invalid_argument);
    const std::vector<Problem> problems = check(world);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].kind == Problem::Kind::ForeignSolver);
    CHECK(problems[0].isError);
    CHECK_THAT(problems[0].message, Contains(reason));
    CHECK(world.getConstraintSolver() == solver);
    CHECK_NOTHROW(world.stepSimulation(btScalar(1.0 / 60), 0));
}

// Networks of every kind that are solved without Bullet: free, on joints, turning, on loads.
class Networks : public TestWorld {
public:
    explicit Networks(std::unique_ptr<btSequentialImpulseConstraintSolver> kind) : TestWorld(true, std::move(kind)) {
        btRigidBody& hammer = ball(0.5, 0, 0.5, 0);
        btRigidBody& anvil = ball(2, 0, 0, 0);
        add<ElastoGap>(anvil, hammer, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 20, .s_rel0 = 0.1});
        add<SpringDamperParallel>(Placement::alongAxis(anvil, upwards(), upwards()),
                                  SpringDamperParameters{.c = 2e4, .d = 40, .s_rel0 = 0.1});
        btRigidBody& bar = body(2, new btBoxShape(vec(0.5, 0.05, 0.05)), at(5.5, 4, 3));
        btRigidBody& second = body(1, new btBoxShape(vec(0.4, 0.05, 0.05)), at(6.4, 4, 3));
        add<btHingeConstraint>(bar, vec(-0.5, 0, 0), vec(0, 0, 1));
        add<btPoint2PointConstraint>(bar, second, vec(0.5, 0, 0), vec(-0.4, 0, 0));
        add<ElastoGap>(bar, upwards(0.3, 0, 0), upwards(5.8, 3.6, 3), ElastoGapParameters{.c = 1e4, .d = 30});
        btRigidBody& tumbler = body(1, new btBoxShape(vec(0.1, 0.2, 0.3)), at(10, 0, 0));
        tumbler.setAngularVelocity(vec(0.3, 4, 0.2));
        add<Spring>(tumbler, vec(0.1, 0.2, 0.3), vec(10, 2, 0), 400, 1.5);
        plugin->addLoad(Load::sine(second, Load::Kind::Force, vec(0, 1, 0), {.amplitude = 3, .f = 1.3}));
    }
};

}  // namespace

TEST_CASE("with NNCG networks have the bits that they have with sequential impulses") {
    Networks sequential(std::make_unique<btSequentialImpulseConstraintSolver>());
    Networks nncg(std::make_unique<btNNCGConstraintSolver>());
    for (int i = 0; i < 300; ++i) {
        sequential.tick();
        nncg.tick();
        REQUIRE(nncg.plugin->statistics().uncoupled == 0);
        for (std::size_t b = 0; b < nncg.bodies.size(); ++b) {
            REQUIRE(nncg.bodies[b]->getWorldTransform() == sequential.bodies[b]->getWorldTransform());
            REQUIRE(nncg.bodies[b]->getLinearVelocity() == sequential.bodies[b]->getLinearVelocity());
            REQUIRE(nncg.bodies[b]->getAngularVelocity() == sequential.bodies[b]->getAngularVelocity());
        }
    }
    CHECK(nncg.plugin->totals().events > 10);
}

TEST_CASE("MLCP solvers are refused") {
    Parts parts;
    btDantzigSolver dantzig;
    btSolveProjectedGaussSeidel gaussSeidel;
    SECTION("of rigid bodies") {
        for (btMLCPSolverInterface* inner : std::initializer_list<btMLCPSolverInterface*>{&dantzig, &gaussSeidel}) {
            btMLCPSolver solver(inner);
            btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
            requireRefused(world, "MLCP");
        }
    }
    SECTION("of multibodies") {
        btMultiBodyMLCPConstraintSolver solver(&dantzig);
        btMultiBodyDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
        requireRefused(world, "MLCP");
    }
}

TEST_CASE("the multithreaded solver is refused") {
    Parts parts;
    btSequentialImpulseConstraintSolverMt solver;
    btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
    requireRefused(world, "btSequentialImpulseConstraintSolverMt");
}

TEST_CASE("solver pools and multithreaded worlds are refused") {
    Parts parts;
    btConstraintSolverPoolMt pool(1);
    SECTION("a pool in a plain world") {
        btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &pool, &parts.configuration);
        requireRefused(world, "btConstraintSolverPoolMt");
    }
    SECTION("a multithreaded world") {
        btDiscreteDynamicsWorldMt world(&parts.dispatcher, &parts.broadphase, &pool, nullptr, &parts.configuration);
        requireRefused(world, "btDiscreteDynamicsWorldMt");
    }
    SECTION("a multithreaded world with a second solver") {
        btSequentialImpulseConstraintSolverMt second;
        btDiscreteDynamicsWorldMt world(&parts.dispatcher, &parts.broadphase, &pool, &second, &parts.configuration);
        requireRefused(world, "btDiscreteDynamicsWorldMt");
    }
    SECTION("a multithreaded world that was given a plain solver") {
        btSequentialImpulseConstraintSolver plain;
        btDiscreteDynamicsWorldMt world(&parts.dispatcher, &parts.broadphase, &pool, nullptr, &parts.configuration);
        world.setConstraintSolver(&plain);
        requireRefused(world, "btDiscreteDynamicsWorldMt");
    }
}

TEST_CASE("classes derived from a supported solver are refused") {
    Parts parts;
    struct Own : btSequentialImpulseConstraintSolver {};
    struct OwnNncg : btNNCGConstraintSolver {};
    Own own;
    OwnNncg nncg;
    for (btConstraintSolver* solver : std::initializer_list<btConstraintSolver*>{&own, &nncg}) {
        btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, solver, &parts.configuration);
        requireRefused(world, "a class derived from one of these");
    }
}

}  // namespace solver_kinds_test
