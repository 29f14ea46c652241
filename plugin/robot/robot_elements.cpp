// The elements of a robot: made from their description, and their motors.

#include <elasto/errors.h>
#include <elasto/robot/robot.h>

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "bullet_values.h"
#include "relaxed_coordinate.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

void Robot::addElement(const RobotElement& element) {
    const int link = element.span ? -1 : bulletLinkOfJoint(element.joint);
    if (element.span) {
        m_elements.push_back(std::make_unique<MultiBodyElement>(placementOf(*element.span), element.law));
    } else if (element.drive) {
        const ::elasto::Drive drive{m_body.get(), link, element.drive->inertia, element.drive->ratio};
        m_elements.push_back(std::make_unique<MultiBodyElement>(drive, element.law));
        setMotor(m_elements.size() - 1);
    } else if (element.isOnMotor) {
        const MultiBodyElement* motor = motorOf(element.joint);  // of those that were made so far
        if (motor == nullptr) {
            const std::string& joint = m_description.joints[static_cast<std::size_t>(element.joint)].name;
            throw InvalidParameter("robot '" + m_description.name + "'",
                                   "element '" + element.name + "' is on the motor of joint '" + joint +
                                       "'; the element that has this motor must stand before it");
        }
        m_elements.push_back(std::make_unique<MultiBodyElement>(RotorCoordinate{motor}, element.law));
    } else {
        const JointCoordinate coordinate{m_body.get(), link, 0, element.isUpper ? -1.0 : 1.0};
        m_elements.push_back(std::make_unique<MultiBodyElement>(coordinate, element.law));
    }
    m_elements.back()->setName(element.name);
    m_elements.back()->setT(element.T);
    m_elementStarts.push_back(m_elements.back()->saveState());
}

LinkPlacement Robot::placementOf(const RobotSpan& span) const {
    // Bullet's link frames are those of the principal axes.
    const auto inBullet = [&](int link, const Eigen::Vector3d& point) {
        const RobotPose& principal = m_description.links[static_cast<std::size_t>(link)].principalFrame;
        return toBullet(Eigen::Vector3d(principal.orientation.conjugate() * (point - principal.position)));
    };
    return LinkPlacement::alongLine(Flange(*m_body, bulletLink(span.linkA)), Flange(*m_body, bulletLink(span.linkB)),
                                    inBullet(span.linkA, span.pointA), inBullet(span.linkB, span.pointB));
}

MultiBodyElement& Robot::add(std::unique_ptr<MultiBodyElement> element) {
    m_otherStarts.push_back(element->saveState());
    m_others.push_back(std::move(element));
    if (m_world != nullptr) m_world->addMultiBodyConstraint(m_others.back().get());
    return *m_others.back();
}

void Robot::setTickLength(double h) {
    if (!(h > 0 && std::isfinite(h))) {
        throw InvalidParameter("robot '" + m_description.name + "'", "length of a tick", h, "finite and > 0");
    }
    for (const JointFriction& joint : m_frictions) {
        joint.motor->setMaxAppliedImpulse(static_cast<btScalar>(joint.friction * h));
    }
}

/// An element without force: the Plugin moves multibodies that have one.
void Robot::addClaim() {
    const SpringDamperLaw nothing({.c = 0, .d = 0});
    const std::vector<RobotJoint>& joints = m_description.joints;
    for (int joint = m_baseLink; joint < static_cast<int>(joints.size()); ++joint) {
        if (!joints[static_cast<std::size_t>(joint)].isScalar()) continue;
        const JointCoordinate coordinate{m_body.get(), bulletLinkOfJoint(joint)};
        add(std::make_unique<MultiBodyElement>(coordinate, nothing)).setName(m_description.name);
        return;
    }
    // What has no such joint moves as a whole, or in planes.
    for (int link = m_baseLink; link < static_cast<int>(m_description.links.size()); ++link) {
        if (isRigidlyFixed(link)) continue;
        const btTransform origin = btTransform::getIdentity();
        const LinkPlacement placement =
            LinkPlacement::alongAxis(Flange::world(), Flange(*m_body, bulletLink(link)), origin, origin);
        add(std::make_unique<MultiBodyElement>(placement, nothing)).setName(m_description.name);
        return;
    }
}

/// Puts a motor where its element has no force, or as much as it starts with.
void Robot::setMotor(std::size_t index) {
    const RobotElement& element = m_description.elements[index];
    const double ratio = element.drive->ratio;
    const double between = element.drive->start.value_or(relaxedCoordinate(element.law));
    m_elements[index]->setMotor(ratio * (q(element.joint) - between), ratio * v(element.joint));
}

/// As in a robot that is built with its joint where it is now.
void Robot::restartElement(std::size_t index) {
    MultiBodyElementState start = m_elementStarts[index];
    start.enabled = m_elements[index]->isEnabled();
    m_elements[index]->restoreState(start);
    if (m_description.elements[index].drive) setMotor(index);
}

MultiBodyElement& Robot::element(std::string_view name) {
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        if (m_description.elements[i].name == name) return *m_elements[i];
    }
    throw std::out_of_range("robot '" + m_description.name + "': no element '" + std::string(name) + "'");
}

const MultiBodyElement* Robot::motorOf(int joint) const {
    checkIndex(joint);
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const RobotElement& element = m_description.elements[i];
        if (element.joint == joint && element.drive) return m_elements[i].get();
    }
    return nullptr;
}

MultiBodyElement* Robot::motorOf(int joint) {
    return const_cast<MultiBodyElement*>(std::as_const(*this).motorOf(joint));
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
