#include "contact/contact_problem.h"

#include "balance/network_state.h"
#include "contact/tuning.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// What a point bears of what resists its patch's sliding and turning. One that pulls, by what is tolerated, bears
/// nothing: shares of a sum that is nearly 0 would be huge.
/// @param pressure of all that push
double shareOf(const Patch& patch, double impulse, double pressure) {
    return pressure > 0 ? std::max(impulse, 0.) / pressure : 1. / static_cast<double>(patch.count);
}

}  // namespace

void moveBodies(FlowNetwork& network, std::span<const Vector6> displacements, double share) {
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        FlowBody& body = network.bodies[i];
        body.position += share * displacements[i].head<3>();
        body.orientation = turned(body.orientation, share * displacements[i].tail<3>());
    }
}

void ContactProblem::place(const FlowNetwork& network, const BodyKinematics& middle, bool follows) {
    m_network = &network;
    m_frame.place(network, middle);
    m_gaps.clear();
    m_coordinates.clear();
    readLoads(middle);
    readLaws();
    m_carriers.clear();
    for (const FlowElement& element : network.elements) {
        if (follows && element.geared.carried != 0) {
            m_carriers.push_back(carrierTurn(element.geared, middle.at(element.a), element.axis));
        }
    }
    readElements(middle, m_carriers);
    for (const FlowContact& contact : network.contacts) {
        m_gaps.push_back(measureContact(contact, motionOf(network, contact.a), motionOf(network, contact.b)).gap);
    }
    for (std::size_t k = 0; k < network.bounded.size(); ++k) m_coordinates.push_back(boundedRowOf(network, k).s);
}

void ContactProblem::readLoads(const BodyKinematics& middle) {
    m_hasConstantLoad = true;
    for (auto& load : m_loads) load.assign(m_network->bodies.size(), Vector6::Zero());
    for (std::size_t i = 0; i < m_network->bodies.size(); ++i) {
        const FlowBody& body = m_network->bodies[i];
        if (body.isImmovable()) continue;
        const Eigen::Quaterniond& q = middle.motions[i].q;
        const Eigen::Vector3d forces[] = {body.force.constant, body.force.linear, body.force.quadratic};
        const Eigen::Vector3d torques[] = {body.torque.constant, body.torque.linear, body.torque.quadratic};
        for (int k = 0; k < 3; ++k) {
            m_loads[k][i] << linearResponse(body, forces[k]), loadResponse(body, q, torques[k]);
        }
        m_loads[0][i].tail<3>() += gyroscopicAcceleration(body, q, middle.motions[i].w);
        m_hasConstantLoad = m_hasConstantLoad && body.force.isConstant() && body.torque.isConstant();
    }
}

void ContactProblem::follow(const BodyKinematics& bodies, double t, std::span<const Eigen::Vector3d> spins,
                            std::span<const double> carriers, const JointTrees* trees) {
    m_frame.follow(bodies, trees);
    readElements(bodies, carriers, trees);
    for (std::size_t i = 0; i < m_network->bodies.size(); ++i) {
        const FlowBody& body = m_network->bodies[i];
        if (body.isImmovable()) continue;
        if (trees != nullptr && trees->has(static_cast<int>(i))) {
            // Trees know the network's loads, but not of rotors that they carry.
            const Eigen::Vector3d spin = bodies.turns[i] * spins[i];
            m_loads[0][i].setZero();
            if (body.gyroscopic) m_loads[0][i].tail<3>() = spin.cross(bodies.motions[i].w);
            continue;
        }
        m_loads[0][i] << linearResponse(body, body.force.value(t)),
            bodies.inverses[i] * body.torque.value(t) +
                gyroscopicAcceleration(body, bodies.turns[i], bodies.motions[i].w);
    }
}

void ContactProblem::countTurns() {
    m_turns = m_turnsNow;
    m_frame.countTurns();
}

void ContactProblem::readLaws() {
    m_laws.clear();
    m_softs.clear();
    m_turns.clear();
    for (const FlowElement& element : m_network->elements) {
        m_laws.push_back(HybridLaw::from(element.law));
        m_turns.push_back(Turns::of(element));
    }
    for (std::size_t i = 0; i < m_network->contacts.size(); ++i) {
        if (!m_frame.isSoft(i)) continue;
        m_laws.push_back(HybridLaw::from(softLaw(m_network->contacts[i])));
        m_softs.push_back(i);
    }
}

