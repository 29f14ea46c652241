#include "contact/contact_trial.h"

#include "balance/centroidal.h"
#include "balance/energy_repair.h"
#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "constraints/held_rows.h"
#include "contact/contact_stand.h"
#include "contact/tuning.h"
#include "numerics/cost_model.h"
#include "numerics/largest.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Angles of a geared element where the bodies were displaced so far.
Turns turnsAfter(const FlowNetwork& start, std::size_t e, const std::vector<Vector6>& displacements) {
    const FlowElement& element = start.elements[e];
    const Row row = rowOf(start, e);
    const auto along = [&](const auto& link, const Eigen::Vector3d& linear, const Eigen::Vector3d& angularA,
                           const Eigen::Vector3d& angularB) {
        double change = 0;
        if (link.a != kWorld) {
            const Vector6& displacement = displacements[static_cast<std::size_t>(link.a)];
            change += angularA.dot(displacement.tail<3>()) - linear.dot(displacement.head<3>());
        }
        if (link.b != kWorld) {
            const Vector6& displacement = displacements[static_cast<std::size_t>(link.b)];
            change += angularB.dot(displacement.tail<3>()) + linear.dot(displacement.head<3>());
        }
        return change;
    };
    Turns turns = Turns::found(element, row);
    turns.own += along(element, row.linear, row.angularA, row.angularB);
    double second = along(element.geared, row.gearedLinear, row.gearedAngularA, row.gearedAngularB);
    if (element.a != kWorld) {
        second += row.carriedAngular.dot(displacements[static_cast<std::size_t>(element.a)].tail<3>());
    }
    turns.geared -= second / element.geared.ratio;
    return turns;
}

void readEnd(const FlowNetwork& start, const ContactState& state, FlowNetwork& end) {
    end = start;
    moveBodies(end, state.displacement, 1);
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.velocity = state.u[i].head<3>();
        body.angularVelocity = state.u[i].tail<3>();
    }
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        FlowElement& element = end.elements[e];
        element.s_damper = state.z[k];
        if (element.isGeared()) {
            turnsAfter(start, e, state.displacement).keepIn(element);
        } else if (countsTurns(element)) {
            element.phi = state.s[k];
        }
    }
    for (std::size_t k = 0; k < end.bounded.size(); ++k) {
        if (countsTurns(end.bounded[k])) Turns::found(end.bounded[k], boundedRowOf(end, k)).keepIn(end.bounded[k]);
    }
}

double jointValue(const FlowNetwork& network, std::size_t k) {
    const HeldRow& row = network.joints[k];
    return measureHeld(row, motionOf(network, row.a), motionOf(network, row.b)).value;
}

/// Change of the velocity of a free-floating network's centre of mass.
Eigen::Vector3d freeFallOf(const FlowNetwork& network, double h) {
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
    for (const FlowBody& body : network.bodies) {
        if (body.inverseMass > 0) impulse += body.force.impulse(h);
    }
    const double mass = Centroidal::of(network).mass;
    return mass > 0 ? Eigen::Vector3d(impulse / mass) : Eigen::Vector3d::Zero();
}

/// Gives a free-floating network the momenta that its loads have made, whatever sub-steps did.
/// @return speed that was missing, as a share of the bodies'
double keepMomenta(const FlowNetwork& start, double h, FlowNetwork& end) {
    CentroidalBalance balance;
    balance.begin(start);
    if (!balance.isFreeFloating()) return 0;
    Eigen::Vector3d moment = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        const FlowBody& body = start.bodies[i];
        if (body.isImmovable()) continue;
        const Eigen::Vector3d before = (body.position - balance.center()).cross(body.force.value(0));
        const Eigen::Vector3d after = (end.bodies[i].position - balance.center()).cross(body.force.value(h));
        moment += h / 2 * (before + after) + body.torque.impulse(h);
    }
    for (const CarriedRotor& rotor : carriedRotors(start)) {
        const Eigen::Vector3d impulse = start.bodies[rotor.body].torque.impulse(h);
        const Eigen::Quaterniond& first = start.bodies[rotor.carrier].orientation;
        const Eigen::Quaterniond& last = end.bodies[rotor.carrier].orientation;
        const Eigen::Vector3d axis =
            (rotor.axisNow(first) + 4 * rotor.axisNow(first.slerp(0.5, last)) + rotor.axisNow(last)) / 6;
        moment += rotor.momentOf(impulse) * axis - impulse;
    }
    const double missing = balance.project(end, start, h, moment);
    double fastest = 0;
    for (const FlowBody& body : end.bodies) fastest = std::max(fastest, body.velocity.norm());
    return fastest > 0 ? missing / fastest : 0;
}

