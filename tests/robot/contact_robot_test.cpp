// Robots that touch: wheels that slip, tools that wipe, fingers that hold.

#include <elasto/robot/robot_world.h>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "plain_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// @param below the link's origin, of the centre of mass [m]
std::string inertial(double mass, double x, double y, double z, const std::string& below = "0") {
    return "<inertial><origin xyz=\"0 0 -" + below + "\"/><mass value=\"" + std::to_string(mass) +
           "\"/><inertia ixx=\"" + std::to_string(x) + "\" ixy=\"0\" ixz=\"0\" iyy=\"" + std::to_string(y) +
           "\" iyz=\"0\" izz=\"" + std::to_string(z) + "\"/></inertial>";
}

/// A base of 20 kg on four wheels with geared motors.
std::string roverText(const std::string& wheel) {
    std::string text = R"(<robot name="rover" xmlns:elasto="urn:elasto"><link name="base">)" +
                       inertial(20, 0.3, 0.45, 0.65) + "</link>";
    const double places[4][2] = {{0.2, 0.25}, {0.2, -0.25}, {-0.2, 0.25}, {-0.2, -0.25}};
    for (int i = 0; i < 4; ++i) {
        const std::string n = std::to_string(i);
        text += "<link name=\"wheel" + n + "\">" + inertial(1, 0.003, 0.005, 0.003) +
                R"(<collision><origin rpy="1.5707963267948966 0 0"/><geometry>)" + wheel +
                "</geometry></collision></link><joint name=\"axle" + n +
                "\" type=\"continuous\"><parent link=\"base\"/><child link=\"wheel" + n + "\"/><origin xyz=\"" +
                std::to_string(places[i][0]) + " " + std::to_string(places[i][1]) +
                R"( -0.05"/><axis xyz="0 1 0"/></joint><elasto:backlash joint="axle)" + n +
                R"(" c="2000" d="4" b="0" inertia="2e-5" ratio="30"/>)";
    }
    return text + "</robot>";
}

/// A trunk on four legs of three links each, in whose joints springs hold the pose, with friction.
std::string quadrupedText(const std::string& foot) {
    std::string text = R"(<robot name="quadruped" xmlns:elasto="urn:elasto"><link name="trunk">)" +
                       inertial(6, 0.0241, 0.0425, 0.0545) +
                       R"(<collision><geometry><box size="0.27 0.19 0.11"/></geometry></collision></link>)";
    const double places[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    for (int i = 0; i < 4; ++i) {
        const std::string n = std::to_string(i);
        const auto joint = [&](const std::string& name, const std::string& parent, const std::string& child,
                               const std::string& origin, const char* axis, const char* limits, const char* at) {
            text += "<joint name=\"" + name + n + R"(" type="revolute"><parent link=")" + parent +
                    "\"/><child link=\"" + child + n + "\"/><origin xyz=\"" + origin + "\"/><axis xyz=\"" + axis +
                    "\"/><limit " + limits +
                    R"( effort="33" velocity="21"/><dynamics damping="0.01" friction="0.1"/>)" +
                    "</joint><elasto:bushing joint=\"" + name + n + R"(" c="150" d="3" phi_rel0=")" + at + "\"/>";
        };
        const std::string side = places[i][1] > 0 ? "" : "-";
        text += "<link name=\"hip" + n + "\">" + inertial(0.7, 6e-4, 8e-4, 6e-4) + "</link><link name=\"thigh" + n +
                "\">" + inertial(1, 5e-3, 5e-3, 1e-3, "0.03") + "</link><link name=\"calf" + n + "\">" +
                inertial(0.17, 3e-3, 3e-3, 4e-5, "0.1") + R"(<collision><origin xyz="0 0 -0.2"/><geometry>)" + foot +
                "</geometry></collision></link>";
        joint("abduction", "trunk", "hip", (places[i][0] > 0 ? "0.18 " : "-0.18 ") + side + "0.047 0", "1 0 0",
              R"(lower="-0.8" upper="0.8")", "0");
        joint("hip", "hip" + n, "thigh", "0 " + side + "0.084 0", "0 1 0", R"(lower="-1" upper="4")", "0.8");
        joint("knee", "thigh" + n, "calf", "0 0 -0.2", "0 1 0", R"(lower="-2.7" upper="-0.9")", "-1.6");
    }
    return text + "</robot>";
}

/// What a quadruped does that is dropped at an angle: its foot's lowest point, its trunk's at the ends of
/// sixtieths of a second, and where that ends [m].
struct Landing {
    double foot = 1, trunk = 1;
    Eigen::Vector3d end;
    long approximate = 0, ticks = 0;
};

Landing dropQuadruped(bool hasBoxFeet, double hz) {
    const Eigen::Vector3d half(0.015, 0.015, 0.02);  // of a box
    const double radius = 0.02;
    RobotScene scene = sceneOfRobot(
        parseRobot(quadrupedText(hasBoxFeet ? R"(<box size="0.03 0.03 0.04"/>)" : R"(<sphere radius="0.02"/>)")));
    scene.ground = true;
    scene.friction = 0.8;
    scene.pose.position = {0, 0, 0.5};
    scene.rate = hz;
    scene.duration = 1;
    for (std::size_t joint = 0; joint < scene.q.size(); ++joint) {
        const double starts[] = {0.05, 0.8, -1.6};
        scene.q[joint] = starts[joint % 3];
    }
    RobotWorld world(scene);
    Landing landing;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        const Robot& robot = world.robot();
        landing.end = robot.linkPose(robot.description().linkIndex("trunk")).position;
        if (world.ticks() % std::lround(hz / 60) == 0) landing.trunk = std::min(landing.trunk, landing.end.z());
        for (const char* leg : {"calf0", "calf1", "calf2", "calf3"}) {
            const RobotPose calf = robot.linkPose(robot.description().linkIndex(leg));
            const Eigen::Vector3d foot = calf.position + calf.orientation * Eigen::Vector3d(0, 0, -0.2);
            const double below = calf.orientation.toRotationMatrix().row(2).cwiseAbs() * half;
            landing.foot = std::min(landing.foot, foot.z() - (hasBoxFeet ? below : radius));
        }
    }
    landing.approximate = world.plugin().totals().approximateTicks;
    landing.ticks = world.ticks();
    return landing;
}

