// Joints that follow others, springs of joints and surfaces of links, in a world.

#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace elasto;

namespace {

constexpr bool kWide = sizeof(btScalar) == 8;

std::string wheel(const std::string& name, const std::string& more) {
    return "<link name=\"" + name +
           "\"><inertial><mass value=\"1\"/><inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" "
           "izz=\"0.02\"/></inertial>" +
           more + "</link><joint name=\"j_" + name + "\" type=\"continuous\"><parent link=\"world\"/><child link=\"" +
           name + "\"/><axis xyz=\"0 0 1\"/>";
}

/// Two wheels of 0.02 kg.m2; the second turns by -3 times the first and 0.2 rad.
RobotScene gearScene() {
    RobotScene scene =
        sceneOfRobot(parseRobot("<robot name=\"gear\">" + wheel("a", "") + "</joint>" + wheel("b", "") +
                                "<mimic joint=\"j_a\" multiplier=\"-3\" offset=\"0.2\"/></joint></robot>"));
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = 1;  // N.m on the first wheel
    scene.duration = 1;
    return scene;
}

}  // namespace

TEST_CASE("a joint that follows another one keeps its ratio, and both move as their inertias say") {
    for (const double rate : {60., 240., 1000.}) {
        RobotWorld world(gearScene(), rate);
        double worst = 0;
        while (world.ticks() < world.ticksToEnd()) {
            world.step();
            worst = std::max(worst, std::abs(world.robot().q(1) + 3 * world.robot().q(0) - 0.2));
        }
        INFO(rate);
        // 1 N.m on 0.02 (1 + 9) kg.m2: 5 rad/s2.
        CHECK(worst < (kWide ? 1e-12 : 1e-5));
        CHECK(world.robot().q(0) == Approx(2.5).epsilon(kWide ? 1e-10 : 1e-5));
        CHECK(world.robot().v(1) == Approx(-15).epsilon(kWide ? 1e-10 : 1e-5));
    }
}

TEST_CASE("joints that follow followers keep to one another, whatever drives them") {
    const double rate = GENERATE(60., 240.);
    CAPTURE(rate);
    // Four wheels, each of which follows the next one, so that the files' order is not that of the chain.
    RobotScene scene = sceneOfRobot(
        parseRobot("<robot name=\"chain\">" + wheel("a", "") + "<mimic joint=\"j_b\" multiplier=\"0.5\"/></joint>" +
                   wheel("b", "") + "<mimic joint=\"j_c\" multiplier=\"-1\" offset=\"0.1\"/></joint>" + wheel("c", "") +
                   "<mimic joint=\"j_d\" multiplier=\"10\"/></joint>" + wheel("d", "") + "</joint></robot>"));
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = 1;  // N.m on the last follower
    RobotWorld world(scene, rate);
    for (int i = 0; i < rate; ++i) world.step();
    // a = 0.5 (0.1 - 10 d): the torque is -5 N.m on d, the inertia 0.02 (1 + 100 + 100 + 25).
    const double d = -5 / (0.02 * 226) / 2;
    const Robot& robot = world.robot();
    const double near = kWide ? 1e-11 : 2e-5;
    CHECK(robot.q(3) == Approx(d).epsilon(kWide ? 1e-10 : 1e-5));
    CHECK(std::abs(robot.q(2) - 10 * robot.q(3)) < near);
    CHECK(std::abs(robot.q(1) + robot.q(2) - 0.1) < near);
    CHECK(std::abs(robot.q(0) - 0.5 * robot.q(1)) < near);
}

TEST_CASE("limits of a joint that follows stop the one that it follows") {
    const std::string limits = "<limit lower=\"-0.4\" upper=\"1\" effort=\"9\" velocity=\"9\"/>";
    std::string text = "<robot name=\"gear\">" + wheel("a", "") + "</joint>" + wheel("b", "") + limits +
                       "<mimic joint=\"j_a\" multiplier=\"-3\" offset=\"0.2\"/></joint></robot>";
    text.replace(text.rfind("continuous"), 10, "revolute");
    RobotScene scene = sceneOfRobot(parseRobot(text));
    const RobotRange range = heldRange(scene.robot, 0);
    CHECK(range.lower == Approx(-0.8 / 3));
    CHECK(range.upper == Approx(0.2));
    scene.loads.push_back({0, {}});
    scene.loads[0].value.value = 1;
    RobotWorld world(scene, 60);
    for (int i = 0; i < 60; ++i) world.step();
    CHECK(world.robot().q(0) == Approx(0.2).margin(kWide ? 1e-9 : 1e-6));
    CHECK(world.robot().q(1) == Approx(-0.4).margin(kWide ? 1e-9 : 1e-6));
}

TEST_CASE("Bullet's own step has the gears of joints that follow others too") {
    RobotScene scene = gearScene();
    scene.solver = RobotScene::Solver::Bullet;
    RobotWorld world(scene, 240);
    for (int i = 0; i < 240; ++i) world.step();
    CHECK(world.robot().q(0) == Approx(2.5).epsilon(0.01));
    CHECK(world.robot().q(1) == Approx(0.2 - 3 * world.robot().q(0)).margin(1e-3));
}

