// What a person does to a running scene.

#include "play_scenes.h"

#include <elasto/errors.h>

#include <cmath>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

namespace {

double gap(const Session& session, const char* symbol) {
    return session.parameter(0, symbol);
}

Scene floating(double mass) {
    return parseScene(R"({"elasto": 1, "name": "floating", "gravity": [0, 0, 0],
        "bodies": [{"name": "thing", "mass": )" +
                      std::to_string(mass) + R"(, "inertia": [)" + std::to_string(0.1 * mass) + ", " +
                      std::to_string(0.2 * mass) + ", " + std::to_string(0.3 * mass) + R"(]},
                   {"name": "wall", "motion": "fixed", "position": [9, 0, 0]}],
        "elements": [{"name": "e", "type": "Spring", "frame_a": {"body": "world", "position": [0, 100, 0]},
                      "frame_b": {"body": "thing"}, "c": 0}]})");
}

}  // namespace

TEST_CASE("a drag brings any body there within a second, at any tick rate, and shows its force") {
    for (const double mass : {0.001, 1.0, 1e4}) {
        for (const double rate : {30.0, 240.0, 1000.0}) {
            INFO(mass << " kg at " << rate << " Hz");
            Session session(floating(mass), {.rate = rate});
            CHECK(!session.drag());
            const Eigen::Vector3d target(0.5, 0.3, -0.2);
            session.beginDrag(0, {0, 0, 0}, target);
            REQUIRE(session.drag());
            CHECK(session.drag()->force.norm() > 0);
            CHECK(session.drag()->force.normalized().dot(target.normalized()) == Approx(1));
            const double first = session.drag()->force.norm();
            double farthest = 0;
            for (long i = 0; i < static_cast<long>(rate); ++i) {
                REQUIRE(session.step());
                farthest = std::max(farthest, session.sample().bodies[0].position.norm());
            }
            CHECK((session.sample().bodies[0].position - target).norm() < 0.01);
            CHECK(farthest < 1.05 * target.norm());  // critically damped
            CHECK(session.drag()->force.norm() < 0.05 * first);
            session.endDrag();
            CHECK(!session.drag());
        }
    }
}

TEST_CASE("a drag off the centre turns the body until it hangs from there") {
    Session session(floating(1));
    session.beginDrag(0, {0.3, 0, 0}, {0, 1, 0});
    run(session, 3 * 240);
    CHECK((session.drag()->point - Eigen::Vector3d(0, 1, 0)).norm() < 0.02);
    CHECK((session.sample().bodies[0].position - Eigen::Vector3d(0, 1, 0)).norm() == Approx(0.3).epsilon(0.05));
}

TEST_CASE("a turn brings a body to the wanted orientation, the short way round") {
    for (const double angle : {0.5, 3.0, -2.0}) {
        INFO(angle);
        Session session(floating(1), {.rate = 60});
        const Eigen::Quaterniond wanted(Eigen::AngleAxisd(angle, Eigen::Vector3d(1, 2, -1).normalized()));
        session.beginTurn(0);
        session.moveTurn(wanted);
        run(session, 180);
        CHECK(session.sample().bodies[0].orientation.angularDistance(wanted) < 0.05);
        session.endTurn();
    }
}

TEST_CASE("what does not move cannot be dragged") {
    Session session(floating(1));
    CHECK_THROWS_WITH(session.beginDrag(1, {0, 0, 0}, {0, 0, 0}), Contains("'wall'"));
    CHECK_THROWS_AS(session.beginTurn(1), InvalidParameter);
    CHECK_THROWS_AS(session.beginDrag(99, {0, 0, 0}, {0, 0, 0}), std::out_of_range);
    CHECK(session.inputs().empty());
    session.moveDrag({1, 1, 1});
    session.endDrag();
    session.endTurn();
    CHECK(session.inputs().empty());
}

