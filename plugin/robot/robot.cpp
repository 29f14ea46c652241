#include <elasto/robot/robot.h>

#include "bullet_values.h"
#include "link_shape.h"
#include "lump_base.h"

#include <elasto/errors.h>

#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyGearConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// Beyond any bound of a joint and any impulse, and still a number that Bullet can add up.
constexpr btScalar kUnbounded = btScalar(1e18);

std::string ownerOf(const RobotDescription& robot) {
    return "robot '" + robot.name + "'";
}

std::string toText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

double nearestToZero(const RobotJoint& joint) {
    return joint.hasRange() ? std::clamp(0.0, joint.limits->lower, joint.limits->upper) : 0;
}

bool isFinite(const btVector3& v) {
    return std::isfinite(v.x()) && std::isfinite(v.y()) && std::isfinite(v.z());
}

}  // namespace

Robot::Robot(RobotDescription description, const RobotOptions& options) : m_description(std::move(description)) {
    checkOptions(options);
    build(options);
}

Robot::~Robot() {
    leaveWorld();
}

void Robot::checkOptions(const RobotOptions& options) const {
    const std::string owner = ownerOf(m_description);
    if (m_description.links.size() != m_description.joints.size() + 1) {
        throw InvalidParameter(owner, "the description must have one link more than it has joints");
    }
    for (const auto& [field, values] : {std::pair("q", &options.q), {"v", &options.v}}) {
        if (!values->empty() && values->size() != m_description.joints.size()) {
            throw InvalidParameter(owner, std::string(field) + ": size", static_cast<double>(values->size()),
                                   "0 or " + std::to_string(m_description.joints.size()));
        }
        for (const double value : *values) {
            if (!std::isfinite(value)) throw InvalidParameter(owner, field, value, "finite");
        }
    }
    for (std::size_t i = 0; i < options.q.size(); ++i) {
        const RobotJoint& joint = m_description.joints[i];
        if (!joint.hasRange() || joint.mimic) continue;
        const RobotLimits& limits = *joint.limits;
        if (options.q[i] >= limits.lower && options.q[i] <= limits.upper) continue;
        throw InvalidParameter(owner + ", joint '" + joint.name + "'", "q", options.q[i],
                               "within the joint's limits, " + toText(limits.lower) + " .. " + toText(limits.upper));
    }
    const auto atLeastZero = [&](const char* field, double value) {
        if (!(value >= 0 && std::isfinite(value))) throw InvalidParameter(owner, field, value, "finite and >= 0");
    };
    if (options.solver == RobotOptions::Solver::Bullet && !m_description.elements.empty()) {
        throw InvalidParameter(owner, "solver = Bullet is for robots without elements; this one has '" +
                                          m_description.elements.front().name + "', which Bullet's step cannot solve");
    }
    atLeastZero("friction", options.friction);
    atLeastZero("restitution", options.restitution);
    atLeastZero("linearDamping", options.linearDamping);
    atLeastZero("angularDamping", options.angularDamping);
    if (!(options.tickLength > 0 && std::isfinite(options.tickLength))) {
        throw InvalidParameter(owner, "tickLength", options.tickLength, "finite and > 0");
    }
    for (std::size_t i = 0; i < m_description.joints.size(); ++i) {
        const RobotJoint& joint = m_description.joints[i];
        if (joint.type == RobotJoint::Type::Floating && (i != 0 || m_description.links[0].mass > 0)) {
            throw InvalidParameter(owner, "joint '" + joint.name +
                                              "' is floating: Bullet's btMultiBody has no such joint except at the "
                                              "root, on a link without mass");
        }
    }
}

