// elasto convergence, as a user calls it.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "csv.h"
#include "json_output.h"
#include "program.h"
#include "temporary_folder.h"

using namespace elasto::tools;
using Catch::Matchers::Contains;
using elasto::test::ProgramResult;
using elasto::test::runElasto;
using elasto::test::TemporaryFolder;

namespace {

const std::vector<std::string> kFewRates = {"--rates", "60", "240", "960", "3840"};

ProgramResult study(std::vector<std::string> arguments, bool fewRates = true) {
    arguments.insert(arguments.begin(), "convergence");
    if (fewRates) arguments.insert(arguments.end(), kFewRates.begin(), kFewRates.end());
    return runElasto(arguments);
}

std::string sceneFile(const TemporaryFolder& folder, const std::string& elements, const std::string& shape = "") {
    const std::string file = (folder.path() / "scene.json").string();
    std::ofstream(file) << R"({"elasto": 1, "name": "small", "duration": 0.5, "bodies": [
        {"name": "mass", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 0.2, 0])"
                        << shape << R"(},
        {"name": "wall", "motion": "fixed", "position": [3, 0, 0])"
                        << shape << R"(}], "elements": [)" << elements << "]}";
    return file;
}

std::string element(const std::string& name, const std::string& type, const std::string& rest) {
    return R"({"name": ")" + name + R"(", "type": ")" + type +
           R"(", "frame_a": {"body": "world"}, "frame_b": {"body": "mass"}, )" + rest + "}";
}

const std::string kStop = element("stop", "ElastoGap", R"("axis": [0, 1, 0], "c": 1e4, "d": 5)");

}  // namespace

TEST_CASE("convergence measures Bullet's ways and ours at every rate") {
    const TemporaryFolder folder;
    const std::string csv = (folder.path() / "errors.csv").string();
    const ProgramResult result = study({sceneFile(folder, kStop), "--json", "--csv", csv});
    INFO(result.errors);
    REQUIRE(result.code == 0);
    const Json json = Json::parse(result.output);
    REQUIRE(json["ways"].size() == 4);
    const Json& plain = json["ways"][0];
    const Json& ours = json["ways"][3];
    REQUIRE(ours["name"] == "Elasto");
    // At 60 Hz h omega is 1.7; at 3840 Hz the explicit law is at home.
    CHECK(plain["nrmse"][3].get<double>() < 0.02);
    CHECK(plain["nrmse"][3].get<double>() > 1e-5);
    CHECK(plain["nrmse"][1].get<double>() > plain["nrmse"][3].get<double>());
    for (const Json& error : ours["nrmse"]) CHECK(error.get<double>() < 1e-5);
    CHECK(json["rates"] == Json({60, 240, 960, 3840}));

    std::ifstream file(csv);
    std::string line;
    std::getline(file, line);
    CHECK(line == "rate,\"explicit\",\"soft row\",\"restitution\",\"Elasto\"");
    int rows = 0;
    while (std::getline(file, line)) ++rows;
    CHECK(rows == 4);
}

TEST_CASE("convergence draws its picture and prints orders") {
    const TemporaryFolder folder;
    const std::string picture = (folder.path() / "errors.svg").string();
    const ProgramResult result = study({sceneFile(folder, kStop), "-o", picture});
    INFO(result.errors);
    REQUIRE(result.code == 0);
    CHECK_THAT(result.output, Contains("order") && Contains("0.1 % from") && Contains("NRMSE of stop.s_rel"));
    CHECK(std::filesystem::file_size(picture) > 1000);
}

TEST_CASE("convergence says why Bullet has nothing for an element") {
    const TemporaryFolder folder;
    const auto output = [&](const std::string& one) {
        const ProgramResult result = study({sceneFile(folder, one)});
        INFO(result.errors);
        CHECK(result.code == 0);
        return result.output;
    };
    const std::string series =
        output(element("s", "SpringDamperSeries", R"("geometry": "axis", "axis": [0, 1, 0], "c": 100, "d": 5)"));
    CHECK_THAT(series, Contains("no soft row: Bullet has no constraint with spring and damper in series"));
    CHECK_THAT(series, Contains("no restitution: Bullet has no"));
    const std::string spring =
        output(element("s", "SpringDamper", R"("geometry": "axis", "axis": [0, 1, 0], "c": 100, "d": 5)"));
    CHECK_THAT(spring, Contains("no restitution: a spring has no stop") && !Contains("no soft row"));
}

TEST_CASE(
    "convergence compares a robot with its own run of small ticks, and with Bullet's step if it has no elements") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "pendulum.urdf").string();
    const auto write = [&](const std::string& element) {
        std::ofstream(file) << R"(<robot name="pendulum"><link name="base"/><link name="arm"><inertial>
            <origin xyz="0.3 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/>
            </inertial></link><joint name="j" type="continuous"><parent link="base"/><child link="arm"/>
            <axis xyz="0 1 0"/></joint>)"
                            << element << "</robot>";
    };
    const auto waysOf = [&] {
        const ProgramResult result =
            runElasto({"convergence", file, "--rates", "60", "120", "240", "480", "--duration", "2", "--json"});
        INFO(result.errors);
        REQUIRE(result.code == 0);
        const Json json = Json::parse(result.output);
        CHECK(json["signal"] == "j.phi");
        CHECK(json["reference"] == "its own run at 1920 Hz");
        return json["ways"];
    };
    write("");
    const Json plain = waysOf();
    REQUIRE(plain.size() == 2);
    CHECK(plain[0]["name"] == "Bullet");
    CHECK(plain[0]["order"].get<double>() == Approx(1).margin(0.2));  // a step of first order
    for (const Json& error : plain[1]["nrmse"]) CHECK(error.get<double>() < 1e-5);
    write(R"(<elasto:spring joint="j" c="20" d="0.1"/>)");
    const Json sprung = waysOf();
    CHECK(sprung[0]["reason"] == "its own step knows no elements");
    for (const Json& error : sprung[1]["nrmse"]) CHECK(error.get<double>() < 1e-5);
}

TEST_CASE("convergence refuses what it cannot judge, with the reason") {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::vector<std::string>& arguments, bool fewRates = true) {
        const ProgramResult result = study(arguments, fewRates);
        CHECK(result.code == 2);
        CHECK(result.output.empty());
        return result.errors;
    };
    CHECK_THAT(refusal({"elasto_gap"}), Contains("has 4 elements") && Contains("exactly one"));
    CHECK_THAT(refusal({sceneFile(folder, kStop, R"(, "shape": {"type": "sphere", "radius": 0.1})")}),
               Contains("'mass' and 'wall' have shapes that may touch"));
    CHECK_THAT(refusal({sceneFile(folder, kStop), "--duration", "0.01"}), Contains("it must last at least 5 ticks"));
    CHECK_THAT(refusal({sceneFile(folder, kStop), "--rates", "60", "100"}, false),
               Contains("100 is not allowed; each rate must be a whole multiple of the lowest, 60"));
    const std::string still = (folder.path() / "still.urdf").string();
    std::ofstream(still) << R"(<robot name="still"><link name="a"/></robot>)";
    CHECK_THAT(refusal({still}), Contains("has no joint that moves by one coordinate"));
    std::ofstream(still) << R"(<robot name="still"><link name="a"/><link name="b"><inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="j" type="continuous">
        <parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>)";
    CHECK_THAT(refusal({still, "--duration", "1"}), Contains("stands still (j.phi moves by less than 1e-06"));
}