/// Largest distance by which joints have opened.
double openedBy(const FlowNetwork& start, const FlowNetwork& end) {
    double opened = 0;
    for (std::size_t k = 0; k < start.joints.size(); ++k) {
        opened = std::max(opened, std::abs(jointValue(end, k)) - std::abs(jointValue(start, k)));
    }
    return opened;
}

/// What soft contacts hold.
double softEnergy(const FlowNetwork& network) {
    double energy = 0;
    for (const FlowContact& contact : network.contacts) {
        if (std::isinf(contact.stiffness)) continue;
        const double gap = measureContact(contact, motionOf(network, contact.a), motionOf(network, contact.b)).gap;
        energy += contact.stiffness / 2 * std::min(gap, 0.) * std::min(gap, 0.);
    }
    return energy;
}

}  // namespace

void weigh(const FlowNetwork& start, Trial& trial) {
    trial.gain = energy(trial.end) - energy(start) + trial.state.heat.sum() - trial.state.work;
    const auto elements = static_cast<Eigen::Index>(start.elements.size());
    const Eigen::Index softs = trial.state.heat.size() - elements;
    trial.softHeld = 0;
    if (softs == 0) return;
    trial.softHeld = softEnergy(trial.end) - softEnergy(start);
    trial.gain += trial.softHeld;
    trial.softHeld += trial.state.heat.tail(softs).sum();
}

void Trial::begin() {
    length = gain = putRight = jointLoss = softHeld = opened = momentumMissed = 0;
    steps = substeps = setChanges = 0;
    work = 0;
    isCut = false;
    isSolved = true;
}

double largestTurn(const FlowNetwork& network, const ContactState& state) {
    double turn = 0;
    for (std::size_t i = 0; i < state.displacement.size(); ++i) {
        if (!network.bodies[i].isImmovable()) turn = std::max(turn, state.displacement[i].tail<3>().norm());
    }
    return turn;
}

/// Half way between the start and an end that was found.
void ContactTrials::placeInMiddle(const FlowNetwork& network, const ContactState& state) {
    FlowNetwork& middle = m_network;
    middle.bodies = network.bodies;
    moveBodies(middle, state.displacement, 0.5);
    for (std::size_t i = 0; i < middle.bodies.size(); ++i) {
        FlowBody& body = middle.bodies[i];
        body.angularVelocity = (body.angularVelocity + state.u[i].tail<3>()) / 2;
    }
    m_bodies.read(middle);
    m_problem.place(network, m_bodies);
}

long ContactTrials::visit() const {
    return price::partsOf(m_problem.network());
}

long ContactTrials::spentOnRows() const {
    return m_problem.frame().work() + m_factor.work();
}

/// The balance.
void ContactTrials::finish(Trial& trial) {
    const FlowNetwork& network = m_problem.network();
    readEnd(network, trial.state, trial.end);
    // Rows that stand still while bodies turn change the moment of momentum of what floats by their error.
    trial.momentumMissed = keepMomenta(network, trial.length, trial.end);
    trial.opened = openedBy(network, trial.end);
    weigh(network, trial);
}

