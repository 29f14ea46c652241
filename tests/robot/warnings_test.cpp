// What a URDF file says and nobody reads, and what it hardly means.

#include "small_robot.h"

#include <elasto/robot/robot_scene.h>
#include <elasto/scene/input_file.h>

#include "temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <vector>

using namespace elasto;
using namespace elasto::test;

namespace {

const std::string kJointElements =
    " Elements: origin, parent, child, axis, calibration, dynamics, limit, mimic, safety_controller";
const std::string kLimitAttributes = " Attributes: lower, upper, effort, velocity, acceleration, deceleration, jerk";

struct Doubt {
    std::string piece;
    std::string by;
    std::string message;
};

}  // namespace

TEST_CASE("what nobody reads is named, with line, value and the nearest name") {
    const std::string axis = "<axis xyz=\"0 0 1\"/>";
    const std::string limit = "effort=\"10\" velocity=\"5\"";
    const std::vector<Doubt> cases = {
        {axis, axis + "<dynamic damping=\"1\"/>",
         "small.urdf:10: <dynamic>: is not read (damping = \"1\", of <joint name=\"shoulder\">): there is no such "
         "element in <joint>; did you mean \"dynamics\"?" +
             kJointElements},
        // By its attributes, since the names are not alike.
        {axis, axis + "<joint_properties damping=\"10.0\" friction=\"3\"/>",
         "small.urdf:10: <joint_properties>: is not read (damping = \"10.0\", friction = \"3\", of <joint "
         "name=\"shoulder\">): there is no such element in <joint>; did you mean \"dynamics\"?" +
             kJointElements},
        {axis, axis + "<zzz/>",
         "small.urdf:10: <zzz>: is not read (of <joint name=\"shoulder\">): there is no such element in <joint>." +
             kJointElements},
        {limit, limit + " stiffness=\"1e4\"",
         "small.urdf:10: <limit>: stiffness = \"1e4\" is not read (of <joint name=\"shoulder\">): there is no such "
         "attribute." +
             kLimitAttributes + ". Stiffness and damping of an end stop are c and d of an <elasto:gap>"},
        {limit, limit + " max_effort=\"2\"",
         "small.urdf:10: <limit>: max_effort = \"2\" is not read (of <joint name=\"shoulder\">): there is no such "
         "attribute; did you mean \"effort\"?" +
             kLimitAttributes},
        {"<link name=\"lower\">", "<link name=\"lower\" mass=\"3\">",
         "small.urdf:7: <link name=\"lower\">: mass = \"3\" is not read: there is no such attribute. Attributes: name, "
         "type"},
        {"<collision>", "<colision><geometry/></colision><collision concave=\"yes\">",
         "small.urdf:5: <colision>: is not read (of <link name=\"upper\">): there is no such element in <link>; did "
         "you "
         "mean \"collision\"? Elements: inertial, visual, collision, contact"},
        // A name is no likeness to <collision>, which has one, too.
        {"<collision>", "<zzz name=\"z\"/><collision>",
         "small.urdf:5: <zzz name=\"z\">: is not read (name = \"z\", of <link name=\"upper\">): there is no such "
         "element in <link>. Elements: inertial, visual, collision, contact"},
        {"<mass value=\"2\"/>", "<mass value=\"2\" unit=\"kg\"/>",
         "small.urdf:4: <mass>: unit = \"kg\" is not read (of <link name=\"upper\">): there is no such attribute. "
         "Attributes: value"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<box size=\"0.5 0.1 0.1\" margin=\"0.01\"/>",
         "small.urdf:5: <box>: margin = \"0.01\" is not read (of <link name=\"upper\">): there is no such attribute. "
         "Attributes: size"},
        {"</robot>", "<gap joint=\"elbow\" c=\"1\"/></robot>",
         "small.urdf:12: <gap joint=\"elbow\">: is not read (joint = \"elbow\", c = \"1\"); did you mean "
         "\"elasto:gap\"?"},
    };
    for (const auto& [piece, by, message] : cases) {
        INFO(by);
        const Lines said = warningsOf(smallRobot(piece, by));
        REQUIRE_FALSE(said.empty());
        CHECK(said[0] == message);
    }
}

TEST_CASE("a name that stands in many places is warned of once, and many names by ten lines and a count") {
    std::string text = kSmallRobot;
    for (const std::string axis : {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 1 0\"/>"}) {
        text.replace(text.find(axis), axis.size(), axis + "<spring k=\"1\"/>");
    }
    const Lines said = warningsOf(text);
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("small.urdf:10: <spring>: is not read (k = \"1\", of <joint name=\"shoulder\">)"));
    CHECK(said[0].ends_with("; and 1 more like it"));

    std::string many;
    for (int i = 0; i < 12; ++i) many += " a" + std::to_string(i) + "=\"" + std::string(1000, 'x') + "\"";
    const Lines lines = warningsOf(smallRobot("<link name=\"world\"", "<link name=\"world\"" + many));
    REQUIRE(lines.size() == 11);
    CHECK(lines[0].starts_with("small.urdf:2: <link name=\"world\">: a0 = \"" + std::string(60, 'x') + "...\""));
    CHECK(lines[0].size() < 300);
    CHECK(lines.back() == "and 2 more");
}

