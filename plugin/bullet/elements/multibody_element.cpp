#include <elasto/errors.h>
#include <elasto/multibody_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "host/conversion.h"
#include "multibody/multibody_measure.h"
#include "multibody/multibody_rotors.h"
#include "multibody/multibody_state.h"
#include "network/body_cache.h"
#include "network/element_access.h"
#include "network/element_home.h"
#include "network/solved_network.h"
#include "tick/debug_draw.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

void requireFinite(const char* owner, const char* field, double value) {
    if (!std::isfinite(value)) throw InvalidParameter(owner, field, value, "finite");
}

/// Makes the element's name only where it is needed, for that allocates.
void requireFinite(const MultiBodyElement& element, const char* field, double value) {
    if (!std::isfinite(value)) requireFinite(element.label().c_str(), field, value);
}

void requireJoint(const char* owner, const btMultiBody* body, int link) {
    if (body == nullptr) throw InvalidParameter(owner, "the joint's body is null; name a btMultiBody");
    elasto::requireJoint(owner, *body, link);
}

void requireCoordinate(const char* owner, const JointCoordinate& joint) {
    requireJoint(owner, joint.body, joint.link);
    requireFinite(owner, "offset", joint.offset);
    if (joint.sign != 1 && joint.sign != -1) throw InvalidParameter(owner, "sign", joint.sign, "1 or -1");
}

MultiBodyElement::Placing validated(const char* owner, const JointCoordinate& joint) {
    requireCoordinate(owner, joint);
    return joint;
}

MultiBodyElement::Placing validated(const char* owner, const Drive& drive) {
    requireJoint(owner, drive.body, drive.link);
    if (!(drive.inertia > 0) || !std::isfinite(drive.inertia)) {
        throw InvalidParameter(owner, "inertia", drive.inertia, "finite and > 0");
    }
    if (drive.ratio == 0 || !std::isfinite(drive.ratio)) {
        throw InvalidParameter(owner, "ratio", drive.ratio, "finite and not 0");
    }
    requireFinite(owner, "phi", drive.phi);
    requireFinite(owner, "w", drive.w);
    return drive;
}

MultiBodyElement::Placing validated(const char* owner, const GearPair& pair) {
    for (const JointCoordinate* joint : {&pair.first, &pair.second}) {
        requireCoordinate(owner, *joint);
    }
    if (pair.first.body == pair.second.body && pair.first.link == pair.second.link) {
        throw InvalidParameter(owner, "both joints of the pair are the same; a pair gears two joints");
    }
    if (pair.ratio == 0 || !std::isfinite(pair.ratio)) {
        throw InvalidParameter(owner, "ratio", pair.ratio, "finite and not 0");
    }
    return pair;
}

MultiBodyElement::Placing validated(const char* owner, const LinkPlacement& placement) {
    for (const Flange* flange : {&placement.a(), &placement.b()}) {
        if (flange->multiBody() == nullptr) continue;
        if (flange->link() < -1 || flange->link() >= flange->multiBody()->getNumLinks()) {
            throw InvalidParameter(owner, "link", flange->link(),
                                   "-1 (the base) or a link of the multibody, up to " +
                                       std::to_string(flange->multiBody()->getNumLinks() - 1));
        }
    }
    if (placement.a().multiBody() == nullptr && placement.b().multiBody() == nullptr) {
        throw InvalidParameter(owner, "neither end is on a btMultiBody; between rigid bodies use a ForceElement");
    }
    if (placement.a() == placement.b()) {
        throw InvalidParameter(owner, "both ends are on the same link");
    }
    const bool isFinite = placement.pointA().allFinite() && placement.pointB().allFinite() &&
                          placement.axis().allFinite() && placement.frameA().coeffs().allFinite() &&
                          placement.frameB().coeffs().allFinite();
    if (!isFinite) throw InvalidParameter(owner, "a frame or pivot is not finite");
    return placement;
}

MultiBodyElement::Placing validated(const char* owner, const RotorCoordinate& rotor) {
    if (rotor.drive == nullptr || !std::holds_alternative<Drive>(rotor.drive->placing())) {
        throw InvalidParameter(owner, std::string("the rotor's drive is ") +
                                          (rotor.drive == nullptr ? "null" : "an element without a motor") +
                                          "; name a MultiBodyElement that is placed as a Drive");
    }
    return rotor;
}

struct ElementEnds {
    btMultiBody* a = nullptr;
    btMultiBody* b = nullptr;
    int linkA = -1;
    int linkB = -1;
};

ElementEnds endsOf(const MultiBodyElement::Placing& placing) {
    if (const auto* joint = std::get_if<JointCoordinate>(&placing)) return {joint->body, nullptr, joint->link, -1};
    if (const auto* drive = std::get_if<Drive>(&placing)) return {drive->body, nullptr, drive->link, -1};
    if (const auto* pair = std::get_if<GearPair>(&placing)) {
        return {pair->first.body, pair->second.body, pair->first.link, pair->second.link};
    }
    if (const auto* rotor = std::get_if<RotorCoordinate>(&placing)) return endsOf(rotor->drive->placing());
    const auto& placement = std::get<LinkPlacement>(placing);
    return {placement.a().multiBody(), placement.b().multiBody(), placement.a().link(), placement.b().link()};
}