TEST_CASE("balls wait out of sight, fly when thrown, and come again in turn") {
    Session session(floating(1), withBalls(2));
    CHECK(session.isBall(2));
    CHECK(!session.isBall(1));
    CHECK(session.isParked(2));
    run(session, 10);
    CHECK(session.isParked(3));
    session.throwBall({5, 0, 0}, {0, 2, 0});
    CHECK(!session.isParked(2));
    run(session, 240);
    CHECK(session.sample().bodies[2].position.y() == Approx(2).epsilon(1e-3));
    session.throwBall({6, 0, 0}, {0, 1, 0});
    session.throwBall({7, 0, 0}, {0, 1, 0});
    CHECK(session.sample().bodies[3].position.x() == 6);
    CHECK(session.sample().bodies[2].position.x() == 7);
    session.seek(5);
    CHECK(session.isParked(2));
    CHECK_THROWS_AS(session.throwBall({NAN, 0, 0}, {0, 0, 0}), InvalidParameter);
    Session none(floating(1), withoutBalls());
    CHECK_THROWS_WITH(none.throwBall({0, 0, 0}, {0, 0, 0}), Contains("no balls"));
}

TEST_CASE("balls aside do not change a bit of the scene") {
    Session with(asset("suspension"), withBalls(6));
    Session without(asset("suspension"), withoutBalls());
    run(with, 300);
    run(without, 300);
    for (std::size_t i = 0; i < without.scene().bodies.size(); ++i) {
        CHECK(with.sample().bodies[i].position == without.sample().bodies[i].position);
    }
}

TEST_CASE("edits of a parameter act at once, are undone and come again") {
    Session session(asset("drop_c1e6_d5"));
    CHECK(!session.canUndo());
    session.setParameter(0, "c", 2e6);
    CHECK(gap(session, "c") == 2e6);
    CHECK(gap(session, "d") == 5);
    session.setParameter(0, "d", 7);
    run(session, 5);
    session.undo();
    CHECK(gap(session, "d") == 5);
    session.undo();
    CHECK(gap(session, "c") == 1e6);
    CHECK(!session.canUndo());
    session.undo();
    CHECK(gap(session, "c") == 1e6);
    session.redo();
    session.redo();
    CHECK(gap(session, "c") == 2e6);
    CHECK(gap(session, "d") == 7);
    CHECK(!session.canRedo());
    session.undo();
    session.setParameter(0, "n", 1.5);
    CHECK(!session.canRedo());
    session.resetParameter(0, "n");
    session.resetParameter(0, "c");
    CHECK(gap(session, "c") == 1e6);
    CHECK(gap(session, "n") == session.startParameter(0, "n"));
}

TEST_CASE("a slider that is held is one step") {
    Session session(asset("drop_c1e6_d5"));
    for (int i = 1; i <= 10; ++i) session.setParameter(0, "c", 1e6 + i, i > 1);
    CHECK(session.inputs().size() == 1);  // within one tick only the last counts
    run(session, 3);
    for (int i = 11; i <= 20; ++i) {
        session.setParameter(0, "c", 1e6 + i, true);
        run(session, 1);
    }
    CHECK(gap(session, "c") == 1e6 + 20);
    session.undo();
    CHECK(gap(session, "c") == 1e6);
    CHECK(!session.canUndo());
    session.redo();
    CHECK(gap(session, "c") == 1e6 + 20);
}

TEST_CASE("what can be undone follows the time that one is at") {
    Session session(asset("drop_c1e6_d5"));
    run(session, 10);
    session.setParameter(0, "c", 2e6);
    run(session, 10);
    session.setParameter(0, "c", 3e6);
    run(session, 10);
    session.seek(15);
    CHECK(gap(session, "c") == 2e6);
    CHECK(session.canUndo());
    CHECK(!session.canRedo());
    session.undo();
    CHECK(gap(session, "c") == 1e6);
    CHECK(session.ghosts().size() == 1);
    session.seek(5);
    CHECK(!session.canUndo());
    CHECK(gap(session, "c") == 1e6);
}

