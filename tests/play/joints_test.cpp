// Joints of robots that one plays with: placed, driven to targets, held.

#include "play_scenes.h"

#include <elasto/errors.h>
#include <elasto/robot/load_robot.h>

#include <play/joint_hold.h>
#include <play/recording.h>
#include <play/robot_guest.h>

#include <cmath>

using namespace elasto;
using namespace elasto::play;
using Catch::Contains;

namespace {

constexpr double kGravity = 9.80665;

/// A rod of 2 kg and 0.6 m on a hinge, level at 0, with its mass in its middle, and what else the robot has.
std::string rod(const std::string& joint = "", const std::string& more = "") {
    return R"(<robot name="rod" xmlns:elasto="urn:elasto"><link name="stand"/>
<link name="bar"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
<inertia ixx="0.001" iyy="0.06" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="stand"/><child link="bar"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="100" velocity="10"/>)" +
           joint + "</joint>" + more + "</robot>";
}

/// Sessions with a robot alone: z upwards, as its file has it.
SessionOptions with(RobotScene robot) {
    SessionOptions options = withoutBalls();
    options.prepare = [robot = std::move(robot)](SceneWorld& world) {
        world.add(std::make_unique<RobotGuest>(world, robot, RobotPose()));
    };
    options.takesMultiBodies = true;
    options.preparedBy = "rod";
    return options;
}
RobotScene sceneOf(const std::string& urdf) {
    return sceneOfRobot(parseRobot(urdf));
}
Scene empty(double gravity = kGravity) {
    Scene scene;
    scene.name = "empty";
    scene.record.push_back({"totalHeat", ""});
    scene.gravity = {0, 0, -gravity};
    return scene;
}

/// A rod whose second joint follows the first one at twice the angle.
std::string followed() {
    return rod("", R"(<link name="tip"><inertial><mass value="0.1"/>
<inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="follower" type="revolute"><parent link="bar"/><child link="tip"/><origin xyz="0.6 0 0"/><axis xyz="0 1 0"/>
<limit lower="-5" upper="5" effort="9" velocity="9"/><mimic joint="hinge" multiplier="2"/></joint>)");
}

/// Goes to ticks all over the run: each has its bits. (Where a joint is placed the world is another one after it.)
void checkBits(Session& session) {
    for (const long tick : somewhere(session.lastTick())) {
        INFO("tick " << tick);
        session.seek(tick);
        CHECK(session.bitsAreThoseOfTheFirstPass());
    }
    session.seek(session.lastTick());
}

const Robot& robotOf(const Session& session) {
    return robotsOf(session.world()).front()->robot();
}

}  // namespace

TEST_CASE("joints of a robot are those that one number moves, but for those that follow") {
    Session session(empty(), with(sceneOf(followed())));
    REQUIRE(session.joints().size() == 1);
    CHECK(session.joints()[0].name == "hinge");
    CHECK(session.joints()[0].turns);
    CHECK(session.joints()[0].lower == -2);
    CHECK(session.joints()[0].upper == 2);
    CHECK_FALSE(session.joints()[0].servo);
    CHECK(session.canHoldJoints());
    CHECK(std::isnan(session.joint(0).target));
    // What lets the Plugin move a robot without elements, and what holds it, are no elements of its own.
    Session bare(empty(), with(sceneOf(rod())));
    CHECK(bare.elements().empty());
    run(bare, 10);
    CHECK(bare.history().joint(10, 0).q == bare.joint(0).q);
    CHECK(bare.history().joint(10, 0).v == bare.joint(0).v);
    CHECK(bare.joint(0).q > 1e-4);  // it falls
}

