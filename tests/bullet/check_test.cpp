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

TEST_CASE("a stop whose axis points the wrong way is named, before and at the first tick, once") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.3, 0);
    const btTransform down(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, 0, 0));  // x axis downwards
    auto& stop = world.add<ElastoGap>(ball, at(0, 0, 0), down, ElastoGapParameters{.c = 1e6, .d = 0});
    stop.setName("floor");
    requireOnly(*world.world, Kind::DeepInStop, false, "ElastoGap 'floor' begins 0.3 m inside its stop");
    requireOnly(*world.world, Kind::DeepInStop, false, "holds 4.5e+04 J");
    world.tick(3);
    REQUIRE(world.messages.size() == 1);
    CHECK_THAT(world.messages[0], Catch::Contains("the axis points the wrong way"));
}

TEST_CASE("a bump stop that begins deep inside, or beside a limit, is named as a gap is") {
    TestWorld world;
    const BumpStopParameters parameters{.table = ForceTable({{0, 0}, {0.01, 1e4}}), .d = 0};
    SECTION("deep") {
        btRigidBody& ball = world.ball(0.2, 0, 0.3, 0);
        const btTransform down(btQuaternion(vec(0, 0, 1), -SIMD_HALF_PI), vec(0, 0, 0));
        world.add<BumpStop>(Placement::alongAxis(ball, at(0, 0, 0), down), parameters).setName("floor");
        requireOnly(*world.world, Kind::DeepInStop, false, "BumpStop 'floor' begins 0.3 m inside its stop");
        const std::vector<Problem> problems = check(*world.world);
        CHECK(problems.front().element == world.elements.front().get());
    }
    SECTION("beside a limit") {
        btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
        btRigidBody& sledge = world.box(1, 0.5, 0, 0);
        btSliderConstraint slider(base, sledge, at(0, 0, 0), at(0, 0, 0), true);
        slider.setLowerLinLimit(btScalar(-0.2));
        slider.setUpperLinLimit(btScalar(0.9));
        world.world->addConstraint(&slider, true);
        world.add<BumpStop>(Placement::alongAxis(base, sledge, at(0, 0, 0), at(0, 0, 0)), parameters);
        requireOnly(*world.world, Kind::LimitsBesideStop, false, "setLowerLinLimit(1)");
        world.world->removeConstraint(&slider);
    }
}

TEST_CASE("a stop against a point and a normal needs no frame, and is all right") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0.1, 0.3, 0);
    auto stop = ElastoGap::against(ball, vec(0, -0.05, 0), vec(0.1, 0.02, 0), vec(0, 3, 0), {.c = 1e6, .d = 0});
    world.world->addConstraint(stop.get());
    CHECK(check(*world.world).empty());
    CHECK(stop->s_rel() == Approx(0.23));
    double lowest = 1;
    for (int i = 0; i < 120; ++i) {
        world.tick();
        lowest = std::min(lowest, static_cast<double>(ball.getWorldTransform().getOrigin().y()));
    }
    CHECK(lowest > 0.069);
    CHECK(lowest < 0.09);
    CHECK(world.messages.empty());
    world.world->removeConstraint(stop.get());
}

TEST_CASE("limits beside the stops of a hinge or a slider are named, and released by what makes stops of them") {
    TestWorld world;
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& arm = world.box(1, 0.5, 0, 0);
    btHingeConstraint hinge(base, arm, vec(0, 0, 0), vec(-0.5, 0, 0), vec(0, 0, 1), vec(0, 0, 1));
    hinge.setLimit(btScalar(-0.4), btScalar(0.7));
    world.world->addConstraint(&hinge, true);
    StopPair stops = ElastoGap::fromHingeLimit(hinge, 3000, 10);
    world.world->addConstraint(stops.lower.get(), true);
    CHECK(check(*world.world).empty());
    CHECK(hinge.getLowerLimit() > hinge.getUpperLimit());
    hinge.setLimit(btScalar(-0.4), btScalar(0.7));
    requireOnly(*world.world, Kind::LimitsBesideStop, false, "setLimit(1, -1)");
    world.world->removeConstraint(stops.lower.get());
    world.world->removeConstraint(&hinge);

    btSliderConstraint slider(base, arm, at(0, 0, 0), at(0, 0, 0), true);
    slider.setLowerLinLimit(btScalar(-0.2));
    slider.setUpperLinLimit(btScalar(0.9));
    world.world->addConstraint(&slider, true);
    StopPair ends = ElastoGap::fromSliderLimit(slider, 1e4, 20);
    world.world->addConstraint(ends.upper.get(), true);
    CHECK(check(*world.world).empty());
    slider.setUpperLinLimit(btScalar(0.9));
    slider.setLowerLinLimit(btScalar(-0.2));
    requireOnly(*world.world, Kind::LimitsBesideStop, false, "setUpperLinLimit(-1)");
    world.world->removeConstraint(ends.upper.get());
    world.world->removeConstraint(&slider);
}

