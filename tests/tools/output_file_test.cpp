#include <elasto/scene/output_file.h>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

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
