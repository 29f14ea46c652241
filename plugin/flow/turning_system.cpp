#include "turning_system.h"

#include "dop853.h"
#include "elementary.h"
#include "hybrid_integrator.h"
#include "network_state.h"
#include "solve_rows.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {
namespace {

// Oscillation that explicit steps can follow [rad per step]. What is stiffer is left to RODAS4: at rest it is quiet.
constexpr double kExplicitReach = 0.5;

// Oscillation per tick [rad], and damping, up to which an element is no more demanding than turning bodies are.
constexpr double kSlow = 0.1;

// A first step of what oscillates [rad]: of order 8 with a tolerance of 1e-11, or implicit; and with the looser one of
// elements that ring among joints.
constexpr double kPhase = 0.1;
constexpr double kLoosePhase = 0.3;

// What bodies do that swing grows with their angular acceleration: a first step turns by this, at a tolerance of 1, as
// sqrt(acceleration) x time. Where bodies whirl a longer one fails as often as not.
constexpr double kSwing = 2;

// Steps shorter than this share of the tick may do to the energy what they do: then it is not their length that is
// wrong, but what earlier ones have left of the joints' rates.
constexpr double kShortStep = 1. / 8;

// How far an event function stays from zero on a step, as a share of how large it is there, if none is looked for; and
// the cosine of the angle by which its direction may turn.
constexpr double kFar = 0.25;
constexpr double kHardlyTurned = 0.8;

}  // namespace

void TurningSystem::begin(double h) {
    const FlowNetwork& network = m_network;
    m_h = h;
    m_tolerance = m_settings.tolerance;
    m_leastSteps = 0;
    m_swings = false;
    m_rings = false;
    m_largestShare = 0;
    m_poseStep = 1e-9;
    m_movable = 0;
    m_speed = m_settings.velocityFloor;
    m_slots.clear();
    m_loads.clear();
    for (const FlowBody& body : network.bodies) {
        m_slots.push_back(body.isImmovable() ? -1 : m_movable++);
        const bool isPlain = body.force.isConstant() && body.torque.isConstant() && body.torque.constant.isZero(0);
        m_loads.push_back({isPlain, linearResponse(body, body.force.constant)});
        m_speed = std::max({m_speed, body.velocity.norm(), h * m_loads.back().acceleration.norm()});
    }
    m_laws.clear();
    m_turns.clear();
    for (const FlowElement& element : network.elements) {
        m_laws.push_back(RowLaw::from(element.law));
        m_turns.push_back(Turns::of(element));
    }
    m_events.clear();
    m_boundedPhases.clear();
    m_boundedPhi.clear();
    m_gapShift.clear();
    m_boundedExits.clear();
    m_forceRanges.clear();
    m_limitLoss = 0;
    m_reactions = 0;
    m_hasRowQuadratures = false;
    m_held.bind(network);
    m_eventTime = -1;
    m_returnAtStiffness = false;
    m_watchesFastness = false;
    m_stiffContactBegan = false;
    m_phases.resize(elementCount());
    m_bodies.resize(network.bodies.size());
    const auto isDriven = [&](int body) { return body != kWorld && !isMovable(body); };
    for (const HeldRow& row : network.joints) {
        m_reactions = std::max(m_reactions, row.reaction + 1);
        m_hasRowQuadratures |= row.reaction >= 0 || isDriven(row.a) || isDriven(row.b);
    }
    for (const BoundedRow& row : network.bounded) m_reactions = std::max(m_reactions, row.reaction + 1);
    m_hasRowQuadratures |= !network.bounded.empty();
    // A body alone is left to its own integration.
    const bool isConnected = !network.elements.empty() || !network.joints.empty();
    m_flying = {};
    if (isConnected) m_flying.begin(network);
    const auto isLoaded = [](const FlowBody& body) {
        const auto acts = [](const QuadraticLoad& load) { return !load.constant.isZero(0) || !load.isConstant(); };
        return acts(body.force) || acts(body.torque);
    };
    m_countsMoment = m_flying.isFlying() && std::any_of(network.bodies.begin(), network.bodies.end(), isLoaded);
    readStart();
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
        m_phases[e] = classify(m_laws[e], row.s, row.v, a);
    }
    listExits();
    if (!network.bounded.empty()) startBounded();
}

