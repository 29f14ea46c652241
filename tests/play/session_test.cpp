// Sessions: they run as a plain world does, and going back brings the bits of the first pass.

#include "play_scenes.h"

using namespace elasto;
using namespace elasto::play;

TEST_CASE("a session runs as a plain world of the same scene does") {
    Session session(asset("elasto_gap"), withoutBalls());
    SceneWorld world(asset("elasto_gap"));
    CHECK(session.tick() == 0);
    CHECK(session.lastTick() == 0);
    for (int i = 0; i < 200; ++i) {
        REQUIRE(session.step());
        world.step();
    }
    CHECK(session.tick() == 200);
    CHECK(session.time() == world.time());
    CHECK(markOf(session.world()) == markOf(world));
    CHECK(session.history().lastTick() == 200);
    CHECK(session.history().value(200, 0, Quantity::S) == world.element(0).s());
}

TEST_CASE("seeking brings the bits of the first pass, whatever was visited before") {
    Session session(asset("suspension"));
    run(session, 500);
    const std::vector<StateMark> first = session.marks();
    for (const long tick : {499L, 498L, 0L, 1L, 250L, 499L, 37L, 500L}) {
        INFO("tick " << tick);
        session.seek(tick);
        CHECK(session.tick() == tick);
        CHECK(session.bitsAreThoseOfTheFirstPass());
        CHECK(markOf(session.world()) == first[static_cast<std::size_t>(tick)]);
    }
    CHECK(session.marks() == first);
    CHECK(session.ghosts().empty());
    CHECK_THROWS_AS(session.seek(501), std::out_of_range);
    CHECK_THROWS_AS(session.seek(-1), std::out_of_range);
}

TEST_CASE("from the past a recorded run is seen again, then it goes on") {
    Session through(asset("elasto_gap"));
    Session back(asset("elasto_gap"));
    run(through, 300);
    run(back, 200);
    back.seek(20);
    run(back, 280);
    CHECK(back.ghosts().empty());
    CHECK(back.marks() == through.marks());
}
