#include "rigid/rigid_system.h"

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "law/hybrid_law.h"
#include "numerics/elementary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace elasto::flow {

void RigidSystem::begin(double h) {
    m_h = h;
    m_tolerance = m_settings.stepTolerance();
    m_leastSteps = 0;
    m_longestStep = std::numeric_limits<double>::infinity();
    m_poseStep = 1e-9;
    m_steps.begin();
    m_events.clear();
    beginBodies();
    beginRows();
    m_spins.begin(0, m_slots.size());
    readStart();
    choosePhases();
    listExits();
    countBoundedTurns(0, m_start);
    m_bounded.start(*this, m_start);
}

void RigidSystem::beginBodies() {
    const FlowNetwork& network = m_network;
    m_movable = 0;
    m_speed = m_settings.velocityFloor;
    m_slots.clear();
    m_loads.clear();
    for (const FlowBody& body : network.bodies) {
        m_slots.push_back(body.isImmovable() ? -1 : m_movable++);
        const bool isPlain = body.force.isConstant() && body.torque.isConstant() && body.torque.constant.isZero(0) &&
                             body.angularFactor == Eigen::Vector3d::Ones();
        m_loads.push_back({isPlain, linearResponse(body, body.force.constant)});
        m_speed = std::max({m_speed, body.velocity.norm(), m_h * m_loads.back().acceleration.norm()});
    }
    m_energy = energy(network) + loadEnergy(network, m_h);
    m_mass = m_inertia = 0;
    for (const FlowBody& body : network.bodies) {
        if (body.inverseMass > 0) m_mass += 1 / body.inverseMass;
        const double inverse = body.inverseInertia.maxCoeff();
        if (inverse > 0) m_inertia += 1 / inverse;
    }
    m_bodies.resize(network.bodies.size());
    // A body by itself is left to its own integration.
    const bool isConnected = !network.elements.empty() || !network.joints.empty();
    m_centroidal = {};
    if (isConnected) m_centroidal.begin(network);
    const auto isLoaded = [](const FlowBody& body) {
        const auto acts = [](const QuadraticLoad& load) { return !load.constant.isZero(0) || !load.isConstant(); };
        return acts(body.force) || acts(body.torque);
    };
    m_countsMoment =
        m_centroidal.isFreeFloating() && std::any_of(network.bodies.begin(), network.bodies.end(), isLoaded);
    m_rotors.clear();
    if (m_countsMoment) m_rotors = carriedRotors(network);
}

/// Elements, joints, motors and limits.
void RigidSystem::beginRows() {
    const FlowNetwork& network = m_network;
    m_laws.clear();
    m_turns.clear();
    m_turnRates.assign(network.elements.size(), {});
    m_turnsAt = 0;
    for (const FlowElement& element : network.elements) {
        m_laws.push_back(HybridLaw::from(element.law));
        m_turns.push_back(Turns::of(element));
    }
    m_bounded.begin(network.bounded, m_h);
    m_boundedTurns.clear();
    m_boundedRates.assign(network.bounded.size(), {});
    for (const BoundedRow& row : network.bounded) m_boundedTurns.push_back(Turns::of(row));
    m_reactions = 0;
    m_hasRowQuadratures = false;
    m_held.bind(network);
    for (const HeldRow& row : network.joints) {
        m_reactions = std::max(m_reactions, row.reaction + 1);
        m_hasRowQuadratures |= row.reaction >= 0;
    }
    for (const BoundedRow& row : network.bounded) m_reactions = std::max(m_reactions, row.reaction + 1);
    m_isDriven = isDrivenThroughJoints(network);
    m_hasRowQuadratures |= m_isDriven || !network.bounded.empty();
}

/// Phases and turns of the elements at the start.
void RigidSystem::choosePhases() {
    const FlowNetwork& network = m_network;
    m_phases.resize(elementCount());
    const Eigen::VectorXd& y = m_start;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Row row = rowOf(e, 0, y);
        m_turns[e] = Turns::found(network.elements[e], row);
        if (network.elements[e].geometry == Geometry::AlongLine) {
            // A difference must not reach across a short line, whose direction it would turn round.
            m_poseStep = std::clamp(1e-3 * row.s, 1e-13, m_poseStep);
        }
        // The acceleration only matters for contacts that touch at rest; the bodies' own decides there.
        double a = 0;
        const auto add = [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            if (isMovable(body)) {
                const FlowBody& b = network.bodies[static_cast<std::size_t>(body)];
                a += linear.dot(linearResponse(b, b.force.constant));
                a += angular.dot(loadResponse(b, b.orientation, b.torque.constant));
            }
        };
        forEachEnd(network.elements[e], row, add);
        m_phases[e] = classify(m_laws[e], row.s, row.v, a, damperLength(e, m_start));
    }
}