TEST_CASE("a joint is placed at rest, with what follows it, and refused where it cannot be") {
    Session session(empty(), with(sceneOf(followed())));
    run(session, 50);
    session.placeJoint(0, 0.7);
    session.placeJoint(0, 0.5);
    REQUIRE(session.inputs().size() == 1);  // a slider that is dragged is one input
    CHECK(session.joint(0).q == Approx(0.5));
    CHECK(session.joint(0).v == 0);
    CHECK(robotOf(session).q(1) == Approx(1));
    const Eigen::Vector3d tip = session.sample().bodies.back().position;
    CHECK((tip - Eigen::Vector3d(0.6 * std::cos(0.5), 0, -0.6 * std::sin(0.5))).norm() < byPrecision(1e-12, 1e-6));
    CHECK_THROWS_WITH(session.placeJoint(0, 2.5), Contains("'hinge'") && Contains("2.5") && Contains("-2 .. 2"));
    CHECK_THROWS_WITH(session.placeJoint(0, std::nan("")), Contains("'hinge'") && Contains("finite"));
    CHECK_THROWS_AS(session.placeJoint(1, 0), std::out_of_range);
    CHECK_THROWS_WITH(session.setTarget(0, 0.1), Contains("'hinge'") && Contains("no servo"));
    CHECK(session.inputs().size() == 1);
    run(session, 50);
    checkBits(session);
    // In the past it is another branch.
    session.seek(20);
    session.placeJoint(0, -1);
    run(session, 5);
    CHECK(session.ghosts().size() == 1);
    CHECK(session.ghosts()[0].history.joints() == 1);
    CHECK(session.startOfJoint(0) == 0);
}

TEST_CASE("what is held sags by a hundredth of the robot's size, at any size") {
    for (const double scale : {0.02, 1., 30.}) {
        CAPTURE(scale);
        RobotScene robot = sceneOf(rod());
        robot.robot.joints[0].limits.reset();
        RobotLink& bar = robot.robot.links[1];
        bar.principalFrame.position *= scale;
        bar.principalMoments *= scale * scale;
        RobotLink tip;
        RobotJoint end;
        end.parent = 1;
        end.child = 2;
        end.pose.position = {0.6 * scale, 0, 0};  // so that the robot is as long as its rod
        robot.robot.links.push_back(tip);
        robot.robot.joints.push_back(end);
        robot.q = robot.v = {0, 0};
        Session session(empty(), with(robot));
        session.holdJoints(true);
        run(session, 480);
        // c = omega^2 I with omega^2 = g / (0.01 L): the torque of the weight turns it by m g r / c.
        const double inertia = 2 * 0.3 * 0.3 + 0.06;
        const double expected = 2 * 0.3 * 0.01 * 0.6 / inertia;
        CHECK(session.joint(0).q == Approx(expected).epsilon(1e-3));  // the lever arm is shorter by 1 - cos
        CHECK(session.joint(0).v == Approx(0).margin(byPrecision(1e-6, 1e-4)));
        CHECK(session.areJointsHeld());
        CHECK(session.elements().empty());
    }
}

TEST_CASE("what is held goes to its target critically damped, exactly, at any tick rate") {
    for (const double rate : {30., 240., 1000.}) {
        CAPTURE(rate);
        SessionOptions options = with(sceneOf(rod()));
        options.rate = rate;
        Session session(empty(0), options);
        session.holdJoints(true);
        session.setTarget(0, 0.8);
        CHECK(session.joint(0).target == 0.8);
        const std::vector<HeldJoint> held = JointHold::holding(robotOf(session), 1 / rate);
        const double omega = held[0].d / (2 * (2 * 0.3 * 0.3 + 0.06));
        run(session, static_cast<long>(rate / 10));
        const double t = session.time();
        CHECK(session.joint(0).q ==
              Approx(0.8 * (1 - (1 + omega * t) * std::exp(-omega * t))).epsilon(byPrecision(1e-9, 1e-4)));
    }
}

