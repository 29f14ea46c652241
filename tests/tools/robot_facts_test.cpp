// What elements mean at a robot's joints.

#include <elasto/errors.h>
#include <elasto/robot/load_robot.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

#include "robot_facts.h"
#include "scene_input.h"
#include "tool_errors.h"

using namespace elasto;
using namespace elasto::tools;
using Catch::Matchers::Contains;

namespace {

constexpr double kPi = 3.141592653589793;

/// A bar of 2 kg whose centre is 0.5 m beside its hinge: 0.17 + 2 0.5^2 = 0.67 kg m^2.
RobotScene bar(const std::string& elements) {
    return sceneOfRobot(parseRobot(R"(<robot name="bar" xmlns:elasto="urn:elasto"><link name="world"/><link name="bar">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial>
</link><joint name="hinge" type="revolute"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="0.4" effort="100" velocity="10"/></joint>)" +
                                   elements + "</robot>"));
}

RobotScene arm() {
    return loadRobotScene(ELASTO_SOURCE_DIR "/assets/robots/arm6.json");
}

}  // namespace

TEST_CASE("a joint's element sees the inertia of what it moves, and of the rotor behind it") {
    const std::vector<RobotElementFacts> facts = explainRobot(
        bar(R"(<elasto:backlash joint="hinge" c="1e4" d="5" b="0.01" inertia="1e-4" ratio="-100"/>)"), 240);
    REQUIRE(facts.size() == 1);
    CHECK(facts[0].joint == "hinge");
    CHECK(facts[0].element.name == "hinge.backlash");
    CHECK(facts[0].element.type == "ElastoBacklash");
    CHECK(facts[0].jointInertia == Approx(0.67).epsilon(1e-12));
    REQUIRE(facts[0].rotorInertia);
    CHECK(*facts[0].rotorInertia == Approx(1).epsilon(1e-12));
    const double mass = 0.67 / 1.67;
    const double k = 1e4 / mass;
    CHECK(facts[0].element.effectiveMass == Approx(mass).epsilon(1e-12));
    CHECK(facts[0].element.frequency == Approx(std::sqrt(k) / (2 * kPi)));
    CHECK(facts[0].element.dampingRatio == Approx(5 / mass / (2 * std::sqrt(k))));
    CHECK(facts[0].element.explicitRate == Approx(explicitRate(k, 5 / mass)));
    REQUIRE(facts[0].element.contactTime);
    CHECK(*facts[0].element.contactTime == Approx(kPi / std::sqrt(k)).epsilon(0.05));
    CHECK(*facts[0].element.contactTicks == Approx(240 * *facts[0].element.contactTime));
}

TEST_CASE("what rubs on a motor sees its rotor") {
    const std::vector<RobotElementFacts> facts = explainRobot(
        bar(R"(<elasto:friction joint="hinge" side="motor" tau_Coulomb="0.02"/>
<elasto:backlash joint="hinge" c="1e4" d="5" b="0.01" inertia="1e-4" ratio="-100"/>)"),
        240);
    REQUIRE(facts.size() == 2);
    CHECK(facts[1].element.name == "hinge.motor.friction");
    CHECK(facts[1].element.effectiveMass == Approx(1e-4).epsilon(1e-12));
    CHECK(facts[1].rotorInertia == facts[0].rotorInertia);
}

TEST_CASE("a rotor's element sees that the rotor rides on the parent link") {
    // Two bodies that float, of 0.1 and 0.02 kg.m2 about the joint; the rotor of 0.01 behind 9:1. Forces along the
    // element give the link 1, the rotor -1/9 and the body -1 + 1/9.
    const RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="rw" xmlns:elasto="urn:elasto"><link name="body">
<inertial><mass value="5"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="wheel"><inertial><mass value="0.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.02"/></inertial>
</link><joint name="j" type="continuous"><parent link="body"/><child link="wheel"/><axis xyz="0 0 1"/></joint>
<elasto:backlash joint="j" c="5000" d="5" b="0" inertia="0.01" ratio="9"/></robot>)"));
    const double inverse = 1 / 0.02 + std::pow(1 - 1 / 9., 2) / 0.1 + 1 / (0.01 * 81);
    CHECK(explainRobot(scene, 240)[0].element.effectiveMass == Approx(1 / inverse).epsilon(1e-12));
}

