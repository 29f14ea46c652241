#include <catch2/catch.hpp>

#include <limits>

#include "progress.h"
#include "table.h"

using namespace elasto::tools;

TEST_CASE("the progress line shows label, share and time left") {
    CHECK(progressLine("run", 0.5, 12) == "run [###############---------------]  50 %  0:12 left");
    CHECK(progressLine("", 1, 0) == "[##############################] 100 %  0:00 left");
    CHECK(progressLine("", 0, 3661) == "[------------------------------]   0 %  1:01:01 left");
    CHECK(progressLine("", 0, std::numeric_limits<double>::infinity()) == "[------------------------------]   0 %");
    CHECK(progressLine("", 1.5, 754) == "[##############################] 100 %  12:34 left");
}

TEST_CASE("a cell of a table stays on its line") {
    Table table({{"name"}, {"note"}});
    table.addRow({"a\nb\x1b[2J", "é"});
    CHECK(table.text() ==
          "name           note\n"
          "-------------  ----\n"
          "a\\x0ab\\x1b[2J  é\n");
}

TEST_CASE("a table aligns its columns and has no trailing spaces") {
    Table table({{"name"}, {"value", Table::Align::Right}, {"note"}});
    table.addRow({"a", "1.5", "x"});
    table.addRow({"longer", "10"});
    CHECK(table.text() ==
          "name    value  note\n"
          "------  -----  ----\n"
          "a         1.5  x\n"
          "longer     10\n");
}
