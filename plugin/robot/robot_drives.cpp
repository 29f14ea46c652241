#include <elasto/robot/robot_drives.h>

#include "bullet_values.h"
#include "servo_law.h"

#include <elasto/errors.h>

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <variant>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Instants that are nearer to one another are one [s]: sums and quotients of times are rounded by 1e-10 s after days.
constexpr double kSameInstant = 1e-9;

/// Readings that may wait to act: ten seconds at 1 kHz. They are kept in memory.
constexpr double kMostWaiting = 1e4;

void checkServo(const RobotServo& servo, const Robot& robot, double sceneRate) {
    const std::string owner =
        "servo of joint '" + robot.description().joints.at(static_cast<std::size_t>(servo.joint)).name + "'";
    const auto require = [&](bool isRight, const char* field, double value, const char* rule) {
        if (!isRight) throw InvalidParameter(owner, field, value, rule);
    };
    require(servo.stiffness >= 0 && std::isfinite(servo.stiffness), "stiffness", servo.stiffness, "finite and >= 0");
    require(servo.damping >= 0 && std::isfinite(servo.damping), "damping", servo.damping, "finite and >= 0");
    require(servo.integral >= 0 && std::isfinite(servo.integral), "integral", servo.integral, "finite and >= 0");
    require(servo.maxIntegral >= 0 && std::isfinite(servo.maxIntegral), "maxIntegral", servo.maxIntegral,
            "finite and >= 0");
    require(servo.maxEffort >= 0, "maxEffort", servo.maxEffort, ">= 0");
    require(servo.maxVelocity > 0, "maxVelocity", servo.maxVelocity, "> 0");
    const RobotControl& control = servo.control;
    if (control.rate) {
        require(*control.rate > 0 && *control.rate <= kHighestRate, "rate", *control.rate, "> 0 and <= 1e+06");
    }
    require(control.delay >= 0 && std::isfinite(control.delay), "delay", control.delay, "finite and >= 0");
    require(control.delay * control.rate.value_or(sceneRate) <= kMostWaiting, "delay", control.delay,
            "at most 10000 times the time between readings");
    if (!control.isContinuous) return;
    const bool isPlain = servo.mode == RobotServo::Mode::Position && servo.integral == 0 && !servo.gravity &&
                         std::isinf(servo.maxEffort) && std::isinf(servo.maxVelocity);
    if (!isPlain || robot.motorOf(servo.joint) != nullptr) {
        throw InvalidParameter(
            owner,
            "it is continuous: that is for a position on a joint without a motor, without maxEffort, "
            "maxVelocity, integral and gravity; others are sampled");
    }
}

}  // namespace

RobotDrives::RobotDrives(Robot& robot, const RobotScene& scene, Plugin& plugin, std::size_t index)
    : m_robot(robot),
      m_plugin(plugin),
      m_sceneRate(scene.rate),
      m_sceneGravity(scene.gravity),
      m_servos(scene.at(index).servos),
      m_targets(m_servos.size()) {
    m_state.servos.resize(m_servos.size());
    for (const RobotLoad& load : scene.at(index).loads) driveOf(load.joint).loads.push_back(load.value);
    for (const RobotBrake& brake : scene.at(index).brakes) setBrake(brake);
    for (std::size_t i = 0; i < m_servos.size(); ++i) {
        const RobotServo& servo = m_servos[i];
        checkServo(servo, robot, scene.rate);
        driveOf(servo.joint).servo = static_cast<int>(i);
        if (servo.control.isContinuous) addContinuous(i, plugin);
        reserve(i);
    }
    for (std::size_t i = 0; i < m_drives.size(); ++i) connect(i);
}

void RobotDrives::setBrake(const RobotBrake& brake) {
    m_robot.element(static_cast<std::size_t>(brake.element))
        .setF_normalized([course = brake.course](double t) { return course.factor(t); },
                         [course = brake.course](double t) { return course.nextBreak(t); });
}

RobotDrives::Drive& RobotDrives::driveOf(int joint) {
    const auto isIt = [&](const Drive& drive) { return drive.joint == joint; };
    const auto found = std::find_if(m_drives.begin(), m_drives.end(), isIt);
    if (found != m_drives.end()) return *found;
    Drive& drive = m_drives.emplace_back();
    drive.joint = joint;
    if (const MultiBodyElement* motor = m_robot.motorOf(joint)) {
        drive.ratio = std::get<::elasto::Drive>(motor->placing()).ratio;
    }
    return drive;
}