TEST_CASE("a gap without a motor is hit by the bar alone, from where it begins to fall") {
    const std::vector<RobotElementFacts> facts =
        explainRobot(bar(R"(<elasto:gap joint="hinge" side="upper" c="2000" d="0"/>)"), 240);
    REQUIRE(facts.size() == 1);
    CHECK_FALSE(facts[0].rotorInertia);
    CHECK(facts[0].element.type == "ElastoGap");
    CHECK(facts[0].element.effectiveMass == Approx(0.67).epsilon(1e-12));
    CHECK(*facts[0].element.contactTime == Approx(kPi * std::sqrt(0.67 / 2000)).epsilon(1e-9));
}

TEST_CASE("a robot's inertia is that of the speeds of its links") {
    RobotScene scene = arm();
    std::vector<int> columns;
    const Eigen::MatrixXd inertia = robotInertia(scene, columns);
    REQUIRE(inertia.rows() == 6);
    CHECK((inertia - inertia.transpose()).norm() < 1e-12 * inertia.norm());
    // Kinetic energy by differences of the links' poses.
    Eigen::VectorXd rates(6);
    rates << 0.7, -0.4, 1.1, 2, -1.5, 3;
    constexpr double kStep = 1e-5;
    const auto posesAt = [&](double t) {
        std::vector<double> q = scene.q;
        for (std::size_t j = 0; j < q.size(); ++j) {
            if (columns[j] >= 0) q[j] += t * rates[columns[j]];
        }
        return linkPoses(scene.robot, scene.pose, q);
    };
    const std::vector<RobotPose> before = posesAt(-kStep);
    const std::vector<RobotPose> after = posesAt(kStep);
    double energy = 0;
    for (std::size_t i = 0; i < scene.robot.links.size(); ++i) {
        const RobotLink& link = scene.robot.links[i];
        const RobotPose a = before[i] * link.principalFrame;
        const RobotPose b = after[i] * link.principalFrame;
        const Eigen::Vector3d velocity = (b.position - a.position) / (2 * kStep);
        const Eigen::AngleAxisd turned(a.orientation.conjugate() * b.orientation);
        const Eigen::Vector3d turning = turned.angle() / (2 * kStep) * turned.axis();
        energy += link.mass * velocity.squaredNorm() / 2 + turning.dot(link.principalMoments.cwiseProduct(turning)) / 2;
    }
    CHECK(0.5 * rates.dot(inertia * rates) == Approx(energy).epsilon(1e-6));
}

TEST_CASE("a free base moves with all of its robot") {
    RobotScene scene = bar("");
    scene.robot.links[0].mass = 3;
    scene.robot.links[0].principalMoments = {0.1, 0.1, 0.1};
    std::vector<int> columns;
    const Eigen::MatrixXd inertia = robotInertia(scene, columns);
    REQUIRE(inertia.rows() == 7);
    CHECK(columns == std::vector<int>{6});
    CHECK(inertia.topLeftCorner<3, 3>().isApprox(5 * Eigen::Matrix3d::Identity(), 1e-12));
    scene.base = RobotScene::Base::Fixed;
    CHECK(robotInertia(scene, columns).rows() == 1);
}

TEST_CASE("the arm and the leg that come with Elasto are explained") {
    for (const char* name : {"arm6.json", "arm6.urdf", "leg.json", "leg.urdf", "arm6_without_backlash.json"}) {
        INFO(name);
        const RobotScene scene = SceneInput(std::string(ELASTO_SOURCE_DIR "/assets/robots/") + name).robot();
        const std::vector<RobotElementFacts> facts = explainRobot(scene, scene.rate);
        REQUIRE(facts.size() == scene.robot.elements.size());
        for (const RobotElementFacts& one : facts) {
            CHECK(one.jointInertia > 0);
            CHECK(one.element.effectiveMass <= one.jointInertia);
            CHECK(one.element.explicitRate.value_or(1) > 0);
        }
    }
}

