#include "small_robot.h"

#include "temporary_folder.h"

#include <catch2/catch.hpp>

#include <clocale>
#include <cmath>

using namespace elasto;
using namespace elasto::test;

TEST_CASE("links come parents first, with what the file says about them") {
    const RobotDescription robot = parseRobot(kSmallRobot);
    CHECK(robot.name == "small");
    REQUIRE(robot.links.size() == 3);
    REQUIRE(robot.joints.size() == 2);
    CHECK(robot.links[0].name == "world");
    CHECK(robot.links[0].mass == 0);
    CHECK(robot.links[1].name == "upper");
    CHECK(robot.links[1].line == 3);
    CHECK(robot.links[1].mass == 2);
    CHECK(robot.links[1].principalFrame.position == Eigen::Vector3d(0.25, 0, 0));
    CHECK(robot.links[1].principalMoments == Eigen::Vector3d(0.01, 0.04, 0.04));
    REQUIRE(robot.links[1].collisions.size() == 1);
    CHECK(robot.links[1].collisions[0].type == RobotShape::Type::Box);
    CHECK(robot.links[1].collisions[0].size == Eigen::Vector3d(0.5, 0.1, 0.1));
    CHECK(robot.links[1].collisions[0].pose.position == Eigen::Vector3d(0.25, 0, 0));
    CHECK(robot.linkIndex("lower") == 2);
    CHECK(robot.linkIndex("none") == -1);
}

TEST_CASE("names are those of the file, however they are written") {
    const auto nameOf = [](const std::string& written) {
        std::string text = smallRobot("link name=\"upper\"", "link name=\"" + written + "\"");
        for (const std::string end : {"child link=\"upper\"", "parent link=\"upper\""}) {
            text.replace(text.find(end), end.size(), end.substr(0, end.find('"') + 1) + written + "\"");
        }
        return parseRobot(text).links[1].name;
    };
    CHECK(nameOf("a&amp;b") == "a&b");
    CHECK(nameOf("&lt;&gt;&quot;&apos;") == "<>\"'");
    CHECK(nameOf("a&#38;&#x41;") == "a&A");
    CHECK(nameOf("&#xe9;&#9881;") == "é⚙");
    CHECK(nameOf("é > ⚙") == "é > ⚙");
    // They would end a line of a table.
    for (const char* written : {"a\r\nb", "a&#10;b", "a&#13;b", "a&#9;b", "a\tb"}) {
        CHECK_THROWS_WITH(nameOf(written), Catch::Contains("must have no line feeds, tabs"));
    }
    CHECK(nameOf("a&amp;bad;b") == "a&bad;b");
}

TEST_CASE("names and elements are as long as a text may be, and no longer") {
    const auto named = [](std::size_t length) {
        return parseRobot(smallRobot("name=\"shoulder\"", "name=\"" + std::string(length, 'n') + "\""));
    };
    CHECK_NOTHROW(named(4096));
    CHECK_THROWS_WITH(named(4097), Catch::Contains("name of 4097 bytes is not allowed; it must have at most 4096"));
    const auto crowded = [](int count) {
        std::string attributes;
        for (int i = 1; i < count; ++i) attributes += " a" + std::to_string(i) + "=\"\"";
        return parseRobot(smallRobot("<link name=\"world\"", "<link name=\"world\"" + attributes));
    };
    CHECK_NOTHROW(crowded(1000));
    CHECK_THROWS_WITH(crowded(1001), Catch::Contains("an element may have at most 1000 attributes"));
}

TEST_CASE("what stands between the elements is passed over") {
    const std::string text = "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE robot>\n<!-- a -->\n" +
                             smallRobot("<link name=\"world\"/>",
                                        "<!-- <link> --> & <![CDATA[ <joint> ]]> "
                                        "<link name=\"world\"/> text");
    CHECK(parseRobot(text).links.size() == 3);
}

