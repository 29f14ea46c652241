// Installing and taking out; worlds without a plugin; destruction in any order.

#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include <catch2/catch.hpp>

#include <limits>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

// A mass on a stop in any world.
struct Dropped {
    btSphereShape shape{btScalar(0.05)};
    std::unique_ptr<btRigidBody> mass;
    std::unique_ptr<ElastoGap> stop;

    explicit Dropped(btDynamicsWorld& world) {
        mass = std::make_unique<btRigidBody>(btScalar(0.2), nullptr, &shape, vec(1, 1, 1));
        mass->setCenterOfMassTransform(at(0, 0.3, 0));
        mass->setActivationState(DISABLE_DEACTIVATION);
        world.setGravity(vec(0, -TestWorld::kGravity, 0));
        world.addRigidBody(mass.get());
        stop = std::make_unique<ElastoGap>(*mass, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 0});
        world.addConstraint(stop.get());
    }
    bool isRight(double t) const {
        return std::fabs(heightOf(*mass) - DroppedMass(0.2, 0.3, 1e6).at(t).y) < byPrecision(1e-8, 1e-6);
    }
};

struct Parts {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
};

void run(btDynamicsWorld& world, int ticks) {
    for (int i = 0; i < ticks; ++i) {
        world.stepSimulation(btScalar(1.0 / 60), 0);
    }
}

}  // namespace

TEST_CASE("an element in a world without a plugin throws before any body moves") {
    Parts parts;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
    Dropped dropped(world);
    dropped.stop->setName("stop");
    CHECK_THROWS_WITH(run(world, 1),
                      Catch::Contains("ElastoGap 'stop'") && Catch::Contains("elasto::Plugin plugin(world);"));
    CHECK(heightOf(*dropped.mass) == Approx(0.3));
    CHECK(static_cast<double>(dropped.mass->getWorldTransform().getOrigin().y()) == static_cast<double>(btScalar(0.3)));
    SECTION("a disabled one does nothing, silently") {
        dropped.stop->setEnabled(false);
        CHECK_NOTHROW(run(world, 1));
    }
    SECTION("with a plugin the world goes on") {
        dropped.mass->setLinearVelocity(vec(0, 0, 0));
        dropped.mass->clearForces();
        Plugin plugin(&world);
        run(world, 60);
        CHECK(dropped.isRight(1));
    }
    world.removeConstraint(dropped.stop.get());
    world.removeRigidBody(dropped.mass.get());
}

TEST_CASE("every supported solver carries elements") {
    Parts parts;
    std::unique_ptr<btConstraintSolver> solver;
    SECTION("sequential impulse") {
        solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    }
    SECTION("NNCG") {
        solver = std::make_unique<btNNCGConstraintSolver>();
    }
    SECTION("multibody") {
        solver = std::make_unique<btMultiBodyConstraintSolver>();
    }
    btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, solver.get(), &parts.configuration);
    Dropped dropped(world);
    {
        Plugin plugin(&world);
        CHECK(world.getConstraintSolver() != solver.get());
        CHECK(world.getConstraintSolver()->getSolverType() == solver->getSolverType());
        run(world, 60);
        CHECK(dropped.isRight(1));
    }
    CHECK(world.getConstraintSolver() == solver.get());
    world.removeConstraint(dropped.stop.get());
    world.removeRigidBody(dropped.mass.get());
    run(world, 1);
}

TEST_CASE("a multibody world carries elements on its rigid bodies") {
    Parts parts;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
    Dropped dropped(world);
    {
        Plugin plugin(&world);
        run(world, 60);
        CHECK(dropped.isRight(1));
    }
    CHECK(world.getConstraintSolver() == &solver);
    world.removeConstraint(dropped.stop.get());
    world.removeRigidBody(dropped.mass.get());
    run(world, 1);
}

TEST_CASE("a world that owns its solver gets it back") {
    Parts parts;
    btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, nullptr, &parts.configuration);
    const btConstraintSolver* own = world.getConstraintSolver();
    Dropped dropped(world);
    {
        Plugin plugin(&world);
        run(world, 60);
        CHECK(dropped.isRight(1));
    }
    CHECK(world.getConstraintSolver() == own);
    world.removeConstraint(dropped.stop.get());
    world.removeRigidBody(dropped.mass.get());
}

