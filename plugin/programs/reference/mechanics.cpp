#include "mechanics.h"

#include "rigid_body.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace elasto::reference {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

const Law& noLaw() {
    static const Law law = SpringDamperLaw({.c = 0, .d = 0});
    return law;
}

/// The frame whose z is the axis and whose x is across it.
Quaterniond frameOf(const Vector3d& axis, const Vector3d& across) {
    Eigen::Matrix3d columns;
    columns << across, axis.cross(across), axis;
    return Quaterniond(columns).normalized();
}

FlowElement elementOf(const ReferenceCoordinate& given, const BodyState& a, const BodyState& b) {
    FlowElement element{noLaw()};
    element.geometry = given.turns ? Geometry::AboutAxis : Geometry::AlongAxis;
    element.a = given.a;
    element.b = given.b;
    element.pointA = given.pointA;
    element.pointB = given.pointB;
    element.axis = given.axis;
    if (!given.turns) return element;
    element.frameA = frameOf(given.axis, given.acrossA);
    element.frameB = frameOf(b.orientation.conjugate() * (a.orientation * given.axis), given.acrossB);
    return element;
}

}  // namespace

Mechanics::Mechanics(const ReferenceProblem& problem, Group group) : m_problem(problem), m_group(std::move(group)) {
    const std::size_t bodyCount = problem.network.bodies.size();
    m_offsetOfBody.assign(bodyCount, -1);
    m_states.resize(bodyCount);
    m_accelerations.resize(bodyCount);
    m_pushes.resize(bodyCount);
    m_mobilities.resize(bodyCount);
    for (int index : m_group.bodies) {
        const bool turns = canTurn(problem.network.bodies[static_cast<std::size_t>(index)]);
        m_bodySlots.push_back({index, m_size, turns});
        m_offsetOfBody[static_cast<std::size_t>(index)] = m_size;
        m_size += turns ? 13 : 6;
    }
    m_bodyPart = m_size;
    for (int index : m_group.elements) addElement(index);
    for (int index : m_group.motors) addMotor(index);
    for (int index : m_group.limits) addLimit(index);
    m_dynamicSize = m_size;
    for (std::size_t k = 0; k < m_group.elements.size(); ++k) {
        m_slots[k].integrals = m_size;
        m_size += 2;
    }

    const auto attach = [&](int body) {
        if (body == kWorld || !isGiven(body)) return;
        if (std::find(m_given.begin(), m_given.end(), body) == m_given.end()) m_given.push_back(body);
    };
    // What is held asks for the accelerations of a body that follows a path.
    const auto attachHeld = [&](int body) {
        attach(body);
        if (body == kWorld || !isGiven(body)) return;
        const BodyDrive* drive = driveOf(body);
        if (drive == nullptr || !drive->motion || drive->acceleration) return;
        throw InvalidParameter(
            "solveReference", "a joint, motor or friction on a body that follows a path needs the path's acceleration");
    };
    for (const int joint : m_group.joints) {
        const HeldRow& row = problem.network.joints[static_cast<std::size_t>(joint)];
        for (const int end : {row.a, row.b}) attachHeld(end);
    }
    for (const auto* slots : {&m_slots, &m_prescribed}) {
        for (const Slot& slot : *slots) {
            const FlowElement& element = *slot.element;
            for (const int end : {element.a, element.b})
                slot.isDry() || slot.limit != nullptr ? attachHeld(end) : attach(end);
            if (!element.isGeared()) continue;
            for (const int end : {element.geared.a, element.geared.b}) attach(end);
        }
    }
    closeAtStart();
}

void Mechanics::addElement(int index) {
    const auto place = static_cast<std::size_t>(index);
    const FlowElement& element = m_problem.network.elements[place];
    Slot slot{.index = index, .element = &element, .characteristic = Characteristic(element.law), .geared = element};
    slot.geared.a = element.geared.a;
    slot.geared.b = element.geared.b;
    slot.geared.axis = element.geared.axis;
    slot.geared.frameA = element.geared.frameA;
    slot.geared.frameB = element.geared.frameB;
    slot.friction = frictionOf(element.law);
    if (place < m_problem.f_normalized.size()) slot.share = m_problem.f_normalized[place];
    if (element.geometry == Geometry::AboutAxis) slot.angle = m_size++;
    if (slot.characteristic.hasDamperState()) slot.damper = m_size++;
    m_slots.push_back(std::move(slot));
}

FlowElement* Mechanics::drivenCoordinate(const ReferenceCoordinate& coordinate) {
    const auto start = [&](int body) -> BodyState {
        if (body == kWorld) return {};
        return m_problem.network.bodies[static_cast<std::size_t>(body)];
    };
    return &m_driven.emplace_back(elementOf(coordinate, start(coordinate.a), start(coordinate.b)));
}

