#include "joint_hold.h"

#include <elasto/errors.h>

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/conversion.h"

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr double kGravity = 9.80665;  ///< [m/s^2]
constexpr double kSag = 0.01;         ///< of the robot's size, under its own weight
/// Of a motor: damping per inertia of its rotor, and tick. From 2 on a damper that is read once per tick shakes.
constexpr double kMostDamping = 0.5;

bool isHoldable(const RobotJoint& joint) {
    return joint.isScalar() && !joint.mimic;
}

/// True of the link that a joint carries, and of all beyond it.
bool isCarried(const RobotDescription& robot, int link, int joint) {
    for (; link > 0; link = robot.joints[static_cast<std::size_t>(link) - 1].parent) {
        if (link - 1 == joint) return true;
    }
    return false;
}

/// Inertia of what a joint moves, turned about (shifted along) its axis as it stands [kg.m^2, kg].
double inertiaOf(const Robot& robot, int joint) {
    const RobotDescription& description = robot.description();
    const RobotJoint& moved = description.joints[static_cast<std::size_t>(joint)];
    const RobotPose frame = robot.linkPose(joint + 1);
    const Eigen::Vector3d axis = frame.orientation * moved.axis;
    double carried = 0, rest = 0;
    for (std::size_t i = 0; i < description.links.size(); ++i) {
        const RobotLink& link = description.links[i];
        const RobotPose principal = robot.linkPose(static_cast<int>(i)) * link.principalFrame;
        double inertia = link.mass;
        if (moved.type != RobotJoint::Type::Prismatic) {
            const Eigen::Vector3d inLink = principal.orientation.conjugate() * axis;
            inertia = link.mass * axis.cross(principal.position - frame.position).squaredNorm() +
                      link.principalMoments.dot(inLink.cwiseAbs2());
        }
        (isCarried(description, static_cast<int>(i), joint) ? carried : rest) += inertia;
    }
    return robot.multiBody().hasFixedBase() ? carried : std::max(carried, rest);
}

void require(bool isGood, const Robot& robot, std::size_t joint, const char* field, double value, const char* allowed) {
    if (isGood) return;
    throw InvalidParameter("hold of joint '" + robot.description().joints[joint].name + "'", field, value, allowed);
}

}  // namespace

JointHold::JointHold(Robot& robot, const RobotScene& scene, const RobotDrives& drives)
    : m_robot(robot), m_springs(robot.description().joints.size()) {
    const std::vector<RobotJoint>& joints = robot.description().joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const auto joint = static_cast<int>(i);
        if (!isHoldable(joints[i])) continue;
        if (MultiBodyElement* motor = robot.motorOf(joint)) {
            m_motors.push_back({motor, joint, std::get<Drive>(motor->placing()).ratio});
            continue;
        }
        const JointCoordinate coordinate{&robot.multiBody(), robot.bulletLinkOfJoint(joint)};
        auto spring = std::make_unique<HoldElement>(coordinate, SpringDamperLaw({.c = 0, .d = 0}));
        spring->setName(joints[i].name + ".hold");
        spring->setEnabled(false);
        m_springs[i] = &robot.add(std::move(spring));
    }
    for (std::size_t i = 0; i < m_motors.size(); ++i) {
        const int joint = m_motors[i].joint;
        std::vector<RobotFunction> loads;
        for (const RobotLoad& load : scene.loads) {
            if (load.joint == joint) loads.push_back(load.value);
        }
        m_motors[i].element->setMotorTorque(
            [this, &drives, i](double t) {
                const Motor& motor = m_motors[i];
                return drives.torque(motor.joint, t) + motor.effort / motor.ratio;
            },
            [loads](double t) {
                double next = std::numeric_limits<double>::infinity();
                for (const RobotFunction& load : loads) next = std::min(next, load.nextBreak(t));
                return next;
            });
    }
}