TEST_CASE("a joint's own spring swings as it should") {
    RobotScene scene = sceneOfRobot(
        parseRobot("<robot name=\"s\">" + wheel("a", "") +
                   "</joint><gazebo reference=\"j_a\"><springStiffness>8</springStiffness><springReference>0.5"
                   "</springReference></gazebo></robot>"));
    RobotWorld world(scene, 60);
    for (int i = 0; i < 60; ++i) world.step();
    // w = sqrt(8 / 0.02) = 20 rad/s about 0.5 rad.
    CHECK(world.robot().q(0) == Approx(0.5 - 0.5 * std::cos(20.)).epsilon(1e-4));
}

TEST_CASE("links have surfaces of their own in Bullet, the others that of the options") {
    const Robot robot(parseRobot("<robot name=\"s\">" +
                                 wheel("a",
                                       "<contact><lateral_friction value=\"0.9\"/><rolling_friction value=\"0.1\"/>"
                                       "<restitution value=\"0.3\"/><stiffness value=\"1e4\"/><damping value=\"5\"/>"
                                       "</contact>") +
                                 "</joint>" + wheel("b", "") + "</joint></robot>"));
    const btMultiBody& body = robot.multiBody();
    const btCollisionObject& a = *body.getLink(0).m_collider;
    CHECK(static_cast<double>(a.getFriction()) == Approx(0.9));
    CHECK(static_cast<double>(a.getRollingFriction()) == Approx(0.1));
    CHECK(static_cast<double>(a.getRestitution()) == Approx(0.3));
    CHECK(static_cast<double>(a.getContactStiffness()) == Approx(1e4));
    CHECK((a.getCollisionFlags() & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) != 0);
    const btCollisionObject& b = *body.getLink(1).m_collider;
    CHECK(static_cast<double>(b.getFriction()) == Approx(0.5));
    CHECK((b.getCollisionFlags() & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) == 0);
}

TEST_CASE("a pendulum of an SDF file swings about its joint, wherever its link's frame is") {
    // 2 kg, 0.02 kg.m2 about its centre, 0.3 m below the joint, link's frame turned and aside. Small swing.
    const std::string text = R"(<sdf version="1.7"><model name="p">
<link name="bob"><pose>0.4 0 1 0 0 0.5</pose><inertial><pose relative_to="__model__">0 0 0.7 0 0 0</pose><mass>2</mass>
<inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>
<joint name="hinge" type="revolute"><pose relative_to="__model__">0 0 1 0 0 0</pose><parent>world</parent><child>bob</child>
<axis><xyz>0 1 0</xyz><dynamics><damping>1e-9</damping></dynamics></axis></joint></model></sdf>)";
    RobotScene scene = sceneOfRobot(parseRobot(text));
    scene.q = {0.001};
    scene.gravity = {0, 0, -10};
    RobotWorld world(scene, 240);
    for (int i = 0; i < 240; ++i) world.step();
    const double w = std::sqrt(2 * 10 * 0.3 / (0.02 + 2 * 0.09));
    CHECK(world.robot().q(0) == Approx(0.001 * std::cos(w)).margin(sizeof(btScalar) == 8 ? 1e-9 : 1e-6));
}

TEST_CASE("a ball joint of an SDF file swings in every direction") {
    // 2 kg, 0.02 kg.m2, 0.3 m below the point. Small swing in x and y, from different angular speeds.
    const std::string text =
        R"(<sdf version="1.7"><model name="p"><link name="bob"><pose>0 0 0.7 0 0 0</pose><inertial><mass>2</mass>
<inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>
<joint name="ball" type="ball"><pose>0 0 0.3 0 0 0</pose><parent>world</parent><child>bob</child></joint>
<link name="pin"><pose>0 0 0.7 0 0 0</pose><inertial><mass>1e-6</mass><inertia><ixx>1e-9</ixx><iyy>1e-9</iyy><izz>1e-9</izz></inertia></inertial></link>
<joint name="spin" type="revolute"><parent>bob</parent><child>pin</child><axis><xyz>0 0 1</xyz><dynamics><damping>1e-12</damping></dynamics></axis></joint>
</model></sdf>)";
    RobotScene scene = sceneOfRobot(parseRobot(text));
    scene.gravity = {0, 0, -10};
    RobotWorld world(scene, 240);
    REQUIRE(world.robot().description().joints[0].type == RobotJoint::Type::Ball);
    btScalar* speed = world.robot().multiBody().getJointVelMultiDof(0);
    speed[0] = btScalar(0.01);
    speed[1] = btScalar(0.02);
    for (int i = 0; i < 240; ++i) world.step();
    const double w = std::sqrt(2 * 10 * 0.3 / (0.02 + 2 * 0.09));
    const Eigen::Vector3d bob =
        (world.robot().linkPose(1) * world.robot().description().links[1].principalFrame).position;
    const double near = sizeof(btScalar) == 8 ? 2e-6 : 2e-5;
    CHECK(bob.x() == Approx(-0.3 * 0.02 / w * std::sin(w)).margin(near));
    CHECK(bob.y() == Approx(0.3 * 0.01 / w * std::sin(w)).margin(near));
}
