#include <elasto/robot/robot_world.h>

#include "bullet_values.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

RobotOptions optionsOf(const RobotScene& scene, double tickLength) {
    RobotOptions options;
    options.base = scene.base == RobotScene::Base::Fixed  ? RobotOptions::Base::Fixed
                   : scene.base == RobotScene::Base::Free ? RobotOptions::Base::Free
                                                          : RobotOptions::Base::AsStated;
    options.pose = scene.pose;
    options.q = scene.q;
    options.v = scene.v;
    options.tickLength = tickLength;
    options.selfCollision = scene.selfCollision;
    options.friction = scene.friction;
    return options;
}

double elementValue(const MultiBodyElement& element, RobotSignalKind kind) {
    const Readout now = element.readout();
    switch (kind) {
        case RobotSignalKind::ElementCoordinate:
            return now.s_rel;
        case RobotSignalKind::ElementRate:
            return now.v_rel;
        case RobotSignalKind::ElementForce:
            return now.force.f;
        case RobotSignalKind::ElementMeanForce:
            return element.tickLength() > 0 ? element.meanForce() : now.force.f;
        case RobotSignalKind::ElementDamperLength:
            return now.s_damper;
        case RobotSignalKind::ElementContact:
            return now.force.contact ? 1 : 0;
        case RobotSignalKind::ElementLossPower:
            return now.lossPower;
        case RobotSignalKind::ElementHeat:
            return element.heat();
        default:
            return now.storedEnergy;
    }
}

}  // namespace

RobotWorld::RobotWorld(RobotScene scene, std::optional<double> rate)
    : m_scene(std::move(scene)),
      m_grid("RobotWorld", rate.value_or(m_scene.rate)),
      m_dispatcher(&m_configuration),
      m_world(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration) {
    m_world.setGravity(toBullet(m_scene.gravity));
    m_world.getSolverInfo().m_numIterations = m_scene.solverIterations;
    m_plugin = std::make_unique<Plugin>(&m_world);
    if (m_scene.ground) addGround();
    m_robot = std::make_unique<Robot>(m_scene.robot, optionsOf(m_scene, tickLength()));
    m_robot->addTo(m_world);
    addDrives();
    setServoTorques();
}

RobotWorld::~RobotWorld() {
    m_plugin.reset();  // it refers to the robot's joints
    m_robot.reset();
    if (m_ground) m_world.removeRigidBody(m_ground.get());
}

void RobotWorld::addGround() {
    m_groundShape = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
    m_ground = std::make_unique<btRigidBody>(btScalar(0), nullptr, m_groundShape.get());
    m_ground->setFriction(static_cast<btScalar>(m_scene.friction));
    m_world.addRigidBody(m_ground.get());
}

RobotWorld::Drive& RobotWorld::driveOf(int joint) {
    const auto isIt = [&](const Drive& drive) { return drive.joint == joint; };
    const auto found = std::find_if(m_drives.begin(), m_drives.end(), isIt);
    if (found != m_drives.end()) return *found;
    m_drives.push_back({joint, {}, std::nullopt, 0});
    return m_drives.back();
}

void RobotWorld::addDrives() {
    for (const RobotLoad& load : m_scene.loads) driveOf(load.joint).loads.push_back(load.value);
    for (const RobotServo& servo : m_scene.servos) driveOf(servo.joint).servo = servo;
    for (std::size_t i = 0; i < m_drives.size(); ++i) {
        const auto torque = [this, i](double t) { return m_drives[i].servoTorque + loadTorque(m_drives[i], t); };
        if (MultiBodyElement* motor = m_robot->motorOf(m_drives[i].joint)) {
            motor->setMotorTorque(torque);
        } else {
            m_plugin->addJointLoad(
                JointLoad(m_robot->multiBody(), m_robot->bulletLinkOfJoint(m_drives[i].joint), torque));
        }
    }
}

double RobotWorld::loadTorque(const Drive& drive, double t) {
    double sum = 0;
    for (const RobotFunction& load : drive.loads) sum += load.at(t);
    return sum;
}

double RobotWorld::servoTorque(const RobotServo& servo) const {
    const MultiBodyElement* motor = m_robot->motorOf(servo.joint);
    const double ratio = motor == nullptr ? 1 : std::get<::elasto::Drive>(motor->placing()).ratio;
    const double q = motor == nullptr ? m_robot->q(servo.joint) : motor->motorAngle() / ratio;
    const double v = motor == nullptr ? m_robot->v(servo.joint) : motor->motorSpeed() / ratio;
    const double wanted = servo.position.at(time());
    const double wantedRate = (servo.position.at(m_grid.timeOf(m_ticks + 1)) - wanted) / tickLength();
    const double torque = servo.stiffness * (wanted - q) + servo.damping * (wantedRate - v);
    return std::clamp(torque, -servo.maxEffort, servo.maxEffort) / ratio;
}

void RobotWorld::setServoTorques() {
    for (Drive& drive : m_drives) {
        if (drive.servo) drive.servoTorque = servoTorque(*drive.servo);
    }
}

double RobotWorld::driveTorque(int joint) const {
    for (const Drive& drive : m_drives) {
        if (drive.joint == joint) return drive.servoTorque + loadTorque(drive, time() + tickLength() / 2);
    }
    return 0;
}

void RobotWorld::step() {
    // Without substeps allowed Bullet makes exactly one of the length that it is given.
    m_world.stepSimulation(static_cast<btScalar>(tickLength()), 0);
    ++m_ticks;
    setServoTorques();
}

long RobotWorld::ticksToEnd() const {
    return m_grid.ticksIn(m_scene.duration, "scene '" + m_scene.name + "'");
}

double RobotWorld::value(const RobotSignal& signal) const {
    switch (signal.kind) {
        case RobotSignalKind::JointCoordinate:
            return m_robot->q(signal.index);
        case RobotSignalKind::JointRate:
            return m_robot->v(signal.index);
        case RobotSignalKind::DriveTorque:
            return driveTorque(signal.index);
        case RobotSignalKind::LinkPosition:
            return m_robot->linkPose(signal.index).position[signal.component];
        case RobotSignalKind::LinkOrientation:
            return m_robot->linkPose(signal.index).orientation.coeffs()[signal.component];
        case RobotSignalKind::MotorAngle:
            return m_robot->motorOf(signal.index)->motorAngle();
        case RobotSignalKind::MotorSpeed:
            return m_robot->motorOf(signal.index)->motorSpeed();
        case RobotSignalKind::TotalHeat: {
            double sum = 0;
            for (std::size_t i = 0; i < m_scene.robot.elements.size(); ++i) sum += m_robot->element(i).heat();
            return sum;
        }
        default:
            return elementValue(m_robot->element(static_cast<std::size_t>(signal.index)), signal.kind);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
