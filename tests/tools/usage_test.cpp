#include <sys/stat.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "program.h"
#include "temporary_folder.h"

using namespace elasto::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// One message: a line that begins with the program's name, and at most a hint after it.
void checkRefused(const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramResult result = runElasto(arguments);
    INFO(result.errors);
    CHECK(result.code == 2);
    CHECK(result.output.empty());
    CHECK_THAT(result.errors, StartsWith("elasto: ") && Contains(message));
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') <= 2);
}

}  // namespace

TEST_CASE("elasto says its version and precision") {
    const ProgramResult result = runElasto({"--version"});
    CHECK(result.code == 0);
    CHECK(result.output == "elasto " ELASTO_VERSION " (" ELASTO_PRECISION " precision)\n");
}

TEST_CASE("every command has a help with an example") {
    CHECK_THAT(runElasto({"--help"}).output, Contains("Exit codes:") && Contains("Example: "));
    for (const char* command : {"run", "verify", "compare", "plot", "figure", "equilibrium", "explain", "list"}) {
        const ProgramResult result = runElasto({command, "--help"});
        CHECK(result.code == 0);
        CHECK_THAT(result.output, Contains(std::string("Example: elasto ") + command));
        CHECK(result.errors.empty());
    }
}

TEST_CASE("every name that is listed can be run, and one that is nearly right is proposed") {
    const ProgramResult all = runElasto({"list"});
    CHECK(all.code == 0);
    for (const char* name : {"elasto_gap ", "falling_crates ", "gallery/newton_cradle ", "arm6 ", "stop_map "}) {
        CHECK_THAT(all.output, Contains(name));
    }
    const ProgramResult one = runElasto({"list", "scenes"});
    CHECK(one.output.find("stop_map") == std::string::npos);
    std::istringstream lines(one.output);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        if (count < 2) continue;  // titles
        const std::string name = line.substr(0, line.find(' '));
        INFO(name);
        CHECK(runElasto({"explain", name}).code == 0);
    }
    CHECK(count > 60);
    const ProgramResult mistyped = runElasto({"run", "falling_crate"});
    CHECK(mistyped.code == 3);
    CHECK_THAT(mistyped.errors, Contains("did you mean 'falling_crates'?"));
}

TEST_CASE("a wrong command line is refused with one message and exit code 2") {
    checkRefused({}, "A subcommand is required");
    checkRefused({"fly"}, "'fly' is not a command; it must be one of run, verify, ");
    checkRefused({"compere", "a.csv"}, "'compere' is not a command (did you mean compare?); it must be one of");
    checkRefused({"run", "gap_laws", "--hertz", "60"}, "--hertz (did you mean --hz?)");
    checkRefused({"--verison"}, "--verison (did you mean --version?)");
    checkRefused({"run", "gap_laws", "--signals", "elastoGap1.srel"}, "did you mean 'elastoGap1.s_rel'?");
    checkRefused({"verify", "elastogap"}, "CASE: 'elastogap' is not allowed; did you mean 'elasto_gap'?");
    checkRefused({"verify", "coupled", "hinge_stopp"}, "did you mean 'hinge_stop'?");
    checkRefused({"list", "cars"}, "'cars' is not allowed; it must be scenes, robots or sweeps");
    checkRefused({"run"}, "SCENE is required");
    checkRefused({"run", "gap_laws", "--hz", "0"}, "--hz: 0 is not allowed; it must be a number > 0");
    checkRefused({"run", "gap_laws", "--hz", "fast"}, "--hz: fast is not allowed; it must be a number > 0");
    checkRefused({"run", "gap_laws", "--hz", "nan"}, "--hz: nan is not allowed; it must be a number > 0");
    checkRefused({"run", "gap_laws", "--duration", "-1"}, "--duration: -1 is not allowed; it must be a number > 0");
    checkRefused({"run", "gap_laws", "--speed", "1"}, "--speed");
    checkRefused({"run", "gap_laws", "--signals", "nothing*"}, "--signals: 'nothing*' fits no signal of the scene");
    checkRefused({"compare", "a.csv", "b.csv", "--tolerance", "-1"},
                 "--tolerance: -1 is not allowed; it must be a number >= 0");
    checkRefused({"plot", "a.csv", "--signals", "x", "-o", "x.pdf"},
                 "'x.pdf' is not allowed; it must be a file name that ends with .svg or .png");
    for (const std::vector<std::string>& command : {std::vector<std::string>{"run", "gap_laws", "--csv"},
                                                    {"run", "a.urdf", "--elements"},
                                                    {"sweep", "stop_map", "--csv"},
                                                    {"convergence", "gap_laws", "--csv"},
                                                    {"equilibrium", "gap_laws", "-o"},
                                                    {"verify", "--scene"}}) {
        std::vector<std::string> arguments = command;
        arguments.emplace_back();
        checkRefused(arguments, "'' is not allowed; it must be the name of a file");
    }
    checkRefused({"figure", "gap", "-o", "x.svg"}, "'gap' is not allowed; it must be elastogap or elastobacklash");
    checkRefused({"verify", "no_such_case"}, "'no_such_case' is not allowed; it must be one of elasto_gap, ");
}