/// The displacements and the velocities that joints and contacts allow where the bodies stand at the end, by impulses
/// along the gradients of the middle: what the start lost to them comes back, so that turning on a contact keeps its
/// energy.
/// @return false if they are farther away than what is lifted: rows that wedge do not tell where they are
bool ContactTrials::lift(const ContactModes& modes, ContactState& state) {
    const FlowNetwork& network = m_problem.network();
    const ContactFrame& middle = m_problem.frame();
    const std::size_t count = middle.rowCount();
    rowModes(middle, modes, m_modes);
    m_pushes.clear();
    for (std::size_t r = 0; r < count; ++r) m_pushes.push_back(middle.row(r));
    m_gearedPushes = middle.gearedRows();
    m_roots.clear();
    for (std::size_t i = 0; i < state.u.size(); ++i) m_roots.push_back(middle.root(i));
    m_rates.resize(count);
    m_wanted.resize(count);
    m_impulses.resize(count);
    m_change.resize(m_roots.size());
    m_factor.setBodies(m_roots);
    for (const bool isDisplacement : {true, false}) {
        FlowNetwork& there = m_network;
        readEnd(network, state, there);
        m_bodies.read(there);
        m_end.place(network, m_bodies, middle);
        if (m_end.rowCount() != count) return true;  // normals of a patch have parted
        for (std::size_t r = 0; r < count; ++r) m_rates[r] = m_end.row(r);
        m_factor.setRows(m_rates, m_pushes, m_end.gearedRows(), m_gearedPushes);
        if (!m_factor.factor(m_modes)) return true;
        if (isDisplacement) {
            std::fill(m_wanted.begin(), m_wanted.end(), 0);
            for (std::size_t k = 0; k < network.joints.size(); ++k) {
                m_wanted[k] = kJointKept * jointValue(network, k) - jointValue(there, k);
            }
            for (std::size_t k = 0; k < network.bounded.size(); ++k) {
                m_wanted[middle.boundedOf(k)] = m_problem.coordinate(k, state.displacement) - m_end.coordinate(k);
            }
            for (std::size_t i = 0; i < network.contacts.size(); ++i) {
                m_wanted[middle.normalOf(i)] = m_problem.gap(i, state.displacement) - m_end.measure(i).gap;
            }
        } else {
            m_end.rates(state.u, true, m_wanted);
            for (double& w : m_wanted) w = -w;
        }
        m_factor.solve(m_wanted, m_impulses, m_change);
        if (!(largestOf(m_change) <= largestOf(isDisplacement ? state.displacement : state.u))) return false;
        if (isDisplacement) {
            m_problem.move(m_change, 0, state);
        } else {
            m_mean = state.u;
            for (std::size_t i = 0; i < m_change.size(); ++i) {
                state.u[i] += m_change[i];
                m_mean[i] += m_change[i] / 2;
            }
            m_problem.countRows(m_impulses, state);
            m_problem.countMotors(m_impulses, m_mean, state);
        }
    }
    return true;
}

void ContactTrials::attempt(const FlowNetwork& network, double h, const FlowSettings& settings, long work,
                            bool stopsAtRelease, const Trial* first, Trial& trial) {
    const long before = spentOnRows();
    if (first != nullptr) {
        placeInMiddle(network, first->state);
    } else {
        m_bodies.read(network);
        m_problem.place(network, m_bodies);
    }
    m_problem.start(trial.state);
    ContactIntegrator integrator(m_problem, h, settings, work, trial.state, m_integrator);
    if (first != nullptr) integrator.hold(first->firstModes);
    trial.begin();
    trial.isCut = !integrator.run(stopsAtRelease);
    trial.length = trial.isCut ? h : trial.state.t;
    trial.steps = integrator.steps();
    trial.setChanges = integrator.setChanges();
    trial.firstModes = first != nullptr ? first->firstModes : integrator.firstModes();
    trial.isCut = trial.isCut || (first != nullptr && !lift(integrator.modes(), trial.state));
    if (!trial.isCut) finish(trial);
    trial.work =
        integrator.ownWork() + spentOnRows() - before + (first != nullptr ? price::kLift : price::kAttempt) * visit();
}

