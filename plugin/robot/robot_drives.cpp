#include <elasto/robot/robot_drives.h>

#include <algorithm>
#include <limits>
#include <variant>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

RobotDrives::RobotDrives(Robot& robot, const RobotScene& scene, Plugin& plugin) : m_robot(robot) {
    for (const RobotLoad& load : scene.loads) driveOf(load.joint).loads.push_back(load.value);
    for (const RobotServo& servo : scene.servos) driveOf(servo.joint).servo = servo;
    for (std::size_t i = 0; i < m_drives.size(); ++i) {
        const auto torque = [this, i](double t) { return m_drives[i].servoTorque + loadTorque(m_drives[i], t); };
        const auto breaks = [this, i](double t) {
            double next = std::numeric_limits<double>::infinity();
            for (const RobotFunction& load : m_drives[i].loads) next = std::min(next, load.nextBreak(t));
            return next;
        };
        if (MultiBodyElement* motor = m_robot.motorOf(m_drives[i].joint)) {
            motor->setMotorTorque(torque, breaks);
        } else {
            const int link = m_robot.bulletLinkOfJoint(m_drives[i].joint);
            plugin.addJointLoad(JointLoad(m_robot.multiBody(), link, torque, breaks));
        }
    }
}

RobotDrives::Drive& RobotDrives::driveOf(int joint) {
    const auto isIt = [&](const Drive& drive) { return drive.joint == joint; };
    const auto found = std::find_if(m_drives.begin(), m_drives.end(), isIt);
    if (found != m_drives.end()) return *found;
    m_drives.push_back({joint, {}, std::nullopt, 0});
    return m_drives.back();
}

double RobotDrives::loadTorque(const Drive& drive, double t) {
    double sum = 0;
    for (const RobotFunction& load : drive.loads) sum += load.at(t);
    return sum;
}

double RobotDrives::servoTorque(const RobotServo& servo, double start, double end, double h) const {
    const MultiBodyElement* motor = m_robot.motorOf(servo.joint);
    const double ratio = motor == nullptr ? 1 : std::get<::elasto::Drive>(motor->placing()).ratio;
    const double q = motor == nullptr ? m_robot.q(servo.joint) : motor->motorAngle() / ratio;
    const double v = motor == nullptr ? m_robot.v(servo.joint) : motor->motorSpeed() / ratio;
    const double wanted = servo.position.at(start);
    const double wantedRate = (servo.position.at(end) - wanted) / h;
    const double torque = servo.stiffness * (wanted - q) + servo.damping * (wantedRate - v);
    return std::clamp(torque, -servo.maxEffort, servo.maxEffort) / ratio;
}

void RobotDrives::look(double start, double end, double h) {
    for (Drive& drive : m_drives) {
        if (drive.servo) drive.servoTorque = servoTorque(*drive.servo, start, end, h);
    }
}

double RobotDrives::torque(int joint, double t) const {
    for (const Drive& drive : m_drives) {
        if (drive.joint == joint) return drive.servoTorque + loadTorque(drive, t);
    }
    return 0;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
