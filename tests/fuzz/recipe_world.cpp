#include "recipe_world.h"

#include "host/conversion.h"

#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHinge2Constraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>

#include <cmath>

namespace elasto::fuzz {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

Law lawOf(const ElementRecipe& element, double measured) {
    const double rest = measured + element.offset;
    switch (element.kind) {
        case ElementKind::Gap:
            return ElastoGapLaw({.c = element.c,
                                 .d = element.d,
                                 .s_rel0 = rest,
                                 .n = element.n,
                                 .s_ref = element.s_ref,
                                 .characteristic = static_cast<GapCharacteristic>(element.characteristic)});
        case ElementKind::Backlash:
            return ElastoBacklashLaw({.c = element.c,
                                      .d = element.d,
                                      .b = element.play,
                                      .phi_rel0 = rest,
                                      .characteristic = static_cast<BacklashCharacteristic>(element.characteristic)});
        case ElementKind::Series:
            return SpringDamperSeriesLaw({.c = element.c, .d = element.d, .s_unstretched = rest});
        default:
            return SpringDamperLaw({.c = element.c, .d = element.d, .s_rel0 = rest});
    }
}

/// Bits of what is added, in one number.
class Hash {
public:
    template <class Number>
    void add(Number number) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&number);
        for (std::size_t i = 0; i < sizeof number; ++i) m_value = (m_value ^ bytes[i]) * 1099511628211ULL;
    }
    void add(const btVector3& v) {
        for (int i = 0; i < 3; ++i) add(v[i]);
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 1469598103934665603ULL;
};

}  // namespace

RecipeWorld::RecipeWorld(const WorldRecipe& recipe, const WorldOptions& options)
    : m_recipe(recipe), m_hasElements(recipe.bodiesWithElements()) {
    if (recipe.multiBodies.empty()) {
        m_solver = std::make_unique<btSequentialImpulseConstraintSolver>();
        m_world =
            std::make_unique<btDiscreteDynamicsWorld>(&m_dispatcher, &m_broadphase, m_solver.get(), &m_configuration);
    } else {
        m_multiBodySolver = std::make_unique<btMultiBodyConstraintSolver>();
        auto world = std::make_unique<btMultiBodyDynamicsWorld>(&m_dispatcher, &m_broadphase, m_multiBodySolver.get(),
                                                                &m_configuration);
        m_multiBodyWorld = world.get();
        m_world = std::move(world);
    }
    m_world->setGravity({0, btScalar(-recipe.gravity), 0});
    m_world->getSolverInfo().m_numIterations = options.iterations;
    if (options.withPlugin) {
        m_plugin = std::make_unique<Plugin>(m_world.get());
        m_plugin->setMessageHandler([](const std::string&) {});
        if (options.threads > 1) m_plugin->setThreads(options.threads);
    }
    for (const BodyRecipe& body : recipe.bodies) addBody(body);
    if (recipe.hasFloor) addFloor();
    for (const JointRecipe& joint : recipe.joints) addJoint(joint);
    for (const MultiBodyRecipe& multiBody : recipe.multiBodies) addMultiBody(multiBody);
    if (!options.withPlugin) return;
    for (const ElementRecipe& element : recipe.elements) addElement(element);
}

RecipeWorld::~RecipeWorld() {
    if (m_multiBodyWorld != nullptr) {
        for (const auto& constraint : m_constraints) m_multiBodyWorld->removeMultiBodyConstraint(constraint.get());
        for (const auto& body : m_multiBodies) m_multiBodyWorld->removeMultiBody(body.get());
        for (const auto& collider : m_colliders) m_world->removeCollisionObject(collider.get());
    }
    for (const auto& element : m_elements) m_world->removeConstraint(element.get());
    for (const auto& joint : m_joints) m_world->removeConstraint(joint.get());
    for (const auto& body : m_bodies) m_world->removeRigidBody(body.get());
}

void RecipeWorld::addFloor() {
    m_shapes.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), btScalar(0)));
    m_bodies.push_back(std::make_unique<btRigidBody>(btScalar(0), nullptr, m_shapes.back().get()));
    m_world->addRigidBody(m_bodies.back().get());
}

