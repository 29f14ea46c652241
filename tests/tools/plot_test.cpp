#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

using namespace elasto::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const ProgramOptions kWithoutGnuplot{.environment = {{"PATH", "/nowhere"}}};

std::string smallRun(const TemporaryFolder& folder) {
    writeText(folder.file("run.csv"), "time,gap.f,mass.s\n0,0,1\n1,5,2\n2,10,3\n");
    return folder.file("run.csv");
}

}  // namespace

TEST_CASE("plot draws SVG and PNG, the same SVG each time") {
    const TemporaryFolder folder;
    const std::string run = smallRun(folder);
    REQUIRE(runElasto({"plot", run, "--signals", "gap.*", "mass.s", "-o", folder.file("1.svg")}).code == 0);
    REQUIRE(runElasto({"plot", run, "--signals", "gap.*", "mass.s", "-o", folder.file("2.svg")}).code == 0);
    const std::string svg = readText(folder.file("1.svg"));
    CHECK_THAT(svg, StartsWith("<?xml") && Contains("</svg>") && Contains("gap.f") && Contains("mass.s"));
    CHECK(svg == readText(folder.file("2.svg")));
    REQUIRE(runElasto({"plot", run, "--signals", "*", "-o", folder.file("1.png")}).code == 0);
    CHECK_THAT(readText(folder.file("1.png")), StartsWith("\x89PNG"));
    CHECK(folder.fileCount() == 4);
}

TEST_CASE("plot refuses what has no points, and draws the finite ones of others") {
    const TemporaryFolder folder;
    writeText(folder.file("run.csv"), "time,a.f,b.f,c.s\n0,nan,1,nan\n1,inf,2,-inf\n");
    const ProgramResult refused =
        runElasto({"plot", folder.file("run.csv"), "--signals", "*", "-o", folder.file("1.svg")});
    CHECK(refused.code == 2);
    CHECK(refused.errors == "elasto: there is nothing to plot: 'c.s' has no finite value\n");
    CHECK(folder.fileCount() == 1);
    const ProgramResult drawn =
        runElasto({"plot", folder.file("run.csv"), "--signals", "*.f", "-o", folder.file("1.svg")});
    CHECK(drawn.code == 0);
    CHECK(drawn.errors.empty());
}

TEST_CASE("figure draws both comparisons", "[slow]") {
    const TemporaryFolder folder;
    REQUIRE(runElasto({"figure", "elastogap", "-o", folder.file("gap.svg")}).code == 0);
    CHECK_THAT(readText(folder.file("gap.svg")), Contains("Lankarani-Nikravesh") && Contains("(3) ElastoGap"));
    REQUIRE(runElasto({"figure", "elastobacklash", "-o", folder.file("lash.svg")}).code == 0);
    CHECK_THAT(readText(folder.file("lash.svg")), Contains("(2) ElastoBacklash2"));
}

TEST_CASE("without gnuplot there is one clear message and no file") {
    const TemporaryFolder folder;
    const ProgramResult plot =
        runElasto({"plot", smallRun(folder), "--signals", "*", "-o", folder.file("1.svg")}, kWithoutGnuplot);
    CHECK(plot.code == 4);
    CHECK(plot.errors == "elasto: gnuplot is not installed; on Debian: apt-get install gnuplot-nox\n");
    CHECK(runElasto({"figure", "elastogap", "-o", folder.file("2.svg")}, kWithoutGnuplot).code == 4);
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("the script can be kept, also without gnuplot") {
    const TemporaryFolder folder;
    const ProgramResult result = runElasto(
        {"plot", smallRun(folder), "--signals", "*", "-o", folder.file("1.svg"), "--keep-script"}, kWithoutGnuplot);
    CHECK(result.code == 4);
    CHECK_THAT(readText(folder.file("1.svg.gp")),
               Contains("set output \"" + folder.file("1.svg") + "\"") && Contains("1 5\n"));
}

TEST_CASE("a picture shows names with quotes and what else gnuplot has a meaning for") {
    const TemporaryFolder folder;
    // As a quoted field of CSV has them, and as SVG does.
    const std::vector<std::pair<std::string, std::string>> names = {
        {"a''b", "a''b"}, {"'", "'"},       {"\"\"", "\""},   {"it's \"\"x\"\"", "it's \"x\""},
        {"a\\", "a\\"},   {"a\\'", "a\\'"}, {"`id`", "`id`"}, {"@a$b{c}_d^e", "@a$b{c}_d^e"},
        {"é", "é"}};
    for (const auto& [name, shown] : names) {
        writeText(folder.file("run.csv"), "time,\"" + name + "\"\n0,1\n1,2\n");
        const ProgramResult result = runElasto(
            {"plot", folder.file("run.csv"), "--signals", "*", "-o", folder.file("1.svg"), "--title", "it''s"});
        INFO(name << "\n" << result.errors);
        CHECK(result.code == 0);
        const std::string svg = readText(folder.file("1.svg"));
        CHECK_THAT(svg, Contains("<text>it''s</text>"));
        CHECK_THAT(svg, Contains("<text>" + shown + "</text>"));
    }
}

TEST_CASE("a script that is kept writes its picture and runs nothing", "[slow]") {
    const TemporaryFolder folder;
    const std::string run = smallRun(folder);
    const std::string inFolder = "cd " + folder.path().string() + " && ";
    for (const std::string name : {"|touch ran.png", "~.png", "it''s.png", "a`touch ran`.png"}) {
        std::string quoted;
        for (const char letter : name) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
        const std::string plot = ELASTO_COMMAND " plot run.csv --signals '*' --keep-script -o '" + quoted + "'";
        REQUIRE(std::system((inFolder + plot).c_str()) == 0);
        REQUIRE(std::filesystem::remove(folder.file(name)));
        CHECK(std::system((inFolder + "gnuplot './" + quoted + ".gp'").c_str()) == 0);
        CHECK_THAT(readText(folder.file(name)), StartsWith("\x89PNG"));
        CHECK_FALSE(std::filesystem::exists(folder.file("ran.png")));
        CHECK_FALSE(std::filesystem::exists(folder.file("ran")));
    }
}

TEST_CASE("plot names a pattern that fits nothing, and what the file has") {
    const TemporaryFolder folder;
    const ProgramResult result = runElasto({"plot", smallRun(folder), "--signals", "tau", "-o", folder.file("1.svg")});
    CHECK(result.code == 2);
    CHECK_THAT(result.errors, Contains("'tau' fits no column") && Contains("gap.f, mass.s"));
}

TEST_CASE("a picture that cannot be written is an I/O error") {
    const TemporaryFolder folder;
    const ProgramResult result = runElasto({"plot", smallRun(folder), "--signals", "*", "-o", "/nowhere/1.svg"});
    CHECK(result.code == 3);
    CHECK_THAT(result.errors, Contains("/nowhere/1.svg: cannot be written: No such file or directory"));
}
