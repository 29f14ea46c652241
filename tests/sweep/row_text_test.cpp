#include "row_text.h"

#include <catch2/catch.hpp>

using namespace elasto::sweep;

TEST_CASE("a row reads as CSV") {
    CHECK(rowText(0, {1, 0.1, "a \"b\"", true}, {{1e-30, std::nullopt}, ""}) ==
          "1,1,0.1,\"a \"\"b\"\"\",true,ok,1e-30,,0,0,");
    const elasto::TickGrade grade = {elasto::Grade::Approximate, elasto::GradeCause::Budget, 0.25};
    CHECK(rowText(0, {1}, {{2}, "", grade}) == "1,1,ok,2,1,0.25,");
    CHECK(rowText(9, {2}, {{std::nullopt}, "one, two\nthree"}) == "10,2,failed,,,,\"one, two; three\"");
}

TEST_CASE("a row says which run it is and whether it failed") {
    Study study;
    study.parameters.resize(2);
    const std::string failed = rowText(41, {"a,\"b", 1}, {{std::nullopt}, "why"});
    CHECK(runOfRow(failed) == 41U);
    CHECK(isFailed(study, failed));
    study.metrics.resize(1);
    CHECK(reasonOf(study, failed) == "\"why\"");
    CHECK_FALSE(isFailed(study, rowText(0, {"failed", 1}, {{1}, ""})));
    for (const char* text : {"", "1", "0,a", "x,1", "-1,2", "99999999999999999999,1"}) CHECK_FALSE(runOfRow(text));
}

TEST_CASE("the header has parameters before the status and metrics after it") {
    Study study;
    study.parameters.emplace_back().name = "c";
    study.metrics.emplace_back().name = "max(gap.f)";
    CHECK(headerText(study) == R"line("run","c","status","max(gap.f)","grade","gradeError","reason")line");
}
