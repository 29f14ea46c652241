#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>

#include "csv.h"
#include "interrupt.h"
#include "program.h"
#include "temporary_folder.h"

using namespace elasto::test;
using namespace elasto::tools;
using Catch::Matchers::Contains;

TEST_CASE("verify measures a case at the wanted rates and prints one table") {
    const ProgramResult result = runElasto({"verify", "gap_laws", "--hz", "60", "240"});
    CHECK(result.code == 0);
    CHECK_THAT(result.output, Contains("gap_laws   60  positions") && Contains("gap_laws  240  mean force") &&
                                  Contains("closed form") && Contains("every target is met"));
    CHECK_THAT(result.output, !Contains("MISSED"));
}

TEST_CASE("verify counts energy rises") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "scenes");
    std::filesystem::copy(ELASTO_SOURCE_DIR "/assets/scenes/drop_c1e6_d0.json", folder.path() / "scenes");
    writeText(folder.file("verify.json"),
              R"({"rates": [60], "energyTicks": 500, "single": {"factor": 3, "least": 0.005},
        "cases": [{"scene": "drop_c1e6_d0", "why": "test", "targets": {"positions": 0.0001}, "energyRise": 1e-9}]})");
    const ProgramResult result =
        runElasto({"verify", "--json"}, {.environment = {{"ELASTO_ASSETS", folder.path().string()}}});
    const nlohmann::json json = nlohmann::json::parse(result.output);
    CHECK(result.code == 0);
    CHECK(json.at("precision") == ELASTO_PRECISION);
    const nlohmann::json& energy = json.at("results").at(0).at("energy");
    CHECK(energy.at("ticks") == 500);
    // The energy that is read back from single-precision numbers is rounded to 6e-8 and gathers over the bounces.
    CHECK(energy.at("rise").get<double>() < (std::string(ELASTO_PRECISION) == "double" ? 1e-9 : 1e-5));
    CHECK(energy.at("target").is_null() == (std::string(ELASTO_PRECISION) == "single"));
}

TEST_CASE("a missed target gives exit code 1 and says so") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "scenes");
    std::filesystem::copy(ELASTO_SOURCE_DIR "/assets/scenes/armature_stopper.json", folder.path() / "scenes");
    writeText(folder.file("verify.json"), R"({"rates": [60], "energyTicks": 1, "single": {"factor": 1, "least": 1e-12},
        "cases": [{"scene": "armature_stopper", "why": "test", "targets": {"positions": 1e-10}}]})");
    const ProgramOptions options{.environment = {{"ELASTO_ASSETS", folder.path().string()}}};
    const ProgramResult table = runElasto({"verify"}, options);
    CHECK(table.code == 1);
    CHECK_THAT(table.output, Contains("MISSED") && Contains("TARGETS WERE MISSED"));
    const ProgramResult json = runElasto({"verify", "--json"}, options);
    CHECK(json.code == 1);
    CHECK(nlohmann::json::parse(json.output).at("passes") == false);
}

TEST_CASE("verify takes a scene of one's own, without targets") {
    const TemporaryFolder folder;
    writeText(folder.file("mine.json"), R"({"elasto": 1, "name": "mine", "duration": 0.5,
        "bodies": [{"name": "m", "mass": 2, "inertia": [0.1, 0.2, 0.3], "position": [0, -1, 0]}],
        "elements": [{"name": "s", "type": "Spring", "frame_a": {"body": "world"},
                      "frame_b": {"body": "m", "position": [0.1, 0, 0]}, "c": 40, "s_unstretched": 0.5}]})");
    const ProgramResult result = runElasto({"verify", "--scene", folder.file("mine.json"), "--hz", "60", "--json"});
    CHECK(result.code == 0);
    const nlohmann::json json = nlohmann::json::parse(result.output);
    REQUIRE(json.at("results").size() == 1);
    for (const nlohmann::json& group : json.at("results")[0].at("groups")) {
        CHECK(group.at("nrmse").get<double>() < 1e-5);
        CHECK(group.at("target").is_null());
    }
}

