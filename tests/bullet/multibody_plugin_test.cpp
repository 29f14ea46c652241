// Elements on multibodies and the rest of the Plugin: check, sleep, removal, states, callbacks, books.

#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <LinearMath/btIDebugDraw.h>
#include <elasto/errors.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include "multibody_world.h"

namespace multibody_plugin_test {

using namespace elasto;
using namespace elasto::test;
using Catch::Contains;
using Kind = Problem::Kind;

namespace {

void wheel(btMultiBody& body, int link, double inertia, int parent = -1) {
    body.setupRevolute(link, 1, vec(inertia, inertia, inertia), parent, btQuaternion::getIdentity(), vec(0, 0, 1),
                       vec(0, 0, 0), vec(0, 0, 0), true);
}

bool hasProblem(const btDynamicsWorld& world, Kind kind, bool isError, const std::string& part) {
    const std::vector<Problem> problems = check(world);
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
        return problem.kind == kind && problem.isError == isError && problem.message.find(part) != std::string::npos;
    });
}

const ElastoBacklashLaw kPlay({.c = 1e3, .d = 1, .b = 0.2});

}  // namespace

TEST_CASE("check finds what is wrong with multibodies") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    MultiBodyElement& element = world.element(JointCoordinate{&body, 0}, kPlay);
    element.setName("play");
    CHECK(hasProblem(*world.world, Kind::BodyNotInWorld, true, "ElastoBacklash 'play'"));
    world.add(body);
    CHECK(check(*world.world).empty());
    body.setLinearDamping(btScalar(0.04));
    CHECK(hasProblem(*world.world, Kind::BodyDamping, false, "0.04"));
    body.setLinearDamping(0);
    world.world->addMultiBodyConstraint(&element);
    CHECK(hasProblem(*world.world, Kind::AddedTwice, true, "twice"));
    world.world->removeMultiBodyConstraint(&element);
    body.useGlobalVelocities(true);
    CHECK(hasProblem(*world.world, Kind::MultiBodyRefused, true, "useGlobalVelocities"));
    body.useGlobalVelocities(false);
    world.constrain<btMultiBodyPoint2Point>(&body, 0, static_cast<btRigidBody*>(nullptr), vec(0, 0, 0), vec(0, 0, 0));
    CHECK(hasProblem(*world.world, Kind::MultiBodyRefused, true, "neither a joint's limit nor its motor"));
}

TEST_CASE("an element whose multibody cannot be moved says so once and does not act") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 100, .d = 0, .s_rel0 = 1}));
    body.useGlobalVelocities(true);
    world.tick(3);
    REQUIRE(world.messages.size() == 1);
    CHECK_THAT(world.messages[0], Contains("does not act") && Contains("useGlobalVelocities"));
    CHECK(body.getJointPos(0) == 0);
}

TEST_CASE("an element on a multibody needs a plugin") {
    MultiBodyWorld world(false);
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.collider(body, 0, new btSphereShape(1));
    world.add(body);
    world.element(JointCoordinate{&body, 0}, kPlay);
    CHECK(hasProblem(*world.world, Kind::NoPlugin, true, "no plugin"));
    CHECK_THROWS_WITH(world.tick(), Contains("without elasto::Plugin"));
}

TEST_CASE("joints that elements cannot sit on are refused") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(2);
    wheel(body, 0, 1);
    body.setupFixed(1, 1, vec(1, 1, 1), 0, btQuaternion::getIdentity(), vec(0, 0, 0), vec(0, 0, 0));
    world.add(body);
    CHECK_THROWS_WITH(MultiBodyElement(JointCoordinate{nullptr, 0}, kPlay), Contains("null"));
    CHECK_THROWS_WITH(MultiBodyElement(JointCoordinate{&body, 2}, kPlay), Contains("link = 2"));
    CHECK_THROWS_WITH(MultiBodyElement(JointCoordinate{&body, 1}, kPlay), Contains("revolute or prismatic"));
    CHECK_THROWS_WITH(MultiBodyElement(JointCoordinate{&body, 0, 0, 2}, kPlay), Contains("sign"));
    CHECK_THROWS_WITH(MultiBodyElement(Drive{.body = &body, .link = 0, .inertia = 0}, kPlay), Contains("inertia"));
    CHECK_THROWS_WITH(MultiBodyElement(Drive{.body = &body, .link = 0, .inertia = 1, .ratio = 0}, kPlay),
                      Contains("ratio"));
    CHECK_THROWS_WITH(MultiBodyElement(GearPair{.first = {&body, 0}, .second = {&body, 0}, .ratio = 1}, kPlay),
                      Contains("same"));
    CHECK_THROWS_WITH(MultiBodyElement(JointCoordinate{&body, 0}, kPlay).motorAngle(), Contains("is no drive"));
}

