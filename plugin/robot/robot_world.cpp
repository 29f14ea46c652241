#include <elasto/robot/robot_world.h>

#include "bullet_values.h"
#include "scene_tie.h"

#include <elasto/scene/start.h>

#include <algorithm>
#include <stdexcept>
#include <string>

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

/// What a SceneWorld samples of its elements, of one on a link. @param bodies that its ends are on
ElementSample sampleOf(const MultiBodyElement& tie, const Scene& scene, const SceneElement& element,
                       const std::vector<BodyState>& bodies) {
    const Readout now = tie.readout();
    ElementSample values;
    values.s = now.s_rel;
    values.v = now.v_rel;
    values.force = now.force;
    values.meanForce = now.force.f;
    values.lossPower = now.lossPower;
    values.dissipatedPower = now.dissipatedPower;
    values.heat = tie.heat();
    values.storedEnergy = now.storedEnergy;
    values.s_damper = now.s_damper;
    const auto pointOf = [&](const SceneFrame& frame) -> Eigen::Vector3d {
        if (frame.body == kWorld) return frame.position;
        const auto body = static_cast<std::size_t>(frame.body);
        return bodies[body].position + bodies[body].orientation * (frame.position - scene.bodies[body].centreOfMass);
    };
    values.pointA = pointOf(element.frame_a);
    values.pointB = pointOf(element.frame_b);
    return values;
}

/// Of the frame that the robot's file calls the link's.
RobotPose statedPose(const Robot& robot, int link) {
    return robot.linkPose(link) * robot.description().links[static_cast<std::size_t>(link)].statedFrame;
}

}  // namespace

RobotOptions robotOptions(const RobotScene& scene, double tickLength, std::size_t index) {
    const SceneRobot& robot = scene.at(index);
    RobotOptions options;
    options.base = robot.base == SceneRobot::Base::Fixed  ? RobotOptions::Base::Fixed
                   : robot.base == SceneRobot::Base::Free ? RobotOptions::Base::Free
                                                          : RobotOptions::Base::AsStated;
    options.solver =
        robot.solver == SceneRobot::Solver::Bullet ? RobotOptions::Solver::Bullet : RobotOptions::Solver::Elasto;
    options.pose = robot.pose;
    options.velocity = robot.velocity;
    options.angularVelocity = robot.angularVelocity;
    options.q = robot.q;
    options.v = robot.v;
    options.tickLength = tickLength;
    options.selfCollision = robot.selfCollision;
    options.friction = scene.friction;
    options.restitution = scene.restitution;
    return options;
}

std::vector<std::unique_ptr<MultiBodyElement>> joinSurroundings(const RobotScene& scene, SceneWorld& around,
                                                                const std::vector<Robot*>& robots) {
    for (std::size_t i = 0; i < scene.robots(); ++i) {
        for (const RobotHeat& heat : scene.at(i).heat) {
            robots.at(i)
                ->element(static_cast<std::size_t>(heat.element))
                .setHeatPort(around.heatPort(static_cast<std::size_t>(heat.heatPort)));
        }
    }
    std::vector<std::unique_ptr<MultiBodyElement>> made;
    if (scene.links.empty()) return made;
    const auto flangeOf = [&](int body) -> Flange {
        if (body == kWorld) return Flange::world();
        const auto place = static_cast<std::size_t>(body);
        if (place < scene.bodies()) return around.body(place);
        const SceneLink& end = scene.links[place - scene.bodies()];
        Robot& robot = *robots.at(end.robot);
        // What a floating joint carries is the base.
        return {robot.multiBody(), std::max(-1, robot.bulletLink(end.link))};
    };
    const FlowNetwork start = startNetwork(scene.around);
    for (std::size_t i = 0; i < scene.around.elements.size(); ++i) {
        const SceneElement& element = scene.around.elements[i];
        if (!scene.isOnLink(element)) continue;
        made.push_back(makeTie(scene, element, start.elements[i].phi, flangeOf));
        if (element.heatPort >= 0) {
            made.back()->setHeatPort(around.heatPort(static_cast<std::size_t>(element.heatPort)));
        }
        around.multiBodyWorld()->addMultiBodyConstraint(made.back().get());
    }
    return made;
}

RobotWorld::RobotWorld(RobotScene scene, std::optional<double> rate)
    : m_scene(std::move(scene)),
      m_grid("RobotWorld", rate.value_or(m_scene.rate)),
      m_around(m_scene.aroundAlone(), m_grid.rate(), true) {
    if (m_scene.ground) addGround();
    m_robots.resize(m_scene.robots());
    for (std::size_t i = 0; i < m_robots.size(); ++i) addRobot(i);
    std::vector<Robot*> robots;
    for (const Member& member : m_robots) {
        robots.push_back(member.robot.get());
        m_drives.push_back(member.drives.get());
    }
    m_ties = joinSurroundings(m_scene, m_around, robots);
    if (!m_scene.hasAround()) return;
    m_signals = availableSignals(m_scene.around);
    m_impulses.resize(m_scene.around.elements.size());
    m_start = plugin().saveWorld();
}

