#include <elasto/robot/robot_readouts.h>

#include "bullet_values.h"

#include <algorithm>
#include <optional>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Adds a share of what a joint did. @param frame of the joint in the link's principal axes
void addJoint(const LinkReadout& link, const RobotPose& frame, double share, RobotJointReadout& joint) {
    const Eigen::Quaterniond toFrame = frame.orientation.conjugate();
    joint.force += share * (toFrame * link.force);
    joint.torque += share * (toFrame * link.torqueAbout(frame.position));
}

}  // namespace

RobotReadouts::RobotReadouts(const Robot& robot, const Plugin& plugin) : m_robot(robot), m_plugin(plugin) {
    m_links.resize(robot.description().links.size());
    m_joints.resize(robot.description().joints.size());
    clear();
}

void RobotReadouts::clear() {
    begin();
    readBullet();
    readMotion();
}

/// Base and links as Bullet has them.
void RobotReadouts::readBullet() {
    const btMultiBody& body = m_robot.multiBody();
    const auto count = static_cast<std::size_t>(body.getNumLinks() + 1);
    m_states.resize(count);
    m_spins.assign(count, btVector3(0, 0, 0));
    m_velocities.assign(count, btVector3(0, 0, 0));
    body.compTreeLinkVelocities(m_spins.data(), m_velocities.data());
    const int base = -1 - m_robot.bulletLink(0);
    for (std::size_t i = 0; i < count; ++i) {
        const int link = base + static_cast<int>(i);
        const RobotPose pose =
            m_robot.linkPose(link) * m_robot.description().links[static_cast<std::size_t>(link)].principalFrame;
        BodyState& state = m_states[i];
        state.position = pose.position;
        state.orientation = pose.orientation;
        state.velocity = pose.orientation * toEigen(m_velocities[i]);
        state.angularVelocity = pose.orientation * toEigen(m_spins[i]);
    }
}

void RobotReadouts::begin() {
    m_length = 0;
    m_base = {};
    std::fill(m_links.begin(), m_links.end(), RobotLinkReadout{});
    std::fill(m_joints.begin(), m_joints.end(), RobotJointReadout{});
}

void RobotReadouts::add() {
    const std::optional<MultiBodyReadout> tick = m_plugin.readout(m_robot.multiBody());
    if (!tick) {
        readBullet();
        readMotion();
        return;
    }
    // Means so far count less by the share of the new part.
    const double share = tick->h / (m_length + tick->h);
    m_length += tick->h;
    const auto fade = [&](RobotJointReadout& joint) {
        joint.force *= 1 - share;
        joint.torque *= 1 - share;
    };
    const RobotDescription& description = m_robot.description();
    m_states.clear();
    for (const LinkReadout& link : tick->links) m_states.push_back(link.end);
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        const int bulletLink = m_robot.bulletLink(static_cast<int>(i));
        if (bulletLink < -1) continue;
        const LinkReadout& link = tick->links[static_cast<std::size_t>(bulletLink + 1)];
        const RobotPose frame = inverse(description.links[i].principalFrame);
        const RobotPose stated = frame * description.links[i].statedFrame;
        m_links[i].specificForce *= 1 - share;
        m_links[i].specificForce += share * (stated.orientation.conjugate() * link.specificForce(stated.position));
        addContacts(i, share);
        if (bulletLink < 0) {
            fade(m_base);
            addJoint(link, frame, share, m_base);
            continue;
        }
        RobotJointReadout& joint = m_joints[i - 1];
        fade(joint);
        addJoint(link, frame, share, joint);
        const RobotJoint& described = description.joints[i - 1];
        if (!described.isScalar()) continue;
        const bool slides = described.type == RobotJoint::Type::Prismatic;
        joint.effort = described.axis.dot(slides ? joint.force : joint.torque);
    }
    readMotion();
}