void ContactProblem::readElements(const BodyKinematics& middle, std::span<const double> carriers,
                                  const JointTrees* trees) {
    m_elements.clear();
    m_places.clear();
    m_turnsNow.clear();
    const auto motionAt = [&](int body) -> const Motion& { return middle.at(body); };
    std::size_t carrier = 0;
    for (std::size_t e = 0; e < m_network->elements.size(); ++e) {
        const FlowElement& element = m_network->elements[e];
        if (trees != nullptr && trees->ofElement(e)) {
            m_elements.push_back({JointTrees::ownRow(element, middle), {}, false});
            m_places.push_back(trees->value(trees->ofElement(e)));
            m_turnsNow.push_back({m_places.back(), m_turns[e].geared});
            continue;
        }
        Turns turns = m_turns[e];
        if (element.geared.carried != 0 && carrier < carriers.size()) turns.carrier = carriers[carrier++];
        const Row row = measureRow(element, motionAt, turns);
        m_elements.push_back(ElementRow::of(element, row));
        m_places.push_back(row.s);
        m_turnsNow.push_back(Turns::found(element, row));
    }
    for (const std::size_t i : m_softs) {
        m_elements.push_back({m_frame.row(m_frame.normalOf(i)), {}, false});
        m_places.push_back(m_frame.measure(i).gap);
    }
}

void ContactProblem::start(ContactState& state) const {
    state.t = 0;
    readVelocities(*m_network, state.u);
    state.displacement.assign(state.u.size(), Vector6::Zero());
    const auto count = static_cast<Eigen::Index>(m_laws.size());
    state.s.resize(count);
    state.z = Eigen::VectorXd::Zero(count);
    state.P = state.heat = Eigen::VectorXd::Zero(count);
    for (std::size_t e = 0; e < m_network->elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        state.s[k] = flow::rowOf(*m_network, e).s;
        state.z[k] = m_network->elements[e].s_damper;
    }
    for (std::size_t i = 0; i < m_softs.size(); ++i) {
        state.s[static_cast<Eigen::Index>(m_network->elements.size() + i)] = m_gaps[m_softs[i]];
    }
    state.contacts.assign(m_network->contacts.size(), {});
    state.bounded.assign(m_network->bounded.size(), 0);
    state.reactions.assign(reactionCount(*m_network), {});
    state.work = state.driveWork = state.limitLoss = 0;
    state.events.clear();
    state.phases.clear();
}

double ContactProblem::gap(std::size_t contact, std::span<const Vector6> displacements) const {
    return m_gaps[contact] + m_frame.rate(m_frame.normalOf(contact), displacements);
}

double ContactProblem::coordinate(std::size_t bounded, std::span<const Vector6> displacements) const {
    return m_coordinates[bounded] + m_frame.rate(m_frame.boundedOf(bounded), displacements);
}

double ContactProblem::limitGap(std::size_t bounded, std::span<const Vector6> displacements) const {
    const BoundedRow& row = m_network->bounded[bounded];
    return row.side * (coordinate(bounded, displacements) - row.bound);
}

double ContactProblem::elementRate(std::size_t element, std::span<const Vector6> velocities) const {
    const ElementRow& row = m_elements[element];
    const double rate = rateOf(row.own, velocities);
    return row.isGeared ? rate + rateOf(row.second, velocities) : rate;
}

BlockRow ContactProblem::elementPush(std::size_t element) const {
    BlockRow row = m_elements[element].own;
    row.gradientA = -row.gradientA;
    row.gradientB = -row.gradientB;
    return row;
}

double ContactProblem::elementResponse(std::size_t element) const {
    const ElementRow& row = m_elements[element];
    const double response = m_frame.responseOf(row.own);
    return row.isGeared ? response + m_frame.responseOf(row.second) : response;
}

void ContactProblem::addElement(std::size_t element, double f, std::vector<Vector6>& accelerations) const {
    const ElementRow& row = m_elements[element];
    m_frame.push(row.own, -f, accelerations);
    if (row.isGeared) m_frame.push(row.second, -f, accelerations);
}

