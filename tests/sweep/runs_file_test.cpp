#include "runs_file.h"

#include <elasto/scene/load_scene.h>

#include <catch2/catch.hpp>

#include "row_text.h"
#include "temporary_folder.h"
#include "tool_errors.h"

using namespace elasto::sweep;
using namespace elasto::test;
using Catch::Matchers::Contains;
using elasto::tools::InputError;
using elasto::tools::IoError;

namespace {

Study smallStudy() {
    Study study;
    study.sample.runs = 4;
    study.parameters.emplace_back().name = "c";
    study.metrics.emplace_back().name = "f";
    return study;
}

const Study kStudy = smallStudy();
const Identity kIdentity = identityOf(kStudy, "scene", "double", "1.0");

std::string row(std::size_t run, double metric = 2) {
    return rowText(run, {static_cast<double>(run)}, {{metric}, ""});
}

/// A whole file of four runs.
std::string fullFile(const std::string& name) {
    RunsFile file(name, kIdentity, {});
    for (std::size_t run = 0; run < 4; ++run) file.append(row(run));
    file.sync();
    return readText(name);
}

}  // namespace

TEST_CASE("rows come back") {
    const TemporaryFolder folder;
    fullFile(folder.file("runs"));
    const RunsFile again(folder.file("runs"), kIdentity, {});
    REQUIRE(again.rows().size() == 4);
    CHECK(again.rows().at(2) == row(2));
}

TEST_CASE("a file that was cut at any byte keeps its whole rows and can grow again") {
    const TemporaryFolder folder;
    const std::string name = folder.file("runs");
    const std::string text = fullFile(name);
    const std::size_t header = text.find('\n') + 1;
    for (std::size_t size = 0; size <= text.size(); ++size) {
        INFO("cut after " << size << " bytes");
        writeText(name, text.substr(0, size));
        std::size_t whole = 0;
        for (std::size_t end = text.find('\n', header); end <= size; end = text.find('\n', end + 1)) ++whole;
        Rows there;
        {
            RunsFile file(name, kIdentity, {});
            there = file.rows();
            // The line feed may be missing from a row that is whole otherwise.
            REQUIRE((there.size() == whole || (there.size() == whole + 1 && text[size] == '\n')));
            for (std::size_t run = 0; run < 4; ++run) {
                if (there.count(run) == 0) file.append(row(run));
            }
        }
        const StoredRuns stored = readRuns(name, kIdentity);
        REQUIRE(stored.rows.size() == 4);
        for (std::size_t run = 0; run < 4; ++run) REQUIRE(stored.rows.at(run) == row(run));
    }
}

TEST_CASE("a row with any wrong bit counts as not there") {
    const TemporaryFolder folder;
    const std::string name = folder.file("runs");
    const std::string text = fullFile(name);
    for (std::size_t place = text.find('\n') + 1; place < text.size(); ++place) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string wrong = text;
            wrong[place] = static_cast<char>(wrong[place] ^ (1 << bit));
            writeText(name, wrong);
            const StoredRuns stored = readRuns(name, kIdentity);
            REQUIRE(stored.rows.size() >= 2);  // a broken line feed spoils two
            for (const auto& [run, text_] : stored.rows) REQUIRE(text_ == row(run));
        }
    }
}

