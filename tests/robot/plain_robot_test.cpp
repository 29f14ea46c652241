// Robots without elements are solved as those with elements are.

#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <cmath>

#include "plain_world.h"
#include "small_robot.h"

using namespace elasto;
using namespace elasto::test;

namespace {

const char* const kDoublePendulum = R"(<robot name="pend"><link name="base"/>
<link name="a"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint>
<link name="b"><inertial><origin xyz="0 0 -0.4"/><mass value="0.7"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.001"/></inertial></link>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 -1"/><axis xyz="0 1 0"/></joint></robot>)";

double lowerAngle(RobotScene::Solver solver, double rate) {
    RobotScene scene = sceneOfRobot(parseRobot(kDoublePendulum));
    scene.solver = solver;
    scene.q[0] = 0.8;
    scene.duration = 5;
    RobotWorld world(scene, rate);
    while (world.ticks() < world.ticksToEnd()) world.step();
    return world.robot().q(1);
}

std::string bodyWith(const std::string& joint) {
    return R"(<robot name="body">)" + joint + R"(<link name="body">
<inertial><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/></inertial></link></robot>)";
}

}  // namespace

TEST_CASE("a double pendulum without elements swings as another simulator has it, at every rate") {
    for (const double rate : {60.0, 240.0, 1000.0}) {
        INFO(rate);
        CHECK(lowerAngle(RobotScene::Solver::Elasto, rate) == Approx(0.195147).margin(1e-4));
    }
}

TEST_CASE("Bullet's own step moves a robot where the scene says so") {
    CHECK(std::abs(lowerAngle(RobotScene::Solver::Bullet, 60) - 0.195147) > 0.5);
}

TEST_CASE("a body that nothing holds falls exactly, and keeps its angular momentum") {
    RobotScene scene = sceneOfRobot(parseRobot(bodyWith("")));
    scene.duration = 1;
    RobotWorld world(scene, 60);
    world.robot().multiBody().setBaseOmega(btVector3(1, 6, 2));
    btMultiBody& body = world.robot().multiBody();
    const Eigen::Vector3d moments(0.01, 0.02, 0.025);
    while (world.ticks() < world.ticksToEnd()) world.step();
    CHECK(world.robot().linkPose(0).position.z() == Approx(-9.80665 / 2).epsilon(10 * kNear));
    const btVector3 turned = body.getBaseWorldTransform().getBasis().transpose() * body.getBaseOmega();
    Eigen::Vector3d rate(static_cast<double>(turned.x()), static_cast<double>(turned.y()),
                         static_cast<double>(turned.z()));
    CHECK(moments.cwiseProduct(rate).norm() ==
          Approx(moments.cwiseProduct(Eigen::Vector3d(1, 6, 2)).norm()).epsilon(100 * kNear));
    CHECK(rate.dot(moments.cwiseProduct(rate)) == Approx(0.01 + 0.02 * 36 + 0.025 * 4).epsilon(100 * kNear));
}

TEST_CASE("a body on a planar joint falls in its plane exactly") {
    RobotScene scene = sceneOfRobot(parseRobot(bodyWith(
        R"(<link name="world"/><joint name="slide" type="planar"><parent link="world"/><child link="body"/><axis xyz="0 1 0"/></joint>)")));
    scene.gravity = {3, 5, -10};
    scene.duration = 1;
    RobotWorld world(scene, 60);
    while (world.ticks() < world.ticksToEnd()) world.step();
    CHECK((world.robot().linkPose(1).position - Eigen::Vector3d(1.5, 0, -5)).norm() < 100 * kNear);
}

TEST_CASE("a robot that cannot move needs no plugin") {
    PlainWorld world(btVector3(0, 0, -10));
    Robot robot(parseRobot(R"(<robot name="post"><link name="world"/><link name="post"/>
<joint name="weld" type="fixed"><parent link="world"/><child link="post"/></joint></robot>)"));
    robot.addTo(world.world);
    CHECK(world.world.getNumMultiBodyConstraints() == 0);
}

TEST_CASE("a robot without elements asks for the plugin that moves it") {
    PlainWorld world(btVector3(0, 0, -10));
    Robot robot(parseRobot(kSmallRobot));
    robot.addTo(world.world);
    CHECK_THROWS_WITH(world.step(btScalar(1) / 60), Catch::Contains("elasto::Plugin plugin(world)"));
}

TEST_CASE("elements are not left to Bullet") {
    RobotOptions options;
    options.solver = RobotOptions::Solver::Bullet;
    CHECK_THROWS_WITH(Robot(parseRobot(smallRobotWith(R"(<elasto:spring joint="elbow" c="1" d="1"/>)")), options),
                      "robot 'small': solver = Bullet is for robots without elements; this one has 'elbow.spring', "
                      "which Bullet's step cannot solve");
}
