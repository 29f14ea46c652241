// What SDF files say: frames, inertia, shapes, joints, includes.

#include "small_robot.h"

#include "temporary_folder.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace elasto;
using namespace elasto::test;

namespace {

const std::string kInertial =
    "<inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";

std::string sdfLink(const std::string& name, const std::string& inside) {
    return "<link name=\"" + name + "\">" + kInertial + inside + "</link>\n";
}

std::string sdfHinge(const std::string& parent, const std::string& child, const std::string& inside = "",
                     const std::string& axis = "<xyz>0 0 1</xyz>", const std::string& type = "revolute") {
    return "<joint name=\"j_" + child + "\" type=\"" + type + "\"><parent>" + parent + "</parent><child>" + child +
           "</child>" + inside + "<axis>" + axis + "</axis></joint>\n";
}

std::string sdfModel(const std::string& inside, const std::string& version = "1.7") {
    return "<sdf version=\"" + version + "\"><model name=\"m\">\n" + inside + "</model></sdf>";
}

/// Where a link's stated frame is, at zero.
RobotPose stated(const RobotDescription& robot, const std::string& name) {
    const int index = robot.linkIndex(name);
    REQUIRE(index >= 0);
    const std::vector<RobotPose> poses = linkPoses(robot, {}, std::vector<double>(robot.joints.size(), 0));
    return poses[static_cast<std::size_t>(index)] * robot.links[static_cast<std::size_t>(index)].statedFrame;
}

bool isNearPoint(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    return (a - b).norm() < 1e-12;
}

constexpr double kQuarterTurn = 1.5707963267948966;

}  // namespace

TEST_CASE("links of an SDF model stand where the file places them, joints where theirs say") {
    const RobotDescription robot = parseRobot(sdfModel(sdfLink("a", "<pose>0 0 1 0 0 0</pose>") +
                                                       sdfLink("b", "<pose>1 0 1 0 0 1.5707963267948966</pose>") +
                                                       sdfHinge("a", "b", "<pose>0 0.2 0 0 0 0</pose>")));
    CHECK(robot.name == "m");
    REQUIRE(robot.links.size() == 2);
    CHECK(isNearPoint(stated(robot, "a").position, {0, 0, 1}));
    CHECK(isNearPoint(stated(robot, "b").position, {1, 0, 1}));
    // 0.2 m along b's y, which points along -x.
    CHECK(isNearPoint(robot.joints[0].pose.position, {0.8, 0, 1}));
    // The centre of mass is b's origin, seen from the joint.
    CHECK(isNearPoint(robot.links[1].principalFrame.position, {0, -0.2, 0}));
    CHECK(robot.links[1].mass == 2);
    CHECK(robot.joints[0].type == RobotJoint::Type::Continuous);
    // After a quarter turn about the joint b's origin is in front of it.
    const std::vector<RobotPose> turned = linkPoses(robot, {}, {kQuarterTurn});
    CHECK(isNearPoint((turned[1] * robot.links[1].statedFrame).position, {0.8, 0.2, 1}));
}

TEST_CASE("poses of an SDF file are relative to what they name") {
    const std::string frames =
        "<frame name=\"f\" attached_to=\"a\"><pose>0 1 0 0 0 0</pose></frame>"
        "<frame name=\"g\"><pose relative_to=\"f\" degrees=\"true\">0 0 2 0 0 90</pose></frame>";
    const RobotDescription robot =
        parseRobot(sdfModel("<pose>10 0 0 0 0 0</pose>" + sdfLink("a", "<pose>1 0 0 0 0 0</pose>") +
                            sdfLink("b",
                                    "<pose relative_to=\"g\">3 0 0 0 0 0</pose><collision name=\"c\"><pose "
                                    "relative_to=\"a\">0 0 0 0 0 "
                                    "0</pose><geometry><sphere><radius>1</radius></sphere></geometry></collision>") +
                            frames + sdfHinge("f", "b", "", "<xyz expressed_in=\"__model__\">1 0 0</xyz>")));
    CHECK(isNearPoint(stated(robot, "a").position, {11, 0, 0}));
    CHECK(isNearPoint(stated(robot, "b").position, {11, 4, 2}));
    // The model's x axis in b's, which is turned by 90 degrees.
    CHECK(isNearPoint(robot.joints[0].axis, {0, -1, 0}));
    CHECK(robot.joints[0].parent == 0);  // the frame f is a's
    const std::vector<RobotPose> poses = linkPoses(robot, {}, {0});
    CHECK(isNearPoint((poses[1] * robot.links[1].collisions.at(0).pose).position, {11, 0, 0}));
}

