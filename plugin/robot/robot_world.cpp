#include <elasto/robot/robot_world.h>

#include "bullet_values.h"

#include <algorithm>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

double elementValue(const MultiBodyElement& element, RobotSignalKind kind) {
    const Readout now = element.readout();
    switch (kind) {
        case RobotSignalKind::ElementCoordinate:
            return now.s_rel;
        case RobotSignalKind::ElementRate:
            return now.v_rel;
        case RobotSignalKind::ElementForce:
            return now.force.f;
        case RobotSignalKind::ElementFlangeA:
            return -now.force.f;
        case RobotSignalKind::ElementFlangeB:
            return now.force.f;
        case RobotSignalKind::ElementSpringForce:
            return now.force.f_c;
        case RobotSignalKind::ElementDamperForce:
            return now.force.f_d;
        case RobotSignalKind::ElementUnlimitedDamperForce:
            return now.force.f_d2;
        case RobotSignalKind::ElementDissipatedPower:
            return now.dissipatedPower;
        case RobotSignalKind::ElementTemperature:
            return element.TheatPort();
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

double linkValue(const RobotLinkReadout& link, const RobotSignal& signal) {
    switch (signal.kind) {
        case RobotSignalKind::LinkVelocity:
            return link.velocity[signal.component];
        case RobotSignalKind::LinkAngularVelocity:
            return link.rate()[signal.component];
        case RobotSignalKind::LinkSpecificForce:
            return link.specificForce[signal.component];
        case RobotSignalKind::LinkContactForce:
            return link.contactForce[signal.component];
        case RobotSignalKind::LinkContactNormalForce:
            return link.contactNormalForce;
        case RobotSignalKind::LinkContactFriction:
            return link.contactFriction.norm();
        default:
            return link.contactPlace[signal.component];
    }
}

/// Of the frame that the robot's file calls the link's.
RobotPose statedPose(const Robot& robot, int link) {
    return robot.linkPose(link) * robot.description().links[static_cast<std::size_t>(link)].statedFrame;
}

}  // namespace

RobotOptions robotOptions(const RobotScene& scene, double tickLength) {
    RobotOptions options;
    options.base = scene.base == RobotScene::Base::Fixed  ? RobotOptions::Base::Fixed
                   : scene.base == RobotScene::Base::Free ? RobotOptions::Base::Free
                                                          : RobotOptions::Base::AsStated;
    options.solver =
        scene.solver == RobotScene::Solver::Bullet ? RobotOptions::Solver::Bullet : RobotOptions::Solver::Elasto;
    options.pose = scene.pose;
    options.velocity = scene.velocity;
    options.angularVelocity = scene.angularVelocity;
    options.q = scene.q;
    options.v = scene.v;
    options.tickLength = tickLength;
    options.selfCollision = scene.selfCollision;
    options.friction = scene.friction;
    return options;
}

RobotWorld::RobotWorld(RobotScene scene, std::optional<double> rate)
    : m_scene(std::move(scene)),
      m_grid("RobotWorld", rate.value_or(m_scene.rate)),
      m_dispatcher(&m_configuration),
      m_world(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration) {
    m_world.setGravity(toBullet(m_scene.gravity));
    m_world.getSolverInfo().m_numIterations = m_scene.solverIterations;
    m_plugin = std::make_unique<Plugin>(&m_world);
    if (m_scene.ground) addGround();
    m_robot = std::make_unique<Robot>(m_scene.robot, robotOptions(m_scene, tickLength()));
    m_robot->addTo(m_world);
    m_drives = std::make_unique<RobotDrives>(*m_robot, m_scene, *m_plugin);
    m_drives->restart(0);
    m_readouts = std::make_unique<RobotReadouts>(*m_robot, *m_plugin);
    m_impulses.resize(m_scene.robot.elements.size());
}

RobotWorld::~RobotWorld() {
    m_readouts.reset();
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

void RobotWorld::setTicks(long ticks) {
    m_ticks = ticks;
    m_drives->restart(time());
    clearReadouts();
}

void RobotWorld::setTicks(long ticks, const RobotDrivesState& drives) {
    m_drives->restoreState(drives);
    m_ticks = ticks;
    clearReadouts();
}

void RobotWorld::restart() {
    m_robot->reset();
    m_plugin->restoreState({});
    m_ticks = 0;
    m_grade = {};
    m_drives->restart(0);
    clearReadouts();
}

void RobotWorld::step() {
    std::fill(m_impulses.begin(), m_impulses.end(), 0);
    m_grade = {};
    m_readouts->begin();
    m_isUnread = false;
    m_drives->step(m_world, time(), tickLength(), [this](double length) { notePart(length); });
    ++m_ticks;
    m_drives->look(time());
}

/// A tick may have been made in parts: what is said of it is of all of them.
void RobotWorld::notePart(double length) {
    for (std::size_t i = 0; i < m_impulses.size(); ++i) m_impulses[i] += length * m_robot->element(i).meanForce();
    // The next part's tick takes its place; a whole one stays for who asks.
    m_isUnread = length == tickLength();
    if (!m_isUnread) m_readouts->add();
    const TickGrade& part = m_plugin->statistics().grade();
    m_grade.grade = std::max(m_grade.grade, part.grade);
    m_grade.error = std::max(m_grade.error, part.error);
}

void RobotWorld::clearReadouts() {
    m_readouts->clear();
    m_isUnread = false;
}

const RobotReadouts& RobotWorld::readouts() const {
    if (m_isUnread) m_readouts->read();
    m_isUnread = false;
    return *m_readouts;
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
            return m_drives->torque(signal.index, time() + tickLength() / 2);
        case RobotSignalKind::LinkPosition:
            return statedPose(*m_robot, signal.index).position[signal.component];
        case RobotSignalKind::LinkOrientation:
            return statedPose(*m_robot, signal.index).orientation.coeffs()[signal.component];
        case RobotSignalKind::MotorAngle:
            return m_robot->motorOf(signal.index)->motorAngle();
        case RobotSignalKind::MotorSpeed:
            return m_robot->motorOf(signal.index)->motorSpeed();
        case RobotSignalKind::TickGrade:
            return static_cast<double>(m_grade.grade);
        case RobotSignalKind::TickError:
            return m_grade.error;
        case RobotSignalKind::ElementMeanForce: {
            const auto index = static_cast<std::size_t>(signal.index);
            return m_ticks > 0 ? m_impulses[index] / tickLength() : elementValue(m_robot->element(index), signal.kind);
        }
        case RobotSignalKind::JointForce:
            return readouts().joint(signal.index).force[signal.component];
        case RobotSignalKind::JointTorque:
            return readouts().joint(signal.index).torque[signal.component];
        case RobotSignalKind::JointEffort:
            return readouts().joint(signal.index).effort;
        case RobotSignalKind::LinkVelocity:
        case RobotSignalKind::LinkAngularVelocity:
        case RobotSignalKind::LinkSpecificForce:
        case RobotSignalKind::LinkContactForce:
        case RobotSignalKind::LinkContactNormalForce:
        case RobotSignalKind::LinkContactFriction:
        case RobotSignalKind::LinkContactPlace:
            return linkValue(readouts().link(signal.index), signal);
        case RobotSignalKind::CentreOfMass:
            return readouts().motion().centreOfMass[signal.component];
        case RobotSignalKind::Momentum:
            return readouts().motion().momentum[signal.component];
        case RobotSignalKind::AngularMomentum:
            return readouts().motion().angularMomentum[signal.component];
        case RobotSignalKind::KineticEnergy:
            return readouts().motion().kineticEnergy;
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
