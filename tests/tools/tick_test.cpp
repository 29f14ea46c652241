// elasto run --capture and elasto tick.

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

#include "csv.h"
#include "program.h"
#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;
using Catch::Matchers::Contains;

TEST_CASE("ticks that are not exact are kept, and solved again side by side") {
    const TemporaryFolder folder;
    const std::string kept = folder.file("ticks");
    REQUIRE(runElasto({"run", "coupled/pile_1", "--duration", "0.2", "--capture", kept}).code == 0);
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(kept)) files.push_back(entry.path().string());
    REQUIRE(files.size() > 3);
    CHECK(files.size() <= 100);
    for (const std::string& file : files) {
        const ProgramResult told = runElasto({"tick", file, "--json"});
        CAPTURE(file, told.errors);
        REQUIRE(told.code == 0);
        const nlohmann::json tick = nlohmann::json::parse(told.output);
        CHECK(tick.at("sameBits").get<bool>());
        CHECK(tick.at("grade") == "approximate");
        CHECK(tick.at("ways").size() == 7);
    }
    const ProgramResult again = runElasto({"run", "coupled/pile_1", "--duration", "0.1", "--capture", kept});
    CHECK(again.code == 2);
    CHECK_THAT(again.errors, Contains("of another run"));
    const std::string inside = folder.file("inside.csv");
    const ProgramResult told = runElasto({"tick", files[0], "--csv", inside, "--points", "20"});
    CHECK(told.code == 0);
    CHECK_THAT(told.output, Contains("The bits are those that were recorded."));
    CHECK_THAT(told.output, Contains("implicit, 16 sub-steps"));
    const Trajectory run = tools::readCsv(inside);
    CHECK(run.time.size() == 20);
    CHECK(run.time.back() == Approx(1. / 240));
    CHECK(run.find("element1.s") >= 0);
}

TEST_CASE("exact runs keep no tick, and files that are none are refused") {
    const TemporaryFolder folder;
    REQUIRE(runElasto({"run", "gap_laws", "--capture", folder.file("ticks")}).code == 0);
    CHECK(std::filesystem::is_empty(folder.file("ticks")));
    std::ofstream(folder.file("none.txt")) << "hello\n";
    const ProgramResult refused = runElasto({"tick", folder.file("none.txt")});
    CHECK(refused.code == 2);
    CHECK_THAT(refused.errors, Contains("line 1: 'hello' is not allowed"));
    CHECK(runElasto({"tick", folder.file("missing.txt")}).code == 3);
    CHECK(runElasto({"run", "gap_laws", "--capture", folder.file("none.txt")}).code == 3);
}
