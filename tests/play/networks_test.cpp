// Sessions of scenes with contacts, joints and motors: what snapshots hold of them is enough.

#include "play_scenes.h"

#include <play/recording.h>

using namespace elasto;
using namespace elasto::play;

namespace {

int firstDynamic(const Scene& scene) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (scene.bodies[i].motion == BodyMotion::Dynamic) return static_cast<int>(i);
    }
    FAIL("nothing moves");
    return -1;
}

void disturb(Session& session) {
    const int body = firstDynamic(session.scene());
    const Eigen::Vector3d place = session.sample().bodies[static_cast<std::size_t>(body)].position;
    run(session, 60);
    session.beginDrag(body, {0, 0, 0}, place + Eigen::Vector3d(0.1, 0.2, 0.05));
    run(session, 60);
    for (std::size_t i = 0; i < session.scene().joints.size(); ++i) {
        const auto& motor = session.scene().joints[i].motor;
        if (motor) session.setMotor(static_cast<int>(i), 0.5 * motor->velocity, motor->maxForce);
    }
    session.throwBall(place + Eigen::Vector3d(1, 0.1, 0), {-8, 0, 0});
    run(session, 60);
    session.endDrag();
    run(session, 120);
}

}  // namespace

TEST_CASE("scenes with contacts, joints and motors come back bit for bit, and replay", "[slow]") {
    for (const char* name : {"press", "crates", "stack_offset_3", "chain_stop", "slider_crank_motor", "hinge_stop"}) {
        INFO(name);
        SessionOptions options = withBalls(2);
        options.snapshotMegabytes = 1;
        Session session(asset(std::string("coupled/") + name), options);
        disturb(session);
        const std::vector<StateMark> first = session.marks();
        for (const long tick : {299L, 17L, 200L, 130L, 61L, 300L}) {
            INFO("tick " << tick);
            session.seek(tick);
            REQUIRE(session.bitsAreThoseOfTheFirstPass());
            REQUIRE(markOf(session.world()) == first[static_cast<std::size_t>(tick)]);
        }
        const Recording recording = parseRecording(writeRecording(recordingOf(session)));
        Replay again(recording);
        while (!again.isDone()) again.step();
        INFO((again.difference() ? again.difference()->text() : ""));
        CHECK(!again.difference());

        session.seek(100);
        session.setGravity({0, -5, 1});
        run(session, 60);
        session.seek(120);
        CHECK(session.bitsAreThoseOfTheFirstPass());
    }
}

TEST_CASE("bodies in contact are seen inside the tick between its ends") {
    Session session(asset("coupled/press"), withBalls(0));
    run(session, 30);
    for (int i = 0; i < 30; ++i) {
        const SceneSample before = session.sample();
        run(session, 1);
        const double h = session.tickLength();
        for (std::size_t b = 0; b < before.bodies.size(); ++b) {
            const Eigen::Vector3d start = before.bodies[b].position;
            const Eigen::Vector3d end = session.sample().bodies[b].position;
            CHECK((session.inside(0).bodies[b].position - start).norm() < 1e-6);
            CHECK((session.inside(h).bodies[b].position - end).norm() < 1e-6);
            const Eigen::Vector3d middle = session.inside(h / 2).bodies[b].position;
            CHECK((middle - start).norm() <= (end - start).norm() + 1e-4);
        }
    }
}