TEST_CASE("a preload that throws by less than 5 m/s is nobody's mistake") {
    const bool turns = GENERATE(false, true);
    const double share = GENERATE(0.8, 1.25);  // of the speed from which on it is named
    TestWorld world;
    btRigidBody& ball = world.ball(1, 0, 0, 0);
    const double c = 1e4;
    const double inertia = turns ? 1 / static_cast<double>(ball.getInvInertiaDiagLocal().x()) : 1;
    const double depth = share * (turns ? 50 : 5) * std::sqrt(inertia / c);
    const Placement place = turns ? Placement::aboutAxis(ball, at(0, 0, 0), at(0, 0, 0))
                                  : Placement::alongAxis(ball, at(0, 0, 0), at(0, 0, 0));
    world.add<ElastoGap>(place, ElastoGapParameters{.c = c, .d = 0, .s_rel0 = depth});
    CHECK((find(check(*world.world), Kind::DeepInStop) != nullptr) == (share > 1));
}

TEST_CASE("a stop across the axis of a slider has nothing to do with its limits") {
    const bool isAlong = GENERATE(false, true);
    TestWorld world;
    btRigidBody& base = world.body(0, new btSphereShape(btScalar(0.05)), at(0, 0, 0));
    btRigidBody& part = world.box(1, 0.5, 0.5, 0);
    btSliderConstraint slider(base, part, at(0, 0, 0), at(0, 0, 0), true);
    slider.setLowerLinLimit(btScalar(-0.2));
    slider.setUpperLinLimit(btScalar(0.9));
    world.world->addConstraint(&slider, true);
    const btTransform frame = isAlong ? at(0, 0, 0) : upwards();
    world.add<ElastoGap>(Placement::alongAxis(base, part, frame, at(0, 0, 0)), ElastoGapParameters{.c = 1e4, .d = 0});
    CHECK((find(check(*world.world), Kind::LimitsBesideStop) != nullptr) == isAlong);
    world.world->removeConstraint(&slider);
}

TEST_CASE("a body that is in another world is named") {
    TestWorld world;
    TestWorld other;
    btRigidBody& mass = other.ball(1, 0, 0, 0);
    world.add<Spring>(mass, vec(0, 0, 0), vec(0, 1, 0), 100, 1);
    requireOnly(*world.world, Kind::BodyNotInWorld, true, "is in another world");
    for (int i = 0; i < 2; ++i) CHECK_THROWS_WITH(world.tick(), Catch::Contains("is in another world"));
    world.world->removeConstraint(world.elements.back().get());
    CHECK_NOTHROW(world.tick());
}

TEST_CASE("a body that goes to another world while its element stays is named") {
    TestWorld world;
    TestWorld other;
    btRigidBody& first = world.ball(1, 0, 0, 0);
    btRigidBody& second = world.ball(1, 0, 1, 0);
    other.ball(1, 0, 0, 0);
    world.add<Spring>(first, second, vec(0, 0, 0), vec(0, 0, 0), 100, 1);
    world.tick(3);
    world.world->removeRigidBody(&second);
    other.world->addRigidBody(&second);
    for (int i = 0; i < 2; ++i) CHECK_THROWS_WITH(world.tick(), Catch::Contains("a body is not in the world"));
    world.world->removeConstraint(world.elements.back().get());
    CHECK_NOTHROW(world.tick());
    other.world->removeRigidBody(&second);
    world.world->addRigidBody(&second);
}

TEST_CASE("an element that takes another one's place is looked at as a new one") {
    TestWorld world;
    std::vector<std::string> messages;
    world.plugin->setMessageHandler([&](const std::string& message) { messages.push_back(message); });
    btRigidBody& ball = world.ball(1, 0, 0.3, 0);
    world.add<ElastoGap>(ball, upwards(), upwards(), ElastoGapParameters{.c = 1e5, .d = 1});
    world.tick();
    CHECK(messages.empty());
    world.world->removeConstraint(world.elements.back().get());
    world.add<ElastoGap>(ball, upwards(), upwards(0, 10, 0), ElastoGapParameters{.c = 1e5, .d = 1});
    world.tick();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].find("inside its stop") != std::string::npos);
}

TEST_CASE("frames that are no rotations are refused") {
    TestWorld world;
    btRigidBody& ball = world.ball(0.2, 0, 0.3, 0);
    const btTransform scaled(btMatrix3x3(2, 0, 0, 0, 2, 0, 0, 0, 2));
    const btTransform mirrored(btMatrix3x3(-1, 0, 0, 0, 1, 0, 0, 0, 1));
    for (const btTransform& frame : {scaled, mirrored}) {
        CHECK_THROWS_WITH(ElastoGap(ball, at(0, 0, 0), frame, {.c = 1e6, .d = 0}),
                          Catch::Contains("frameInA is no rotation"));
        CHECK_THROWS_WITH(ElastoGap(ball, frame, at(0, 0, 0), {.c = 1e6, .d = 0}),
                          Catch::Contains("frameInB is no rotation"));
    }
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
    CHECK_THROWS_WITH(world.tick(), Catch::Contains("body B is not in the world"));
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
