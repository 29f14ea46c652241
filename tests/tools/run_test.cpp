#include <signal.h>
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "csv.h"
#include "program.h"
#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using elasto::tools::readCsv;

TEST_CASE("run names the stops that were never touched, and counts what happens inside a tick") {
    const auto ofRun = [](const char* duration, const char* rate) {
        return nlohmann::json::parse(
            runElasto({"run", "drop_c1e6_d5", "--duration", duration, "--hz", rate, "--json"}).output);
    };
    // The ball needs a quarter of a second to the stop, and is thrown back within 2 ms.
    CHECK(ofRun("0.2", "60").at("untouched") == nlohmann::json::array({"gap"}));
    CHECK(ofRun("0.4", "10").at("untouched").empty());
    CHECK_THAT(runElasto({"run", "drop_c1e6_d5", "--duration", "0.2"}).output, Contains("\nnever touched: gap\nall "));
}

TEST_CASE("run writes one row per tick and one for the start, and nothing else") {
    const TemporaryFolder folder;
    const ProgramResult result = runElasto({"run", "gap_laws", "--hz", "100", "--csv", folder.file("run.csv")});
    CHECK(result.code == 0);
    CHECK(result.output == "all 30 ticks are exact\n");
    CHECK(result.errors.empty());  // the progress bar is for terminals
    CHECK(folder.fileCount() == 1);
    const Trajectory run = readCsv(folder.file("run.csv"));
    REQUIRE(run.time.size() == 31);
    CHECK(run.time.front() == 0);
    CHECK(run.time.back() == Approx(0.3));
    CHECK(run.find("mass3.s") >= 0);
}

TEST_CASE("run says how good its ticks were, and --strict takes nothing but exact ones") {
    const TemporaryFolder folder;
    const ProgramResult exact = runElasto({"run", "gap_laws", "--strict"});
    CHECK(exact.code == 0);
    CHECK_THAT(exact.output, Catch::Matchers::EndsWith("all 72 ticks are exact\n"));
    const std::vector<std::string> piled = {"run",       "coupled/pile_1", "--duration",
                                            "0.2",       "--csv",          folder.file("pile.csv"),
                                            "--signals", "grade",          "gradeError"};
    const ProgramResult approximate = runElasto(piled);
    CHECK(approximate.code == 0);
    CHECK_THAT(approximate.output, Contains("approximate of 48 ticks, by at most"));
    CHECK_THAT(approximate.output, Contains("at ElastoGap 'gap1', from t = "));
    const Trajectory run = readCsv(folder.file("pile.csv"));
    CHECK(*std::max_element(run.at("grade").begin(), run.at("grade").end()) == 1);
    CHECK(*std::max_element(run.at("gradeError").begin(), run.at("gradeError").end()) > 1e-7);
    std::vector<std::string> strictly = piled;
    strictly.push_back("--strict");
    const ProgramResult refused = runElasto(strictly);
    CHECK(refused.code == 3);
    CHECK_THAT(refused.errors, Contains("--strict: "));
    const ProgramResult told = runElasto({"run", "coupled/pile_1", "--duration", "0.2", "--json"});
    const nlohmann::json grade = nlohmann::json::parse(told.output).at("grade");
    CHECK(grade.at("approximate").get<int>() > 0);
    CHECK(grade.at("exact").get<int>() + grade.at("approximate").get<int>() == 48);
    CHECK(grade.at("error").get<double>() > 0);
}

TEST_CASE("no exact scene with joints or contacts is called approximate") {
    for (const char* scene : {"chain_stop", "crates", "four_bar_gap", "slider_crank_stop", "stack_offset_3"}) {
        CAPTURE(scene);
        const ProgramResult run = runElasto({"run", std::string("coupled/") + scene, "--hz", "60", "--strict"});
        CAPTURE(run.output);
        CHECK(run.code == 0);
    }
}

TEST_CASE("run takes duration and signals, by the scene's names and by full names") {
    const TemporaryFolder folder;
    REQUIRE(runElasto({"run", "gap_laws", "--duration", "0.1", "--csv", folder.file("run.csv"), "--signals", "mass?.s",
                       "mass1.v_0[2]", "elastoGap3.f_?"})
                .code == 0);
    const Trajectory run = readCsv(folder.file("run.csv"));
    CHECK(run.time.back() == Approx(0.1));
    CHECK(run.signals == std::vector<std::string>{"mass1.s", "mass2.s", "mass3.s", "mass1.v_0[2]", "elastoGap3.f_c",
                                                  "elastoGap3.f_d"});
}