TEST_CASE("a clutch without strength is no error of verify's") {
    const TemporaryFolder folder;
    writeText(folder.file("clutch.json"), R"({"elasto": 1, "name": "clutch", "duration": 1, "gravity": [0, 0, 0],
        "bodies": [{"name": "motor", "mass": 1, "inertia": [0.1, 0.1, 0.1]},
                   {"name": "load", "mass": 1, "inertia": [0.1, 0.1, 0.1]}],
        "elements": [{"name": "clutch", "type": "BearingFriction", "frame_a": {"body": "motor"},
                      "frame_b": {"body": "load"}, "tau_Coulomb": 3,
                      "f_normalized": {"type": "table", "points": [[0, 0], [0.5, 0], [0.6, 1]]}}],
        "loads": [{"name": "torque", "body": "motor", "torque": [0, 0, 0.5], "type": "constant"}]})");
    const ProgramResult result = runElasto({"verify", "--scene", folder.file("clutch.json"), "--hz", "240", "--json"});
    REQUIRE(result.code == 0);
    const double most = std::string(ELASTO_PRECISION) == "double" ? 1e-9 : 1e-5;
    for (const nlohmann::json& group : nlohmann::json::parse(result.output).at("results").at(0).at("groups")) {
        INFO(group.dump());
        CHECK(group.at("nrmse").get<double>() < most);
    }
    // The oracle's clutch carries nothing while it has no strength.
    const std::string csv = folder.file("reference.csv");
    REQUIRE(runElasto({"run", folder.file("clutch.json"), "--reference", "--csv", csv, "--duration", "0.5", "--signals",
                       "clutch.tau", "clutch.tau_mean", "load.w_a[3]"})
                .code == 0);
    for (const std::vector<double>& column : elasto::tools::readCsv(csv).columns) {
        CHECK(std::all_of(column.begin(), column.end(), [](double value) { return value == 0; }));
    }
}

TEST_CASE("verify lists its cases with targets and reasons") {
    const ProgramResult result = runElasto({"verify", "--list"});
    CHECK(runElasto({"verify", "--list", "extra"}).code == 2);
    CHECK(result.code == 0);
    CHECK_THAT(result.output, Contains("armature_stopper") && Contains("positions 0.05 %") &&
                                  Contains("at 60 Hz positions 0.05 %") && Contains("energy rise 1e-09"));
}

TEST_CASE("verify coupled prints reached and target of networks with joints", "[slow]") {
    const ProgramResult result = runElasto({"verify", "coupled", "pendulum", "plate", "--hz", "60"});
    CHECK(result.code == 0);
    const std::string target = std::string(ELASTO_PRECISION) == "double" ? "0.03  %  ok" : "0.09  %  ok";
    CHECK_THAT(result.output, Contains("pendulum  60") && Contains("hinge.phi_rel") && Contains(target) &&
                                  Contains("(worst of 2)") && Contains("every target is met"));
    const ProgramResult all = runElasto({"verify", "coupled", "plate", "--hz", "60", "--all", "--json"});
    CHECK(all.code == 0);
    const nlohmann::json json = nlohmann::json::parse(all.output);
    REQUIRE(json.at("results").size() == 2);
    CHECK(json.at("results")[1].at("variant") == "s_rel0 1e-05");
    CHECK(json.at("results")[1].at("target").get<double>() ==
          Approx(std::string(ELASTO_PRECISION) == "double" ? 0.05 : 0.15));
}

