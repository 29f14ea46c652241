#include "passive_bodies.h"

#include "energy_repair.h"
#include "free_motion.h"
#include "held_rows.h"
#include "network_state.h"
#include "passive_arrival.h"
#include "row_law.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <variant>

namespace elasto::flow {

namespace {

constexpr int kFewestSteps = 4;
constexpr int kMostSteps = 32;
/// Turn of the fastest body per step [rad], where that is not too many steps.
constexpr double kTurn = 0.1;
/// Gain of a step that counts as rounding, in energies of the network.
constexpr double kPassiveRounding = 1e-12;
/// Share of the kinetic energy that may be taken out of all bodies alike.
constexpr double kPassiveShare = 0.1;

class PassiveSteps {
public:
    PassiveSteps(FlowNetwork& network, double duration);
    PassiveMotion run();

private:
    void step();
    void account(const Arrival& arrival);
    void addReactions(const Arrival& arrival);
    Eigen::VectorXd stopping(const std::vector<Row>& rows, const Eigen::MatrixXd& inverseMass) const;
    Arrival standStill() const;
    void fall(Arrival& arrival) const;

    FlowNetwork& m_network;
    std::vector<RowLaw> m_laws;
    std::vector<bool> m_inContact;
    int m_steps;
    double m_dt;
    double m_mostBrought;
    PassiveArrival m_arrival;
    PassiveMotion m_motion;
};

int stepsFor(const FlowNetwork& network, double duration) {
    double spin = 0;
    for (const FlowBody& body : network.bodies) spin = std::max(spin, body.angularVelocity.norm());
    return static_cast<int>(std::ceil(std::clamp<double>(spin * duration / kTurn, kFewestSteps, kMostSteps)));
}

std::vector<RowLaw> lawsOf(const FlowNetwork& network) {
    std::vector<RowLaw> laws;
    for (const FlowElement& element : network.elements) laws.push_back(RowLaw::from(element.law));
    return laws;
}

PassiveSteps::PassiveSteps(FlowNetwork& network, double duration)
    : m_network(network),
      m_laws(lawsOf(network)),
      m_steps(stepsFor(network, duration)),
      m_dt(duration / m_steps),
      m_mostBrought(mostBrought(network, duration)),
      m_arrival(network, m_laws, m_dt, kFreeSteps / m_steps) {
    const auto m = static_cast<Eigen::Index>(network.elements.size());
    m_motion.impulses = Eigen::VectorXd::Zero(m);
    m_motion.loss = Eigen::VectorXd::Zero(m);
    m_motion.boundedImpulses = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(network.bounded.size()));
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const Row row = rowOf(network, e);
        m_inContact.push_back(classify(m_laws[e], row.s, row.v, 0).inContact());
    }
}

PassiveMotion PassiveSteps::run() {
    for (; m_motion.steps < m_steps; ++m_motion.steps) step();
    return std::move(m_motion);
}

void PassiveSteps::step() {
    const double before = energy(m_network);
    Arrival arrival = m_arrival.find();
    const double tolerance = kPassiveRounding * (before + std::abs(arrival.work)) + storedRounding(arrival.network);
    double gain = energy(arrival.network) - before - arrival.work;
    if (gain > tolerance) {
        gain -= takeEnergy(arrival.network, gain, kPassiveShare, arrival.impulses, arrival.work);
    }
    const bool isPossible = energy(arrival.network) + std::max(-gain, 0.0) <= m_mostBrought;
    account(arrival.isHeld && gain <= tolerance && isPossible ? arrival : standStill());
}