/// Where a limb that turns as it falls on a floor without friction is after 0.3 s, and how it moves.
Eigen::VectorXd dropLimb(const std::string& shapes, double restitution, double hz) {
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="limb"><link name="limb">)" +
                                               inertial(1, 0.0032, 0.0032, 0.0006) + shapes + "</link></robot>"));
    scene.ground = true;
    scene.friction = 0;
    scene.restitution = restitution;
    scene.pose.position = {0, 0, 0.5};
    scene.pose.orientation = Eigen::AngleAxisd(0.2, Eigen::Vector3d(1, 0.9, 0).normalized()) *
                             Eigen::AngleAxisd(3, Eigen::Vector3d::UnitY());
    scene.velocity = {0.7, -0.4, -1};
    scene.angularVelocity = {-1.6, 5.3, -0.4};
    scene.rate = hz;
    scene.duration = 0.3;
    RobotWorld world(scene);
    while (world.ticks() < world.ticksToEnd()) world.step();
    CHECK(world.plugin().totals().failedTicks == 0);
    const RobotPose pose = world.robot().linkPose(0);
    const btMultiBody& body = world.robot().multiBody();
    Eigen::VectorXd end(9);
    end << pose.position, pose.orientation * Eigen::Vector3d::UnitZ(), static_cast<double>(body.getBaseVel().z()),
        static_cast<double>(body.getBaseOmega().x()), static_cast<double>(body.getBaseOmega().y());
    return end;
}

constexpr double kWeight = 9.80665;

}  // namespace

