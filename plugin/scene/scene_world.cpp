#include <elasto/scene/scene_world.h>

#include "element_factory.h"
#include "host/conversion.h"
#include "joint_factory.h"
#include "shape_factory.h"

#include <elasto/elasto.h>
#include <elasto/errors.h>
#include <elasto/scene/start.h>

#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <algorithm>
#include <cmath>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

BodyState stateOf(const btRigidBody& body) {
    const btTransform& pose = body.getWorldTransform();
    BodyState state;
    state.position = toEigen(pose.getOrigin());
    state.orientation = rotationOf(pose.getBasis());
    state.velocity = toEigen(body.getLinearVelocity());
    state.angularVelocity = toEigen(body.getAngularVelocity());
    return state;
}

/// Numbers that Bullet's scalar cannot hold have become infinite.
void checkGravity(const Eigen::Vector3d& given, const btVector3& held) {
    for (int k = 0; k < 3; ++k) {
        if (std::isfinite(static_cast<double>(held[k]))) continue;
        throw InvalidParameter("SceneWorld", "gravity", given[k],
                               std::string("a value that Bullet's ") + kPrecision + " precision can hold");
    }
}

[[noreturn]] void refuse(const SceneBody& body, const char* field, double value) {
    throw InvalidParameter("body '" + body.name + "'", field, value,
                           std::string("a value that Bullet's ") + kPrecision + " precision can hold");
}

/// Numbers that Bullet's scalar cannot hold have become infinite.
void checkFinite(const SceneBody& body, const char* field, const Eigen::Vector3d& given, const btVector3& held) {
    for (int k = 0; k < 3; ++k) {
        if (!std::isfinite(static_cast<double>(held[k]))) refuse(body, field, given[k]);
    }
}

/// A mass or inertia whose inverse is zero would hold the body still, one whose inverse is infinite has no motion.
void checkInverse(const SceneBody& body, const char* field, double given, btScalar inverse) {
    if (!(inverse > 0 && std::isfinite(static_cast<double>(inverse)))) refuse(body, field, given);
}

template <typename Things>
std::size_t indexOf(const Things& things, std::string_view name, const char* kind) {
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (things[i].name == name) return i;
    }
    throw std::out_of_range("SceneWorld: no " + std::string(kind) + " '" + std::string(name) + "'");
}

}  // namespace

/// Shows Bullet where a kinematic body is at the end of the tick: it asks before each tick.
class SceneWorld::PathState : public btMotionState {
public:
    explicit PathState(const SceneBody& body) : m_body(body) {}

    void setTime(double time) { m_time = time; }
    void getWorldTransform(btTransform& pose) const override { pose = toBullet(pathState(m_body, m_time)); }
    void setWorldTransform(const btTransform&) override {}

private:
    const SceneBody& m_body;
    double m_time = 0;
};

SceneWorld::SceneWorld(Scene scene, std::optional<double> rate, bool takesMultiBodies)
    : m_scene(std::move(scene)), m_grid("SceneWorld", rate.value_or(m_scene.rate)), m_dispatcher(&m_configuration) {
    if (takesMultiBodies) {
        auto solver = std::make_unique<btMultiBodyConstraintSolver>();
        auto world =
            std::make_unique<btMultiBodyDynamicsWorld>(&m_dispatcher, &m_broadphase, solver.get(), &m_configuration);
        m_multiBodyWorld = world.get();
        m_solver = std::move(solver);
        m_world = std::move(world);
    } else {
        m_solver = std::make_unique<btSequentialImpulseConstraintSolver>();
        m_world =
            std::make_unique<btDiscreteDynamicsWorld>(&m_dispatcher, &m_broadphase, m_solver.get(), &m_configuration);
    }
    m_world->setGravity(toBullet(m_scene.gravity));
    checkGravity(m_scene.gravity, m_world->getGravity());
    m_world->getSolverInfo().m_numIterations = m_scene.solverIterations;
    m_plugin = std::make_unique<Plugin>(m_world.get());
    m_plugin->setFreeFlight(m_scene.flight == Scene::Flight::Exact);
    for (const SceneHeatPort& port : m_scene.heatPorts) {
        m_heatPorts.push_back(std::make_shared<HeatPort>(port.conductance, port.ambientTemperature));
    }
    for (const SceneBody& body : m_scene.bodies) addBody(body);
    for (const SceneJoint& joint : m_scene.joints) addJoint(joint);
    const FlowNetwork network = startNetwork(m_scene);
    for (std::size_t i = 0; i < network.elements.size(); ++i) addElement(m_scene.elements[i], network.elements[i]);
    for (const SceneLoad& load : m_scene.loads) addLoad(load);
}

