// How good the ticks of a run were, as the timeline shows it.

#include "play_scenes.h"

using namespace elasto;
using namespace elasto::play;

namespace {

TickGrade graded(Grade grade, double error) {
    return {grade, grade == Grade::Exact ? GradeCause::None : GradeCause::Budget, error};
}

constexpr Grade kExact = Grade::Exact, kNear = Grade::Approximate, kFailed = Grade::Failed;

/// A history without bodies whose ticks have these grades; the first is that of the start.
History historyOf(const std::vector<TickGrade>& grades) {
    History history(0, 0);
    for (const TickGrade& grade : grades) history.add(SceneSample(), EnergyBook(), grade);
    return history;
}

std::vector<std::vector<long>> spansOf(const History& history) {
    std::vector<std::vector<long>> spans;
    for (const GradeSpan& span : history.inexact())
        spans.push_back({span.first, span.last, static_cast<long>(span.grade)});
    return spans;
}

}  // namespace

TEST_CASE("a history knows its ticks that were not exact, and the worst of them") {
    History history = historyOf({graded(kExact, 0), graded(kNear, 1e-3), graded(kNear, 3e-3), graded(kExact, 0),
                                 graded(kFailed, 1e-6), graded(kNear, 2e-3), graded(kNear, 3e-3)});
    CHECK(spansOf(history) == std::vector<std::vector<long>>{{1, 2, 1}, {4, 4, 2}, {5, 6, 1}});
    CHECK(history.worstTick() == 4);  // it failed, whatever is known of its error
    CHECK(history.grade(2).error == 3e-3);
    CHECK_THROWS_AS(history.grade(7), std::out_of_range);

    History tail = history.cutAfter(3);
    CHECK(spansOf(history) == std::vector<std::vector<long>>{{1, 2, 1}});
    CHECK(history.worstTick() == 2);
    CHECK(spansOf(tail) == std::vector<std::vector<long>>{{4, 4, 2}, {5, 6, 1}});
    tail.forgetBefore(6);
    CHECK(spansOf(tail) == std::vector<std::vector<long>>{{6, 6, 1}});
    CHECK(tail.worstTick() == 6);
    // It goes on where it was cut: a span that the cut has parted is one again.
    history = history.cutAfter(1);
    CHECK(spansOf(history) == std::vector<std::vector<long>>{{2, 2, 1}});
    history.add(SceneSample(), EnergyBook(), graded(kNear, 3e-3));
    CHECK(spansOf(history) == std::vector<std::vector<long>>{{2, 2, 1}, {4, 4, 1}});
    CHECK(history.worstTick() == 2);  // the first of equal ones
    CHECK_FALSE(historyOf({graded(kExact, 0), graded(kExact, 0)}).worstTick());
}

TEST_CASE("a session keeps the grade of each tick as it was when it was run first") {
    Session session(asset("coupled/pile_1"), withoutBalls());
    int inexact = 0;
    double most = 0;
    for (long tick = 1; tick <= 60; ++tick) {
        run(session, 1);
        const TickGrade now = session.world().plugin().statistics().grade();
        REQUIRE(session.history().grade(tick) == now);
        inexact += now.grade == Grade::Exact ? 0 : 1;
        most = std::max(most, now.error);
    }
    REQUIRE(inexact > 0);
    long counted = 0;
    for (const GradeSpan& span : session.history().inexact()) counted += span.last - span.first + 1;
    CHECK(counted == inexact);
    const std::optional<long> worst = session.history().worstTick();
    REQUIRE(worst);
    CHECK(session.history().grade(*worst).error == most);
    const std::vector<GradeSpan> before = session.history().inexact();
    session.seek(*worst);
    session.seek(60);
    CHECK(session.history().worstTick() == worst);
    CHECK(session.history().inexact().size() == before.size());

    // A new branch has ticks of its own, and the old ones go with the ghost.
    session.seek(5);
    session.setGravity({0, 0, 0});
    CHECK(session.history().inexact().back().last <= 5);
    CHECK(session.ghosts().at(0).history.inexact().back().last > 5);
    session.reset();
    CHECK(session.history().inexact().empty());
}

TEST_CASE("a session whose ticks are exact has no worst tick") {
    Session session(asset("gap_laws"), withoutBalls());
    run(session, 60);
    CHECK(session.history().inexact().empty());
    CHECK_FALSE(session.history().worstTick());
}