/// Gives the torque to who asks for it in ticks.
void RobotDrives::connect(std::size_t index) {
    const auto torque = [this, index](double t) {
        const Drive& drive = m_drives[index];
        double sum = 0;
        if (drive.servo >= 0) sum = m_state.servos[static_cast<std::size_t>(drive.servo)].effort / drive.ratio;
        for (const RobotFunction& load : drive.loads) sum += load.at(t);
        return sum;
    };
    const auto breaks = [this, index](double t) {
        double next = std::numeric_limits<double>::infinity();
        for (const RobotFunction& load : m_drives[index].loads) next = std::min(next, load.nextBreak(t));
        return next;
    };
    const int joint = m_drives[index].joint;
    if (MultiBodyElement* motor = m_robot.motorOf(joint)) {
        motor->setMotorTorque(torque, breaks);
    } else {
        const int link = m_robot.bulletLinkOfJoint(joint);
        m_plugin.addJointLoad(JointLoad(m_robot.multiBody(), link, torque, breaks));
    }
}

/// The share of q and its rate is a spring and damper, the share of the target a load: together exact in any tick.
void RobotDrives::addContinuous(std::size_t index, Plugin& plugin) {
    const RobotServo& servo = m_servos[index];
    const int link = m_robot.bulletLinkOfJoint(servo.joint);
    btMultiBody& body = m_robot.multiBody();
    const SpringDamperLaw law({.c = servo.stiffness, .d = servo.damping});
    const std::string& joint = m_robot.description().joints[static_cast<std::size_t>(servo.joint)].name;
    m_robot.add(std::make_unique<MultiBodyElement>(JointCoordinate{&body, link}, law)).setName(joint + ".servo");
    const auto effort = [this, index](double t) {
        const RobotServo& one = m_servos[index];
        return one.stiffness * targetAt(index, t) + one.damping * targetRate(index, t) + one.feedforward.at(t);
    };
    const auto breaks = [this, index](double t) {
        const RobotServo& one = m_servos[index];
        const double next = one.feedforward.nextBreak(t);
        return m_targets[index] ? next : std::min(one.target.nextBreak(t), next);
    };
    plugin.addJointLoad(JointLoad(body, link, effort, breaks));
}

double RobotDrives::continuousEffort(std::size_t index, double t) const {
    const RobotServo& servo = m_servos[index];
    return servo.stiffness * (targetAt(index, t) - m_robot.q(servo.joint)) +
           servo.damping * (targetRate(index, t) - m_robot.v(servo.joint)) + servo.feedforward.at(t);
}

std::size_t RobotDrives::servoOf(int joint) const {
    for (std::size_t i = 0; i < m_servos.size(); ++i) {
        if (m_servos[i].joint == joint) return i;
    }
    const std::string& name = m_robot.description().joints.at(static_cast<std::size_t>(joint)).name;
    throw InvalidParameter("RobotDrives", "joint '" + name + "' has no servo");
}

void RobotDrives::setTarget(int joint, std::optional<double> target) {
    const std::size_t servo = servoOf(joint);
    if (target && !std::isfinite(*target)) {
        const std::string& name = m_robot.description().joints[static_cast<std::size_t>(joint)].name;
        throw InvalidParameter("servo of joint '" + name + "'", "target", *target, "finite");
    }
    m_targets[servo] = target;
    m_robot.multiBody().wakeUp();
}

double RobotDrives::target(int joint, double t) const {
    return targetAt(servoOf(joint), t);
}

double RobotDrives::targetAt(std::size_t servo, double t) const {
    return m_targets[servo] ? *m_targets[servo] : m_servos[servo].target.at(t);
}

double RobotDrives::targetRate(std::size_t servo, double t) const {
    return m_targets[servo] ? 0 : m_servos[servo].target.rate(t);
}

double RobotDrives::jointCoordinate(int joint) const {
    const MultiBodyElement* motor = m_robot.motorOf(joint);
    return motor == nullptr ? m_robot.q(joint)
                            : motor->motorAngle() / std::get<::elasto::Drive>(motor->placing()).ratio;
}

double RobotDrives::jointRate(int joint) const {
    const MultiBodyElement* motor = m_robot.motorOf(joint);
    return motor == nullptr ? m_robot.v(joint)
                            : motor->motorSpeed() / std::get<::elasto::Drive>(motor->placing()).ratio;
}

double RobotDrives::read(std::size_t index, double t) {
    const RobotServo& servo = m_servos[index];
    robot::ServoReading now;
    now.q = jointCoordinate(servo.joint);
    now.v = jointRate(servo.joint);
    now.target = targetAt(index, t);
    now.targetRate = targetRate(index, t);
    now.feedforward = servo.feedforward.at(t);
    now.period = 1 / rateOf(servo);
    if (servo.gravity) {
        now.gravity = m_gravity.joints[static_cast<std::size_t>(m_robot.dofOfJoint(servo.joint))];
    }
    return robot::servoEffort(servo, now, m_state.servos[index].integral);
}

void RobotDrives::findGravity() {
    const btMultiBodyDynamicsWorld* world = m_robot.world();
    m_robot.gravityEfforts(world != nullptr ? toEigen(world->getGravity()) : m_sceneGravity, m_gravity);
}