void Robot::build(const RobotOptions& options) {
    const std::vector<RobotJoint>& joints = m_description.joints;
    const bool isFloating = !joints.empty() && joints[0].type == RobotJoint::Type::Floating;
    m_baseLink = isFloating ? 1 : 0;
    for (std::size_t i = 1; isFloating && i < joints.size(); ++i) {
        if (joints[i].parent != 0) continue;
        throw InvalidParameter(ownerOf(m_description), "joint '" + joints[i].name +
                                                           "' is fixed to the root although joint '" + joints[0].name +
                                                           "' lets the robot float; the root must carry nothing else");
    }
    if (options.base == RobotOptions::Base::Free) robot::lumpBase(m_description, m_baseLink);
    const RobotLink& base = m_description.links[static_cast<std::size_t>(m_baseLink)];
    const bool isFixed =
        options.base == RobotOptions::Base::Fixed || (options.base == RobotOptions::Base::AsStated && !(base.mass > 0));
    if (!isFixed && !(base.mass > 0 && base.principalMoments.minCoeff() > 0)) {
        throw InvalidParameter(ownerOf(m_description), "link '" + base.name +
                                                           "' cannot be a free base: it must have a mass and moments "
                                                           "of inertia > 0");
    }
    const int links = static_cast<int>(m_description.links.size()) - m_baseLink - 1;
    m_body = std::make_unique<btMultiBody>(links, static_cast<btScalar>(base.mass), toBullet(base.principalMoments),
                                           isFixed, options.canSleep);
    for (int joint = m_baseLink; joint < static_cast<int>(joints.size()); ++joint) setupJoint(joint);
    m_body->finalizeMultiDof();
    m_body->setBaseName(base.name.c_str());
    checkBase(options.pose, options.velocity, options.angularVelocity);
    placeBase(options.pose, options.velocity, options.angularVelocity);
    m_body->setHasSelfCollision(options.selfCollision);
    m_body->setLinearDamping(static_cast<btScalar>(options.linearDamping));
    m_body->setAngularDamping(static_cast<btScalar>(options.angularDamping));
    m_body->setMaxCoordinateVelocity(kUnbounded);
    std::vector<double> start = options.q;
    if (start.empty()) {
        for (const RobotJoint& joint : joints) start.push_back(nearestToZero(joint));
        placeFollowers(m_description, start);
    }
    for (int joint = m_baseLink; joint < static_cast<int>(joints.size()); ++joint) {
        const auto at = static_cast<std::size_t>(joint);
        if (!joints[at].isScalar()) continue;
        m_body->setJointPos(bulletLinkOfJoint(joint), static_cast<btScalar>(start[at]));
        if (!options.v.empty()) m_body->setJointVel(bulletLinkOfJoint(joint), static_cast<btScalar>(options.v[at]));
    }
    for (int link = m_baseLink; link < static_cast<int>(m_description.links.size()); ++link) addCollider(link, options);
    for (int joint = m_baseLink; joint < static_cast<int>(joints.size()); ++joint) addConstraints(joint, options);
    for (const RobotElement& element : m_description.elements) addElement(element);
    if (m_elements.empty() && options.solver == RobotOptions::Solver::Elasto) addClaim();
    m_start = {options.pose, options.velocity, options.angularVelocity, {}, {}};
    for (std::size_t i = 0; i < joints.size(); ++i) {
        m_start.q.push_back(start[i]);
        m_start.v.push_back(options.v.empty() ? 0 : options.v[i]);
    }
    updateColliders();
}

void Robot::setupJoint(int index) {
    const RobotJoint& joint = m_description.joints[static_cast<std::size_t>(index)];
    const RobotLink& parent = m_description.links[static_cast<std::size_t>(joint.parent)];
    const RobotLink& child = m_description.links[static_cast<std::size_t>(joint.child)];
    const int link = bulletLinkOfJoint(index);
    const int parentLink = bulletLink(joint.parent);
    const btScalar mass = static_cast<btScalar>(child.mass);
    const btVector3 inertia = toBullet(child.principalMoments);
    if (!isFinite(inertia) || !std::isfinite(mass)) {
        throw InvalidParameter(
            ownerOf(m_description),
            "link '" + child.name + "' has a mass or inertia that Bullet's " + kPrecision + " precision cannot hold");
    }
    const Eigen::Quaterniond& parentAxes = parent.principalFrame.orientation;
    const Eigen::Quaterniond& childAxes = child.principalFrame.orientation;
    // Bullet's frames are those of the principal axes, at the centres of mass.
    const btQuaternion parentToChild =
        toBullet((parentAxes.conjugate() * joint.pose.orientation * childAxes).conjugate());
    const btVector3 axis = toBullet(childAxes.conjugate() * joint.axis);
    const btVector3 toPivot = toBullet(parentAxes.conjugate() * (joint.pose.position - parent.principalFrame.position));
    const btVector3 fromPivot = toBullet(childAxes.conjugate() * child.principalFrame.position);
    switch (joint.type) {
        case RobotJoint::Type::Revolute:
        case RobotJoint::Type::Continuous:
            m_body->setupRevolute(link, mass, inertia, parentLink, parentToChild, axis, toPivot, fromPivot, true);
            break;
        case RobotJoint::Type::Prismatic:
            m_body->setupPrismatic(link, mass, inertia, parentLink, parentToChild, axis, toPivot, fromPivot, true);
            break;
        case RobotJoint::Type::Ball:
            m_body->setupSpherical(link, mass, inertia, parentLink, parentToChild, toPivot, fromPivot, true);
            break;
        case RobotJoint::Type::Planar: {
            const RobotPose inParent = joint.pose * child.principalFrame;
            const btVector3 toCentre =
                toBullet(parentAxes.conjugate() * (inParent.position - parent.principalFrame.position));
            m_body->setupPlanar(link, mass, inertia, parentLink, parentToChild, axis, toCentre, true);
            break;
        }
        case RobotJoint::Type::Fixed:
        case RobotJoint::Type::Floating:
            m_body->setupFixed(link, mass, inertia, parentLink, parentToChild, toPivot, fromPivot);
            break;
    }
    // The description keeps the names.
    m_body->getLink(link).m_linkName = child.name.c_str();
    m_body->getLink(link).m_jointName = joint.name.c_str();
}