TEST_CASE("run --reference writes the same columns at the same times, as CVODE solves the scene") {
    const TemporaryFolder folder;
    const auto runTo = [&](const std::string& file, std::vector<std::string> more) {
        std::vector<std::string> words = {"run",        "drop_c1e6_d5", "--hz",  "100",
                                          "--duration", "0.5",          "--csv", folder.file(file)};
        words.insert(words.end(), more.begin(), more.end());
        return runElasto(words);
    };
    REQUIRE(runTo("run.csv", {}).code == 0);
    const ProgramResult result = runTo("reference.csv", {"--reference"});
    REQUIRE(result.code == 0);
    CHECK(result.output.empty());
    const Trajectory run = readCsv(folder.file("run.csv"));
    const Trajectory reference = readCsv(folder.file("reference.csv"));
    REQUIRE(reference.signals == run.signals);
    REQUIRE(reference.time.size() == run.time.size());
    for (std::size_t k = 0; k < run.time.size(); ++k) {
        CHECK(reference.time[k] == run.time[k]);
        CHECK(reference.at("gap.s_rel")[k] == Approx(run.at("gap.s_rel")[k]).margin(1e-5));
    }
    CHECK(reference.columns != run.columns);  // no two integrators have the same bits
}

TEST_CASE("run --reference refuses what it has no answer for") {
    CHECK_THAT(runElasto({"run", "drop_c1e6_d5", "--reference"}).errors, Contains("--reference needs --csv"));
    const TemporaryFolder folder;
    const std::string csv = folder.file("run.csv");
    const ProgramResult events = runElasto({"run", "drop_c1e6_d5", "--reference", "--events", "--csv", csv});
    CHECK(events.code == 2);
    CHECK_THAT(events.errors, Contains("not for --reference"));
    const ProgramResult robot = runElasto({"run", "arm6", "--reference", "--csv", csv});
    CHECK(robot.code == 2);
    CHECK(folder.fileCount() == 0);
}

TEST_CASE("without a file run prints a summary") {
    const ProgramResult result = runElasto({"run", "drop_c1e6_d5", "--hz", "60"});
    CHECK(result.code == 0);
    CHECK_THAT(result.output, Contains("120 ticks at 60 Hz to 2 s, " ELASTO_PRECISION " precision") &&
                                  Contains("closed form") && Contains("contact events") && Contains("gap.f_mean"));
    // Each energy says what it is of; what there is none of has no row.
    for (const char* row : {"\nkinetic ", "\nstored ", "\nwork ", "\ndissipated ", "\nnumerical "}) {
        CHECK_THAT(result.output, Contains(row));
    }
    CHECK_THAT(result.output, Contains("done since the start by gravity"));
    CHECK_THAT(result.output, !Contains("\ncontacts ") && !Contains("\nexchanged "));
}

TEST_CASE("the JSON summary of run can be read and holds the same as the file") {
    const TemporaryFolder folder;
    const ProgramResult result = runElasto({"run", "drop_c1e6_d5", "--csv", folder.file("run.csv"), "--json"});
    REQUIRE(result.code == 0);
    const nlohmann::json json = nlohmann::json::parse(result.output);
    CHECK(json.at("rate") == 240);
    CHECK(json.at("ticks") == 480);
    CHECK(json.at("interrupted") == false);
    CHECK(json.at("fallbacks") == 0);
    CHECK(json.at("events").get<int>() >= 2);
    for (const char* field :
         {"kinetic", "stored", "work", "pushed", "dissipated", "damping", "contacts", "exchanged", "numerical"}) {
        INFO(field);
        CHECK(json.at("energy").at(field).is_number());
    }
    CHECK(json.at("units").at("energy") == "J");
    CHECK(json.at("units").at("values").at("mass.s") == "m");
    const Trajectory run = readCsv(folder.file("run.csv"));
    CHECK(json.at("values").at("mass.s") == run.at("mass.s").back());
}

TEST_CASE("a run on several threads writes the same numbers") {
    const TemporaryFolder folder;
    REQUIRE(runElasto({"run", "gap_laws", "--csv", folder.file("one.csv")}).code == 0);
    const ProgramResult result = runElasto({"run", "gap_laws", "--threads", "3", "--csv", folder.file("three.csv")});
    CAPTURE(result.errors);
    REQUIRE(result.code == 0);
    const Trajectory one = readCsv(folder.file("one.csv"));
    const Trajectory three = readCsv(folder.file("three.csv"));
    REQUIRE(one.signals == three.signals);
    for (const std::string& signal : one.signals) CHECK(one.at(signal) == three.at(signal));
    for (const char* wrong : {"0", "-2", "1025", "1e3", "two"}) {
        const ProgramResult refused = runElasto({"run", "gap_laws", "--threads", wrong});
        CHECK(refused.code == 2);
        CHECK_THAT(refused.errors, StartsWith(std::string("elasto: --threads: ") + wrong +
                                              " is not allowed; it must be a whole number from 1 to 1024"));
    }
}

