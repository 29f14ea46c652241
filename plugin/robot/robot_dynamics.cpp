// Efforts for accelerations, by recursive Newton and Euler (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 5).

#include <elasto/robot/robot.h>

#include "bullet_values.h"

#include <elasto/errors.h>

#include <string>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Where a link is from its parent.
struct Robot::FromParent {
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
    /// Adds a joint's share of a motion. @param rates of its degrees of freedom
    template <class Number>
    static void addJoint(const btMultibodyLink& link, const Number* rates, Spatial& motion) {
        for (int k = 0; k < link.m_dofCount; ++k) {
            motion.angular += static_cast<double>(rates[k]) * toEigen(link.getAxisTop(k));
            motion.linear += static_cast<double>(rates[k]) * toEigen(link.getAxisBottom(k));
        }
    }
    /// What accelerates a body.
    static void findForce(btScalar mass, const btVector3& moments, LinkMotion& body) {
        const Eigen::Vector3d inertia = toEigen(moments);
        const Spatial& v = body.velocity;
        const Spatial& a = body.acceleration;
        body.force.angular = inertia.cwiseProduct(a.angular) + v.angular.cross(inertia.cwiseProduct(v.angular));
        body.force.linear = static_cast<double>(mass) * (a.linear + v.angular.cross(v.linear));
    }
};

/// @param accelerations null: of a robot at rest
void Robot::newtonEuler(const RobotAccelerations* accelerations, const Eigen::Vector3d& gravity,
                        RobotEfforts& efforts) const {
    const int count = m_body->getNumLinks();
    m_motions.resize(static_cast<std::size_t>(count + 1));
    LinkMotion* const links = m_motions.data() + 1;  // links[-1] is the base
    const Eigen::Matrix3d toWorld = toEigen(m_body->getBaseWorldTransform().getRotation()).toRotationMatrix();
    const Eigen::Matrix3d toBase = toWorld.transpose();
    LinkMotion& base = m_motions.front();
    base = {};
    if (accelerations != nullptr && !m_body->hasFixedBase()) {
        base.velocity = {toBase * toEigen(m_body->getBaseOmega()), toBase * toEigen(m_body->getBaseVel())};
        base.acceleration = {toBase * accelerations->baseAngular, toBase * accelerations->base};
        base.acceleration.linear -= base.velocity.angular.cross(base.velocity.linear);
    }
    base.acceleration.linear -= toBase * gravity;  // as if the base were accelerated against it
    FromParent::findForce(m_body->getBaseMass(), m_body->getBaseInertia(), base);
    for (int i = 0; i < count; ++i) {
        const btMultibodyLink& link = m_body->getLink(i);
        const FromParent place(link);
        const LinkMotion& parent = links[link.m_parent];
        Spatial& v = links[i].velocity = place.carried(parent.velocity);
        Spatial& a = links[i].acceleration = place.carried(parent.acceleration);
        if (accelerations != nullptr) {
            Spatial own;
            FromParent::addJoint(link, m_body->getJointVelMultiDof(i), own);
            v = {v.angular + own.angular, v.linear + own.linear};
            a.angular += v.angular.cross(own.angular);
            a.linear += v.angular.cross(own.linear) + v.linear.cross(own.angular);
            if (!accelerations->joints.empty()) {
                FromParent::addJoint(link, accelerations->joints.data() + link.m_dofOffset, a);
            }
        }
        FromParent::findForce(link.m_mass, link.m_inertiaLocal, links[i]);
    }
    efforts.joints.resize(static_cast<std::size_t>(m_body->getNumDofs()));
    for (int i = count; i-- > 0;) {
        const btMultibodyLink& link = m_body->getLink(i);
        const Spatial& f = links[i].force;
        for (int k = 0; k < link.m_dofCount; ++k) {
            efforts.joints[static_cast<std::size_t>(link.m_dofOffset + k)] =
                f.angular.dot(toEigen(link.getAxisTop(k))) + f.linear.dot(toEigen(link.getAxisBottom(k)));
        }
        FromParent(link).addReaction(f, links[link.m_parent].force);
    }
    efforts.baseForce = toWorld * base.force.linear;
    efforts.baseTorque = toWorld * base.force.angular;
}

RobotEfforts Robot::inverseDynamics(const RobotAccelerations& accelerations, const Eigen::Vector3d& gravity) const {
    const std::size_t given = accelerations.joints.size();
    if (given != 0 && given != static_cast<std::size_t>(m_body->getNumDofs())) {
        throw InvalidParameter("robot '" + m_description.name + "'", "accelerations: size", static_cast<double>(given),
                               "0 or " + std::to_string(m_body->getNumDofs()));
    }
    RobotEfforts efforts;
    newtonEuler(&accelerations, gravity, efforts);
    return efforts;
}

RobotEfforts Robot::gravityEfforts(const Eigen::Vector3d& gravity) const {
    RobotEfforts efforts;
    newtonEuler(nullptr, gravity, efforts);
    return efforts;
}

void Robot::gravityEfforts(const Eigen::Vector3d& gravity, RobotEfforts& efforts) const {
    newtonEuler(nullptr, gravity, efforts);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
