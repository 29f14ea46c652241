// Episodes: a robot that is put back does the same again, bit for bit, and nothing is allocated for it.

#include <elasto/errors.h>
#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <new>
#include <string>

#include "plain_world.h"

using namespace elasto;
using namespace elasto::test;

static long allocations = 0;

// Eigen's vectors come from malloc, everything else from operator new, which calls it.
#if defined(__GLIBC__) && !defined(ELASTO_TEST_IS_SANITIZED)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
#else
void* operator new(std::size_t size) {
    ++allocations;
    if (void* place = std::malloc(size > 0 ? size : 1)) return place;
    throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
    std::free(place);
}
#endif

namespace {

/// A leg with every kind of element that remembers something: a series damper, a rotor behind play, friction that has
/// slipped. Its base is free and falls onto the ground.
const char* const kLeg = R"(<robot name="leg" xmlns:elasto="urn:elasto">
<link name="trunk"><inertial><origin xyz="0.02 0 0"/><mass value="3"/><inertia ixx="0.05" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.06"/></inertial></link>
<link name="thigh"><inertial><origin xyz="0 0 -0.15"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.002"/></inertial></link>
<link name="shank"><inertial><origin xyz="0 0 -0.15"/><mass value="0.5"/><inertia ixx="0.005" ixy="0" ixz="0" iyy="0.005" iyz="0" izz="0.001"/></inertial>
<collision><origin xyz="0 0 -0.3"/><geometry><sphere radius="0.03"/></geometry></collision></link>
<joint name="hip" type="revolute"><parent link="trunk"/><child link="thigh"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="50" velocity="0"/><dynamics friction="0.3"/></joint>
<joint name="knee" type="revolute"><parent link="thigh"/><child link="shank"/><origin xyz="0 0 -0.3"/><axis xyz="0 1 0"/><limit lower="0" upper="2" effort="50" velocity="0"/></joint>
<elasto:backlash joint="hip" c="2e3" d="3" b="0.02" inertia="1e-4" ratio="20"/>
<elasto:bushing joint="hip" c="5" d="0.1" c_slip="80" tau_slip="1" name="seal"/>
<elasto:series joint="knee" c="200" d="2" s_unstretched="0.5"/>
</robot>)";

RobotScene legScene(bool ground) {
    RobotScene scene = sceneOfRobot(parseRobot(kLeg));
    scene.ground = ground;
    scene.pose.position = {0, 0, 0.7};
    scene.q = {0.2, 0.4};
    scene.v = {-0.5, 1};
    scene.velocity = {0.3, 0.1, -0.2};
    scene.angularVelocity = {0.1, 0.4, -0.2};
    scene.servos.push_back({});
    scene.servos[0].joint = 0;
    scene.servos[0].target.value = -0.3;
    scene.servos[0].stiffness = 60;
    scene.servos[0].damping = 3;
    scene.servos[0].integral = 5;
    scene.servos[0].maxIntegral = 2;
    scene.servos[0].gravity = true;
    scene.servos[0].control = {false, 170, 0.01};
    return scene;
}

std::vector<double> marksOf(const Robot& robot) {
    std::vector<double> marks = {robot.q(0), robot.v(0), robot.q(1), robot.v(1)};
    const RobotPose pose = robot.linkPose(0);
    marks.insert(marks.end(), {pose.position.x(), pose.position.y(), pose.position.z(), pose.orientation.w()});
    for (std::size_t i = 0; i < robot.description().elements.size(); ++i) {
        const MultiBodyElement& element = robot.element(i);
        marks.insert(marks.end(), {element.tau(), element.heat(), element.s_damper()});
    }
    marks.push_back(robot.motorOf(0)->motorAngle());
    return marks;
}

std::vector<std::vector<double>> episode(RobotWorld& world, int ticks) {
    std::vector<std::vector<double>> course = {marksOf(world.robot())};
    for (int tick = 0; tick < ticks; ++tick) {
        world.step();
        course.push_back(marksOf(world.robot()));
    }
    return course;
}

}  // namespace