void Robot::setPrefix(const std::string& prefix) {
    for (std::size_t i = 0; i < m_elements.size(); ++i) m_elements[i]->setName(prefix + m_description.elements[i].name);
    m_linkNames.clear();
    for (const RobotLink& link : m_description.links) m_linkNames.push_back(prefix + link.name);
    for (std::size_t i = 0; i < m_linkNames.size(); ++i) {
        const int link = bulletLink(static_cast<int>(i));
        if (link == -1) m_body->setBaseName(m_linkNames[i].c_str());
        if (link >= 0) m_body->getLink(link).m_linkName = m_linkNames[i].c_str();
    }
}

/// True for the base of a fixed robot and what fixed joints hold to it.
bool Robot::isRigidlyFixed(int link) const {
    if (!m_body->hasFixedBase()) return false;
    while (link != m_baseLink) {
        const RobotJoint& joint = m_description.joints[static_cast<std::size_t>(link) - 1];
        if (joint.type != RobotJoint::Type::Fixed) return false;
        link = joint.parent;
    }
    return true;
}

void Robot::addCollider(int index, const RobotOptions& options) {
    const RobotLink& link = m_description.links[static_cast<std::size_t>(index)];
    const int bulletIndex = bulletLink(index);
    auto collider = std::make_unique<btMultiBodyLinkCollider>(m_body.get(), bulletIndex);
    collider->setCollisionShape(&makeLinkShape(link, m_shapes));
    const RobotSurface& surface = link.surface;
    collider->setFriction(static_cast<btScalar>(surface.friction.value_or(options.friction)));
    collider->setRestitution(static_cast<btScalar>(surface.restitution.value_or(options.restitution)));
    collider->setRollingFriction(static_cast<btScalar>(surface.rollingFriction.value_or(0)));
    collider->setSpinningFriction(static_cast<btScalar>(surface.spinningFriction.value_or(0)));
    if (surface.stiffness) {
        collider->setContactStiffnessAndDamping(static_cast<btScalar>(*surface.stiffness),
                                                static_cast<btScalar>(surface.damping.value_or(0)));
    }
    if (isRigidlyFixed(index)) {
        collider->setCollisionFlags(collider->getCollisionFlags() | btCollisionObject::CF_STATIC_OBJECT);
    }
    if (bulletIndex < 0) {
        m_body->setBaseCollider(collider.get());
    } else {
        m_body->getLink(bulletIndex).m_collider = collider.get();
    }
    m_colliders.push_back(std::move(collider));
}

void Robot::addConstraints(int index, const RobotOptions& options) {
    const RobotJoint& joint = m_description.joints[static_cast<std::size_t>(index)];
    const int link = bulletLinkOfJoint(index);
    if (joint.mimic) {
        addGear(index);
    } else if (joint.isScalar()) {
        // Limits of those that follow it are its own: they would only rattle against one another.
        const RobotRange range = heldRange(m_description, index);
        if (std::isfinite(range.lower) || std::isfinite(range.upper)) {
            const auto bound = [](double value) {
                return std::clamp(static_cast<btScalar>(value), -kUnbounded, kUnbounded);
            };
            auto limit = std::make_unique<btMultiBodyJointLimitConstraint>(m_body.get(), link, bound(range.lower),
                                                                           bound(range.upper));
            limit->setMaxAppliedImpulse(kUnbounded);  // by itself 100 N s
            m_constraints.push_back(std::move(limit));
        }
    }
    if (joint.friction > 0) {
        const auto impulse = static_cast<btScalar>(joint.friction * options.tickLength);
        m_constraints.push_back(std::make_unique<btMultiBodyJointMotor>(m_body.get(), link, btScalar(0), impulse));
        m_frictions.push_back({m_constraints.back().get(), joint.friction});
    }
}