TEST_CASE("a coordinate with sign -1 is a stop at a joint's upper end") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    body.setJointVel(0, 1);
    const MultiBodyElement& stop = world.element(JointCoordinate{&body, 0, 0.5, -1}, ElastoGapLaw({.c = 1e5, .d = 0}));
    CHECK(stop.s_rel() == Approx(0.5));
    CHECK(stop.v_rel() == Approx(-1));
    world.tick(60);
    CHECK(world.plugin->totals().events == 2);
    CHECK(double(body.getJointVel(0)) == Approx(-1).epsilon(1e-5));
}

TEST_CASE("a rotor that turns in its play keeps its multibody awake") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    btMultiBodyLinkCollider& collider = world.collider(body, 0, new btSphereShape(btScalar(0.1)));
    collider.forceActivationState(ACTIVE_TAG);
    body.setCanSleep(true);
    world.add(body);
    MultiBodyElement& drive = world.element(Drive{.body = &body, .link = 0, .inertia = 1e-4, .ratio = 1000, .w = 1},
                                            ElastoBacklashLaw({.c = 1e3, .d = 0, .b = 1}));
    world.tick(300);
    CHECK(drive.motorAngle() == Approx(5).epsilon(1e-6));
    CHECK(collider.getActivationState() != ISLAND_SLEEPING);
    drive.setMotor(0, 0);
    world.tick(300);
    CHECK(collider.getActivationState() == ISLAND_SLEEPING);
}

TEST_CASE("contacts of multibodies' elements call back, and elements may go inside") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    body.setJointVel(0, -1);
    auto stop = std::make_unique<MultiBodyElement>(JointCoordinate{&body, 0, -0.5}, ElastoGapLaw({.c = 1e5, .d = 0}));
    world.world->addMultiBodyConstraint(stop.get());
    int begins = 0;
    int ends = 0;
    double speed = 0;
    stop->onContactBegin([&](MultiBodyElement& element, const ContactInfo& info) {
        CHECK(&element == stop.get());
        begins += 1;
        speed = info.speed;
    });
    stop->onContactEnd([&](MultiBodyElement& element, const ContactInfo&) {
        ends += 1;
        world.world->removeMultiBodyConstraint(&element);
        stop.reset();
    });
    world.tick(60);
    CHECK(begins == 1);
    CHECK(ends == 1);
    CHECK(stop == nullptr);
    CHECK(speed == Approx(1).epsilon(1e-6));
    CHECK(double(body.getJointVel(0)) == Approx(1).epsilon(1e-5));
}

TEST_CASE("heat of multibodies' elements goes to their port and into the book") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 2);
    world.add(body);
    body.setJointVel(0, 3);
    MultiBodyElement& brake = world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 0, .d = 10}));
    const auto port = std::make_shared<HeatPort>();
    brake.setHeatPort(port);
    world.tick(240);
    CHECK(brake.heat() == Approx(9).epsilon(1e-6));
    CHECK(port->energy() == Approx(brake.heat()));
    const EnergyBook book = world.plugin->energy();
    CHECK(book.dissipated == Approx(9).epsilon(1e-6));
    CHECK(book.kinetic < 1e-6);
    CHECK(std::abs(book.work) < byPrecision(1e-9, 1e-4));
}