void RecipeWorld::addBody(const BodyRecipe& recipe) {
    const auto size = btScalar(recipe.size);
    switch (recipe.shape) {
        case BodyShape::Box:
            m_shapes.push_back(std::make_unique<btBoxShape>(btVector3(size, size, size)));
            break;
        case BodyShape::Sphere:
            m_shapes.push_back(std::make_unique<btSphereShape>(size));
            break;
        case BodyShape::Capsule:
            m_shapes.push_back(std::make_unique<btCapsuleShape>(size, 2 * size));
            break;
    }
    const auto mass = btScalar(recipe.isKinematic ? 0 : recipe.mass);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) m_shapes.back()->calculateLocalInertia(mass, inertia);
    m_bodies.push_back(std::make_unique<btRigidBody>(mass, nullptr, m_shapes.back().get(), inertia));
    btRigidBody& body = *m_bodies.back();
    const btTransform pose(toBullet(recipe.orientation), toBullet(recipe.position));
    body.setWorldTransform(pose);
    body.setCenterOfMassTransform(pose);
    body.setInterpolationWorldTransform(pose);
    body.setActivationState(DISABLE_DEACTIVATION);
    if (recipe.isKinematic) {
        body.setCollisionFlags(body.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    } else {
        body.setLinearVelocity(toBullet(recipe.velocity));
        body.setAngularVelocity(toBullet(recipe.angularVelocity));
        body.setLinearFactor(toBullet(recipe.linearFactor));
        body.setAngularFactor(toBullet(recipe.angularFactor));
    }
    if (m_recipe.hasFloor) {
        m_world->addRigidBody(&body);
    } else {
        m_world->addRigidBody(&body, 0, 0);  // meets nothing
    }
}

void RecipeWorld::addJoint(const JointRecipe& recipe) {
    const btTransform frame(toBullet(recipe.frame), toBullet(recipe.point));
    btRigidBody& a = recipe.a == kWorld ? btTypedConstraint::getFixedBody() : bodyOf(recipe.a);
    btRigidBody& b = bodyOf(recipe.b);
    const btTransform inA = a.getWorldTransform().inverse() * frame;
    const btTransform inB = b.getWorldTransform().inverse() * frame;
    const btVector3 x = frame.getBasis().getColumn(0);
    const btVector3 z = frame.getBasis().getColumn(2);
    const auto low = btScalar(recipe.low), high = btScalar(recipe.high);
    const auto rate = btScalar(recipe.rate), strength = btScalar(recipe.impulse);
    const auto limitSixDof = [&](auto& joint) {
        // Some angles free, the others within bounds or locked.
        for (int axis = 0; axis < 6; ++axis) joint.setLimit(axis, 0, 0);
        joint.setLimit(3, recipe.isLimited ? low : 1, recipe.isLimited ? high : -1);
        if (recipe.high > 0.25) joint.setLimit(5, low, high);
        if (recipe.low < -0.3) joint.setLimit(0, low, high);
    };
    std::unique_ptr<btTypedConstraint> made;
    switch (recipe.kind) {
        case JointKind::Ball:
            made = std::make_unique<btPoint2PointConstraint>(a, b, inA.getOrigin(), inB.getOrigin());
            break;
        case JointKind::Hinge: {
            auto joint = std::make_unique<btHingeConstraint>(a, b, inA, inB);
            if (recipe.isLimited) joint->setLimit(low, high);
            if (recipe.hasMotor) joint->enableAngularMotor(true, rate, strength / btScalar(m_recipe.hz));
            made = std::move(joint);
            break;
        }
        case JointKind::Slider: {
            auto joint = std::make_unique<btSliderConstraint>(a, b, inA, inB, true);
            joint->setLowerLinLimit(recipe.isLimited ? low : 1);
            joint->setUpperLinLimit(recipe.isLimited ? high : -1);
            joint->setLowerAngLimit(0);
            joint->setUpperAngLimit(0);
            if (recipe.hasMotor) {
                joint->setPoweredLinMotor(true);
                joint->setTargetLinMotorVelocity(rate);
                joint->setMaxLinMotorForce(strength);
            }
            made = std::move(joint);
            break;
        }
        case JointKind::Fixed:
            made = std::make_unique<btFixedConstraint>(a, b, inA, inB);
            break;
        case JointKind::ConeTwist: {
            auto joint = std::make_unique<btConeTwistConstraint>(a, b, inA, inB);
            if (recipe.isLimited) joint->setLimit(high + btScalar(0.1), high + btScalar(0.2), -low);
            made = std::move(joint);
            break;
        }
        case JointKind::SixDof: {
            auto joint = std::make_unique<btGeneric6DofConstraint>(a, b, inA, inB, true);
            limitSixDof(*joint);
            if (recipe.hasMotor) {
                joint->getRotationalLimitMotor(0)->m_enableMotor = true;
                joint->getRotationalLimitMotor(0)->m_targetVelocity = rate;
                joint->getRotationalLimitMotor(0)->m_maxMotorForce = strength;
            }
            made = std::move(joint);
            break;
        }
        case JointKind::SixDofSpring: {
            auto joint = std::make_unique<btGeneric6DofSpringConstraint>(a, b, inA, inB, true);
            limitSixDof(*joint);
            joint->enableSpring(3, true);
            joint->setStiffness(3, strength);
            joint->setEquilibriumPoint(3);
            made = std::move(joint);
            break;
        }
        case JointKind::SixDofSpring2: {
            auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(a, b, inA, inB);
            limitSixDof(*joint);
            joint->enableSpring(3, true);
            joint->setStiffness(3, strength);
            joint->setDamping(3, high);
            joint->setEquilibriumPoint(3);
            made = std::move(joint);
            break;
        }
        case JointKind::Universal:
            made = std::make_unique<btUniversalConstraint>(a, b, frame.getOrigin(), z, x);
            break;
        case JointKind::Hinge2:
            made = std::make_unique<btHinge2Constraint>(a, b, const_cast<btVector3&>(frame.getOrigin()),
                                                        const_cast<btVector3&>(z), const_cast<btVector3&>(x));
            break;
    }
    m_world->addConstraint(made.get(), true);
    m_joints.push_back(std::move(made));
}