/// Impulses that stop the elements that act; a gap that would have to pull goes on.
Eigen::VectorXd PassiveSteps::stopping(const std::vector<Row>& rows, const Eigen::MatrixXd& inverseMass) const {
    const std::size_t count = rows.size();
    std::vector<bool> stops(count);
    for (std::size_t e = 0; e < count; ++e) {
        stops[e] = classify(m_laws[e], rows[e].s, rows[e].v, 0).inContact();
    }
    Eigen::VectorXd impulses;
    for (bool doesPull = true; doesPull;) {
        Eigen::MatrixXd W = inverseMass;
        Eigen::VectorXd rates = Eigen::VectorXd::Zero(W.rows());
        for (std::size_t e = 0; e < count; ++e) {
            const auto row = static_cast<Eigen::Index>(e);
            if (stops[e]) {
                rates[row] = rows[e].v;
            } else {
                W.row(row).setZero();
                W.col(row).setZero();
            }
            W(row, row) = W(row, row) > 0 ? W(row, row) * (1 + 1e-10) : 1;
        }
        impulses = W.ldlt().solve(rates);
        doesPull = false;
        for (std::size_t e = 0; e < count; ++e) {
            const bool isGap = std::holds_alternative<ElastoGapLaw>(m_network.elements[e].law);
            if (!isGap || !(impulses[static_cast<Eigen::Index>(e)] > 0)) continue;
            stops[e] = false;
            doesPull = true;
        }
    }
    return impulses;
}

/// The bodies only move with what carries them, so that springs keep what they hold; the elements that act stop. Loads
/// pass by where the network hangs on something.
Arrival PassiveSteps::standStill() const {
    Arrival arrival{m_network, Eigen::VectorXd::Zero(m_motion.impulses.size())};
    FlowNetwork& end = arrival.network;
    const std::vector<Row> rows = rowsOf(end);
    const Responses responses(end, rows);
    arrival.impulses = stopping(rows, responses.inverseMass());
    responses.apply(end, arrival.impulses);
    const Eigen::Vector3d carried = restVelocity(m_network);
    const auto relativeEnergy = [&](FlowNetwork network) {
        for (FlowBody& body : network.bodies) body.velocity -= carried;
        return kineticEnergy(network);
    };
    if (!(relativeEnergy(end) <= relativeEnergy(m_network))) {
        arrival.impulses.setZero();
        end = m_network;
    }
    const double stored = storedEnergy(end);
    for (FlowBody& body : end.bodies) {
        if (body.isImmovable()) {
            static_cast<BodyState&>(body) = freeMotion(body, m_dt);
            continue;
        }
        // Nothing keeps a body from moving on along and about its locked axes.
        const Vector6 own = carriedMotion(body);
        for (int k = 0; k < 3; ++k) body.position[k] += m_dt * (body.linearFactor[k] == 0 ? own[k] : carried[k]);
        if (!own.tail<3>().isZero(0)) body.orientation = turned(body.orientation, m_dt * own.tail<3>());
    }
    // What drives the network carries its momentum on, and stretches the springs if it goes several ways.
    arrival.work = carried.dot(momentum(end) - momentum(m_network)) + storedEnergy(end) - stored;
    if (isFloating(m_network)) fall(arrival);
    return arrival;
}

/// What floats falls with its centre of mass.
void PassiveSteps::fall(Arrival& arrival) const {
    const double mass = massOf(arrival.network);
    Eigen::Vector3d gained = Eigen::Vector3d::Zero();
    Eigen::Vector3d way = Eigen::Vector3d::Zero();
    for (const FlowBody& body : arrival.network.bodies) {
        if (body.isImmovable()) continue;
        gained += body.force.impulse(m_dt);
        way += secondIntegralOf(body.force, m_dt);
    }
    if (mass == 0) return;
    const double before = kineticEnergy(arrival.network);
    for (FlowBody& body : arrival.network.bodies) {
        if (body.isImmovable()) continue;
        body.position += way / mass;
        body.velocity += gained / mass;
    }
    arrival.work += kineticEnergy(arrival.network) - before;
}

