// elasto::check names what is wrong before the first tick.

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <BulletDynamics/ConstraintSolver/btNNCGConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <catch2/catch.hpp>

#include <algorithm>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

using Kind = Problem::Kind;

const Problem* find(const std::vector<Problem>& problems, Kind kind) {
    const auto found = std::find_if(problems.begin(), problems.end(), [&](const Problem& p) { return p.kind == kind; });
    return found == problems.end() ? nullptr : &*found;
}

void requireOnly(const btDynamicsWorld& world, Kind kind, bool isError, const std::string& words) {
    const std::vector<Problem> problems = check(world);
    const Problem* problem = find(problems, kind);
    REQUIRE(problem != nullptr);
    CHECK(problem->isError == isError);
    CHECK_THAT(problem->message, Catch::Contains(words));
    CHECK(problems.size() == 1);
}

}  // namespace

TEST_CASE("a sound world has no problems") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    CHECK(check(*world.world).empty());
    TestWorld bare(false);
    CHECK(check(*bare.world).empty());
}

TEST_CASE("elements without a plugin") {
    TestWorld world(false);
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    requireOnly(*world.world, Kind::NoPlugin, true, "elasto::Plugin plugin(world);");
}

TEST_CASE("a pair that has become immovable") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1).setName("frozen");
    mass.setMassProps(0, vec(0, 0, 0));
    requireOnly(*world.world, Kind::ImmovablePair, true, "Spring 'frozen'");
    CHECK_NOTHROW(world.tick());
}

TEST_CASE("a body that is not in the world") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    world.world->removeRigidBody(&mass);
    requireOnly(*world.world, Kind::BodyNotInWorld, true, "body B is not in the world");
}

TEST_CASE("an element added twice") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    auto& spring = world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    world.world->addConstraint(&spring);
    requireOnly(*world.world, Kind::AddedTwice, true, "twice");
    world.world->removeConstraint(&spring);
}

TEST_CASE("Bullet's damping above the element's") {
    TestWorld world;
    btRigidBody& mass = world.ball(2, 0, 0, 0);
    auto& spring = world.add<SpringDamperParallel>(mass, vec(0, 0, 0), vec(0, 1, 0),
                                                   SpringDamperParameters{.c = 100, .d = 0.5, .s_rel0 = 1});
    mass.setDamping(btScalar(0.1), 0);  // 2 kg * 0.105/s = 0.21 N s/m
    CHECK(check(*world.world).empty());
    mass.setDamping(btScalar(0.3), 0);  // 0.71
    requireOnly(*world.world, Kind::BodyDamping, false, "0.713");
    spring.setParameters({.c = 100, .d = 1, .s_rel0 = 1});
    CHECK(check(*world.world).empty());
}

TEST_CASE("a joint on an element's body") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    btHingeConstraint joint(mass, vec(0, 0, 0), vec(0, 0, 1));
    world.world->addConstraint(&joint);
    CHECK(check(*world.world).empty());
    joint.setParam(BT_CONSTRAINT_STOP_CFM, 0, 5);  // soft: the flow cannot hold it
    requireOnly(*world.world, Kind::ContactsOrJoints, false, "uncoupled");
    world.world->removeConstraint(&joint);
}

TEST_CASE("contacts of a kind that makes an element uncoupled") {
    TestWorld world;
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    SECTION("friction anchors") {
        mass.setCollisionFlags(mass.getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
        requireOnly(*world.world, Kind::ContactsOrJoints, false, "friction anchors");
    }
    SECTION("but not rolling friction and softness") {
        mass.setRollingFriction(btScalar(0.1));
        mass.setContactStiffnessAndDamping(1000, 10);
        CHECK(check(*world.world).empty());
    }
    SECTION("anisotropic friction") {
        mass.setAnisotropicFriction(vec(1, 0.5, 1));
        requireOnly(*world.world, Kind::ContactsOrJoints, false, "anisotropic friction");
    }
}

TEST_CASE("solver modes that let islands touch each other's rounding") {
    TestWorld world(true, std::make_unique<btNNCGConstraintSolver>());
    btRigidBody& mass = world.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    requireOnly(*world.world, Kind::BatchedOrder, false, "m_minimumSolverBatchSize = 1");
    world.world->getSolverInfo().m_minimumSolverBatchSize = 1;
    CHECK(check(*world.world).empty());
}

TEST_CASE("so many constraints that Bullet's search dominates") {
    TestWorld world;
    for (int i = 0; i < 1001; ++i) {
        btRigidBody& mass = world.ball(1, i, 0, 0);
        world.add<Spring>(mass, vec(0, 0, 0), vec(i, 1, 0), 100, 1);
    }
    CHECK(check(*world.world).empty());
    world.plugin->setLinearIslands(false);
    requireOnly(*world.world, Kind::QuadraticIslandScan, false, "1001 constraints");
    world.world->getSimulationIslandManager()->setSplitIslands(false);
    CHECK(check(*world.world).empty());
}

TEST_CASE("multibodies") {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    Plugin plugin(&world);
    btSphereShape shape(1);
    btRigidBody mass(1, nullptr, &shape, vec(1, 1, 1));
    world.addRigidBody(&mass);
    Spring spring(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    world.addConstraint(&spring);
    btMultiBody links(0, 1, vec(1, 1, 1), false, false);
    links.finalizeMultiDof();
    world.addMultiBody(&links);
    requireOnly(world, Kind::MultiBodies, false, "rigid bodies only");
    world.removeMultiBody(&links);
    world.removeConstraint(&spring);
    world.removeRigidBody(&mass);
}