TEST_CASE("axes before SDF 1.5 are the model's, and use_parent_model_frame says so up to 1.6") {
    const auto axis = [](const std::string& version, const std::string& more) {
        return parseRobot(sdfModel(sdfLink("a", "") + sdfLink("b", "<pose>0 0 0 0 0 1.5707963267948966</pose>") +
                                       sdfHinge("a", "b", "", "<xyz>1 0 0</xyz>" + more),
                                   version))
            .joints[0]
            .axis;
    };
    CHECK(isNearPoint(axis("1.4", ""), {0, -1, 0}));
    CHECK(isNearPoint(axis("1.6", ""), {1, 0, 0}));
    CHECK(isNearPoint(axis("1.6", "<use_parent_model_frame>1</use_parent_model_frame>"), {0, -1, 0}));
    CHECK(isNearPoint(axis("1.10", ""), {1, 0, 0}));
}

TEST_CASE("limits, dynamics and the surface of an SDF model are read") {
    const std::string axis =
        "<xyz>0 0 1</xyz><limit><lower>-1</lower><upper>0.5</upper><effort>7</effort><velocity>-1</velocity>"
        "<stiffness>400</stiffness><dissipation>3</dissipation></limit><dynamics><damping>0.2</damping><friction>0.1"
        "</friction><spring_reference>0.3</spring_reference><spring_stiffness>20</spring_stiffness></dynamics>";
    const std::string surface =
        "<collision name=\"c\"><geometry><box><size>1 2 3</size></box></geometry><surface><friction><ode><mu>0.7</mu>"
        "<mu2>0.7</mu2></ode></friction><contact><ode><kp>1e5</kp><kd>5</kd></ode></contact><bounce>"
        "<restitution_coefficient>0.25</restitution_coefficient></bounce></surface></collision>";
    const RobotDescription robot =
        parseRobot(sdfModel(sdfLink("a", "") + sdfLink("b", surface) + sdfHinge("a", "b", "", axis)));
    const RobotJoint& joint = robot.joints[0];
    CHECK(joint.type == RobotJoint::Type::Revolute);
    CHECK(joint.limits->lower == -1);
    CHECK(joint.limits->upper == 0.5);
    CHECK(joint.limits->effort == 7);
    CHECK(std::isinf(joint.limits->velocity));
    CHECK(joint.friction == 0.1);
    REQUIRE(robot.elements.size() == 4);
    CHECK(robot.elements[0].name == "j_b.lower");
    CHECK(robot.elements[1].name == "j_b.upper");
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().c == 400);
    CHECK(std::get<ElastoGapLaw>(robot.elements[1].law).parameters().d == 3);
    CHECK(robot.elements[2].name == "j_b.spring");
    CHECK(std::get<SpringDamperLaw>(robot.elements[2].law).parameters().s_rel0 == 0.3);
    CHECK(std::get<SpringDamperLaw>(robot.elements[3].law).parameters().d == 0.2);
    const RobotLink& b = robot.links[1];
    CHECK(b.collisions.at(0).size == Eigen::Vector3d(1, 2, 3));
    CHECK(b.surface.friction == 0.7);
    CHECK(b.surface.stiffness == 1e5);
    CHECK(b.surface.restitution == 0.25);
}