TEST_CASE("joints have type, ends, axis, limits and place") {
    const RobotDescription robot = parseRobot(kSmallRobot);
    const RobotJoint& shoulder = robot.joints[0];
    CHECK(shoulder.name == "shoulder");
    CHECK(shoulder.line == 10);
    CHECK(shoulder.type == RobotJoint::Type::Revolute);
    CHECK(shoulder.parent == 0);
    CHECK(shoulder.child == 1);
    CHECK(shoulder.axis == Eigen::Vector3d::UnitZ());
    REQUIRE(shoulder.limits);
    CHECK(shoulder.limits->lower == -1);
    CHECK(shoulder.limits->upper == 2);
    CHECK(shoulder.limits->effort == 10);
    CHECK_FALSE(shoulder.limits->isLowerElastic);
    const RobotJoint& elbow = robot.joints[1];
    CHECK(elbow.type == RobotJoint::Type::Continuous);
    CHECK(elbow.pose.position == Eigen::Vector3d(0.5, 0, 0));
    CHECK_FALSE(elbow.limits);
    CHECK(robot.jointIndex("elbow") == 1);
}

TEST_CASE("poses of links follow the joints") {
    const RobotDescription robot = parseRobot(kSmallRobot);
    const std::vector<RobotPose> poses = linkPoses(robot, {{0, 0, 1}, Eigen::Quaterniond::Identity()}, {M_PI / 2, 0.3});
    CHECK(poses[0].position == Eigen::Vector3d(0, 0, 1));
    CHECK((poses[2].position - Eigen::Vector3d(0, 0.5, 1)).norm() < 1e-15);
    // The elbow's axis y points along -x now; 0.3 rad about it lowers the x axis.
    const Eigen::Vector3d x = poses[2].orientation * Eigen::Vector3d::UnitX();
    CHECK((x - Eigen::Vector3d(0, std::cos(0.3), -std::sin(0.3))).norm() < 1e-15);
}

TEST_CASE("an axis of any length is a direction") {
    CHECK(parseRobot(smallRobot("xyz=\"0 0 1\"", "xyz=\"0 0 -250\"")).joints[0].axis == -Eigen::Vector3d::UnitZ());
}

TEST_CASE("damping and friction of a joint are read") {
    const RobotDescription robot = parseRobot(
        smallRobot("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><dynamics damping=\"0.5\" friction=\"2\"/>"));
    CHECK(robot.joints[1].damping == 0.5);
    CHECK(robot.joints[1].friction == 2);
    REQUIRE(robot.elements.size() == 1);
    CHECK(robot.elements[0].name == "elbow.damping");
    CHECK(robot.elements[0].isDamping());
    CHECK(robot.elements[0].joint == 1);
    CHECK(std::get<SpringDamperLaw>(robot.elements[0].law).parameters().d == 0.5);
}

TEST_CASE("what other programs have put into the file is left alone") {
    const std::string foreign =
        "<gazebo reference=\"upper\"><material>Blue</material></gazebo><transmission name=\"t\"/><!-- note -->";
    CHECK(refusal(smallRobotWith(foreign)).empty());
}

TEST_CASE("a mesh becomes its vertices, scaled, looked up beside the file or in a package") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "my_robot" / "urdf");
    writeText(folder.path() / "my_robot" / "urdf" / "t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
    const auto shape = [&](const std::string& name, const LoadRobotOptions& options) {
        const std::string text =
            smallRobot("<box size=\"0.5 0.1 0.1\"/>", "<mesh filename=\"" + name + "\" scale=\"2 1 -1\"/>");
        return parseRobot(text, folder.path() / "my_robot" / "urdf" / "r.urdf", options).links[1].collisions.at(0);
    };
    for (const char* name : {"t.obj", "package://my_robot/urdf/t.obj"}) {
        const RobotShape hull = shape(name, {});
        CHECK(hull.type == RobotShape::Type::Hull);
        REQUIRE(hull.points.size() == 4);
        CHECK(hull.points[1] == Eigen::Vector3d(2, 0, 0));
        CHECK(hull.points[3] == Eigen::Vector3d(0, 0, -1));
    }
    LoadRobotOptions options;
    options.packages["elsewhere"] = folder.path() / "my_robot";
    CHECK(shape("package://elsewhere/urdf/t.obj", options).points.size() == 4);
    CHECK(shape("file://" + folder.file("my_robot/urdf/t.obj"), {}).points.size() == 4);
}

TEST_CASE("numbers are read the same in any locale") {
    const char* const before = std::setlocale(LC_ALL, nullptr);
    const std::string saved = before;
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) == nullptr) continue;
        CHECK(parseRobot(kSmallRobot).links[1].principalFrame.position.x() == 0.25);
    }
    std::setlocale(LC_ALL, saved.c_str());
}