TEST_CASE("verify coupled ends with exit code 1 where a target is missed") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "scenes");
    std::filesystem::copy(ELASTO_SOURCE_DIR "/assets/scenes/coupled/hinge_stop.json", folder.path() / "scenes");
    const auto plan = [&](const std::string& targets) {
        writeText(folder.file("verify_coupled.json"),
                  R"({"rates": [60], "single": {"factor": 1, "least": 1e-12}, "cases": [{"name": "stop",
                      "scene": "hinge_stop", "why": "test", "checks": [)" +
                      targets + "]}]}");
    };
    const ProgramOptions options{.environment = {{"ELASTO_ASSETS", folder.path().string()}}};
    plan(R"({"measure": "nrmse", "signals": ["hinge.phi_rel"], "target": 1e-13})");
    const ProgramResult missed = runElasto({"verify", "coupled"}, options);
    CHECK(missed.code == 1);
    CHECK_THAT(missed.output, Contains("MISSED") && Contains("TARGETS WERE MISSED"));
    plan(R"({"measure": "nrmse", "signals": ["hinge.psi"], "target": 1})");
    const ProgramResult wrong = runElasto({"verify", "coupled"}, options);
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.errors, Contains("'hinge.psi' fits no signal"));
}

TEST_CASE("verify coupled shows the implicit step's error over its sub-steps") {
    std::vector<double> reached;
    for (const char* substeps : {"4", "32"}) {
        const ProgramResult result =
            runElasto({"verify", "coupled", "crates", "--hz", "60", "--json", "--substeps", substeps});
        REQUIRE(result.code == 0);
        const nlohmann::json softest = nlohmann::json::parse(result.output).at("results")[0];
        CHECK(softest.at("target").is_null());
        reached.push_back(softest.at("reached"));
    }
    CHECK(reached[1] < reached[0] / 16);  // of order 2: an eighth of the sub-step, 1/64 where both are short
    const ProgramResult wrong = runElasto({"verify", "coupled", "crates", "--substeps", "0"});
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.errors, Contains("--substeps") && Contains("Value 0 not in range 1 to 1024"));
    const ProgramResult elsewhere = runElasto({"verify", "robots", "--substeps", "4"});
    CHECK(elsewhere.code == 2);
    CHECK_THAT(elsewhere.errors, Contains("--substeps: 4 is not allowed here; it must come with the suite coupled"));
}

TEST_CASE("verify coupled says what is allowed") {
    const ProgramResult unknown = runElasto({"verify", "coupled", "pendulun"});
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.errors, Contains("'pendulun' is not allowed; did you mean 'pendulum'?"));
    const ProgramResult own = runElasto({"verify", "coupled", "--scene", "x.json"});
    CHECK(own.code == 2);
    CHECK_THAT(own.errors, Contains("--scene: 'x.json' is not allowed with the suite coupled"));
    const ProgramResult all = runElasto({"verify", "--all"});
    CHECK(all.code == 2);
    CHECK_THAT(all.errors, Contains("--all"));
    const ProgramResult list = runElasto({"verify", "coupled", "--list"});
    CHECK(list.code == 0);
    CHECK_THAT(list.output, Contains("hinge_stop") && Contains("NRMSE 0.15 % at 60 Hz, 0.02 % at 240 Hz"));
}

TEST_CASE("a scene of a suite is found by its folder and name") {
    const ProgramResult found = runElasto({"explain", "coupled/pendulum"});
    CHECK(found.code == 0);
    const ProgramResult missing = runElasto({"explain", "coupled/pendulun"});
    CHECK(missing.code == 3);
    CHECK_THAT(missing.errors, Contains("cannot read scene 'coupled/pendulun': there is no such file"));
}

TEST_CASE("explain and equilibrium give JSON that can be read") {
    const nlohmann::json facts = nlohmann::json::parse(runElasto({"explain", "drop_c1e6_d5", "--json"}).output);
    CHECK(facts.at("elements").at(0).at("frequency").get<double>() == Approx(355.88).epsilon(1e-4));
    const TemporaryFolder folder;
    const ProgramResult rest = runElasto({"equilibrium", "drop_c1e6_d5", "--json", "-o", folder.file("rest.json")});
    CHECK(rest.code == 0);
    CHECK(nlohmann::json::parse(rest.output).at("found") == true);
    // The written scene rests in the world too.
    const ProgramResult run = runElasto({"run", folder.file("rest.json"), "--json"});
    CHECK(nlohmann::json::parse(run.output).at("values").at("gap.f").get<double>() ==
          Approx(-0.2 * 9.80665).epsilon(0.02));
}

