#include "small_robot.h"

#include "temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
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
        {"mass value=\"2\"", "mass value=\"1e300\"",
         "small.urdf:4: <mass>: value = \"1e300\" is not allowed; it must be a finite number >= 0 within -1e60 .. "
         "1e60"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<mesh filename=\"a.stl\" scale=\"1 0 1\"/>",
         "small.urdf:5: <mesh filename=\"a.stl\">: scale = \"1 0 1\" is not allowed; it must be three numbers, each a "
         "finite number, not 0"},
        {"<mass value=\"2\"/>", "", "small.urdf:4: <inertial>: <mass> is missing in it"},
        {"ixx=\"0.01\"", "ixx=\"nan\"",
         "small.urdf:4: <inertia>: ixx = \"nan\" is not allowed; it must be a finite number"},
        {"ixx=\"0.01\" ", "", "small.urdf:4: <inertia>: ixx is missing; it must be a finite number"},
        {"xyz=\"0.25 0 0\"", "xyz=\"0.25 0\"",
         "small.urdf:4: <origin>: xyz = \"0.25 0\" is not allowed; it must be three numbers, each a finite number"},
        {"type=\"revolute\"", "type=\"rotary\"",
         shoulder +
             "type = \"rotary\" is not allowed; it must be one of revolute, continuous, prismatic, fixed, planar, "
             "floating, spherical"},
        {"type=\"revolute\"", "",
         shoulder + "type is missing; it must be one of revolute, continuous, prismatic, fixed, "
                    "planar, floating, spherical"},
        {"<parent link=\"world\"/>", "<parent link=\"wrld\"/>",
         shoulder +
             "parent = \"wrld\" is not allowed: there is no such link; did you mean \"world\"? Links: world, upper, "
             "lower"},
        {"<child link=\"upper\"/>", "", shoulder + "<child> is missing in it"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>",
         "small.urdf:10: <axis>: xyz = \"0 0 0\" is not allowed; it must have a direction"},
        {"<box size=\"0.5 0.1 0.1\"/>", "<box size=\"0.5 -1 0.1\"/>",
         "small.urdf:5: <box>: size = \"0.5 -1 0.1\" is not allowed; it must be three numbers, each a finite number >= "
         "0"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><mimic joint=\"knee\"/>",
         shoulder +
             "<mimic>: joint = \"knee\" is not allowed; it must be another joint, revolute, continuous or prismatic"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><mimic joint=\"shoulder\"/>",
         shoulder + "<mimic>: joint = \"shoulder\" is not allowed; it must be another joint, revolute, continuous or "
                    "prismatic"},
        {"<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><dynamics damping=\"-1\"/>",
         "small.urdf:10: <dynamics>: damping = \"-1\" is not allowed; it must be a finite number >= 0"},
        {"<link name=\"lower\">", "<link name=\"upper\">",
         "small.urdf:7: <link name=\"upper\">: is the name on line 3 already; names must be unique"},
        {"<link name=\"lower\">", "<link>", "small.urdf:7: <link>: name is missing; it must be a name of its own"},
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
    CHECK(refusal("<sdf/>") == "small.urdf:1: <sdf>: has no <model>; there must be at least one");
    CHECK(refusal("<html/>") ==
          "small.urdf:1: <html>: is not allowed here; a robot's file must begin with <robot> or <sdf>");
    CHECK(refusal("<robot name='a'>\n<link name='b'>\n</robot>").starts_with("small.urdf:2: is no XML"));
    CHECK(refusal("<robot name='a'/>") ==
          "small.urdf:1: <robot name=\"a\">: has no <link>; there must be at least one");
    CHECK(refusal("<robot name='a'><link name='b'/></robot>\n<robot name='c'/>") ==
          "small.urdf:2: <robot name=\"c\"> is not allowed here: the file has its one element");
    std::string cut = kSmallRobot;
    cut[cut.find("<joint")] = '\0';
    CHECK(refusal(cut) == "small.urdf:10: is no XML: a byte of value 0");
    CHECK(warningsOf(kSmallRobot + std::string(2, '\0')) ==
          Lines{"small.urdf:13: bytes of value 0 at the end are passed over"});
    CHECK(refusal(kSmallRobot + "Success") ==
          "small.urdf:13: is no XML: a text stands outside of the file's one element, or that is not closed");
    CHECK(refusal("<!-- licence -->\n<?xml version=\"1.0\"?>\n" + kSmallRobot) ==
          "small.urdf:2: is no XML: <?xml ...?> may only be the first in the file");
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

TEST_CASE("mistakes of every stage come at once, and none that only follows from another") {
    std::string text = smallRobotWith("<elasto:gap joint=\"elbo\" c=\"1\" d=\"1\" side=\"upper\"/>");
    const auto put = [&](const std::string& piece, const std::string& by) {
        text.replace(text.find(piece), piece.size(), by);
    };
    put("mass value=\"2\"", "mass value=\"-2\"");        // of a link
    put("child link=\"lower\"", "child link=\"lowr\"");  // of a joint's end
    put("</robot>", "<link name=\"loose\"/></robot>");   // of the tree
    const std::string said = refusal(text);
    INFO(said);
    CHECK(said.find("small.urdf:4: <mass>") != std::string::npos);
    CHECK(said.find("child = \"lowr\"") != std::string::npos);
    CHECK(said.find("<link name=\"loose\">: no joint carries it") != std::string::npos);
    CHECK(said.find("<elasto:gap joint=\"elbo\">") != std::string::npos);
    CHECK(std::count(said.begin(), said.end(), '\n') == 4);  // and that nothing carries "lower"
}

TEST_CASE("several mistakes are listed in the file's order") {
    std::string text = smallRobot("mass value=\"2\"", "mass value=\"-2\"");
    text.replace(text.find("type=\"continuous\""), 17, "type=\"loose\"");
    const std::string said = refusal(text);
    CHECK(said.find("small.urdf:4: <mass>") == 0);
    CHECK(said.find("\nsmall.urdf:11: <joint name=\"elbow\">: type = \"loose\"") != std::string::npos);
}