TEST_CASE("a universal joint is two hinges, and a static model is fixed to the world") {
    const std::string text =
        "<joint name=\"u\" type=\"universal\"><parent>a</parent><child>b</child><axis><xyz>1 0 "
        "0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>";
    const RobotDescription robot = parseRobot(sdfModel(sdfLink("a", "") + sdfLink("b", "") + text));
    REQUIRE(robot.joints.size() == 2);
    CHECK(robot.joints[0].name == "u");
    CHECK(robot.joints[0].axis == Eigen::Vector3d::UnitX());
    CHECK(robot.joints[1].name == "u.2");
    CHECK(robot.joints[1].axis == Eigen::Vector3d::UnitY());
    CHECK(robot.links[1].mass == 0);
    const RobotDescription still =
        parseRobot(sdfModel("<static>true</static>" + sdfLink("a", "") + sdfLink("b", "") + sdfHinge("a", "b")));
    REQUIRE(still.joints.size() == 2);
    CHECK(still.links[0].name == "world");
    for (const RobotJoint& joint : still.joints) CHECK(joint.type == RobotJoint::Type::Fixed);
}

TEST_CASE("elements of Elasto and joints that follow others work in an SDF model") {
    const RobotDescription robot = parseRobot(
        sdfModel(sdfLink("a", "") + sdfLink("b", "") + sdfLink("c", "") + sdfHinge("a", "b") +
                 sdfHinge("b", "c", "",
                          "<xyz>0 0 1</xyz><mimic joint=\"j_b\"><multiplier>2</multiplier><offset>0.5</offset>"
                          "<reference>0.1</reference></mimic>") +
                 "<elasto:backlash joint=\"j_b\" c=\"1e3\" d=\"1\" b=\"0.01\" inertia=\"1e-3\" ratio=\"50\"/>"));
    REQUIRE(robot.elements.size() == 1);
    CHECK(robot.elements[0].name == "j_b.backlash");
    CHECK(robot.joints[1].mimic->multiplier == 2);
    CHECK(robot.joints[1].mimic->offset == Approx(0.5 - 2 * 0.1));
}

TEST_CASE("the ends of a line are in the frames that the SDF file calls its links'") {
    const RobotDescription robot =
        parseRobot(sdfModel(sdfLink("a", "") + sdfLink("b", "<pose>1 0 0 0 0 1.5707963267948966</pose>") +
                            sdfHinge("a", "b", "<pose>0 0.2 0 0 0 0</pose>") +
                            R"(<elasto:line link_a="a" link_b="b" xyz_a="0 0 0.3" xyz_b="0.1 0 0" c="1" d="0"/>)"));
    REQUIRE(robot.elements.size() == 1);
    const std::vector<RobotPose> poses = linkPoses(robot, {}, {0});
    const auto inWorld = [&](int link, const Eigen::Vector3d& point) {
        return (poses[static_cast<std::size_t>(link)] * RobotPose{point, Eigen::Quaterniond::Identity()}).position;
    };
    const RobotSpan& span = *robot.elements[0].span;
    CHECK(isNearPoint(inWorld(span.linkA, span.pointA), {0, 0, 0.3}));
    CHECK(isNearPoint(inWorld(span.linkB, span.pointB), {1, 0.1, 0}));  // 0.1 m along b's x, which points along y
    CHECK(isNearPoint(span.pointB, {0.1, -0.2, 0}));
}

