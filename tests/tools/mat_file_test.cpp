// Result files of Modelica tools: what is written is read again, and what is broken is refused.

#include "mat_file.h"

#include <elasto/scene/input_file.h>
#include <elasto/scene/load_scene.h>
#include <elasto/scene/output_file.h>
#include <catch2/catch.hpp>

#include <cmath>

#include "result_constants.h"
#include "result_file.h"
#include "temporary_folder.h"
#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;
using namespace elasto::test;
using Catch::Contains;

namespace {

Trajectory someRun() {
    return {.time = {0, 0.5, 0.5, 1},
            .signals = {"gap.f", "mass.r_0[1]"},
            .columns = {{0.1, -1.7976931348623157e308, 3, 0}, {1, 2, 3, -4e-300}}};
}

std::string refusalOf(const std::string& file) {
    try {
        readResult(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("a result file is read back bit for bit") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.mat");
    MatFile(file).write(someRun(), {{"gap.c", 1e6, "spring constant [N/m]"}});
    const Trajectory run = readResult(file);
    CHECK(run.time == someRun().time);
    CHECK(run.signals == someRun().signals);
    CHECK(run.columns == someRun().columns);
    MatFile(file).write({.time = {0}, .signals = {"x.s"}, .columns = {{7}}}, {});
    CHECK(readResult(file).columns == std::vector<std::vector<double>>{{7}});
}

TEST_CASE("names have the descriptions and units of Modelica's variables") {
    CHECK(describe("gap.s_rel") == "Relative distance of the flanges (= flange_b.s - flange_a.s) [m]");
    CHECK(describe("lash.tau_d") == "Share of the damper before its limit (= d*w_rel) [N.m]");
    CHECK(describe("box.r_0[2]") == "Position of the frame's origin, resolved in the world frame [m]");
    CHECK(describe("box.q[4]") == "Quaternion of the orientation");
    CHECK(describe("gap.flange_a.f") == "Cut force at flange_a (= -f) [N]");
    CHECK(describe("gap.f") == "Force (= flange_b.f); > 0 pulls the ends together [N]");
    CHECK(describe("lash.flange_b.tau") == "Cut torque at flange_b (= tau) [N.m]");
    CHECK(describe("spring.frame_b.f[2]") == "Cut force, resolved in the frame [N]");
    CHECK(describe("gap.contact") == "True, if the ends touch [:#(type=Boolean)]");
    CHECK(describe("f") == "Force (= flange_b.f); > 0 pulls the ends together [N]");
}

TEST_CASE("all parameters of a scene are constants of its result") {
    const auto constants = constantsOf(loadScene(ELASTO_SOURCE_DIR "/assets/scenes/heat_losses_translational.json"));
    const auto valueOf = [&](const std::string& name) {
        for (const ResultConstant& one : constants) {
            if (one.name == name) return one.value;
        }
        return std::nan("");
    };
    CHECK(valueOf("world.g") == 0);
    CHECK(valueOf("mass1.m") == 1);
    CHECK(valueOf("mass2.angularFactor[3]") == 0);
    CHECK(valueOf("elastoGap.d") == 20);
    CHECK(valueOf("elastoGap.characteristic") == 1);
    CHECK(valueOf("elastoGap.useHeatPort") == 1);
    CHECK(valueOf("spring.useHeatPort") == 0);
    CHECK(valueOf("spring.T") == 293.15);
    CHECK(valueOf("brake.f_normalized.f") == 2);
    CHECK(valueOf("force.force[1]") == 20);
    CHECK(valueOf("convection.TAmbient") == 298.15);
    for (const ResultConstant& one : constants) {
        if (one.name == "brake.useHeatPort") CHECK_THAT(one.description, Contains("[:#(type=Boolean)]"));
        if (one.name == "elastoGap.characteristic") CHECK_THAT(one.description, Contains("[:#(type=Integer)]"));
    }
}

TEST_CASE("a constant that has the name of a signal is left out of the file") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.mat");
    MatFile(file).write(someRun(), {{"gap.f", 7, "another one"}, {"gap.c", 1, "stiffness"}});
    CHECK(readResult(file).columns == someRun().columns);
}

TEST_CASE("a run that is too long for the format is refused before it begins") {
    CHECK_NOTHROW(requireFitsIntoMat("run.mat", 1e6, 200));
    CHECK_THROWS_WITH(requireFitsIntoMat("run.mat", 1e7, 99),
                      Contains("run.mat: 10000000 rows of 99 signals are 8.0 GB; a MAT file of version 4 takes 2 GB"));
}

TEST_CASE("a file that cannot be written is known before the run, and one that is not finished is not there") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(MatFile(folder.file("missing/run.mat")), Contains("missing/run.mat: cannot be created"));
    { const MatFile unfinished(folder.file("run.mat")); }
    CHECK_FALSE(std::filesystem::exists(folder.file("run.mat")));
}

TEST_CASE("broken result files are refused with what is wrong") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.mat");
    MatFile(file).write(someRun(), {});
    const std::string whole = readFile(file);
    for (std::size_t size = 20; size < whole.size(); size += 13) {
        INFO(size << " of " << whole.size() << " bytes");
        writeFile(file, whole.substr(0, size));
        CHECK(refusalOf(file) != "accepted");
    }

    std::size_t bytes = 0;
    for (std::size_t place = 0; place < whole.size(); place += 7) {
        std::string broken = whole;
        broken[place] = static_cast<char>(broken[place] ^ 0x55);
        writeFile(file, broken);
        refusalOf(file);  // whatever it says: it ends, and says it with an InputError
        ++bytes;
    }
    CHECK(bytes > 50);
    writeFile(file, "MATLAB 5.0 MAT-file, Platform: GLNXA64 and so on and so on");
    CHECK_THAT(refusalOf(file), Contains("is no MAT file of version 4, the format of Modelica tools"));
    CHECK_FALSE(isMat("time,gap.f\n0,1\n1,2\n and so on"));
}
