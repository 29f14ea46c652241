// elasto replay, run as a user runs it.

#include "play_scenes.h"

#include <program.h>
#include <temporary_folder.h>

#include <play/recording.h>
#include <play/robot_file.h>

#include <elasto/robot/load_robot.h>
#include <elasto/scene/output_file.h>

#include <algorithm>
#include <filesystem>

using namespace elasto;
using namespace elasto::play;
using namespace elasto::test;
using Catch::Contains;

namespace {

Recording record() {
    Session session(asset("drop_c1e6_d5"), {.rate = 60, .balls = 1});
    run(session, 20);
    session.beginDrag(0, {0, 0, 0}, {0.1, 0.6, 0});
    run(session, 40);
    return recordingOf(session);
}

void checkRefused(const std::string& file, int code, const std::string& message) {
    const ProgramResult result = runElasto({"replay", file, "--check"});
    INFO(result.errors);
    CHECK(result.code == code);
    CHECK(result.output.empty());
    CHECK_THAT(result.errors, Catch::StartsWith("elasto: ") && Contains(file) && Contains(message));
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("elasto replay confirms a recording") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.elrec");
    saveRecording(record(), file);
    const ProgramResult result = runElasto({"replay", file, "--check"});
    CHECK(result.code == 0);
    CHECK(result.errors.empty());
    CHECK_THAT(result.output, Contains("60 of 60 ticks at 60 Hz, 1 inputs, " ELASTO_PRECISION " precision") &&
                                  Contains("all bits are those of the recording"));
    CHECK_THAT(runElasto({"replay", file, "--json"}).output, Contains("\"same\": true"));
    CHECK_THAT(runElasto({"replay", "--help"}).output, Contains("Example: elasto replay"));
}

TEST_CASE("elasto replay names the first tick and the body that differ") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.elrec");
    Recording recording = record();
    std::get<DragBegin>(recording.inputs[0].action).target.y() += 1e-4;
    saveRecording(recording, file);
    const ProgramResult result = runElasto({"replay", file, "--check"});
    CHECK(result.code == 1);
    CHECK_THAT(result.output, Contains("differs first at tick 21") && Contains("body 'mass' differs"));
    CHECK(runElasto({"replay", file}).code == 0);
    CHECK_THAT(runElasto({"replay", file, "--json"}).output, Contains("\"same\": false") && Contains("\"tick\": 21"));
}

TEST_CASE("elasto replay runs what was recorded with the robots of a file, friction of their motors among it") {
    const TemporaryFolder folder;
    const std::string urdf = folder.file("arm.urdf"), file = folder.file("run.elrec");
    const std::string text = R"(<robot name="arm" xmlns:elasto="urn:elasto"><link name="stand"/>
<link name="bar"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
<inertia ixx="0.001" iyy="0.06" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="stand"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="100" velocity="10"/></joint>
<elasto:friction joint="hinge" side="motor" tau_Coulomb="0.02"/>
<elasto:sea joint="hinge" c="300" d="1" b="0.01" inertia="1e-4" ratio="50"/></robot>)";
    writeFile(urdf, text);
    Scene scene;
    scene.name = "around the arm";
    scene.record.push_back({"totalHeat", ""});
    SessionOptions options = withBalls(1);
    options.takesMultiBodies = true;
    options.preparedBy = preparedByRobot(urdf);
    options.prepare = prepareRobots(sceneOfRobot(loadRobot(urdf)));
    Session session(scene, options);
    run(session, 60);
    session.holdJoints(true);
    session.setTarget(0, 0.3);
    run(session, 120);
    CHECK(session.elements().back().place == PlayedElement::Place::Motor);
    CHECK(session.elements().back().geometry == Geometry::AboutAxis);
    CHECK(session.sample().elements.back().heat > 0);
    saveRecording(recordingOf(session), file);
    const ProgramResult same = runElasto({"replay", file, "--check"});
    CHECK(same.errors.empty());
    CHECK(same.code == 0);
    CHECK_THAT(same.output, Contains("180 of 180 ticks") && Contains("all bits are those of the recording"));

    std::string changed = text;
    changed.replace(changed.find("0.02"), 4, "0.03");
    writeFile(urdf, changed);
    CHECK(runElasto({"replay", file, "--check"}).code == 1);
    writeFile(urdf, "{}");
    checkRefused(file, 2, "arm.urdf is no robot any more");
    std::filesystem::remove(urdf);
    checkRefused(file, 2, "its robot's file is needed");
}

TEST_CASE("elasto replay refuses what it cannot run, with one message") {
    const TemporaryFolder folder;
    const std::string file = folder.file("run.elrec");
    const std::string text = writeRecording(record());
    checkRefused(file, 3, "cannot be read");
    writeFile(file, text.substr(0, text.size() / 2));
    checkRefused(file, 2, "is no recording of Elasto, or one that is cut off or damaged");
    std::string damaged = text;
    damaged[text.size() / 2] ^= 1;
    writeFile(file, damaged);
    checkRefused(file, 2, "damaged");
    Recording other = record();
    other.precision = other.precision == "double" ? "single" : "double";
    saveRecording(other, file);
    checkRefused(file, 2, "was recorded in " + other.precision + " precision");
    other = record();
    other.prepared = "crates";
    saveRecording(other, file);
    checkRefused(file, 2, "recorded with 'crates'");
    checkRefused(ELASTO_SOURCE_DIR "/assets/scenes/elasto_gap.json", 2, "is no recording of Elasto");
}