void Mechanics::addMotor(int index) {
    const ReferenceMotor& motor = m_problem.motors[static_cast<std::size_t>(index)];
    if (motor.maxForce == 0) return;
    const FlowElement* element = drivenCoordinate(motor);
    Slot slot{.index = index,
              .element = element,
              .motor = &motor,
              .characteristic = Characteristic(element->law),
              .geared = *element};
    (std::isinf(motor.maxForce) ? m_prescribed : m_slots).push_back(std::move(slot));
}

void Mechanics::addLimit(int index) {
    const ReferenceLimit& limit = m_problem.limits[static_cast<std::size_t>(index)];
    const FlowElement* element = drivenCoordinate(limit);
    Slot slot{.index = index,
              .element = element,
              .limit = &limit,
              .characteristic = Characteristic(element->law),
              .geared = *element};
    if (limit.turns) slot.angle = m_size++;
    m_slots.push_back(std::move(slot));
}

bool Mechanics::isGiven(int body) const {
    return m_offsetOfBody[static_cast<std::size_t>(body)] < 0;
}

const BodyDrive* Mechanics::driveOf(int body) const {
    const auto index = static_cast<std::size_t>(body);
    return index < m_problem.drives.size() ? &m_problem.drives[index] : nullptr;
}

void Mechanics::setInterval(double from, double to) {
    // A drive is asked a little inside, where a jump at either end belongs to the neighbour.
    const double inside = 8 * std::numeric_limits<double>::epsilon();
    m_from = from + inside * std::abs(from);
    m_to = to - inside * std::abs(to);
}

double Mechanics::driveTime(double t) const {
    return std::clamp(t, std::min(m_from, m_to), m_to);
}

BodyState Mechanics::bodyState(int index, double t, const double* y) const {
    const FlowBody& given = m_problem.network.bodies[static_cast<std::size_t>(index)];
    const int offset = m_offsetOfBody[static_cast<std::size_t>(index)];
    if (offset < 0) {
        const BodyDrive* drive = driveOf(index);
        return drive != nullptr && drive->motion ? drive->motion(driveTime(t)) : drift(given, t);
    }
    using Three = Eigen::Map<const Vector3d>;
    BodyState state;
    state.position = Three(y + offset);
    state.velocity = Three(y + offset + 3);
    state.orientation = given.orientation.normalized();
    if (canTurn(given)) {
        state.orientation = Quaterniond(Eigen::Map<const Eigen::Vector4d>(y + offset + 6)).normalized();
        state.angularVelocity = Three(y + offset + 10);
    }
    return state;
}

const BodyState& Mechanics::stateOf(int body) const {
    static const BodyState world;
    return body == kWorld ? world : m_states[static_cast<std::size_t>(body)];
}

void Mechanics::gather(double t, const double* y) const {
    m_gatheredAt = t;
    for (const BodySlot& slot : m_bodySlots)
        m_states[static_cast<std::size_t>(slot.index)] = bodyState(slot.index, t, y);
    for (const int body : m_given) {
        const auto index = static_cast<std::size_t>(body);
        m_states[index] = bodyState(body, t, y);
        const BodyDrive* drive = driveOf(body);
        if (drive != nullptr && drive->acceleration) m_accelerations[index] = drive->acceleration(driveTime(t));
    }
}

Coordinate Mechanics::measure(const Slot& slot, const double* y) const {
    return measured(
        *slot.element, slot.geared, [this](int body) -> const BodyState& { return stateOf(body); },
        slot.angle >= 0 ? y[slot.angle] : 0);
}

double Mechanics::damperLength(const Slot& slot, double s, const double* y) const {
    return slot.damper >= 0 ? slot.characteristic.innerState(s, y[slot.damper]) : slot.element->s_damper;
}