// Of any collider of the tree: Bullet asks the constraint for one, and its own link may have none.
int islandOf(const btMultiBody* body) {
    if (body == nullptr) return -1;
    const auto tagOf = [](const btMultiBodyLinkCollider* collider) {
        return collider != nullptr ? collider->getIslandTag() : -1;
    };
    int tag = tagOf(body->getBaseCollider());
    for (int i = 0; tag < 0 && i < body->getNumLinks(); ++i) tag = tagOf(body->getLink(i).m_collider);
    return tag;
}

int islandOf(const MultiBodyElement::Placing& placing, bool isA) {
    const ElementEnds ends = endsOf(placing);
    if (const auto* placement = std::get_if<LinkPlacement>(&placing)) {
        const Flange& flange = isA ? placement->a() : placement->b();
        if (flange.rigidBody() != nullptr) return flange.rigidBody()->getIslandTag();
    }
    return islandOf(isA ? ends.a : ends.b);
}

}  // namespace

MultiBodyElement::MultiBodyElement(const Placing& placing, Law law)
    : btMultiBodyConstraint(endsOf(placing).a, endsOf(placing).b, endsOf(placing).linkA, endsOf(placing).linkB, 0,
                            false, kMultiBodyElementType),
      ElementCommon(std::move(law)),
      m_placing(placing) {
    requirePlace(this->law());
    if (const auto* placement = std::get_if<LinkPlacement>(&m_placing)) {
        ElementAccess::requireReach(*this, placement->geometry(), typeName());
    }
    if (const auto* drive = std::get_if<Drive>(&m_placing)) {
        m_motorAngle = drive->phi;
        m_motorSpeed = drive->w;
    }
}

MultiBodyElement::MultiBodyElement(const JointCoordinate& joint, Law law)
    : MultiBodyElement(validated(lawName(law), joint), law) {}
MultiBodyElement::MultiBodyElement(const Drive& drive, Law law)
    : MultiBodyElement(validated(lawName(law), drive), law) {}
MultiBodyElement::MultiBodyElement(const GearPair& pair, Law law)
    : MultiBodyElement(validated(lawName(law), pair), law) {}
MultiBodyElement::MultiBodyElement(const LinkPlacement& placement, Law law)
    : MultiBodyElement(validated(lawName(law), placement), law) {}

MultiBodyElement::MultiBodyElement(const RotorCoordinate& rotor, Law law)
    : MultiBodyElement(validated(lawName(law), rotor), law) {}

MultiBodyElement::~MultiBodyElement() {
    ElementAccess::leaveHome(*this);
}

const char* MultiBodyElement::typeName() const {
    return lawName(law());
}

/// Friction is what a joint or a motor rubs with, not a clutch between two joints or between a motor and its joint.
void MultiBodyElement::requirePlace(const Law& law) const {
    const bool isOnRotor = std::holds_alternative<RotorCoordinate>(m_placing);
    if (frictionOf(law) == nullptr) {
        if (!isOnRotor) return;
        throw InvalidParameter(lawName(law), "cannot act on a rotor (RotorCoordinate), on which Friction alone does");
    }
    if (isOnRotor) return;
    const auto* placement = std::get_if<LinkPlacement>(&m_placing);
    const bool isOnAxis = placement != nullptr && placement->geometry() != Geometry::AlongLine;
    if (isOnAxis || std::holds_alternative<JointCoordinate>(m_placing)) return;
    throw InvalidParameter(
        lawName(law),
        "acts on one joint (JointCoordinate), on a drive's rotor (RotorCoordinate), or along or "
        "about an axis of two links (LinkPlacement); neither on a Drive, nor on a GearPair, nor along a line");
}

void MultiBodyElement::setLaw(Law law) {
    requirePlace(law);
    ElementCommon::setLaw(std::move(law));
}

// --- Readouts ---

Readout MultiBodyElement::readout() const {
    const auto home = m_home.lock();
    const Coordinate now = measureNow(*this, home ? &home->multiBodies() : nullptr, m_angle);
    if (ElementAccess::acts(*this)) return readoutOf(law(), now.s, now.v, s_damper());
    Readout readout;
    readout.s_rel = now.s;
    readout.v_rel = now.v;
    readout.s_damper = s_damper();
    return readout;
}

const Drive& MultiBodyElement::drive() const {
    const auto* drive = std::get_if<Drive>(&m_placing);
    if (drive == nullptr) throw std::logic_error(label() + " is no drive: it has no motor");
    return *drive;
}

double MultiBodyElement::motorAngle() const {
    drive();
    return m_motorAngle;
}

double MultiBodyElement::motorSpeed() const {
    drive();
    return m_motorSpeed;
}

double MultiBodyElement::linkAngle() const {
    return linkCoordinate(false);
}