SceneWorld::~SceneWorld() {
    // One may refer to those that came before it.
    while (!m_guests.empty()) m_guests.pop_back();
}

void SceneWorld::addBody(const SceneBody& body) {
    const BodyState start = centreOfMassState(body);
    const bool isDynamic = body.motion == BodyMotion::Dynamic;
    m_shapes.push_back(makeShape(body.shape, m_meshes));
    const btScalar mass = isDynamic ? static_cast<btScalar>(body.mass) : btScalar(0);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, m_shapes.back().get(), toBullet(body.inertia));
    info.m_startWorldTransform = toBullet(start);
    info.m_linearDamping = static_cast<btScalar>(body.linearDamping);
    info.m_angularDamping = static_cast<btScalar>(body.angularDamping);
    info.m_friction = static_cast<btScalar>(body.friction);
    info.m_rollingFriction = static_cast<btScalar>(body.rollingFriction);
    info.m_spinningFriction = static_cast<btScalar>(body.spinningFriction);
    info.m_restitution = static_cast<btScalar>(body.restitution);
    m_bodies.push_back(std::make_unique<btRigidBody>(info));

    btRigidBody& made = *m_bodies.back();
    made.setLinearVelocity(toBullet(start.velocity));
    made.setAngularVelocity(toBullet(start.angularVelocity));
    checkFinite(body, "position", start.position, made.getWorldTransform().getOrigin());
    checkFinite(body, "velocity", start.velocity, made.getLinearVelocity());
    checkFinite(body, "angularVelocity", start.angularVelocity, made.getAngularVelocity());
    if (isDynamic) {
        checkInverse(body, "mass", body.mass, made.getInvMass());
        for (int k = 0; k < 3; ++k) {
            if (body.inertia[k] > 0) checkInverse(body, "inertia", body.inertia[k], made.getInvInertiaDiagLocal()[k]);
        }
        made.setLinearFactor(toBullet(body.linearFactor));
        made.setAngularFactor(toBullet(body.angularFactor));
        if (!body.gyroscopic) made.setFlags(0);
    }
    if (body.motion == BodyMotion::Kinematic) {
        m_paths.push_back(std::make_unique<PathState>(body));
        made.setCollisionFlags(made.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        made.setMotionState(m_paths.back().get());
    }
    if (!body.sleeping && body.motion != BodyMotion::Fixed) made.setActivationState(DISABLE_DEACTIVATION);
    if (body.shape.type == SceneShape::Type::None) {
        m_world->addRigidBody(&made, 0, 0);
    } else {
        m_world->addRigidBody(&made);
    }
}

btRigidBody& SceneWorld::endOf(const SceneFrame& frame) {
    return frame.body == kWorld ? Placement::world() : body(static_cast<std::size_t>(frame.body));
}

void SceneWorld::addJoint(const SceneJoint& joint) {
    m_joints.push_back(makeJoint(m_scene, joint, endOf(joint.frame_a), endOf(joint.frame_b), m_grid.length()));
    m_world->addConstraint(m_joints.back().get(), true);
}

void SceneWorld::addElement(const SceneElement& element, const FlowElement& ends) {
    SceneFrame carrier;
    if (element.gear) carrier.body = element.gear->carrier;
    m_elements.push_back(makeElement(element, ends, endOf(element.frame_a), endOf(element.frame_b), endOf(carrier)));
    ForceElement& made = *m_elements.back();
    made.setName(element.name);
    made.setT(element.T);
    if (element.f_normalized) {
        made.setF_normalized([course = *element.f_normalized](double t) { return course.factor(t); },
                             [course = *element.f_normalized](double t) { return course.nextBreak(t); });
    }
    made.setS_small(element.s_small);
    if (element.heatPort >= 0) made.setHeatPort(heatPort(static_cast<std::size_t>(element.heatPort)));
    if (element.geometry == Geometry::AboutAxis) {
        ElementState state = made.saveState();
        state.phi = ends.phi;
        made.restoreState(state);
    }
    setExactStart(element, made);
    // What moves at the start slides with the strength that it has then.
    if (const double v = made.v_rel(); element.f_normalized && v != 0) {
        made.setS_damper(std::copysign(FrictionLaw::kSlides + std::max(0., element.f_normalized->factor(0)), v));
    }
    m_world->addConstraint(&made, true);
}

