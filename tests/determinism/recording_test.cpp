// Recordings (Plugin::record): run again from their bytes alone, in a world that the replay builds itself, they have
// the same bits, whatever the program did between the ticks.

#include <elasto/world_recording.h>

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>

#include <catch2/catch.hpp>

#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "snapshot_scenes.h"

namespace recording_test {

using namespace elasto;
using namespace elasto::test;

namespace {

std::string bytesOf(const WorldRecording& recording) {
    std::ostringstream out;
    recording.write(out);
    return out.str();
}

WorldRecording readBack(const std::string& bytes) {
    std::istringstream in(bytes);
    return WorldRecording::read(in, "test");
}

// As another process does it: of nothing but the bytes.
void checkReplay(const WorldRecording& recording, int ticks) {
    REQUIRE(recording.ticks() == ticks);
    WorldReplay replay(readBack(bytesOf(recording)));
    while (!replay.isDone()) replay.step();
    CAPTURE(replay.tick());
    CHECK_FALSE(replay.differs());
    CHECK(replay.tick() == ticks);
}

// Something of everything, for calls that change one of it: boxes on springs and stops over a floor, a motor, a heat
// port, a friction, a load, a ball that rolls.
class Workshop : public TestWorld {
public:
    Workshop() {
        floor = &body(0, new btBoxShape(vec(5, 0.5, 5)), at(0, -0.5, 0));
        box = &TestWorld::box(2, 0, 0.5, 0);
        hung = &TestWorld::box(1, 1, 1, 0);
        ball = &TestWorld::ball(1, -1, 0.3, 0, 0.2);
        ball->setLinearVelocity(vec(0.5, 0, 0.2));
        wheel = &body(1, new btCylinderShapeZ(vec(0.3, 0.3, 0.05)), at(2, 1, 0));
        wheel->setAngularVelocity(vec(0, 0, 5));
        moved = &body(0, new btBoxShape(vec(0.2, 0.2, 0.2)), at(-2, 0.2, 1));
        moved->setCollisionFlags(moved->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        sleeper = &TestWorld::box(1, 3, 0.1, 2);
        sleeper->forceActivationState(ISLAND_SLEEPING);
        spring = &add<SpringDamperParallel>(*hung, vec(0, 0, 0), vec(1, 2, 0),
                                            SpringDamperParameters{.c = 100, .d = 1, .s_rel0 = 0.8});
        stop = &add<ElastoGap>(*box, at(0, 0, 0), upwards(0, 0.3, 0), ElastoGapParameters{.c = 2000, .d = 20});
        series = &add<SpringDamperSeries>(*box, vec(0, 0, 0), vec(0, 2, 0.1),
                                          SpringDamperSeriesParameters{.c = 200, .d = 20, .s_unstretched = 1});
        auto joint = std::make_unique<btHingeConstraint>(*wheel, vec(0, 0, 0), vec(0, 0, 1));
        hinge = joint.get();
        world->addConstraint(hinge);
        elements.push_back(std::move(joint));
        brake = &add<LawElement<FrictionLaw>>(Placement::aboutAxis(*wheel, at(0, 0, 0), at(2, 1, 0)),
                                              FrictionParameters{.F_Coulomb = 0.1, .peak = 1.5});
        port = std::make_shared<HeatPort>();
        stop->setHeatPort(port);
        load = plugin->addLoad(Load::sine(*hung, Load::Kind::Force, vec(1, 0, 0), {.amplitude = 2, .f = 3}));
    }

    btRigidBody* floor;
    btRigidBody* box;
    btRigidBody* hung;
    btRigidBody* ball;
    btRigidBody* wheel;
    btRigidBody* moved;
    btRigidBody* sleeper;
    SpringDamperParallel* spring;
    ElastoGap* stop;
    SpringDamperSeries* series;
    LawElement<FrictionLaw>* brake;
    btHingeConstraint* hinge;
    std::shared_ptr<HeatPort> port;
    std::shared_ptr<const Load> load;
};

struct Call {
    const char* name;  ///< of the public function
    std::function<void(Workshop&)> call;
    bool isSeen = true;  ///< the ticks after it have other bits
};

WorldSnapshot& kept() {
    static WorldSnapshot snapshot;
    return snapshot;
}

const Call kCalls[] = {
    // Plugin.
    {"defer", [](Workshop& w) { w.plugin->defer([&w] { w.box->setLinearVelocity(vec(0, 1, 0)); }); }},
    {"setTime", [](Workshop& w) { w.plugin->setTime(5.1); }},
    {"setRefusal", [](Workshop& w) { w.plugin->setRefusal(Refusal::SwitchOff); }, false},
    {"setSettings", [](Workshop& w) { w.plugin->setSettings({.tolerance = 1e-4, .accuracy = Accuracy::Implicit}); }},
    {"setBudget", [](Workshop& w) { w.plugin->setBudget(1); }, false},
    {"setAccuracy", [](Workshop& w) { w.plugin->setAccuracy(Accuracy::Uncoupled); }, false},
    {"setWorldBudget", [](Workshop& w) { w.plugin->setWorldBudget({.cost = 0, .freeShare = 1}); }, false},
    {"setAudit", [](Workshop& w) { w.plugin->setAudit({.every = 1}); }, false},
    {"setContactCache", [](Workshop& w) { w.plugin->setContactCache(false); }, false},
    {"setFreeFlight",
     [](Workshop& w) {
         w.plugin->setFreeFlight(true);
         w.ball->setLinearVelocity(vec(0, 3, 1));
     }},
    {"setLinearIslands", [](Workshop& w) { w.plugin->setLinearIslands(false); }, false},
    {"setRestThresholds", [](Workshop& w) { w.plugin->setRestThresholds(RestThresholds::asBullet()); }, false},
    {"addLoad",
     [](Workshop& w) {
         w.plugin->addLoad(Load(*w.box, Load::Kind::Torque, [](double t) {
                               return vec(std::cos(9 * t), 0, 1);
                           }).resolvedIn(Load::Axes::Body));
     }},
    {"removeLoad", [](Workshop& w) { w.plugin->removeLoad(w.load); }},
    {"restoreState",
     [](Workshop& w) {
         PluginState state = w.plugin->saveState();
         state.time += 0.3;
         w.plugin->restoreState(state);
     }},
    {"restoreWorld", [](Workshop& w) { w.plugin->restoreWorld(kept()); }},
    // Elements.
    {"setName", [](Workshop& w) { w.stop->setName("another"); }, false},
    {"setPriority", [](Workshop& w) { w.stop->setPriority(3); }, false},
    {"setAccuracy", [](Workshop& w) { w.stop->setAccuracy(Accuracy::Implicit); }, false},
    {"setS_damper", [](Workshop& w) { w.series->setS_damper(0.1); }},
    {"setF_normalized", [](Workshop& w) { w.brake->setF_normalized([](double t) { return 1 + std::sin(7 * t); }); }},
    {"setHeatPort", [](Workshop& w) { w.spring->setHeatPort(w.port); }, false},
    {"setHeatPort", [](Workshop& w) { w.spring->setHeatPort(std::make_shared<HeatPort>(7)); }, false},
    {"setT", [](Workshop& w) { w.spring->setT(400); }, false},
    {"setS_small", [](Workshop& w) { w.spring->setS_small(1e-3); }, false},
    {"restoreState",
     [](Workshop& w) {
         ElementState state = w.series->saveState();
         state.s_damper += 0.05;
         w.series->restoreState(state);
     }},
    {"setExactStates",
     [](Workshop& w) {
         const BodyState state = {.position = {0, 0.4, 0}};
         w.stop->setExactStates(nullptr, &state);
     },
     false},
    {"setLaw", [](Workshop& w) { w.spring->setLaw(SpringDamperLaw({.c = 50, .d = 0, .s_rel0 = 0.5})); }},
    {"setParameters", [](Workshop& w) { w.stop->setParameters({.c = 500, .d = 3, .s_rel0 = 0.3, .n = 1.5}); }},
    {"onContactBegin",
     [](Workshop& w) {
         w.stop->onContactBegin([](ForceElement& e, const ContactInfo&) { e.getRigidBodyB().activate(true); });
         w.box->setLinearVelocity(vec(0, -2, 0));
     }},
    {"onContactEnd",
     [](Workshop& w) {
         w.stop->onContactEnd([&w](ForceElement&, const ContactInfo&) { w.ball->applyCentralImpulse(vec(0, 1, 0)); });
         w.box->setLinearVelocity(vec(0, -4, 0));
     }},
    {"addTick", [](Workshop& w) { w.port->addTick(1, 0.01, 5); }, false},
    {"beginTick", [](Workshop& w) { w.port->beginTick(); }, false},
    // Bullet: bodies.
    {"applyForce", [](Workshop& w) { w.box->applyForce(vec(1, 20, 0), vec(0.1, 0, 0)); }},
    {"applyCentralForce", [](Workshop& w) { w.ball->applyCentralForce(vec(1, 0, 0)); }},
    {"applyTorque", [](Workshop& w) { w.wheel->applyTorque(vec(0, 0, 1)); }},
    {"applyImpulse", [](Workshop& w) { w.hung->applyImpulse(vec(0.3, 0, 0.1), vec(0, 0.1, 0)); }},
    {"setLinearVelocity", [](Workshop& w) { w.ball->setLinearVelocity(vec(2, 2, 0)); }},
    {"setAngularVelocity", [](Workshop& w) { w.box->setAngularVelocity(vec(0, 1, 1)); }},
    {"setWorldTransform", [](Workshop& w) { w.ball->setWorldTransform(at(-1, 1, 1)); }},
    {"setWorldTransform", [](Workshop& w) { w.moved->setWorldTransform(at(-2, 0.25, 1)); }},
    {"setMassProps", [](Workshop& w) { w.hung->setMassProps(3, vec(0.03, 0.03, 0.03)); }},
    {"setMassProps", [](Workshop& w) { w.hung->setMassProps(0, vec(0, 0, 0)); }},
    {"setDamping", [](Workshop& w) { w.ball->setDamping(0.3f, 0.1f); }},
    {"setFriction", [](Workshop& w) { w.ball->setFriction(0); }},
    {"setRestitution", [](Workshop& w) { w.box->setRestitution(0.5); }, false},
    {"setGravity", [](Workshop& w) { w.hung->setGravity(vec(0, -1, 0)); }},
    {"setLinearFactor", [](Workshop& w) { w.hung->setLinearFactor(vec(0, 1, 1)); }},
    {"setAngularFactor", [](Workshop& w) { w.box->setAngularFactor(vec(0, 0, 0)); }, false},
    {"setSleepingThresholds", [](Workshop& w) { w.ball->setSleepingThresholds(1, 1); }, false},
    {"setActivationState", [](Workshop& w) { w.ball->forceActivationState(ISLAND_SLEEPING); }},
    {"activate", [](Workshop& w) { w.sleeper->activate(true); }},
    {"setCollisionFlags",
     [](Workshop& w) {
         w.box->setCollisionFlags(w.box->getCollisionFlags() | btCollisionObject::CF_NO_CONTACT_RESPONSE);
     },
     false},
    {"setCollisionShape",
     [](Workshop& w) {
         w.shapes.push_back(std::make_unique<btSphereShape>(btScalar(0.15)));
         w.world->removeRigidBody(w.ball);
         w.ball->setCollisionShape(w.shapes.back().get());
         w.world->addRigidBody(w.ball);
     }},
    {"setCcdMotionThreshold",
     [](Workshop& w) {
         w.ball->setCcdMotionThreshold(btScalar(0.01));
         w.ball->setCcdSweptSphereRadius(btScalar(0.1));
         w.ball->setLinearVelocity(vec(0, -20, 0));
     }},
    {"setIgnoreCollisionCheck", [](Workshop& w) { w.ball->setIgnoreCollisionCheck(w.floor, true); }},
    {"setFlags", [](Workshop& w) { w.wheel->setFlags(0); }, false},
    // Bullet: joints.
    {"enableAngularMotor", [](Workshop& w) { w.hinge->enableAngularMotor(true, 3, 0.5); }},
    {"setLimit", [](Workshop& w) { w.hinge->setLimit(btScalar(-0.1), btScalar(0.1)); }, false},
    {"setEnabled", [](Workshop& w) { w.hinge->setEnabled(false); }},
    {"setEnabled", [](Workshop& w) { w.spring->setEnabled(false); }},
    {"setBreakingImpulseThreshold", [](Workshop& w) { w.hinge->setBreakingImpulseThreshold(btScalar(0.01)); }},
    // Bullet: the world.
    {"setGravity", [](Workshop& w) { w.world->setGravity(vec(0, -5, 1)); }},
    {"addRigidBody", [](Workshop& w) { w.TestWorld::ball(0.5, 0.1, 1, 0.1); }},
    {"addRigidBody",
     [](Workshop& w) {
         auto* compound = new btCompoundShape();
         w.shapes.push_back(std::make_unique<btBoxShape>(vec(0.1, 0.2, 0.1)));
         compound->addChildShape(at(0.1, 0, 0), w.shapes.back().get());
         w.shapes.push_back(std::make_unique<btCapsuleShapeX>(btScalar(0.1), btScalar(0.2)));
         compound->addChildShape(at(-0.1, 0, 0), w.shapes.back().get());
         w.body(1, compound, at(0.3, 1.5, 0));
     }},
    {"removeRigidBody", [](Workshop& w) { w.world->removeRigidBody(w.ball); }},
    {"removeRigidBody",
     [](Workshop& w) {  // the last take the places of those that go
         w.world->removeRigidBody(w.sleeper);
         w.world->removeRigidBody(w.moved);
         w.TestWorld::box(1, 0, 2, 0);
         w.world->addRigidBody(w.moved);
     }},
    {"addConstraint",
     [](Workshop& w) {
         w.add<ElastoBacklash>(Placement::aboutAxis(*w.wheel, at(0, 0, 0), at(2, 1, 0)),
                               ElastoBacklashParameters{.c = 50, .d = 1, .b = 0.1, .phi_rel0 = 0.2});
     }},
    {"addConstraint",
     [](Workshop& w) {
         auto joint = std::make_unique<btPoint2PointConstraint>(*w.hung, *w.ball, vec(0, -0.5, 0), vec(0, 0.5, 0));
         w.world->addConstraint(joint.get(), true);
         w.elements.push_back(std::move(joint));
     }},
    {"removeConstraint", [](Workshop& w) { w.world->removeConstraint(w.stop); }},
    {"getSolverInfo", [](Workshop& w) { w.world->getSolverInfo().m_numIterations = 2; }, false},
    {"getDispatchInfo", [](Workshop& w) { w.world->getDispatchInfo().m_useContinuous = false; }, false},
    {"setForceUpdateAllAabbs", [](Workshop& w) { w.world->setForceUpdateAllAabbs(false); }, false},
    {"setApplySpeculativeContactRestitution", [](Workshop& w) { w.world->setApplySpeculativeContactRestitution(true); },
     false},
    {"setLatencyMotionStateInterpolation", [](Workshop& w) { w.world->setLatencyMotionStateInterpolation(false); },
     false},
    {"stepSimulation", [](Workshop& w) { w.world->stepSimulation(btScalar(0.05), 3, btScalar(1.0 / 100)); }},
};

}  // namespace

TEST_CASE("a recording of 300 ticks replays to the bit", "[slow]") {
    const SnapshotScene kind = GENERATE(from_range(std::begin(kSnapshotScenes), std::end(kSnapshotScenes)));
    CAPTURE(nameOf(kind));
    constexpr int from = 100;
    constexpr int kTicks = 300;

    SnapshotWorldScene plain(kind);
    SnapshotWorldScene recorded(kind);
    for (int i = 0; i < from; ++i) {
        plain.step(i);
        recorded.step(i);
    }
    recorded.plugin->record(1000);
    const std::int64_t before = recorded.plugin->totals().ticks;
    for (int i = from; i < from + kTicks; ++i) {
        plain.step(i);
        recorded.step(i);
    }
    CHECK(recorded.hash() == plain.hash());  // recording changes nothing
    const WorldRecording recording = recorded.plugin->recording();
    CHECK(recording.startTime() == Approx(static_cast<double>(before) / 60).margin(10));
    checkReplay(recording, static_cast<int>(recorded.plugin->totals().ticks - before));
}

TEST_CASE("whatever is called between ticks is in the recording") {
    for (const Call& call : kCalls) {
        CAPTURE(call.name, &call - kCalls);
        std::uint64_t ends[2];
        for (const bool isCalled : {false, true}) {
            Workshop w;
            w.tick(3);
            kept() = w.plugin->saveWorld();
            w.tick(7);
            w.plugin->record(100);
            w.tick(5);
            if (isCalled) call.call(w);
            w.tick(40);
            ends[isCalled ? 1 : 0] = w.plugin->saveWorld().hash();
            if (isCalled) checkReplay(w.plugin->recording(), w.plugin->recording().ticks());
            if (isCalled) CHECK(w.plugin->recording().ticks() >= 45);
            CHECK(besideGrades(w.messages).empty());
        }
        if (call.isSeen) CHECK(ends[0] != ends[1]);
    }
}

TEST_CASE("each public function that changes a world is called above") {
    std::set<std::string> called;
    for (const Call& call : kCalls) called.insert(call.name);
    // Those that change no tick: whom messages go to, on how many threads, what is kept.
    const std::set<std::string> others = {"setMessageHandler", "setTickHandler", "setThreads", "setJobRunner", "record",
                                          // In multibody_recording_test.cpp, or refused by elements.
                                          "addJointLoad", "removeJointLoad", "setParam"};
    int found = 0;
    for (const char* header :
         {"bullet/elasto/plugin.h", "bullet/elasto/element_common.h", "bullet/elasto/force_element.h",
          "bullet/elasto/law_element.h", "core/elasto/heat_port.h"}) {
        std::ifstream in(std::string(ELASTO_SOURCE_DIR "/plugin/include/") + header);
        REQUIRE(in);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const std::regex changing(
            R"(\n    (?:void|std::shared_ptr<const \w+>) ((?:set|add|remove|restore|defer|on|record|begin)\w*)\()");
        for (std::sregex_iterator match(text.begin(), text.end(), changing), end; match != end; ++match) {
            const std::string name = (*match)[1];
            CAPTURE(header, name);
            CHECK((called.contains(name) || others.contains(name)));
            ++found;
        }
    }
    CHECK(found > 30);
}

TEST_CASE("bodies of every shape are built again") {
    TestWorld w;
    float heights[9] = {0, 0.1f, 0, 0.2f, 0, 0.1f, 0, 0.1f, 0};
    w.body(0, new btHeightfieldTerrainShape(3, 3, heights, btScalar(1), btScalar(0), btScalar(1), 1, PHY_FLOAT, false),
           at(10, 0, 0));
    auto triangles = std::make_unique<btTriangleMesh>();
    triangles->addTriangle(vec(-5, 0, -5), vec(5, 0, 5), vec(5, 0, -5));
    triangles->addTriangle(vec(-5, 0, -5), vec(-5, 0, 5), vec(5, 0.5, 5));
    auto* mesh = new btBvhTriangleMeshShape(triangles.get(), true);
    w.body(0, mesh, at(0, 0, 0));
    w.body(0, new btScaledBvhTriangleMeshShape(mesh, vec(1, 2, 1)), at(-10, 0, 0));
    w.body(0, new btStaticPlaneShape(vec(0.1, 3, 0), btScalar(-2)), at(0, 0, 0));
    const auto drop = [&](double x, btCollisionShape* shape) -> btRigidBody& {
        btRigidBody& body =
            w.body(1, shape, btTransform(btQuaternion(vec(1, 1, 0).normalized(), btScalar(0.4)), vec(x, 1.2, 0)));
        body.setAngularVelocity(vec(1, 2, 1));
        return body;
    };
    auto* hull = new btConvexHullShape();
    for (int i = 0; i < 12; ++i) hull->addPoint(vec(0.3 * std::cos(i), 0.2 * std::sin(1.7 * i), 0.3 * std::sin(i)));
    hull->initializePolyhedralFeatures();
    hull->setLocalScaling(vec(1, 1.2, 0.8));
    drop(-4, hull);
    const btVector3 centres[] = {vec(0, 0, 0), vec(0.2, 0.1, 0)};
    const btScalar radii[] = {btScalar(0.2), btScalar(0.1)};
    drop(-3, new btMultiSphereShape(centres, radii, 2));
    drop(-2, new btCapsuleShape(btScalar(0.15), btScalar(0.3)));
    drop(-1.5, new btCapsuleShapeZ(btScalar(0.15), btScalar(0.3)));
    drop(-1, new btConeShape(btScalar(0.2), btScalar(0.4)));
    drop(0, new btConeShapeX(btScalar(0.2), btScalar(0.4)));
    drop(1, new btConeShapeZ(btScalar(0.2), btScalar(0.4)));
    drop(2, new btCylinderShape(vec(0.2, 0.1, 0.2)));
    drop(3, new btCylinderShapeX(vec(0.1, 0.2, 0.2)));
    auto* box = new btBoxShape(vec(0.1, 0.2, 0.15));
    box->setMargin(btScalar(0.013));
    box->setLocalScaling(vec(1.1, 0.7, 1));
    ForceElement& thread = addThread(w, drop(4, box));
    // The box that Bullet keeps of a compound is as old as its last recalculation.
    auto* compound = new btCompoundShape();
    compound->addChildShape(at(0.5, 0, 0), box);
    compound->addChildShape(at(-0.1, 0, 0), hull);
    compound->removeChildShapeByIndex(0);
    drop(6, compound);
    drop(-10, new btSphereShape(btScalar(0.17))).setCenterOfMassTransform(at(-10, 1, 1));
    drop(10, new btSphereShape(btScalar(0.17)));
    CHECK(thread.isEnabled());
    w.plugin->record(100);
    w.tick(120);
    checkReplay(w.plugin->recording(), 120);
}

TEST_CASE("where there is no more room the oldest ticks go") {
    SnapshotWorldScene scene(SnapshotScene::Stack);
    scene.plugin->record(1e-3);  // less than one state
    int tick = 0;
    for (; tick < 200; ++tick) scene.step(tick);
    const WorldRecording last = scene.plugin->recording();
    CHECK(last.ticks() >= 1);
    CHECK(last.ticks() < 200);
    CHECK(last.startTime() > 1);
    checkReplay(last, last.ticks());

    scene.plugin->record(0.1);
    for (; tick < 800; ++tick) scene.step(tick);
    const WorldRecording more = scene.plugin->recording();
    CHECK(more.ticks() > last.ticks());
    CHECK(more.ticks() < 600);
    CHECK(more.size() < 150000);
    checkReplay(more, more.ticks());
    scene.plugin->record(0);
    CHECK(scene.plugin->recording().isEmpty());
}

TEST_CASE("what a recording cannot hold is refused or ends it, in words") {
    Workshop w;
    CHECK_THROWS_WITH(w.plugin->record(-1),
                      "Plugin::record: megabytes = -1 is not allowed; megabytes must be finite and >= 0");
    CHECK(w.plugin->recording().isEmpty());
    w.plugin->record(10);
    w.tick(20);
    btGhostObject ghost;
    btSphereShape sphere(1);
    ghost.setCollisionShape(&sphere);
    w.world->addCollisionObject(&ghost);
    w.tick(20);
    checkReplay(w.plugin->recording(), 20);
    REQUIRE(besideGrades(w.messages).size() == 1);
    CHECK(besideGrades(w.messages)[0].find("the recording ends here: Plugin::record: body 7 is a ghost object") !=
          std::string::npos);
    CHECK_THROWS_WITH(w.plugin->record(10), Catch::Contains("is a ghost object"));
    w.world->removeCollisionObject(&ghost);

    std::string bytes = bytesOf(w.plugin->recording());
    w.plugin->record(10);
    w.tick(3);
    bytes = bytesOf(w.plugin->recording());
    CHECK_THROWS_WITH(readBack("hello"), Catch::Contains("test: it is no recording of a world"));
    CHECK_THROWS_WITH(readBack(bytes.substr(0, bytes.size() / 2)), Catch::Contains("damaged or cut short"));
    std::string flipped = bytes;
    flipped[flipped.size() / 2] ^= 1;
    CHECK_THROWS_WITH(readBack(flipped), Catch::Contains("damaged"));
    CHECK_THROWS_WITH(WorldReplay(WorldRecording()), Catch::Contains("empty"));
}

TEST_CASE("files that somebody has changed are refused or run, whatever they say") {
    Workshop w;
    w.plugin->record(10);
    w.tick(4);
    const std::string bytes = bytesOf(w.plugin->recording());
    const std::size_t begin = bytes.find('\n') + 1;
    std::minstd_rand random(5);
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        std::string changed = bytes;
        const std::size_t at = begin + random() % (bytes.size() - begin - 8);
        changed[at] = static_cast<char>(random() % 256);
        // As the file's end has it: of all between the first line and here.
        std::uint64_t check = 14695981039346656037ULL;
        for (std::size_t k = begin; k < changed.size() - 8; ++k) {
            check = (check ^ static_cast<unsigned char>(changed[k])) * 1099511628211ULL;
        }
        std::memcpy(changed.data() + changed.size() - 8, &check, sizeof check);
        CAPTURE(i, at - begin);
        try {
            WorldReplay replay(readBack(changed));
            while (!replay.isDone()) replay.step();
        } catch (const InvalidParameter&) {
            ++refused;
        }
    }
    CHECK(refused > 0);
    CHECK(refused < 400);
}

TEST_CASE("a callback before ticks is the program's still") {
    Workshop w;
    static int calls;
    calls = 0;
    w.world->setInternalTickCallback([](btDynamicsWorld*, btScalar) { ++calls; }, nullptr, true);
    w.plugin->record(10);
    w.tick(5);
    CHECK(calls == 5);
    // One that is set later takes our place for one tick, which is said.
    w.world->setInternalTickCallback([](btDynamicsWorld*, btScalar) { calls += 100; }, nullptr, true);
    w.tick(5);
    CHECK(calls == 505);
    REQUIRE(besideGrades(w.messages).size() == 1);
    CHECK(w.messages.back().find("Plugin::record begins anew") != std::string::npos);
    checkReplay(w.plugin->recording(), 4);
    w.plugin->record(0);
    w.tick(1);
    CHECK(calls == 605);
}

}  // namespace recording_test