TEST_CASE("a hold is recorded, stands after a restart, goes with time and is let go") {
    Session session(empty(), with(sceneOf(rod())));
    run(session, 30);
    const double where = session.joint(0).q;
    session.holdJoints(true);
    CHECK(session.joint(0).target == where);
    run(session, 30);
    session.setTarget(0, -0.4);
    run(session, 60);
    session.placeJoint(0, 0.3);
    CHECK(session.joint(0).target == 0.3);
    run(session, 60);
    CHECK(session.joint(0).q == Approx(0.3).margin(0.02));
    session.setTarget(0, std::nullopt);
    CHECK(session.joint(0).target == where);
    session.holdJoints(false);
    CHECK(std::isnan(session.joint(0).target));
    run(session, 60);
    CHECK(session.joint(0).q > 0.5);
    checkBits(session);
    session.seek(80);
    CHECK(session.areJointsHeld());
    CHECK(session.joint(0).target == -0.4);
    session.seek(10);
    CHECK_FALSE(session.areJointsHeld());
    session.seek(session.lastTick());

    const Recording recording = parseRecording(writeRecording(recordingOf(session)));
    Replay replay(recording, with(sceneOf(rod())).prepare);
    while (!replay.isDone()) replay.step();
    CHECK_FALSE(replay.difference());
    Recording strange = recording;
    strange.links = 0;
    CHECK_THROWS_WITH(parseRecording(writeRecording(strange)), Contains("/inputs/"));

    session.seek(100);
    session.restart();
    CHECK(session.areJointsHeld());
    CHECK(session.joint(0).target == -0.4);
    session.reset();
    CHECK_FALSE(session.areJointsHeld());
}

TEST_CASE("a motor holds its joint in the play of its gear, against its weight") {
    const std::string geared = R"(<elasto:backlash joint="hinge" c="4e3" d="6" b="0.01" inertia="4e-4" ratio="50"/>)";
    for (const double rate : {60., 240.}) {
        CAPTURE(rate);
        SessionOptions options = with(sceneOf(rod("", geared)));
        options.rate = rate;
        Session session(empty(), options);
        session.holdJoints(true);
        session.setTarget(0, 0.5);
        run(session, static_cast<long>(3 * rate));
        const MultiBodyElement& motor = *robotOf(session).motorOf(0);
        CHECK(motor.motorAngle() / 50 == Approx(0.5).epsilon(1e-3));
        // The link hangs on the gear's flank: half of the play and what the spring gives.
        const double expected = 0.5 + 0.005 + 2 * kGravity * 0.3 * std::cos(0.5) / 4e3;
        CHECK(session.joint(0).q == Approx(expected).epsilon(1e-3));
        CHECK(session.joint(0).v == Approx(0).margin(1e-3));
        session.holdJoints(false);
        run(session, static_cast<long>(rate));
        CHECK(session.joint(0).q > 0.6);
        checkBits(session);
    }
}

TEST_CASE("a robot with servos gets targets in the place of its scene's, and cannot be held") {
    for (const bool isContinuous : {false, true}) {
        CAPTURE(isContinuous);
        RobotScene robot = sceneOf(rod());
        RobotServo servo;
        servo.target.value = 0.2;
        servo.stiffness = 400;
        servo.damping = 40;
        servo.control.isContinuous = isContinuous;
        robot.servos.push_back(servo);
        Session session(empty(0), with(robot));
        REQUIRE(session.joints()[0].servo == RobotServo::Mode::Position);
        CHECK_FALSE(session.canHoldJoints());
        CHECK(session.joint(0).target == 0.2);
        run(session, 240);
        CHECK(session.joint(0).q == Approx(0.2).epsilon(1e-3));
        session.setTarget(0, 0.6);
        run(session, 240);
        CHECK(session.joint(0).q == Approx(0.6).epsilon(1e-3));
        session.placeJoint(0, -0.5);
        CHECK(session.joint(0).target == -0.5);
        run(session, 60);
        CHECK(session.joint(0).q == Approx(-0.5).epsilon(1e-3));
        session.setTarget(0, std::nullopt);
        CHECK(session.joint(0).target == 0.2);
        run(session, 240);
        CHECK(session.joint(0).q == Approx(0.2).epsilon(1e-3));
        checkBits(session);
        session.seek(300);
        CHECK(session.joint(0).target == 0.6);
        CHECK_THROWS_WITH(session.setTarget(0, INFINITY), Contains("'hinge'") && Contains("target"));
    }
}

TEST_CASE("what servos remember goes back in time with their robot") {
    RobotScene robot = sceneOf(rod());
    RobotServo servo;
    servo.target.value = 0.4;
    servo.stiffness = 100;
    servo.damping = 12;
    servo.integral = 200;
    servo.maxIntegral = 30;
    servo.control.delay = 0.01;
    robot.servos.push_back(servo);
    Session session(empty(), with(robot));
    run(session, 400);
    CHECK(session.joint(0).q == Approx(0.4).margin(0.02));  // its integral part bears the weight
    checkBits(session);
    session.seek(150);
    session.setTarget(0, -0.3);
    run(session, 200);
    checkBits(session);
    session.takeUp(session.ghosts().front().id);
    CHECK(session.bitsAreThoseOfTheFirstPass());
}

