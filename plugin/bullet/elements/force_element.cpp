#include <elasto/errors.h>
#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "host/conversion.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "network/kinematic_path.h"
#include "network/single_element.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

const char* const kNoPlugin =
    " is in a world without elasto::Plugin (or with another solver than the Plugin's), so nothing would move it. "
    "Write `elasto::Plugin plugin(world);` before the first stepSimulation";

// The element alone between its two bodies as they are now.
FlowNetwork presentNetwork(const ForceElement& element) {
    FlowNetwork network;
    FlowElement flow = ElementAccess::flowElement(element);
    const auto add = [&](const btRigidBody& body, const SavedBody& saved) {
        if (&body == &Placement::world()) {
            return kWorld;
        }
        FlowBody flowBody;
        static_cast<BodyState&>(flowBody) =
            body.isStaticOrKinematicObject() ? immovableState(saved, body) : presentState(saved, body);
        network.bodies.push_back(flowBody);
        return static_cast<int>(network.bodies.size()) - 1;
    };
    ElementAccess::placeOn(const_cast<ForceElement&>(element), flow, add);
    network.elements.push_back(flow);
    return network;
}

// Arm of a world point about a body's centre of mass; the world's is its origin.
Eigen::Vector3d armOf(const FlowNetwork& network, int body, const Eigen::Vector3d& point) {
    return body == kWorld ? point : Eigen::Vector3d(point - network.bodies[static_cast<std::size_t>(body)].position);
}

}  // namespace

ForceElement::ForceElement(const Placement& placement, Law law, const char* typeName)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, placement.bodyA(), placement.bodyB()),
      ElementCommon(std::move(law)),
      m_placement(placement) {
    placement.validate(typeName);
    if (frictionOf(this->law()) != nullptr && (placement.geometry() == Geometry::AlongLine || placement.isGearPair())) {
        throw InvalidParameter(typeName,
                               "acts along or about an axis of two bodies, neither along a line nor in a gear");
    }
    ElementAccess::requireReach(*this, placement.geometry(), typeName);
    setUserConstraintType(kForceElementType);
    const auto startWhereDriven = [](btRigidBody& body, std::unique_ptr<SavedBody>& cache) {
        if (&body == &Placement::world() || !body.isStaticOrKinematicObject()) return;
        cache = std::make_unique<SavedBody>();
        startPath(*cache, body);
    };
    startWhereDriven(placement.bodyA(), m_savedA);
    startWhereDriven(placement.bodyB(), m_savedB);
    if (placement.isGearPair()) startWhereDriven(placement.carrier(), m_savedCarrier);
}

ForceElement::ContactCallbacks& ForceElement::contactCallbacks() {
    if (!m_contactCallbacks) m_contactCallbacks = std::make_unique<ContactCallbacks>();
    return *m_contactCallbacks;
}

ForceElement::~ForceElement() {
    ++ElementAccess::destroyed();
    ElementAccess::leaveHome(*this);
}

void ForceElement::setS_small(double s_small) {
    if (!(s_small > 0) || !std::isfinite(s_small)) {
        throw InvalidParameter(label(), "s_small", s_small, "finite and > 0");
    }
    keepLastTick();
    m_small = s_small;
    wakeBodies();
}

// --- Readouts ---

Measure ForceElement::presentMeasure() const {
    const FlowNetwork network = presentNetwork(*this);
    const FlowElement& flow = network.elements.front();
    Measure now = measure(network, flow);
    if (flow.isGeared()) now.pointA = network.bodies[static_cast<std::size_t>(flow.geared.b)].position;
    return now;
}

btVector3 ForceElement::pointA() const {
    return toBullet(presentMeasure().pointA);
}
btVector3 ForceElement::pointB() const {
    return toBullet(presentMeasure().pointB);
}
btVector3 ForceElement::axis() const {
    return toBullet(presentMeasure().direction);
}
double ForceElement::s_rel() const {
    return presentMeasure().s;
}
double ForceElement::v_rel() const {
    return presentMeasure().v;
}

double ForceElement::length() const {
    const Measure now = presentMeasure();
    return (now.pointB - now.pointA).norm();
}

double ForceElement::s() const {
    return geometry() == Geometry::AlongLine ? std::max(length(), m_small) : s_rel();
}

Readout ForceElement::readout() const {
    const Measure now = presentMeasure();
    if (isEnabled()) {
        Readout readout = readoutOf(ElementAccess::flowElement(*this), now);
        readout.storedEnergy -= ElementAccess::withheldEnergy(*this, readout.storedEnergy);
        return readout;
    }
    Readout readout;
    readout.s_rel = now.s;
    readout.v_rel = now.v;
    readout.s_damper = m_damperLength;
    return readout;
}