void TurningSystem::readStart() {
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

Motion TurningSystem::motionOf(int body, double t, const Eigen::VectorXd& y) const {
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
    readMotion(body, y, motion);
    return motion;
}

/// Of a body that can move.
inline void TurningSystem::readMotion(int body, const Eigen::VectorXd& y, Motion& motion) const {
    const Eigen::Index at = bodyIndex(body);
    motion.x = y.segment<3>(at);
    motion.q.coeffs() = y.segment<4>(at + 3).normalized();
    motion.v = y.segment<3>(at + 7);
    motion.w = y.segment<3>(at + 10);
}

Row TurningSystem::rowOf(std::size_t e, double t, const Eigen::VectorXd& y) const {
    const FlowElement& element = m_network.elements[e];
    return measureRow(
        element, [&](int body) { return motionOf(body, t, y); }, m_turns[e]);
}

void TurningSystem::readBody(std::size_t i, double t, const Eigen::VectorXd& y, BodiesNow& bodies) const {
    const auto body = static_cast<int>(i);
    if (!isMovable(body)) return bodies.set(m_network.bodies[i], i, motionOf(body, t, y));
    readMotion(body, y, bodies.motions[i]);
    bodies.turn(m_network.bodies[i], i);
}

TurningSystem::BodyRates TurningSystem::bodyRates(std::size_t i, double t, const BodiesNow& bodies) const {
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
    // The work of a constant force follows from the way, without the noise of a quadrature. A force along an axis that
    // cannot move (factor 0) does none.
    const bool isCounted = !body.force.isConstant();
    for (int k = 0; k < 3; ++k) {
        rates.work += isCounted && body.inverseMass * body.linearFactor[k] > 0 ? force[k] * motion.v[k] : 0;
        rates.work += body.angularFactor[k] > 0 ? torque[k] * motion.w[k] : 0;
    }
    if (m_countsMoment) rates.moment = (motion.x - m_flying.center()).cross(force) + torque;
    return rates;
}

TurningSystem::ElementRates TurningSystem::elementRates(std::size_t e, double z, const BodiesNow& bodies) const {
    const FlowElement& element = m_network.elements[e];
    const RowLaw& law = m_laws[e];
    const auto motionAt = [&](int body) -> const Motion& { return bodies.at(body); };
    const Row row = measureRow(element, motionAt, m_turns[e]);
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
    if (law.kind == RowLaw::Kind::Series) {
        rates.damper = damperRate(law, rates.f);
        rates.heat = rates.f * rates.damper;
    } else {
        rates.heat = (rates.f - springForceInPhase(law, m_phases[e], row.s)) * row.v;
    }
    return rates;
}

void TurningSystem::evaluate(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) const {
    dydt.setZero(size());
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        readBody(i, t, y, m_bodies);
        if (m_slots[i] < 0) continue;
        const Motion& motion = m_bodies.motions[i];
        const BodyRates rates = bodyRates(i, t, m_bodies);
        const Eigen::Index at = 13 * m_slots[i];
        const Eigen::Quaterniond turning = Eigen::Quaterniond(0, motion.w[0], motion.w[1], motion.w[2]) * motion.q;
        dydt.segment<3>(at) = motion.v;
        dydt.segment<4>(at + 3) = 0.5 * turning.coeffs();
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

void TurningSystem::addJointForces(Eigen::VectorXd& dydt) const {
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
    addRowQuadratures(m_bodies, true, m_jointForces, dydt.tail(size() - workIndex()));
}

void TurningSystem::addRowQuadratures(const BodiesNow& bodies, bool isPlaced, const Eigen::VectorXd& forces,
                                      Eigen::Ref<Eigen::VectorXd> rates) const {
    const auto addDrive = [&](const BoundedRow& row, const HeldMeasure& measure, double force, double drivenRate) {
        const double rate = row.kind == BoundedRow::Kind::Motor ? measure.rate + row.targetRate : 0;
        rates[0] += force * (rate - drivenRate);
        rates[1] += force * rate;
    };
    const std::size_t joints = m_network.joints.size();
    for (std::size_t k = 0; k < m_held.size(); ++k) {
        const HeldMeasure measure = isPlaced ? m_held.measure(k) : m_held.measureAt(k, bodies);
        const double force = forces[static_cast<Eigen::Index>(k)];
        const double driven = m_held.with(k, [&](const auto& link) { return drivenRate(m_network, link, measure); });
        if (k < joints) {
            // A driven body works through its joints; between bodies that move they do no work.
            rates[0] -= force * driven;
        } else {
            const auto index = static_cast<std::size_t>(m_held.bounded()[k - joints]);
            addDrive(m_network.bounded[index], measure, force, driven);
            rates[2 + static_cast<Eigen::Index>(index)] += force;
        }
        addReaction(m_held.with(k, [](const auto& link) { return link.reaction; }), measure, force, rates);
    }
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        const double push = pushOf(k);
        if (push == 0) continue;
        const BoundedRow& row = m_network.bounded[k];
        const HeldMeasure measure = measureHeld(row, bodies.at(row.a), bodies.at(row.b));
        addDrive(row, measure, push, drivenRate(m_network, row, measure));
        rates[2 + static_cast<Eigen::Index>(k)] += push;
        addReaction(row.reaction, measure, push, rates);
    }
}

void TurningSystem::addReaction(int index, const HeldMeasure& measure, double force,
                                Eigen::Ref<Eigen::VectorXd> rates) const {
    if (index < 0) return;
    auto reaction = rates.segment<kReactionSize>(reactionIndex(index) - workIndex());
    reaction.head<3>() += force * measure.linear;
    reaction.segment<3>(3) += force * measure.angularA;
    reaction.tail<3>() += force * measure.angularB;
}

Reaction TurningSystem::reaction(std::size_t index, const Eigen::VectorXd& y) const {
    const Eigen::Index at = reactionIndex(static_cast<int>(index));
    return {y.segment<3>(at), y.segment<3>(at + 3), y.segment<3>(at + 6)};
}

Eigen::Vector3d TurningSystem::moment(const Eigen::VectorXd& y) const {
    return m_countsMoment ? Eigen::Vector3d(y.segment<3>(momentIndex())) : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

double TurningSystem::errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double /*dt*/) const {
    double speed = m_settings.velocityFloor;
    double spin = m_settings.velocityFloor;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) {
            const FlowBody& body = m_network.bodies[i];
            const Eigen::Index at = 13 * m_slots[i];
            speed = std::max(
                {speed, y.segment<3>(at + 7).norm(), 0.1 * m_h * linearResponse(body, body.force.constant).norm()});
            spin = std::max(spin, y.segment<3>(at + 10).norm());
        }
    }
    double largest = 0;
    for (const Eigen::Index slot : m_slots) {
        if (slot >= 0) {
            const Eigen::Index at = 13 * slot;
            largest = std::max({largest, error.segment<3>(at + 7).norm() / (m_tolerance * speed),
                                error.segment<3>(at + 10).norm() / (m_tolerance * spin),
                                error.segment<3>(at).norm() / (m_tolerance * speed * m_h),
                                error.segment<4>(at + 3).norm() / (m_tolerance * std::min(1.0, spin * m_h))});
        }
    }
    for (std::size_t e = 0; e < elementCount(); ++e) {
        largest = std::max(largest, std::fabs(error[zIndex(e)]) / (m_tolerance * speed * m_h));
    }
    return std::isfinite(error.sum()) ? largest : std::numeric_limits<double>::quiet_NaN();
}

