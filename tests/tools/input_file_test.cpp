#include <elasto/scene/input_file.h>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <thread>

#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("an input file is read byte for byte") {
    const TemporaryFolder folder;
    const std::string text("a\r\n\0\xff", 5);
    writeText(folder.file("in"), text);
    writeText(folder.file("empty"), "");
    std::string problem = "of before";
    CHECK(readFile(folder.file("in"), problem) == text);
    CHECK(problem.empty());
    CHECK(readFile(folder.file("in")) == text);
    CHECK(readFile(folder.file("empty")).empty());
}

TEST_CASE("a pipe that is open already is read to its end") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const std::string text(300'000, 'x');
    std::thread writer([&] {
        writeText("/dev/fd/" + std::to_string(ends[1]), text);
        close(ends[1]);
    });
    const std::string read = readFile("/dev/fd/" + std::to_string(ends[0]));
    writer.join();
    close(ends[0]);
    CHECK(read == text);
}

TEST_CASE("a pipe that nobody may ever write is not waited for") {
    const TemporaryFolder folder;
    REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    std::filesystem::create_symlink("pipe", folder.file("link"));
    for (const std::string name : {"pipe", "link"}) {
        CHECK_THROWS_WITH(
            readFile(folder.file(name)),
            folder.file(name) + ": cannot be read: It is a pipe; only one that is open may be read, as /dev/stdin");
    }
}

TEST_CASE("an input file that cannot be read says why") {
    CHECK_THROWS_WITH(readFile("/nowhere/in"), "/nowhere/in: cannot be read: No such file or directory");
    CHECK_THROWS_WITH(readFile("/"), "/: cannot be read: Is a directory");
    CHECK_THROWS_WITH(readFile(""), ": cannot be read: No such file or directory");
    CHECK_THROWS_WITH(readFile("/dev/zero"), "/dev/zero: cannot be read: It is a device");
    std::string problem;
    CHECK(readFile("/", problem).empty());
    CHECK(problem == "Is a directory");
}