double ForceElement::f() const {
    return readout().force.f;
}
double ForceElement::f_c() const {
    return readout().force.f_c;
}
double ForceElement::f_d() const {
    return readout().force.f_d;
}
double ForceElement::f_d2() const {
    return readout().force.f_d2;
}
double ForceElement::lossPower() const {
    return readout().lossPower;
}
double ForceElement::dissipatedPower() const {
    return readout().dissipatedPower;
}
double ForceElement::storedEnergy() const {
    return readout().storedEnergy;
}
bool ForceElement::contact() const {
    return readout().force.contact;
}

btVector3 ForceElement::r_rel_0() const {
    const Measure now = presentMeasure();
    return toBullet(Eigen::Vector3d(now.pointB - now.pointA));
}

btVector3 ForceElement::e_rel_0() const {
    const Measure now = presentMeasure();
    const Eigen::Vector3d r = now.pointB - now.pointA;
    return toBullet(Eigen::Vector3d(r / std::max(r.norm(), m_small)));
}

btVector3 ForceElement::r_rel_a() const {
    const FlowNetwork network = presentNetwork(*this);
    const FlowElement& flow = network.elements.front();
    const Measure now = measure(network, flow);
    const Eigen::Quaterniond bodyA = flow.a == kWorld ? Eigen::Quaterniond::Identity()
                                                      : network.bodies[static_cast<std::size_t>(flow.a)].orientation;
    return toBullet(Eigen::Vector3d((bodyA * m_placement.frameA()).conjugate() * (now.pointB - now.pointA)));
}

btVector3 ForceElement::e_a() const {
    return r_rel_a() / static_cast<btScalar>(std::max(length(), m_small));
}

btVector3 ForceElement::forceOnA() const {
    if (isRotational(geometry())) {
        return {0, 0, 0};
    }
    return toBullet(Eigen::Vector3d(f() * presentMeasure().direction));
}

btVector3 ForceElement::forceOnB() const {
    return -forceOnA();
}

btVector3 ForceElement::torqueOnA() const {
    const FlowNetwork network = presentNetwork(*this);
    const FlowElement& flow = network.elements.front();
    const Measure now = measure(network, flow);
    if (flow.isGeared()) return toBullet(Eigen::Vector3d(flow.geared.ratio * f() * now.gearedDirection));
    const Eigen::Vector3d onA = f() * now.direction;
    if (isRotational(geometry())) {
        return toBullet(onA);
    }
    const Eigen::Vector3d& point = geometry() == Geometry::AlongAxis ? now.pointB : now.pointA;
    return toBullet(Eigen::Vector3d(armOf(network, flow.a, point).cross(onA)));
}

btVector3 ForceElement::torqueOnB() const {
    const FlowNetwork network = presentNetwork(*this);
    const FlowElement& flow = network.elements.front();
    const Measure now = measure(network, flow);
    const Eigen::Vector3d onB = -f() * now.direction;
    if (isRotational(geometry())) {
        return toBullet(onB);
    }
    return toBullet(Eigen::Vector3d(armOf(network, flow.b, now.pointB).cross(onB)));
}

btVector3 ForceElement::torqueOnCarrier() const {
    if (!m_placement.isGearPair()) return {0, 0, 0};
    return -(torqueOnA() + torqueOnB());
}

void ForceElement::setLaw(Law law) {
    if (law.index() != ElementCommon::law().index()) {
        throw InvalidParameter(label(), std::string("setLaw takes its own law, not that of a ") + lawName(law));
    }
    keepLastTick();
    ElementCommon::setLaw(std::move(law));
}

void ForceElement::wakeBodies() {
    ElementAccess::forEachBody(std::as_const(*this), [](const btRigidBody& body) { body.activate(); });
}

// A tick alone refers to the element's parameters.
void ForceElement::keepLastTick() {
    const SingleRecord* single = ElementAccess::singleTick(*this);
    if (single == nullptr) {
        ElementAccess::releaseBody(*this);
        return;
    }
    auto network = std::make_shared<const SolvedNetwork>(networkOf(*single, *this));
    ElementAccess::releaseTick(*this);
    m_lastTick = std::move(network);
    m_indexInTick = 0;
}

Readout ForceElement::solutionAt(double t) const {
    const SingleRecord* single = ElementAccess::singleTick(*this);
    if (!m_lastTick && single == nullptr) {
        throw std::logic_error(label() + ": solutionAt needs a tick that was solved");
    }
    if (!(t >= 0 && t <= m_tick)) {
        throw std::out_of_range(label() + ": solutionAt(t) needs 0 <= t <= " + std::to_string(m_tick) + " s");
    }
    if (single != nullptr) return readoutIn(stateInside(networkOf(*single, *this), t), 0);
    return readoutIn(stateInside(*m_lastTick, t), static_cast<std::size_t>(m_indexInTick));
}

void setEnd(const SolvedNetwork& solved, FlowNetwork& end) {
    end.bodies = solved.network.bodies;
    end.elements = solved.network.elements;
    end.contacts = solved.network.contacts;
    end.adopt(solved.result);
}

