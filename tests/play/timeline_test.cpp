// Going back and forth: bits, budgets, worlds without snapshots, trouble.

#include "play_scenes.h"

#include <elasto/errors.h>

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include <chrono>
#include <cmath>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

namespace {

/// Every kind of input, again and again.
void playFor(Session& session, long ticks) {
    const long end = session.tick() + ticks;
    int round = 0;
    while (session.tick() < end) {
        switch (round++ % 9) {
            case 0:
                session.beginDrag(0, {0.01, 0.02, 0}, {0.2, 0.6, 0.1});
                break;
            case 1:
                session.moveDrag({-0.2, 0.4, 0});
                break;
            case 2:
                session.setParameter(0, "c", 2e5 + 1e3 * round);
                break;
            case 3:
                session.endDrag();
                session.throwBall(session.sample().bodies[0].position + Eigen::Vector3d(0.3, 0, 0), {-6, 0, 0});
                break;
            case 4:
                session.undo();
                session.setGravity({0, -9.81, 0.1 * (round % 3)});
                break;
            case 5:
                session.beginTurn(0);
                session.moveTurn(Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX())));
                break;
            case 6:
                session.endTurn();
                session.setIterations(10 + round % 4);
                break;
            case 7:
                session.setEnabled(0, false);
                break;
            default:
                session.setEnabled(0, true);
                session.setParameter(0, "d", 5 + round % 7);
        }
        run(session, 23);
    }
}

SessionOptions refusingSnapshots() {
    SessionOptions options;
    auto ghosts = std::make_shared<std::vector<std::unique_ptr<btGhostObject>>>();
    static btSphereShape shape(1);
    options.prepare = [ghosts](SceneWorld& world) {
        ghosts->push_back(std::make_unique<btGhostObject>());
        ghosts->back()->setCollisionShape(&shape);
        btTransform far = btTransform::getIdentity();
        far.setOrigin({1000, 0, 0});
        ghosts->back()->setWorldTransform(far);
        world.world().addCollisionObject(ghosts->back().get());
    };
    return options;
}

}  // namespace

TEST_CASE("after 60 s at 240 Hz any tick comes back bit for bit", "[slow]") {
    for (const char* name : {"suspension", "newton_cradle", "gear_backlash", "tumbling_box"}) {
        INFO(name);
        Session session(asset(name), {.rate = 240});
        run(session, 60 * 240);
        checkSeeks(session);
        CHECK(session.snapshots().refusal.empty());
        CHECK(session.snapshots().megabytes <= 64);
    }
}

TEST_CASE("inputs of all kinds come back bit for bit") {
    Session session(asset("drop_c1e6_d5"), withBalls(3));
    playFor(session, 1500);
    CHECK(session.firstForeignForce() > 0);  // balls have hit
    checkSeeks(session);
    CHECK(session.ghosts().empty());
}

