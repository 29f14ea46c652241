// Recordings of worlds with multibodies: as recording_test.cpp.

#include <elasto/world_recording.h>

#include <catch2/catch.hpp>

#include <functional>
#include <sstream>

#include "multibody_snapshot_scenes.h"

using namespace elasto;
using namespace elasto::test;

namespace {

void checkReplay(const WorldRecording& recording, int ticks) {
    REQUIRE(recording.ticks() == ticks);
    std::stringstream bytes;
    recording.write(bytes);
    WorldReplay replay(WorldRecording::read(bytes, "test"));
    while (!replay.isDone()) replay.step();
    CAPTURE(replay.tick());
    CHECK_FALSE(replay.differs());
    CHECK(replay.tick() == ticks);
}

MultiBodyElement& elementAt(MultiBodySnapshotScene& scene, std::size_t i) {
    return dynamic_cast<MultiBodyElement&>(*scene.constraints[i]);
}

struct Call {
    const char* name;
    std::function<void(MultiBodySnapshotScene&)> call;
};

const Call kCalls[] = {
    {"addJointLoad",
     [](MultiBodySnapshotScene& s) {
         s.plugin->addJointLoad(JointLoad(*s.multiBodies.front(), 1, [](double t) { return std::sin(5 * t); }));
     }},
    {"setMotorTorque", [](MultiBodySnapshotScene& s) { elementAt(s, 0).setMotorTorque(0.2); }},
    {"setMotorTorque",
     [](MultiBodySnapshotScene& s) {
         elementAt(s, 1).setMotorTorque([](double t) { return t < 0.4 ? 0.1 : -0.3; },
                                        [](double t) { return t < 0.4 ? 0.4 : HUGE_VAL; });
     }},
    {"setMotor", [](MultiBodySnapshotScene& s) { elementAt(s, 0).setMotor(1, 2); }},
    {"setEnabled", [](MultiBodySnapshotScene& s) { elementAt(s, 2).setEnabled(false); }},
    {"setLaw",
     [](MultiBodySnapshotScene& s) { elementAt(s, 0).setLaw(ElastoBacklashLaw({.c = 1e3, .d = 1, .b = 0.1})); }},
    {"addJointTorque", [](MultiBodySnapshotScene& s) { s.multiBodies.front()->addJointTorque(0, btScalar(3)); }},
    {"addLinkForce", [](MultiBodySnapshotScene& s) { s.multiBodies.front()->addLinkForce(2, vec(1, 2, 3)); }},
    {"setJointPos", [](MultiBodySnapshotScene& s) { s.multiBodies.front()->setJointPos(1, btScalar(0.3)); }},
    {"setJointVel", [](MultiBodySnapshotScene& s) { s.multiBodies.front()->setJointVel(1, btScalar(-0.7)); }},
    {"setBasePos", [](MultiBodySnapshotScene& s) { s.multiBodies.front()->setBasePos(vec(0, 3.1, 0)); }},
    {"setLinearDamping", [](MultiBodySnapshotScene& s) { s.multiBodies.front()->setLinearDamping(btScalar(0.5)); }},
    {"addMultiBodyConstraint",
     [](MultiBodySnapshotScene& s) {
         s.element(JointCoordinate{s.multiBodies.front().get(), 1, 0.2}, ElastoGapLaw({.c = 300, .d = 3}));
     }},
    {"addMultiBodyConstraint",
     [](MultiBodySnapshotScene& s) {
         s.constraints.push_back(
             std::make_unique<btMultiBodyJointMotor>(s.multiBodies.front().get(), 1, btScalar(1), btScalar(0.05)));
         s.constraints.back()->finalizeMultiDof();
         s.world->addMultiBodyConstraint(s.constraints.back().get());
     }},
    {"setF_normalized",
     [](MultiBodySnapshotScene& s) {
         s.element(JointCoordinate{s.multiBodies.front().get(), 1}, FrictionLaw({.F_Coulomb = 0.3}))
             .setF_normalized([](double t) { return t < 0.4 ? 1. : std::sin(5 * t); },
                              [](double t) { return t < 0.4 ? 0.4 : HUGE_VAL; });
     }},
    {"removeMultiBodyConstraint",
     [](MultiBodySnapshotScene& s) { s.world->removeMultiBodyConstraint(s.constraints[1].get()); }},
    {"addMultiBody",
     [](MultiBodySnapshotScene& s) {
         btMultiBody& more = s.multiBody(1);
         more.setBasePos(vec(2, 3, 0));
         s.bar(more, 0, -1, 1, 0.5, vec(0, 0, 0));
         s.add(more);
     }},
};

}  // namespace

TEST_CASE("a recording of 600 ticks of multibodies replays to the bit", "[slow]") {
    const MultiBodyScene kind = GENERATE(from_range(std::begin(kMultiBodyScenes), std::end(kMultiBodyScenes)));
    CAPTURE(nameOf(kind));
    MultiBodySnapshotScene plain(kind);
    MultiBodySnapshotScene recorded(kind);
    for (int i = 0; i < 50; ++i) {
        plain.step(i);
        recorded.step(i);
    }
    recorded.plugin->record(1000);
    for (int i = 50; i < 650; ++i) {
        const std::uint64_t expected = plain.step(i);
        REQUIRE(recorded.step(i) == expected);  // recording changes nothing
    }
    checkReplay(recorded.plugin->recording(), 600);
}

TEST_CASE("whatever is called on multibodies is in the recording") {
    for (const Call& call : kCalls) {
        CAPTURE(call.name, &call - kCalls);
        std::uint64_t ends[2];
        for (const bool isCalled : {false, true}) {
            MultiBodySnapshotScene scene(MultiBodyScene::Arm);
            for (int i = 0; i < 10; ++i) scene.step(i);
            scene.plugin->record(100);
            for (int i = 10; i < 15; ++i) scene.step(i);
            if (isCalled) call.call(scene);
            for (int i = 15; i < 50; ++i) scene.step(i);
            ends[isCalled ? 1 : 0] = scene.plugin->saveWorld().hash();
            if (isCalled) checkReplay(scene.plugin->recording(), 40);
        }
        CHECK(ends[0] != ends[1]);
    }
}