TEST_CASE("a scene that does not exist is an I/O error") {
    const ProgramResult name = runElasto({"run", "no_such_scene"});
    CHECK(name.code == 3);
    CHECK_THAT(name.errors, StartsWith("elasto: there is no scene 'no_such_scene'"));
    const ProgramResult path = runElasto({"explain", "nowhere/scene.json"});
    CHECK(path.code == 3);
    CHECK(path.errors == "elasto: cannot read scene 'nowhere/scene.json': there is no such file\n");
}

TEST_CASE("a file that cannot be read is an I/O error") {
    const auto check = [](const std::vector<std::string>& arguments) {
        const ProgramResult result = runElasto(arguments);
        CHECK(result.code == 3);
        CHECK(result.errors == "elasto: /dev/zero: cannot be read: It is a device\n");
    };
    for (const std::string command : {"run", "explain", "equilibrium", "convergence", "sweep"}) {
        check({command, "/dev/zero"});
    }
    check({"verify", "--scene", "/dev/zero"});
    check({"compare", "/dev/zero", "/dev/zero"});
    check({"plot", "/dev/zero", "--signals", "x", "-o", "x.svg"});
    check({"run", ELASTO_SOURCE_DIR "/assets/robots/arm6.urdf", "--elements", "/dev/zero"});
}

TEST_CASE("scenes come through pipes") {
    const TemporaryFolder folder;
    const std::string scene = ELASTO_SOURCE_DIR "/assets/scenes/gap_laws.json";
    for (const std::string command : {"run /dev/stdin", "explain /dev/stdin", "explain /dev/fd/3 3<&0"}) {
        const std::string line = "cat " + scene + " | " ELASTO_COMMAND " " + command + " > " + folder.file("out");
        CHECK(std::system(line.c_str()) == 0);
        const std::string name = command.substr(0, command.find(' '));
        CHECK(readText(folder.file("out")) == runElasto({name, "gap_laws"}).output);
    }
}

TEST_CASE("a pipe in the place of a file is refused, not waited for") {
    const TemporaryFolder folder;
    const auto pipe = [&](const std::string& name) {
        REQUIRE(mkfifo(folder.file(name).c_str(), 0600) == 0);
        return folder.file(name);
    };
    const std::string any = pipe("pipe");
    const std::string urdf = pipe("pipe.urdf");
    const std::string mesh = pipe("pipe.stl");
    const std::string robot = ELASTO_SOURCE_DIR "/assets/robots/arm6.urdf";
    const auto check = [](const std::vector<std::string>& arguments, const std::string& file, int code = 3) {
        const ProgramResult result = runElasto(arguments);
        INFO(result.errors);
        CHECK(result.code == code);
        CHECK_THAT(result.errors, StartsWith("elasto: ") && Contains(file) && Contains("It is a pipe"));
    };
    for (const std::string command : {"run", "explain", "equilibrium", "convergence", "sweep", "replay"}) {
        check({command, any}, any);
    }
    check({"run", urdf}, urdf);
    check({"run", robot, "--elements", any}, any);
    check({"compare", any, any}, any);
    check({"plot", any, "--signals", "x", "-o", folder.file("x.svg")}, any);
    writeText(folder.file("mesh.urdf"),
              "<robot name='a'><link name='b'><collision><geometry><mesh filename='pipe.stl'/></geometry></collision>"
              "</link></robot>");
    check({"explain", folder.file("mesh.urdf")}, mesh, 0);  // the shape is left out
    writeText(folder.file("scene.json"), R"({"elasto": 1, "name": "a", "robot": "pipe.urdf"})");
    check({"run", folder.file("scene.json")}, urdf);
    writeText(folder.file("sweep.json"),
              R"({"elasto": 1, "name": "a", "scene": "pipe", "parameters": [{"set": "a.c", "values": [1]}],)"
              R"( "metrics": [{"metric": "dissipatedEnergy"}]})");
    check({"sweep", folder.file("sweep.json")}, any);
}

