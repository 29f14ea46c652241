#include <elasto/errors.h>
#include <elasto/robot/robot.h>
#include <elasto/robot/robot_world.h>

#include <catch2/catch.hpp>

#include "plain_world.h"
#include "small_robot.h"
#include "straight_robot.h"

using namespace elasto;
using namespace elasto::test;

namespace {

const RobotPose kBase = {{0.4, -0.3, 1.2}, Eigen::Quaterniond(0.8, 0.1, -0.5, 0.3).normalized()};

std::vector<double> someAngles(int k) {
    return {std::sin(k), 2 * std::cos(1.3 * k), 0, 0.4 * std::sin(2.1 * k), 3 * std::sin(0.4 * k + 1)};
}

Eigen::Matrix3d toMatrix(const btMatrix3x3& m) {
    Eigen::Matrix3d result;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) result(i, j) = static_cast<double>(m[i][j]);
    }
    return result;
}

Eigen::Vector3d toVector(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// These tests look at what is built: Bullet's own step shows it, in worlds without a plugin.
RobotOptions movedByBullet() {
    RobotOptions options;
    options.solver = RobotOptions::Solver::Bullet;
    return options;
}

RobotOptions fixedAt(const RobotPose& pose, const std::vector<double>& q) {
    RobotOptions options = movedByBullet();
    options.base = RobotOptions::Base::Fixed;
    options.pose = pose;
    options.q = q;
    return options;
}

/// A bar of 2 kg and 1 m that hangs on a joint without limits, horizontal at the start.
std::string bar(const std::string& joint) {
    return R"(<robot name="bar"><link name="world"/><link name="bar">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/></inertial>
</link><joint name="hinge" )" +
           joint + R"(</joint></robot>)";
}
const std::string kHinge = R"(type="continuous"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/>)";

}  // namespace

TEST_CASE("links are where the joints of the URDF put them") {
    for (int k = 0; k < 20; ++k) {
        const std::vector<double> q = someAngles(k);
        const Robot robot(parseRobot(kCrookedRobot), fixedAt(kBase, q));
        const StraightRobot straight(kBase.orientation.toRotationMatrix(), kBase.position, q);
        REQUIRE(robot.description().links.size() == straight.links.size());
        for (int link = 0; link < 6; ++link) {
            const auto at = static_cast<std::size_t>(link);
            const RobotPose pose = robot.linkPose(link);
            CHECK((pose.position - straight.positions[at]).norm() < kNear);
            CHECK((pose.orientation.toRotationMatrix() - straight.axes[at]).norm() < kNear);
        }
        const std::vector<RobotPose> poses = linkPoses(robot.description(), kBase, q);
        for (std::size_t at = 0; at < 6; ++at) CHECK((poses[at].position - straight.positions[at]).norm() < 1e-14);
    }
}

TEST_CASE("masses and inertias are the URDF's") {
    const std::vector<double> q = someAngles(3);
    const Robot robot(parseRobot(kCrookedRobot), fixedAt(kBase, q));
    const StraightRobot straight(kBase.orientation.toRotationMatrix(), kBase.position, q);
    const btMultiBody& body = robot.multiBody();
    double mass = 0;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    for (int link = -1; link < body.getNumLinks(); ++link) {
        const double m = static_cast<double>(link < 0 ? body.getBaseMass() : body.getLinkMass(link));
        const btVector3& moments = link < 0 ? body.getBaseInertia() : body.getLinkInertia(link);
        const btTransform pose = link < 0 ? body.getBaseWorldTransform() : body.getLink(link).m_cachedWorldTransform;
        const Eigen::Matrix3d axes = toMatrix(pose.getBasis());
        const Eigen::Vector3d r = toVector(pose.getOrigin());
        mass += m;
        inertia += axes * toVector(moments).asDiagonal() * axes.transpose() +
                   m * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    }
    CHECK(mass == Approx(straight.mass()).epsilon(kNear));
    CHECK((inertia - straight.inertia()).norm() < 10 * kNear * straight.inertia().norm());
}

