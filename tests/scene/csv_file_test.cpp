#include <elasto/scene/csv_file.h>

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>

using Catch::Contains;
using elasto::CsvFile;
using elasto::FileError;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that is gone afterwards.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "elasto-csv-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~Folder() {
        fs::permissions(m_path, fs::perms::owner_all);
        fs::remove_all(m_path);
    }
    fs::path operator/(const char* name) const { return m_path / name; }
    const fs::path& path() const { return m_path; }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(m_path), fs::directory_iterator()); }

private:
    fs::path m_path;
};

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

/// Files of this process may not grow beyond a size, as on a full disk.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small = {bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, SIG_DFL);
    }

private:
    rlimit m_before{};
};

}  // namespace

TEST_CASE("a CSV has quoted names and numbers that read back bit for bit, and no -0") {
    const Folder folder;
    const double third = 1.0 / 3;
    CsvFile csv(folder / "run.csv", {"time", "mass.r_0[1]", "odd \"name\""});
    csv.addRow(std::array{0.0, third, -1e-300});
    csv.addRow(std::array{0.25, -0.0, std::numeric_limits<double>::max()});
    csv.finish();
    const std::string text = read(folder / "run.csv");
    CHECK(text.starts_with("\"time\",\"mass.r_0[1]\",\"odd \"\"name\"\"\"\n0,0.33333333333333331,"));
    CHECK(text.ends_with("\n0.25,0,1.7976931348623157e+308\n"));
    CHECK(std::strtod(text.substr(text.find("0.3333")).c_str(), nullptr) == third);
    CHECK(folder.files() == 1);
}

TEST_CASE("until it is finished the file has another name, and an old one stays") {
    const Folder folder;
    write(folder / "run.csv", "old");
    {
        CsvFile csv(folder / "run.csv", {"time"});
        csv.addRow(std::array{1.0});
        CHECK(read(folder / "run.csv") == "old");
    }
    CHECK(read(folder / "run.csv") == "old");
    CHECK(folder.files() == 1);
    CsvFile csv(folder / "run.csv", {"time"});
    csv.finish();
    CHECK(read(folder / "run.csv") == "\"time\"\n");
    CHECK(folder.files() == 1);
}

TEST_CASE("two runs into one file do not meet") {
    const Folder folder;
    CsvFile first(folder / "run.csv", {"time"});
    CsvFile second(folder / "run.csv", {"time"});
    first.addRow(std::array{1.0});
    second.addRow(std::array{2.0});
    second.finish();
    first.finish();
    CHECK(read(folder / "run.csv") == "\"time\"\n1\n");
    CHECK(folder.files() == 1);
}

TEST_CASE("a row of the wrong length is refused") {
    const Folder folder;
    CsvFile csv(folder / "run.csv", {"time", "x"});
    CHECK_THROWS_AS(csv.addRow(std::array{1.0}), std::invalid_argument);
}

TEST_CASE("a folder that does not exist or cannot be written gives one clear error") {
    const Folder folder;
    CHECK_THROWS_WITH(CsvFile(folder / "none" / "run.csv", {"time"}),
                      Contains("run.csv: cannot be written: No such file or directory"));
    CHECK_THROWS_WITH(CsvFile(folder.path(), {"time"}), Contains("cannot be written: Is a directory"));
    // In /proc not even root can create a file.
    CHECK_THROWS_AS(CsvFile("/proc/run.csv", {"time"}), FileError);
    if (geteuid() != 0) {
        fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
        CHECK_THROWS_WITH(CsvFile(folder / "run.csv", {"time"}), Contains("cannot be written: Permission denied"));
    }
}

TEST_CASE("a full device gives one clear error") {
    CsvFile csv("/dev/full", {"time"});
    csv.addRow(std::array{1.0});
    CHECK_THROWS_WITH(csv.finish(), "/dev/full: cannot be written: No space left on device");
}

TEST_CASE("a disk that is full in the middle of a run leaves no partial file") {
    const Folder folder;
    write(folder / "run.csv", "old");
    std::string message;
    {
        const SmallDisk small(200'000);
        CsvFile csv(folder / "run.csv", {"time", "x"});
        try {
            for (int i = 0; i < 100'000; ++i) csv.addRow(std::array{i / 3.0, i / 7.0});
            csv.finish();
        } catch (const FileError& error) {
            message = error.what();
        }
    }
    CHECK_THAT(message, Contains("run.csv: cannot be written: "));
    CHECK(read(folder / "run.csv") == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("a run that fits is whole, however large") {
    const Folder folder;
    CsvFile csv(folder / "run.csv", {"time", "x"});
    for (int i = 0; i < 10'000; ++i) csv.addRow(std::array{i / 3.0, i / 7.0});
    csv.finish();
    const std::string text = read(folder / "run.csv");
    CHECK(std::count(text.begin(), text.end(), '\n') == 10'001);
}

TEST_CASE("a link is kept and what it points to is written") {
    const Folder folder;
    write(folder / "target.csv", "old");
    fs::create_symlink("target.csv", folder / "link.csv");
    CsvFile csv(folder / "link.csv", {"time"});
    csv.finish();
    CHECK(fs::is_symlink(folder / "link.csv"));
    CHECK(read(folder / "target.csv") == "\"time\"\n");
}
