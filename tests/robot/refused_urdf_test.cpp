#include "small_robot.h"

#include "temporary_folder.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace elasto;
using namespace elasto::test;

namespace {

struct Case {
    std::string piece;
    std::string by;
    std::string message;
};

}  // namespace

TEST_CASE("a URDF file that cannot be is refused with line, name and what is allowed") {
    const std::string shoulder = "small.urdf:10: <joint name=\"shoulder\">: ";
    const std::vector<Case> cases = {
        {"mass value=\"2\"", "mass value=\"-2\"",
         "small.urdf:4: <mass>: value = \"-2\" is not allowed; it must be a finite number >= 0"},
        {"mass value=\"2\"", "mass value=\"abc\"",
         "small.urdf:4: <mass>: value = \"abc\" is not allowed; it must be a finite number >= 0"},
        {"mass value=\"2\"", "mass value=\"0\"",
         "small.urdf:4: <mass>: link \"upper\": value = \"0\" is not allowed with moments of inertia; it must be a "
         "finite number > 0"},
        {"mass value=\"2\"", "mass value=\"1e300\"",
         "small.urdf:4: <mass>: value = \"1e300\" is not allowed; it must be a finite number >= 0 within -1e60 .. "
         "1e60"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<mesh filename=\"a.stl\" scale=\"1 0 1\"/>",
         "small.urdf:5: <mesh filename=\"a.stl\">: scale = \"1 0 1\" is not allowed; it must be three numbers, each a "
         "finite number, not 0"},
        {"<mass value=\"2\"/>", "", "small.urdf:4: <inertial>: <mass> is missing in it"},
        {"ixx=\"0.01\"", "ixx=\"nan\"",
         "small.urdf:4: <inertia>: ixx = \"nan\" is not allowed; it must be a finite number >= 0"},
        {"ixx=\"0.01\" ", "", "small.urdf:4: <inertia>: ixx is missing; it must be a finite number >= 0"},
        {"ixx=\"0.01\"", "ixx=\"0.1\"",
         "small.urdf:4: <inertia>: link \"upper\": principal moments 0.1, 0.04, 0.04 kg.m2 are not allowed; none must "
         "be above the sum of the other two, as it is for any body"},
        {"ixy=\"0\" ixz=\"0\" iyy=\"0.04\"", "ixy=\"0.03\" ixz=\"0\" iyy=\"0.04\"",
         "small.urdf:4: <inertia>: link \"upper\": principal moments -0.00854101966, 0.058541019" /* goes on */},
        {"xyz=\"0.25 0 0\"", "xyz=\"0.25 0\"",
         "small.urdf:4: <origin>: xyz = \"0.25 0\" is not allowed; it must be three numbers, each a finite number"},
        {"size=\"0.5 0.1 0.1\"", "size=\"0.5 0 0.1\"",
         "small.urdf:5: <box>: size = \"0.5 0 0.1\" is not allowed; it must be three numbers, each a finite number > "
         "0"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<capsule radius=\"1\"/>",
         "small.urdf:5: <capsule>: is not allowed; the shape must be one of box, sphere, cylinder, mesh"},
        {"<box size=\"0.5 0.1 0.1\"/>", "",
         "small.urdf:5: <geometry>: is empty; it must hold one of box, sphere, cylinder, mesh"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<mesh filename=\"none.stl\"/>",
         "small.urdf:5: <mesh filename=\"none.stl\">: 'none.stl': it cannot be read: No such file or directory"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<mesh filename=\"a.dae\"/>",
         "small.urdf:5: <mesh filename=\"a.dae\">: 'a.dae': it cannot be read: No such file or directory"},
        {"type=\"revolute\"", "type=\"rotary\"",
         shoulder +
             "type = \"rotary\" is not allowed; it must be one of revolute, continuous, prismatic, fixed, planar, "
             "floating"},
        {"type=\"revolute\"", "",
         shoulder + "type is missing; it must be one of revolute, continuous, prismatic, fixed, "
                    "planar, floating"},
        {"<parent link=\"world\"/>", "<parent link=\"wrld\"/>",
         shoulder +
             "parent = \"wrld\" is not allowed: there is no such link; did you mean \"world\"? Links: world, upper, "
             "lower"},
        {"<child link=\"upper\"/>", "", shoulder + "<child> is missing in it"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>",
         "small.urdf:10: <axis>: xyz = \"0 0 0\" is not allowed; it must have a direction"},
        {"upper=\"2\"", "upper=\"-2\"",
         "small.urdf:10: <limit>: upper = \"-2\" is not allowed; it must be >= lower (of <joint name=\"shoulder\">)"},
        {"<limit lower=\"-1\" upper=\"2\" effort=\"10\" velocity=\"5\"/>", "", shoulder + "<limit> is missing in it"},
        {" effort=\"10\"", "", "small.urdf:10: <limit>: effort is missing; it must be a finite number >= 0"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><mimic joint=\"elbow\"/>",
         "small.urdf:10: <mimic joint=\"elbow\">: is not supported (of <joint name=\"shoulder\">); take it out, and "
         "move the joint by a motor"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><dynamics damping=\"-1\"/>",
         "small.urdf:10: <dynamics>: damping = \"-1\" is not allowed; it must be a finite number >= 0"},
        {"<link name=\"lower\">", "<link name=\"upper\">",
         "small.urdf:7: <link name=\"upper\">: is the name on line 3 already; names must be unique"},
        {"<link name=\"lower\">", "<link>", "small.urdf:7: <link>: name is missing; it must be a name of its own"},
        {"<robot name=\"small\"", "<robot", "small.urdf:1: <robot>: name is missing; it must be the robot's name"},
        {"<parent link=\"world\"/>", "<parent link=\"lower\"/>",
         "small.urdf:10: <joint name=\"shoulder\">: is part of a closed loop of joints (link \"upper\"), which carries "
         "itself; a robot must be a tree with one root"},
        {"<child link=\"lower\"/>", "<child link=\"upper\"/>",
         "small.urdf:7: <link name=\"lower\">: no joint carries it, nor <link name=\"world\">; there must be one root: "
         "connect them by a joint\n"
         "small.urdf:11: <joint name=\"elbow\">: parent and child are the same link, \"upper\"\n"
         "small.urdf:11: <joint name=\"elbow\">: child = \"upper\" is not allowed: <joint name=\"shoulder\"> on line "
         "10 "
         "carries that link already; a robot must be a tree, without closed loops"},
        {"</robot>", "<link name=\"loose\"/></robot>",
         "small.urdf:12: <link name=\"loose\">: no joint carries it, nor <link name=\"world\">; there must be one "
         "root: "
         "connect them by a joint"},
        {"type=\"continuous\"", "type=\"planar\"", ""},
    };
    for (const auto& [piece, by, message] : cases) {
        INFO(piece << " -> " << by);
        const std::string said = refusal(smallRobot(piece, by));
        CHECK(said.substr(0, message.size()) == message);
        CHECK(said.empty() == message.empty());
    }
}

