// Tables of CombiTimeTable as text, and loads that are in one.

#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>
#include <elasto/scene/time_table.h>

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>

using namespace elasto;
using Catch::Contains;

namespace {

// As the documentation of CombiTimeTable has it, with its other separators and a second table.
constexpr const char* kText =
    "#1\n"
    "double tab1(3,2)   # comment line\n"
    "  0   0\n"
    "  1,  1.5e0;\n"
    "  2   +4 % another one\n"
    "\n"
    "float tab2(2,3) 0 1 2\n"
    "  5 -1 -2\n";

class Folder {
public:
    Folder() { std::filesystem::create_directories(m_path); }
    ~Folder() { std::filesystem::remove_all(m_path); }
    std::filesystem::path file(const char* name, const std::string& text) const {
        writeFile(m_path / name, text);
        return m_path / name;
    }

private:
    std::filesystem::path m_path =
        std::filesystem::temp_directory_path() / ("elasto_time_table_" + std::to_string(::getpid()));
};

std::string sceneWith(const std::string& points) {
    return R"({"elasto": 1, "name": "t", "bodies": [{"name": "m", "mass": 1, "angularFactor": [0, 0, 0]}], "duration": 1,
               "loads": [{"name": "l", "body": "m", "type": "table", "force": [1, 0, 0], "points": )" +
           points + "}]}";
}

}  // namespace

TEST_CASE("the tables of a file of CombiTimeTable are read as Modelica reads them") {
    const std::vector<TimeTable> tables = parseTimeTables(kText, "t.txt");
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].name == "tab1");
    CHECK(tables[0].values == std::vector<double>{0, 0, 1, 1.5, 2, 4});
    CHECK(tables[1].columns == 3);
    CHECK(tables[1].at(1, 2) == -2);
    CHECK(tables[0].titles.empty());
}

TEST_CASE("a table reads back to the same bits, with its titles") {
    const TimeTable table{.name = "run",
                          .columns = 3,
                          .values = {0, 0.1, -1e-300, 1. / 3, std::sqrt(2.), 5},
                          .titles = {"time", "a.b", "c[1]"}};
    const TimeTable back = parseTimeTables(timeTableText(table), "t").front();
    CHECK(back.name == table.name);
    CHECK(back.values == table.values);
    CHECK(back.titles == table.titles);
}

TEST_CASE("a file that is no table is refused with line and reason") {
    const auto refusal = [](const std::string& text) {
        try {
            parseTimeTables(text, "t.txt");
        } catch (const FileError& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    CHECK(refusal("time,x\n0,1\n") == "t.txt: is no table of CombiTimeTable; its first line must be #1");
    CHECK(refusal("#1\n") == "t.txt: has no table");
    CHECK_THAT(refusal("#1\ndouble tab(2,2)\n0 1\n2 abc\n"), Contains("t.txt:4: 'abc' is no number"));
    CHECK_THAT(refusal("#1\ndouble tab(2,2)\n0 1\n2\n"), Contains("ends after 3 of 4 numbers"));
    CHECK_THAT(refusal("#1\ndouble tab(0,2)\n"), Contains("'0' is no number of rows"));
    CHECK_THAT(refusal("#1\nint tab(1,2) 0 1\n"), Contains("'int' is not allowed"));
    CHECK_THAT(refusal("#1\ndouble tab(1,2) 0 nan\n"), Contains("'nan' is no number"));
}

TEST_CASE("a load is read from a table's file beside the scene's") {
    const Folder folder;
    folder.file("force.txt", kText);
    const auto load = [&](const std::string& points) {
        return loadScene(folder.file("scene.json", sceneWith(points))).loads.front().points;
    };
    using Points = std::vector<std::array<double, 2>>;
    CHECK(load(R"({"file": "force.txt"})") == Points{{0, 0}, {1, 1.5}, {2, 4}});
    CHECK(load(R"({"file": "force.txt", "table": "tab2", "column": 3})") == Points{{0, 2}, {5, -2}});
    const auto refusal = [&](const std::string& points) {
        try {
            load(points);
        } catch (const SceneError& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    CHECK_THAT(refusal(R"({"file": "none.txt"})"), Contains("/loads/0/points/file") && Contains("cannot be read"));
    CHECK_THAT(refusal(R"({"file": "force.txt", "table": "tab3"})"), Contains("tables: tab1, tab2"));
    CHECK_THAT(refusal(R"({"file": "force.txt", "column": 3})"), Contains("has columns 2 to 2"));
    CHECK_THAT(refusal(R"({"file": "force.txt", "row": 3})"), Contains("row"));
    CHECK_THAT(refusal(R"({"table": "tab1"})"), Contains("file"));
}