void RecipeWorld::addElement(const ElementRecipe& recipe) {
    btRigidBody& a = bodyOf(recipe.a);
    btRigidBody& b = bodyOf(recipe.b);
    if (a.isStaticOrKinematicObject() && b.isStaticOrKinematicObject()) return;  // is refused
    const btTransform frame(toBullet(recipe.frame));
    const auto frameIn = [&](const btRigidBody& body, const Vector3d& point) {
        return body.getWorldTransform().inverse() * btTransform(frame.getRotation(), toBullet(point));
    };
    const btTransform inA =
        recipe.a == kWorld ? btTransform(frame.getRotation(), toBullet(recipe.pointA)) : frameIn(a, recipe.pointA);
    const btTransform inB = frameIn(b, recipe.pointB);
    const Vector3d way = recipe.pointB - recipe.pointA;
    std::unique_ptr<btTypedConstraint> made;
    switch (recipe.kind) {
        case ElementKind::Gap:
            made = std::make_unique<ElastoGap>(
                Placement::alongAxis(a, b, inA, inB),
                std::get<ElastoGapLaw>(lawOf(recipe, way.dot(recipe.frame * Vector3d::UnitX()))).parameters());
            break;
        case ElementKind::Backlash:
            made = std::make_unique<ElastoBacklash>(Placement::aboutAxis(a, b, inA, inB),
                                                    std::get<ElastoBacklashLaw>(lawOf(recipe, 0)).parameters());
            break;
        case ElementKind::Series:
            made = std::make_unique<SpringDamperSeries>(
                Placement::alongLine(a, b, inA.getOrigin(), inB.getOrigin()),
                std::get<SpringDamperSeriesLaw>(lawOf(recipe, way.norm())).parameters());
            break;
        case ElementKind::SpringDamper:
            made = std::make_unique<SpringDamperParallel>(
                Placement::alongLine(a, b, inA.getOrigin(), inB.getOrigin()),
                std::get<SpringDamperLaw>(lawOf(recipe, way.norm())).parameters());
            break;
        case ElementKind::RotationalSpringDamper:
            made = std::make_unique<RotationalSpringDamper>(Placement::aboutAxis(a, b, inA, inB),
                                                            std::get<SpringDamperLaw>(lawOf(recipe, 0)).parameters());
            break;
    }
    m_world->addConstraint(made.get(), true);
    m_elements.push_back(std::move(made));
}

