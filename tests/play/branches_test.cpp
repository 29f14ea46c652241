// New branches in the past, and the old ones as ghosts.

#include "play_scenes.h"

#include <elasto/errors.h>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

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