TEST_CASE("what other programs put into a robot's file is not warned of") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"</robot>",
         "<gazebo reference=\"upper\"><kp>1</kp></gazebo><transmission name=\"t\"/><ros2_control/>"
         "<loop_joint name=\"l\"/><series name=\"x\"/></robot>"},
        {"<axis xyz=\"0 0 1\"/>",
         "<axis xyz=\"0 0 1\"/><gazebo/><transmission/><drake:damping value=\"1\"/>"
         "<safety_controller soft_lower_limit=\"-1\" k_velocity=\"1\"/><calibration rising=\"0\"/>"},
        {"<collision>",
         "<sensor name=\"s\"/><visual><origin/><geometry><box size=\"1 1 1\"/></geometry><anything "
         "x=\"1\"/></visual><collision drake:acceptance=\"1\">"},
        {"velocity=\"5\"", "velocity=\"5\" acceleration=\"3\" jerk=\"4\""},
        {"<robot name", "<robot version=\"1.0\" xmlns:xacro=\"x\" foo=\"1\" name"},
    };
    for (const auto& [piece, by] : cases) {
        INFO(by);
        CHECK(warningsOf(smallRobot(piece, by)) == Lines());
    }
}

TEST_CASE("limits of a revolute joint that look like degrees are warned of") {
    const auto said = [](const std::string& lower, const std::string& upper) {
        return warningsOf(smallRobot("lower=\"-1\" upper=\"2\"", "lower=\"" + lower + "\" upper=\"" + upper + "\""));
    };
    const std::string end =
        " is more than a turn (of <joint name=\"shoulder\">); limits of a revolute joint are in radians: are these "
        "degrees?";
    CHECK(said("-90", "90") == Lines{"small.urdf:10: <limit>: lower = \"-90\"" + end});
    CHECK(said("0", "7.5") == Lines{"small.urdf:10: <limit>: upper = \"7.5\"" + end});
    CHECK(said("0", "114.59") == Lines{"small.urdf:10: <limit>: upper = \"114.59\"" + end});
    // A turn with few digits, wrists that turn by 400 and by 455 degrees.
    CHECK(said("-6.2832", "6.2832") == Lines());
    CHECK(said("-6.98132", "7.94125") == Lines());
    // Metres may be many.
    CHECK(warningsOf(smallRobot("type=\"revolute\"", "type=\"prismatic\"")) == Lines());
    std::string slide = smallRobot("type=\"revolute\"", "type=\"prismatic\"");
    slide.replace(slide.find("upper=\"2\""), 9, "upper=\"90\"");
    CHECK(warningsOf(slide) == Lines());
}

TEST_CASE("inertias that no body of the link's mass and size has are warned of") {
    const std::string tensor = "ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" iyz=\"0\" izz=\"0.04\"";
    const auto upper = [&](const std::string& factor) {
        return smallRobot(tensor, "ixx=\"0.01" + factor + "\" ixy=\"0\" ixz=\"0\" iyy=\"0.04" + factor +
                                      "\" iyz=\"0\" izz=\"0.04" + factor + "\"");
    };
    // The box reaches hypot(0.25, 0.05, 0.05) = 0.2598 m, and the tensor needs sqrt(0.09 / 4) = 0.15 m.
    CHECK(warningsOf(upper("e2")) == Lines());
    CHECK(
        warningsOf(upper("e6")) ==
        Lines{"small.urdf:4: <inertia>: link \"upper\": principal moments 1e+04, 4e+04, 4e+04 kg.m2 at a mass of 2 kg "
              "need a body that reaches at least 150 m from its centre of mass; its shapes and joints reach 0.26 m. "
              "Are these "
              "placeholders, or kg.mm2?"});
    // Without shapes up to 10 m: sqrt(3 I / 2) of a mass of 1 kg.
    const auto lower = [](const std::string& moment) {
        return smallRobot(
            "ixx=\"0.005\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"",
            "ixx=\"" + moment + "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moment + "\" iyz=\"0\" izz=\"" + moment + "\"");
    };
    CHECK(warningsOf(lower("66")) == Lines());
    REQUIRE(warningsOf(lower("67")).size() == 1);
    CHECK(warningsOf(lower("67"))[0].starts_with(
        "small.urdf:8: <inertia>: link \"lower\": principal moments 67, 67, 67 kg.m2 at a mass of 1 kg need a "
        "body that reaches at least 10 m from its centre of mass; links without collision shapes are expected within "
        "10 m"));
}