TEST_CASE("an episode that begins anew has the same bits, and those of a world that is built for it") {
    for (const bool ground : {false, true}) {
        INFO(ground);
        RobotWorld world(legScene(ground), 240);
        const auto first = episode(world, 200);
        CHECK(std::abs(world.robot().element(std::size_t(2)).s_damper()) > 1e-3);
        for (int again = 0; again < 2; ++again) {
            world.restart();
            CHECK(world.time() == 0);
            CHECK(world.plugin().time() == 0);
            CHECK(episode(world, 200) == first);
        }
        RobotWorld other(legScene(ground), 240);
        CHECK(episode(other, 200) == first);
    }
}

TEST_CASE("a robot that is built begins as its free base is said to move") {
    RobotWorld world(legScene(false), 240);
    const btMultiBody& body = world.robot().multiBody();
    const Eigen::Vector3d spin(0.1, 0.4, -0.2);
    const Eigen::Vector3d centre = Eigen::Vector3d(0.3, 0.1, -0.2) + spin.cross(Eigen::Vector3d(0.02, 0, 0));
    CHECK((Eigen::Vector3d(body.getBaseVel().x(), body.getBaseVel().y(), body.getBaseVel().z()) - centre).norm() <
          kNear);
    CHECK(static_cast<double>(body.getBaseOmega().y()) == Approx(0.4));
}

TEST_CASE("a joint that is placed begins anew with its elements, whatever was before") {
    RobotScene scene = legScene(false);
    scene.base = RobotScene::Base::Fixed;
    scene.velocity.setZero();
    scene.angularVelocity.setZero();
    scene.servos.clear();
    RobotWorld world(scene, 240);
    Robot& robot = world.robot();
    robot.setJoint(0, 0.2, -0.5);
    robot.setJoint(1, 0.4, 1);
    const auto first = episode(world, 150);
    CHECK(first.back() != first.front());
    for (int again = 0; again < 2; ++again) {
        robot.setJoint(0, 0.2, -0.5);
        robot.setJoint(1, 0.4, 1);
        CHECK(episode(world, 150) == first);
    }
    // Where a new robot's series element would begin at that joint: its damper has no length yet.
    robot.setJoint(1, 0.9, 0);
    CHECK(robot.element(std::size_t(2)).s_damper() == 0);
    CHECK(robot.element(std::size_t(2)).tau() == Approx(200 * 0.4));
    CHECK(robot.element(std::size_t(2)).heat() == 0);
    robot.setJoint(0, -0.3, 0);
    CHECK(robot.motorOf(0)->motorAngle() == Approx(20 * -0.3));
    CHECK(robot.motorOf(0)->tau() == Approx(0).margin(kNear * 1e4));
}

TEST_CASE("a robot that leaves its world inside a tick comes back without the forces of that tick") {
    const bool isBefore = GENERATE(true, false);
    RobotWorld world(legScene(false), 240);
    Robot& robot = world.robot();
    const auto once = [&] {
        robot.reset();
        world.world().stepSimulation(btScalar(1) / 240, 0);
        return static_cast<double>(robot.multiBody().getBaseVel().z());
    };
    const double first = once();
    world.world().setInternalTickCallback(
        [](btDynamicsWorld* inside, btScalar) { static_cast<Robot*>(inside->getWorldUserInfo())->leaveWorld(); },
        &robot, isBefore);
    world.world().stepSimulation(btScalar(1) / 240, 0);
    world.world().setInternalTickCallback(nullptr, nullptr, isBefore);
    REQUIRE(robot.world() == nullptr);
    robot.addTo(world.world());
    CHECK(once() == first);
}

TEST_CASE("joints that are not there and ticks without length are refused") {
    RobotWorld world(legScene(false), 240);
    Robot& robot = world.robot();
    for (const int joint : {-1, 2}) {
        CHECK_THROWS_WITH(robot.setJoint(joint, 0, 0), "robot 'leg': index of a joint = " + std::to_string(joint) +
                                                           " is not allowed; index of a joint must be 0 or more and "
                                                           "less than 2");
        CHECK_THROWS_AS(robot.q(joint), InvalidParameter);
        CHECK_THROWS_AS(robot.v(joint), InvalidParameter);
        CHECK_THROWS_AS(robot.motorOf(joint), InvalidParameter);
    }
    for (const double h : {0., -1., std::nan("")}) CHECK_THROWS_AS(robot.setTickLength(h), InvalidParameter);
}