void RecipeWorld::addMultiBody(const MultiBodyRecipe& recipe) {
    const auto links = static_cast<int>(recipe.links.size());
    m_multiBodies.push_back(std::make_unique<btMultiBody>(links, btScalar(recipe.isFixed ? 0 : recipe.baseMass),
                                                          btVector3(1, 1, 1) * btScalar(0.1 * recipe.baseMass),
                                                          recipe.isFixed, false));
    btMultiBody& body = *m_multiBodies.back();
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.setMaxCoordinateVelocity(btScalar(1e30));
    const btQuaternion straight = btQuaternion::getIdentity();
    for (int i = 0; i < links; ++i) {
        const LinkRecipe& link = recipe.links[static_cast<std::size_t>(i)];
        const auto mass = btScalar(link.mass);
        const auto along = btScalar(link.mass * link.length * link.length / 12);
        const btVector3 inertia(along / 5, along, along);
        const auto ofParent = link.parent < 0 ? 0 : recipe.links[static_cast<std::size_t>(link.parent)].length / 2;
        const btVector3 toPivot(btScalar(ofParent), 0, 0), fromPivot(btScalar(link.length / 2), 0, 0);
        switch (link.kind) {
            case LinkKind::Revolute:
                body.setupRevolute(i, mass, inertia, link.parent, straight, toBullet(link.axis), toPivot, fromPivot,
                                   true);
                break;
            case LinkKind::Prismatic:
                body.setupPrismatic(i, mass, inertia, link.parent, straight, toBullet(link.axis), toPivot, fromPivot,
                                    true);
                break;
            case LinkKind::Spherical:
                body.setupSpherical(i, mass, inertia, link.parent, straight, toPivot, fromPivot, true);
                break;
            case LinkKind::Fixed:
                body.setupFixed(i, mass, inertia, link.parent, straight, toPivot, fromPivot);
                break;
        }
    }
    body.finalizeMultiDof();
    body.setBasePos({0, 3, 2});
    for (int i = 0; i < links; ++i) {
        const LinkRecipe& link = recipe.links[static_cast<std::size_t>(i)];
        if (link.kind != LinkKind::Revolute && link.kind != LinkKind::Prismatic) continue;
        body.setJointPos(i, btScalar(link.q));
        body.setJointVel(i, btScalar(link.rate));
    }
    m_multiBodyWorld->addMultiBody(&body);
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    body.forwardKinematics(turns, places);
    for (const auto& [link, carried] : recipe.carried) {
        btRigidBody& other = bodyOf(carried);
        if (other.isStaticOrKinematicObject()) continue;
        const btVector3 pivot = link < 0 ? body.getBasePos() : body.localPosToWorld(link, btVector3(0, 0, 0));
        btTransform pose = other.getWorldTransform();
        pose.setOrigin(pivot);
        other.setWorldTransform(pose);
        other.setCenterOfMassTransform(pose);
        other.setInterpolationWorldTransform(pose);
        m_constraints.push_back(
            std::make_unique<btMultiBodyPoint2Point>(&body, link, &other, btVector3(0, 0, 0), btVector3(0, 0, 0)));
        m_multiBodyWorld->addMultiBodyConstraint(m_constraints.back().get());
    }
    if (m_plugin == nullptr) return;
    for (const JointElementRecipe& element : recipe.elements) {
        const LinkRecipe& link = recipe.links[static_cast<std::size_t>(element.link)];
        if (link.kind != LinkKind::Revolute && link.kind != LinkKind::Prismatic) continue;
        const Law law = lawOf(element.law, 0);
        auto made = element.isDrive
                        ? std::make_unique<MultiBodyElement>(Drive{.body = &body,
                                                                   .link = element.link,
                                                                   .inertia = element.inertia,
                                                                   .ratio = element.ratio,
                                                                   .phi = element.ratio * link.q,
                                                                   .w = element.ratio * link.rate},
                                                             law)
                        : std::make_unique<MultiBodyElement>(JointCoordinate{.body = &body, .link = element.link}, law);
        m_jointElements.push_back(made.get());
        m_multiBodyWorld->addMultiBodyConstraint(made.get());
        m_constraints.push_back(std::move(made));
    }
}

void RecipeWorld::tick() {
    ++m_tick;
    for (std::size_t i = 0; i < m_recipe.bodies.size(); ++i) {
        const BodyRecipe& recipe = m_recipe.bodies[i];
        if (!recipe.isKinematic) continue;
        const double t = m_tick / m_recipe.hz;
        btTransform pose(toBullet(recipe.orientation), toBullet(recipe.position));
        const Vector3d way = 0.1 * std::sin(5 * t) * recipe.velocity.normalized();
        pose.setOrigin(toBullet((recipe.position + way).eval()));
        m_bodies[i]->setWorldTransform(pose);
    }
    m_world->stepSimulation(btScalar(1 / m_recipe.hz), 0);
}

