#include "csv.h"

#include <elasto/scene/file_error.h>
#include <catch2/catch.hpp>

#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;
using Catch::Matchers::Equals;

namespace {

std::string messageOf(const std::string& text) {
    try {
        parseCsv(text, "run.csv");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("a CSV file is read with quoted and plain names, CRLF and blank lines") {
    const Trajectory table =
        parseCsv("\"time\",\"gap.f\",mass.r_0[1],\"a \"\"b\"\", c\"\r\n0,1,-2,3\r\n\r\n0.5,1e-3,+4,5\r\n", "");
    CHECK(table.time == std::vector<double>{0, 0.5});
    REQUIRE(table.signals == std::vector<std::string>{"gap.f", "mass.r_0[1]", "a \"b\", c"});
    CHECK(table.columns[0] == std::vector<double>{1, 1e-3});
    CHECK(table.columns[1] == std::vector<double>{-2, 4});
    CHECK(table.columns[2] == std::vector<double>{3, 5});
}

TEST_CASE("numbers with 17 digits are read back bit for bit") {
    const Trajectory table = parseCsv("time,x\n0,0.10000000000000001\n1,-1.7976931348623157e+308\n", "");
    CHECK(table.columns[0][0] == 0.1);
    CHECK(table.columns[0][1] == -1.7976931348623157e308);
}

TEST_CASE("a time may repeat, as at an event") {
    CHECK(parseCsv("time,x\n0,0\n1,1\n1,2\n", "").time == std::vector<double>{0, 1, 1});
}

TEST_CASE("wrong CSV content is refused with file, line, column and value") {
    CHECK_THAT(messageOf(""), Equals("run.csv: the file is empty; its first line must name the columns"));
    CHECK_THAT(messageOf(std::string("time,x\n0,1\0\n", 11)), Equals("run.csv: has a byte of value 0; it is no text"));
    CHECK_THAT(messageOf("s,x\n0,0\n"), Equals("run.csv: the first column is 's'; it must be 'time'"));
    CHECK_THAT(messageOf("\"time\",\"x\n0,1\n"), Equals("run.csv:1: the quote of 'x' has no end on this line"));
    CHECK_THAT(messageOf("{\n"), Equals("run.csv: is not a table of signals but JSON; a table begins with the line "
                                        "time,..."));
    CHECK_THAT(messageOf("time,x,x\n"), Equals("run.csv: column 'x' appears twice"));
    CHECK_THAT(messageOf("time,x\n0,0\n1,abc\n"), Equals("run.csv:3: x: 'abc' is not a number"));
    CHECK_THAT(messageOf("time,x\n0,\n"), Equals("run.csv:2: x: '' is not a number"));
    CHECK_THAT(messageOf("time,x,y\n0,0\n"), Equals("run.csv:2: 2 values; the header has 3 columns"));
    CHECK_THAT(messageOf("time,x\n0,0,1\n"), Equals("run.csv:2: more values than the 2 columns of the header"));
    CHECK_THAT(messageOf("time,x\n1,0\n0.5,0\n"),
               Equals("run.csv:3: time = 0.5 is not allowed; it must be >= the 1 of the line before"));
}

TEST_CASE("a CSV file that cannot be read is an I/O error that says why") {
    CHECK_THROWS_WITH(readCsv("/nowhere/run.csv"), "/nowhere/run.csv: cannot be read: No such file or directory");
    CHECK_THROWS_WITH(readCsv("/"), "/: cannot be read: Is a directory");
    CHECK_THROWS_WITH(readCsv("/dev/zero"), "/dev/zero: cannot be read: It is a device");
    CHECK_THROWS_AS(readCsv("/nowhere/run.csv"), FileError);
}

TEST_CASE("CSV files of Dymola, OpenModelica and MapleSim are read") {
    const auto isSame = [](const Trajectory& table) {
        CHECK(table.time == std::vector<double>{0, 0.5});
        REQUIRE(table.signals == std::vector<std::string>{"gap.f", "mass.r_0[1]"});
        CHECK(table.columns[0] == std::vector<double>{1, -2.5});
        CHECK(table.columns[1] == std::vector<double>{3, 4});
    };
    isSame(parseCsv("\"time\",\"gap.f\",\"mass.r_0[1]\"\n0,1,3\n0.5,-2.5,4\n", ""));
    isSame(parseCsv("Time [s];gap.f [N];mass.r_0[1] [m]\n0;1;3\n0,5;-2,5;4\n", ""));
    isSame(parseCsv("time;gap.f;mass.r_0[1]\n0;1;3\n0.5;-2.5;4\n", ""));
    isSame(parseCsv("t\tgap.f\tmass.r_0[1]\n0\t1\t3\n0.5\t-2.5\t4\n", ""));
    isSame(parseCsv("time,gap.f,mass.r_0[1],\n0,1,3,\n0.5,-2.5,4,\n", ""));
}