void Mechanics::bodyDerivative(const BodySlot& slot, double t, const double* y, double* dy) const {
    const auto index = static_cast<std::size_t>(slot.index);
    const FlowBody& body = m_problem.network.bodies[index];
    const BodyState& state = m_states[index];
    Vector3d force = m_pushes[index].head<3>() + Vector3d(body.force.value(t));
    Vector3d torque = m_pushes[index].tail<3>() + Vector3d(body.torque.value(t));
    Vector3d decay = Vector3d::Zero();
    Vector3d angularDecay = Vector3d::Zero();
    if (const BodyDrive* drive = driveOf(slot.index)) {
        if (drive->force) force += drive->force(driveTime(t));
        if (drive->torque) torque += drive->torque(driveTime(t));
        if (drive->wrench) {
            const LoadValue value = drive->wrench(driveTime(t), state.orientation);
            force += value.head<3>();
            torque += value.tail<3>();
        }
        if (drive->linearDamping > 0) decay = std::log1p(-drive->linearDamping) * state.velocity;
        if (drive->angularDamping > 0) angularDecay = std::log1p(-drive->angularDamping) * state.angularVelocity;
    }
    using Three = Eigen::Map<Vector3d>;
    Three(dy + slot.offset) = state.velocity;
    Three(dy + slot.offset + 3) = body.inverseMass * body.linearFactor.cwiseProduct(force) + decay;
    if (!slot.turns) return;
    // The quaternion as it is, not normalised: so its length stays what it is instead of drifting.
    const Quaterniond q(Eigen::Map<const Eigen::Vector4d>(y + slot.offset + 6));
    const Quaterniond spin(0, state.angularVelocity.x(), state.angularVelocity.y(), state.angularVelocity.z());
    Eigen::Map<Eigen::Vector4d>(dy + slot.offset + 6) = 0.5 * (spin * q).coeffs();
    Three(dy + slot.offset + 10) = angularAcceleration(body, state, torque) + angularDecay;
}

/// A force along a coordinate, > 0 pulls.
void Mechanics::push(const Form& form, double f) const {
    for (const Form::Share& share : form) m_pushes[static_cast<std::size_t>(share.body)] -= f * share.on;
}

void Mechanics::derivative(double t, const double* y, const Branches& branches, double* dy) const {
    freeDerivative(t, y, branches, dy);
    addHeld(y, branches, dy);
}

/// As if nothing were held.
void Mechanics::freeDerivative(double t, const double* y, const Branches& branches, double* dy) const {
    gather(t, y);
    for (const BodySlot& slot : m_bodySlots) m_pushes[static_cast<std::size_t>(slot.index)].setZero();
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const Slot& slot = m_slots[k];
        const Coordinate measured = measure(slot, y);
        if (slot.angle >= 0) dy[slot.angle] = measured.v;
        if (slot.holds(branches[k])) continue;
        const BranchForce force = forceOf(slot, branches[k], t, measured, damperLength(slot, measured.s, y));
        if (slot.damper >= 0) dy[slot.damper] = slot.characteristic.damperRate(branches[k], force.terms.f, measured.v);
        push(measured.form, force.terms.f);
        if (slot.integrals < 0) continue;
        dy[slot.integrals] = force.terms.f;
        dy[slot.integrals + 1] = force.dissipatedPower;
    }
    for (const BodySlot& slot : m_bodySlots) bodyDerivative(slot, t, y, dy);
}

double Mechanics::shareAt(const Slot& slot, double t) const {
    return slot.share ? std::max(0., slot.share(driveTime(t))) : 1;
}

/// Of one that does not stick.
BranchForce Mechanics::forceOf(const Slot& slot, Branch branch, double t, const Coordinate& measured,
                               double s_damper) const {
    if (!slot.isDry()) return slot.characteristic.force(branch, measured.s, measured.v, s_damper);
    BranchForce out;
    ForceTerms& terms = out.terms;
    const double speed = branch.side * (measured.v - slot.target());
    terms.f =
        branch.side * (slot.motor != nullptr ? slot.motor->maxForce : shareAt(slot, t) * slot.friction->sliding(speed));
    terms.f_d = terms.f_d2 = terms.f;
    out.lossPower = out.dissipatedPower = terms.f * measured.v;
    return out;
}

void Mechanics::boundaries(double t, const double* y, const Branches& branches, double* g) const {
    if (hasHeld()) {
        m_rates.resize(m_size);
        derivative(t, y, branches, m_rates.data());  // for what sticks
    }
    gather(t, y);
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const Slot& slot = m_slots[k];
        Characteristic::Boundaries values = {1, 1, 1};
        if (slot.isDry()) {
            values = dryBoundaries(k, branches[k], t, measure(slot, y));
        } else if (slot.limit != nullptr) {
            values = limitBoundaries(k, branches[k], measure(slot, y));
        } else if (slot.characteristic.hasBranches()) {
            const Coordinate measured = measure(slot, y);
            values =
                slot.characteristic.boundaries(branches[k], measured.s, measured.v, damperLength(slot, measured.s, y));
        }
        std::copy(values.begin(), values.end(), g + k * Characteristic::kMaxBoundaries);
    }
}

int Mechanics::distanceCount(int local, Branch branch) const {
    const Slot& slot = m_slots[static_cast<std::size_t>(local)];
    if (slot.limit != nullptr) return slot.holds(branch) ? 0 : 2;
    return slot.characteristic.distanceCount(branch);
}

/// Whether anything may be held by a force that the mechanics has to find.
bool Mechanics::hasHeld() const {
    return std::any_of(m_slots.begin(), m_slots.end(),
                       [](const Slot& slot) { return slot.isDry() || slot.limit != nullptr; });
}

