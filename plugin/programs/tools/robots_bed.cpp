#include "robots_bed.h"

#include <stdexcept>

namespace elasto::tools {

RobotBed::RobotBed(const Eigen::Vector3d& gravity) {
    m_world.setGravity(toBullet(gravity));
    m_plugin = std::make_unique<Plugin>(&m_world);
}

RobotBed::~RobotBed() {
    for (const auto& constraint : m_constraints) m_world.removeMultiBodyConstraint(constraint.get());
    for (const auto& body : m_multiBodies) m_world.removeMultiBody(body.get());
    for (const auto& collider : m_colliders) m_world.removeCollisionObject(collider.get());
    for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
}

btMultiBody& RobotBed::add(const FlowTree& tree) {
    const auto links = static_cast<int>(tree.links.size());
    m_multiBodies.push_back(std::make_unique<btMultiBody>(links, btScalar(tree.base.mass),
                                                          toBullet(Eigen::Vector3d(tree.base.inertia.diagonal())),
                                                          tree.base.isFixed, false));
    btMultiBody& body = *m_multiBodies.back();
    body.setBasePos(toBullet(tree.base.position));
    body.setWorldToBaseRot(toBullet(tree.base.orientation.conjugate()));
    for (int i = 0; i < links; ++i) {
        const TreeLink& link = tree.links[static_cast<std::size_t>(i)];
        Eigen::Vector3d pivot = link.pivot;
        if (link.parent != kTreeBase) pivot -= tree.links[static_cast<std::size_t>(link.parent)].centerOfMass;
        const btQuaternion fromParent = toBullet(link.orientation.conjugate());
        const btVector3 inertia = toBullet(Eigen::Vector3d(link.inertia.diagonal()));
        if (link.joint == TreeJoint::Revolute) {
            body.setupRevolute(i, btScalar(link.mass), inertia, link.parent, fromParent, toBullet(link.axis),
                               toBullet(pivot), toBullet(link.centerOfMass), true);
        } else if (link.joint == TreeJoint::Prismatic) {
            body.setupPrismatic(i, btScalar(link.mass), inertia, link.parent, fromParent, toBullet(link.axis),
                                toBullet(pivot), toBullet(link.centerOfMass), true);
        } else {
            throw std::logic_error("RobotBed::add: joints must be revolute or prismatic");
        }
    }
    body.finalizeMultiDof();
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.setMaxCoordinateVelocity(btScalar(1e30));
    for (int i = 0; i < links; ++i) {
        body.setJointPos(i, btScalar(tree.links[static_cast<std::size_t>(i)].q));
        body.setJointVel(i, btScalar(tree.links[static_cast<std::size_t>(i)].qd));
    }
    body.setBaseVel(toBullet(tree.base.velocity));
    body.setBaseOmega(toBullet(tree.base.angularVelocity));
    m_world.addMultiBody(&body);
    return body;
}

btMultiBodyLinkCollider& RobotBed::addCollider(btMultiBody& body, int link, std::unique_ptr<btCollisionShape> shape) {
    m_colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(&body, link));
    btMultiBodyLinkCollider& collider = *m_colliders.back();
    collider.setCollisionShape(shape.get());
    m_shapes.push_back(std::move(shape));
    collider.setActivationState(DISABLE_DEACTIVATION);
    body.getLink(link).m_collider = &collider;
    // By default Bullet takes a collision object for a static one.
    m_world.addCollisionObject(&collider, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> origins;
    body.forwardKinematics(turns, origins);
    body.updateCollisionObjectWorldTransforms(turns, origins);
    return collider;
}

btRigidBody& RobotBed::addBody(double mass, std::unique_ptr<btCollisionShape> shape, const btVector3& position) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setOrigin(position);
    m_bodies.push_back(std::make_unique<btRigidBody>(info));
    m_shapes.push_back(std::move(shape));
    btRigidBody& body = *m_bodies.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    m_world.addRigidBody(&body);
    return body;
}

RobotInBullet::RobotInBullet(const RobotModel& model) : world(model.gravity), m_network(model.problem.network) {
    for (const FlowTree& tree : m_network.trees) {
        m_multiBodies.push_back(&world.add(tree));
        m_drives.emplace_back(tree.rotors.size());
    }
    for (const TreeElement& element : m_network.elements) addElement(model, element);
    for (const auto& [at, torque] : model.problem.jointTorques) {
        world.plugin().addJointLoad(JointLoad(*m_multiBodies[static_cast<std::size_t>(at.first)], at.second, torque));
    }
}

void RobotInBullet::addElement(const RobotModel& model, const TreeElement& element) {
    const TreeTerm& first = element.terms.front();
    btMultiBody* body = m_multiBodies[static_cast<std::size_t>(first.tree)];
    if (element.terms.size() == 1) {
        const double sign = first.coefficient;
        const JointCoordinate joint{body, first.index, -sign * element.offset, sign};
        m_elements.push_back(&world.constrain<MultiBodyElement>(joint, element.law));
        return;
    }
    const TreeTerm& second = element.terms[1];
    if (second.kind == TreeTerm::Kind::Joint) {
        const GearPair pair{{body, first.index}, {body, second.index}, -second.coefficient};
        m_elements.push_back(&world.constrain<MultiBodyElement>(pair, element.law));
        return;
    }
    const auto tree = static_cast<std::size_t>(second.tree);
    const auto index = static_cast<std::size_t>(second.index);
    const TreeRotor& rotor = m_network.trees[tree].rotors[index];
    const Drive drive{body, first.index, rotor.inertia, -1 / second.coefficient, rotor.phi, rotor.w};
    MultiBodyElement& added = world.constrain<MultiBodyElement>(drive, element.law);
    m_elements.push_back(&added);
    m_drives[tree][index] = &added;
    const auto torque = model.problem.rotorTorques.find({second.tree, second.index});
    if (torque != model.problem.rotorTorques.end()) added.setMotorTorque(torque->second);
}

std::vector<TreeTick> RobotInBullet::trees() const {
    std::vector<TreeTick> trees;
    for (std::size_t k = 0; k < m_multiBodies.size(); ++k) {
        const btMultiBody& body = *m_multiBodies[k];
        TreeTick& tree = trees.emplace_back();
        tree.base.position = toEigen(body.getBasePos());
        tree.base.orientation = toEigen(body.getWorldToBaseRot()).conjugate();
        tree.base.velocity = toEigen(body.getBaseVel());
        tree.base.angularVelocity = toEigen(body.getBaseOmega());
        for (int i = 0; i < body.getNumLinks(); ++i) {
            TreeJointState& joint = tree.links.emplace_back();
            joint.q = static_cast<double>(body.getJointPos(i));
            joint.qd = static_cast<double>(body.getJointVel(i));
        }
        for (const MultiBodyElement* drive : m_drives[k]) {
            tree.rotors.push_back({drive->motorAngle(), drive->motorSpeed()});
        }
    }
    return trees;
}

}  // namespace elasto::tools
