#include "passive_bodies.h"

#include "backward_euler.h"
#include "energy_repair.h"
#include "free_motion.h"
#include "held_rows.h"
#include "network_state.h"
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
/// Rounds in which rows and end pose of a step are made to agree.
constexpr int kRounds = 5;
constexpr double kAgreed = 1e-9;
/// Gain of a step that counts as rounding, in energies of the network.
constexpr double kRounding = 1e-12;
/// By how much a step may overrun a limit [m, rad].
constexpr double kOverrun = 1e-9;
/// Limits that are farther away than so many times what their rates lead to in a step are looked at only in its end.
constexpr double kFarAway = 2;
/// Share of the kinetic energy that may be taken out of all bodies alike.
constexpr double kLargestShare = 0.1;

/// The state that a step arrives at.
struct Arrival {
    FlowNetwork network;
    Eigen::VectorXd impulses;
    double work = 0;
    bool isHeld = true;  ///< the joints are closed
    Eigen::VectorXd boundedImpulses = {};
    double driveWork = 0;
    double limitLoss = 0;
    std::vector<int> held = {};
};

class PassiveSteps {
public:
    PassiveSteps(FlowNetwork& network, double duration);
    PassiveMotion run();

private:
    void step();
    Arrival arrive();
    std::vector<std::size_t> boundedInPlay(const FlowNetwork& free) const;
    bool addOverrun(const FlowNetwork& end, std::vector<std::size_t>& inPlay) const;
    double overrunOf(std::size_t k, const FlowNetwork& end) const;
    BackwardEuler::Bound boundOf(std::size_t k, bool isBlocked) const;
    void bookBounded(const std::vector<std::size_t>& inPlay, const Eigen::VectorXd& impulses,
                     const Eigen::VectorXd& rates, const Row* rows, Arrival& arrival) const;
    void hold(const std::vector<BackwardEuler::Bound>& bounds, Arrival& arrival) const;
    void countTurns(FlowNetwork& end) const;
    double loadWork(const FlowBody& start, const FlowBody& end, bool pushed) const;
    void account(const Arrival& arrival);
    void addReactions(const Arrival& arrival);
    Eigen::VectorXd stopping(const std::vector<Row>& rows, const Eigen::MatrixXd& inverseMass) const;
    Arrival standStill() const;
    void fall(Arrival& arrival) const;

    FlowNetwork& m_network;
    std::vector<RowLaw> m_laws;
    std::vector<bool> m_inContact;
    Eigen::VectorXd m_jointValues;
    int m_steps;
    double m_dt;
    PassiveMotion m_motion;
    HoldSpace m_held;
    Responses m_responses;
};

int stepsFor(const FlowNetwork& network, double duration) {
    double spin = 0;
    for (const FlowBody& body : network.bodies) spin = std::max(spin, body.angularVelocity.norm());
    return static_cast<int>(std::ceil(std::clamp<double>(spin * duration / kTurn, kFewestSteps, kMostSteps)));
}

PassiveSteps::PassiveSteps(FlowNetwork& network, double duration)
    : m_network(network),
      m_jointValues(jointValues(network)),
      m_steps(stepsFor(network, duration)),
      m_dt(duration / m_steps) {
    const auto m = static_cast<Eigen::Index>(network.elements.size());
    m_motion.impulses = Eigen::VectorXd::Zero(m);
    m_motion.loss = Eigen::VectorXd::Zero(m);
    m_motion.boundedImpulses = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(network.bounded.size()));
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        m_laws.push_back(RowLaw::from(network.elements[e].law));
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
    Arrival arrival = arrive();
    const double tolerance = kRounding * (before + std::abs(arrival.work)) + storedRounding(arrival.network);
    double gain = energy(arrival.network) - before - arrival.work;
    if (gain > tolerance) {
        gain -= takeEnergy(arrival.network, gain, kLargestShare, arrival.impulses, arrival.work);
    }
    account(arrival.isHeld && gain <= tolerance ? arrival : standStill());
}

