#include <algorithm>
#include <catch2/catch.hpp>

#include "child_program.h"
#include "slurm.h"
#include "tool_errors.h"

using namespace elasto::sweep;

TEST_CASE("an array has the parts that lack runs") {
    CHECK(arrayText({0, 1, 2, 6}) == "1-3,7");
    CHECK(arrayText({4}) == "5");
    CHECK(arrayText({0, 2, 4}) == "1,3,5");
}

TEST_CASE("what squeue says of tasks") {
    const QueueState working = queueState("RUNNING|None\nPENDING|Resources\nCOMPLETING|None\nPENDING|JobHeldAdmin\n");
    CHECK(working.running == 2);
    CHECK(working.waiting == 2);
    CHECK(working.heldReason.empty());
    CHECK_FALSE(working.isOver());
    CHECK(queueState("").isOver());
    // Nobody lets these go on.
    const QueueState held = queueState("PENDING|launch failed requeued held\nPENDING|JobHeldUser\n");
    CHECK(held.heldReason == "JobHeldUser");
}

TEST_CASE("the user's options of sbatch come after ours") {
    const std::vector<std::string> options = {"--partition=short", "--array=1"};
    const SlurmTask task{
        .program = "/opt/elasto's/elasto", .arguments = {"sweep", "a b.json"}, .parts = 8, .threads = 2};
    const std::vector<std::string> arguments =
        sbatchArguments("/data/50%/study.csv", "study", task, {0, 1, 3}, options);
    const auto place = [&](const std::string& word) {
        return std::find(arguments.begin(), arguments.end(), word) - arguments.begin();
    };
    REQUIRE(place("--array=1-2,4") < place("--partition=short"));
    REQUIRE(place("--array=1") < static_cast<std::ptrdiff_t>(arguments.size()));
    CHECK(arguments.front() == "sbatch");
    CHECK(place("--cpus-per-task=2") < place("--partition=short"));
    CHECK(place("--output=/data/50%%/study.csv.task-%a.log") < place("--partition=short"));
    CHECK(arguments.back() ==
          R"(--wrap=exec '/opt/elasto'\''s/elasto' 'sweep' 'a b.json' -j 2 --shard "$SLURM_ARRAY_TASK_ID/8")");
}

TEST_CASE("a program's output, its errors and its exit code") {
    const ChildResult result = runChild({"sh", "-c", "echo " + shellWord("it's") + "; echo no >&2; exit 3"});
    CHECK(result.code == 3);
    CHECK(result.output == "it's\n");
    CHECK(result.errors == "no\n");
    CHECK(runChild({"sh", "-c", "kill -9 $$"}).code == 137);
    CHECK_THROWS_WITH(runChild({"no-such-program"}), "no-such-program is not installed, or not in the PATH");
}