TEST_CASE("a robot that stands on its feet is held by what it carries on them") {
    // A trunk of 10 kg on one leg of 0.2 kg, with a foot that cannot tilt: the knee's own inertia is far less than what
    // it must bear.
    RobotScene robot = sceneOf(R"(<robot name="hopper"><link name="trunk"><inertial><mass value="10"/>
<inertia ixx="0.5" iyy="0.5" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="foot"><inertial><mass value="0.2"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.6 0.6 0.1"/></geometry></collision></link>
<joint name="leg" type="prismatic"><parent link="trunk"/><child link="foot"/><origin xyz="0 0 -0.5"/><axis xyz="0 0 1"/>
<limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint></robot>)");
    robot.pose.position = {0, 0, 0.55};
    Scene scene = empty();
    SceneBody floor;
    floor.name = "floor";
    floor.motion = BodyMotion::Fixed;
    floor.shape.type = SceneShape::Type::Plane;
    floor.shape.normal = Eigen::Vector3d::UnitZ();
    scene.bodies.push_back(floor);
    Session session(scene, with(robot));
    session.holdJoints(true);
    run(session, 720);
    const Eigen::AlignedBox3d box = boundsOf(robotOf(session));
    CHECK(box.min().z() == Approx(0).margin(2e-3));
    // c = g / (0.01 L) of the trunk's mass: it sinks by a hundredth of the robot's size.
    const double size = std::sqrt(2 * 0.6 * 0.6 + 0.55 * 0.55);
    CHECK(session.joint(0).q == Approx(0.01 * size).epsilon(0.02));
}

TEST_CASE("of two robots each is held, moved and let go for itself") {
    SessionOptions options = withoutBalls();
    options.prepare = [](SceneWorld& world) {
        for (const char* name : {"left.", "right."}) {
            RobotScene robot = sceneOf(rod());
            robot.prefix = name;
            const double y = robot.prefix == "left." ? 1 : -1;
            world.add(std::make_unique<RobotGuest>(world, robot, RobotPose{.position = {0, y, 0}}));
        }
    };
    options.takesMultiBodies = true;
    options.preparedBy = "rods";
    Session session(empty(), options);
    REQUIRE(session.joints().size() == 2);
    CHECK(session.joints()[1].name == "right.hinge");
    CHECK(session.joints()[1].prefix == "right.");
    CHECK(session.bodyName(1) == "left.bar");
    session.holdJoints(true, 1);
    CHECK(session.areJointsHeld());
    CHECK(session.areJointsHeld(1));
    CHECK_FALSE(session.areJointsHeld(0));
    run(session, 60);
    CHECK(session.joint(0).q > 0.4);  // it falls
    CHECK(session.joint(1).q == Approx(0).margin(0.02));
    CHECK_THROWS_WITH(session.setTarget(0, 0.1), Contains("left.hinge") && Contains("is not held"));
    session.setTarget(1, 0.2);
    run(session, 60);
    // The other one is held later, and the first stays as it is.
    session.holdJoints(true, 0);
    const double where = session.joint(0).target;
    run(session, 60);
    CHECK(session.joint(1).target == 0.2);
    session.setTarget(1, std::nullopt);
    CHECK(session.joint(1).target == 0);
    session.holdJoints(false, 1);
    CHECK(session.areJointsHeld(0));
    CHECK_FALSE(session.areJointsHeld(1));
    run(session, 60);
    CHECK(session.joint(0).target == where);
    CHECK(session.joint(1).q > 0.3);
    session.holdJoints(true);
    CHECK(session.areJointsHeld(1));
    session.holdJoints(false);
    CHECK_FALSE(session.areJointsHeld());
    checkBits(session);
    CHECK_THROWS_AS(session.holdJoints(true, 2), std::out_of_range);
}
