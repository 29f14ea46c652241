#include "robot_mechanism.h"

#include <algorithm>

namespace elasto::tools {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

namespace {

/// The first link that is part of the robot: one that floats has a root without mass before it.
int baseLinkOf(const RobotDescription& robot) {
    return !robot.joints.empty() && robot.joints[0].type == RobotJoint::Type::Floating ? 1 : 0;
}

std::vector<double> startCoordinates(const RobotScene& scene) {
    std::vector<double> q;
    for (std::size_t i = 0; i < scene.robot.joints.size(); ++i) q.push_back(startOfJoint(scene, i));
    return q;
}

}  // namespace

bool hasFreeBase(const RobotScene& scene) {
    if (scene.base != RobotScene::Base::AsStated) return scene.base == RobotScene::Base::Free;
    return scene.robot.links[static_cast<std::size_t>(baseLinkOf(scene.robot))].mass > 0;
}

double startOfJoint(const RobotScene& scene, std::size_t joint) {
    if (!scene.q.empty()) return scene.q[joint];
    const RobotJoint& one = scene.robot.joints[joint];
    return one.hasRange() ? std::clamp(0.0, one.limits->lower, one.limits->upper) : 0;
}

RobotMechanism::RobotMechanism(const RobotScene& scene) : RobotMechanism(scene, startCoordinates(scene)) {}

RobotMechanism::RobotMechanism(const RobotScene& scene, const std::vector<double>& q)
    : m_robot(scene.robot), m_gravity(scene.gravity), m_poses(linkPoses(m_robot, scene.pose, q)) {
    const int base = baseLinkOf(m_robot);
    if (hasFreeBase(scene)) {
        for (const bool turns : {false, true}) {
            for (int k = 0; k < 3; ++k) m_freedoms.push_back({base, centre(base), Vector3d::Unit(k), turns});
        }
    }
    m_columns.assign(m_robot.joints.size(), -1);
    for (int joint = base; joint < static_cast<int>(m_robot.joints.size()); ++joint) addJoint(joint);
}

MatrixXd RobotMechanism::inertia() const {
    const auto size = static_cast<Eigen::Index>(m_freedoms.size());
    MatrixXd sum = MatrixXd::Zero(size, size);
    for (int i = 0; i < links(); ++i) {
        const RobotLink& link = m_robot.links[static_cast<std::size_t>(i)];
        const Matrix3d axes =
            (m_poses[static_cast<std::size_t>(i)].orientation * link.principalFrame.orientation).toRotationMatrix();
        const MatrixXd turning = axes.transpose() * rows(i, true);
        const MatrixXd moving = rows(i, false);
        sum += link.mass * moving.transpose() * moving +
               turning.transpose() * link.principalMoments.asDiagonal() * turning;
    }
    return sum;
}

Eigen::VectorXd RobotMechanism::gravity() const {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_freedoms.size()));
    for (int i = 0; i < links(); ++i) {
        force += rows(i, false).transpose() * (m_robot.links[static_cast<std::size_t>(i)].mass * m_gravity);
    }
    return force;
}

Eigen::VectorXd RobotMechanism::mostGravity() const {
    Eigen::VectorXd most = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_freedoms.size()));
    for (int i = 0; i < links(); ++i) {
        most += m_robot.links[static_cast<std::size_t>(i)].mass * m_gravity.norm() *
                rows(i, false).colwise().norm().transpose();
    }
    return most;
}

Eigen::VectorXd RobotMechanism::stretching(const RobotSpan& span, double& length) const {
    const Vector3d a = pointOf(span.linkA, span.pointA);
    const Vector3d b = pointOf(span.linkB, span.pointB);
    length = (b - a).norm();
    const Vector3d along = length > 0 ? Vector3d((b - a) / length) : Vector3d::UnitX();
    return moving(span.linkB, b, along) - moving(span.linkA, a, along);
}

Eigen::VectorXd RobotMechanism::moving(int link, const Vector3d& point, const Vector3d& direction) const {
    return rowsAt(link, point).transpose() * direction;
}