TEST_CASE("models in models and included ones have their names in front") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "arm");
    writeText(folder.path() / "arm" / "model.config",
              "<model><sdf version=\"1.5\">old.sdf</sdf><sdf version=\"1.10\">new.sdf</sdf></model>");
    writeText(folder.path() / "arm" / "new.sdf",
              sdfModel(sdfLink("base", "<pose>0 0 1 0 0 0</pose>") + sdfLink("tip", "<pose>0 0 2 0 0 0</pose>") +
                       sdfHinge("base", "tip")));
    const auto load = [&](const std::string& text) { return parseRobot(text, folder.path() / "top.sdf"); };
    const std::string fixed = "<joint name=\"mount\" type=\"fixed\"><parent>a</parent><child>";
    const RobotDescription robot = load(sdfModel(
        sdfLink("a", "") + "<include><uri>model://arm</uri><name>left</name><pose>5 0 0 0 0 0</pose></include>" +
        fixed + "left::base</child></joint>"));
    CHECK(isNearPoint(stated(robot, "left::tip").position, {5, 0, 2}));
    CHECK(robot.jointIndex("left::j_tip") >= 0);
    // By the frame that is placed: the tip comes to 5 0 0.
    const RobotDescription placed =
        load(sdfModel(sdfLink("a", "") +
                      "<include><uri>arm</uri><name>left</name><placement_frame>tip</placement_frame>"
                      "<pose>5 0 0 0 0 0</pose></include>" +
                      fixed + "left</child></joint>"));
    CHECK(isNearPoint(stated(placed, "left::tip").position, {5, 0, 0}));
    // Merged names have none.
    const RobotDescription merged =
        load(sdfModel(sdfLink("a", "") + "<include merge=\"true\"><uri>arm</uri><pose>0 7 0 0 0 0</pose></include>" +
                      fixed + "base</child></joint>"));
    CHECK(isNearPoint(stated(merged, "tip").position, {0, 7, 2}));
    const RobotDescription nested =
        load(sdfModel(sdfLink("a", "") + "<model name=\"n\"><pose>1 0 0 0 0 0</pose>" +
                      sdfLink("x", "<pose>0 1 0 0 0 0</pose>") + "</model>" + fixed + "n::x</child></joint>"));
    CHECK(isNearPoint(stated(nested, "n::x").position, {1, 1, 0}));
    // A world has its models too.
    const RobotDescription world =
        load("<sdf version=\"1.7\"><world name=\"w\"><include><uri>arm</uri></include></world></sdf>");
    CHECK(world.links.size() == 2);
}

namespace {

/// Where the stated frame of link "c" is in that of "p", with coordinates by the joints' names.
Eigen::Isometry3d childInParent(const RobotDescription& robot, const std::map<std::string, double>& coordinates) {
    std::vector<double> q(robot.joints.size(), 0);
    for (const auto& [name, value] : coordinates) q.at(static_cast<std::size_t>(robot.jointIndex(name))) = value;
    const std::vector<RobotPose> poses = linkPoses(robot, {}, q);
    const auto frame = [&](const std::string& name) {
        const auto link = static_cast<std::size_t>(robot.linkIndex(name));
        const RobotPose pose = poses.at(link) * robot.links.at(link).statedFrame;
        return Eigen::Isometry3d(Eigen::Translation3d(pose.position) * pose.orientation);
    };
    return frame("p").inverse() * frame("c");
}

}  // namespace

TEST_CASE("a joint that is written the other way round moves its links alike") {
    const std::string links =
        sdfLink("p", "<pose>0 0 1 0.2 0 0</pose>") + sdfLink("c", "<pose>0.3 0 1 0 0.4 0.5</pose>");
    const std::string ends = "<parent>p</parent><child>c</child><pose>0.1 0 0 0 0 0.3</pose>";
    const std::vector<std::string> joints = {
        "<joint name=\"u\" type=\"universal\">" + ends +
            "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0.2</xyz></axis2></joint>",
        "<joint name=\"u\" type=\"revolute\">" + ends +
            "<axis><xyz>1 2 3</xyz><limit><lower>-0.1</lower><upper>2</upper></limit></axis></joint>",
        "<joint name=\"u\" type=\"prismatic\">" + ends + "<axis><xyz>1 2 3</xyz></axis></joint>"};
    const std::string held = "<joint name=\"held\" type=\"fixed\"><parent>world</parent><child>c</child></joint>";
    for (const std::string& joint : joints) {
        INFO(joint);
        const RobotDescription plain = parseRobot(sdfModel(links + joint));
        const Lines said = warningsOf(sdfModel(links + joint + held));
        REQUIRE(said.size() == 1);
        CHECK(
            said[0].ends_with("<joint name=\"u\">: is taken the other way round, with the same coordinate: link "
                              "\"c\" carries \"p\""));
        const RobotDescription reversed = parseRobot(sdfModel(links + joint + held));
        CHECK(reversed.links[0].name == "world");
        CHECK(reversed.links.back().name == "p");
        std::map<std::string, double> coordinates{{"u", 0.7}};
        if (plain.jointIndex("u.2") >= 0) coordinates["u.2"] = -0.4;
        CHECK(childInParent(plain, coordinates).isApprox(childInParent(reversed, coordinates), 1e-14));
        const RobotJoint& one = plain.joints[static_cast<std::size_t>(plain.jointIndex("u"))];
        const RobotJoint& other = reversed.joints[static_cast<std::size_t>(reversed.jointIndex("u"))];
        CHECK(one.limits->lower == other.limits->lower);
        CHECK(one.limits->upper == other.limits->upper);
    }
}