TEST_CASE("an interrupted run leaves a valid file of the rows so far") {
    const int number = GENERATE(SIGINT, SIGTERM);
    const TemporaryFolder folder;
    const ProgramResult result =
        runElasto({"run", "preload", "--hz", "1000", "--duration", "100000", "--csv", folder.file("run.csv")},
                  {.interruptWith = number, .watchedFolder = folder.path().string()});
    CHECK(result.code == 130);
    CHECK_THAT(result.errors, Contains("interrupted at") && Contains("rows so far"));
    CHECK(folder.fileCount() == 1);
    const Trajectory run = readCsv(folder.file("run.csv"));
    CHECK(run.time.size() > 1);
    CHECK(run.time.back() == Approx(static_cast<double>(run.time.size() - 1) / 1000));
}

TEST_CASE("on a terminal a run shows its progress with the time left", "[slow]") {
    const TemporaryFolder folder;
    const ProgramResult result = runElasto(
        {"run", "preload", "--hz", "1000", "--duration", "100", "--csv", "/dev/null"}, {.errorsOnTerminal = true});
    CHECK(result.code == 0);
    CHECK_THAT(result.errors, Contains("\rrun [") && Contains(" %  0:0") && Contains(" left\x1b[K"));
    CHECK_THAT(result.errors, Catch::Matchers::EndsWith("\r\x1b[K"));  // the line is erased at the end
}

TEST_CASE("a full disk and a folder that cannot be written are I/O errors") {
    const ProgramResult full = runElasto({"run", "gap_laws", "--csv", "/dev/full"});
    CHECK(full.code == 3);
    CHECK_THAT(full.errors, Contains("/dev/full") && Contains("No space left on device"));
    const ProgramResult nowhere = runElasto({"run", "gap_laws", "--csv", "/nowhere/run.csv"});
    CHECK(nowhere.code == 3);
    CHECK_THAT(nowhere.errors, Contains("/nowhere/run.csv") && Contains("No such file or directory"));
    // /proc accepts no files, not even root's.
    const ProgramResult unwritable = runElasto({"run", "gap_laws", "--csv", "/proc/run.csv"});
    CHECK(unwritable.code == 3);
    CHECK_THAT(unwritable.errors, Contains("/proc/run.csv"));
}

TEST_CASE("a scene is not overwritten by its own run") {
    const TemporaryFolder folder;
    const std::string text = R"({"elasto": 1, "name": "free", "duration": 0.1, "bodies": [{"name": "ball", "mass": 1,
        "inertia": [1, 1, 1]}]})";
    writeText(folder.file("scene.json"), text);
    const ProgramResult result = runElasto({"run", folder.file("scene.json"), "--csv", folder.file("scene.json")});
    CHECK(result.code == 2);
    CHECK_THAT(result.errors, Contains("scene.json' is not allowed; it is what the command reads"));
    CHECK(readText(folder.file("scene.json")) == text);
}

TEST_CASE("a wrong scene is refused with file, place, value and what is allowed") {
    const TemporaryFolder folder;
    writeText(folder.file("scene.json"), R"({"elasto": 1, "name": "x", "bodies": [{"name": "m", "mass": -1}]})");
    const ProgramResult result = runElasto({"run", folder.file("scene.json")});
    CHECK(result.code == 2);
    CHECK_THAT(result.errors, Contains("scene.json") && Contains("/bodies/0/mass") && Contains("-1"));
}

TEST_CASE("a run with events has both sides of each, at its time") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.csv");
    REQUIRE(runElasto({"run", "gap_laws", "--hz", "30", "--events", "--csv", file, "--signals", "elastoGap1.contact",
                       "elastoGap1.f", "elastoGap1.s_rel"})
                .code == 0);
    const elasto::Trajectory run = elasto::tools::readCsv(file);
    int pairs = 0;
    for (std::size_t k = 0; k + 1 < run.time.size(); ++k) {
        if (run.time[k + 1] != run.time[k] || run.at("elastoGap1.contact")[k] == run.at("elastoGap1.contact")[k + 1])
            continue;
        ++pairs;
        const bool begins = run.at("elastoGap1.contact")[k + 1] == 1;
        const double before = run.at("elastoGap1.f")[k], after = run.at("elastoGap1.f")[k + 1];
        // It flies 0.05 m at 1 m/s, and then the linear law jumps by d v = 30 N.
        if (begins) {
            CHECK(run.time[k] == Approx(0.05).epsilon(1e-6));
            CHECK(before == 0);
            CHECK(after == Approx(-30).epsilon(1e-4));
        } else {
            CHECK(before > 5);
            CHECK(after == 0);
        }
        CHECK(run.at("elastoGap1.s_rel")[k] == Approx(run.at("elastoGap1.s_rel")[k + 1]).margin(1e-6));
    }
    CHECK(pairs == 2);
}
