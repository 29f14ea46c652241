// `elasto sweep` as a user runs it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "csv.h"
#include "program.h"
#include "temporary_folder.h"

namespace sweep_test {

using namespace elasto::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// A ball that falls on a stop: 40 runs, five of which have a stiffness that cannot be.
constexpr const char* kSweep = R"({"elasto": 1, "scene": "drop_c1e6_d5", "rate": 240, "duration": 0.5,
"parameters": [{"set": "gap.c", "values": [1e4, 1e5, 1e6, 1e7, 1e8, -1, 1e9, 1e10]},
               {"set": "gap.d", "from": 0, "to": 20, "count": 5}],
"metrics": [{"metric": "peakForce", "of": "gap"}, {"metric": "dissipatedEnergy"}, {"metric": "final", "of": "mass.s"}]})";

class SweepFolder {
public:
    explicit SweepFolder(const std::string& sweep = kSweep) : m_code(sweep == kSweep ? 1 : 0) {
        writeText(file("sweep.json"), sweep);
    }

    std::string file(const std::string& name) const { return m_folder.file(name); }
    const std::filesystem::path& path() const { return m_folder.path(); }
    int fileCount() const { return m_folder.fileCount(); }

    /// Runs `elasto sweep sweep.json --csv NAME` with more arguments.
    ProgramResult sweep(const std::string& csv, std::vector<std::string> more = {},
                        const ProgramOptions& options = {}) const {
        std::vector<std::string> arguments = {"sweep", file("sweep.json"), "--csv", file(csv)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runElasto(arguments, options);
    }
    /// The exit code: 1 where some runs fail.
    int code() const { return m_code; }
    std::string table(const std::string& csv, const std::vector<std::string>& more = {}) const {
        const ProgramResult result = sweep(csv, more);
        INFO(result.errors);
        REQUIRE(result.code == m_code);
        return readText(file(csv));
    }

private:
    TemporaryFolder m_folder;
    int m_code;
};

}  // namespace

TEST_CASE("sweep: one row per run, the same bytes with any number of threads, failures are rows", "[slow]") {
    const SweepFolder folder;
    const std::string one = folder.table("1.csv", {"-j", "1"});
    CHECK(std::count(one.begin(), one.end(), '\n') == 41);
    CHECK_THAT(one, Contains("\n26,-1,0,failed,,,,,,\"drop_c1e6_d5: /elements/0/c: -1 is not allowed; c must be a "
                             "number >= 0\"\n27,-1,5,failed") &&
                        Contains("\n40,1e+10,20,ok,"));
    CHECK(folder.table("2.csv", {"-j", "2"}) == one);
    CHECK(folder.table("3.csv", {"-j", "3"}) == one);
    CHECK(folder.fileCount() == 4);  // nothing but the sweep and its tables
}

TEST_CASE("sweep: every run says how good its ticks were") {
    // At 30 Hz the machine's first impact is not solved exactly, at 480 Hz it is.
    const SweepFolder folder(R"({"elasto": 1, "scene": "coupled/engage_offset", "duration": 1,
"parameters": [{"set": "rate", "values": [30, 480]}], "metrics": [{"metric": "max", "of": "gradeError"}]})");
    std::istringstream lines(folder.table("a.csv"));
    std::string header, coarse, fine;
    std::getline(lines, header);
    std::getline(lines, coarse);
    std::getline(lines, fine);
    CHECK(header == "\"run\",\"rate\",\"status\",\"max(gradeError)\",\"grade\",\"gradeError\",\"reason\"");
    double most = 0, error = 0;
    int grade = 0;
    REQUIRE(std::sscanf(coarse.c_str(), "1,30,ok,%lf,%d,%lf,", &most, &grade, &error) == 3);
    CHECK(grade == 1);
    CHECK(error > 1e-7);
    CHECK(error == most);
    CHECK(fine == "2,480,ok,0,0,0,\"never touched: gap\"");
}

