#include "mechanics.h"

#include "rigid_body.h"

#include <elasto/errors.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace elasto::reference {

using Eigen::Quaterniond;
using Eigen::Vector3d;

namespace {

const BodyState& stateOf(int body, const std::vector<BodyState>& states) {
    static const BodyState world;
    return body == kWorld ? world : states[static_cast<std::size_t>(body)];
}

}  // namespace

Mechanics::Mechanics(const ReferenceProblem& problem, const std::vector<int>& bodies, std::vector<int> elements)
    : m_problem(problem), m_elements(std::move(elements)) {
    const std::size_t bodyCount = problem.network.bodies.size();
    m_offsetOfBody.assign(bodyCount, -1);
    m_states.resize(bodyCount);
    m_forces.resize(bodyCount);
    m_torques.resize(bodyCount);

    int offset = 0;
    for (int index : bodies) {
        const FlowBody& body = problem.network.bodies[static_cast<std::size_t>(index)];
        const bool turns = canTurn(body);
        m_bodySlots.push_back({index, offset, turns});
        m_offsetOfBody[static_cast<std::size_t>(index)] = offset;
        offset += turns ? 13 : 6;
    }
    m_bodyPart = offset;
    for (int index : m_elements) {
        const FlowElement& element = problem.network.elements[static_cast<std::size_t>(index)];
        ElementSlot slot{.index = index, .characteristic = Characteristic(element.law), .geared = element};
        slot.geared.a = element.geared.a;
        slot.geared.b = element.geared.b;
        slot.geared.axis = element.geared.axis;
        slot.geared.frameA = element.geared.frameA;
        slot.geared.frameB = element.geared.frameB;
        slot.friction = std::get_if<FrictionLaw>(&element.law);
        const auto canSwing = [&](int end) {
            return end != kWorld && canTurn(problem.network.bodies[static_cast<std::size_t>(end)]);
        };
        if (slot.friction != nullptr && element.geometry != Geometry::AboutAxis &&
            (canSwing(element.a) || canSwing(element.b))) {
            throw InvalidParameter("solveReference", "friction along an axis is solved for bodies that do not turn");
        }
        const auto place = static_cast<std::size_t>(index);
        if (place < problem.f_normalized.size()) slot.share = problem.f_normalized[place];
        if (element.geometry == Geometry::AboutAxis) slot.angle = offset++;
        if (slot.characteristic.hasDamperState()) slot.damper = offset++;
        m_elementSlots.push_back(slot);
    }
    m_dynamicSize = offset;
    for (ElementSlot& slot : m_elementSlots) {
        slot.integrals = offset;
        offset += 2;
    }
    m_size = offset;
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
    const auto body = static_cast<std::size_t>(index);
    const FlowBody& given = m_problem.network.bodies[body];
    const int offset = m_offsetOfBody[body];
    if (offset < 0) {
        const bool driven = body < m_problem.drives.size() && m_problem.drives[body].motion;
        return driven ? m_problem.drives[body].motion(driveTime(t)) : drift(given, t);
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

void Mechanics::gather(double t, const double* y, std::vector<BodyState>& states) const {
    m_gatheredAt = t;
    for (const BodySlot& slot : m_bodySlots) states[static_cast<std::size_t>(slot.index)] = bodyState(slot.index, t, y);
    for (const ElementSlot& slot : m_elementSlots) {
        const FlowElement& element = m_problem.network.elements[static_cast<std::size_t>(slot.index)];
        for (int end : {element.a, element.b, element.geared.a, element.geared.b}) {
            if (end != kWorld && m_offsetOfBody[static_cast<std::size_t>(end)] < 0)
                states[static_cast<std::size_t>(end)] = bodyState(end, t, y);
        }
    }
}

Mechanics::Measured Mechanics::measure(const ElementSlot& slot, const std::vector<BodyState>& states,
                                       const double* y) const {
    const FlowElement& element = m_problem.network.elements[static_cast<std::size_t>(slot.index)];
    const BodyState& a = stateOf(element.a, states);
    const BodyState& b = stateOf(element.b, states);
    Measured out;
    if (element.geometry == Geometry::AboutAxis) {
        const Twist twist = twistBetween(element, a, b);
        out.direction = twist.gradient;
        const Vector3d turning = b.angularVelocity - a.angularVelocity;
        out.v = twist.gradient.dot(turning);
        out.speed = twist.gradient.norm() * turning.norm();
        if (element.isGeared()) {
            const double ratio = element.geared.ratio;
            const BodyState& c = stateOf(slot.geared.a, states);
            const BodyState& d = stateOf(slot.geared.b, states);
            out.geared = ratio * twistBetween(slot.geared, c, d).gradient;
            const Vector3d second = d.angularVelocity - c.angularVelocity;
            out.v -= out.geared.dot(second);
            out.speed += out.geared.norm() * second.norm();
            // Turns of both wheels count, which only the integral of the rate knows.
            out.s = y[slot.angle];
            return out;
        }
        constexpr double kTurn = 6.283185307179586476925286766559;
        out.s = twist.angle + kTurn * std::round((y[slot.angle] - twist.angle) / kTurn);
        return out;
    }

    const Vector3d fromA = a.orientation * element.pointA;
    out.armB = b.orientation * element.pointB;
    out.pointA = a.position + fromA;
    out.pointB = b.position + out.armB;
    const Vector3d distance = out.pointB - out.pointA;
    if (element.geometry == Geometry::AlongLine) {
        out.s = distance.norm();
        out.direction = distance / std::max(out.s, element.s_small);
        out.armA = fromA;
    } else {
        // The axis turns with a, so that a feels the force where it acts: at b's point.
        out.direction = a.orientation * element.axis;
        out.s = out.direction.dot(distance);
        out.armA = fromA + distance;
    }
    const Vector3d velocity =
        b.velocity + b.angularVelocity.cross(out.armB) - a.velocity - a.angularVelocity.cross(out.armA);
    out.v = out.direction.dot(velocity);
    out.speed = velocity.norm();
    return out;
}

double Mechanics::damperLength(const ElementSlot& slot, double s, const double* y) const {
    return slot.damper >= 0 ? slot.characteristic.innerState(s, y[slot.damper])
                            : m_problem.network.elements[static_cast<std::size_t>(slot.index)].s_damper;
}

void Mechanics::bodyDerivative(const BodySlot& slot, double t, const double* y, const Vector3d& elementForce,
                               const Vector3d& elementTorque, double* dy) const {
    const auto index = static_cast<std::size_t>(slot.index);
    const FlowBody& body = m_problem.network.bodies[index];
    const BodyState& state = m_states[index];
    Vector3d force = elementForce + body.force.value(t);
    Vector3d torque = elementTorque + body.torque.value(t);
    Vector3d decay = Vector3d::Zero();
    Vector3d angularDecay = Vector3d::Zero();
    if (index < m_problem.drives.size()) {
        const BodyDrive& drive = m_problem.drives[index];
        if (drive.force) force += drive.force(driveTime(t));
        if (drive.torque) torque += drive.torque(driveTime(t));
        if (drive.wrench) {
            const LoadValue value = drive.wrench(driveTime(t), state.orientation);
            force += value.head<3>();
            torque += value.tail<3>();
        }
        if (drive.linearDamping > 0) decay = std::log1p(-drive.linearDamping) * state.velocity;
        if (drive.angularDamping > 0) angularDecay = std::log1p(-drive.angularDamping) * state.angularVelocity;
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

void Mechanics::derivative(double t, const double* y, const Branches& branches, double* dy) const {
    gather(t, y, m_states);
    for (const BodySlot& slot : m_bodySlots) {
        m_forces[static_cast<std::size_t>(slot.index)].setZero();
        m_torques[static_cast<std::size_t>(slot.index)].setZero();
    }
    for (std::size_t k = 0; k < m_elementSlots.size(); ++k) {
        const ElementSlot& slot = m_elementSlots[k];
        const FlowElement& element = m_problem.network.elements[static_cast<std::size_t>(slot.index)];
        const Measured measured = measure(slot, m_states, y);
        if (sticks(slot, branches[k])) {
            if (slot.angle >= 0) dy[slot.angle] = measured.v;
            continue;
        }
        const BranchForce force = forceOf(slot, branches[k], t, measured, damperLength(slot, measured.s, y));
        if (slot.angle >= 0) dy[slot.angle] = measured.v;
        if (slot.damper >= 0) dy[slot.damper] = slot.characteristic.damperRate(branches[k], force.terms.f, measured.v);
        dy[slot.integrals] = force.terms.f;
        dy[slot.integrals + 1] = force.dissipatedPower;

        const Vector3d pull = force.terms.f * measured.direction;
        const auto add = [&](int body, const Vector3d& vector, const Vector3d& arm) {
            if (body == kWorld) return;
            const auto index = static_cast<std::size_t>(body);
            if (element.geometry == Geometry::AboutAxis) {
                m_torques[index] += vector;
            } else {
                m_forces[index] += vector;
                m_torques[index] += arm.cross(vector);
            }
        };
        add(element.a, pull, measured.armA);
        add(element.b, -pull, measured.armB);
        if (!element.isGeared()) continue;
        add(element.geared.a, -force.terms.f * measured.geared, Vector3d::Zero());
        add(element.geared.b, force.terms.f * measured.geared, Vector3d::Zero());
    }
    for (const BodySlot& slot : m_bodySlots) {
        const auto index = static_cast<std::size_t>(slot.index);
        bodyDerivative(slot, t, y, m_forces[index], m_torques[index], dy);
    }
    addSticking(y, branches, dy);
}

double Mechanics::shareAt(const ElementSlot& slot, double t) const {
    return slot.share ? std::max(0., slot.share(driveTime(t))) : 1;
}

/// Of one that does not stick.
BranchForce Mechanics::forceOf(const ElementSlot& slot, Branch branch, double t, const Measured& measured,
                               double s_damper) const {
    if (slot.friction == nullptr) return slot.characteristic.force(branch, measured.s, measured.v, s_damper);
    BranchForce out;
    ForceTerms& terms = out.terms;
    terms.f = branch.side * shareAt(slot, t) * slot.friction->sliding(branch.side * measured.v);
    terms.f_d = terms.f_d2 = terms.f;
    out.lossPower = out.dissipatedPower = terms.f * measured.v;
    return out;
}

void Mechanics::boundaries(double t, const double* y, const Branches& branches, double* g) const {
    const bool hasFriction = std::any_of(m_elementSlots.begin(), m_elementSlots.end(),
                                         [](const ElementSlot& slot) { return slot.friction != nullptr; });
    if (hasFriction) {
        m_rates.resize(m_size);
        derivative(t, y, branches, m_rates.data());  // for what sticks
    }
    gather(t, y, m_states);
    for (std::size_t k = 0; k < m_elementSlots.size(); ++k) {
        const ElementSlot& slot = m_elementSlots[k];
        Characteristic::Boundaries values = {1, 1, 1};
        if (slot.friction != nullptr) {
            const Measured measured = measure(slot, m_states, y);
            values = frictionBoundaries(k, branches[k], t, measured.s, measured.v);
        } else if (slot.characteristic.hasBranches()) {
            const Measured measured = measure(slot, m_states, y);
            values =
                slot.characteristic.boundaries(branches[k], measured.s, measured.v, damperLength(slot, measured.s, y));
        }
        std::copy(values.begin(), values.end(), g + k * Characteristic::kMaxBoundaries);
    }
}

int Mechanics::distanceCount(int local, Branch branch) const {
    return m_elementSlots[static_cast<std::size_t>(local)].characteristic.distanceCount(branch);
}

bool Mechanics::hasBranches() const {
    return std::any_of(m_elementSlots.begin(), m_elementSlots.end(),
                       [](const ElementSlot& slot) { return slot.characteristic.hasBranches(); });
}

void Mechanics::boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors,
                              double* noise) const {
    gather(t, y, m_states);
    const auto body = m_bodySlots.front().offset;
    for (std::size_t k = 0; k < m_elementSlots.size(); ++k) {
        const ElementSlot& slot = m_elementSlots[k];
        const Measured measured = measure(slot, m_states, y);
        const double ds = slot.angle >= 0 ? errors[slot.angle] : errors[body];
        const double dv = slot.angle >= 0 && m_bodySlots.front().turns ? errors[body + 10] : errors[body + 3];
        auto values = slot.characteristic.boundaryNoise(branches[k], measured.s, measured.v, ds, dv);
        if (slot.friction != nullptr) {
            constexpr double kForceNoise = 1e-11;
            const double force = kForceNoise * slot.friction->largest();
            values = sticks(slot, branches[k]) ? Characteristic::Boundaries{0, force, force}
                                               : Characteristic::Boundaries{dv, dv, dv};
        }
        std::copy(values.begin(), values.end(), noise + k * Characteristic::kMaxBoundaries);
    }
}

void Mechanics::speedBounds(double t, const double* y, double* speeds) const {
    gather(t, y, m_states);
    for (std::size_t k = 0; k < m_elementSlots.size(); ++k) speeds[k] = measure(m_elementSlots[k], m_states, y).speed;
}

double Mechanics::rate(double t, const double* y, int local) const {
    gather(t, y, m_states);
    return measure(m_elementSlots[static_cast<std::size_t>(local)], m_states, y).v;
}

Branch Mechanics::beyond(double t, const double* y, const Branches& branches, int local, int boundary) const {
    const auto k = static_cast<std::size_t>(local);
    if (m_elementSlots[k].friction != nullptr) {
        return frictionBeyond(k, t, y, branches, boundary, rate(t, y, local));
    }
    return m_elementSlots[k].characteristic.beyond(branches[k], boundary, rate(t, y, local));
}

void Mechanics::settle(int local, Branch branch, double* y) const {
    const ElementSlot& slot = m_elementSlots[static_cast<std::size_t>(local)];
    if (slot.damper >= 0) y[slot.damper] = slot.characteristic.settled(branch, y[slot.damper]);
    if (slot.friction != nullptr) stop(slot, branch, y);
}

void Mechanics::report(double t, const double* y, const Branches& branches, ReferenceState& state) const {
    gather(t, y, m_states);
    for (const BodySlot& slot : m_bodySlots)
        state.bodies[static_cast<std::size_t>(slot.index)] = m_states[static_cast<std::size_t>(slot.index)];
    for (std::size_t k = 0; k < m_elementSlots.size(); ++k) {
        const ElementSlot& slot = m_elementSlots[k];
        const Measured measured = measure(slot, m_states, y);
        const double s_damper = slot.characteristic.passiveDamperLength(measured.s, damperLength(slot, measured.s, y));
        BranchForce force;
        if (sticks(slot, branches[k])) {
            m_rates.resize(m_size);
            derivative(t, y, branches, m_rates.data());
            force.terms.f = force.terms.f_d = force.terms.f_d2 = m_sticking[static_cast<Eigen::Index>(k)];
            force.terms.contact = true;
        } else {
            force = forceOf(slot, branches[k], t, measured, s_damper);
        }
        ReferenceElementState& out = state.elements[static_cast<std::size_t>(slot.index)];
        out.s = measured.s;
        out.v = measured.v;
        out.s_damper = slot.friction == nullptr    ? s_damper
                       : sticks(slot, branches[k]) ? slot.friction->sticking(force.terms.f)
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