RobotWorld::~RobotWorld() {
    for (const std::unique_ptr<MultiBodyElement>& tie : m_ties) world().removeMultiBodyConstraint(tie.get());
}

void RobotWorld::addGround() {
    m_groundShape = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
    m_ground = std::make_unique<btRigidBody>(btScalar(0), nullptr, m_groundShape.get());
    m_ground->setFriction(static_cast<btScalar>(m_scene.friction));
    m_ground->setRestitution(static_cast<btScalar>(m_scene.restitution));
    world().addRigidBody(m_ground.get());
}

void RobotWorld::addRobot(std::size_t index) {
    const SceneRobot& stated = m_scene.at(index);
    Member& member = m_robots[index];
    member.robot = std::make_unique<Robot>(stated.robot, robotOptions(m_scene, tickLength(), index));
    member.robot->addTo(world());
    if (!stated.prefix.empty()) member.robot->setPrefix(stated.prefix);
    member.drives = std::make_unique<RobotDrives>(*member.robot, m_scene, plugin(), index);
    member.drives->restart(0);
    member.readouts = std::make_unique<RobotReadouts>(*member.robot, plugin());
    member.impulses.resize(stated.robot.elements.size());
}

MultiBodyElement& RobotWorld::tie(std::string_view name) {
    for (const std::unique_ptr<MultiBodyElement>& tie : m_ties) {
        if (tie->name() == name) return *tie;
    }
    throw std::out_of_range("RobotWorld: no element '" + std::string(name) + "' with an end on a link");
}

void RobotWorld::setTicks(long ticks) {
    m_ticks = ticks;
    m_around.setTicks(ticks);
    for (const Member& member : m_robots) member.drives->restart(time());
    clearReadouts();
}

void RobotWorld::setTicks(long ticks, const std::vector<RobotDrivesState>& drives) {
    if (drives.size() != m_robots.size()) {
        throw InvalidParameter("RobotWorld", "drives: size", static_cast<double>(drives.size()),
                               std::to_string(m_robots.size()) + ", as many as robots");
    }
    for (std::size_t i = 0; i < drives.size(); ++i) m_robots[i].drives->restoreState(drives[i]);
    m_ticks = ticks;
    m_around.setTicks(ticks);
    clearReadouts();
}

std::vector<RobotDrivesState> RobotWorld::drivesStates() const {
    std::vector<RobotDrivesState> states;
    for (const Member& member : m_robots) states.push_back(member.drives->state());
    return states;
}

void RobotWorld::restart() {
    if (m_start) plugin().restoreWorld(*m_start);
    for (const Member& member : m_robots) member.robot->reset();
    plugin().restoreState({});
    m_ticks = 0;
    m_around.setTicks(0);
    m_grade = {};
    for (const Member& member : m_robots) member.drives->restart(0);
    clearReadouts();
}

void RobotWorld::step() {
    stepPart(tickLength());
    ++m_ticks;
    m_around.setTicks(m_ticks);
    for (RobotDrives* drives : m_drives) drives->look(time());
}

void RobotWorld::stepPart(double length) {
    for (Member& member : m_robots) {
        std::fill(member.impulses.begin(), member.impulses.end(), 0);
        member.readouts->begin();
    }
    std::fill(m_impulses.begin(), m_impulses.end(), 0);
    m_grade = {};
    m_isUnread = false;
    m_sample.reset();
    RobotDrives::step(m_drives, time(), length, [this](double end, double part) {
        m_around.stepPart(end, part);
        notePart(part);
    });
}

/// A tick may have been made in parts: what is said of it is of all of them.
void RobotWorld::notePart(double length) {
    for (Member& member : m_robots) {
        for (std::size_t i = 0; i < member.impulses.size(); ++i) {
            member.impulses[i] += length * member.robot->element(i).meanForce();
        }
    }
    for (std::size_t i = 0; i < m_impulses.size(); ++i) {
        m_impulses[i] += length * (i < m_around.elements() ? m_around.element(i).meanForce()
                                                           : m_ties[i - m_around.elements()]->meanForce());
    }
    // The next part's tick takes its place; a whole one stays for who asks.
    m_isUnread = length == tickLength();
    if (!m_isUnread) {
        for (const Member& member : m_robots) member.readouts->add();
    }
    const TickGrade& part = plugin().statistics().grade();
    m_grade.grade = std::max(m_grade.grade, part.grade);
    m_grade.error = std::max(m_grade.error, part.error);
}

void RobotWorld::clearReadouts() {
    for (const Member& member : m_robots) member.readouts->clear();
    m_isUnread = false;
    m_sample.reset();
}

const RobotReadouts& RobotWorld::readouts(std::size_t index) const {
    if (m_isUnread) {
        for (const Member& member : m_robots) member.readouts->read();
    }
    m_isUnread = false;
    return *m_robots.at(index).readouts;
}