TEST_CASE("sweep: the peak of an impact inside a tick is its force") {
    // A ball of 0.2 kg falls 0.3 m. Without damping its energy, and that of its weight, is in the spring at the peak.
    const SweepFolder folder(R"({"elasto": 1, "scene": "drop_c1e6_d0", "duration": 0.3,
"parameters": [{"set": "gap.c", "from": 1e3, "to": 1e9, "scale": "log", "count": 7}, {"set": "rate", "values": [30, 61, 240, 1000]}],
"metrics": [{"metric": "peakForce", "of": "gap"}, {"metric": "max", "of": "totalHeat"}]})");
    std::istringstream lines(folder.table("a.csv"));
    std::string line;
    std::getline(lines, line);
    int count = 0;
    while (std::getline(lines, line)) {
        double c = 0;
        double peak = 0;
        REQUIRE(std::sscanf(line.c_str(), "%*d,%lf,%*d,ok,%lf", &c, &peak) == 2);
        constexpr double kWeight = 0.2 * 9.80665;
        const double exact = kWeight + std::sqrt(kWeight * kWeight + 2 * c * kWeight * 0.3);
        INFO(line);
        const double tolerance = std::string(ELASTO_PRECISION) == "single" ? 1e-3 : 1e-9;
        CHECK(peak == Approx(exact).epsilon(tolerance));
        ++count;
    }
    CHECK(count == 28);
}

TEST_CASE("sweep: the peak of a robot's stop inside a tick is its force") {
    // A slide of 0.2 kg falls 0.3 m on its elastic stop.
    const SweepFolder folder(R"({"elasto": 1, "scene": "slide.json", "duration": 0.3,
"parameters": [{"set": "stop.c", "from": 1e3, "to": 1e8, "scale": "log", "count": 6}, {"set": "rate", "values": [30, 61, 240, 1000]}],
"metrics": [{"metric": "peakForce", "of": "stop"}, {"metric": "max", "of": "totalHeat"}]})");
    writeText(folder.file("slide.json"), R"({"elasto": 1, "name": "slide", "robot": "slide.urdf",
"start": [{"joint": "slide", "position": 0.3}]})");
    writeText(folder.file("slide.urdf"), R"(<robot name="slide" xmlns:elasto="urn:elasto"><link name="rail"/>
<link name="mass"><inertial><mass value="0.2"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="mass"/><axis xyz="0 0 1"/>
<limit lower="0" upper="1" effort="9" velocity="9"/></joint>
<elasto:gap joint="slide" side="lower" c="1e3" d="0" name="stop"/></robot>)");
    std::istringstream lines(folder.table("a.csv"));
    std::string line;
    std::getline(lines, line);
    int count = 0;
    while (std::getline(lines, line)) {
        double c = 0;
        double peak = 0;
        INFO(line);
        REQUIRE(std::sscanf(line.c_str(), "%*d,%lf,%*d,ok,%lf", &c, &peak) == 2);
        constexpr double kWeight = 0.2 * 9.80665;
        const double exact = kWeight + std::sqrt(kWeight * kWeight + 2 * c * kWeight * 0.3);
        const double tolerance = std::string(ELASTO_PRECISION) == "single" ? 1e-3 : 1e-6;
        CHECK(peak == Approx(exact).epsilon(tolerance));
        ++count;
    }
    CHECK(count == 24);
}

TEST_CASE("sweep: peaks are those of any robot's elements, and of elements around them") {
    const SweepFolder folder(R"({"elasto": 1, "scene": "pushers", "duration": 1,
"parameters": [{"set": "solverIterations", "values": [10]}],
"metrics": [{"metric": "peakForce", "of": "right.elbow.backlash"}, {"metric": "peakForce", "of": "balancer_left"},
{"metric": "peakForce", "of": "stop_right"}]})");
    std::istringstream lines(folder.table("a.csv"));
    std::string line;
    std::getline(lines, line);
    std::getline(lines, line);
    double peaks[3] = {};
    REQUIRE(std::sscanf(line.c_str(), "%*d,%*d,ok,%lf,%lf,%lf", &peaks[0], &peaks[1], &peaks[2]) == 3);
    const std::string csv = folder.file("run.csv");
    REQUIRE(runElasto({"run", "pushers", "--duration", "1", "--csv", csv, "--signals", "right.elbow.backlash.tau",
                       "balancer_left.f", "stop_right.f"})
                .code == 0);
    const elasto::Trajectory run = elasto::tools::readCsv(csv);
    for (std::size_t i = 0; i < run.columns.size(); ++i) {
        double most = 0;
        for (const double force : run.columns[i]) most = std::max(most, std::abs(force));
        INFO(run.signals[i]);
        CHECK(peaks[i] >= most * (1 - 1e-9));
        CHECK(peaks[i] <= most * 1.02);  // what rises within a tick beyond its ends
    }
}