TEST_CASE("an element's state can be saved and restored") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    MultiBodyElement& drive =
        world.element(Drive{.body = &body, .link = 0, .inertia = 1e-2, .ratio = 10, .w = 5}, kPlay);
    drive.setMotorTorque([](double t) { return std::sin(20 * t); });
    world.tick(20);
    const MultiBodyElementState state = drive.saveState();
    const PluginState plugin = world.plugin->saveState();
    const btScalar q = body.getJointPos(0);
    const btScalar rate = body.getJointVel(0);
    const auto run = [&] {
        std::vector<double> angles;
        for (int i = 0; i < 30; ++i) {
            world.tick();
            angles.push_back(drive.motorAngle());
            angles.push_back(drive.linkAngle());
        }
        return angles;
    };
    body.setJointPos(0, q);  // in single precision the plugin goes on from the rounded values after a restore
    const std::vector<double> first = run();
    drive.restoreState(state);
    world.plugin->restoreState(plugin);
    body.setJointPos(0, q);
    body.setJointVel(0, rate);
    const std::vector<double> second = run();
    for (std::size_t i = 0; i < first.size(); ++i) {
        CHECK(second[i] == Approx(first[i]).epsilon(byPrecision(0, 1e-3)).margin(byPrecision(0, 1e-3)));
    }
    CHECK(drive.heat() > 0);
}

TEST_CASE("a tick that fails leaves multibodies as they were") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    MultiBodyElement& drive =
        world.element(Drive{.body = &body, .link = 0, .inertia = 1e-2, .ratio = 10, .w = 5}, kPlay);
    world.tick(3);
    const btScalar q = body.getJointPos(0);
    const btScalar rate = body.getJointVel(0);
    const double angle = drive.motorAngle();
    drive.setMotorTorque([](double) { return std::nan(""); });
    body.addJointTorque(0, 1);
    CHECK_THROWS_AS(world.tick(), InvalidParameter);
    CHECK(body.getJointPos(0) == q);
    CHECK(body.getJointVel(0) == rate);
    CHECK(drive.motorAngle() == angle);
    CHECK_NOTHROW(world.plugin->saveWorld());
    drive.setMotorTorque(0);
    CHECK_NOTHROW(world.tick());
}

TEST_CASE("a joint load that is no number ends its tick before anything has moved") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    world.element(JointCoordinate{&body, 0}, kPlay);
    body.setJointVel(0, 1);
    world.tick(3);
    const btScalar q = body.getJointPos(0);
    const btScalar rate = body.getJointVel(0);
    const auto load = world.plugin->addJointLoad(JointLoad(body, 0, [](double) { return std::nan(""); }));
    CHECK_THROWS_WITH(world.tick(), Catch::Contains("JointLoad") && Catch::Contains("nan"));
    CHECK(body.getJointPos(0) == q);
    CHECK(body.getJointVel(0) == rate);
    CHECK_NOTHROW(world.plugin->saveWorld());
    world.plugin->removeJointLoad(load);
    CHECK_NOTHROW(world.tick(3));
    CHECK(std::isfinite(static_cast<double>(body.getJointVel(0))));
}

TEST_CASE("loads, frames and states that are none are refused") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    CHECK_THROWS_WITH(JointLoad(body, 0, nullptr), Catch::Contains("empty function"));
    btTransform flat = btTransform::getIdentity();
    flat.setBasis(btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0));
    btTransform large = btTransform::getIdentity();
    large.getBasis()[1][1] = 2;
    const btTransform unit = btTransform::getIdentity();
    for (const btTransform& wrong : {flat, large}) {
        CHECK_THROWS_WITH(LinkPlacement::alongAxis(Flange(body, 0), Flange::world(), wrong, unit),
                          Catch::Contains("frame A is no rotation"));
        CHECK_THROWS_WITH(LinkPlacement::aboutAxis(Flange(body, 0), Flange::world(), unit, wrong),
                          Catch::Contains("frame B is no rotation"));
    }
    MultiBodyElement& drive = world.element(Drive{.body = &body, .link = 0, .inertia = 1e-2, .ratio = 10}, kPlay);
    MultiBodyElementState state = drive.saveState();
    state.heat = 5;
    state.motorAngle = std::nan("");
    CHECK_THROWS_WITH(drive.restoreState(state), Catch::Contains("motorAngle"));
    CHECK(drive.heat() == 0);
}

TEST_CASE("a limit inside the tick of a multibody without colliders holds") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    world.constrain<btMultiBodyJointLimitConstraint>(&body, 0, btScalar(-0.1), btScalar(0.205));
    world.element(JointCoordinate{&body, 0}, kPlay);
    body.setJointVel(0, 1);
    world.tick(20);
    CHECK(double(body.getJointPos(0)) < 0.205 + 1e-6);
    CHECK(world.messages.empty());
}