void ContactTrials::follow(const FlowNetwork& network, double h, double most, const FlowSettings& settings, long work,
                           PartEnd& before, Trial& trial) {
    const long spent = spentOnRows();
    m_bodies.read(network);
    m_problem.place(network, m_bodies, true);
    m_problem.start(trial.state);
    trial.state.phases = before.phases;
    ContactIntegrator integrator(m_problem, h, settings, work, trial.state, m_integrator);
    trial.begin();
    trial.isCut = !integrator.begin(before.hits);
    trial.setChanges = integrator.setChanges();
    double t = 0;
    m_motion.clear();
    if (!trial.isCut) {
        const long left = work - (integrator.ownWork() + spentOnRows() - spent);
        m_motion.begin(m_problem, integrator.modes(), integrator.slowSlip(), integrator.largestForce(), trial.state, h,
                       settings, left);
        m_y = m_motion.start();
        const bool isWorthwhile = left >= kFewestSteps * m_motion.stepWork();
        const Ended ended =
            isWorthwhile ? integrate(m_motion, m_stepper, t, most, m_y, settings.maxSteps, trial.steps, m_integration)
                         : Ended::Exhausted;
        trial.isCut = ended == Ended::Exhausted;
    }
    trial.isCut = trial.isCut || !m_motion.readEnd(t, m_y, trial.state, trial.end);
    if (!trial.isCut) {
        trial.length = t;
        trial.momentumMissed = keepMomenta(network, t, trial.end);
        trial.opened = openedBy(network, trial.end);
        weigh(network, trial);
        before.hits.last -= t;
        before.phases = m_motion.phases();
    }
    trial.work = integrator.ownWork() + m_motion.work() + spentOnRows() - spent + price::kAttempt * visit();
}

void ContactTrials::attemptImplicitly(const FlowNetwork& network, double h, double dt,
                                      implicit::ElementDrift::Form form, long work, Trial& trial) {
    const long parts = price::implicitPartsOf(network);
    const double substepWork = std::ceil(h / dt) * price::kSubstep;
    const double iterations = (static_cast<double>(work / parts) - substepWork) / price::kNewton;
    m_implicit.solve(network, h, dt, form, static_cast<int>(std::clamp(iterations, 0., 1e6)), m_tick);
    const int substeps = m_tick.substeps;
    trial.begin();
    ContactState& state = trial.state;
    state.t = h;
    std::swap(state.P, m_tick.P);
    std::swap(state.heat, m_tick.heat);
    std::swap(state.contacts, m_tick.contacts);
    std::swap(state.bounded, m_tick.bounded);
    std::swap(state.reactions, m_tick.reactions);
    std::swap(state.events, m_tick.events);
    std::swap(trial.end, m_tick.end);
    state.work = m_tick.work;
    state.driveWork = m_tick.driveWork;
    state.limitLoss = m_tick.limitLoss;
    trial.putRight = m_tick.putRight;
    trial.isSolved = m_tick.isSolved;
    trial.jointLoss = std::max(m_tick.jointLoss, 0.);
    trial.opened = openedBy(network, trial.end);
    trial.momentumMissed = keepMomenta(network, h, trial.end);
    trial.length = h;
    trial.steps = trial.substeps = substeps;
    trial.work = (substeps * price::kSubstep + m_tick.iterations * price::kNewton) * parts;
    weigh(network, trial);
}

void ContactTrials::stand(const FlowNetwork& network, double h, Trial& trial) {
    m_bodies.read(network);
    m_problem.place(network, m_bodies);
    trial.begin();
    m_problem.start(trial.state);
    const bool isApart = network.contacts.empty();
    const bool isFloating = isFreeFloating(network);
    const Eigen::Vector3d velocity = isApart || isFloating ? carriedVelocity(network) : Eigen::Vector3d::Zero();
    const Eigen::Vector3d change = isFloating ? freeFallOf(network, h) : Eigen::Vector3d::Zero();
    standStill(m_problem, h, velocity + change / 2, trial.state);
    for (std::size_t i = 0; isFloating && i < network.bodies.size(); ++i) trial.state.u[i].head<3>() += change / 2;
    trial.length = h;
    finish(trial);
    trial.work = price::kAttempt * visit();
    if (isFloating) {
        keepMomenta(network, h, trial.end);
        weigh(network, trial);
    }
    if (!isApart || isFloating) return;
    // What keeps them together takes their inner motion and works as it must on what carries them.
    double inner = 0;
    for (const FlowBody& body : network.bodies) {
        Motion seen = Motion::of(body);
        seen.v -= velocity;
        if (!body.isImmovable()) inner += kineticEnergy(body, seen);
    }
    trial.state.work += trial.gain + inner;
    trial.gain = -inner;
}

}  // namespace elasto::flow