void JointHold::hold(const std::vector<HeldJoint>& joints) {
    if (!joints.empty() && joints.size() != m_springs.size()) {
        throw InvalidParameter("hold", "size of joints", static_cast<double>(joints.size()),
                               "0 or " + std::to_string(m_springs.size()));
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
        require(std::isfinite(joints[i].target), m_robot, i, "target", joints[i].target, "finite");
        require(std::isfinite(joints[i].c) && joints[i].c >= 0, m_robot, i, "c", joints[i].c, "finite and >= 0");
        require(std::isfinite(joints[i].d) && joints[i].d >= 0, m_robot, i, "d", joints[i].d, "finite and >= 0");
    }
    m_held = joints;
    for (std::size_t i = 0; i < m_springs.size(); ++i) {
        if (m_springs[i] == nullptr) continue;
        const bool isHeld = !joints.empty() && joints[i].c > 0;
        if (isHeld) {
            m_springs[i]->setLaw(SpringDamperLaw({.c = joints[i].c, .d = joints[i].d, .s_rel0 = joints[i].target}));
        }
        if (m_springs[i]->isEnabled() != isHeld) m_springs[i]->setEnabled(isHeld);
    }
}

void JointHold::look() {
    for (Motor& motor : m_motors) motor.effort = 0;
    if (m_held.empty() || m_motors.empty()) return;
    const btVector3 gravity = m_robot.world() != nullptr ? m_robot.world()->getGravity() : btVector3(0, 0, 0);
    m_robot.gravityEfforts(toEigen(gravity), m_gravity);
    for (Motor& motor : m_motors) {
        const HeldJoint& held = m_held[static_cast<std::size_t>(motor.joint)];
        if (!(held.c > 0)) continue;
        motor.effort = held.c * (held.target - motor.element->motorAngle() / motor.ratio) -
                       held.d * motor.element->motorSpeed() / motor.ratio +
                       m_gravity.joints[static_cast<std::size_t>(m_robot.dofOfJoint(motor.joint))];
    }
}

std::vector<HeldJoint> JointHold::holding(const Robot& robot, double h) {
    const RobotDescription& description = robot.description();
    const double size = std::max(boundsOf(robot).diagonal().norm(), 1e-3);
    const double omega = std::sqrt(kGravity / (kSag * size));
    std::vector<HeldJoint> joints(description.joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!isHoldable(description.joints[i])) continue;
        const auto joint = static_cast<int>(i);
        double inertia = inertiaOf(robot, joint);
        double most = std::numeric_limits<double>::infinity();
        joints[i].target = robot.q(joint);
        if (const MultiBodyElement* motor = robot.motorOf(joint)) {
            const Drive& drive = std::get<Drive>(motor->placing());
            const double rotor = drive.inertia * drive.ratio * drive.ratio;
            inertia += rotor;
            most = kMostDamping * rotor / h;
            joints[i].target = motor->motorAngle() / drive.ratio;
        }
        if (!(inertia > 0)) continue;
        joints[i].d = std::min(2 * omega * inertia, most);
        joints[i].c = joints[i].d * joints[i].d / (4 * inertia);
    }
    return joints;
}

Eigen::AlignedBox3d boundsOf(const Robot& robot) {
    Eigen::AlignedBox3d box;
    for (std::size_t i = 0; i < robot.description().links.size(); ++i) {
        const auto link = static_cast<int>(i);
        box.extend(robot.linkPose(link).position);
        const int index = robot.bulletLink(link);
        if (index < -1 || robot.description().links[i].collisions.empty()) continue;
        const btMultiBodyLinkCollider* collider =
            index < 0 ? robot.multiBody().getBaseCollider() : robot.multiBody().getLinkCollider(index);
        btVector3 low, high;
        collider->getCollisionShape()->getAabb(collider->getWorldTransform(), low, high);
        box.extend(toEigen(low));
        box.extend(toEigen(high));
    }
    return box;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