/// The first tick starts from the scene's numbers and not from what is left of them in Bullet's precision.
void SceneWorld::setExactStart(const SceneElement& element, ForceElement& made) const {
    const auto start = [this](const SceneFrame& frame) -> std::optional<BodyState> {
        const auto i = static_cast<std::size_t>(frame.body);
        if (frame.body == kWorld || m_scene.bodies[i].motion != BodyMotion::Dynamic) return std::nullopt;
        return centreOfMassState(m_scene.bodies[i]);
    };
    const std::optional<BodyState> a = start(element.frame_a);
    const std::optional<BodyState> b = start(element.frame_b);
    SceneFrame third;
    if (element.gear) third.body = element.gear->carrier;
    const std::optional<BodyState> carrier = start(third);
    made.setExactStates(a ? &*a : nullptr, b ? &*b : nullptr, carrier ? &*carrier : nullptr);
}

void SceneWorld::addLoad(const SceneLoad& load) {
    const Load::Kind kind = load.quantity == SceneLoad::Quantity::Force ? Load::Kind::Force : Load::Kind::Torque;
    const auto value = [&load](double t) { return toBullet(loadValue(load, t)); };
    const auto breaks = [&load](double t) { return load.nextBreak(t); };
    Load made(body(static_cast<std::size_t>(load.body)), kind, value, breaks);
    if (load.resolveInFrame == SceneLoad::Axes::Body) made = made.resolvedIn(Load::Axes::Body);
    if (load.point) made = made.at(toBullet(loadArm(m_scene.bodies[static_cast<std::size_t>(load.body)], load)));
    m_plugin->addLoad(std::move(made));
}

void SceneWorld::step() {
    for (const std::unique_ptr<SceneGuest>& guest : m_guests) guest->beginTick(time(), m_grid.length());
    stepPart(static_cast<double>(m_ticks + 1) * m_grid.length(), m_grid.length());
    ++m_ticks;
}

void SceneWorld::stepPart(double end, double length) {
    for (const std::unique_ptr<PathState>& path : m_paths) path->setTime(end);
    // Without substeps allowed Bullet makes exactly one of the length that it is given.
    m_world->stepSimulation(static_cast<btScalar>(length), 0);
}

long SceneWorld::ticksToEnd() const {
    return m_grid.ticksIn(m_scene.duration, "scene '" + m_scene.name + "'");
}

btRigidBody& SceneWorld::body(std::string_view name) {
    return *m_bodies[indexOf(m_scene.bodies, name, "body")];
}

btTypedConstraint& SceneWorld::joint(std::string_view name) {
    return *m_joints[indexOf(m_scene.joints, name, "joint")];
}

ForceElement& SceneWorld::element(std::string_view name) {
    return *m_elements[indexOf(m_scene.elements, name, "element")];
}

const std::shared_ptr<HeatPort>& SceneWorld::heatPort(std::string_view name) const {
    return m_heatPorts[indexOf(m_scene.heatPorts, name, "heat port")];
}

SceneSample SceneWorld::sample() const {
    SceneSample sample;
    sample.time = time();
    for (const std::unique_ptr<btRigidBody>& body : m_bodies) sample.bodies.push_back(stateOf(*body));
    for (const std::unique_ptr<ForceElement>& element : m_elements) {
        const Readout now = element->readout();
        ElementSample values;
        values.s = element->s();
        values.v = now.v_rel;
        values.force = now.force;
        values.meanForce = element->tickLength() > 0 ? element->meanForce() : now.force.f;
        values.lossPower = now.lossPower;
        values.dissipatedPower = now.dissipatedPower;
        values.heat = element->heat();
        values.storedEnergy = now.storedEnergy;
        values.s_damper = now.s_damper;
        values.pointA = toEigen(element->pointA());
        values.pointB = toEigen(element->pointB());
        sample.elements.push_back(values);
    }
    for (const std::shared_ptr<HeatPort>& port : m_heatPorts) {
        sample.heatPorts.push_back({port->power(), port->energy(), port->temperature()});
    }
    sample.grade = m_plugin->statistics().grade();
    // Before the first tick nobody has told the ports what the elements dissipate.
    if (m_ticks == 0) sumHeatPorts(m_scene, sample);
    return sample;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
