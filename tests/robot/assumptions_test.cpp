// What other readers take as well: it is read, and one warning says what was assumed.

#include "small_robot.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace elasto;
using namespace elasto::test;

namespace {

struct Assumption {
    std::string piece;
    std::string by;
    std::string warning;
};

const std::string kTensor = "ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.04\" iyz=\"0\" izz=\"0.04\"";

}  // namespace

TEST_CASE("what other readers take is read, and a warning says what was assumed") {
    const std::string box = "<box size=\"0.5 0.1 0.1\"/>";
    const std::string shapes = "box, sphere, cylinder, capsule, mesh";
    const std::vector<Assumption> cases = {
        {"<robot name=\"small\"", "<robot", "small.urdf:1: <robot>: has no name; \"robot\" is assumed"},
        {"ixy=\"0\" ixz=\"0\" iyy=\"0.04\"", "ixz=\"0\" iyy=\"0.04\"",
         "small.urdf:4: <inertia>: ixy is missing; 0 is assumed"},
        {"ixx=\"0.01\"", "ixx=\"0.1\"",
         "small.urdf:4: <inertia>: link \"upper\": principal moments 0.1, 0.04, 0.04 kg.m2: no body has one above the "
         "sum of the other two; they are taken as they are"},
        {box, "<sphere radius=\"0\"/>",
         "small.urdf:5: <sphere>: has no extent (of <link name=\"upper\">); the shape is left out"},
        {box, "<box size=\"0.5 0 0.1\"/>",
         "small.urdf:5: <box>: has no extent (of <link name=\"upper\">); the shape is left out"},
        {box, "", "small.urdf:5: <geometry>: is empty (of <link name=\"upper\">); it is left out. Shapes: " + shapes},
        {box, "<cuboid/>",
         "small.urdf:5: <cuboid>: is no shape that is read (of <link name=\"upper\">); it is left out. Shapes: " +
             shapes},
        {"<axis xyz=\"0 0 1\"/><limit lower=\"-1\"", "<axis xyz=\"0 0 1 0\"/><limit lower=\"-1\"",
         "small.urdf:10: <axis>: xyz = \"0 0 1 0\" has more than three numbers; the first are read"},
        {"<limit lower=\"-1\" upper=\"2\" effort=\"10\" velocity=\"5\"/>", "",
         "small.urdf:10: <joint name=\"shoulder\">: <limit> is missing in it; it is taken as free"},
        {"upper=\"2\"", "upper=\"-2\"",
         "small.urdf:10: <limit>: upper = \"-2\" is below lower (of <joint name=\"shoulder\">); it is taken as free, "
         "as "
         "in Bullet"},
        {" effort=\"10\"", "",
         "small.urdf:10: <limit>: effort is missing (of <joint name=\"shoulder\">); none is assumed"},
        {"velocity=\"5\"", "velocity=\"-1\"",
         "small.urdf:10: <limit>: velocity = \"-1\" is negative (of <joint name=\"shoulder\">); none is assumed"},
        {"type=\"revolute\"><parent link=\"world\"/><child link=\"upper\"/><axis xyz=\"0 0 1\"/>",
         "type=\"fixed\"><parent link=\"world\"/><child link=\"upper\"/><axis xyz=\"0 0 0\"/>",
         "small.urdf:10: <axis>: xyz = \"0 0 0\" has no direction (of <joint name=\"shoulder\">); a fixed joint needs "
         "none"},
        {"type=\"revolute\"><parent link=\"world\"/>",
         "type=\"fixed\"><dynamics damping=\"1\"/><parent link=\"world\"/>",
         "small.urdf:10: <dynamics>: is passed over (of <joint name=\"shoulder\">): joints of type fixed have neither "
         "damping nor friction here"},
        {"<link name=\"world\"/>",
         "<link name=\"world\"><inertial><mass value=\"0\"/><inertia " + kTensor + "/></inertial></link>",
         "small.urdf:2: <mass>: value = \"0\" with moments of inertia (of link \"world\"); at the root it is a fixed "
         "base"},
        {"<inertia " + kTensor + "/>", "",
         "small.urdf:3: <link name=\"upper\">: has a mass, and moments of inertia that are missing or 0; assumed are 2 "
         "kg "
         "of a box around its shapes, moments 0.00333, 0.0433, 0.0433 kg.m2"},
    };
    for (const auto& [piece, by, warning] : cases) {
        INFO(piece << " -> " << by);
        const Lines said = warningsOf(smallRobot(piece, by));
        REQUIRE(said.size() == 1);
        CHECK(said[0] == warning);
    }
}