void RobotDrives::look(double t) {
    const double by = t + kSameInstant;
    bool hasGravity = false;  // is known at this time
    for (std::size_t i = 0; i < m_servos.size(); ++i) {
        const RobotServo& servo = m_servos[i];
        if (servo.control.isContinuous) continue;
        RobotServoState& state = m_state.servos[i];
        const double rate = rateOf(servo);
        if (static_cast<double>(state.readings - 1) / rate > by) beginAt(i, t);  // the world has gone back
        const double due = static_cast<double>(state.readings) / rate;
        if (due <= by) {
            if (servo.gravity && !hasGravity) findGravity();
            hasGravity = hasGravity || servo.gravity;
            const double time = due >= t - kSameInstant ? due : t;
            state.readings = static_cast<long>(std::floor(by * rate)) + 1;
            state.pending.push_back({time + servo.control.delay, read(i, time)});
        }
        const auto acts = [&](const RobotServoState::Pending& one) { return one.time <= by; };
        const auto waiting = std::find_if_not(state.pending.begin(), state.pending.end(), acts);
        if (waiting == state.pending.begin()) continue;
        state.effort = std::prev(waiting)->effort;
        state.pending.erase(state.pending.begin(), waiting);
    }
}

void RobotDrives::beginAt(std::size_t servo, double t) {
    RobotServoState& state = m_state.servos[servo];
    state.readings = static_cast<long>(std::ceil((t - kSameInstant) * rateOf(m_servos[servo])));
    state.effort = 0;
    state.integral = 0;
    state.pending.clear();
}

void RobotDrives::restart(double t) {
    m_state.late = 0;
    for (std::size_t i = 0; i < m_servos.size(); ++i) beginAt(i, t);
    look(t);
}

void RobotDrives::restoreState(const RobotDrivesState& state) {
    if (state.servos.size() != m_servos.size()) {
        throw InvalidParameter("RobotDrives", "servos of the state: size", static_cast<double>(state.servos.size()),
                               std::to_string(m_servos.size()));
    }
    m_state = state;
    for (std::size_t i = 0; i < m_servos.size(); ++i) reserve(i);
}

/// Room for what waits, so that nothing is allocated when it does.
void RobotDrives::reserve(std::size_t servo) {
    const double most = std::ceil(m_servos[servo].control.delay * rateOf(m_servos[servo])) + 2;
    m_state.servos[servo].pending.reserve(static_cast<std::size_t>(most));
}

/// The first instant later than t at which what acts may change; infinity if there is none.
double RobotDrives::nextChange(double t) const {
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_servos.size(); ++i) {
        if (m_servos[i].control.isContinuous) continue;
        next = std::min(next, static_cast<double>(m_state.servos[i].readings) / rateOf(m_servos[i]));
        if (!m_state.servos[i].pending.empty()) next = std::min(next, m_state.servos[i].pending.front().time);
    }
    return std::max(next, t);
}

void RobotDrives::step(btDynamicsWorld& world, double start, double h, const PartDone& partDone) {
    RobotDrives* const all[] = {this};
    step(all, start, h, [&](double /*end*/, double length) {
        // Without substeps allowed Bullet makes exactly one of the length that it is given.
        world.stepSimulation(static_cast<btScalar>(length), 0);
        if (partDone) partDone(length);
    });
}

void RobotDrives::step(std::span<RobotDrives* const> all, double start, double h, const MakePart& makePart) {
    const double end = start + h;
    const Plugin& plugin = all.front()->m_plugin;
    const double begun = plugin.time() + all.front()->m_state.late;
    const auto setTickLength = [&](double length) {
        for (RobotDrives* drives : all) drives->m_robot.setTickLength(length);
    };
    for (double t = start; t < end - kSameInstant;) {
        double next = end;
        for (RobotDrives* drives : all) {
            drives->look(t);
            next = std::min(next, drives->nextChange(t + kSameInstant));
        }
        if (next > end - kSameInstant) next = end;
        const bool isWhole = t == start && next == end;
        const double length = isWhole ? h : (next - start) - (plugin.time() - begun);
        setTickLength(length);
        makePart(next, length);
        t = next;
    }
    setTickLength(h);
    for (RobotDrives* drives : all) drives->m_state.late = h - (plugin.time() - begun);
}

double RobotDrives::torque(int joint, double t) const {
    double sum = 0;
    for (const Drive& drive : m_drives) {
        if (drive.joint != joint) continue;
        for (const RobotFunction& load : drive.loads) sum += load.at(t);
        if (drive.servo < 0) continue;
        const auto servo = static_cast<std::size_t>(drive.servo);
        sum += m_servos[servo].control.isContinuous ? continuousEffort(servo, t)
                                                    : m_state.servos[servo].effort / drive.ratio;
    }
    return sum;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