TEST_CASE("runs of another sweep are refused, and what differs is named") {
    const TemporaryFolder folder;
    const std::string name = folder.file("runs");
    fullFile(name);
    const auto refusal = [&](const Identity& other) {
        try {
            const RunsFile file(name, other, {});
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Study changed = kStudy;
    changed.metrics.front().of = "gap.f";
    CHECK_THAT(refusal(identityOf(changed, "scene", "double", "1.0")), Contains("another sweep"));
    CHECK_THAT(refusal(identityOf(kStudy, "changed", "double", "1.0")), Contains("another scene"));
    CHECK_THAT(refusal(identityOf(kStudy, "scene", "single", "1.0")),
               Contains("another precision") && Contains("\"double\" there, \"single\" here"));
    CHECK_THAT(refusal(identityOf(kStudy, "scene", "double", "1.1")), Contains("another version"));
    CHECK_THROWS_AS(RunsFile(name, kIdentity, {0, 2}), InputError);
    writeText(name, "time,f\n0,1\n");
    CHECK_THAT(refusal(kIdentity), Contains("is not a file of runs"));
    CHECK(readText(name) == "time,f\n0,1\n");
    writeText(name, R"({"format": 1})");
    CHECK_THAT(refusal(kIdentity), Contains("is not a file of runs"));
    // So deep that whoever walks it is at the end of the stack.
    writeText(name, R"({"format": "runs of elasto sweep", "version": )" + std::string(200'000, '[') +
                        std::string(200'000, ']') + "}");
    CHECK_THAT(refusal(kIdentity), Contains("is not a file of runs"));
}

TEST_CASE("a file of runs with a shard that cannot be is refused") {
    const TemporaryFolder folder;
    const std::string name = folder.file("runs");
    const std::string text = fullFile(name);
    const std::string whole = R"("shard":[1,1])";
    REQUIRE(text.find(whole) != std::string::npos);
    for (const char* shard :
         {"", R"("shard":3)", R"("shard":[1])", R"("shard":[0,1])", R"("shard":[2,1])", R"("shard":[-1,1])",
          R"("shard":[1,1e30])", R"("shard":[1,18446744073709551615])", R"("shard":["1","1"])", R"("shard":[1.5,2])"}) {
        INFO(shard);
        std::string wrong = text;
        wrong.replace(wrong.find(whole), whole.size(), *shard == '\0' ? R"("other":[1,1])" : shard);
        writeText(name, wrong);
        CHECK_THROWS_WITH(readRuns(name, kIdentity),
                          Contains(name + ": /shard: ") && Contains("it must be [i, n] with 1 <= i <= n <= 10000000"));
    }
}

TEST_CASE("texts of a sweep may change while it is under way") {
    Study renamed = kStudy;
    renamed.name = "a better title";
    CHECK(identityOf(renamed, "scene", "double", "1.0") == kIdentity);
}

TEST_CASE("only one process writes a file of runs") {
    const TemporaryFolder folder;
    const RunsFile file(folder.file("runs"), kIdentity, {});
    CHECK_THROWS_AS(RunsFile(folder.file("runs"), kIdentity, {}), IoError);
}

TEST_CASE("runs are not written through a link that leads nowhere") {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("elsewhere", folder.file("runs"));
    CHECK_THROWS_WITH(
        RunsFile(folder.file("runs"), kIdentity, {}),
        folder.file("runs") + " is a link to a file that does not exist; remove it, or give another --csv");
    CHECK_FALSE(std::filesystem::exists(folder.file("elsewhere")));
    // One that leads to a file is as good as that.
    fullFile(folder.file("elsewhere"));
    CHECK(RunsFile(folder.file("runs"), kIdentity, {}).rows().size() == 4);
}

TEST_CASE("a run with two results is an error, the same result twice is one row") {
    Rows rows{{1, row(1)}};
    addRows(rows, {{1, row(1)}, {2, row(2)}}, "part");
    CHECK(rows.size() == 2);
    CHECK_THROWS_AS(addRows(rows, {{1, row(1, 3)}}, "part"), InputError);
}

TEST_CASE("shards have every run once") {
    std::size_t count = 0;
    for (std::size_t run = 0; run < 100; ++run) {
        for (std::size_t part = 0; part < 7; ++part) count += Shard{part, 7}.has(run) ? 1 : 0;
    }
    CHECK(count == 100);
    CHECK(runsFileName("a/out.csv", {}) == "a/out.csv.runs");
    CHECK(runsFileName("a/out.csv", {2, 7}) == "a/out.csv.3-of-7.runs");
}