TEST_CASE("equilibrium does not overwrite what it reads") {
    const TemporaryFolder folder;
    const std::string scene = folder.file("drop.json"), urdf = folder.file("arm6.urdf"),
                      robot = folder.file("arm6.json");
    std::filesystem::copy(ELASTO_SOURCE_DIR "/assets/scenes/drop_c1e6_d5.json", scene);
    for (const std::string& file : {urdf, robot}) {
        const std::string name = std::filesystem::path(file).filename().string();
        std::filesystem::copy(ELASTO_SOURCE_DIR "/assets/robots/" + name, file);
    }
    // The scene, a robot's scene, what that names, and a robot's file.
    for (const auto& [input, output] : {std::pair(scene, scene), {robot, robot}, {robot, urdf}, {urdf, urdf}}) {
        const std::string before = readText(output);
        const ProgramResult result = runElasto({"equilibrium", input, "-o", output});
        CHECK(result.code == 2);
        CHECK(result.errors == "elasto: --output: '" + output + "' is not allowed; it is what the command reads\n");
        CHECK(readText(output) == before);
    }
}

TEST_CASE("equilibrium says why there is none") {
    const TemporaryFolder folder;
    writeText(folder.file("free.json"), R"({"elasto": 1, "name": "free", "bodies": [{"name": "ball", "mass": 1,
        "inertia": [1, 1, 1]}]})");
    const ProgramResult result = runElasto({"equilibrium", folder.file("free.json"), "-o", folder.file("rest.json")});
    CHECK(result.code == 1);
    CHECK_THAT(result.errors, Contains("nothing balances a force of (0, -9.807, 0) N on body 'ball'"));
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("verify robots prints reached and target of elements on multibodies", "[slow]") {
    const ProgramResult result = runElasto({"verify", "robots", "bar_stop", "drive", "--hz", "240"});
    CHECK(result.code == 0);
    CHECK_THAT(result.output, Contains("bar_stop"));
    CHECK_THAT(result.output, Contains("(worst of"));
    CHECK_THAT(result.output, Contains("elements on multibodies: every target is met"));
    const ProgramResult all = runElasto({"verify", "robots", "gear_train", "--hz", "60", "--all", "--json"});
    CHECK(all.code == 0);
    const nlohmann::json json = nlohmann::json::parse(all.output);
    REQUIRE(json["results"].size() == 4);  // wheels on links and on hinges
    for (const nlohmann::json& one : json["results"]) {
        CHECK(one["case"] == "gear_train");
        CHECK(one["target"].get<double>() == Approx(std::string(ELASTO_PRECISION) == "double" ? 0.05 : 0.15));
        CHECK(one["reached"] < 0.05);
        CHECK(one["reached"] > 0);
        CHECK_THAT(one["signal"].get<std::string>(), Contains(" to "));
    }
}

TEST_CASE("verify robots says what is allowed") {
    const ProgramResult unknown = runElasto({"verify", "robots", "bar"});
    CHECK(unknown.code == 2);
    CHECK_THAT(unknown.errors, Contains("CASE: 'bar' is not allowed; it must be one of bar_stop, arm,"));
    const ProgramResult own = runElasto({"verify", "robots", "--scene", "x.json"});
    CHECK(own.code == 2);
    CHECK_THAT(own.errors, Contains("--scene: 'x.json' is not allowed with the suite robots"));
    const ProgramResult list = runElasto({"verify", "robots", "--list"});
    CHECK(list.code == 0);
    CHECK_THAT(list.output, Contains("NRMSE 0.02 % at 60 Hz, 0.002 % at 240 Hz"));
    CHECK_THAT(list.output, Contains("six_axes"));
}