TEST_CASE("sweep: worlds with contacts, joints and robots have the same bits beside others", "[slow]") {
    const std::string metrics =
        R"("metrics": [{"metric": "rms", "of": "totalHeat"}, {"metric": "final", "of": "SIGNAL"}])";
    const auto check = [&](std::string text, const std::string& signal) {
        text += metrics;
        text.replace(text.find("SIGNAL"), 6, signal);
        const SweepFolder folder(text + "}");
        const std::string one = folder.table("1.csv", {"-j", "1"});
        CHECK_THAT(one, !Contains("failed"));
        CHECK(folder.table("4.csv", {"-j", "4"}) == one);
    };
    check(R"({"elasto": 1, "scene": "tumbling_box", "duration": 1, "sample": {"type": "random", "runs": 12, "seed": 3},
"parameters": [{"set": "box.angularVelocity[1]", "from": -5, "to": 5}], )",
          "box.r_0[2]");
    check(R"({"elasto": 1, "scene": "arm6", "rate": 120, "duration": 0.5, "sample": {"type": "sobol", "runs": 8},
"parameters": [{"set": "yaw.backlash.b", "from": 0, "to": 0.01}, {"set": "servos.yaw.stiffness", "from": 1e3, "to": 1e4}], )",
          "tip.r_0[2]");
}

TEST_CASE("sweep: a kill at any moment costs no run and doubles none", "[slow]") {
    const SweepFolder folder;
    const std::string whole = folder.table("whole.csv", {"-j", "2"});
    ProgramOptions killed{.interruptWith = SIGKILL, .watchedFolder = folder.file("work")};
    std::filesystem::create_directory(killed.watchedFolder);
    // The file of runs is there at once, so this kills it early; then it is cut where a kill could have left it.
    folder.sweep("work/a.csv", {"-j", "1"}, killed);
    CHECK(folder.table("work/a.csv", {"-j", "2"}) == whole);
    CHECK_FALSE(std::filesystem::exists(folder.file("work/a.csv.runs")));
    REQUIRE(folder.sweep("b.csv", {"--shard", "1/1"}).code == folder.code());
    REQUIRE(readText(folder.file("b.csv")) == whole);
    REQUIRE(folder.sweep("c.csv", {"--shard", "1/2"}).code == folder.code());
    const std::string part = readText(folder.file("c.csv.1-of-2.runs"));
    writeText(folder.file("c.csv.1-of-2.runs"), part.substr(0, part.size() / 2));
    const ProgramResult again = folder.sweep("c.csv", {"--shard", "1/2", "--json"});
    const json summary = json::parse(again.output);
    CHECK(summary["doneBefore"].get<int>() > 2);
    CHECK(summary["doneBefore"].get<int>() + summary["done"].get<int>() == 20);
    REQUIRE(folder.sweep("c.csv", {"--shard", "2/2"}).code == folder.code());
    CHECK(folder.table("c.csv", {"--merge"}) == whole);
}

TEST_CASE("sweep: Ctrl-C keeps what is done, and the same command goes on", "[slow]") {
    const SweepFolder folder;
    const std::string whole = folder.table("whole.csv", {"--duration", "4", "--hz", "1000"});
    ProgramOptions interrupted{.interruptWith = SIGINT, .watchedFolder = folder.file("work")};
    std::filesystem::create_directory(interrupted.watchedFolder);
    const std::vector<std::string> slow = {"--duration", "4", "--hz", "1000", "-j", "1"};
    const ProgramResult result = folder.sweep("work/a.csv", slow, interrupted);
    CHECK(result.code == 130);
    CHECK_THAT(result.errors, Contains("interrupted; ") && Contains("the same command goes on"));
    CHECK_FALSE(std::filesystem::exists(folder.file("work/a.csv")));
    CHECK(folder.table("work/a.csv", slow) == whole);
}

TEST_CASE("sweep: parts are joined, and what is missing is named", "[slow]") {
    const SweepFolder folder;
    const std::string whole = folder.table("whole.csv");
    for (const char* shard : {"1/3", "3/3"})
        REQUIRE(folder.sweep("parts.csv", {"--shard", shard}).code == folder.code());
    const ProgramResult missing = folder.sweep("parts.csv", {"--merge"});
    CHECK(missing.code == 1);
    CHECK(missing.errors ==
          "elasto: 13 of 40 runs are missing: 2, 5, 8, 11, 14, 17, 20, 23, ...; shards 2/3 (13 of its 13)\n");
    CHECK_FALSE(std::filesystem::exists(folder.file("parts.csv")));
    REQUIRE(folder.sweep("parts.csv", {"--shard", "2/3"}).code == folder.code());
    CHECK(folder.table("parts.csv", {"--merge"}) == whole);
    CHECK(folder.table("named.csv",
                       {"--merge", folder.file("parts.csv.3-of-3.runs"), folder.file("parts.csv.1-of-3.runs"),
                        folder.file("parts.csv.2-of-3.runs"), folder.file("parts.csv.1-of-3.runs")}) == whole);
}