TEST_CASE("how far a link reaches is that of its shapes, whatever they are, its frame and the joints that it carries") {
    const std::string tensor = "ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" iyz=\"0\" izz=\"0.04\"";
    // sqrt(4 / 4) = 1 m of a body of 2 kg, ten times what reaches 0.1 m.
    const auto said = [&](const std::string& shape, const std::string& moment) {
        std::string text =
            smallRobot("<origin xyz=\"0.25 0 0\"/><geometry><box size=\"0.5 0.1 0.1\"/>", "<geometry>" + shape);
        const auto put = [&](const std::string& piece, const std::string& by) {
            text.replace(text.find(piece), piece.size(), by);
        };
        put("<origin xyz=\"0.25 0 0\"/>", "");
        put("<origin xyz=\"0.5 0 0\"/>", "");
        put(tensor,
            "ixx=\"" + moment + "\" ixy=\"0\" ixz=\"0\" iyy=\"" + moment + "\" iyz=\"0\" izz=\"" + moment + "\"");
        return warningsOf(text).size();
    };
    for (const char* shape : {"<box size=\"0.12 0.16 1e-6\"/>", "<sphere radius=\"0.1\"/>",
                              "<cylinder radius=\"0.06\" length=\"0.16\"/>"}) {
        INFO(shape);
        CHECK(said(shape, "1.33") == 0);
        CHECK(said(shape, "1.34") == 1);
    }
    // A joint half a metre away makes the link five times as large.
    const std::string carried = smallRobot("<box size=\"0.5 0.1 0.1\"/>", "<sphere radius=\"0.01\"/>");
    CHECK(warningsOf(carried) == Lines());
}

TEST_CASE("warnings of a robot scene are those of its robot, and none go to a null handler") {
    const TemporaryFolder folder;
    writeText(folder.path() / "small.urdf", smallRobot("lower=\"-1\"", "lower=\"-90\""));
    const std::string scene = R"({"elasto": 1, "name": "s", "robot": "small.urdf"})";
    Lines lines;
    parseRobotScene(scene, folder.path() / "s.json", [&](const std::string& line) { lines.push_back(line); });
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find("small.urdf:10: <limit>: lower = \"-90\"") != std::string::npos);
    CHECK_NOTHROW(parseRobotScene(scene, folder.path() / "s.json", nullptr));
}

namespace {

/// A robot on a root without mass, with two hinges on its body at this height.
std::string robotOnRoot(const std::string& root, const std::string& height) {
    const std::string inertial =
        "<inertial><mass value=\"1\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.01\" iyz=\"0\" izz=\"0.01\"/>"
        "</inertial>";
    const auto wheel = [&](const std::string& name) {
        return "<link name=\"" + name + "\">" + inertial +
               "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link><joint name=\"j_" + name +
               "\" type=\"continuous\"><parent link=\"body\"/><child link=\"" + name + "\"/><origin xyz=\"0 0 " +
               height + "\"/><axis xyz=\"0 1 0\"/></joint>\n";
    };
    return "<robot name=\"small\">\n<link name=\"" + root + "\"/>\n<link name=\"body\">" + inertial +
           "<collision><geometry><box size=\"0.5 0.3 0.2\"/></geometry></collision></link><joint name=\"on\" "
           "type=\"fixed\"><parent link=\"" +
           root + "\"/><child link=\"body\"/></joint>\n" + wheel("left") + wheel("right") + "</robot>";
}

}  // namespace

TEST_CASE("a robot on wheels whose base is fixed for want of mass is named, with what frees it") {
    const Lines said = warningsOf(robotOnRoot("base_footprint", "-0.05"));
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("small.urdf:2: <link name=\"base_footprint\">: has no mass, and so the base is fixed"));
    CHECK_THAT(said[0], Catch::Contains("--free-base, \"base\": \"free\" in a scene, or RobotOptions::Base::Free"));
    CHECK(warningsOf(robotOnRoot("base_footprint", "0.3")).empty());  // arms
    CHECK(warningsOf(robotOnRoot("world", "-0.05")).empty());
    // Who says what the base is knows it.
    LoadRobotOptions options;
    options.isBaseChosen = true;
    options.messageHandler = [](const std::string& line) { FAIL(line); };
    parseRobot(robotOnRoot("base_footprint", "-0.05"), "small.urdf", options);
    const TemporaryFolder folder;
    writeText(folder.path() / "small.urdf", robotOnRoot("base_footprint", "-0.05"));
    for (const auto& [base, count] : {std::pair("", 1), {R"(, "base": "fixed")", 0}, {R"(, "base": "free")", 0}}) {
        int lines = 0;
        parseRobotScene(R"({"elasto": 1, "name": "s", "robot": "small.urdf")" + std::string(base) + "}",
                        folder.path() / "s.json", [&](const std::string&) { ++lines; });
        CHECK(lines == count);
    }
}

TEST_CASE("nothing is warned of in the robots that come with Elasto") {
    const std::filesystem::path folder = std::filesystem::path(ELASTO_SOURCE_DIR) / "assets" / "robots";
    int robots = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".urdf") continue;
        INFO(entry.path());
        CHECK(warningsOf(readFile(entry.path())) == Lines());
        ++robots;
    }
    CHECK(robots == 3);
}