void RigidSystem::readStart() {
    Eigen::VectorXd& y = m_start;
    y.setZero(size());
    for (std::size_t i = 0; i < m_network.bodies.size(); ++i) {
        if (m_slots[i] >= 0) {
            const FlowBody& body = m_network.bodies[i];
            y.segment<3>(13 * m_slots[i]) = body.position;
            y.segment<4>(13 * m_slots[i] + 3) = body.orientation.coeffs();
            y.segment<3>(13 * m_slots[i] + 7) = body.velocity;
            y.segment<3>(13 * m_slots[i] + 10) = body.angularVelocity;
        }
    }
    for (std::size_t e = 0; e < elementCount(); ++e) {
        y[zIndex(e)] = m_network.elements[e].s_damper;
    }
}

Motion RigidSystem::motionOf(int body, double t, const Eigen::VectorXd& y) const {
    if (body == kWorld) {
        return {};
    }
    if (!isMovable(body)) {
        Motion motion = Motion::of(m_network.bodies[static_cast<std::size_t>(body)]);
        motion.x += t * motion.v;
        motion.q = turned(motion.q, t * motion.w);
        return motion;
    }
    Motion motion;
    readMotion(body, t, y, motion);
    return motion;
}

/// Of a body that can move.
inline void RigidSystem::readMotion(int body, double t, const Eigen::VectorXd& y, Motion& motion) const {
    const Eigen::Index at = bodyIndex(body);
    motion.x = y.segment<3>(at);
    motion.q = m_spins.orientation(static_cast<std::size_t>(body), t, y.segment<4>(at + 3));
    motion.v = y.segment<3>(at + 7);
    motion.w = y.segment<3>(at + 10);
}

void RigidSystem::countSpins(double t, Eigen::VectorXd& y, bool isExplicit) {
    std::swap(m_spins, m_lastSpins);
    m_spins.begin(t, m_slots.size());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] < 0) continue;
        auto coordinates = y.segment<4>(13 * m_slots[i] + 3);
        const Eigen::Vector3d spin = y.segment<3>(13 * m_slots[i] + 10);
        coordinates = m_lastSpins.orientation(i, t, coordinates).coeffs();
        if (isExplicit && spin.norm() * m_h > kSlowTurn) m_spins.set(i, spin);
    }
    countTurns(t, y);
    m_turnRates.assign(elementCount(), {});
    m_boundedRates.assign(m_boundedTurns.size(), {});
    for (std::size_t e = 0; isExplicit && e < elementCount(); ++e) {
        if (!countsTurns(m_network.elements[e])) continue;
        m_turnRates[e] = Turns::rates(m_network.elements[e], rowOf(e, t, y));
    }
    for (std::size_t k = 0; isExplicit && k < m_boundedTurns.size(); ++k) {
        m_boundedRates[k] = Turns::rates(m_network.bounded[k], boundedRow(k, t, y));
    }
    findLongestStep(t, y);
}

void RigidSystem::countTurns(double t, const Eigen::VectorXd& y) {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (countsTurns(m_network.elements[e])) m_turns[e] = Turns::found(m_network.elements[e], rowOf(e, t, y));
    }
    countBoundedTurns(t, y);
    m_turnsAt = t;
}

void RigidSystem::countBoundedTurns(double t, const Eigen::VectorXd& y) {
    for (std::size_t k = 0; k < m_boundedTurns.size(); ++k) {
        m_boundedTurns[k] = Turns::found(m_network.bounded[k], boundedRow(k, t, y));
    }
}

Row RigidSystem::rowOf(std::size_t e, double t, const Eigen::VectorXd& y) const {
    const FlowElement& element = m_network.elements[e];
    return measureRow(
        element, [&](int body) { return motionOf(body, t, y); }, turnsAt(e, t));
}

void RigidSystem::readBody(std::size_t i, double t, const Eigen::VectorXd& y, BodyKinematics& bodies) const {
    const auto body = static_cast<int>(i);
    if (!isMovable(body)) return bodies.set(m_network.bodies[i], i, motionOf(body, t, y));
    readMotion(body, t, y, bodies.motions[i]);
    bodies.turn(m_network.bodies[i], i);
}

