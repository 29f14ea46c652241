// Efforts for accelerations, against the motion of robots under no effort.

#include <elasto/errors.h>
#include <elasto/robot/robot.h>

#include <catch2/catch.hpp>

#include "plain_world.h"
#include "straight_robot.h"

using namespace elasto;
using namespace elasto::test;

namespace {

const Eigen::Vector3d kGravity(1, -3, -9);
constexpr double kStep = 1e-3;                                    // [s]
constexpr double kRounded = sizeof(btScalar) == 8 ? 1e-9 : 2e-2;  // what differences over the step have

Eigen::Vector3d vectorOf(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

std::vector<double> ratesOf(const btMultiBody& body) {
    std::vector<double> rates;
    for (int i = 0; i < body.getNumLinks(); ++i) {
        for (int k = 0; k < body.getLink(i).m_dofCount; ++k)
            rates.push_back(static_cast<double>(body.getJointVelMultiDof(i)[k]));
    }
    return rates;
}

/// Bullet's step has the accelerations of its start: those efforts of 0 lead to.
void checkFreeMotion(const std::string& text, RobotOptions options, const std::vector<double>& planarRates) {
    options.solver = RobotOptions::Solver::Bullet;
    PlainWorld world(btVector3(1, -3, -9));
    Robot robot(parseRobot(text), options);
    btMultiBody& body = robot.multiBody();
    for (int i = 0; i < body.getNumLinks(); ++i) {
        if (body.getLink(i).m_jointType != btMultibodyLink::ePlanar) continue;
        const btScalar q[3] = {btScalar(0.7), btScalar(0.2), btScalar(-0.4)};
        const btScalar v[3] = {static_cast<btScalar>(planarRates[0]), static_cast<btScalar>(planarRates[1]),
                               static_cast<btScalar>(planarRates[2])};
        body.setJointPosMultiDof(i, q);
        body.setJointVelMultiDof(i, v);
    }
    Robot before(parseRobot(text), options);  // where it stays
    for (int i = 0; i < body.getNumLinks(); ++i) {
        if (body.getLink(i).m_dofCount == 0) continue;
        before.multiBody().setJointPosMultiDof(i, body.getJointPosMultiDof(i));
        before.multiBody().setJointVelMultiDof(i, body.getJointVelMultiDof(i));
    }
    const std::vector<double> rates = ratesOf(body);
    const Eigen::Vector3d velocity = vectorOf(body.getBaseVel()), spin = vectorOf(body.getBaseOmega());
    robot.addTo(world.world);
    world.step(static_cast<btScalar>(kStep));
    RobotAccelerations accelerations;
    accelerations.joints = ratesOf(body);
    for (std::size_t i = 0; i < rates.size(); ++i)
        accelerations.joints[i] = (accelerations.joints[i] - rates[i]) / kStep;
    accelerations.base = (vectorOf(body.getBaseVel()) - velocity) / kStep;
    accelerations.baseAngular = (vectorOf(body.getBaseOmega()) - spin) / kStep;
    const RobotEfforts efforts = before.inverseDynamics(accelerations, kGravity);
    REQUIRE(efforts.joints.size() == rates.size());
    double size = 0;  // of what cancels
    for (const double share : before.gravityEfforts(kGravity).joints) size = std::max(size, std::abs(share));
    CHECK(size > 0.1);
    for (const double effort : efforts.joints) CHECK(std::abs(effort) < kRounded * size);
    if (body.hasFixedBase()) return;
    CHECK(efforts.baseForce.norm() < 10 * kRounded * size);
    CHECK(efforts.baseTorque.norm() < 10 * kRounded * size);
}

RobotOptions moving() {
    RobotOptions options;
    options.pose = {{0.4, -0.3, 1.2}, Eigen::Quaterniond(0.8, 0.1, -0.5, 0.3).normalized()};
    options.q = {0.3, -1.2, 0, 0.4, 2};
    options.v = {0.5, -0.7, 0, 0.3, -1};
    return options;
}

}  // namespace

TEST_CASE("efforts of a robot on a fixed base are 0 for the accelerations it has by itself") {
    RobotOptions options = moving();
    options.base = RobotOptions::Base::Fixed;
    checkFreeMotion(kCrookedRobot, options, {});
}

TEST_CASE("efforts of a robot with a free base are 0 for the accelerations it has by itself") {
    RobotOptions options = moving();
    options.velocity = {0.2, 0.5, -0.3};
    options.angularVelocity = {0.4, -0.8, 0.6};
    checkFreeMotion(kCrookedRobot, options, {});
}

TEST_CASE("efforts on a planar joint are 0 for the accelerations it has by itself") {
    std::string text = kCrookedRobot;
    const std::string axis = R"(<joint name="j2" type="continuous">)";
    text.replace(text.find(axis), axis.size(), R"(<joint name="j2" type="planar">)");
    RobotOptions options = moving();
    options.base = RobotOptions::Base::Fixed;
    options.q[1] = options.v[1] = 0;
    checkFreeMotion(text, options, {0.6, -0.5, 0.8});
}

TEST_CASE("at rest, efforts are the mass matrix times accelerations, and what holds against gravity") {
    RobotOptions options = moving();
    options.base = RobotOptions::Base::Fixed;
    options.v.clear();
    const Robot robot(parseRobot(kCrookedRobot), options);
    const StraightRobot straight(options.pose.orientation.toRotationMatrix(), options.pose.position, options.q);
    const Eigen::VectorXd falling = straight.accelerations(kGravity);
    RobotAccelerations accelerations;
    for (const int joint : {0, 1, 3, 4}) accelerations.joints.push_back(falling[joint]);
    const RobotEfforts free = robot.inverseDynamics(accelerations, kGravity);
    for (const double effort : free.joints) CHECK(std::abs(effort) < 1e3 * kNear);
    // Without gravity the same accelerations take what gravity gave.
    const RobotEfforts held = robot.gravityEfforts(kGravity);
    const RobotEfforts pushed = robot.inverseDynamics(accelerations, Eigen::Vector3d::Zero());
    for (std::size_t i = 0; i < held.joints.size(); ++i)
        CHECK(pushed.joints[i] == Approx(-held.joints[i]).margin(1e-3));
    CHECK(robot.dofOfJoint(0) == 0);
    CHECK(robot.dofOfJoint(3) == 2);
    CHECK((held.baseForce + (3 + 2 + 1.5 + 0.4 + 0.8 + 0.6) * kGravity).norm() < 1e3 * kNear);
}

TEST_CASE("accelerations must be as many as degrees of freedom") {
    RobotOptions options = moving();
    const Robot robot(parseRobot(kCrookedRobot), options);
    RobotAccelerations accelerations;
    accelerations.joints = {1, 2};
    CHECK_THROWS_WITH(robot.inverseDynamics(accelerations, kGravity),
                      "robot 'crooked': accelerations: size = 2 is not allowed; accelerations: size must be 0 or 4");
}
