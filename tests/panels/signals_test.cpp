#include <panels/plots_panel.h>
#include <panels/signals.h>

#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>

#include <catch2/catch.hpp>

#include "../tools/temporary_folder.h"

using namespace elasto;
using namespace elasto::panels;
using play::Quantity;

namespace {

Scene asset(const std::string& name) {
    return loadScene(ELASTO_SOURCE_DIR "/assets/scenes/" + name + ".json");
}

void run(play::Session& session, int ticks) {
    for (int i = 0; i < ticks; ++i) REQUIRE(session.step());
}

/// All samples are those of the session's history.
void checkSame(const Curve& curve, const play::History& history, double tickLength, int element, Quantity quantity) {
    REQUIRE(static_cast<long>(curve.size()) == history.lastTick() - history.firstTick() + 1);
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const long tick = history.firstTick() + static_cast<long>(i);
        INFO("tick " << tick);
        CHECK(curve.x(i) == static_cast<double>(tick) * tickLength);
        CHECK(curve.y(i) == history.value(tick, static_cast<std::size_t>(element), quantity));
    }
}

}  // namespace

TEST_CASE("curves follow a session through rewinds, branches and restarts") {
    play::Session session(asset("elasto_gap"));
    Signals signals;
    const auto check = [&] {
        signals.update(session);
        checkSame(signals.curve(session, 0, Quantity::S), session.history(), session.tickLength(), 0, Quantity::S);
        checkSame(signals.curve(session, 1, Quantity::Force), session.history(), session.tickLength(), 1,
                  Quantity::Force);
        CHECK(signals.energy(session).gauge.size() == signals.curve(session, 0, Quantity::S).size());
    };
    check();
    run(session, 300);
    check();
    session.seek(120);
    check();  // what comes later is still known
    session.setParameter(0, "d", 100);
    check();
    run(session, 400);  // longer than the branch that was left
    check();
    REQUIRE(session.ghosts().size() == 1);
    const play::Ghost& ghost = session.ghosts().front();
    const int id = ghost.id;
    checkSame(signals.ghost(session, id, 0, Quantity::S), ghost.history, session.tickLength(), 0, Quantity::S);
    session.dismissGhosts();
    check();
    CHECK(signals.ghost(session, id, 0, Quantity::S).empty());
    session.restart(480);
    run(session, 50);
    check();
    session.reset();
    run(session, 700);
    check();
}

TEST_CASE("curves do not take what may still be replaced") {
    play::Session session(asset("elasto_gap"));
    Signals signals;
    run(session, 10);
    signals.update(session);
    run(session, 1);
    CHECK(signals.curve(session, 0, Quantity::S).size() == 11);
    signals.update(session);
    CHECK(signals.curve(session, 0, Quantity::S).size() == 12);
}

TEST_CASE("curves are written as a table that reads back") {
    const test::TemporaryFolder folder;
    Curve first, second;
    for (int i = 0; i < 3; ++i) first.append(i * 0.1, i);
    second.append(0.1, 7);
    second.append(0.15, 8);
    writeCurves(folder.path() / "table.csv", {"table", {{"f", &first}, {"other", &second}}});
    const std::string text = test::readText(folder.path() / "table.csv");
    CHECK(text ==
          "\"time [s]\",\"f\",\"other\"\n0,0,nan\n0.10000000000000001,1,7\n0.14999999999999999,nan,8\n"
          "0.20000000000000001,2,nan\n");
    CHECK_THROWS_AS(writeCurves("/nonexistent/table.csv", {"table", {{"f", &first}}}), FileError);
}