TEST_CASE("a limb that turns strikes the floor with one end and then with the other, at any rate") {
    const double restitution = GENERATE(0., 0.8);
    CAPTURE(restitution);
    // Bullet gives up what it knows of a compound's part whose box is apart.
    const std::string shapes = GENERATE(
        std::string(R"(<collision><geometry><capsule radius="0.035" length="0.1525"/></geometry></collision>)"),
        std::string(R"(<collision><origin xyz="0 0 0.1"/><geometry><sphere radius="0.06"/></geometry></collision>
                                <collision><origin xyz="0 0.02 -0.1"/><geometry><sphere radius="0.04"/></geometry>
                                </collision>)"));
    CAPTURE(shapes);
    const double near = sizeof(btScalar) == 8 ? 1e-6 : 1e-3;  // Bullet's floats are read anew in each tick
    const Eigen::VectorXd fine = dropLimb(shapes, restitution, 3840);
    for (const double hz : {60., 120., 240., 960.}) {
        CAPTURE(hz);
        CHECK((dropLimb(shapes, restitution, hz) - fine).cwiseAbs().maxCoeff() < near);
    }
}

TEST_CASE("wheels that slip push with friction times their pressure, at any rate") {
    const std::string wheel =
        GENERATE(std::string(R"(<sphere radius="0.1"/>)"), std::string(R"(<cylinder radius="0.1" length="0.06"/>)"));
    const double hz = GENERATE(60., 240.);
    CAPTURE(wheel, hz);
    RobotScene scene = sceneOfRobot(parseRobot(roverText(wheel)));
    scene.ground = true;
    scene.friction = 0.8;
    scene.pose.position = {0, 0, 0.15};
    scene.rate = hz;
    scene.duration = 0.5;
    RobotWorld world(scene);
    for (int joint = 0; joint < 4; ++joint) {
        world.robot().motorOf(joint)->setMotorTorque([](double t) { return 0.25 + 0.01 * std::sin(t); });
    }
    const auto speed = [&] { return static_cast<double>(world.robot().multiBody().getBaseVel().x()); };
    while (world.time() < 0.1) world.step();  // gears wind up
    const double start = world.time(), before = speed();
    while (world.ticks() < world.ticksToEnd()) world.step();
    CHECK((speed() - before) / (world.time() - start) == Approx(0.8 * 0.8 * kWeight).epsilon(1e-4));
    CHECK(world.plugin().totals().approximateTicks == 0);
    CHECK(world.plugin().totals().failedTicks == 0);
}

TEST_CASE("a rover that stands stays where it is") {
    RobotScene scene = sceneOfRobot(parseRobot(roverText(R"(<sphere radius="0.1"/>)")));
    scene.ground = true;
    scene.friction = 0.8;
    scene.pose.position = {0, 0, 0.15};
    scene.rate = 60;
    scene.duration = 5;
    RobotWorld world(scene);
    while (world.ticks() < world.ticksToEnd()) world.step();
    const btVector3 at = world.robot().multiBody().getBasePos();
    CHECK(static_cast<double>(at.x()) == Approx(0).margin(1e-6));
    CHECK(static_cast<double>(at.y()) == Approx(0).margin(1e-6));
    CHECK(static_cast<double>(at.z()) == Approx(0.15).margin(1e-5));
}

TEST_CASE("a tool that a drive presses on the floor wipes it and never enters it") {
    const double hz = GENERATE(60., 90.);
    CAPTURE(hz);
    RobotScene scene = sceneOfRobot(parseRobot(R"(<robot name="wipe" xmlns:elasto="urn:elasto"><link name="base"/>
<link name="a"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia ixx="0.002" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="80" velocity="5"/><dynamics damping="0.5" friction="0.4"/></joint>
<link name="b"><inertial><origin xyz="0.2 0 0"/><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.015" iyz="0" izz="0.015"/></inertial><collision><origin xyz="0.4 0 0"/><geometry><sphere radius="0.03"/></geometry></collision></link>
<joint name="elbow" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><limit lower="-0.5" upper="2.5" effort="60" velocity="5"/><dynamics damping="0.3" friction="0.2"/></joint>
<elasto:backlash joint="shoulder" c="3000" d="6" b="0.004" inertia="1e-5" ratio="50"/>
<elasto:backlash joint="elbow" c="2000" d="4" b="0.006" inertia="8e-6" ratio="40"/></robot>)"));
    scene.ground = true;
    scene.friction = 0.6;
    scene.rate = hz;
    scene.duration = 2;
    scene.q = {0.25, 0.75};
    RobotWorld world(scene);
    world.robot().motorOf(0)->setMotorTorque([](double t) { return 0.5 + 0.2 * std::sin(3 * t); });
    world.robot().motorOf(1)->setMotorTorque([](double t) { return 0.2 * std::sin(4 * t); });
    double lowest = 1;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        const double q = world.robot().q(0), both = q + world.robot().q(1);
        lowest = std::min(lowest, 0.47 - 0.4 * std::sin(q) - 0.4 * std::sin(both));
    }
    CHECK(lowest > -1e-5);
    CHECK(lowest < 1e-3);
}

TEST_CASE("a box that drives grip is shaken and neither turns nor slips") {
    RobotScene scene =
        sceneOfRobot(parseRobot(R"(<robot name="grip" xmlns:elasto="urn:elasto"><link name="w"/>)"
                                "<link name=\"palm\">" +
                                inertial(2, 0.01, 0.01, 0.01) + R"(</link>
<joint name="lift" type="prismatic"><parent link="w"/><child link="palm"/><axis xyz="0 0 1"/><limit lower="-5" upper="5" effort="1000" velocity="5"/></joint>
<link name="fl">)" + inertial(0.1, 1e-4, 1e-4, 1e-4) +
                                R"(<collision><geometry><box size="0.02 0.06 0.06"/></geometry></collision></link>
<joint name="left" type="prismatic"><parent link="palm"/><child link="fl"/><origin xyz="-0.03 0 0"/><axis xyz="1 0 0"/><limit lower="-0.1" upper="0.1" effort="100" velocity="1"/></joint>
<link name="fr">)" + inertial(0.1, 1e-4, 1e-4, 1e-4) +
                                R"(<collision><geometry><box size="0.02 0.06 0.06"/></geometry></collision></link>
<joint name="right" type="prismatic"><parent link="palm"/><child link="fr"/><origin xyz="0.03 0 0"/><axis xyz="-1 0 0"/><limit lower="-0.1" upper="0.1" effort="100" velocity="1"/></joint>
<elasto:backlash joint="left" c="2e4" d="20" b="0.0005" inertia="1e-6" ratio="1000"/>
<elasto:backlash joint="right" c="2e4" d="20" b="0.0005" inertia="1e-6" ratio="1000"/></robot>)"));
    scene.gravity = {0, 0, -kWeight};
    scene.friction = 0.8;
    scene.rate = 240;
    scene.duration = 2;
    RobotWorld world(scene);
    btBoxShape shape(btVector3(btScalar(0.02), btScalar(0.03), btScalar(0.03)));
    btVector3 moments;
    shape.calculateLocalInertia(btScalar(0.5), moments);
    btRigidBody box(btScalar(0.5), nullptr, &shape, moments);
    box.setFriction(btScalar(0.8));
    box.setActivationState(DISABLE_DEACTIVATION);
    world.world().addRigidBody(&box);
    world.robot().motorOf(1)->setMotorTorque(0.01);
    world.robot().motorOf(2)->setMotorTorque(0.01);
    // After 0.2 s the palm is shaken by 4 m/s2 at 2 Hz.
    world.plugin().addJointLoad({world.robot().multiBody(), world.robot().bulletLinkOfJoint(0), [](double t) {
                                     const double shaken = t < 0.2 ? 0 : 4 * std::sin(4 * M_PI * (t - 0.2));
                                     return 2.7 * (kWeight + shaken);
                                 }});
    double held = 0, least = 1, most = -1;
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        const double place = static_cast<double>(box.getCenterOfMassPosition().z()) - world.robot().q(0);
        if (world.time() < 0.25) held = place;
        least = std::min(least, world.time() < 0.25 ? 1 : place);
        most = std::max(most, world.time() < 0.25 ? -1 : place);
    }
    CHECK(least == Approx(held).margin(1e-5));
    CHECK(most == Approx(held).margin(1e-5));
    CHECK(static_cast<double>(box.getOrientation().getAngle()) < 1e-3);
    world.world().removeRigidBody(&box);
}