TEST_CASE("a run that starts again keeps what was set, at any rate") {
    Session session(asset("drop_c1e6_d5"));
    session.setParameter(0, "c", 2e6);
    run(session, 10);
    session.setGravity({0, -5, 0});
    session.setIterations(17);
    session.beginDrag(0, {0, 0, 0}, {1, 1, 1});
    run(session, 10);
    session.restart(1000);
    CHECK(session.tick() == 0);
    CHECK(session.rate() == 1000);
    CHECK(session.lastTick() == 0);
    CHECK(gap(session, "c") == 2e6);
    CHECK(session.controls().gravity.y() == -5);
    CHECK(session.controls().iterations == 17);
    CHECK(!session.drag());
    CHECK(static_cast<double>(session.world().world().getGravity().y()) == -5);
    run(session, 100);
    session.seek(50);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    CHECK_THROWS_AS(session.restart(-1), InvalidParameter);
    CHECK(session.tick() == 50);
    CHECK(session.rate() == 1000);
    session.reset();
    CHECK(session.inputs().empty());
    CHECK(gap(session, "c") == 1e6);
    CHECK(session.rate() == 1000);
}

TEST_CASE("a run that starts again loses nothing: it lies ahead where it would come again, else it is a ghost") {
    Session session(asset("drop_c1e6_d5"), withoutBalls());
    run(session, 100);
    const std::vector<StateMark> first = session.marks();
    session.restart();
    CHECK(session.tick() == 0);
    CHECK(session.ghosts().empty());
    CHECK(session.lastTick() == 100);
    session.seek(100);
    CHECK(session.bitsAreThoseOfTheFirstPass());

    session.seek(60);
    session.setParameter(0, "c", 2e5);
    run(session, 50);
    const std::vector<StateMark> edited = session.marks();
    REQUIRE(session.ghosts().size() == 1);
    session.restart();
    CHECK(session.tick() == 0);
    CHECK(session.lastTick() == 0);
    CHECK(gap(session, "c") == 2e5);
    REQUIRE(session.history().has(0));
    REQUIRE(session.ghosts().size() == 2);
    CHECK(session.ghosts().back().history.lastTick() == 110);
    run(session, 30);
    session.restart();  // what stands from the start on lies ahead again
    CHECK(session.lastTick() == 30);
    CHECK(session.ghosts().size() == 2);
    session.takeUp(session.ghosts().back().id);
    CHECK(session.lastTick() == 110);
    CHECK(session.marks() == edited);
    session.seek(110);
    CHECK(session.bitsAreThoseOfTheFirstPass());
    CHECK(gap(session, "c") == 2e5);
    session.seek(50);
    CHECK(gap(session, "c") == 1e6);
    CHECK(std::equal(first.begin(), first.begin() + 61, session.marks().begin()));
}

TEST_CASE("every parameter of every element can be read, written and is refused beyond its range") {
    for (const char* name : {"elasto_gap", "backlash", "creep", "suspension", "gear_backlash", "gap_laws"}) {
        const Scene scene = asset(name);
        Session session(scene);
        for (std::size_t e = 0; e < scene.elements.size(); ++e) {
            const int element = static_cast<int>(e);
            for (const Parameter& p : parametersOf(scene.elements[e])) {
                INFO(name << " " << scene.elements[e].name << " " << p.symbol);
                const double start = session.startParameter(element, p.symbol);
                CHECK(session.parameter(element, p.symbol) == start);
                CHECK(p.scale > 0);
                CHECK(!p.text.empty());
                CHECK(start >= p.lowest);
                const double other = p.choices.empty() ? start + p.scale : std::fmod(start + 1, 3);
                session.setParameter(element, p.symbol, other);
                CHECK(session.parameter(element, p.symbol) == other);
                if (std::isfinite(p.lowest)) {
                    CHECK_THROWS_AS(session.setParameter(element, p.symbol, p.lowest - 1), InvalidParameter);
                    if (!p.isLowestAllowed) {
                        CHECK_THROWS_AS(session.setParameter(element, p.symbol, p.lowest), InvalidParameter);
                    }
                }
                if (!p.choices.empty()) CHECK_THROWS_AS(session.setParameter(element, p.symbol, 0.5), InvalidParameter);
                CHECK_THROWS_AS(session.setParameter(element, p.symbol, NAN), InvalidParameter);
                CHECK(session.parameter(element, p.symbol) == other);
                session.resetParameter(element, p.symbol);
                CHECK(session.parameter(element, p.symbol) == start);
            }
        }
    }
}
