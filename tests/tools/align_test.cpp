#include "align.h"

#include <catch2/catch.hpp>

#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;

namespace {

Trajectory table(std::vector<double> time, std::vector<double> x) {
    return Trajectory{std::move(time), {"x"}, {std::move(x)}};
}

}  // namespace

TEST_CASE("runs are compared on their common time span, at the times of the first") {
    const auto [a, b] = align(table({0, 1, 2, 3}, {0, 10, 20, 30}), table({0.5, 2.5}, {100, 300}));
    CHECK(a.time == std::vector<double>{1, 2});
    CHECK(b.time == a.time);
    CHECK(a.columns[0] == std::vector<double>{10, 20});
    CHECK(b.columns[0] == std::vector<double>{150, 250});
}

TEST_CASE("values at equal times are taken as they are, not interpolated") {
    const auto [a, b] = align(table({0, 0.1, 0.3}, {1, 2, 3}), table({0, 0.1, 0.2, 0.3}, {0.1, 0.7, 9, 0.3}));
    CHECK(b.columns[0] == std::vector<double>{0.1, 0.7, 0.3});
    CHECK(a.columns[0] == std::vector<double>{1, 2, 3});
}

TEST_CASE("both sides of an event are compared with both sides, a single row with the side after it") {
    const Trajectory event = table({0, 1, 1, 2}, {0, 5, 7, 0});
    CHECK(align(event, table({0, 1, 1, 2}, {0, 50, 70, 0})).second.columns[0] == std::vector<double>{0, 50, 70, 0});
    CHECK(align(table({0, 1, 2}, {0, 0, 0}), event).second.columns[0] == std::vector<double>{0, 7, 0});
    CHECK(align(event, table({0, 1, 2}, {0, 4, 0})).second.columns[0] == std::vector<double>{0, 4, 4, 0});
}

TEST_CASE("rows of one time are compared in their order, the first and the last with the first and the last") {
    const Trajectory four = table({0, 1, 1, 1, 1, 2}, {0, 1, 2, 3, 4, 0});
    CHECK(align(four, four).second.columns == four.columns);
    const Trajectory two = table({0, 1, 1, 2}, {0, 10, 40, 0});
    CHECK(align(four, two).second.columns[0] == std::vector<double>{0, 10, 10, 40, 40, 0});
    CHECK(align(two, four).second.columns[0] == std::vector<double>{0, 1, 4, 0});
}

TEST_CASE("only common signals are compared, in the order of the first file") {
    const Trajectory first{{0, 1}, {"p", "q", "r"}, {{1, 1}, {2, 2}, {3, 3}}};
    const Trajectory second{{0, 1}, {"r", "s", "p"}, {{30, 30}, {40, 40}, {10, 10}}};
    const auto [a, b] = align(first, second);
    CHECK(a.signals == std::vector<std::string>{"p", "r"});
    CHECK(b.signals == a.signals);
    CHECK(b.columns == std::vector<std::vector<double>>{{10, 10}, {30, 30}});
}

TEST_CASE("runs without common time or signal are refused") {
    CHECK_THROWS_WITH(align(table({0, 1}, {0, 0}), table({2, 3}, {0, 0})),
                      "the files have no time in common: one covers 0 to 1 s, the other 2 to 3 s");
    CHECK_THROWS_WITH(align(table({0}, {0}), Trajectory{{0}, {"y"}, {{0}}}),
                      "the files have no signal in common besides time");
    CHECK_THROWS_AS(align(table({}, {}), table({0}, {0})), InputError);
}

TEST_CASE("q and -q are the same orientation") {
    const auto quaternions = [](double sign) {
        Trajectory run{{0, 1}, {}, {}};
        for (int i = 0; i < 4; ++i) {
            run.signals.push_back("box.q[" + std::to_string(i + 1) + "]");
            run.columns.push_back({0.5, sign * 0.5});
        }
        return run;
    };
    CHECK(align(quaternions(1), quaternions(-1)).second.columns == quaternions(1).columns);
    CHECK(align(quaternions(-1), quaternions(1)).second.columns == quaternions(-1).columns);

    Trajectory incomplete = quaternions(-1);
    incomplete.signals.pop_back();
    incomplete.columns.pop_back();
    CHECK(align(quaternions(1), incomplete).second.columns == incomplete.columns);
}