void ContactProblem::load(double t, int power, std::vector<Vector6>& load) const {
    load = m_loads[power];
    if (m_hasConstantLoad || power == 2) return;
    for (std::size_t i = 0; i < load.size(); ++i) {
        load[i] += power == 0 ? Vector6(t * (m_loads[1][i] + t * m_loads[2][i])) : Vector6(2 * t * m_loads[2][i]);
    }
}

Phase ContactProblem::phaseOf(std::size_t element, const ContactState& now, double acceleration) const {
    if (!now.phases.empty()) return now.phases[element];
    const auto k = static_cast<Eigen::Index>(element);
    return classify(m_laws[element], now.s[k], elementRate(element, now.u), acceleration, now.z[k]);
}

double ContactProblem::forceOf(std::size_t element, const ContactState& now) const {
    const auto k = static_cast<Eigen::Index>(element);
    const double v = elementRate(element, now.u);
    return forceInPhase(m_laws[element], phaseOf(element, now), now.s[k], v, now.z[k]);
}

double ContactProblem::pressure(std::size_t element, const ContactState& now, bool& touches) const {
    const auto k = static_cast<Eigen::Index>(element);
    const double v = elementRate(element, now.u);
    const Phase phase = phaseOf(element, now);
    touches = phase.inContact();
    return touches ? std::max(0., -forceInPhase(m_laws[element], phase, now.s[k], v, now.z[k])) : 0;
}

void ContactProblem::freeWithElements(const ContactState& now, std::vector<Vector6>& free) const {
    load(now.t, 0, free);
    for (std::size_t e = 0; e < m_laws.size(); ++e) {
        const double force = forceOf(e, now);
        if (force != 0) addElement(e, force, free);
    }
}

double ContactProblem::changeRate(std::size_t element, Phase phase, double s, double response) const {
    const HybridLaw& law = m_laws[element];
    const double stiffness = std::abs(slopesInPhase(law, phase, s, 0).byS);
    return std::max(std::sqrt(stiffness * response), law.damping(phase.side) * response);
}

void ContactProblem::freeInTheMean(const ContactState& now, double h, std::vector<Vector6>& free) const {
    load(now.t, 0, free);
    for (std::size_t e = 0; e < m_laws.size(); ++e) {
        const double force = forceOf(e, now);
        if (force == 0) continue;
        const double s = now.s[static_cast<Eigen::Index>(e)];
        const double rate = changeRate(e, phaseOf(e, now), s, elementResponse(e));
        addElement(e, force / std::max(1., h * rate / kUnchanged), free);
    }
}

void ContactProblem::countRows(std::span<const double> impulses, ContactState& state) const {
    for (std::size_t r = 0; r < impulses.size(); ++r) {
        if (impulses[r] == 0) continue;
        m_frame.forEachPart(
            r, [&](const BlockRow& row) { state.work -= impulses[r] * drivenRateOf(*m_network, row, state.u); });
    }
    countLinks(impulses, state);
    const auto addFriction = [&](std::size_t i, const Eigen::Vector3d& impulse) {
        state.contacts[i].frictionImpulse += impulse;
        state.work += impulse.dot(m_network->contacts[i].surfaceVelocity);
    };
    for (std::size_t p = 0; p < m_frame.patches().size(); ++p) {
        const Patch& patch = m_frame.patches()[p];
        double normal = 0;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const double impulse = impulses[m_frame.normalOf(i)];
            normal += std::max(impulse, 0.);
            state.contacts[i].impulse += impulse;
            addFriction(i, impulses[m_frame.slipOf(i)] * m_frame.slipDirection(i));
        }
        if (m_frame.resistsTurning() && patch.resistsTurning()) countTurning(p, impulses, normal, state);
        const std::size_t tangent = m_frame.tangentOf(p);
        if (impulses[tangent] == 0 && impulses[tangent + 1] == 0 && impulses[m_frame.spinOf(p)] == 0) continue;
        // A patch's friction is shared as its pressure is; it acts in the patch's middle, wherever that is.
        const Tangents& tangents = patch.tangents;
        const Eigen::Vector3d friction = impulses[tangent] * tangents.first + impulses[tangent + 1] * tangents.second;
        for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
            const double share = shareOf(patch, impulses[m_frame.normalOf(i)], normal);
            addFriction(i, share * friction);
            state.contacts[i].frictionTorque += share * impulses[m_frame.spinOf(p)] * patch.normal +
                                                (patch.middle - m_frame.measure(i).point).cross(share * friction);
        }
    }
}

