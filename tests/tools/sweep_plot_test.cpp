#include "sweep_plot.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "heat_map.h"
#include "tool_errors.h"

using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kTable =
    "\"run\",\"c\",\"d\",\"kind\",\"status\",\"max(gap.f)\",\"heat\",\"reason\"\n"
    "1,1,10,\"a\",ok,5,0.5,\n"
    "2,1,20,\"a\",ok,6,0.25,\n"
    "3,100,10,\"a\",failed,,,\"no, \"\"c\"\" is wrong\"\n"
    "4,100,20,\"a\",ok,8,,\n";

std::string script(const SweepPlotOptions& options, const std::string& table = kTable) {
    return sweepScript(parseSweepTable(table, "sweep.csv"), options, "sweep.csv")(false, "");
}

}  // namespace

TEST_CASE("a sweep's table is told from a run's") {
    CHECK(isSweepTable(kTable, ""));
    CHECK_FALSE(isSweepTable("time,run,status,reason\n0,1,2,3\n", ""));
    CHECK_FALSE(isSweepTable("", ""));
}

TEST_CASE("a sweep's table: parameters, metrics, empty cells") {
    const SweepTable table = parseSweepTable(kTable, "sweep.csv");
    CHECK(table.parameters == std::vector<std::string>{"c", "d", "kind"});
    CHECK(table.metrics == std::vector<std::string>{"max(gap.f)", "heat"});
    REQUIRE(table.cells.size() == 4);
    const std::vector<double> heat = table.numbers(table.columnOf("heat"), "sweep.csv");
    CHECK(heat[1] == 0.25);
    CHECK(std::isnan(heat[2]));
    CHECK_THROWS_WITH(table.numbers(table.columnOf("kind"), "sweep.csv"),
                      "sweep.csv: kind: 'a' is not a number, so it cannot be drawn");
    CHECK_THROWS_AS(parseSweepTable(std::string(kTable) + "5,1\n", "sweep.csv"), InputError);
    CHECK_THROWS_WITH(parseSweepTable("run,a,status,b,reason\n1,1,ok,1,\"why\n", "sweep.csv"),
                      "sweep.csv:2: the quote of 'why' has no end on this line");
}

TEST_CASE("how good a sweep's ticks were is drawn where it is asked for by its name") {
    const std::string table = "run,c,status,m,grade,gradeError,reason\n1,1,ok,2,0,0,\n2,2,ok,3,1,0.5,\n";
    const SweepTable parsed = parseSweepTable(table, "sweep.csv");
    CHECK(parsed.metrics == std::vector<std::string>{"m"});
    CHECK(parsed.grades == std::vector<std::string>{"grade", "gradeError"});
    CHECK(parsed.numbers(parsed.columnOf("gradeError"), "sweep.csv") == std::vector<double>{0, 0.5});
    CHECK(script({.patterns = {"*"}}, table) == script({.patterns = {"m"}}, table));
    CHECK(script({.patterns = {"m", "gradeError"}}, table) != script({.patterns = {"m"}}, table));
    // Tables of versions without these columns are read as before, and so is a metric of such a name.
    CHECK(parseSweepTable("run,c,status,grade,reason\n1,1,ok,2,\n", "").metrics == std::vector<std::string>{"grade"});
}

TEST_CASE("cells reach half-way to their neighbours") {
    CHECK(cellEdges({1, 2, 4}, false) == std::vector<double>{0.5, 1.5, 3, 5});
    const std::vector<double> edges = cellEdges({1, 100}, true);
    CHECK(edges[0] == Approx(0.1));
    CHECK(edges[1] == Approx(10));
    CHECK(edges[2] == Approx(1000));
    CHECK(wantsLog({1, 5, 100}));
    CHECK_FALSE(wantsLog({1, 99}));
    CHECK_FALSE(wantsLog({0, 100}));
    CHECK_FALSE(wantsLog({-1, 100}));
}

TEST_CASE("one column: a curve for each value of the other parameters") {
    const std::string text = script({.patterns = {"max*"}, .over = {"c"}});
    CHECK_THAT(text, Contains("$panel0_0 << EOD\n1 5\n\nEOD\n") && Contains("$panel0_1 << EOD\n1 6\n100 8\nEOD\n"));
    CHECK_THAT(text, Contains("\"d = 10\"") && Contains("\"d = 20\"") && Contains("set logscale x\n") &&
                         Contains("set ylabel \"max(gap.f) [N]\"") && Contains("set xlabel \"c\""));
    CHECK_THAT(script({.patterns = {"max*"}, .over = {"c"}, .where = {"d=20"}}), !Contains("$panel0_1"));
}

TEST_CASE("samples of more parameters than one are dots") {
    std::string table = "run,c,d,status,m,reason\n";
    for (int run = 1; run <= 30; ++run) table += fmt::format("{},{},{},ok,{},\n", run, run * 7 % 31, run * 3 % 31, run);
    const std::string text = script({.patterns = {"m"}, .over = {"c"}}, table);
    CHECK_THAT(text, Contains("with points ") && !Contains("linespoints"));
}

TEST_CASE("a metric without values is left out of a picture that has others") {
    const std::string table = "run,c,status,m,n,reason\n1,1,ok,2,,\n2,2,ok,3,,\n";
    const std::string text = script({.patterns = {"*"}, .over = {"c"}}, table);
    CHECK_THAT(text, Contains("set ylabel \"m\"") && !Contains("set ylabel \"n\""));
}