TEST_CASE("of an SDF model in parts the largest is the robot") {
    const std::string parts = sdfLink("lamp", "") + sdfLink("a", "") + sdfLink("b", "") + sdfHinge("a", "b") +
                              sdfLink("box", "") + sdfLink("lid", "") + sdfHinge("box", "lid");
    const RobotDescription robot = parseRobot(sdfModel(parts));
    REQUIRE(robot.links.size() == 2);
    CHECK(robot.links[0].name == "a");
    CHECK(robot.joints.size() == 1);
    const Lines said = warningsOf(sdfModel(parts));
    REQUIRE(said.size() == 1);
    CHECK(said[0] ==
          "small.urdf:2: <link name=\"lamp\">: is left out: no joints connect it with \"a\", and a robot is one tree "
          "of links; and 2 more like it");
    // A loop is none of it.
    CHECK(refusal(sdfModel(parts + "<joint name=\"l\" type=\"fixed\"><parent>lamp</parent><child>b</child></joint>" +
                           "<joint name=\"k\" type=\"fixed\"><parent>lamp</parent><child>a</child></joint>"))
              .find("carries that link already; a robot must be a tree, without closed loops") != std::string::npos);
}

TEST_CASE("SDF files of before 1.3 are read, and coefficients of -1 are none") {
    const std::string surface =
        "<collision name=\"c\"><geometry><box><size>1 2 3</size></box></geometry><surface><friction><ode><mu>-1</mu>"
        "<mu2>-1</mu2></ode></friction></surface></collision>";
    const auto file = [&](const std::string& version) {
        return "<gazebo version=\"" + version + "\"><model name=\"m\">" + sdfLink("a", "") + sdfLink("b", surface) +
               sdfHinge("a", "b") + "</model></gazebo>";
    };
    CHECK(!parseRobot(file("1.2")).links[1].surface.friction);
    const Lines said = warningsOf(file("1.2"));
    REQUIRE(said.size() == 1);
    CHECK(
        said[0] ==
        "small.urdf:2: <mu>: \"-1\" is negative (of <link name=\"b\">); it is taken as not stated; and 1 more like it");
    CHECK(refusal(file("1.0")) ==
          "small.urdf:1: <gazebo>: version = \"1.0\" is not allowed; read are versions from 1.2 on");
    // <gazebo> of URDF is no model.
    CHECK(refusal("<gazebo reference=\"a\"/>").find("must begin with <robot> or <sdf>") != std::string::npos);
}

TEST_CASE("of a world that has no robot of its own what it includes is read, and not its sun") {
    const TemporaryFolder folder;
    writeText(folder.path() / "sun.sdf", "<sdf version=\"1.6\"><light name=\"sun\"/></sdf>");
    writeText(folder.path() / "table.sdf", sdfModel("<static>1</static>" + sdfLink("top", "")));
    LoadRobotOptions quiet;
    quiet.messageHandler = nullptr;
    const auto world = [&](const std::string& inside) {
        const std::string sun = "<include><uri>sun.sdf</uri></include>";
        return parseRobot("<sdf version=\"1.6\"><world name=\"w\">" + sun + inside + "</world></sdf>",
                          folder.path() / "world.sdf", quiet);
    };
    CHECK(world("<include><uri>table.sdf</uri></include>").links[1].name == "top");
    CHECK_THROWS_WITH(world("<model name=\"m\"><include><uri>model://iris</uri></include></model>"),
                      Catch::Contains("has no <link> that is read: there is no model \"iris\"; there must be"));
}