/// Backward Euler in which the rows are those of the end pose: found by repeating the step with the rows of the last
/// end pose. s is linear in the step's velocities around that pose, so that all that is convex stays convex.
Arrival PassiveSteps::arrive() {
    Arrival arrival{m_network, Eigen::VectorXd::Zero(m_motion.impulses.size())};
    FlowNetwork& end = arrival.network;
    for (FlowBody& body : end.bodies) static_cast<BodyState&>(body) = freeMotion(body, m_dt, kFreeSteps / m_steps);
    const FlowNetwork free = end;
    std::vector<bool> pushed(end.bodies.size(), false);
    const auto markEnds = [&](const auto& link) {
        forEachBody(link, [&](int body) {
            if (body != kWorld) pushed[static_cast<std::size_t>(body)] = true;
        });
    };
    std::for_each(end.joints.begin(), end.joints.end(), markEnds);
    std::for_each(end.bounded.begin(), end.bounded.end(), markEnds);
    std::vector<std::size_t> inPlay = boundedInPlay(end);
    m_held.rows.bind(end);
    std::vector<BackwardEuler::Bound> bounds;
    Eigen::VectorXd boundedImpulses;
    const std::size_t count = end.elements.size();
    const auto m = static_cast<Eigen::Index>(count);
    double drivenWork = 0;  // by the rows along which the impulses act
    RowNetwork rowNetwork;
    rowNetwork.laws = m_laws;
    Eigen::VectorXd s, z, freeRate;
    for (int round = 0; round < kRounds; ++round) {
        const auto bounded = static_cast<Eigen::Index>(inPlay.size());
        bounds.resize(inPlay.size());
        for (Eigen::VectorXd* values : {&s, &z, &freeRate}) values->setZero(m + bounded);
        countTurns(end);
        std::vector<Row> rows = rowsOf(end);
        for (const std::size_t k : inPlay) rows.push_back(boundedRowOf(end, k));
        m_responses.findHere(end, rows, m_held, inPlay);
        const Eigen::MatrixXd W = m_responses.inverseMass();
        rowNetwork.W.assign(W);
        FlowNetwork next = end;
        for (std::size_t i = 0; i < next.bodies.size(); ++i) {
            next.bodies[i].velocity = free.bodies[i].velocity;
            next.bodies[i].angularVelocity = free.bodies[i].angularVelocity;
        }
        holdVelocitiesBound(next, m_held);
        double speed = 1e-6;
        for (Eigen::Index e = 0; e < m; ++e) {
            const auto k = static_cast<std::size_t>(e);
            s[e] = rows[k].s - m_dt * rows[k].v;
            z[e] = m_network.elements[k].s_damper;
            freeRate[e] = rowOf(next, k).v;
            speed = std::max(speed, std::abs(freeRate[e]));
        }
        for (Eigen::Index k = 0; k < bounded; ++k) {
            s[m + k] = rows[static_cast<std::size_t>(m + k)].s - m_dt * rows[static_cast<std::size_t>(m + k)].v;
            const auto i = static_cast<std::size_t>(k);
            freeRate[m + k] = boundedRowOf(next, inPlay[i]).v;
            speed = std::max(speed, std::abs(freeRate[m + k]));
            bounds[i] = boundOf(inPlay[i], m_responses.isBlocked(count + i));
        }
        const BackwardEuler euler(rowNetwork, m_dt, speed, bounds);
        const Eigen::VectorXd impulses = euler.impulses(s, z, freeRate);
        const Eigen::VectorXd rates = (freeRate - W * impulses).tail(bounded);
        arrival.impulses = impulses.head(m);
        boundedImpulses = impulses.tail(bounded);
        m_responses.apply(next, impulses);
        bookBounded(inPlay, boundedImpulses, rates, rows.data() + count, arrival);
        arrival.held.clear();
        for (Eigen::Index k = 0; k < bounded; ++k) {
            const auto i = static_cast<std::size_t>(k);
            if (bounds[i].isLimit ? boundedImpulses[k] != 0 : euler.isAtTarget(i, rates[k])) {
                arrival.held.push_back(static_cast<int>(inPlay[i]));
            }
        }
        drivenWork = 0;
        for (std::size_t e = 0; e < count; ++e) {
            drivenWork += arrival.impulses[static_cast<Eigen::Index>(e)] * drivenRate(end, end.elements[e], rows[e]);
        }
        double change = 0;
        double fastest = 1e-6;
        for (std::size_t e = 0; e < count; ++e) {
            if (arrival.impulses[static_cast<Eigen::Index>(e)] != 0) markEnds(end.elements[e]);
        }
        for (std::size_t i = 0; i < next.bodies.size(); ++i) {
            FlowBody& body = next.bodies[i];
            // A body that flies keeps its exact path; one that is pushed moves with its end velocity, without which
            // a load would not balance a spring.
            if (pushed[i] && !body.isImmovable()) {
                body.position = m_network.bodies[i].position + m_dt * body.velocity;
                body.orientation = turned(m_network.bodies[i].orientation, m_dt * body.angularVelocity);
            }
            change = std::max({change, (body.velocity - end.bodies[i].velocity).norm(),
                               (body.angularVelocity - end.bodies[i].angularVelocity).norm()});
            fastest = std::max({fastest, body.velocity.norm(), body.angularVelocity.norm()});
        }
        end = std::move(next);
        const bool hasAgreed = !(change > kAgreed * fastest);
        if (!hasAgreed && round + 1 < kRounds) continue;
        if (!addOverrun(end, inPlay)) break;
        round = -1;  // again, with these
    }
    std::vector<BackwardEuler::Bound> allBounds;
    for (std::size_t k = 0; k < end.bounded.size(); ++k) allBounds.push_back(boundOf(k, false));
    for (std::size_t i = 0; i < inPlay.size(); ++i) allBounds[inPlay[i]] = bounds[i];
    hold(allBounds, arrival);
    countTurns(end);
    const std::vector<Row> rows = rowsOf(end);
    for (std::size_t e = 0; e < count; ++e) {
        FlowElement& element = end.elements[e];
        const double impulse = arrival.impulses[static_cast<Eigen::Index>(e)];
        if (m_laws[e].kind == RowLaw::Kind::Series) {
            element.s_damper = settledDamper(m_laws[e], rows[e].s, element.s_damper + damperRate(m_laws[e], impulse));
        }
    }
    arrival.work += drivenWork;
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        arrival.work += loadWork(m_network.bodies[i], end.bodies[i], pushed[i]);
    }
    return arrival;
}