RigidSystem::BodyRates RigidSystem::bodyRates(std::size_t i, double t, const BodyKinematics& bodies) const {
    const FlowBody& body = m_network.bodies[i];
    const Motion& motion = bodies.motions[i];
    BodyRates rates;
    if (m_loads[i].isPlain && !m_countsMoment) {
        rates.acceleration << m_loads[i].acceleration, gyroscopicAcceleration(body, bodies.turns[i], motion.w);
        return rates;
    }
    const Eigen::Vector3d force = body.force.value(t);
    const Eigen::Vector3d torque = body.torque.value(t);
    rates.acceleration << linearResponse(body, force),
        bodies.inverses[i] * torque + gyroscopicAcceleration(body, bodies.turns[i], motion.w);
    // The work of a constant force follows from the displacement, without the noise of a quadrature. A force along an
    // axis that cannot move (factor 0) does none.
    const bool isCounted = !body.force.isConstant();
    for (int k = 0; k < 3; ++k) {
        rates.work += isCounted && body.inverseMass * body.linearFactor[k] > 0 ? force[k] * motion.v[k] : 0;
        rates.work += body.angularFactor[k] > 0 ? torque[k] * motion.w[k] : 0;
    }
    rates.work += lockingPower(body, bodies.turns[i], motion.w);
    if (m_countsMoment) rates.moment = (motion.x - m_centroidal.center()).cross(force) + torque;
    for (const CarriedRotor& rotor : m_rotors) {
        if (rotor.body == i) rates.moment = rotor.momentOf(torque) * rotor.axisNow(bodies.motions[rotor.carrier].q);
    }
    return rates;
}

RigidSystem::ElementRates RigidSystem::elementRates(std::size_t e, double z, const BodyKinematics& bodies) const {
    const FlowElement& element = m_network.elements[e];
    const HybridLaw& law = m_laws[e];
    const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
    const Row row = measureRow(element, motionAt, turnsAt(e, m_time));
    ElementRates rates;
    rates.f = forceInPhase(law, m_phases[e], row.s, row.v, z);
    forEachEnd(element, row, [&](int index, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (!isMovable(index)) return;
        const auto i = static_cast<std::size_t>(index);
        rates.bodies[rates.count] = index;
        rates.accelerations[rates.count++] << -rates.f * linearResponse(m_network.bodies[i], linear),
            -rates.f * (bodies.inverses[i] * angular);
    });
    rates.work = rates.f * drivenRate(m_network, element, row);
    if (law.kind == HybridLaw::Kind::Series) {
        rates.damper = damperRate(law, rates.f);
        rates.heat = rates.f * rates.damper;
    } else {
        rates.heat = (rates.f - springForceInPhase(law, m_phases[e], row.s)) * row.v;
    }
    return rates;
}

void RigidSystem::evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const {
    dydt.setZero(size());
    m_time = t;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        readBody(i, t, y, m_bodies);
        if (m_slots[i] < 0) continue;
        const Motion& motion = m_bodies.motions[i];
        const BodyRates rates = bodyRates(i, t, m_bodies);
        const Eigen::Index at = 13 * m_slots[i];
        dydt.segment<3>(at) = motion.v;
        dydt.segment<4>(at + 3) = m_spins.rate(i, y.segment<4>(at + 3), motion.q, motion.w);
        dydt.segment<6>(at + 7) = rates.acceleration;
        dydt[workIndex()] += rates.work;
        if (m_countsMoment) dydt.segment<3>(momentIndex()) += rates.moment;
    }
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const ElementRates rates = elementRates(e, y[zIndex(e)], m_bodies);
        for (int k = 0; k < rates.count; ++k) {
            dydt.segment<6>(bodyIndex(rates.bodies[k]) + 7) += rates.accelerations[k];
        }
        dydt[zIndex(e)] = rates.damper;
        dydt[pIndex(e)] = rates.f;
        dydt[heatIndex(e)] = rates.heat;
        dydt[workIndex()] += rates.work;
    }
    if (!m_held.empty() || !m_network.bounded.empty()) addJointForces(dydt);
}

void RigidSystem::addJointForces(Eigen::VectorXd& dydt) const {
    m_accelerations.assign(m_slots.size(), Vector6::Zero());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) m_accelerations[i] = dydt.segment<6>(13 * m_slots[i] + 7);
    }
    addPushes(m_bodies, m_accelerations);
    m_held.place(m_bodies);
    // Impulses that are reported are to be exact, and forces of motors and limits are compared with bounds. Where
    // springs hold what there is of energy, the motion has none to spare for what forces get wrong.
    const bool isExact = m_hasRowQuadratures || std::any_of(m_phases.begin(), m_phases.end(),
                                                            [](const Phase& phase) { return phase.inContact(); });
    m_held.keep(m_accelerations, isExact);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) dydt.segment<6>(13 * m_slots[i] + 7) = m_accelerations[i];
    }
    if (!m_hasRowQuadratures) return;
    m_held.keptForces(m_jointForces);
    addRowQuadratures(m_bodies, m_jointForces, dydt.tail(size() - workIndex()));
}