TEST_CASE("what an SDF file has and nobody reads is named") {
    const std::string text =
        sdfModel(sdfLink("a",
                         "<sensor name=\"s\"/><visual name=\"v\"><geometry/></visual><fluid_added_mass/><collision "
                         "name=\"p\"><geometry><plane/></geometry></collision>") +
                 "<plugin/><gz:thing/><self_colide>1</self_colide>");
    const Lines said = warningsOf(text);
    REQUIRE(said.size() == 3);
    CHECK(said[0] == "small.urdf:2: <fluid_added_mass>: is not read (of <link name=\"a\">)");
    CHECK(said[1].starts_with("small.urdf:2: <plane>: the shape is left out (of <link name=\"a\">); read are box"));
    CHECK(said[2] == "small.urdf:3: <self_colide>: is not read (of <model name=\"m\">)");
    const Lines two =
        warningsOf("<sdf version=\"1.7\"><model name=\"ground\"><static>1</static></model><model name=\"m\">" +
                   sdfLink("a", "") + "</model></sdf>");
    REQUIRE(two.size() == 1);
    CHECK(two[0] == "small.urdf:1: <model name=\"ground\">: \"ground\" is not read: a robot is one model, here \"m\"");
}

TEST_CASE("an SDF file that cannot be is refused, all mistakes at once") {
    const std::string said = refusal(
        sdfModel(sdfLink("a", "<pose relative_to=\"none\">0 0 0 0 0 0</pose>") + sdfLink("b", "<pose>0 0 0</pose>") +
                 sdfLink("b", "") + sdfHinge("a", "b", "", "<xyz>0 0 0</xyz>") +
                 "<joint name=\"s\" "
                 "type=\"screw\"><parent>a</parent><child>b</child></joint><include><uri>model://no</uri></include>"));
    INFO(said);
    CHECK(said.find("small.urdf:2: frame \"a\": relative_to = \"none\" is not allowed: there is no such frame") !=
          std::string::npos);
    CHECK(said.find("small.urdf:3: <pose>: \"0 0 0\" is not allowed; it must be 6 numbers, each a finite number") !=
          std::string::npos);
    CHECK(said.find("small.urdf:4: <link name=\"b\">: there is a frame \"b\" already; names must be unique") !=
          std::string::npos);
    CHECK(said.find("small.urdf:5: <xyz>: \"0 0 0\" is not allowed; it must have a direction") != std::string::npos);
    CHECK(said.find("type = \"screw\" is not allowed; read are revolute, continuous, prismatic, fixed, universal, "
                    "revolute2, ball") != std::string::npos);
    CHECK(warningsOf(sdfModel(sdfLink("a", "") +
                              "<include><uri>model://no</uri><name>n</name></include><joint name=\"s\" "
                              "type=\"fixed\"><parent>a</parent><child>n::b</child></joint>"))[0]
              .starts_with("small.urdf:3: <include>: there is no model \"model://no\"; looked for as"));
    CHECK(refusal(sdfModel("")) ==
          "small.urdf:1: <model name=\"m\">: has no <link> that is read; there must be at least one");
    // Frames in a circle.
    CHECK(refusal(sdfModel(sdfLink("a", "<pose relative_to=\"f\">0 0 0 0 0 0</pose>") +
                           "<frame name=\"f\"><pose relative_to=\"a\">0 0 0 0 0 0</pose></frame>"))
              .find("is placed in itself, through other frames") != std::string::npos);
    const TemporaryFolder folder;
    writeText(folder.path() / "self.sdf", sdfModel("<include><uri>self.sdf</uri></include>"));
    CHECK_THROWS_WITH(loadRobot(folder.path() / "self.sdf"), Catch::Contains("nested too deep, or include themselves"));
}