Eigen::VectorXd RobotMechanism::turning(int link, const Vector3d& direction) const {
    return rows(link, true).transpose() * direction;
}

Eigen::VectorXd RobotMechanism::rates(const RobotScene& scene) const {
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_freedoms.size()));
    if (hasFreeBase(scene)) {
        const int base = baseLinkOf(m_robot);
        const RobotPose& pose = m_poses[static_cast<std::size_t>(base)];
        const Vector3d& stated = m_robot.links[static_cast<std::size_t>(base)].statedFrame.position;
        rates.head<3>() =
            scene.velocity + scene.angularVelocity.cross(centre(base) - pose.position - pose.orientation * stated);
        rates.segment<3>(3) = scene.angularVelocity;
    }
    for (std::size_t i = 0; i < scene.v.size(); ++i) {
        if (m_columns[i] >= 0) rates[m_columns[i]] = scene.v[i];
    }
    return rates;
}

Eigen::VectorXd RobotMechanism::carrierSpin(std::size_t index) const {
    const RobotJoint& joint = m_robot.joints[index];
    return rows(joint.parent, true).transpose() *
           (m_poses[static_cast<std::size_t>(joint.child)].orientation * joint.axis);
}

Vector3d RobotMechanism::centre(int link) const {
    const auto i = static_cast<std::size_t>(link);
    return m_poses[i].position + m_poses[i].orientation * m_robot.links[i].principalFrame.position;
}

Vector3d RobotMechanism::pointOf(int link, const Vector3d& inLink) const {
    const RobotPose& pose = m_poses[static_cast<std::size_t>(link)];
    return pose.position + pose.orientation * inLink;
}

void RobotMechanism::addJoint(int index) {
    const RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(index)];
    const RobotPose& child = m_poses[static_cast<std::size_t>(joint.child)];
    const Vector3d axis = child.orientation * joint.axis;
    const auto add = [&](const Vector3d& along, bool turns) {
        m_freedoms.push_back({joint.child, child.position, along, turns});
    };
    if (joint.isScalar()) {
        m_columns[static_cast<std::size_t>(index)] = static_cast<int>(m_freedoms.size());
        add(axis, joint.type != RobotJoint::Type::Prismatic);
    } else if (joint.type == RobotJoint::Type::Ball) {
        for (int k = 0; k < 3; ++k) add(Vector3d::Unit(k), true);
    } else if (joint.type == RobotJoint::Type::Planar) {
        const Vector3d across = axis.unitOrthogonal();
        add(across, false);
        add(axis.cross(across), false);
        add(axis, true);
    }
}

bool RobotMechanism::isCarried(int link, int by) const {
    while (link > by) link = m_robot.joints[static_cast<std::size_t>(link) - 1].parent;
    return link == by;
}

/// Velocity of a point of a link, per rate of each coordinate; world.
MatrixXd RobotMechanism::rowsAt(int link, const Vector3d& point) const {
    MatrixXd moving = rows(link, false);
    const MatrixXd turning = rows(link, true);
    const Vector3d arm = point - centre(link);
    for (Eigen::Index k = 0; k < moving.cols(); ++k) moving.col(k) += Vector3d(turning.col(k)).cross(arm);
    return moving;
}

/// Velocity of a link's centre of mass, or its angular velocity, per rate of each coordinate; world.
MatrixXd RobotMechanism::rows(int link, bool isAngular) const {
    MatrixXd jacobian = MatrixXd::Zero(3, static_cast<Eigen::Index>(m_freedoms.size()));
    for (std::size_t k = 0; k < m_freedoms.size(); ++k) {
        const Freedom& freedom = m_freedoms[k];
        if (!isCarried(link, freedom.carried)) continue;
        const auto column = static_cast<Eigen::Index>(k);
        if (isAngular) {
            if (freedom.turns) jacobian.col(column) = freedom.axis;
        } else {
            jacobian.col(column) = freedom.turns ? freedom.axis.cross(centre(link) - freedom.point) : freedom.axis;
        }
    }
    return jacobian;
}

}  // namespace elasto::tools