TurningSystem::Energy TurningSystem::energyOf(double t, const Eigen::VectorXd& y) const {
    Energy energy;
    double potential = -y[workIndex()];
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] < 0) continue;
        const FlowBody& body = m_network.bodies[i];
        const Motion motion = motionOf(static_cast<int>(i), t, y);
        energy.kinetic += kineticEnergy(body, motion);
        if (body.force.isConstant()) potential -= forceWork(body, motion.x);
    }
    for (std::size_t e = 0; e < elementCount(); ++e) {
        potential += energyInPhase(m_laws[e], m_phases[e], rowOf(e, t, y).s, y[zIndex(e)]);
    }
    energy.all = energy.kinetic + potential;
    return energy;
}

double TurningSystem::driftNorm(double t, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const {
    if (m_largestShare == 0 || dt < kShortStep * m_h) return 0;
    const Energy before = energyOf(t, y);
    const Energy after = energyOf(t + dt, end);
    const double allowed = std::max(m_largestShare * after.kinetic, m_largestGain);
    const double gain = after.all - before.all;
    return gain > 0 ? gain / (allowed * dt / m_h) : 0;
}

double TurningSystem::ownInverseMass(std::size_t e, const Row& row, double t, const Eigen::VectorXd& y) const {
    double W = 0;
    const auto add = [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        if (isMovable(body)) {
            const FlowBody& b = m_network.bodies[static_cast<std::size_t>(body)];
            W += linear.dot(linearResponse(b, linear));
            W += angular.dot(inverseInertiaWorld(b, motionOf(body, t, y).q) * angular);
        }
    };
    forEachEnd(m_network.elements[e], row, add);
    return W;
}

double TurningSystem::firstStep(double t, const Eigen::VectorXd& y) const {
    double fastest = 0;  // squared angular frequency
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (m_phases[e].inContact()) {
            const Row row = rowOf(e, t, y);
            const double W = ownInverseMass(e, row, t, y);
            const double rate = m_laws[e].d * W;
            fastest = std::max({fastest, m_laws[e].c * W, rate * rate});
        }
    }
    const double phase = m_rings ? kLoosePhase : kPhase;
    const double ringing = fastest > 0 ? phase / std::sqrt(fastest) : std::numeric_limits<double>::infinity();
    if (!m_swings) return ringing;
    double turning = 0;  // squared angular acceleration
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) turning = std::max(turning, m_accelerations[i].tail<3>().squaredNorm());
    }
    const double reach = kSwing * elementary::pow(m_tolerance, 0.2) / std::sqrt(std::sqrt(turning));
    const double rest = m_h - t;
    return std::min(ringing, reach < rest ? rest / std::ceil(rest / reach) : rest);
}