std::uint64_t RecipeWorld::hash() const {
    Hash hash;
    for (const auto& body : m_bodies) {
        for (int row = 0; row < 3; ++row) hash.add(body->getWorldTransform().getBasis()[row]);
        hash.add(body->getWorldTransform().getOrigin());
        hash.add(body->getLinearVelocity());
        hash.add(body->getAngularVelocity());
    }
    for (const auto& body : m_multiBodies) {
        hash.add(body->getBasePos());
        hash.add(body->getBaseVel());
        hash.add(body->getBaseOmega());
        for (int link = 0; link < body->getNumLinks(); ++link) {
            for (int k = 0; k < body->getLink(link).m_posVarCount; ++k) hash.add(body->getJointPosMultiDof(link)[k]);
            for (int k = 0; k < body->getLink(link).m_dofCount; ++k) hash.add(body->getJointVelMultiDof(link)[k]);
        }
    }
    const auto addElement = [&](const auto& element) {
        hash.add(element.s_rel());
        hash.add(element.f());
        hash.add(element.heat());
        hash.add(element.storedEnergy());
    };
    for (const auto& element : m_elements) addElement(static_cast<const ForceElement&>(*element));
    for (const MultiBodyElement* element : m_jointElements) addElement(*element);
    return hash.value();
}

std::string RecipeWorld::notFinite() const {
    const auto isFinite = [](const btVector3& v) { return std::isfinite(v.length2()); };
    for (std::size_t i = 0; i < m_bodies.size(); ++i) {
        const btRigidBody& body = *m_bodies[i];
        if (!isFinite(body.getWorldTransform().getOrigin()) || !isFinite(body.getLinearVelocity()) ||
            !isFinite(body.getAngularVelocity())) {
            return "body " + std::to_string(i);
        }
    }
    for (const auto& body : m_multiBodies) {
        if (!isFinite(body->getBasePos()) || !isFinite(body->getBaseVel())) return "a base";
        for (int link = 0; link < body->getNumLinks(); ++link) {
            for (int k = 0; k < body->getLink(link).m_dofCount; ++k) {
                if (!std::isfinite(body->getJointVelMultiDof(link)[k])) return "link " + std::to_string(link);
            }
        }
    }
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const auto& element = static_cast<const ForceElement&>(*m_elements[i]);
        if (!std::isfinite(element.f()) || !std::isfinite(element.heat()) || !std::isfinite(element.s_rel())) {
            return "element " + std::to_string(i);
        }
    }
    return "";
}

WorldEnergy RecipeWorld::energy() const {
    WorldEnergy energy;
    for (std::size_t i = 0; i < m_hasElements.size(); ++i) {
        const auto& body = m_bodies[i];
        const auto mass = static_cast<double>(body->getMass());
        if (mass == 0 || !m_hasElements[i]) continue;
        const btVector3 w = body->getAngularVelocity() * body->getWorldTransform().getBasis();
        energy.kinetic += 0.5 * (mass * static_cast<double>(body->getLinearVelocity().length2()) +
                                 static_cast<double>((w * w).dot(body->getLocalInertia())));
        energy.potential += mass * m_recipe.gravity * static_cast<double>(body->getWorldTransform().getOrigin().y());
    }
    for (const auto& element : m_elements) {
        const auto& force = static_cast<const ForceElement&>(*element);
        energy.stored += force.storedEnergy();
        energy.heat += force.heat();
    }
    return energy;
}

double RecipeWorld::couldBePressed() const {
    double fastest = 0;
    for (std::size_t i = 0; i < m_recipe.bodies.size(); ++i) {
        const double spin = static_cast<double>(m_bodies[i]->getAngularVelocity().length());
        fastest = std::max(fastest, static_cast<double>(m_bodies[i]->getLinearVelocity().length()) + spin);
    }
    const double h = 1 / m_recipe.hz;
    const double rate = 2 * (fastest + m_recipe.gravity * h);
    double work = 0;
    for (const auto& element : m_elements) {
        const auto& force = static_cast<const ForceElement&>(*element);
        const double s = force.s_rel();
        const double most = std::max(std::abs(evaluate(force.law(), s + rate * h, rate, force.s_damper()).f),
                                     std::abs(evaluate(force.law(), s - rate * h, -rate, force.s_damper()).f));
        work += most * rate * h;
    }
    return work;
}

bool RecipeWorld::isAllCoupled() const {
    const TickStatistics& tick = m_plugin->statistics();
    return tick.uncoupled == 0 && tick.idle == 0;
}

}  // namespace elasto::fuzz