TEST_CASE("a sweep in the place of a scene is refused with the command that runs it") {
    CHECK_THROWS_WITH(SceneInput(ELASTO_SOURCE_DIR "/assets/sweeps/stop_map.json"),
                      Contains("stop_map.json: is a sweep; elasto sweep runs it"));
}

TEST_CASE("an element on links sees what their joints move, and the free body at its other end") {
    RobotScene scene = bar("");
    // Stands for the link; 3 kg hang on a spring from the bar's end.
    SceneBody box, link;
    box.name = "box";
    box.mass = 3;
    box.inertia.setConstant(0.1);
    box.position = {1, 0, -1};
    link.name = "bar";
    link.inertia.setOnes();
    scene.around.bodies = {box, link};
    scene.links = {{0, 1}};
    SceneElement spring;
    spring.name = "hung";
    spring.type = ElementType::SpringDamperParallel;
    spring.geometry = Geometry::AlongLine;
    spring.frame_a = {.body = 1, .position = {1, 0, 0}};
    spring.frame_b = {.body = 0};
    spring.law = SpringDamperLaw({.c = 500, .d = 4, .s_rel0 = 1});
    SceneElement tilted = spring;  // at 45 degrees to the bar, from the world
    tilted.name = "tilted";
    tilted.frame_b = {.body = kWorld, .position = {2, 0, 1}};
    SceneElement across = tilted;  // along the bar: nothing moves it at the start
    across.name = "across";
    across.frame_b.position = {2, 0, 0};
    SceneElement about = spring;
    about.name = "about";
    about.geometry = Geometry::AboutAxis;
    about.axis = {0, 1, 0};
    about.frame_b.body = kWorld;
    scene.around.elements = {spring, tilted, across, about};
    const std::vector<ElementFacts> facts = explainOnLinks(scene, 240);
    REQUIRE(facts.size() == 4);
    const double ofBar = 1 / 0.67, k = 500 * (ofBar + 1 / 3.);
    CHECK(facts[0].name == "hung");
    CHECK(facts[0].effectiveMass == Approx(1 / (ofBar + 1 / 3.)).epsilon(1e-12));
    CHECK(*facts[0].frequency == Approx(std::sqrt(k) / (2 * kPi)).epsilon(1e-12));
    CHECK(*facts[0].explicitRate == Approx(explicitRate(k, 4 * (ofBar + 1 / 3.))).epsilon(1e-12));
    CHECK(facts[1].effectiveMass == Approx(2 * 0.67).epsilon(1e-12));
    CHECK(std::isinf(facts[2].effectiveMass));
    CHECK_FALSE(facts[2].frequency);
    CHECK(facts[3].effectiveMass == Approx(0.67).epsilon(1e-12));
}

TEST_CASE("an element between two links of one robot that floats sees both at once") {
    // Two bodies of 2 and 1 kg on a slider, free in space: along it they move against each other alone.
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="two"><link name="a">
<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="9" velocity="9"/></joint></robot>)"));
    for (const double x : {0., 1.}) {
        SceneBody link;
        link.name = x > 0 ? "b" : "a";
        link.inertia.setOnes();
        link.position = {x, 0, 0};
        scene.around.bodies.push_back(link);
    }
    scene.links = {{0, 0}, {0, 1}};
    SceneElement spring;
    spring.name = "spring";
    spring.type = ElementType::SpringDamperParallel;
    spring.frame_a.body = 0;
    spring.frame_b.body = 1;
    spring.law = SpringDamperLaw({.c = 100, .d = 0, .s_rel0 = 1});
    scene.around.elements = {spring};
    CHECK(explainOnLinks(scene, 240)[0].effectiveMass == Approx(2 / 3.).epsilon(1e-12));
}