bool TurningSystem::isStiff(double t, const Eigen::VectorXd& y) const {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const RowLaw& law = m_laws[e];
        const double W = ownInverseMass(e, rowOf(e, t, y), t, y);
        if (isStronglyDamped(law, m_phases[e], W, m_h, m_settings.strongDamping)) return true;
        const double phase = m_phases[e].inContact() ? m_h * std::sqrt(law.c * W) : 0;
        if (phase > kExplicitReach * m_settings.maxSteps) return true;
        m_leastSteps = std::max(m_leastSteps, phase / kExplicitReach);
    }
    return false;
}

bool TurningSystem::isFast(double t, const Eigen::VectorXd& y) const {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const RowLaw& law = m_laws[e];
        if (!m_phases[e].inContact()) continue;
        const double W = ownInverseMass(e, rowOf(e, t, y), t, y);
        if (m_h * std::sqrt(law.c * W) > kSlow || isStronglyDamped(law, m_phases[e], W, m_h, kSlow)) return true;
    }
    return false;
}

void TurningSystem::listExits() {
    m_exits.clear();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Exits exits = exitsOf(m_laws[e], m_phases[e]);
        for (int k = 0; k < exits.count; ++k) {
            m_exits.push_back({e, exits.exits[k]});
        }
    }
}

double TurningSystem::eventValue(int i, double t, const Eigen::VectorXd& y) const {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) return boundedEventValue(m_boundedExits[own - m_exits.size()], t, y);
    const PendingExit& pending = m_exits[static_cast<std::size_t>(i)];
    const Row row = rowOf(pending.element, t, y);
    return exitValue(m_laws[pending.element], m_phases[pending.element], pending.exit.kind, row.s, row.v);
}

/// Where steps are loose events need not be met better than the steps are: a repeated step does, and no second one.
double TurningSystem::eventSlack(int i) const {
    const auto own = static_cast<std::size_t>(i);
    if (!m_rings || own >= m_exits.size()) return 0;
    const PendingExit& pending = m_exits[own];
    const double speed = m_tolerance * m_speed;
    return isOnEdge(pending.exit.kind) ? speed * m_h : speed * m_laws[pending.element].d;
}