FlowNetwork stateInside(const SolvedNetwork& solved, double t) {
    FlowNetwork network = solved.network;
    if (!(t > 0)) return network;
    if (t >= solved.h) {
        network.adopt(solved.result);
        return network;
    }
    FlowSettings settings = solved.settings;
    if (solved.result.substeps > 0) {
        settings.accuracy = Accuracy::Implicit;
        settings.substep = solved.h / solved.result.substeps;
        for (FlowContact& contact : network.contacts) contact.impulse *= t / solved.h;
    }
    network.adopt(solveTick(network, t, settings));
    return network;
}

Readout readoutIn(const FlowNetwork& network, std::size_t element) {
    return readoutOf(network.elements[element], measure(network, network.elements[element]));
}

// --- State ---

ElementState ForceElement::saveState() const {
    ElementState state;
    state.enabled = isEnabled();
    state.s_damper = m_damperLength;
    state.phi = m_angle;
    state.phi2 = m_angle2;
    state.heat = m_heat;
    state.storedEnergy = m_storedEnergy;
    state.impulse = m_impulse;
    state.tick = m_tick;
    state.method = static_cast<int>(m_method);
    state.grade = m_grade;
    state.audit = m_audit;
    state.uncoupled = m_uncoupled;
    state.debt = m_debt;
    state.rest = m_rest;
    state.pause = m_pause;
    state.bodyA = ElementAccess::savedA(*this);
    state.bodyB = ElementAccess::savedB(*this);
    state.carrier = ElementAccess::savedCarrier(*this);
    return state;
}

void ForceElement::setExactStates(const BodyState* a, const BodyState* b, const BodyState* carrier) {
    ElementAccess::releaseBody(*this);
    const auto note = [](const BodyState* exact, const btRigidBody& body, SavedBody& cache) {
        if (exact != nullptr && &body != &Placement::world()) remember(cache, body, *exact);
    };
    note(a, getRigidBodyA(), ElementAccess::savedA(*this));
    note(b, getRigidBodyB(), ElementAccess::savedB(*this));
    if (m_placement.isGearPair()) note(carrier, m_placement.carrier(), ElementAccess::savedCarrier(*this));
}

void ForceElement::restoreState(const ElementState& state) {
    const std::pair<const char*, double> values[] = {
        {"s_damper", state.s_damper}, {"phi", state.phi}, {"phi2", state.phi2}};
    for (const auto& [field, value] : values) {
        if (!std::isfinite(value)) throw InvalidParameter(label(), field, value, "finite");
    }
    setEnabled(state.enabled);
    m_damperLength = state.s_damper;
    m_angle = state.phi;
    m_angle2 = state.phi2;
    m_heat = state.heat;
    m_storedEnergy = state.storedEnergy;
    m_impulse = state.impulse;
    m_tick = state.tick;
    m_method = static_cast<FlowMethod>(state.method);
    m_grade = state.grade;
    m_audit = state.audit;
    m_uncoupled = state.uncoupled;
    m_debt = state.debt;
    m_rest = state.rest;
    m_pause = state.pause;
    ElementAccess::releaseTick(*this);  // its solution belongs to another past
    const auto restore = [](const SavedBody& saved, const btRigidBody& body, SavedBody& cache) {
        if (&body != &Placement::world()) cache = saved;
    };
    restore(state.bodyA, getRigidBodyA(), ElementAccess::savedA(*this));
    restore(state.bodyB, getRigidBodyB(), ElementAccess::savedB(*this));
    if (m_placement.isGearPair()) restore(state.carrier, m_placement.carrier(), ElementAccess::savedCarrier(*this));
    internalSetAppliedImpulse(static_cast<btScalar>(m_impulse));
}

// --- btTypedConstraint ---

void ForceElement::buildJacobian() {
    if (!m_isExpected && isEnabled()) {
        throw std::logic_error(label() + kNoPlugin);
    }
}

void ForceElement::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = 0;
    info->nub = 0;
}

void ForceElement::getInfo2(btConstraintInfo2* /*info*/) {}

void ForceElement::setParam(int /*num*/, btScalar /*value*/, int /*axis*/) {
    throw std::logic_error(label() + " has none of Bullet's constraint parameters (ERP, CFM); use setParameters");
}

btScalar ForceElement::getParam(int /*num*/, int /*axis*/) const {
    throw std::logic_error(label() + " has none of Bullet's constraint parameters (ERP, CFM); use parameters");
}

int ForceElement::calculateSerializeBufferSize() const {
    return btTypedConstraint::calculateSerializeBufferSize();
}

const char* ForceElement::serialize(void* /*dataBuffer*/, btSerializer* /*serializer*/) const {
    throw std::logic_error(label() +
                           " cannot be written into a .bullet file, whose format has no place for it; "
                           "remove the elements from the world first");
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