/// What holds a joint to the one that it follows: Bullet's q_a + ratio q_b = target.
void Robot::addGear(int index) {
    const RobotMimic& mimic = *m_description.joints[static_cast<std::size_t>(index)].mimic;
    auto gear = std::make_unique<btMultiBodyGearConstraint>(
        m_body.get(), bulletLinkOfJoint(index), m_body.get(), bulletLinkOfJoint(mimic.leader), btVector3(0, 0, 0),
        btVector3(0, 0, 0), btMatrix3x3::getIdentity(), btMatrix3x3::getIdentity());
    gear->setGearRatio(static_cast<btScalar>(-mimic.multiplier));
    gear->setRelativePositionTarget(static_cast<btScalar>(mimic.offset));
    gear->setErp(btScalar(1));
    gear->setMaxAppliedImpulse(SIMD_INFINITY);
    m_constraints.push_back(std::move(gear));
}

void Robot::updateColliders() {
    m_body->forwardKinematics(m_rotations, m_positions);
    m_body->updateCollisionObjectWorldTransforms(m_rotations, m_positions);
}

void Robot::addTo(btMultiBodyDynamicsWorld& world) {
    if (m_world != nullptr) throw std::logic_error(ownerOf(m_description) + " is in a world already");
    m_world = &world;
    // Who leaves a world inside a tick takes along what forces it had been given there, gravity too.
    m_body->clearForcesAndTorques();
    world.addMultiBody(m_body.get());
    for (const std::unique_ptr<btMultiBodyLinkCollider>& collider : m_colliders) {
        using Filter = btBroadphaseProxy;
        const bool isEmpty = collider->getCollisionShape()->getShapeType() == EMPTY_SHAPE_PROXYTYPE;
        const bool isStatic = collider->isStaticObject();
        const int group = isStatic ? Filter::StaticFilter : Filter::DefaultFilter;
        const int mask = isEmpty ? 0 : isStatic ? Filter::AllFilter ^ Filter::StaticFilter : Filter::AllFilter;
        world.addCollisionObject(collider.get(), group, mask);
    }
    for (const std::unique_ptr<btMultiBodyConstraint>& constraint : m_constraints) {
        world.addMultiBodyConstraint(constraint.get());
    }
    for (const std::unique_ptr<MultiBodyElement>& element : m_elements) world.addMultiBodyConstraint(element.get());
    for (const std::unique_ptr<MultiBodyElement>& element : m_others) world.addMultiBodyConstraint(element.get());
}

void Robot::leaveWorld() {
    if (m_world == nullptr) return;
    for (const std::unique_ptr<MultiBodyElement>& element : m_others) {
        m_world->removeMultiBodyConstraint(element.get());
    }
    for (const std::unique_ptr<MultiBodyElement>& element : m_elements) {
        m_world->removeMultiBodyConstraint(element.get());
    }
    for (const std::unique_ptr<btMultiBodyConstraint>& constraint : m_constraints) {
        m_world->removeMultiBodyConstraint(constraint.get());
    }
    for (const std::unique_ptr<btMultiBodyLinkCollider>& collider : m_colliders) {
        m_world->removeCollisionObject(collider.get());
    }
    m_world->removeMultiBody(m_body.get());
    m_world = nullptr;
}

double Robot::q(int joint) const {
    checkIndex(joint);
    return static_cast<double>(m_body->getJointPos(bulletLinkOfJoint(joint)));
}

double Robot::v(int joint) const {
    checkIndex(joint);
    return static_cast<double>(m_body->getJointVel(bulletLinkOfJoint(joint)));
}

RobotPose Robot::linkPose(int link) const {
    const RobotPose fromPrincipal = inverse(m_description.links.at(static_cast<std::size_t>(link)).principalFrame);
    if (link < m_baseLink) return linkPose(m_baseLink);
    // Colliders are moved at the end of a tick, the links' own cached frames at its start.
    return toPose(m_colliders[static_cast<std::size_t>(link - m_baseLink)]->getWorldTransform()) * fromPrincipal;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