TEST_CASE("the order in which elements and limits are added does not matter") {
    const auto run = [](const std::vector<int>& order) {
        MultiBodyWorld world;
        btMultiBody& body = world.multiBody(3);
        for (int i = 0; i < 3; ++i) world.bar(body, i, i - 1, 1, 0.5, i == 0 ? vec(0, 0, 0) : vec(0.25, 0, 0));
        world.add(body);
        for (const int link : order) {
            world.constrain<btMultiBodyJointLimitConstraint>(&body, link, btScalar(-1.5), btScalar(1));
            world.element(JointCoordinate{&body, link}, ElastoBacklashLaw({.c = 1e4, .d = 20, .b = 0.3}));
        }
        world.tick(40);
        CHECK(world.messages.empty());
        CHECK(world.plugin->totals().events > 0);
        return std::vector<btScalar>{body.getJointPos(0), body.getJointPos(1), body.getJointPos(2)};
    };
    const std::vector<btScalar> first = run({0, 1, 2});
    CHECK(run({2, 0, 1}) == first);
    CHECK(run({1, 2, 0}) == first);
}

TEST_CASE("elements of one joint may be added in any order") {
    const auto run = [](bool isReversed) {
        MultiBodyWorld world;
        btMultiBody& body = world.multiBody(3);
        for (int i = 0; i < 3; ++i) world.bar(body, i, i - 1, 1, 0.5, i == 0 ? vec(0, 0, 0) : vec(0.25, 0, 0));
        world.add(body);
        const ElastoBacklashLaw play({.c = 1e4, .d = 1, .b = 0.01});
        const ElastoGapLaw stop({.c = 1e5, .d = 5});
        std::vector<std::function<void()>> steps;
        for (int i = 0; i < 3; ++i) {
            steps.push_back([&, i] {
                world.element(Drive{.body = &body, .link = i, .inertia = 1e-4, .ratio = 100}, play)
                    .setMotorTorque([](double t) { return 0.2 * std::sin(7 * t); });
            });
            steps.push_back([&, i] { world.element(JointCoordinate{&body, i, -0.4, 1}, stop); });
            steps.push_back([&, i] { world.element(JointCoordinate{&body, i, 0.4, -1}, stop); });
        }
        if (isReversed) std::reverse(steps.begin(), steps.end());
        for (const auto& step : steps) step();
        world.tick(100);
        return std::vector<btScalar>{body.getJointPos(0), body.getJointPos(1), body.getJointVel(2)};
    };
    CHECK(run(false) == run(true));
}

TEST_CASE("an element may sit on the fixed base of another multibody") {
    MultiBodyWorld world;
    btMultiBody& post = world.multiBody(0);
    post.setBasePos(vec(0, 1, 0));
    world.add(post);
    btMultiBody& body = world.multiBody(1);
    world.bar(body, 0, -1, 1, 1, vec(0, 0, 0));
    world.add(body);
    const MultiBodyElement& spring =
        world.element(LinkPlacement::alongLine(Flange(post, -1), Flange(body, 0), vec(0, 0, 0), vec(0.5, 0, 0)),
                      SpringDamperLaw({.c = 200, .d = 20, .s_rel0 = 1}));
    CHECK(spring.s_rel() == Approx(std::sqrt(2)));
    world.tick(600);
    CHECK(world.messages.empty());
    // At rest the spring's moment about the hinge bears the bar's weight.
    const double q = double(body.getJointPos(0));
    const double length = spring.s_rel();
    const double lever = std::cos(q) / length;  // of a line from (0, 1) to the tip, about the origin
    CHECK(spring.f() * lever == Approx(MultiBodyWorld::kGravity * 0.5 * std::cos(q)).epsilon(byPrecision(1e-6, 1e-3)));
}

TEST_CASE("a multibody that is removed before its element is reported") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 1);
    world.add(body);
    world.element(JointCoordinate{&body, 0}, kPlay);
    world.tick();
    world.world->removeMultiBody(&body);
    CHECK_THROWS_WITH(world.tick(), Contains("not in the world"));
    world.world->addMultiBody(&body);
    CHECK_NOTHROW(world.tick());
}