void RigidSystem::addRowQuadratures(const BodyKinematics& bodies, const Eigen::VectorXd& forces,
                                    Eigen::Ref<Eigen::VectorXd> rates) const {
    for (std::size_t k = 0; k < m_held.size(); ++k) {
        addHeldQuadratures(k, m_held.measure(k), forces[static_cast<Eigen::Index>(k)], rates);
    }
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (m_bounded.isPushing(k)) addPushQuadratures(k, bodies, 1, rates);
    }
}

void RigidSystem::addDrive(std::size_t bounded, const RowMeasure& measure, double force, double drivenRate,
                           Eigen::Ref<Eigen::VectorXd> rates) const {
    const BoundedRow& row = m_network.bounded[bounded];
    const double rate = row.kind == BoundedRow::Kind::Motor ? measure.rate + row.targetRate : 0;
    rates[0] += force * (rate - drivenRate);
    addWork(bounded, force * rate, rates);
}

/// Work of a motor, or its rate, beside that of all loads. What friction takes is no motor's.
void RigidSystem::addWork(std::size_t bounded, double work, Eigen::Ref<Eigen::VectorXd> rates) const {
    if (!m_network.bounded[bounded].friction.isDry()) rates[1] += work;
    rates[2 + static_cast<Eigen::Index>(m_network.bounded.size() + bounded)] += work;
}

void RigidSystem::boundedForces(double t, const Eigen::VectorXd& y, std::vector<double>& forces) const {
    forces.clear();
    if (m_bounded.empty()) return;
    evaluate(t, y, m_scratch);
    for (std::size_t k = 0; k < m_bounded.size(); ++k) forces.push_back(m_bounded.push(k, rowRate(k, t, y), t));
    const std::vector<int>& held = m_bounded.held();
    for (std::size_t i = 0; i < held.size(); ++i) {
        forces[static_cast<std::size_t>(held[i])] =
            m_jointForces[static_cast<Eigen::Index>(m_network.joints.size() + i)];
    }
}

void RigidSystem::addHeldQuadratures(std::size_t row, const RowMeasure& measure, double force,
                                     Eigen::Ref<Eigen::VectorXd> rates) const {
    const std::size_t joints = m_network.joints.size();
    const double driven = m_held.with(row, [&](const auto& link) { return drivenRate(m_network, link, measure); });
    if (row < joints) {
        rates[0] += force * workingRate(measure.rate, driven);
    } else {
        const auto index = static_cast<std::size_t>(m_held.bounded()[row - joints]);
        addDrive(index, measure, force, driven, rates);
        rates[2 + static_cast<Eigen::Index>(index)] += force;
    }
    addReaction(m_held.with(row, [](const auto& link) { return link.reaction; }), measure, force, rates);
}

/// Rate at which the force of a joint's row works on what can be accelerated. Rows that hold have no rate: then it is
/// the work that driven bodies do through them. Where what drives two bodies contradicts their joint, the joint slips,
/// and what that takes or gives is nobody's heat. Between bodies that nothing drives joints do no work: what drifts is
/// an error that the balance shows.
double RigidSystem::workingRate(double rate, double driven) const {
    return m_isDriven ? rate - driven : 0;
}

void RigidSystem::addPushQuadratures(std::size_t bounded, const BodyKinematics& bodies, double share,
                                     Eigen::Ref<Eigen::VectorXd> rates) const {
    const BoundedRow& row = m_network.bounded[bounded];
    const RowMeasure measure = measureHeld(row, [&](int body) -> const Motion& { return bodies.at(body); });
    const double push = share * m_bounded.push(bounded, measure.rate, m_time);
    addDrive(bounded, measure, push, drivenRate(m_network, row, measure), rates);
    rates[2 + static_cast<Eigen::Index>(bounded)] += push;
    addReaction(row.reaction, measure, push, rates);
}

void RigidSystem::addReaction(int index, const RowMeasure& measure, double force,
                              Eigen::Ref<Eigen::VectorXd> rates) const {
    if (index < 0) return;
    auto reaction = rates.segment<kReactionSize>(reactionIndex(index) - workIndex());
    reaction.head<3>() += force * measure.linear;
    reaction.segment<3>(3) += force * measure.angularA;
    reaction.tail<3>() += force * measure.angularB;
}

Reaction RigidSystem::reaction(std::size_t index, const Eigen::VectorXd& y) const {
    const Eigen::Index at = reactionIndex(static_cast<int>(index));
    return {y.segment<3>(at), y.segment<3>(at + 3), y.segment<3>(at + 6)};
}

Eigen::Vector3d RigidSystem::moment(const Eigen::VectorXd& y) const {
    return m_countsMoment ? Eigen::Vector3d(y.segment<3>(momentIndex())) : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

}  // namespace elasto::flow