/// The momentum that neither loads, nor elements, motors or limits gave, joints did.
void PassiveSteps::addReactions(const Arrival& arrival) {
    int count = 0;
    for (const HeldRow& row : m_network.joints) count = std::max(count, row.reaction + 1);
    for (const BoundedRow& row : m_network.bounded) count = std::max(count, row.reaction + 1);
    m_motion.reactions.resize(static_cast<std::size_t>(count));
    if (count == 0) return;
    const FlowNetwork& end = arrival.network;
    const BodiesNow bodies = BodiesNow::of(end);
    const auto respond = [&](int index, double impulse, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular,
                             std::vector<Vector6>& to) {
        if (index == kWorld || end.bodies[static_cast<std::size_t>(index)].isImmovable()) return;
        const auto i = static_cast<std::size_t>(index);
        to[i].head<3>() += impulse * linearResponse(end.bodies[i], linear);
        to[i].tail<3>() += impulse * (bodies.inverses[i] * angular);
    };
    std::vector<Vector6> given(end.bodies.size(), Vector6::Zero());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const FlowBody& body = m_network.bodies[i];
        if (body.isImmovable()) continue;
        given[i] << end.bodies[i].velocity - body.velocity - linearResponse(body, body.force.impulse(m_dt)),
            end.bodies[i].angularVelocity - body.angularVelocity - bodies.inverses[i] * body.torque.impulse(m_dt);
    }
    const auto subtract = [&](const auto& link, const Row& row, double impulse) {
        forEachEnd(link, row, [&](int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
            respond(body, -impulse, linear, angular, given);
        });
    };
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        subtract(end.elements[e], rowOf(end, e), -arrival.impulses[static_cast<Eigen::Index>(e)]);
    }
    const auto add = [&](int index, const auto& row, double impulse) {
        if (index < 0) return;
        m_motion.reactions[static_cast<std::size_t>(index)] +=
            {impulse * row.linear, impulse * row.angularA, impulse * row.angularB};
    };
    for (Eigen::Index k = 0; k < arrival.boundedImpulses.size(); ++k) {
        const auto i = static_cast<std::size_t>(k);
        const Row row = boundedRowOf(end, i);
        subtract(end.bounded[i], row, arrival.boundedImpulses[k]);
        add(end.bounded[i].reaction, row, arrival.boundedImpulses[k]);
    }
    HeldRows held(end);
    if (held.empty()) return;
    held.place(bodies);
    const Eigen::VectorXd impulses = held.forces(held.along(given));
    for (std::size_t k = 0; k < held.size(); ++k) {
        add(end.joints[k].reaction, held.measure(k), impulses[static_cast<Eigen::Index>(k)]);
    }
}

void PassiveSteps::account(const Arrival& arrival) {
    addReactions(arrival);
    const double time = (m_motion.steps + 1) * m_dt;
    for (std::size_t e = 0; e < m_laws.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const FlowElement& before = m_network.elements[e];
        const double s = rowOf(m_network, e).s;
        const Row row = rowOf(arrival.network, e);
        const double stored = storedEnergy(before.law, row.s, arrival.network.elements[e].s_damper) -
                              storedEnergy(before.law, s, before.s_damper);
        m_motion.loss[k] += std::max(arrival.impulses[k] * (row.s - s) / m_dt - stored, 0.0);
        const bool inContact = classify(m_laws[e], row.s, row.v, 0).inContact();
        if (inContact != m_inContact[e]) {
            m_motion.events.push_back({static_cast<int>(e), inContact, time, std::abs(row.v)});
        }
        m_inContact[e] = inContact;
    }
    m_motion.impulses += arrival.impulses;
    m_motion.work += arrival.work;
    if (arrival.boundedImpulses.size() > 0) m_motion.boundedImpulses += arrival.boundedImpulses;
    m_motion.driveWork += arrival.driveWork;
    m_motion.limitLoss += arrival.limitLoss;
    m_motion.held = arrival.held;
    m_network = arrival.network;
    for (std::size_t e = 0; e < m_laws.size(); ++e) {
        FlowElement& element = m_network.elements[e];
        if (countsTurns(element)) Turns::found(element, rowOf(m_network, e)).keepIn(element);
    }
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (countsTurns(m_network.bounded[k].geometry)) {
            m_network.bounded[k].phi = boundedRowOf(m_network, k).s;
        }
    }
    shiftLoads(m_network, m_dt);
}

}  // namespace

PassiveMotion movePassively(FlowNetwork& network, double duration) {
    return PassiveSteps(network, duration).run();
}

}  // namespace elasto::flow