/// Friction against rolling of a patch that is held is shared as its pressure is.
void ContactProblem::countTurning(std::size_t p, std::span<const double> impulses, double normal,
                                  ContactState& state) const {
    const Patch& patch = m_frame.patches()[p];
    const Tangents& tangents = patch.tangents;
    const std::size_t row = m_frame.rollOf(p);
    const Eigen::Vector3d held = impulses[row] * tangents.first + impulses[row + 1] * tangents.second;
    for (std::size_t i = patch.first; i < patch.first + patch.count; ++i) {
        const double share = shareOf(patch, impulses[m_frame.normalOf(i)], normal);
        const double spin = m_frame.spinDirection(p) * impulses[m_frame.spinningOf(p, i)];
        state.contacts[i].frictionTorque +=
            share * held + impulses[m_frame.rollingOf(p, i)] * m_frame.rollDirection(p) + spin * patch.normal;
    }
}

/// Of joints, motors and limits, which are the first rows.
void ContactProblem::countLinks(std::span<const double> impulses, ContactState& state) const {
    const auto addReaction = [&](int index, std::size_t row) {
        if (index < 0) return;
        Reaction& reaction = state.reactions[static_cast<std::size_t>(index)];
        reaction.linear += impulses[row] * m_frame.row(row).gradientB.head<3>();
        reaction.angularA += impulses[row] * m_frame.row(row).gradientA.tail<3>();
        reaction.angularB += impulses[row] * m_frame.row(row).gradientB.tail<3>();
    };
    for (std::size_t k = 0; k < m_network->joints.size(); ++k) addReaction(m_network->joints[k].reaction, k);
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        state.bounded[k] += impulses[m_frame.boundedOf(k)];
        addReaction(m_network->bounded[k].reaction, m_frame.boundedOf(k));
    }
}

void ContactProblem::countMotor(double work, ContactState& state) const {
    state.work += work;
    state.driveWork += work;
}

void ContactProblem::countMotors(std::span<const double> impulses, std::span<const Vector6> velocities,
                                 ContactState& state) const {
    for (std::size_t k = 0; k < m_network->bounded.size(); ++k) {
        const std::size_t row = m_frame.boundedOf(k);
        if (m_network->bounded[k].kind == BoundedRow::Kind::Motor && impulses[row] != 0) {
            countMotor(impulses[row] * m_frame.rate(row, velocities), state);
        }
    }
}

void ContactProblem::countElement(std::size_t element, double impulse, ContactState& state) const {
    state.P[static_cast<Eigen::Index>(element)] += impulse;
    if (contactOf(element) >= 0) return;  // counted with the contact
    const ElementRow& row = m_elements[element];
    state.work += impulse * drivenRateOf(*m_network, row.own, state.u);
    if (row.isGeared) state.work += impulse * drivenRateOf(*m_network, row.second, state.u);
}

void ContactProblem::move(std::span<const Vector6> displacements, double dt, ContactState& state) const {
    const double middle = state.t + dt / 2;
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        state.displacement[i] += displacements[i];
        const FlowBody& body = m_network->bodies[i];
        if (body.isImmovable()) continue;
        const Eigen::Vector3d force = body.force.value(middle);
        const Eigen::Vector3d torque = body.torque.value(middle);
        for (int k = 0; k < 3; ++k) {
            state.work += body.inverseMass * body.linearFactor[k] > 0 ? force[k] * displacements[i][k] : 0;
            state.work += body.angularFactor[k] > 0 ? torque[k] * displacements[i][3 + k] : 0;
        }
    }
    state.t += dt;
}

double ContactProblem::speed(double h, const ContactState& state) const {
    double speed = 0;
    for (std::size_t i = 0; i < state.u.size(); ++i) {
        speed = std::max({speed, state.u[i].lpNorm<Eigen::Infinity>(), h * m_loads[0][i].lpNorm<Eigen::Infinity>()});
    }
    return speed;
}

}  // namespace elasto::flow