/// Motors, and limits that the step may reach. @param free the bodies as they would be without them
std::vector<std::size_t> PassiveSteps::boundedInPlay(const FlowNetwork& free) const {
    std::vector<std::size_t> inPlay;
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        const BoundedRow& row = m_network.bounded[k];
        if (row.kind == BoundedRow::Kind::Limit) {
            const Row start = boundedRowOf(m_network, k);
            const double rate = std::max(std::abs(start.v), std::abs(boundedRowOf(free, k).v));
            if (row.side * (start.s - row.bound) > kFarAway * m_dt * rate + kOverrun) continue;
        }
        inPlay.push_back(k);
    }
    return inPlay;
}

/// By how much a limit is farther beyond its bound in the end than it is now.
double PassiveSteps::overrunOf(std::size_t k, const FlowNetwork& end) const {
    const BackwardEuler::Bound bound = boundOf(k, false);
    return bound.isLimit ? bound.side * (bound.bound - boundedRowOf(end, k).s) : 0;
}

/// Adds the limits that the step has overrun without looking at them. @return true if there are any
bool PassiveSteps::addOverrun(const FlowNetwork& end, std::vector<std::size_t>& inPlay) const {
    const std::size_t before = inPlay.size();
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        const auto place = std::lower_bound(inPlay.begin(), inPlay.end(), k);
        if ((place == inPlay.end() || *place != k) && overrunOf(k, end) > kOverrun) inPlay.insert(place, k);
    }
    return inPlay.size() > before;
}

BackwardEuler::Bound PassiveSteps::boundOf(std::size_t k, bool isBlocked) const {
    const BoundedRow& row = m_network.bounded[k];
    BackwardEuler::Bound bound;
    bound.isLimit = row.kind == BoundedRow::Kind::Limit;
    bound.target = row.targetRate;
    bound.side = row.side;
    // What is beyond its bound already is not pushed back, only kept from going further.
    const double start = boundedRowOf(m_network, k).s;
    bound.bound = row.side > 0 ? std::min(row.bound, start) : std::max(row.bound, start);
    bound.most = isBlocked ? 0 : bound.isLimit ? 1 : m_dt * row.maxForce;
    return bound;
}