bool Mechanics::hasBranches() const {
    return hasHeld() || std::any_of(m_slots.begin(), m_slots.end(),
                                    [](const Slot& slot) { return slot.characteristic.hasBranches(); });
}

void Mechanics::boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors,
                              double* noise) const {
    gather(t, y);
    const auto body = m_bodySlots.front().offset;
    for (std::size_t k = 0; k < m_slots.size(); ++k) {
        const Slot& slot = m_slots[k];
        const Coordinate measured = measure(slot, y);
        const bool isAngle = slot.element->geometry == Geometry::AboutAxis;
        const double ds = slot.angle >= 0 ? errors[slot.angle] : errors[body];
        const double dv = isAngle && m_bodySlots.front().turns ? errors[body + 10] : errors[body + 3];
        auto values = slot.characteristic.boundaryNoise(branches[k], measured.s, measured.v, ds, dv);
        if (slot.isDry()) {
            constexpr double kForceNoise = 1e-11;
            const double force =
                kForceNoise * (slot.motor != nullptr ? slot.motor->maxForce : slot.friction->largest());
            values = slot.holds(branches[k]) ? Characteristic::Boundaries{0, force, force}
                                             : Characteristic::Boundaries{dv, dv, dv};
        } else if (slot.limit != nullptr) {
            values =
                slot.holds(branches[k]) ? Characteristic::Boundaries{0, 0, 0} : Characteristic::Boundaries{ds, ds, 0};
        }
        std::copy(values.begin(), values.end(), noise + k * Characteristic::kMaxBoundaries);
    }
}

void Mechanics::speedBounds(double t, const double* y, double* speeds) const {
    gather(t, y);
    for (std::size_t k = 0; k < m_slots.size(); ++k) speeds[k] = measure(m_slots[k], y).speed;
}

double Mechanics::rate(double t, const double* y, int local) const {
    gather(t, y);
    return measure(m_slots[static_cast<std::size_t>(local)], y).v;
}

Branch Mechanics::beyond(double t, const double* y, const Branches& branches, int local, int boundary) const {
    const auto k = static_cast<std::size_t>(local);
    if (m_slots[k].isDry()) return dryBeyond(k, t, y, branches, boundary);
    if (m_slots[k].limit != nullptr) return limitBeyond(m_slots[k], branches[k], boundary, rate(t, y, local));
    return m_slots[k].characteristic.beyond(branches[k], boundary, rate(t, y, local));
}

void Mechanics::settle(int local, Branch branch, double* y) const {
    const Slot& slot = m_slots[static_cast<std::size_t>(local)];
    if (slot.damper >= 0) y[slot.damper] = slot.characteristic.settled(branch, y[slot.damper]);
    if (slot.isDry()) stop(slot, branch, y);
    if (slot.limit != nullptr) meetLimit(slot, branch, y);
}

void Mechanics::report(double t, const double* y, const Branches& branches, ReferenceState& state) const {
    const bool hasFriction =
        std::any_of(m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.friction != nullptr; });
    if (hasFriction) {
        m_rates.resize(m_size);
        derivative(t, y, branches, m_rates.data());
    }
    gather(t, y);
    checkJoints(t);
    for (const BodySlot& slot : m_bodySlots)
        state.bodies[static_cast<std::size_t>(slot.index)] = m_states[static_cast<std::size_t>(slot.index)];
    for (std::size_t k = 0; k < m_group.elements.size(); ++k) {
        const Slot& slot = m_slots[k];
        const Coordinate measured = measure(slot, y);
        const double s_damper = slot.characteristic.passiveDamperLength(measured.s, damperLength(slot, measured.s, y));
        BranchForce force;
        if (slot.holds(branches[k])) {
            force.terms.f = force.terms.f_d = force.terms.f_d2 = m_sticking[static_cast<Eigen::Index>(k)];
            force.terms.contact = true;
        } else {
            force = forceOf(slot, branches[k], t, measured, s_damper);
        }
        ReferenceElementState& out = state.elements[static_cast<std::size_t>(slot.index)];
        out.s = measured.s;
        out.v = measured.v;
        out.s_damper = slot.friction == nullptr  ? s_damper
                       : slot.holds(branches[k]) ? slot.friction->sticking(force.terms.f)
                                                 : std::copysign(FrictionLaw::kSlides + shareAt(slot, t), measured.v);
        out.pointA = measured.pointA;
        out.pointB = measured.pointB;
        out.force = force.terms;
        out.lossPower = force.lossPower;
        out.dissipatedPower = force.dissipatedPower;
        out.storedEnergy = slot.characteristic.storedEnergy(measured.s, s_damper);
        out.impulse = y[slot.integrals];
        out.heat = y[slot.integrals + 1];
    }
}

}  // namespace elasto::reference