TEST_CASE("a sweep's picture has its name, and room for its points") {
    const std::string table = "run,c,status,m,reason\n1,1000,ok,2,\n2,1e6,ok,3,\n";
    CHECK_THAT(script({.patterns = {"m"}, .over = {"c"}}, table),
               Contains("title \"sweep\"") && Contains("set xrange [812.83") && Contains("set logscale x"));
    CHECK_THAT(script({.patterns = {"m"}, .over = {"c"}, .title = "stops"}, table), Contains("title \"stops\""));
}

TEST_CASE("a map of values that are all the same has a scale of its own") {
    std::string table = "run,c,d,status,m,reason\n";
    for (int run = 0; run < 4; ++run) table += fmt::format("{},{},{},ok,5,\n", run + 1, run / 2, run % 2);
    CHECK_THAT(script({.patterns = {"m"}, .over = {"c", "d"}}, table), Contains("set cbrange [4.95:5.05]"));
}

TEST_CASE("two columns: a heat map with blank cells where there is no value") {
    const std::string text = script({.patterns = {"max*"}, .over = {"c", "d"}});
    CHECK_THAT(text, Contains("$map0 << EOD\n1 10 0.1 10 5 15 5\n1 20 0.1 10 15 25 6\n100 20 10 1000 15 25 8\nEOD\n") &&
                         Contains("with boxxyerror") && Contains("set xrange [0.1:1000]"));
}

TEST_CASE("two columns without a grid: dots") {
    std::string table = kTable;
    table.replace(table.find("4,100,20"), 8, "4,100,21");
    CHECK_THAT(script({.patterns = {"max*"}, .over = {"c", "d"}}, table),
               Contains("with points") && Contains("100 21 8\n"));
}

TEST_CASE("a value is chosen however it is written") {
    std::string table = kTable;
    table.replace(table.find("4,100,20"), 8, "4,1e+02,20");
    for (const char* c : {"c=100", "c=1e2", "c=1e+02", "c=100.0"}) {
        CHECK_THAT(script({.patterns = {"max*"}, .over = {"d"}, .where = {c}}, table), Contains("20 8\n"));
    }
    CHECK_THAT(script({.patterns = {"max*"}, .over = {"d"}, .where = {"kind=a"}}, table), Contains("20 8\n"));
    std::string many = "run,c,status,m,reason\n";
    for (int run = 1; run <= 20; ++run) many += fmt::format("{},{},ok,1,\n", run, 2 * run);
    CHECK_THROWS_WITH(script({.patterns = {"m"}, .over = {"c"}, .where = {"c=3"}}, many),
                      "--where: no run has c=3; c is one of 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, ...");
}

TEST_CASE("values of one column are alternatives, columns are combined") {
    const std::string table =
        "run,c,d,status,m,reason\n1,1,10,ok,5,\n2,2,10,ok,6,\n3,3,10,ok,7,\n4,1,20,ok,8,\n5,2,20,ok,9,\n";
    const auto chosen = [&](const std::vector<std::string>& where) {
        return script({.patterns = {"m"}, .over = {"c"}, .where = where}, table);
    };
    CHECK_THAT(chosen({"c=1", "c=2.0", "d=10"}), Contains("\n1 5\n2 6\n") && !Contains("3 7") && !Contains("1 8"));
    CHECK(chosen({"d=10", "c=2", "c=1"}) == chosen({"c=1", "c=2", "d=10"}));
    CHECK_THAT(chosen({"d=20", "d=10", "c=3", "c=1"}), Contains("1 5\n3 7\n") && Contains("1 8\n") && !Contains("2 6"));
    CHECK_THROWS_WITH(chosen({"c=1", "c=4"}), "--where: no run has c=4; c is one of 1, 2, 3");
    CHECK_THROWS_WITH(chosen({"d=20", "c=3"}), "--where: no run has c=3; c is one of 1, 2");
}

TEST_CASE("what a sweep's plot cannot show is refused") {
    CHECK_THROWS_WITH(script({.patterns = {"m"}}, "run,status,m,reason\n1,ok,3,\n"),
                      "--over: without parameters it must be one or two of the columns of sweep.csv: m");
    for (const std::vector<std::string>& over : {std::vector<std::string>{"c"}, {"c", "d"}}) {
        CHECK_THROWS_WITH(script({.patterns = {"m"}, .over = over}, "run,c,d,status,m,reason\n1,1,2,failed,,no\n"),
                          "there is nothing to plot: no finite value in m");
    }
    CHECK_THROWS_WITH(script({.patterns = {"max*"}}),
                      Contains("--over: with so many parameters it must be one or two of the columns") &&
                          Contains("c, d, kind, max(gap.f), heat"));
    CHECK_THROWS_WITH(script({.patterns = {"x"}, .over = {"c"}}),
                      Contains("'x' fits no metric") && Contains("max(gap.f), heat"));
    CHECK_THROWS_WITH(script({.patterns = {"*"}, .over = {"x"}}), Contains("has no column 'x'"));
    CHECK_THROWS_WITH(script({.patterns = {"*"}, .over = {"c"}, .where = {"d=30"}}),
                      Contains("no run has d=30; d is one of 10, 20"));
    CHECK_THROWS_WITH(script({.patterns = {"*"}, .over = {"c"}, .where = {"d"}}), Contains("COLUMN=VALUE"));
    CHECK_THROWS_WITH(script({.patterns = {"*"}, .over = {"c", "c"}}), Contains("'c' stands twice"));
    std::string twice = kTable;
    twice.replace(twice.find("4,100,20"), 8, "4,100,10");
    CHECK_THROWS_WITH(script({.patterns = {"*"}, .over = {"c", "d"}}, twice),
                      Contains("several runs have c = 100 and d = 10"));
}