TEST_CASE("nothing of a visual is read") {
    const std::string visual =
        "<visual><origin xyz=\"a\"/><geometry/><material/></visual><visual><geometry><mesh/></geometry></visual>";
    CHECK(warningsOf(smallRobot("<collision>", visual + "<collision>")) == Lines());
}

TEST_CASE("a parent \"world\" needs no link") {
    const RobotDescription robot = parseRobot(smallRobot("<link name=\"world\"/>", ""));
    REQUIRE(robot.links.size() == 3);
    CHECK(robot.links[0].name == "world");
    CHECK(robot.links[0].mass == 0);
    CHECK(robot.joints[0].name == "shoulder");
}

TEST_CASE("a joint without limits, or with lower above upper, has no range") {
    const RobotJoint free = parseRobot(smallRobot("upper=\"2\"", "upper=\"-2\"")).joints[0];
    CHECK(free.type == RobotJoint::Type::Revolute);
    CHECK_FALSE(free.hasRange());
    CHECK(free.limits->effort == 10);
    const RobotJoint unlimited =
        parseRobot(smallRobot("<limit lower=\"-1\" upper=\"2\" effort=\"10\" velocity=\"5\"/>", "")).joints[0];
    CHECK_FALSE(unlimited.hasRange());
    CHECK_FALSE(unlimited.limits);
}

TEST_CASE("a capsule is read, its length without its ends") {
    const RobotShape shape =
        parseRobot(smallRobot("<box size=\"0.5 0.1 0.1\"/>", "<capsule radius=\"0.1\" length=\"0.3\"/>"))
            .links[1]
            .collisions.at(0);
    CHECK(shape.type == RobotShape::Type::Capsule);
    CHECK(shape.radius == 0.1);
    CHECK(shape.length == 0.3);
}

TEST_CASE("negative moments are those of a box around the shapes instead") {
    const std::string text = smallRobot("ixy=\"0\" ixz=\"0\" iyy=\"0.04\"", "ixy=\"0.05\" ixz=\"0\" iyy=\"0.04\"");
    const Lines said = warningsOf(text);
    REQUIRE(said.size() == 2);
    CHECK(said[1] ==
          "small.urdf:4: <inertia>: link \"upper\": a principal moment is negative, as that of no body; left out");
    // 2 kg / 12 (b^2 + c^2) of 0.5 x 0.1 x 0.1 m, about the centre of mass that the file gives.
    const RobotLink link = parseRobot(text).links[1];
    CHECK(link.principalMoments[0] == Approx(2. / 12 * 0.02).epsilon(1e-12));
    CHECK(link.principalMoments[1] == Approx(2. / 12 * 0.26).epsilon(1e-12));
    CHECK(link.principalFrame.position == Eigen::Vector3d(0.25, 0, 0));
}

TEST_CASE("a link that a joint moves has 1 kg if the file gives it nothing") {
    const std::string inertial =
        "<inertial><origin xyz=\"0.2 0 0\"/><mass value=\"1\"/><inertia ixx=\"0.005\" ixy=\"0\" ixz=\"0\" "
        "iyy=\"0.02\" iyz=\"0\" izz=\"0.02\"/></inertial>";
    const std::string text = smallRobot(inertial, "");
    const Lines said = warningsOf(text);
    REQUIRE(said.size() == 1);
    CHECK(said[0] ==
          "small.urdf:7: <link name=\"lower\">: a joint moves it, and it has no inertia that resists; assumed are 1 kg "
          "of a ball of 0.1 m, moments 0.004, 0.004, 0.004 kg.m2");
    CHECK(parseRobot(text).links[2].mass == 1);
    // Where nothing has a mass, all that moves and has a shape gets it.
    std::string bare = text;
    const std::size_t at = bare.find("<inertial>");
    bare.erase(at, bare.find("</inertial>") + 11 - at);
    const RobotDescription robot = parseRobot(bare);
    CHECK(robot.links[0].mass == 0);
    CHECK(robot.links[1].mass == 1);
    CHECK(robot.links[1].principalFrame.position == Eigen::Vector3d(0.25, 0, 0));
    CHECK(robot.links[2].mass == 1);
}

TEST_CASE("alike assumptions are counted in one line") {
    std::string text = smallRobot(" effort=\"10\"", "");
    text.replace(text.find("<axis xyz=\"0 1 0\"/>"), 19, "<axis xyz=\"0 1 0\"/><limit velocity=\"1\"/>");
    const Lines said = warningsOf(text);
    REQUIRE(said.size() == 1);
    CHECK(said[0] ==
          "small.urdf:10: <limit>: effort is missing (of <joint name=\"shoulder\">); none is assumed; and 1 "
          "more like it");
}