TEST_CASE("text that is no URDF is refused") {
    CHECK(refusal("") == "small.urdf: is no XML: the file is empty");
    CHECK(refusal("hello").starts_with("small.urdf:"));
    CHECK(refusal("<sdf/>") == "small.urdf:1: <sdf>: is not allowed here; a URDF file must begin with <robot>");
    CHECK(refusal("<robot name='a'>\n<link name='b'>\n</robot>").starts_with("small.urdf:2: is no XML"));
    CHECK(refusal("<robot name='a'/>") ==
          "small.urdf:1: <robot name=\"a\">: has no <link>; there must be at least one");
    CHECK(refusal("<robot name='a'><link name='b'/></robot>\n<robot name='c'/>") ==
          "small.urdf:2: <robot name=\"c\"> is not allowed here: the file has its one element");
    std::string cut = kSmallRobot;
    cut[cut.find("<joint")] = '\0';
    CHECK(refusal(cut) == "small.urdf:10: is no XML: a byte of value 0");
    CHECK_THROWS_WITH(loadRobot("/nowhere/arm.urdf"), "/nowhere/arm.urdf: cannot be read: No such file or directory");
}

TEST_CASE("an & that stands for no character is refused where it stands") {
    const std::string end = " is no character of XML; & itself must be written as &amp;";
    const auto said = [&](const std::string& name) {
        return refusal(smallRobot("link name=\"lower\"", "link name=\"" + name + "\""));
    };
    const auto message = [&](const std::string& name, const std::string& wrong) {
        return "small.urdf:7: <link name=\"" + name + "\">: name = \"" + name + "\" is not allowed: \"" + wrong + "\"" +
               end;
    };
    CHECK(said("a&bad;") == message("a&bad;", "&bad;"));
    CHECK(said("a&nbsp;b") == message("a&nbsp;b", "&nbsp;"));
    CHECK(said("&") == message("&", "&"));
    CHECK(said("a&amp") == message("a&amp", "&amp"));
    CHECK(said("R&D lab") == message("R&D lab", "&D"));
    for (const std::string code : {"0", "8", "#", "x", "x1b", "xD800", "xFFFE", "x110000", "xFFFFFFFFFFFF", "-38"}) {
        CHECK(said("a&#" + code + ";") == message("a&#" + code + ";", "&#" + code + ";"));
    }
    CHECK(refusal(smallRobot("joint name=\"elbow\"", "joint name=\"a&bad;\""))
              .starts_with("small.urdf:11: <joint name=\"a&bad;\">: name = \"a&bad;\" is not allowed: "));
    CHECK(refusal(smallRobotWith("<elasto:gap joint=\"a&bad;\"/>"))
              .starts_with("small.urdf:12: <elasto:gap joint=\"a&bad;\">: joint = \"a&bad;\" is not allowed: "));
    // What nobody reads may be as it is.
    CHECK(refusal(smallRobotWith("<!-- R&D --><gazebo>a && b</gazebo>")).empty());
}

