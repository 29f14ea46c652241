// Efforts for accelerations, by recursive Newton and Euler (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 5).

#include <elasto/robot/robot.h>

#include "bullet_values.h"

#include <elasto/errors.h>

#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// A velocity, an acceleration or a force of a link, at its centre of mass and in its principal axes. Accelerations are
/// spatial ones: linear is that of the centre of mass less w x v.
struct Spatial {
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();
    Eigen::Vector3d linear = Eigen::Vector3d::Zero();
};

/// What accelerates a body.
Spatial forceOf(double mass, const Eigen::Vector3d& inertia, const Spatial& v, const Spatial& a) {
    Spatial f;
    f.angular = inertia.cwiseProduct(a.angular) + v.angular.cross(inertia.cwiseProduct(v.angular));
    f.linear = mass * (a.linear + v.angular.cross(v.linear));
    return f;
}

/// Where a link is from its parent.
struct FromParent {
    Eigen::Matrix3d turn;  ///< parent's axes -> link's
    Eigen::Vector3d arm;   ///< from the parent's centre of mass to the link's, link's axes

    explicit FromParent(const btMultibodyLink& link)
        : turn(toEigen(link.m_cachedRotParentToThis).toRotationMatrix()), arm(toEigen(link.m_cachedRVector)) {}
    /// A parent's velocity or acceleration, of a link that moves with it.
    Spatial carried(const Spatial& parent) const {
        const Eigen::Vector3d angular = turn * parent.angular;
        return {angular, turn * parent.linear + angular.cross(arm)};
    }
    void addReaction(const Spatial& force, Spatial& parent) const {
        parent.angular += turn.transpose() * (force.angular + arm.cross(force.linear));
        parent.linear += turn.transpose() * force.linear;
    }
};

/// Adds a joint's share of a motion. @param rates of its degrees of freedom
template <class Number>
void addJoint(const btMultibodyLink& link, const Number* rates, Spatial& motion) {
    for (int k = 0; k < link.m_dofCount; ++k) {
        motion.angular += static_cast<double>(rates[k]) * toEigen(link.getAxisTop(k));
        motion.linear += static_cast<double>(rates[k]) * toEigen(link.getAxisBottom(k));
    }
}

}  // namespace

/// @param accelerations null: of a robot at rest
RobotEfforts Robot::newtonEuler(const RobotAccelerations* accelerations, const Eigen::Vector3d& gravity) const {
    const int count = m_body->getNumLinks();
    const auto at = [](int link) { return static_cast<std::size_t>(link + 1); };
    std::vector<Spatial> velocities(at(count)), changes(at(count)), forces(at(count));
    const Eigen::Matrix3d toWorld = toEigen(m_body->getBaseWorldTransform().getRotation()).toRotationMatrix();
    const Eigen::Matrix3d toBase = toWorld.transpose();
    if (accelerations != nullptr && !m_body->hasFixedBase()) {
        velocities[0] = {toBase * toEigen(m_body->getBaseOmega()), toBase * toEigen(m_body->getBaseVel())};
        changes[0] = {toBase * accelerations->baseAngular, toBase * accelerations->base};
        changes[0].linear -= velocities[0].angular.cross(velocities[0].linear);
    }
    changes[0].linear -= toBase * gravity;  // as if the base were accelerated against it
    forces[0] = forceOf(static_cast<double>(m_body->getBaseMass()), toEigen(m_body->getBaseInertia()), velocities[0],
                        changes[0]);
    for (int i = 0; i < count; ++i) {
        const btMultibodyLink& link = m_body->getLink(i);
        const FromParent place(link);
        Spatial& v = velocities[at(i)] = place.carried(velocities[at(link.m_parent)]);
        Spatial& a = changes[at(i)] = place.carried(changes[at(link.m_parent)]);
        if (accelerations != nullptr) {
            Spatial own;
            addJoint(link, m_body->getJointVelMultiDof(i), own);
            v = {v.angular + own.angular, v.linear + own.linear};
            a.angular += v.angular.cross(own.angular);
            a.linear += v.angular.cross(own.linear) + v.linear.cross(own.angular);
            if (!accelerations->joints.empty()) addJoint(link, accelerations->joints.data() + link.m_dofOffset, a);
        }
        forces[at(i)] = forceOf(static_cast<double>(link.m_mass), toEigen(link.m_inertiaLocal), v, a);
    }
    RobotEfforts efforts;
    efforts.joints.resize(static_cast<std::size_t>(m_body->getNumDofs()));
    for (int i = count; i-- > 0;) {
        const btMultibodyLink& link = m_body->getLink(i);
        const Spatial& f = forces[at(i)];
        for (int k = 0; k < link.m_dofCount; ++k) {
            efforts.joints[static_cast<std::size_t>(link.m_dofOffset + k)] =
                f.angular.dot(toEigen(link.getAxisTop(k))) + f.linear.dot(toEigen(link.getAxisBottom(k)));
        }
        FromParent(link).addReaction(f, forces[at(link.m_parent)]);
    }
    efforts.baseForce = toWorld * forces[0].linear;
    efforts.baseTorque = toWorld * forces[0].angular;
    return efforts;
}

RobotEfforts Robot::inverseDynamics(const RobotAccelerations& accelerations, const Eigen::Vector3d& gravity) const {
    const std::size_t given = accelerations.joints.size();
    if (given != 0 && given != static_cast<std::size_t>(m_body->getNumDofs())) {
        throw InvalidParameter("robot '" + m_description.name + "'", "accelerations: size", static_cast<double>(given),
                               "0 or " + std::to_string(m_body->getNumDofs()));
    }
    return newtonEuler(&accelerations, gravity);
}

RobotEfforts Robot::gravityEfforts(const Eigen::Vector3d& gravity) const {
    return newtonEuler(nullptr, gravity);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