TEST_CASE("verify swing compares robots' files with the oracle, link by link") {
    const ProgramResult result = runElasto({"verify", "swing", "--hz", "240", "--json"});
    CHECK(result.code == 0);
    CHECK(result.errors.empty());
    const nlohmann::json json = nlohmann::json::parse(result.output);
    REQUIRE(json["results"].size() == 3);
    const bool isDouble = std::string(ELASTO_PRECISION) == "double";
    for (const nlohmann::json& one : json["results"]) {
        INFO(one);
        CHECK(one["target"].get<double>() == Approx(isDouble ? 0.01 : 0.03));
        CHECK(one["reached"] > 0);
        if (isDouble) CHECK(one["reached"] < 1e-4);
    }
    CHECK_THAT(json["results"][1]["signal"].get<std::string>(), Contains(".phi to 2 s"));
}

TEST_CASE("verify swing takes any robot's file: skew inertias, slides, joints that cross, written either way round") {
    const TemporaryFolder folder;
    const std::string inertial =
        "<inertial><pose>0.1 0.02 -0.2 0.3 0.2 0.1</pose><mass>1.5</mass><inertia><ixx>0.02</ixx><ixy>0.003</ixy>"
        "<ixz>-0.002</ixz><iyy>0.03</iyy><iyz>0.004</iyz><izz>0.025</izz></inertia></inertial>";
    const auto link = [&](const std::string& name, const std::string& pose) {
        return "<link name=\"" + name + "\"><pose>" + pose + "</pose>" + inertial + "</link>";
    };
    const auto joint = [](const std::string& name, const std::string& type, const std::string& ends) {
        return "<joint name=\"" + name + "\" type=\"" + type + "\">" + ends +
               "<axis><xyz>1 0.2 0.1</xyz><dynamics><damping>3</damping></dynamics></axis><axis2><xyz>0 1 "
               "0</xyz></axis2>"
               "</joint>";
    };
    const std::string model = "<sdf version=\"1.7\"><model name=\"m\">" + link("a", "0 0 1 0 0 0.3") +
                              link("b", "0.4 0 1 0.2 0 0") + link("c", "0.6 0.1 1 0 0.5 0") +
                              link("d", "0.9 0.1 1 0 0 0") +
                              "<joint name=\"hold\" type=\"fixed\"><parent>world</parent><child>a</child></joint>" +
                              joint("u", "universal", "<parent>a</parent><child>b</child>") +
                              joint("s", "prismatic", "<parent>b</parent><child>c</child>") +
                              joint("r", "revolute", "<parent>d</parent><child>c</child>") + "</model></sdf>";
    writeText(folder.file("model.sdf"), model);
    const ProgramResult result = runElasto({"verify", "swing", folder.file("model.sdf"), "--hz", "60", "240"});
    CHECK(result.code == 0);
    CHECK_THAT(result.output, Contains("model.sdf  240") && Contains("robots' files that swing freely: every target"));
    CHECK_THAT(result.errors, Contains("<joint name=\"r\">: is taken the other way round"));

    writeText(folder.file("still.sdf"),
              "<sdf version=\"1.7\"><model name=\"still\">" + link("a", "") + "</model></sdf>");
    const ProgramResult still = runElasto({"verify", "swing", folder.file("still.sdf")});
    CHECK(still.code == 2);
    CHECK_THAT(still.errors, Contains("CASE: robot 'still' is not allowed; it must have a joint that is revolute"));
    CHECK(runElasto({"verify", "swing", folder.file("nosuch.urdf")}).code == 3);
}

TEST_CASE("what is interrupted has no verdict") {
    const InterruptGuard guard;
    CHECK(verdictOn(true, 18, 18) == "every target is met");
    CHECK(verdictOn(false, 18, 18) == "TARGETS WERE MISSED");
    std::raise(SIGINT);
    CHECK(verdictOn(true, 3, 18) == "no verdict, interrupted after 3 of 18");
}
