#include <elasto/scene/output_file.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <csignal>
#include <string>
#include <vector>

#include "temporary_folder.h"

using namespace elasto;
using namespace elasto::test;

TEST_CASE("an output file has its name only when it is complete") {
    const TemporaryFolder folder;
    writeText(folder.file("out.txt"), "old");
    {
        OutputFile file(folder.file("out.txt"));
        file.write("new");
        CHECK(readText(folder.file("out.txt")) == "old");
        file.commit();
    }
    CHECK(readText(folder.file("out.txt")) == "new");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("an output file that is given up leaves what was there, and no temporary file") {
    const TemporaryFolder folder;
    writeText(folder.file("out.txt"), "old");
    { OutputFile(folder.file("out.txt")).write("half"); }
    CHECK(readText(folder.file("out.txt")) == "old");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("what a killed program has left goes with the next file of that name") {
    const TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        OutputFile file(folder.file("out.txt"));
        file.write("half");
        kill(getpid(), SIGKILL);
    }
    waitpid(child, nullptr, 0);
    REQUIRE(std::filesystem::exists(folder.file("out.txt.0.part")));
    writeText(folder.file("out.txt.17.part"), "left");
    const std::vector<std::string> others = {"out.txt.part",  "out.txt..part", "out.txt.0.parts",  "out.txt.a.part",
                                             "out.txt2.part", "out.0.part",    "my.out.txt.0.part"};
    for (const std::string& name : others) writeText(folder.file(name), "other");
    std::filesystem::create_symlink("other", folder.file("out.txt.3.part"));
    writeFile(folder.file("out.txt"), "new");
    CHECK(readText(folder.file("out.txt")) == "new");
    CHECK_FALSE(std::filesystem::exists(folder.file("out.txt.0.part")));
    CHECK_FALSE(std::filesystem::exists(folder.file("out.txt.17.part")));
    for (const std::string& name : others) CHECK(readText(folder.file(name)) == "other");
    CHECK(std::filesystem::is_symlink(folder.file("out.txt.3.part")));
    CHECK(folder.fileCount() == static_cast<int>(others.size()) + 2);
}

TEST_CASE("two may write a file of the same name at a time") {
    const TemporaryFolder folder;
    OutputFile first(folder.file("out.txt"));
    first.write("first");
    OutputFile second(folder.file("out.txt"));
    second.write("second");
    CHECK(folder.fileCount() == 2);
    OutputFile moved(std::move(first));
    writeFile(folder.file("out.txt"), "third");
    CHECK(folder.fileCount() == 3);
    moved.commit();
    CHECK(readText(folder.file("out.txt")) == "first");
    second.commit();
    CHECK(readText(folder.file("out.txt")) == "second");
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("many that write files of one name end with one of theirs") {
    const TemporaryFolder folder;
    constexpr int kProcesses = 8;
    for (int process = 0; process < kProcesses; ++process) {
        if (fork() != 0) continue;
        int code = 0;
        try {
            for (int i = 0; i < 200; ++i) writeFile(folder.file("out.txt"), std::string(1000, 'a'));
        } catch (const FileError&) {
            code = 1;
        }
        _exit(code);
    }
    for (int process = 0; process < kProcesses; ++process) {
        int status = 0;
        wait(&status);
        CHECK(status == 0);
    }
    CHECK(readText(folder.file("out.txt")) == std::string(1000, 'a'));
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("an output file has the rights of any new file") {
    const TemporaryFolder folder;
    writeText(folder.file("usual.txt"), "");
    writeFile(folder.file("ours.txt"), "");
    using std::filesystem::status;
    CHECK(status(folder.file("ours.txt")).permissions() == status(folder.file("usual.txt")).permissions());
}

TEST_CASE("through a link the file behind it is replaced") {
    const TemporaryFolder folder;
    writeText(folder.file("real.txt"), "old");
    std::filesystem::create_symlink("real.txt", folder.file("link.txt"));
    writeFile(folder.file("link.txt"), "new");
    CHECK(std::filesystem::is_symlink(folder.file("link.txt")));
    CHECK(readText(folder.file("real.txt")) == "new");
}

TEST_CASE("a full disk is reported with the file's name and the reason") {
    CHECK_THROWS_WITH(writeFile("/dev/full", "text"), "/dev/full: cannot be written: No space left on device");
    CHECK_THROWS_WITH(writeFile("/dev/full", std::string(1 << 20, 'x')),
                      "/dev/full: cannot be written: No space left on device");
    CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("a folder that does not exist or is no place for files is reported") {
    CHECK_THROWS_WITH(writeFile("/nowhere/out.txt", ""),
                      "/nowhere/out.txt: cannot be written: No such file or directory");
    CHECK_THROWS_WITH(writeFile("/tmp", ""), "/tmp: cannot be written: Is a directory");
    // Nobody can create files here, not even root.
    CHECK_THROWS_AS(writeFile("/proc/out.txt", ""), FileError);
}

TEST_CASE("an unwritable folder is reported") {
    if (geteuid() == 0) return;  // root may write everywhere; the test of /proc above holds for root too
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    CHECK_THROWS_WITH(writeFile(folder.file("out.txt"), ""),
                      "" + folder.file("out.txt") + ": cannot be written: Permission denied");
}

TEST_CASE("an output file that failed or is complete takes no more text") {
    const TemporaryFolder folder;
    OutputFile file(folder.file("out.txt"));
    file.write("all");
    file.commit();
    CHECK_THROWS_AS(file.write("more"), FileError);
    CHECK_THROWS_AS(file.commit(), FileError);
    CHECK(readText(folder.file("out.txt")) == "all");
    CHECK(folder.fileCount() == 1);
}