TEST_CASE("a robot at rest begins to fall as its mass matrix says") {
    const Eigen::Vector3d gravity(1, -3, -9);
    const double h = 1.0 / 240;
    for (int k = 0; k < 10; ++k) {
        const std::vector<double> q = someAngles(k);
        PlainWorld world(btVector3(1, -3, -9));
        Robot robot(parseRobot(kCrookedRobot), fixedAt(kBase, q));
        robot.addTo(world.world);
        world.step(static_cast<btScalar>(h));
        const StraightRobot straight(kBase.orientation.toRotationMatrix(), kBase.position, q);
        const Eigen::VectorXd expected = straight.accelerations(gravity);
        for (const int joint : {0, 1, 3, 4}) {
            CHECK(robot.v(joint) / h == Approx(expected[joint]).epsilon(1e3 * kNear).margin(1e3 * kNear));
        }
    }
}

TEST_CASE("a free robot falls as a whole") {
    const double h = 1.0 / 240;
    PlainWorld world(btVector3(0, 0, -10));
    RobotOptions options = movedByBullet();
    options.pose = kBase;
    options.q = someAngles(2);
    Robot robot(parseRobot(kCrookedRobot), options);
    CHECK_FALSE(robot.multiBody().hasFixedBase());
    robot.addTo(world.world);
    const Eigen::Vector3d before = robot.linkPose(3).position;
    for (int tick = 0; tick < 240; ++tick) world.step(static_cast<btScalar>(h));
    // Bullet's steps: velocity first, then place.
    const Eigen::Vector3d fallen = robot.linkPose(3).position - before;
    CHECK((fallen - Eigen::Vector3d(0, 0, -5 * (1 + h))).norm() < 100 * kNear);
    for (const int joint : {0, 1, 3, 4}) CHECK(std::abs(robot.v(joint)) < 100 * kNear);
}

TEST_CASE("a bar swings with the pendulum's period") {
    const double h = 1e-3;
    const double amplitude = 0.05;
    PlainWorld world(btVector3(0, 0, btScalar(-9.81)));
    RobotOptions options = movedByBullet();
    options.q = {M_PI / 2 - amplitude};
    Robot robot(parseRobot(bar(kHinge)), options);
    robot.addTo(world.world);
    std::vector<double> crossings;
    double before = -amplitude;
    for (int tick = 1; crossings.size() < 5; ++tick) {
        REQUIRE(tick < 10000);
        world.step(static_cast<btScalar>(h));
        const double now = robot.q(0) - M_PI / 2;
        if (before * now < 0) crossings.push_back(h * (tick - now / (now - before)));
        before = now;
    }
    const double period = 2 * M_PI * std::sqrt((0.17 + 2 * 0.25) / (2 * 9.81 * 0.5)) * (1 + amplitude * amplitude / 16);
    CHECK((crossings[4] - crossings[0]) / 2 == Approx(period).epsilon(1e-4));
}

TEST_CASE("limits hold, also where no link has a shape") {
    PlainWorld world(btVector3(0, 0, -10));
    const std::string joint =
        R"(type="revolute"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/><limit lower="-0.1" upper="0.2" effort="1" velocity="1"/>)";
    Robot robot(parseRobot(bar(joint)), movedByBullet());
    robot.addTo(world.world);
    for (int tick = 0; tick < 480; ++tick) world.step(btScalar(1) / 240);
    CHECK(robot.q(0) == Approx(0.2).margin(0.01));
}

TEST_CASE("a limit whose place a stop takes is no limit of Bullet") {
    LoadRobotOptions loading;
    loading.stops = RobotStops{.c = 1e4, .d = 10};
    const std::string joint =
        R"(type="revolute"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/><limit lower="-0.1" upper="0.2" effort="1" velocity="1"/>)";
    PlainWorld world(btVector3(0, 0, -10));
    Robot robot(parseRobot(bar(joint), "bar.urdf", loading));
    robot.addTo(world.world);
    REQUIRE(world.world.getNumMultiBodyConstraints() == 2);
    for (int i = 0; i < 2; ++i) {
        CHECK(world.world.getMultiBodyConstraint(i)->getConstraintType() != MULTIBODY_CONSTRAINT_LIMIT);
    }
}

