// Going back and forth: bits, budgets, branches, worlds without snapshots, trouble.

#include "play_scenes.h"

#include <elasto/errors.h>

#include <BulletCollision/CollisionDispatch/btGhostObject.h>

#include <chrono>
#include <cmath>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

namespace {

/// Ticks spread over a run, the near and the far ends among them.
std::vector<long> somewhere(long last) {
    std::vector<long> ticks = {last - 1, last, 0, 1, last / 2};
    unsigned long state = 12345;
    for (int i = 0; i < 12; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        ticks.push_back(static_cast<long>((state >> 33) % static_cast<unsigned long>(last)));
    }
    return ticks;
}

void checkSeeks(Session& session) {
    const std::vector<StateMark> first = session.marks();
    for (const long tick : somewhere(session.lastTick())) {
        INFO("tick " << tick);
        session.seek(tick);
        REQUIRE(session.tick() == tick);
        REQUIRE(session.bitsAreThoseOfTheFirstPass());
        REQUIRE(markOf(session.world()) == first[static_cast<std::size_t>(tick)]);
    }
    session.seek(session.lastTick());
    REQUIRE(session.marks() == first);
}

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

TEST_CASE("after 60 s at 240 Hz any tick comes back bit for bit") {
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

TEST_CASE("a tick back within 60 s takes less than 50 ms") {
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

TEST_CASE("an input in the past starts a branch, and the old one stays as a ghost") {
    Session session(asset("drop_c1e6_d5"));
    run(session, 200);
    const std::vector<StateMark> first = session.marks();
    const float old = session.history().pose(200, 0).position.y();
    session.seek(120);
    session.setParameter(0, "c", 1e4);
    CHECK(session.lastTick() == 120);
    CHECK(session.isAtEnd());
    REQUIRE(session.ghosts().size() == 1);
    const Ghost& ghost = session.ghosts()[0];
    CHECK(ghost.fork == 120);
    CHECK(ghost.history.lastTick() == 200);
    CHECK(ghost.history.has(121));
    CHECK(ghost.history.pose(200, 0).position.y() == old);
    run(session, 100);
    CHECK(session.lastTick() == 220);
    CHECK(session.history().pose(200, 0).position.y() != old);
    CHECK(std::equal(first.begin(), first.begin() + 121, session.marks().begin()));
    checkSeeks(session);

    // A branch of the branch.
    session.seek(150);
    session.beginDrag(0, {0, 0, 0}, {0, 1, 0});
    run(session, 10);
    REQUIRE(session.ghosts().size() == 2);
    CHECK(session.ghosts()[1].fork == 150);
    CHECK(session.ghosts()[0].id != session.ghosts()[1].id);
    session.dismissGhost(session.ghosts()[0].id);
    CHECK(session.ghosts().size() == 1);
    CHECK(session.ghosts()[0].fork == 150);
    session.dismissGhosts();
    CHECK(session.ghosts().empty());
    checkSeeks(session);
}

TEST_CASE("an input that is refused in the past starts no branch") {
    Session session(asset("drop_c1e6_d5"));
    run(session, 50);
    session.seek(20);
    CHECK_THROWS_WITH(session.setParameter(0, "c", -1), Contains("ElastoGap 'gap'") && Contains("c = -1"));
    CHECK_THROWS_AS(session.beginDrag(0, {NAN, 0, 0}, {0, 0, 0}), InvalidParameter);
    CHECK_THROWS_AS(session.setParameter(0, "q", 1), std::out_of_range);
    CHECK_THROWS_AS(session.setParameter(3, "c", 1), std::out_of_range);
    CHECK_THROWS_AS(session.setIterations(0), InvalidParameter);
    CHECK(session.lastTick() == 50);
    CHECK(session.ghosts().empty());
    CHECK(session.inputs().empty());
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
    CHECK(trouble.tick == 47);  // the load counts from the middle of the tick on
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

TEST_CASE("a ghost is taken up again, and what was the present becomes one") {
    Session session(asset("drop_c1e6_d5"));
    run(session, 200);
    const std::vector<StateMark> first = session.marks();
    session.seek(120);
    session.setParameter(0, "c", 1e4);
    run(session, 60);
    const std::vector<StateMark> second = session.marks();
    session.seek(80);
    session.setParameter(0, "d", 50);
    run(session, 200);
    const std::vector<StateMark> third = session.marks();
    REQUIRE(session.ghosts().size() == 2);
    const auto isNow = [&](const std::vector<StateMark>& marks, double c, double d) {
        CHECK(session.marks() == marks);
        CHECK(session.lastTick() == static_cast<long>(marks.size()) - 1);
        session.seek(session.lastTick());
        CHECK(session.bitsAreThoseOfTheFirstPass());
        CHECK(session.parameter(0, "c") == c);
        CHECK(session.parameter(0, "d") == d);
        CHECK(session.ghosts().size() == 2);
        for (const long tick : {70L, 81L, 121L, 150L}) {
            session.seek(tick);
            CHECK(session.bitsAreThoseOfTheFirstPass());
            CHECK(session.history().has(tick));
            CHECK(session.history().pose(tick, 0).position == session.sample().bodies[0].position.cast<float>());
        }
    };
    const double c = session.startParameter(0, "c");
    const double d = session.startParameter(0, "d");
    isNow(third, c, 50);
    // The oldest one shares less with the present than with the one that came after it.
    session.takeUp(session.ghosts()[0].id);
    CHECK(session.tick() == 150);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    isNow(first, c, d);
    CHECK(session.ghosts().back().fork == 80);
    session.seek(200);
    session.takeUp(session.ghosts()[0].id);
    CHECK(session.tick() == 180);  // its end
    isNow(second, 1e4, d);
    session.takeUp(session.ghosts()[0].id);
    isNow(third, c, 50);
    // And it goes on from there.
    session.seek(session.lastTick());
    run(session, 50);
    checkSeeks(session);
    CHECK_THROWS_AS(session.takeUp(4711), std::out_of_range);
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
