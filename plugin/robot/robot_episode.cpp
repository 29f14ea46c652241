// Places a robot between ticks, with all that its elements remember.

#include <elasto/robot/robot.h>

#include "bullet_values.h"

#include <elasto/errors.h>

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <cmath>
#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void Robot::checkIndex(int joint) const {
    const int count = static_cast<int>(m_description.joints.size());
    if (joint < 0 || joint >= count) {
        throw InvalidParameter("robot '" + m_description.name + "'", "index of a joint", joint,
                               "0 or more and less than " + std::to_string(count));
    }
}

void Robot::checkJoint(int joint, double q, double v) const {
    checkIndex(joint);
    const RobotJoint& placed = m_description.joints[static_cast<std::size_t>(joint)];
    const auto owner = [&] { return "robot '" + m_description.name + "', joint '" + placed.name + "'"; };
    if (!placed.isScalar()) throw InvalidParameter(owner(), "it is not moved by one coordinate");
    if (!std::isfinite(q)) throw InvalidParameter(owner(), "q", q, "finite");
    if (!std::isfinite(v)) throw InvalidParameter(owner(), "v", v, "finite");
}

void Robot::checkBase(const RobotPose& pose, const Eigen::Vector3d& velocity,
                      const Eigen::Vector3d& angularVelocity) const {
    const auto owner = [&] { return "robot '" + m_description.name + "'"; };
    constexpr double kRounding = 1e-6;  // what a unit quaternion has left of its length in single precision
    const double norm = pose.orientation.norm();
    if (!pose.position.allFinite()) throw InvalidParameter(owner(), "position of the base must be finite");
    if (!(std::abs(norm - 1) < kRounding)) throw InvalidParameter(owner(), "norm of the orientation", norm, "1");
    if (!velocity.allFinite() || !angularVelocity.allFinite()) {
        throw InvalidParameter(owner(), "velocity and angularVelocity of the base must be finite");
    }
    if (m_body->hasFixedBase() && !(velocity.isZero(0) && angularVelocity.isZero(0))) {
        throw InvalidParameter(owner(), "its base is fixed: velocity and angularVelocity must be 0");
    }
}

void Robot::placeBase(const RobotPose& pose, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angularVelocity) {
    const RobotPose base = m_baseLink > 0 ? pose * m_description.joints[0].pose : pose;
    const RobotPose& principal = m_description.links[static_cast<std::size_t>(m_baseLink)].principalFrame;
    const Eigen::Vector3d toCentre = base.orientation * principal.position;
    m_body->setBaseWorldTransform(toBullet(base * principal));
    m_body->setBaseVel(toBullet(Eigen::Vector3d(velocity + angularVelocity.cross(toCentre))));
    m_body->setBaseOmega(toBullet(angularVelocity));
}

void Robot::placeJoint(int joint, double q, double v) {
    m_body->setJointPos(bulletLinkOfJoint(joint), static_cast<btScalar>(q));
    m_body->setJointVel(bulletLinkOfJoint(joint), static_cast<btScalar>(v));
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        // What is between links may feel any joint.
        if (m_description.elements[i].joint == joint || m_description.elements[i].span) restartElement(i);
    }
}

void Robot::setJoint(int joint, double q, double v) {
    checkJoint(joint, q, v);
    placeJoint(joint, q, v);
    m_body->wakeUp();
    updateColliders();
}

void Robot::setBase(const RobotPose& pose, const Eigen::Vector3d& velocity, const Eigen::Vector3d& angularVelocity) {
    checkBase(pose, velocity, angularVelocity);
    placeBase(pose, velocity, angularVelocity);
    m_body->wakeUp();
    updateColliders();
}

void Robot::setPose(const RobotState& state) {
    const std::size_t count = m_description.joints.size();
    for (const std::vector<double>* values : {&state.q, &state.v}) {
        if (values->size() == count) continue;
        throw InvalidParameter("robot '" + m_description.name + "'", "size of q and v",
                               static_cast<double>(values->size()), std::to_string(count));
    }
    const auto isScalar = [&](std::size_t i) { return m_description.joints[i].isScalar(); };
    for (std::size_t i = 0; i < count; ++i) {
        if (isScalar(i)) checkJoint(static_cast<int>(i), state.q[i], state.v[i]);
    }
    checkBase(state.pose, state.velocity, state.angularVelocity);
    placeBase(state.pose, state.velocity, state.angularVelocity);
    for (std::size_t i = static_cast<std::size_t>(m_baseLink); i < count; ++i) {
        if (isScalar(i)) {
            placeJoint(static_cast<int>(i), state.q[i], state.v[i]);
        } else if (m_description.joints[i].type == RobotJoint::Type::Planar) {
            const btScalar zero[3] = {};
            m_body->setJointPosMultiDof(bulletLinkOfJoint(static_cast<int>(i)), zero);
            m_body->setJointVelMultiDof(bulletLinkOfJoint(static_cast<int>(i)), zero);
        }
    }
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        MultiBodyElementState start = m_otherStarts[i];
        start.enabled = m_others[i]->isEnabled();
        m_others[i]->restoreState(start);
    }
    m_body->wakeUp();
    updateColliders();
    if (m_world == nullptr) return;
    btOverlappingPairCache& pairs = *m_world->getPairCache();
    for (const std::unique_ptr<btMultiBodyLinkCollider>& collider : m_colliders) {
        pairs.cleanProxyFromPairs(collider->getBroadphaseHandle(), m_world->getDispatcher());
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
