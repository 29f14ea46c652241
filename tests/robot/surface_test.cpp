// Friction, softness and springs in Bullet's and Gazebo's additions to URDF.

#include "small_robot.h"

#include <catch2/catch.hpp>

using namespace elasto;
using namespace elasto::test;

TEST_CASE("Bullet's <contact> is the surface of its link") {
    const std::string text = smallRobot(
        "<collision>",
        "<contact><lateral_friction value=\"1.2\"/><rolling_friction value=\"0.01\"/><spinning_friction "
        "value=\"0.02\"/>"
        "<restitution value=\"0.4\"/><stiffness value=\"3e4\"/><damping value=\"100\"/></contact><collision>");
    CHECK(warningsOf(text) == Lines());
    const RobotDescription robot = parseRobot(text);
    const RobotSurface& surface = robot.links[1].surface;
    CHECK(surface.friction == 1.2);
    CHECK(surface.rollingFriction == 0.01);
    CHECK(surface.spinningFriction == 0.02);
    CHECK(surface.restitution == 0.4);
    CHECK(surface.stiffness == 3e4);
    CHECK(surface.damping == 100);
    CHECK_FALSE(robot.links[2].surface.friction);
}

TEST_CASE("what else stands in a <contact> is named") {
    const Lines said = warningsOf(smallRobot(
        "<collision>", "<contact><contact_cfm value=\"0\"/><lateral_friction value=\"x\"/></contact><collision>"));
    REQUIRE(said.size() == 2);
    CHECK(said[0] == "small.urdf:5: <lateral_friction>: \"x\" is not read; it must be a finite number >= 0");
    CHECK(said[1].starts_with("small.urdf:5: <contact_cfm>: is not read (value = \"0\", of <link name=\"upper\">)"));
}

TEST_CASE("Gazebo's mu, kp and kd are the surface of the link they refer to") {
    const RobotSurface surface =
        parseRobot(
            smallRobotWith("<gazebo reference=\"upper\"><mu1>0.9</mu1><mu2 value=\"0.9\"/><kp>1e5</kp><kd> 10 </kd>"
                           "<material>Blue</material></gazebo><gazebo><plugin/></gazebo>"))
            .links[1]
            .surface;
    CHECK(surface.friction == 0.9);
    CHECK(surface.stiffness == 1e5);
    CHECK(surface.damping == 10);
    // Gazebo's own default is rigid.
    const RobotSurface rigid =
        parseRobot(smallRobotWith("<gazebo reference=\"upper\"><kp>1e12</kp><kd>1</kd></gazebo>")).links[1].surface;
    CHECK_FALSE(rigid.stiffness);
    CHECK_FALSE(rigid.friction);
    const Lines said = warningsOf(smallRobotWith("<gazebo reference=\"upper\"><mu1>1</mu1><mu2>2</mu2></gazebo>"));
    REQUIRE(said.size() == 1);
    CHECK(said[0] == "small.urdf:12: <gazebo>: mu1 and mu2 differ; mu1 is taken in all directions");
}

TEST_CASE("Gazebo's spring of a joint is an element") {
    const RobotDescription robot = parseRobot(
        smallRobotWith("<gazebo reference=\"elbow\"><springStiffness>50</springStiffness><springReference>-0.2"
                       "</springReference><implicitSpringDamper>1</implicitSpringDamper></gazebo>"));
    REQUIRE(robot.elements.size() == 1);
    CHECK(robot.elements[0].name == "elbow.spring");
    CHECK(robot.elements[0].joint == 1);
    const SpringDamperParameters law = std::get<SpringDamperLaw>(robot.elements[0].law).parameters();
    CHECK(law.c == 50);
    CHECK(law.d == 0);
    CHECK(law.s_rel0 == -0.2);
}