TEST_CASE("a free root without mass has that of the links that are fixed to it") {
    const std::string leg =
        R"(<link name="leg"><inertial><origin xyz="0 0.05 -0.2"/><mass value="1"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.001"/></inertial></link>)";
    const std::string trunk =
        R"(<inertial><origin xyz="0.1 0 0.02"/><mass value="5"/><inertia ixx="0.05" ixy="0.001" ixz="0" iyy="0.06" iyz="0" izz="0.07"/></inertial>)";
    const auto joint = [](const std::string& parent) {
        return R"(<joint name="hip" type="continuous"><parent link=")" + parent +
               R"("/><child link="leg"/><origin xyz="0.1 0.1 -0.05"/><axis xyz="0 1 0"/></joint>)";
    };
    const std::string whole =
        R"(<robot name="whole"><link name="trunk">)" + trunk + "</link>" + leg + joint("trunk") + "</robot>";
    // The trunk behind two roots of no meaning, with an instrument.
    const std::string dummy =
        R"(<robot name="dummy"><link name="base"/><link name="frame"/><link name="trunk">)" + trunk +
        R"(</link><link name="imu"/><joint name="a" type="fixed"><parent link="base"/><child link="frame"/><origin xyz="0 0 0.3" rpy="0 0 1.5"/></joint><joint name="b" type="fixed"><parent link="frame"/><child link="trunk"/><origin xyz="0.2 0 0"/></joint><joint name="c" type="fixed"><parent link="trunk"/><child link="imu"/></joint>)" +
        leg + joint("trunk") + "</robot>";
    const auto swing = [](const std::string& text, double turn) {
        RobotScene scene = sceneOfRobot(parseRobot(text));
        scene.base = SceneRobot::Base::Free;
        scene.pose.orientation = Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitZ());
        scene.angularVelocity = {0.3, -0.2, 1};
        scene.v = std::vector<double>(scene.robot.joints.size(), 0);
        scene.q = scene.v;
        scene.v.back() = 6;
        scene.duration = 0.5;
        RobotWorld world(scene);
        while (world.ticks() < world.ticksToEnd()) world.step();
        const Robot& robot = world.robot();
        return std::make_pair(robot.q(static_cast<int>(scene.q.size()) - 1),
                              robot.linkPose(robot.description().linkIndex("trunk")).position.z() -
                                  robot.linkPose(robot.description().linkIndex("leg")).position.z());
    };
    const auto expected = swing(whole, 1.5), found = swing(dummy, 0);
    const double rounding = sizeof(btScalar) == 8 ? 1e-7 : 1e-4;
    CHECK(found.first == Approx(expected.first).margin(rounding));
    CHECK(found.second == Approx(expected.second).margin(rounding));
    RobotScene fixed = sceneOfRobot(parseRobot(dummy));
    CHECK(RobotWorld(fixed).robot().multiBody().hasFixedBase());
}

TEST_CASE("friction of a joint holds what it can and brakes what it cannot") {
    const double h = 1.0 / 240;
    const double tau = 2 * 10 * 0.5;  // of gravity on the horizontal bar
    for (const double friction : {15.0, 4.0}) {
        PlainWorld world(btVector3(0, 0, -10));
        RobotOptions options = movedByBullet();
        options.tickLength = h;
        Robot robot(parseRobot(bar(kHinge + "<dynamics friction=\"" + std::to_string(friction) + "\"/>")), options);
        robot.addTo(world.world);
        world.step(static_cast<btScalar>(h));
        const double expected = std::max(0.0, tau - friction) / (0.17 + 2 * 0.25);
        CHECK(robot.v(0) / h == Approx(expected).margin(1e3 * kNear));
    }
}

TEST_CASE("a massless root with a floating joint is a free base") {
    std::string text = bar(R"(type="floating"><parent link="world"/><child link="bar"/><origin xyz="0 0 2"/>)");
    RobotOptions options = movedByBullet();
    options.pose = kBase;
    const Robot robot(parseRobot(text), options);
    CHECK_FALSE(robot.multiBody().hasFixedBase());
    CHECK(robot.multiBody().getNumLinks() == 0);
    CHECK(robot.bulletLink(1) == -1);
    const RobotPose expected = kBase * RobotPose{{0, 0, 2}, Eigen::Quaterniond::Identity()};
    CHECK((robot.linkPose(1).position - expected.position).norm() < kNear);
    CHECK(robot.multiBody().getBaseMass() == 2);
}