TEST_CASE("sweep: runs of another sweep or scene are never mixed in") {
    const SweepFolder folder;
    REQUIRE(folder.sweep("a.csv", {"--shard", "1/2"}).code == folder.code());
    const ProgramResult rate = folder.sweep("a.csv", {"--shard", "1/2", "--hz", "100"});
    CHECK(rate.code == 2);
    CHECK_THAT(rate.errors, Contains("a.csv.1-of-2.runs has runs of another sweep") && Contains("remove it"));
    CHECK(folder.sweep("a.csv", {"--merge", "--duration", "0.1"}).code == 2);
}

TEST_CASE("sweep: stops that were never touched are named in the table and in the summary") {
    const SweepFolder folder(R"({"elasto": 1, "scene": "drop_c1e6_d5", "duration": 0.5,
"parameters": [{"set": "gap.s_rel0", "values": [0, -10, -20]}], "metrics": [{"metric": "peakForce", "of": "gap"}]})");
    CHECK_THAT(folder.sweep("a.csv").output, Contains("\n2 of 3 runs: never touched: gap\n"));
    CHECK_THAT(readText(folder.file("a.csv")), Contains("\n2,-10,ok,0,0,0,\"never touched: gap\"\n"));
    const json summary = json::parse(folder.sweep("b.csv", {"--json"}).output);
    CHECK(summary.at("doubtful") == json::array({{{"what", "never touched: gap"}, {"runs", 2}}}));
}

TEST_CASE("sweep: its summary, and nothing with --quiet") {
    const SweepFolder folder;
    CHECK_THAT(folder.sweep("a.csv", {"-j", "2"}).output,
               Contains("sweep: 40 runs in ") && Contains(" on 2 threads, 5 failed") && Contains("a.csv\n"));
    const ProgramResult quiet = folder.sweep("a.csv", {"--quiet"}, {.errorsOnTerminal = true});
    CHECK(quiet.output.empty());
    CHECK(quiet.errors.starts_with("elasto: 5 of 40 runs failed; the first: \"drop_c1e6_d5: /elements/0/c: -1"));
    CHECK(std::count(quiet.errors.begin(), quiet.errors.end(), '\n') == 1);
    const json summary = json::parse(folder.sweep("a.csv", {"--json"}).output);
    CHECK(summary["runs"] == 40);
    CHECK(summary["failed"] == 5);
    CHECK(summary["precision"] == ELASTO_PRECISION);
    CHECK(summary["seconds"].get<double>() > 0);
}

TEST_CASE("sweep: where every run fails, so has the sweep") {
    const SweepFolder folder(R"({"elasto": 1, "scene": "drop_c1e6_d5", "duration": 0.1,
"parameters": [{"set": "gap.c", "values": [-1, -2]}], "metrics": [{"metric": "peakForce", "of": "gap"}]})");
    const ProgramResult result = folder.sweep("a.csv", {"--quiet"});
    CHECK(result.code == 4);
    CHECK_THAT(result.errors, Contains("elasto: all 2 runs failed; the first: \"drop_c1e6_d5: /elements/0/c: -1"));
    CHECK(folder.sweep("b.csv", {"--shard", "1/2"}).code == 4);
    CHECK(folder.sweep("b.csv", {"--shard", "2/2"}).code == 4);
    CHECK(folder.sweep("b.csv", {"--merge"}).code == 4);
}

TEST_CASE("sweep: options of Slurm go with Slurm") {
    const SweepFolder folder;
    const ProgramResult result = folder.sweep("a.csv", {"--tasks", "5"});
    CHECK(result.code == 2);
    CHECK_THAT(result.errors, Contains("--tasks requires --slurm"));
}

TEST_CASE("sweep: a bar with the time left on a terminal", "[slow]") {
    const SweepFolder folder;
    const ProgramResult result =
        folder.sweep("a.csv", {"--duration", "4", "--hz", "1000", "-j", "1"}, {.errorsOnTerminal = true});
    CHECK(result.code == folder.code());
    CHECK_THAT(result.errors, Contains("sweep [") && Contains(" left"));
}