TEST_CASE("names out of files and arguments are no commands for a terminal") {
    const TemporaryFolder folder;
    const std::string evil = "\x1b]0;evil\x07";
    const std::string shown = R"(\x1b]0;evil\x07)";
    const auto check = [&](const std::vector<std::string>& arguments) {
        const ProgramResult result = runElasto(arguments);
        const std::string all = result.output + result.errors;
        INFO(all);
        CHECK_THAT(all, Contains(shown));
        CHECK(all.find_first_of("\x1b\x07\b\r") == std::string::npos);
    };
    check({"run", folder.file(evil)});
    check({"run", folder.file(evil + ".json")});
    check({evil});
    check({"explain", "gap_laws", "--hz", evil});
    check({"explain", "gap_laws", evil});
    check({"verify", evil});

    const std::string scene = folder.file("scene.json");
    const std::string escaped = R"(\u001b]0;evil\u0007)";  // as JSON has it
    const auto named = [&](const std::string& piece, const std::string& by) {
        std::string text = readText(ELASTO_SOURCE_DIR "/assets/scenes/preload.json");
        for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + by.size())) {
            text.replace(at, piece.size(), by);
        }
        writeText(scene, text);
    };
    const std::string preload = readText(ELASTO_SOURCE_DIR "/assets/scenes/preload.json");
    REQUIRE(preload.find("\"name\": \"PreLoad\"") != std::string::npos);
    named("\"name\": \"PreLoad\"", "\"name\": \"" + escaped + "\"");
    check({"explain", scene});
    check({"run", scene, "--duration", "0.01"});
    named("\"elasto\": 1", "\"elasto\": 1, \"" + escaped + "\": 1");
    check({"run", scene});
    named("\"record\": [", "\"record\": [\"" + escaped + "\", ");
    check({"run", scene});

    const std::string csv = folder.file("run.csv");
    writeText(csv, "time,\"" + evil + "\"\n0,1\n1,2\n");
    check({"compare", csv, csv});
    check({"plot", csv, "--signals", "none", "-o", folder.file("run.svg")});
    writeText(csv, "time,a\n0," + evil + "\n");
    check({"compare", csv, csv});

    const std::string sweep = folder.file("sweep.json");
    writeText(sweep, "{\"" + escaped + "\": 1}");
    check({"sweep", sweep});
    const std::string recording = folder.file("session.elrec");
    writeText(recording, "{\"" + escaped + "\": 1}");
    const ProgramResult replayed = runElasto({"replay", recording});
    CHECK(replayed.code != 0);
    CHECK(replayed.errors.find('\x1b') == std::string::npos);
}

TEST_CASE("assets are looked for where ELASTO_ASSETS says") {
    CHECK(runElasto({"explain", "gap_laws"}, {.environment = {{"ELASTO_ASSETS", ELASTO_SOURCE_DIR "/assets"}}}).code ==
          0);
    const ProgramResult wrong = runElasto({"explain", "gap_laws"}, {.environment = {{"ELASTO_ASSETS", "/nowhere"}}});
    CHECK(wrong.code == 3);
    CHECK(wrong.errors == "elasto: ELASTO_ASSETS: '/nowhere' is not a folder; it must hold scenes/ and verify.json\n");
}

TEST_CASE("output that cannot be delivered is an I/O error") {
    const ProgramResult result = runElasto({"explain", "gap_laws"}, {.outputFile = "/dev/full"});
    CHECK(result.code == 3);
    CHECK_THAT(result.errors, Contains("No space left on device"));
}