TEST_CASE("a planar joint moves in its plane") {
    PlainWorld world(btVector3(1, 2, -10));
    Robot robot(parseRobot(bar(R"(type="planar"><parent link="world"/><child link="bar"/><axis xyz="0 0 1"/>)")),
                movedByBullet());
    robot.addTo(world.world);
    CHECK((robot.linkPose(1).position).norm() < kNear);
    for (int tick = 0; tick < 240; ++tick) world.step(btScalar(1) / 240);
    const Eigen::Vector3d moved = robot.linkPose(1).position;
    CHECK(moved.x() == Approx(0.5).epsilon(0.01));
    CHECK(moved.y() == Approx(1.0).epsilon(0.01));
    CHECK(std::abs(moved.z()) < 100 * kNear);
}

TEST_CASE("a robot leaves its world as it came") {
    PlainWorld world(btVector3(0, 0, -10));
    {
        Robot robot(parseRobot(kSmallRobot), movedByBullet());
        robot.addTo(world.world);
        CHECK(world.world.getNumMultibodies() == 1);
        CHECK(world.world.getNumCollisionObjects() == 3);
        CHECK(world.world.getNumMultiBodyConstraints() == 1);
        CHECK_THROWS_WITH(robot.addTo(world.world), "robot 'small' is in a world already");
        world.step(btScalar(1) / 60);
    }
    CHECK(world.world.getNumMultibodies() == 0);
    CHECK(world.world.getNumCollisionObjects() == 0);
    CHECK(world.world.getNumMultiBodyConstraints() == 0);
}

TEST_CASE("shapes sit where the URDF puts them, and neighbours do not collide") {
    PlainWorld world(btVector3(0, 0, 0));
    std::string text = smallRobot("<mass value=\"1\"/>", "<mass value=\"1\"/>");
    text.replace(text.find("</inertial>\n</link>\n<joint"), 11,
                 "</inertial>\n<collision><origin xyz=\"0.2 0 0\" rpy=\"0 0 1.5707963267948966\"/><geometry><box "
                 "size=\"0.1 0.6 0.1\"/></geometry></collision>");
    RobotOptions options = movedByBullet();
    options.selfCollision = true;
    Robot robot(parseRobot(text), options);
    robot.addTo(world.world);
    world.step(btScalar(1) / 60);
    CHECK(world.dispatcher.getNumManifolds() == 0);  // the boxes overlap at the elbow
    btVector3 least;
    btVector3 most;
    const btCollisionObject* collider = robot.multiBody().getLink(1).m_collider;
    collider->getCollisionShape()->getAabb(collider->getWorldTransform(), least, most);
    CHECK(static_cast<double>(least.x()) == Approx(0.5 - 0.1).margin(0.01));
    CHECK(static_cast<double>(most.x()) == Approx(0.5 + 0.5).margin(0.01));
    CHECK(static_cast<double>(most.y()) == Approx(0.05).margin(0.01));
}

TEST_CASE("joints can be placed between ticks") {
    Robot robot(parseRobot(kSmallRobot));
    robot.setJoint(1, 7.5, -2);
    CHECK(robot.q(1) == 7.5);
    CHECK(robot.v(1) == -2);
    CHECK_THROWS_AS(robot.setJoint(1, NAN, 0), InvalidParameter);
}

TEST_CASE("what cannot be built is refused by name") {
    const auto refusedWith = [](const std::string& text, const RobotOptions& options) -> std::string {
        try {
            const Robot robot(parseRobot(text), options);
        } catch (const InvalidParameter& refused) {
            return refused.what();
        }
        return "";
    };
    CHECK(refusedWith(smallRobot("type=\"continuous\"", "type=\"floating\""), {}) ==
          "robot 'small': joint 'elbow' is floating: Bullet's btMultiBody has no such joint except at the root, on a "
          "link without mass");
    RobotOptions options = movedByBullet();
    options.base = RobotOptions::Base::Free;
    CHECK(refusedWith(kSmallRobot, options) ==
          "robot 'small': link 'world' cannot be a free base: it must have a mass and moments of inertia > 0");
    options = {};
    options.q = {1};
    CHECK(refusedWith(kSmallRobot, options) == "robot 'small': q: size = 1 is not allowed; q: size must be 0 or 2");
    options.q = {1, INFINITY};
    CHECK(refusedWith(kSmallRobot, options) == "robot 'small': q = inf is not allowed; q must be finite");
    options = {};
    options.tickLength = 0;
    CHECK(refusedWith(kSmallRobot, options) ==
          "robot 'small': tickLength = 0 is not allowed; tickLength must be finite and > 0");
}