double MultiBodyElement::linkSpeed() const {
    return linkCoordinate(true);
}

double MultiBodyElement::linkCoordinate(bool isRate) const {
    const Drive& own = drive();
    const auto home = m_home.lock();
    const Coordinate now = measureNow(JointCoordinate{own.body, own.link}, home ? &home->multiBodies() : nullptr);
    return isRate ? now.v : now.s;
}

void MultiBodyElement::wakeBodies() {
    for (btMultiBody* body : {getMultiBodyA(), getMultiBodyB()}) {
        if (body != nullptr) body->wakeUp();
    }
    const auto* placement = std::get_if<LinkPlacement>(&m_placing);
    if (placement == nullptr) return;
    for (const Flange* flange : {&placement->a(), &placement->b()}) {
        if (flange->rigidBody() != nullptr) flange->rigidBody()->activate();
    }
}

void MultiBodyElement::setMotorTorque(double tau) {
    drive();
    requireFinite(*this, "motor torque", tau);
    // Controllers say the same in each tick.
    const bool isNew = m_motorBreak || !m_motorTorque || m_motorTorque(0) != tau;
    m_motorTorque = [tau](double) { return tau; };
    m_motorBreak = {};
    if (isNew) wakeBodies();
}

void MultiBodyElement::setMotorTorque(std::function<double(double t)> tau, NextBreak nextBreak) {
    drive();
    m_motorTorque = std::move(tau);
    m_motorBreak = std::move(nextBreak);
    wakeBodies();
}

double MultiBodyElement::nextMotorBreak(double t) const {
    return m_motorBreak ? m_motorBreak(t) : std::numeric_limits<double>::infinity();
}

double MultiBodyElement::motorTorque(double t) const {
    drive();
    return m_motorTorque ? m_motorTorque(t) : 0;
}

void MultiBodyElement::setMotor(double phi, double w) {
    drive();
    requireFinite(*this, "phi", phi);
    requireFinite(*this, "w", w);
    m_motorAngle = phi;
    m_motorSpeed = w;
    wakeBodies();
}

// --- State ---

MultiBodyElementState MultiBodyElement::saveState() const {
    MultiBodyElementState state;
    state.enabled = m_isEnabled;
    state.s_damper = m_damperLength;
    state.phi = m_angle;
    state.heat = m_heat;
    state.storedEnergy = m_storedEnergy;
    state.impulse = m_impulse;
    state.tick = m_tick;
    state.method = static_cast<int>(m_method);
    state.grade = m_grade;
    state.audit = m_audit;
    state.motorAngle = m_motorAngle;
    state.motorSpeed = m_motorSpeed;
    state.pause = m_pause;
    return state;
}

void MultiBodyElement::restoreState(const MultiBodyElementState& state) {
    const std::pair<const char*, double> values[] = {{"s_damper", state.s_damper},
                                                     {"phi", state.phi},
                                                     {"motorAngle", state.motorAngle},
                                                     {"motorSpeed", state.motorSpeed}};
    for (const auto& [field, value] : values) requireFinite(*this, field, value);
    m_isEnabled = state.enabled;
    m_damperLength = state.s_damper;
    m_angle = state.phi;
    m_heat = state.heat;
    m_storedEnergy = state.storedEnergy;
    m_impulse = state.impulse;
    m_tick = state.tick;
    m_method = static_cast<FlowMethod>(state.method);
    m_grade = state.grade;
    m_audit = state.audit;
    m_motorAngle = state.motorAngle;
    m_motorSpeed = state.motorSpeed;
    m_pause = state.pause;
}

void ElementAccess::adopt(MultiBodyElement& element, const SolvedNetwork& network, std::size_t index) {
    const ElementTick& end = network.result.elements[index];
    element.m_damperLength = end.s_damper;
    if (network.network.elements[index].geometry == Geometry::AboutAxis) element.m_angle = end.s;
    element.m_impulse = end.impulse / flowScale(element);
    element.m_storedEnergy = end.storedEnergy;
    element.m_tick = network.h;
    element.m_method = network.result.method;
    element.m_grade = network.grade();
    element.m_pause = end.pause;
}

// --- btMultiBodyConstraint ---

int MultiBodyElement::getIslandIdA() const {
    return islandOf(m_placing, true);
}

int MultiBodyElement::getIslandIdB() const {
    return islandOf(m_placing, false);
}

void MultiBodyElement::createConstraintRows(btMultiBodyConstraintArray& /*rows*/, btMultiBodyJacobianData& /*data*/,
                                            const btContactSolverInfo& /*info*/) {
    if (!m_isExpected && m_isEnabled) {
        throw std::logic_error(label() +
                               " is in a world without elasto::Plugin (or with another solver than the Plugin's), so "
                               "nothing would move it. Write `elasto::Plugin plugin(world);` before the first "
                               "stepSimulation");
    }
}

void MultiBodyElement::debugDraw(btIDebugDraw* drawer) {
    if (drawer != nullptr) drawElement(*this, *drawer);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