TEST_CASE("foreign solvers are refused and nothing is changed") {
    Parts parts;
    SECTION("MLCP") {
        btDantzigSolver dantzig;
        btMLCPSolver solver(&dantzig);
        btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
        CHECK_THROWS_WITH(Plugin(&world), Catch::Contains("MLCP"));
        CHECK(world.getConstraintSolver() == &solver);
        CHECK(check(world).at(0).kind == Problem::Kind::ForeignSolver);
        Dropped dropped(world);
        CHECK_THROWS_AS(run(world, 1), std::logic_error);
        world.removeConstraint(dropped.stop.get());
        world.removeRigidBody(dropped.mass.get());
    }
    SECTION("multithreaded pool") {
        btConstraintSolverPoolMt pool(1);
        btDiscreteDynamicsWorldMt world(&parts.dispatcher, &parts.broadphase, &pool, nullptr, &parts.configuration);
        CHECK_THROWS_WITH(Plugin(&world), Catch::Contains("multithreaded pools"));
        CHECK(world.getConstraintSolver() == &pool);
    }
    SECTION("a user's own class") {
        struct Own : btSequentialImpulseConstraintSolver {};
        Own solver;
        btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
        CHECK_THROWS_AS(Plugin(&world), std::invalid_argument);
    }
    SECTION("a second plugin") {
        btSequentialImpulseConstraintSolver solver;
        btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
        Plugin first(&world);
        CHECK_THROWS_WITH(Plugin(&world), Catch::Contains("has a Plugin already"));
        CHECK_NOTHROW(run(world, 1));
    }
    SECTION("no world") {
        CHECK_THROWS_WITH(Plugin(nullptr), Catch::Contains("null"));
    }
}

TEST_CASE("settings of the user's solver are carried over and back") {
    Parts parts;
    btNNCGConstraintSolver solver;
    solver.m_onlyForNoneContact = true;
    solver.setRandSeed(4711);
    btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
    {
        Plugin plugin(&world);
        auto& ours = static_cast<btNNCGConstraintSolver&>(*world.getConstraintSolver());
        CHECK(ours.m_onlyForNoneContact);
        CHECK(ours.getRandSeed() == 4711);
        CHECK(ours.getActiveConstraintRowSolverGeneric() == solver.getActiveConstraintRowSolverGeneric());
        ours.setRandSeed(815);
    }
    CHECK(solver.getRandSeed() == 815);
}

TEST_CASE("destruction works in any order") {
    Parts parts;
    btSphereShape shape(1);
    auto solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    const bool isWorldsOwn = GENERATE(true, false);
    auto world = std::make_unique<btDiscreteDynamicsWorld>(&parts.dispatcher, &parts.broadphase,
                                                           isWorldsOwn ? nullptr : solver.get(), &parts.configuration);
    auto plugin = std::make_unique<Plugin>(world.get());
    auto mass = std::make_unique<btRigidBody>(btScalar(1), nullptr, &shape, vec(1, 1, 1));
    world->addRigidBody(mass.get());
    auto stop = std::make_unique<ElastoGap>(*mass, upwards(), ElastoGapParameters{.c = 1e4, .d = 1});
    stop->onContactBegin([](ForceElement&, const ContactInfo&) {});
    world->addConstraint(stop.get());
    run(*world, 3);
    SECTION("plugin first") {
        plugin.reset();
        world->removeConstraint(stop.get());
        stop.reset();
        world->removeRigidBody(mass.get());
        mass.reset();
        world.reset();
    }
    SECTION("world first, with everything still in it") {
        world.reset();
        plugin.reset();
        stop.reset();
        mass.reset();
    }
    SECTION("world first, then the solver, the element, the body, and the plugin last") {
        world.reset();
        solver.reset();
        stop.reset();
        mass.reset();
        CHECK(plugin->time() > 0);
        CHECK(plugin->energy().kinetic == 0);
        plugin.reset();
    }
    SECTION("element and body first") {
        world->removeConstraint(stop.get());
        stop.reset();
        world->removeRigidBody(mass.get());
        mass.reset();
        run(*world, 1);
        plugin.reset();
        world.reset();
    }
}

TEST_CASE("the element still reads out after the plugin and the world are gone") {
    std::unique_ptr<ElastoGap> stop;
    auto world = std::make_unique<TestWorld>();
    btSphereShape shape(1);
    btRigidBody mass(1, nullptr, &shape, vec(1, 1, 1));
    world->world->addRigidBody(&mass);
    stop = std::make_unique<ElastoGap>(mass, upwards(), ElastoGapParameters{.c = 1e4, .d = 1});
    world->world->addConstraint(stop.get());
    world->tick(10);
    const double force = stop->f();
    world->world->removeConstraint(stop.get());
    world->world->removeRigidBody(&mass);
    world.reset();
    CHECK(stop->f() == force);
    CHECK(std::isfinite(stop->solutionAt(0.001).force.f));
}

