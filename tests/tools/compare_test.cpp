#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "program.h"
#include "temporary_folder.h"

using namespace elasto::test;
using Catch::Matchers::Contains;

namespace {

/// Two files whose signals differ by known amounts: gap.f by 0.1 of a range of 10, mass.s not at all.
struct Files {
    TemporaryFolder folder;
    std::string a = folder.file("a.csv");
    std::string b = folder.file("b.csv");
    Files() {
        writeText(a, "time,gap.f,mass.s,only.a\n0,0,1,0\n1,5,2,0\n2,10,3,0\n");
        writeText(b, "time,mass.s,gap.f\n-1,0,-4.9\n0,1,0.1\n1,2,5.1\n2,3,10.1\n3,4,15.1\n");
    }
};

}  // namespace

TEST_CASE("compare finds known differences and judges them by the tolerance") {
    const Files files;
    const ProgramResult strict = runElasto({"compare", files.a, files.b});
    CHECK(strict.code == 1);
    CHECK_THAT(strict.output, Contains("3 rows from 0 to 2 s; worst: gap.f with 1 % (tolerance 1e-07 %)"));
    CHECK(runElasto({"compare", files.a, files.b, "--tolerance", "0.0099"}).code == 1);
    CHECK(runElasto({"compare", files.a, files.b, "--tolerance", "0.0101"}).code == 0);
    CHECK(runElasto({"compare", files.a, files.a}).code == 0);
}

TEST_CASE("compare takes what is constant but for rounding for equal") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.csv"), b = folder.file("b.csv"), c = folder.file("c.csv");
    writeText(a, "time,stop.f,arm.q[4]\n0,19.613299999999999,1\n1,19.613300000000002,1\n2,19.613299999999999,1\n");
    writeText(b,
              "time,stop.f,arm.q[4]\n0,19.613300000000002,1\n1,19.613299999999999,0.99999999999999989\n2,19.6133,1\n");
    writeText(c, "time,stop.f,arm.q[4]\n0,19.6133,1\n1,19.6133,1\n2,19.6134,1\n");
    CHECK(runElasto({"compare", a, b}).code == 0);
    CHECK(runElasto({"compare", b, a}).code == 0);
    CHECK(runElasto({"compare", a, b, "--tube", "0.001"}).code == 0);
    CHECK(runElasto({"compare", a, c}).code == 1);
    CHECK(runElasto({"compare", a, c, "--tube", "0.001"}).code == 1);
}

TEST_CASE("the JSON summary of compare can be read") {
    const Files files;
    const ProgramResult result = runElasto({"compare", files.a, files.b, "--json", "--tolerance", "0.001"});
    CHECK(result.code == 1);
    const nlohmann::json json = nlohmann::json::parse(result.output);
    CHECK(json.at("equal") == false);
    CHECK(json.at("rows") == 3);
    CHECK(json.at("worst").at("signal") == "gap.f");
    REQUIRE(json.at("signals").size() == 2);
    CHECK(json.at("signals")[0].at("nrmse").get<double>() == Approx(0.01));
    CHECK(json.at("signals")[0].at("largestError").get<double>() == Approx(0.1));
    CHECK(json.at("signals")[1].at("nrmse") == 0);
}

TEST_CASE("compare says what is wrong with a file") {
    const Files files;
    writeText(files.folder.file("bad.csv"), "time,gap.f\n0,zero\n");
    const ProgramResult bad = runElasto({"compare", files.a, files.folder.file("bad.csv")});
    CHECK(bad.code == 2);
    CHECK_THAT(bad.errors, Contains("bad.csv:2: gap.f: 'zero' is not a number"));
    writeText(files.folder.file("nan.csv"), "time,gap.f\n0,1\n1,nan\n");
    const ProgramResult nan = runElasto({"compare", files.folder.file("nan.csv"), files.folder.file("nan.csv")});
    CHECK(nan.code == 2);
    CHECK_THAT(nan.errors, Contains("nan.csv: gap.f is nan at time = 1; only finite values can be compared"));
    const ProgramResult missing = runElasto({"compare", files.a, files.folder.file("missing.csv")});
    CHECK(missing.code == 3);
    CHECK_THAT(missing.errors, Contains("missing.csv") && Contains("No such file or directory"));
}

TEST_CASE("the same scene at two rates gives the same motion") {
    const TemporaryFolder folder;
    const std::string slow = folder.file("60.csv");
    const std::string fast = folder.file("240.csv");
    REQUIRE(runElasto({"run", "drop_c1e6_d5", "--hz", "60", "--csv", slow, "--signals", "mass.s"}).code == 0);
    REQUIRE(runElasto({"run", "drop_c1e6_d5", "--hz", "240", "--csv", fast, "--signals", "mass.s"}).code == 0);
    CHECK(runElasto({"compare", slow, fast, "--tolerance", "0.00005"}).code == 0);
}

TEST_CASE("compare judges by tubes, writes a page, and reads result files of Modelica tools") {
    const Files files;
    const std::string page = files.folder.file("page");
    const ProgramResult inside = runElasto({"compare", files.a, files.b, "--tube", "0.02"});
    CHECK(inside.code == 0);
    CHECK_THAT(inside.output, Contains("tube +/-") && Contains("NRMSE %") && Contains("inside"));
    const ProgramResult outside = runElasto({"compare", files.a, files.b, "--tube", "0.001", "--report", page});
    CHECK(outside.code == 1);
    CHECK_THAT(outside.output, Contains("OUTSIDE"));
    CHECK_THAT(readText(page + "/index.html"), Contains("1 of 2 signals leave the tube around a.csv"));
    const ProgramResult json = runElasto({"compare", files.a, files.b, "--tube", "0.02", "--json"});
    CHECK(nlohmann::json::parse(json.output).at("equal") == true);
    const ProgramResult floor = runElasto({"compare", files.a, files.b, "--tube", "0.001", "--tube-floor", "0.2"});
    CHECK(floor.code == 0);
    const ProgramResult useless = runElasto({"compare", files.a, files.b, "--report", page});
    CHECK(useless.code == 2);
    CHECK_THAT(useless.errors, Contains("--report and --tube-floor need --tube"));

    const std::string mat = files.folder.file("run.mat"), csv = files.folder.file("run.csv");
    REQUIRE(runElasto({"run", "elasto_gap", "--hz", "60", "--duration", "1", "--mat", mat, "--csv", csv}).code == 0);
    CHECK(runElasto({"compare", mat, csv, "--tolerance", "0"}).code == 0);
    CHECK(runElasto({"plot", mat, "-o", files.folder.file("run.svg")}).code == 0);
    const ProgramResult both = runElasto({"run", "elasto_gap", "--mat", mat, "--csv", mat});
    CHECK(both.code == 2);
    CHECK_THAT(both.errors, Contains("it is the file of --csv"));
    CHECK_THAT(runElasto({"run", "elasto_gap", "--events"}).errors, Contains("--events needs --csv, --mat or --table"));
    const ProgramResult large = runElasto({"run", "elasto_gap", "--hz", "1e6", "--duration", "100", "--mat", mat});
    CHECK(large.code == 2);
    CHECK_THAT(large.errors, Contains("a MAT file of version 4 takes 2 GB"));
}