const SceneSample& RobotWorld::sampleAround() const {
    if (m_sample) return *m_sample;
    SceneSample sample = m_around.sample();
    for (const SceneLink& end : m_scene.links) {
        const RobotLinkReadout& link = readouts(end.robot).link(end.link);
        BodyState state;
        state.position = link.pose.position;
        state.orientation = link.pose.orientation;
        state.velocity = link.velocity;
        state.angularVelocity = link.angularVelocity;
        sample.bodies.push_back(state);
    }
    for (std::size_t i = 0; i < m_ties.size(); ++i) {
        sample.elements.push_back(
            sampleOf(*m_ties[i], m_scene.around, m_scene.around.elements[m_around.elements() + i], sample.bodies));
    }
    for (std::size_t i = 0; m_ticks > 0 && i < m_impulses.size(); ++i) {
        sample.elements[i].meanForce = m_impulses[i] / tickLength();
    }
    // Before the first tick nobody has told the ports what the elements dissipate.
    if (m_ticks == 0) sumStartOfHeatPorts(sample);
    m_sample = std::move(sample);
    return *m_sample;
}

void RobotWorld::sumStartOfHeatPorts(SceneSample& sample) const {
    sumHeatPorts(m_scene.around, sample);
    for (std::size_t i = 0; i < m_robots.size(); ++i) {
        for (const RobotHeat& heat : m_scene.at(i).heat) {
            const MultiBodyElement& element = m_robots[i].robot->element(static_cast<std::size_t>(heat.element));
            const double power = element.readout().dissipatedPower;
            const auto port = static_cast<std::size_t>(heat.heatPort);
            sample.heatPorts[port].power += power;
            sample.heatPorts[port].temperature += power / m_scene.around.heatPorts[port].conductance;
        }
    }
}

long RobotWorld::ticksToEnd() const {
    return m_grid.ticksIn(m_scene.duration, "scene '" + m_scene.name + "'");
}

double RobotWorld::value(const RobotSignal& signal) const {
    switch (signal.kind) {
        case RobotSignalKind::Around:
            return signalValue(m_scene.around, sampleAround(), m_signals[static_cast<std::size_t>(signal.index)]);
        case RobotSignalKind::TickGrade:
            return static_cast<double>(m_grade.grade);
        case RobotSignalKind::TickError:
            return m_grade.error;
        case RobotSignalKind::TotalHeat: {
            double sum = 0;
            for (const Member& member : m_robots) {
                for (std::size_t i = 0; i < member.impulses.size(); ++i) sum += member.robot->element(i).heat();
            }
            for (std::size_t i = 0; i < m_around.elements(); ++i) sum += m_around.element(i).heat();
            for (const std::unique_ptr<MultiBodyElement>& tie : m_ties) sum += tie->heat();
            return sum;
        }
        default:
            return robotValue(signal);
    }
}

double RobotWorld::robotValue(const RobotSignal& signal) const {
    const Member& member = m_robots.at(signal.robot);
    const Robot& robot = *member.robot;
    switch (signal.kind) {
        case RobotSignalKind::JointCoordinate:
            return robot.q(signal.index);
        case RobotSignalKind::JointRate:
            return robot.v(signal.index);
        case RobotSignalKind::DriveTorque:
            return member.drives->torque(signal.index, time() + tickLength() / 2);
        case RobotSignalKind::LinkPosition:
            return statedPose(robot, signal.index).position[signal.component];
        case RobotSignalKind::LinkOrientation:
            return statedPose(robot, signal.index).orientation.coeffs()[signal.component];
        case RobotSignalKind::MotorAngle:
            return robot.motorOf(signal.index)->motorAngle();
        case RobotSignalKind::MotorSpeed:
            return robot.motorOf(signal.index)->motorSpeed();
        case RobotSignalKind::ElementMeanForce: {
            const auto index = static_cast<std::size_t>(signal.index);
            return m_ticks > 0 ? member.impulses[index] / tickLength()
                               : elementValue(robot.element(index), signal.kind);
        }
        case RobotSignalKind::JointForce:
            return readouts(signal.robot).joint(signal.index).force[signal.component];
        case RobotSignalKind::JointTorque:
            return readouts(signal.robot).joint(signal.index).torque[signal.component];
        case RobotSignalKind::JointEffort:
            return readouts(signal.robot).joint(signal.index).effort;
        case RobotSignalKind::LinkVelocity:
        case RobotSignalKind::LinkAngularVelocity:
        case RobotSignalKind::LinkSpecificForce:
        case RobotSignalKind::LinkContactForce:
        case RobotSignalKind::LinkContactNormalForce:
        case RobotSignalKind::LinkContactFriction:
        case RobotSignalKind::LinkContactPlace:
            return linkValue(readouts(signal.robot).link(signal.index), signal);
        case RobotSignalKind::CentreOfMass:
            return readouts(signal.robot).motion().centreOfMass[signal.component];
        case RobotSignalKind::Momentum:
            return readouts(signal.robot).motion().momentum[signal.component];
        case RobotSignalKind::AngularMomentum:
            return readouts(signal.robot).motion().angularMomentum[signal.component];
        case RobotSignalKind::KineticEnergy:
            return readouts(signal.robot).motion().kineticEnergy;
        default:
            return elementValue(robot.element(static_cast<std::size_t>(signal.index)), signal.kind);
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