TEST_CASE("several worlds live side by side") {
    TestWorld first;
    TestWorld second;
    Dropped a(*first.world);
    Dropped b(*second.world);
    for (int i = 1; i <= 60; ++i) {
        first.tick();
        if (i % 2 == 0) {
            second.tick(1, 30);
        }
    }
    CHECK(a.isRight(1));
    CHECK(b.isRight(1));
    CHECK(first.plugin->totals().ticks == 60);
    CHECK(second.plugin->totals().ticks == 30);
    for (auto [world, dropped] : {std::pair(&first, &a), std::pair(&second, &b)}) {
        world->world->removeConstraint(dropped->stop.get());
        world->world->removeRigidBody(dropped->mass.get());
    }
}

TEST_CASE("a plugin installed in mid-run takes over where Bullet is") {
    TestWorld world(false);
    btRigidBody& mass = world.ball(0.2, 0, 0.3, 0);
    world.tick(5);
    const double y = heightOf(mass);
    const double v = climbOf(mass);
    world.install();
    auto& stop = world.add<ElastoGap>(mass, upwards(), upwards(0, -1, 0), ElastoGapParameters{.c = 1e6, .d = 0});
    world.tick();
    const double h = 1.0 / 60;
    CHECK(heightOf(mass) == Approx(y + v * h - TestWorld::kGravity * h * h / 2).epsilon(1e-6));
    CHECK(stop.method() == FlowMethod::Free);
}

TEST_CASE("a solver put in the place of ours is noticed") {
    Parts parts;
    btSequentialImpulseConstraintSolver solver;
    btSequentialImpulseConstraintSolver other;
    btDiscreteDynamicsWorld world(&parts.dispatcher, &parts.broadphase, &solver, &parts.configuration);
    Plugin plugin(&world);
    world.setConstraintSolver(&other);
    CHECK_THROWS_WITH(run(world, 1), Catch::Contains("replaced"));
}

TEST_CASE("a budget that ends is implicit, counted and reported") {
    TestWorld world;
    CHECK_THROWS_WITH(world.plugin->setBudget(0), Catch::Contains("maxSteps"));
    world.plugin->setBudget(1);
    CHECK(world.plugin->settings().maxSteps == 1);
    btRigidBody& a = world.ball(1, 0, 0.02, 0);
    btRigidBody& b = world.ball(1, 0, 0.13, 0);
    a.setIgnoreCollisionCheck(&b, true);
    a.setLinearVelocity(vec(0, -3, 0));
    b.setLinearVelocity(vec(0, -3, 0));
    auto& lower = world.add<ElastoGap>(a, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 0});
    lower.setName("lower");
    world.add<ElastoGap>(a, b, upwards(), upwards(), ElastoGapParameters{.c = 1e6, .d = 0, .s_rel0 = 0.1});
    const auto energy = [&] { return world.plugin->energy().kinetic + world.plugin->energy().stored; };
    const double start = energy();
    world.tick();
    const TickStatistics& tick = world.plugin->statistics();
    CHECK(tick.fallbacks == 1);
    CHECK(tick.elementsPerMethod[static_cast<std::size_t>(FlowMethod::Implicit)] == 2);
    CHECK(tick.cost > 0);
    CHECK(tick.cost <= tick.mostCost);
    CHECK(tick.networks == 1);
    CHECK(tick.worstNetwork == "ElastoGap 'lower'");
    CHECK(tick.worstSteps >= 1);
    CHECK(energy() < start + 2 * TestWorld::kGravity * 0.06);
    FlowSettings wrong;
    wrong.tolerance = 0;
    CHECK_THROWS_WITH(world.plugin->setSettings(wrong), Catch::Contains("tolerance = 0") && Catch::Contains("> 0"));
    wrong = {};
    wrong.velocityFloor = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(world.plugin->setSettings(wrong), Catch::Contains("velocityFloor = nan"));
    wrong = {};
    wrong.strongDamping = -1;
    CHECK_THROWS_WITH(world.plugin->setSettings(wrong), Catch::Contains("strongDamping = -1"));
    CHECK_THROWS_WITH(world.plugin->defer({}), Catch::Contains("deferred function is empty"));
    FlowSettings generous;
    generous.maxSteps = 5000;
    world.plugin->setSettings(generous);
    world.tick(10);
    CHECK(world.plugin->statistics().fallbacks == 0);
    CHECK(world.plugin->totals().fallbacks == 1);
    CHECK(world.plugin->totals().ticks == 11);
}