// By the cubic through the values and rates at both ends, in Bernstein's form. Steps that are accepted are short
// against all that bodies and springs do, and then it is a few per cent wrong at most.
bool TurningSystem::isFarFromEvents(double t, const Eigen::VectorXd& y, double dt, const Eigen::VectorXd& end) const {
    if (!m_boundedExits.empty()) return false;
    return std::all_of(m_exits.begin(), m_exits.end(), [&](const PendingExit& pending) {
        const Exit::Kind kind = pending.exit.kind;
        if (!isOnEdge(kind)) return false;
        const std::size_t e = pending.element;
        const RowLaw& law = m_laws[e];
        const Phase phase = m_phases[e];
        const Row from = rowOf(e, t, y), to = rowOf(e, t + dt, end);
        if (from.direction.dot(to.direction) < kHardlyTurned) return false;
        const double slope = linearExit(law, phase, kind).byS;
        const double first = exitValue(law, phase, kind, from.s, from.v);
        const double last = exitValue(law, phase, kind, to.s, to.v);
        const double second = first + dt / 3 * slope * from.v;
        const double third = last - dt / 3 * slope * to.v;
        return std::min({first, second, third, last}) > kFar * std::max({first, second, third, last});
    });
}

void TurningSystem::crossEvent(int i, double t, Eigen::VectorXd& y) {
    const auto own = static_cast<std::size_t>(i);
    if (own >= m_exits.size()) {
        const BoundedExit exit = m_boundedExits[own - m_exits.size()];
        return crossBounded(exit, t, y);
    }
    m_eventTime = -1;  // the forces that were found belong to the phase that ends
    const PendingExit pending = m_exits[static_cast<std::size_t>(i)];
    Phase& phase = m_phases[pending.element];
    const bool was = phase.inContact();
    phase = pending.exit.next;
    if (phase.inContact() != was) {
        const double speed = std::fabs(rowOf(pending.element, t, y).v);
        m_events.push_back({static_cast<int>(pending.element), phase.inContact(), t, speed});
        m_stiffContactBegan = m_returnAtStiffness && phase.inContact() && isStiff(t, y);
        m_stiffContactBegan |= m_watchesFastness && isFast(t, y) != m_isFast;
    }
    listExits();
}

// Quaternions are normalised where they are read, so that the state itself stays as integrated.
bool TurningSystem::stepAccepted(double t, Eigen::VectorXd& y) {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (countsTurns(m_network.elements[e])) {
            m_turns[e] = Turns::found(m_network.elements[e], rowOf(e, t, y));
        }
    }
    for (std::size_t k = 0; k < m_boundedPhi.size(); ++k) m_boundedPhi[k] = boundedRow(k, t, y).s;
    forgetForces();
    return false;
}

Motion FreeMotion::rotation(const FlowBody& body, double h, int maxSteps) {
    if (!m_space) m_space = std::make_unique<Space>();
    FlowNetwork& alone = m_space->alone;
    alone.bodies.assign(1, body);
    alone.bodies[0].position.setZero();
    alone.bodies[0].velocity.setZero();
    alone.bodies[0].force = {};
    TurningSystem& system = m_space->system;
    system.begin(h);
    system.setTolerance(kTurningShare * m_space->settings.tolerance);
    Eigen::VectorXd& y = m_space->y;
    y = system.startState();
    double t = 0;
    int steps = 0;
    integrate(system, m_space->stepper, t, h, y, maxSteps, steps, m_space->integration);
    Motion end = system.motionOf(0, t, y);
    // A body that tumbles too fast to be followed: turning on about the present axis keeps its energy.
    if (t < h) end.q = turned(end.q, (h - t) * end.w);
    if (body.torque.constant.isZero(0) && body.torque.isConstant()) {
        // What nothing acts on keeps its energy to rounding.
        const double before = kineticEnergy(alone.bodies[0], Motion::of(alone.bodies[0]));
        const double after =
            kineticEnergy(alone.bodies[0], {Eigen::Vector3d::Zero(), end.q, Eigen::Vector3d::Zero(), end.w});
        if (after > 0) end.w *= std::sqrt(before / after);
    }
    return end;
}

BodyState FreeMotion::motion(const FlowBody& body, double h, int maxSteps) {
    BodyState end = body;
    end.position += h * body.velocity + linearResponse(body, secondIntegralOf(body.force, h));
    end.velocity += linearResponse(body, impulseOf(body.force, h));
    const bool isTurned = !gyroscopicAcceleration(body, body.orientation, body.angularVelocity).isZero(0) ||
                          !(body.torque.constant.isZero(0) && body.torque.isConstant());
    if (isTurned) {
        const Motion motion = rotation(body, h, maxSteps);
        end.orientation = motion.q;
        end.angularVelocity = motion.w;
    } else {
        end.orientation = turned(body.orientation, h * body.angularVelocity);
    }
    return end;
}

}  // namespace elasto::flow