TEST_CASE("a tick back within 60 s takes less than 50 ms", "[slow]") {
    Session session(asset("suspension"), {.rate = 240});
    run(session, 60 * 240);
    std::vector<double> costs;
    for (const long from : {14400L, 14000L, 7000L, 300L}) {
        session.seek(from);
        for (int i = 0; i < 20; ++i) {
            const auto start = std::chrono::steady_clock::now();
            session.seek(session.tick() - 1);
            costs.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
    }
    std::sort(costs.begin(), costs.end());
    INFO("a tick back takes " << 1e3 * costs[costs.size() / 2] << " ms, at most " << 1e3 * costs.back() << " ms");
    CHECK(costs[costs.size() / 2] < 0.05);
}

TEST_CASE("a small budget thins the snapshots, and costs no bit") {
    for (const double megabytes : {0.0, 0.05, 0.3, 2.0}) {
        INFO(megabytes << " MB");
        SessionOptions options = withBalls(3);
        options.snapshotMegabytes = megabytes;
        Session session(asset("drop_c1e6_d5"), options);
        playFor(session, 1200);
        const SnapshotUse use = session.snapshots();
        const double one = use.megabytes / static_cast<double>(use.count);
        CHECK(use.megabytes <= std::max(megabytes, one) + one);
        CHECK((megabytes < 1 ? use.spacing > 1 : use.count > 100));
        checkSeeks(session);
    }
}

TEST_CASE("what is recorded of a run and its ghosts stays within its budget, and time goes back all the same") {
    SessionOptions options = withoutBalls();
    options.historyMegabytes = 2;
    Session session(asset("elasto_gap"), options);
    run(session, 1500);
    session.seek(700);
    session.setIterations(11);
    REQUIRE(session.ghosts().size() == 1);
    CHECK(session.ghosts().front().history.has(1500));
    CHECK(session.history().has(0));
    run(session, 3000);
    CHECK(static_cast<double>(session.historyBytes()) <= 2e6);
    // The ghost's rows are gone first, then the oldest of the run; the ghost itself can be taken up.
    CHECK_FALSE(session.ghosts().front().history.has(1500));
    CHECK(session.history().firstTick() > 0);
    CHECK(session.history().has(session.lastTick()));
    checkSeeks(session);
    session.takeUp(session.ghosts().front().id);
    CHECK(session.lastTick() == 1500);
    session.seek(1500);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    session.restart();
    CHECK(session.tick() == 0);
    run(session, 20);
}

TEST_CASE("the store keeps the near past densely and the rest evenly") {
    SessionOptions options;
    options.snapshotMegabytes = 1;
    Session session(asset("suspension"), options);
    run(session, 3000);
    const SnapshotUse use = session.snapshots();
    CHECK(use.spacing >= 2);
    CHECK(use.megabytes <= 1);
    CHECK(use.megabytes > 0.4);
    SnapshotStore store(1);
    for (long tick = 0; tick <= 3000; ++tick) store.add(tick, session.world().plugin().saveWorld());
    CHECK(store.latest(-1) == std::nullopt);
    CHECK(store.latest(0) == 0);
    const long spacing = store.spacing();
    for (long tick = 0; tick <= 3000; ++tick) CHECK(tick - *store.latest(tick) < spacing);
    for (long tick = 2990; tick <= 3000; ++tick) CHECK(store.latest(tick) == tick);
    store.dropAfter(1000);
    CHECK(*store.latest(3000) <= 1000);
    CHECK(*store.latest(3000) > 1000 - spacing);
}

TEST_CASE("a world that refuses snapshots is run again from its start") {
    SessionOptions options = refusingSnapshots();
    Session session(asset("drop_c1e6_d5"), options);
    CHECK_THAT(session.snapshots().refusal, Contains("ghost"));
    CHECK(session.snapshots().count == 0);
    playFor(session, 600);
    checkSeeks(session);
    session.seek(100);
    session.setIterations(33);
    CHECK(session.ghosts().size() == 1);
    run(session, 50);
    checkSeeks(session);
}

TEST_CASE("a tick that cannot be done stops the session, and going back clears it") {
    SessionOptions options = withBalls(1);
    options.prepare = [](SceneWorld& world) {
        const auto spoilt = [](double t) { return btVector3(0, btScalar(t < 0.2 ? 0 : NAN), 0); };
        world.plugin().addLoad(Load(world.body(0), Load::Kind::Force, spoilt));
    };
    Session session(asset("drop_c1e6_d5"), options);
    while (session.tick() < 100 && session.step()) {
    }
    REQUIRE(session.trouble());
    const Trouble trouble = *session.trouble();
    INFO(trouble.message);
    CHECK(trouble.tick == 48);  // the first whose inner points see the load beyond 0.2 s
    CHECK(trouble.element == 0);
    CHECK_THAT(trouble.message, Contains("ElastoGap 'gap'"));
    CHECK(session.tick() == trouble.tick);
    CHECK(session.lastTick() == trouble.tick);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    CHECK(std::isfinite(session.sample().bodies[0].position.y()));
    CHECK(!session.step());  // nothing moves
    CHECK(session.tick() == trouble.tick);

    session.seek(20);
    CHECK(!session.trouble());
    CHECK(session.bitsAreThoseOfTheFirstPass());
    run(session, trouble.tick - 20);
    CHECK(!session.step());  // there it is again
    REQUIRE(session.trouble());
    CHECK(session.trouble()->tick == trouble.tick);
    CHECK(session.trouble()->message == trouble.message);
    checkSeeks(session);
}

TEST_CASE("a body that flies out of all numbers stops the session, until the past is another") {
    if (sizeof(btScalar) == sizeof(float)) return;  // Bullet takes such a body out of the simulation by itself
    Session session(asset("drop_c1e6_d5"), withBalls(1));
    run(session, 30);
    session.setGravity({0, -1e300, 0});
    while (session.tick() < 200 && session.step()) {
    }
    REQUIRE(session.trouble());
    CHECK((session.trouble()->element == 0 || session.trouble()->body >= 0));
    CHECK(std::isfinite(session.sample().bodies[0].position.y()));
    session.seek(30);
    session.setGravity({0, -9.81, 0});
    CHECK(!session.trouble());
    run(session, 100);
    checkSeeks(session);
}

TEST_CASE("an input can end the trouble where it is") {
    SessionOptions options = withoutBalls();
    auto isSpoilt = std::make_shared<bool>(true);
    options.prepare = [isSpoilt](SceneWorld& world) {
        const auto spoilt = [isSpoilt](double) { return btVector3(0, btScalar(*isSpoilt ? NAN : 0), 0); };
        world.plugin().addLoad(Load(world.body(0), Load::Kind::Force, spoilt));
    };
    Session session(asset("drop_c1e6_d5"), options);
    CHECK(!session.step());
    REQUIRE(session.trouble());
    CHECK(session.tick() == 0);
    *isSpoilt = false;
    session.setIterations(11);
    CHECK(!session.trouble());
    run(session, 50);
    checkSeeks(session);
}

TEST_CASE("beyond the budget the oldest rows go, and nothing else") {
    SessionOptions options;
    options.historyMegabytes = 0.2;
    Session session(asset("drop_c1e6_d5"), options);
    run(session, 2000);
    CHECK(session.history().bytes() <= 200'000);
    CHECK(session.history().firstTick() > 0);
    CHECK(session.history().lastTick() == 2000);
    CHECK(session.history().value(2000, 0, Quantity::S) == session.sample().elements[0].s);
    checkSeeks(session);
    session.seek(10);
    CHECK(!session.history().has(10));
    session.setIterations(12);
    CHECK(session.ghosts()[0].history.lastTick() == 2000);
    run(session, 100);
    CHECK(session.history().has(11));
    CHECK(session.history().has(110));
    checkSeeks(session);
}