TEST_CASE("a base is placed with its links") {
    RobotWorld world(legScene(false), 240);
    Robot& robot = world.robot();
    episode(world, 20);
    const RobotPose pose = {{1, 2, 3}, Eigen::Quaterniond(0, 1, 0, 0)};
    const double q = robot.q(1);
    robot.setBase(pose, {1, 0, 0}, {0, 0, 2});
    CHECK((robot.linkPose(0).position - pose.position).norm() < 10 * kNear);
    CHECK(robot.q(1) == q);
    CHECK(static_cast<double>(robot.multiBody().getBaseVel().y()) == Approx(2 * 0.02).epsilon(1e3 * kNear));
    CHECK_THROWS_WITH(robot.setBase({{NAN, 0, 0}, Eigen::Quaterniond::Identity()}),
                      "robot 'leg': position of the base must be finite");
    CHECK_THROWS_WITH(robot.setBase({{0, 0, 0}, Eigen::Quaterniond(2, 0, 0, 0)}),
                      "robot 'leg': norm of the orientation = 2 is not allowed; norm of the orientation must be 1");
    RobotState state = robot.start();
    state.q.pop_back();
    CHECK_THROWS_WITH(robot.setPose(state),
                      "robot 'leg': size of q and v = 1 is not allowed; size of q and v must be 2");
    state = robot.start();
    state.v[1] = INFINITY;
    CHECK_THROWS_WITH(robot.setPose(state), "robot 'leg', joint 'knee': v = inf is not allowed; v must be finite");
}

TEST_CASE("elements of the program's own begin anew with the whole robot") {
    RobotWorld world(legScene(false), 240);
    Robot& robot = world.robot();
    MultiBodyElement& own = robot.add(std::make_unique<MultiBodyElement>(
        JointCoordinate{&robot.multiBody(), robot.bulletLinkOfJoint(1)}, SpringDamperSeriesLaw({.c = 90, .d = 1})));
    const auto first = episode(world, 60);
    CHECK(own.heat() > 0);
    CHECK(own.s_damper() != 0);
    world.restart();
    CHECK(own.heat() == 0);
    CHECK(own.s_damper() == 0);
    CHECK(episode(world, 60) == first);
}

TEST_CASE("planar joints, and bases that a floating joint carries, begin anew, too") {
    const std::string body =
        R"(<link name="body"><inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/></inertial></link></robot>)";
    for (const std::string type : {"planar", "floating"}) {
        INFO(type);
        RobotScene scene = sceneOfRobot(parseRobot(
            "<robot name=\"r\"><link name=\"world\"/><joint name=\"j\" type=\"" + type +
            R"("><parent link="world"/><child link="body"/><origin xyz="0 0 2" rpy="0.3 0 0"/><axis xyz="0 1 0"/></joint>)" +
            body));
        scene.gravity = {1, 2, -10};
        if (type == "floating") scene.angularVelocity = {1, 2, 3};
        RobotWorld world(scene, 240);
        const auto course = [&] {
            std::vector<double> heights;
            for (int tick = 0; tick < 60; ++tick) {
                world.step();
                heights.push_back(world.robot().linkPose(1).position.z());
                heights.push_back(world.robot().linkPose(1).orientation.w());
            }
            return heights;
        };
        const std::vector<double> first = course();
        CHECK(first[first.size() - 2] != first[0]);
        world.restart();
        CHECK(world.robot().linkPose(1).position.z() == Approx(2));
        CHECK(course() == first);
    }
}

TEST_CASE("a base that is fixed does not move") {
    RobotOptions options;
    options.base = RobotOptions::Base::Fixed;
    options.velocity = {1, 0, 0};
    CHECK_THROWS_WITH(Robot(parseRobot(kLeg), options),
                      "robot 'leg': its base is fixed: velocity and angularVelocity must be 0");
}

TEST_CASE("to begin anew allocates nothing") {
    RobotWorld world(legScene(true), 240);
    episode(world, 150);  // it has landed
    world.restart();
    episode(world, 150);
    const long before = allocations;
    world.restart();
    CHECK(allocations == before);
    const RobotState start = world.robot().start();
    const long then = allocations;
    world.robot().setJoint(0, 0.1, 0);
    world.robot().setBase(start.pose, start.velocity, start.angularVelocity);
    world.robot().setPose(start);
    CHECK(allocations == then);
}