TEST_CASE("a torque on a joint acts with its mean where no element moves the multibody") {
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 2);
    world.add(body);
    const auto load = world.plugin->addJointLoad({body, 0, [](double t) { return 12 * t; }});
    world.tick(30);
    CHECK(double(body.getJointVel(0)) == Approx(0.75).epsilon(byPrecision(1e-10, 1e-5)));
    world.plugin->removeJointLoad(load);
    world.tick(10);
    CHECK(double(body.getJointVel(0)) == Approx(0.75).epsilon(byPrecision(1e-10, 1e-5)));
    CHECK_THROWS_WITH(JointLoad(body, 1, [](double) { return 0.0; }), Contains("link = 1"));
}

TEST_CASE("pulses of a joint's torque act when they do, in trees and among elements between links") {
    const bool isTree = GENERATE(true, false);
    const int links = GENERATE(1, 2);  // the second wheel rides on the first, which turns its frame
    CAPTURE(isTree, links);
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(links);
    wheel(body, 0, 2);
    if (links == 2) wheel(body, 1, 3, 0);
    world.add(body);
    if (isTree) {
        world.element(JointCoordinate{&body, 0}, SpringDamperLaw({.c = 0, .d = 0}));
    } else {
        world.element(LinkPlacement::alongLine(Flange::world(), Flange(body, 0), vec(0, 1, 0), vec(0, 0, 0)),
                      SpringDamperLaw({.c = 0, .d = 0}));
    }
    // 5 ms of 30 N.m within the third tick, and a ramp from there on.
    constexpr double kBegin = 2.4 / 60, kEnd = kBegin + 0.005;
    const auto torque = [=](double t) { return t < kBegin ? 0. : t < kEnd ? 30. : 4 * (t - kEnd); };
    world.plugin->addJointLoad({body, links - 1, torque, breaksAt({kBegin, kEnd})});
    for (int i = 1; i <= 30; ++i) {
        world.tick();
        const double t = i / 60.;
        const double pulse = std::clamp(t - kBegin, 0., kEnd - kBegin), after = std::max(t - kEnd, 0.);
        const double rate = (30 * pulse + 2 * after * after) / (links == 1 ? 2 : 3);
        const double angle =
            (15 * pulse * pulse + 30 * pulse * after + 2. / 3 * after * after * after) / (links == 1 ? 2 : 3);
        // The reaction turns the wheel below, so that the joint turns more.
        const double more = links == 1 ? 1 : 1 + 3. / 2;
        INFO("tick " << i);
        CHECK(double(body.getJointVel(links - 1)) == Approx(more * rate).epsilon(byPrecision(1e-9, 1e-5)).margin(1e-9));
        CHECK(double(body.getJointPos(links - 1)) ==
              Approx(more * angle).epsilon(byPrecision(1e-9, 1e-4)).margin(1e-9));
    }
}

TEST_CASE("elements on multibodies are drawn") {
    class Lines : public btIDebugDraw {
    public:
        void drawLine(const btVector3&, const btVector3&, const btVector3&) override { ++count; }
        void drawContactPoint(const btVector3&, const btVector3&, btScalar, int, const btVector3&) override {}
        void reportErrorWarning(const char*) override {}
        void draw3dText(const btVector3&, const char*) override {}
        void setDebugMode(int) override {}
        int getDebugMode() const override { return DBG_DrawConstraints; }
        int count = 0;
    };
    MultiBodyWorld world;
    btMultiBody& body = world.multiBody(1);
    wheel(body, 0, 2);
    world.add(body);
    Lines lines;
    world.world->setDebugDrawer(&lines);
    world.world->debugDrawWorld();
    const int without = lines.count;
    world.element(JointCoordinate{&body, 0}, kPlay);
    world.element(Drive{.body = &body, .link = 0, .inertia = 1, .ratio = 2}, kPlay);
    world.element(LinkPlacement::alongLine(Flange::world(), Flange(body, 0), vec(0, 1, 0), vec(0, 0, 0)),
                  SpringDamperLaw({.c = 1, .d = 1}));
    lines.count = 0;
    world.world->debugDrawWorld();
    CHECK(lines.count > without + 30);
    world.world->setDebugDrawer(nullptr);
}

}  // namespace multibody_plugin_test