void RobotReadouts::addContacts(std::size_t index, double share) {
    RobotLinkReadout& link = m_links[index];
    Eigen::Vector3d placeByForce = link.contactNormalForce * link.contactPlace * (1 - share);
    link.contactForce *= 1 - share;
    link.contactFriction *= 1 - share;
    link.contactNormalForce *= 1 - share;
    const int bulletLink = m_robot.bulletLink(static_cast<int>(index));
    const btMultiBody& body = m_robot.multiBody();
    const btMultiBodyLinkCollider* collider =
        bulletLink < 0 ? body.getBaseCollider() : body.getLink(bulletLink).m_collider;
    if (collider == nullptr) return;
    for (const ContactReadout& contact : m_plugin.contactsOf(*collider)) {
        link.contactForce += share * contact.force();
        link.contactFriction += share * contact.friction;
        link.contactNormalForce += share * contact.normalForce;
        placeByForce += share * contact.normalForce * contact.place;
    }
    link.contactPlace = link.contactNormalForce > 0 ? Eigen::Vector3d(placeByForce / link.contactNormalForce)
                                                    : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

/// Links and the whole, from where the centres of mass are.
void RobotReadouts::readMotion() {
    const RobotDescription& description = m_robot.description();
    m_motion = {};
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        const int bulletLink = std::max(-1, m_robot.bulletLink(static_cast<int>(i)));
        const BodyState& state = m_states[static_cast<std::size_t>(bulletLink + 1)];
        const auto own = static_cast<std::size_t>(std::max(static_cast<int>(i), -1 - m_robot.bulletLink(0)));
        const RobotPose frame = inverse(description.links[own].principalFrame) * description.links[i].statedFrame;
        RobotLinkReadout& link = m_links[i];
        link.pose = RobotPose{state.position, state.orientation} * frame;
        link.angularVelocity = state.angularVelocity;
        link.velocity = state.velocity + state.angularVelocity.cross(link.pose.position - state.position);
    }
    for (int link = -1; link < m_robot.multiBody().getNumLinks(); ++link) {
        if (link < 0 && m_robot.multiBody().hasFixedBase()) continue;
        addMotion(link, m_states[static_cast<std::size_t>(link + 1)]);
    }
    addRotors();
    if (!(m_motion.mass > 0)) return;
    m_motion.centreOfMass /= m_motion.mass;
    m_motion.angularMomentum -= m_motion.centreOfMass.cross(m_motion.momentum);
}

/// For now moments are about the world's origin, and the centre is times the mass.
void RobotReadouts::addMotion(int bulletLink, const BodyState& state) {
    const btMultiBody& body = m_robot.multiBody();
    const auto mass = static_cast<double>(bulletLink < 0 ? body.getBaseMass() : body.getLinkMass(bulletLink));
    const Eigen::Vector3d moments = toEigen(bulletLink < 0 ? body.getBaseInertia() : body.getLinkInertia(bulletLink));
    const Eigen::Vector3d rate = state.orientation.conjugate() * state.angularVelocity;
    m_motion.mass += mass;
    m_motion.centreOfMass += mass * state.position;
    m_motion.momentum += mass * state.velocity;
    m_motion.angularMomentum +=
        mass * state.position.cross(state.velocity) + state.orientation * moments.cwiseProduct(rate);
    m_motion.kineticEnergy += (mass * state.velocity.squaredNorm() + moments.dot(rate.cwiseAbs2())) / 2;
}

/// They spin in the parents of their joints, about the joints' axes.
void RobotReadouts::addRotors() {
    const RobotDescription& description = m_robot.description();
    for (std::size_t e = 0; e < description.elements.size(); ++e) {
        const RobotElement& element = description.elements[e];
        if (!element.drive) continue;
        const RobotJoint& joint = description.joints[static_cast<std::size_t>(element.joint)];
        const RobotPose& stated = description.links[static_cast<std::size_t>(joint.parent)].statedFrame;
        const RobotLinkReadout& carrier = m_links[static_cast<std::size_t>(joint.parent)];
        const Eigen::Vector3d axis =
            carrier.pose.orientation * (stated.orientation.conjugate() * (joint.pose.orientation * joint.axis));
        const double spin = axis.dot(carrier.angularVelocity) + m_robot.element(e).motorSpeed();
        m_motion.angularMomentum += element.drive->inertia * spin * axis;
        m_motion.kineticEnergy += element.drive->inertia * spin * spin / 2;
    }
}

const RobotLinkReadout& RobotReadouts::link(int link) const {
    return m_links.at(static_cast<std::size_t>(link));
}

const RobotJointReadout& RobotReadouts::joint(int joint) const {
    return m_joints.at(static_cast<std::size_t>(joint));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