TEST_CASE("control characters are refused and not printed") {
    CHECK(refusal(smallRobot("link name=\"upper\"", "link name=\"\x1b[31m\"")) ==
          "small.urdf:3: is no XML: a byte of value 27");
    CHECK(refusal(smallRobot("link=\"world\"", "link=\"\xc2\x9bworld\xff\""))
              .starts_with(R"(small.urdf:10: <joint name="shoulder">: parent = "\xc2\x9bworld\xff" is not allowed)"));
}

TEST_CASE("what only urdfdom finds is said, not printed") {
    const std::string text =
        smallRobot("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><safety_controller soft_lower_limit=\"0\"/>");
    const std::string said = refusal(text);
    CHECK(said.starts_with("small.urdf: urdfdom refuses it: "));
    CHECK(said.find("k_velocity") != std::string::npos);
}

TEST_CASE("a joint that moves no inertia is refused, chains of massless links are not") {
    const std::string inertial =
        "<inertial><origin xyz=\"0.2 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.005\" ixy=\"0\" ixz=\"0\" "
        "iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial>";
    CHECK(
        refusal(smallRobot(inertial, "")) ==
        "small.urdf:11: <joint name=\"elbow\">: moves no inertia; link \"lower\", or one that it carries, must have an "
        "<inertial> that resists the joint");
    // A point on the axis of its joint.
    CHECK(refusal(smallRobot(inertial,
                             "<inertial><mass value=\"1\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" "
                             "izz=\"0\"/></inertial>"))
              .starts_with("small.urdf:11: <joint name=\"elbow\">: moves no inertia"));
    const std::string massless =
        "<inertial><origin xyz=\"0.25 0 0\"/><mass value=\"2\"/><inertia ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" "
        "iyz=\"0\" izz=\"0.04\"/></inertial>";
    CHECK(refusal(smallRobot(massless, "")).empty());
}

TEST_CASE("several mistakes are listed in the file's order") {
    std::string text = smallRobot("mass value=\"2\"", "mass value=\"-2\"");
    text.replace(text.find("type=\"continuous\""), 17, "type=\"loose\"");
    const std::string said = refusal(text);
    CHECK(said.find("small.urdf:4: <mass>") == 0);
    CHECK(said.find("\nsmall.urdf:11: <joint name=\"elbow\">: type = \"loose\"") != std::string::npos);
}