/// Work of motors, and of driven bodies through them; what limits take. Impulses as elements have them.
void PassiveSteps::bookBounded(const std::vector<std::size_t>& inPlay, const Eigen::VectorXd& impulses,
                               const Eigen::VectorXd& rates, const Row* rows, Arrival& arrival) const {
    arrival.work = arrival.driveWork = arrival.limitLoss = 0;
    arrival.boundedImpulses.setZero(static_cast<Eigen::Index>(m_network.bounded.size()));
    for (Eigen::Index k = 0; k < impulses.size(); ++k) {
        const std::size_t i = inPlay[static_cast<std::size_t>(k)];
        const BoundedRow& row = m_network.bounded[i];
        const double power = -impulses[k] * rates[k];
        (row.kind == BoundedRow::Kind::Motor ? arrival.driveWork : arrival.limitLoss) +=
            row.kind == BoundedRow::Kind::Motor ? power : -power;
        arrival.work += power + impulses[k] * drivenRate(m_network, row, rows[k]);
        arrival.boundedImpulses[static_cast<Eigen::Index>(i)] = -impulses[k];
    }
}

/// Takes out of the arrival what joints, and motors and limits that act, do not allow.
void PassiveSteps::hold(const std::vector<BackwardEuler::Bound>& bounds, Arrival& arrival) const {
    FlowNetwork& end = arrival.network;
    // Rows turn within the step: a limit that the step did not see may be overrun all the same.
    for (std::size_t round = 0; round <= bounds.size(); ++round) {
        Eigen::VectorXd values(m_jointValues.size() + static_cast<Eigen::Index>(arrival.held.size()));
        values.head(m_jointValues.size()) = m_jointValues;
        for (std::size_t j = 0; j < arrival.held.size(); ++j) {
            const auto k = static_cast<std::size_t>(arrival.held[j]);
            values[m_jointValues.size() + static_cast<Eigen::Index>(j)] =
                bounds[k].isLimit ? bounds[k].bound - end.bounded[k].bound : 0;
        }
        arrival.isHeld = holdPoses(end, values, arrival.held);
        const std::size_t before = arrival.held.size();
        for (std::size_t k = 0; k < bounds.size() && arrival.isHeld; ++k) {
            const auto index = static_cast<int>(k);
            const bool isNew = std::find(arrival.held.begin(), arrival.held.end(), index) == arrival.held.end();
            if (isNew && bounds[k].most > 0 && overrunOf(k, end) > kOverrun) arrival.held.push_back(index);
        }
        if (arrival.held.size() == before) break;
    }
    const double before = kineticEnergy(end);
    holdVelocities(end, arrival.held);
    if (!arrival.held.empty()) {
        // The millionth by which they gave way.
        const double gained = kineticEnergy(end) - before;
        arrival.work += gained;
        arrival.driveWork += gained;
    }
}

/// A body may turn more than once in a step: the angle to look for is the one that its rate leads to.
void PassiveSteps::countTurns(FlowNetwork& end) const {
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        if (!countsTurns(end.elements[e])) continue;
        const FlowElement& start = m_network.elements[e];
        const Row row = rowOf(end, e);
        const double ownRate = start.isGeared() ? row.v + start.geared.ratio * row.gearedRate : row.v;
        Turns{start.phi + m_dt * ownRate, start.geared.phi + m_dt * row.gearedRate}.keepIn(end.elements[e]);
    }
    for (std::size_t k = 0; k < end.bounded.size(); ++k) {
        if (!countsTurns(end.bounded[k].geometry)) continue;
        end.bounded[k].phi = m_network.bounded[k].phi + m_dt * boundedRowOf(end, k).v;
    }
}

double PassiveSteps::loadWork(const FlowBody& start, const FlowBody& end, bool pushed) const {
    if (start.isImmovable()) return 0;
    if (!pushed) return kineticEnergy(end, Motion::of(end)) - kineticEnergy(start, Motion::of(start));
    const Eigen::Vector3d force = impulseOf(start.force, m_dt);
    const Eigen::Vector3d torque = impulseOf(start.torque, m_dt);
    const Eigen::Vector3d path = end.position - start.position;
    double work = 0;
    for (int k = 0; k < 3; ++k) {
        work += start.inverseMass * start.linearFactor[k] > 0 ? force[k] * path[k] / m_dt : 0;
        work += start.angularFactor[k] > 0 ? torque[k] * end.angularVelocity[k] : 0;
    }
    return work;
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
        } else {
            body.position += m_dt * carried;
        }
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
        gained += impulseOf(body.force, m_dt);
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
        given[i] << end.bodies[i].velocity - body.velocity - linearResponse(body, impulseOf(body.force, m_dt)),
            end.bodies[i].angularVelocity - body.angularVelocity - bodies.inverses[i] * impulseOf(body.torque, m_dt);
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