TEST_CASE("fingers that follow one another hold a box, shaken, and keep to one another at any rate") {
    const double hz = GENERATE(60., 240., 1000.);
    CAPTURE(hz);
    const auto finger = [](const std::string& side, const std::string& x, const std::string& axis,
                           const std::string& mimic) {
        return "<link name=\"f" + side + "\">" + inertial(0.1, 1e-4, 1e-4, 1e-4) +
               R"(<collision><geometry><box size="0.02 0.06 0.06"/></geometry></collision></link><joint name=")" +
               side + "\" type=\"prismatic\"><parent link=\"palm\"/><child link=\"f" + side + "\"/><origin xyz=\"" + x +
               " 0 0\"/><axis xyz=\"" + axis +
               " 0 0\"/><limit lower=\"-0.1\" upper=\"0.1\" effort=\"100\" velocity=\"1\"/>" + mimic + "</joint>";
    };
    // Only the left finger is driven. The palm hangs on a slide that is shaken.
    RobotScene scene = sceneOfRobot(parseRobot(
        R"(<robot name="grip"><link name="w"/><link name="palm">)" + inertial(2, 0.01, 0.01, 0.01) +
        R"(</link><joint name="lift" type="prismatic"><parent link="w"/><child link="palm"/><axis xyz="0 0 1"/>
<limit lower="-5" upper="5" effort="1000" velocity="5"/></joint>)" +
        finger("left", "-0.032", "1", "") + finger("right", "0.032", "-1", "<mimic joint=\"left\"/>") + "</robot>"));
    scene.gravity = {0, 0, -kWeight};
    scene.friction = 0.8;
    RobotWorld world(scene, hz);
    btBoxShape shape(btVector3(btScalar(0.02), btScalar(0.03), btScalar(0.03)));
    btVector3 moments;
    shape.calculateLocalInertia(btScalar(0.5), moments);
    btRigidBody box(btScalar(0.5), nullptr, &shape, moments);
    box.setFriction(btScalar(0.8));
    box.setActivationState(DISABLE_DEACTIVATION);
    world.world().addRigidBody(&box);
    btMultiBody& grip = world.robot().multiBody();
    const auto load = [&](int joint, const auto& f) {
        world.plugin().addJointLoad({grip, world.robot().bulletLinkOfJoint(joint), f});
    };
    load(0, [](double t) { return 2.7 * (kWeight + (t < 0.2 ? 0 : 4 * std::sin(4 * M_PI * (t - 0.2)))); });
    load(1, [](double) { return 40.; });
    double apart = 0, held = 0, least = 1, most = -1, pressed = 0;
    for (int i = 1; i <= hz; ++i) {
        world.step();
        apart = std::max(apart, std::abs(world.robot().q(1) - world.robot().q(2)));
        const double place = static_cast<double>(box.getCenterOfMassPosition().z()) - world.robot().q(0);
        if (i / hz < 0.15) {
            held = place;
        } else {
            least = std::min(least, place);
            most = std::max(most, place);
        }
    }
    for (int i = 0; i < world.world().getDispatcher()->getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *world.world().getDispatcher()->getManifoldByIndexInternal(i);
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            pressed += static_cast<double>(manifold.getContactPoint(k).m_appliedImpulse) * hz;
        }
    }
    CHECK(apart < (sizeof(btScalar) == 8 ? 1e-12 : 1e-7));
    CHECK(least == Approx(held).margin(1e-5));
    CHECK(most == Approx(held).margin(1e-5));
    // The drive's 40 N press on both sides with 20 N.
    CHECK(pressed == Approx(40).epsilon(1e-3));
    CHECK(std::abs(static_cast<double>(box.getCenterOfMassPosition().x())) < 1e-6);
    CHECK(world.robot().q(1) == Approx(0.002).margin(1e-5));
    world.world().removeRigidBody(&box);
}

TEST_CASE("a quadruped lands at 60 Hz as at 960 Hz, and its feet stand on the floor") {
    const bool hasBoxFeet = GENERATE(false, true);
    CAPTURE(hasBoxFeet);
    const Landing fine = dropQuadruped(hasBoxFeet, 960);
    CHECK(fine.approximate <= fine.ticks / 100);
    for (const double hz : {60., 240.}) {
        CAPTURE(hz);
        const Landing landing = dropQuadruped(hasBoxFeet, hz);
        CHECK(landing.foot > -1e-6);
        CHECK(landing.trunk == Approx(fine.trunk).epsilon(1e-3));
        CHECK((landing.end - fine.end).norm() < 3e-4);
        CHECK(landing.approximate <= 4);
    }
}