TEST_CASE("sweep: wrong use has one clear message") {
    const SweepFolder folder;
    const auto refusal = [&](const std::vector<std::string>& more) {
        const ProgramResult result = folder.sweep("a.csv", more);
        CHECK(result.code == 2);
        CHECK_FALSE(std::filesystem::exists(folder.file("a.csv")));
        return result.errors;
    };
    CHECK_THAT(refusal({"--shard", "4/3"}), Contains("'4/3' is not allowed; it must be i/n with 1 <= i <= n"));
    CHECK_THAT(refusal({"--shard", "2/18446744073709551615"}), Contains("is not allowed; it must be i/n"));
    CHECK_THAT(refusal({"--shard", ""}), Contains("'' is not allowed; it must be i/n"));
    CHECK_THAT(refusal({"--shard=-1/3"}), Contains("is not allowed"));
    CHECK_THAT(refusal({"-j", "0"}), Contains("--threads: 0 is not allowed; it must be a whole number from 1 to 1024"));
    CHECK_THAT(refusal({"x.runs"}), Contains("files of runs belong to --merge"));
    CHECK_THAT(refusal({"--shard", "1/2", "--merge"}), Contains("exclude each other"));
    CHECK(runElasto({"sweep", "no_such_sweep"}).code == 3);
    const ProgramResult path = runElasto({"sweep", "no_such.json"});
    CHECK(path.code == 3);
    CHECK(path.errors == "elasto: cannot read sweep 'no_such.json': there is no such file\n");
    CHECK(folder.sweep("a.csv", {"--merge"}).code == 3);
}

TEST_CASE("sweep: a table that has no place is refused before the first run") {
    const SweepFolder folder;
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--shard", "1/2"}}) {
        const ProgramResult result = folder.sweep("", more);
        CHECK(result.code == 3);
        CHECK(result.errors == "elasto: cannot write '" + folder.file("") + "': Is a directory\n");
        CHECK(folder.fileCount() == 1);
    }
}

TEST_CASE("sweep: --slurm without Slurm says so") {
    const SweepFolder folder;
    const ProgramResult result = folder.sweep("a.csv", {"--slurm"}, {.environment = {{"PATH", "/nowhere"}}});
    CHECK(result.code == 4);
    CHECK(result.errors == "elasto: sbatch is not installed, or not in the PATH\n");
}

TEST_CASE("plot draws a sweep as curves or as heat maps") {
    const SweepFolder folder;
    folder.table("a.csv");
    const auto plot = [&](const std::string& picture, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"plot", folder.file("a.csv"), "-o", folder.file(picture)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runElasto(arguments);
    };
    REQUIRE(plot("map.svg", {"--signals", "peakForce*"}).code == 0);
    CHECK_THAT(readText(folder.file("map.svg")), Contains("gap.c") && Contains("gap.d") && Contains("peakForce(gap)"));
    REQUIRE(plot("curve.svg", {"--signals", "*", "--over", "gap.d", "--where", "gap.c=1e+06"}).code == 0);
    CHECK_THAT(readText(folder.file("curve.svg")), Contains("dissipatedEnergy") && Contains("gap.d"));
    REQUIRE(plot("map.png", {"--signals", "peakForce*", "--over", "gap.d", "gap.c"}).code == 0);
    CHECK(plot("x.svg", {"--signals", "f"}).code == 2);
    CHECK_THAT(plot("x.svg", {"--signals", "*", "--over", "d"}).errors,
               Contains("--over: ") && Contains("no column 'd'"));
}

TEST_CASE("sweep: parameters are those of robots with names, and of what is around them") {
    const SweepFolder folder(R"({"elasto": 1, "scene": "pushers", "rate": 240, "duration": 0.1, "parameters": [
{"set": "left.elbow.backlash.b", "values": [0, 0.01]}, {"set": "balancer_left.c", "values": [100, 400]},
{"set": "crate.mass", "values": [6]}],
"metrics": [{"metric": "final", "of": "left.elbow.phi"}, {"metric": "final", "of": "balancer_left.f"}]})");
    std::istringstream table(folder.table("a.csv"));
    std::vector<std::string> rows;
    for (std::string row; std::getline(table, row);) rows.push_back(row);
    REQUIRE(rows.size() == 5);
    CHECK_THAT(rows[0], Contains("left.elbow.backlash.b") && Contains("balancer_left.c"));
    std::sort(rows.begin() + 1, rows.end());
    const auto results = [](const std::string& row) { return row.substr(row.find(",6,")); };
    for (std::size_t i = 2; i < rows.size(); ++i) CHECK(results(rows[i]) != results(rows[i - 1]));
}

}  // namespace sweep_test
