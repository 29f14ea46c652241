#include "contact_attempt.h"

#include "contact_coarse.h"
#include "contact_course.h"
#include "held_rows.h"
#include "network_state.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Share of a joint's gap that is left after a tick.
constexpr double kJointKept = 0.8;

FlowNetwork endOf(const FlowNetwork& start, const ContactState& state) {
    FlowNetwork end = start;
    moveBodies(end, state.way, 1);
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.velocity = state.u[i].head<3>();
        body.angularVelocity = state.u[i].tail<3>();
    }
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        end.elements[e].s_damper = state.z[k];
        if (countsTurns(end.elements[e].geometry)) end.elements[e].phi = state.s[k];
    }
    for (std::size_t k = 0; k < end.bounded.size(); ++k) {
        if (countsTurns(end.bounded[k].geometry)) end.bounded[k].phi = boundedRowOf(end, k).s;
    }
    return end;
}

/// Half way between the start and an end that was found.
BodiesNow middleOf(const FlowNetwork& start, const ContactState& state) {
    FlowNetwork middle = start;
    moveBodies(middle, state.way, 0.5);
    for (std::size_t i = 0; i < middle.bodies.size(); ++i) {
        FlowBody& body = middle.bodies[i];
        body.angularVelocity = (body.angularVelocity + state.u[i].tail<3>()) / 2;
    }
    return BodiesNow::of(middle);
}

double jointValue(const FlowNetwork& network, std::size_t k) {
    const HeldRow& row = network.joints[k];
    return measureHeld(row, motionOf(network, row.a), motionOf(network, row.b)).value;
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

/// The rest of the tick, and the balance.
void finish(ContactProblem& problem, double h, Trial& trial) {
    const FlowNetwork& network = problem.network();
    if (trial.state.t < h) trial.steps += finishCoarsely(problem, h, trial.state);
    trial.end = endOf(network, trial.state);
    trial.gain = energy(trial.end) - energy(network) + trial.state.heat.sum() - trial.state.work;
    if (problem.hasSoftContacts()) {
        const auto count = static_cast<Eigen::Index>(network.elements.size());
        trial.softHeld = softEnergy(trial.end) - softEnergy(network);
        trial.gain += trial.softHeld;
        trial.softHeld += trial.state.heat.tail(trial.state.heat.size() - count).sum();
    }
}

/// The way and the velocities that joints and contacts allow where the bodies stand at the end, by impulses along the
/// gradients of the middle: what the start lost to them comes back, so that turning on a contact keeps its energy.
void lift(ContactProblem& problem, const ContactModes& modes, ContactState& state) {
    const FlowNetwork& network = problem.network();
    const ContactFrame& middle = problem.frame();
    const std::vector<RowMode> rows = rowModes(middle, modes);
    std::vector<BlockRow> rates(middle.rowCount()), pushes;
    std::vector<InverseMassRoot> roots;
    for (std::size_t r = 0; r < middle.rowCount(); ++r) pushes.push_back(middle.row(r));
    for (std::size_t i = 0; i < state.u.size(); ++i) roots.push_back(middle.root(i));
    std::vector<double> wanted(rates.size()), impulses(rates.size());
    std::vector<Vector6> change(roots.size());
    BlockFactor factor;
    factor.setBodies(roots);
    for (const bool isWay : {true, false}) {
        const FlowNetwork there = endOf(network, state);
        const BodiesNow bodies = BodiesNow::of(there);
        const ContactFrame end(network, bodies, middle);
        if (end.rowCount() != rates.size()) return;  // normals of a patch have parted
        for (std::size_t r = 0; r < rates.size(); ++r) rates[r] = end.row(r);
        factor.setRows(rates, pushes);
        if (!factor.factor(rows)) return;
        if (isWay) {
            std::fill(wanted.begin(), wanted.end(), 0);
            for (std::size_t k = 0; k < network.joints.size(); ++k) {
                wanted[k] = kJointKept * jointValue(network, k) - jointValue(there, k);
            }
            for (std::size_t k = 0; k < network.bounded.size(); ++k) {
                wanted[middle.boundedOf(k)] = problem.coordinate(k, state.way) - end.coordinate(k);
            }
            for (std::size_t i = 0; i < network.contacts.size(); ++i) {
                wanted[middle.normalOf(i)] = problem.gap(i, state.way) - end.measure(i).gap;
            }
        } else {
            end.rates(state.u, true, wanted);
            for (double& w : wanted) w = -w;
        }
        factor.solve(wanted, impulses, change);
        if (isWay) {
            problem.move(change, 0, state);
        } else {
            std::vector<Vector6> mean = state.u;
            for (std::size_t i = 0; i < change.size(); ++i) {
                state.u[i] += change[i];
                mean[i] += change[i] / 2;
            }
            problem.countRows(impulses, state);
            problem.countMotors(impulses, mean, state);
        }
    }
}

}  // namespace

double largestTurn(const FlowNetwork& network, const ContactState& state) {
    double turn = 0;
    for (std::size_t i = 0; i < state.way.size(); ++i) {
        if (!network.bodies[i].isImmovable()) turn = std::max(turn, state.way[i].tail<3>().norm());
    }
    return turn;
}

Trial attempt(const FlowNetwork& network, double h, const FlowSettings& settings, long work, bool stopsAtRelease,
              const Trial* first) {
    Trial trial;
    ContactProblem problem(network, first != nullptr ? middleOf(network, first->state) : BodiesNow::of(network));
    trial.state = problem.start();
    ContactCourse course(problem, h, settings, work, trial.state);
    if (first != nullptr) course.hold(first->firstModes);
    trial.isCoarse = !course.run(stopsAtRelease);
    trial.length = trial.isCoarse ? h : trial.state.t;
    trial.steps = course.steps();
    trial.work = course.work();
    trial.setChanges = course.setChanges();
    trial.firstModes = first != nullptr ? first->firstModes : course.firstModes();
    if (first != nullptr && !trial.isCoarse) lift(problem, course.modes(), trial.state);
    finish(problem, trial.length, trial);
    return trial;
}

Trial attemptCoarsely(const FlowNetwork& network, double h) {
    Trial trial;
    trial.length = h;
    ContactProblem problem(network, BodiesNow::of(network));
    trial.state = problem.start();
    trial.isCoarse = true;
    finish(problem, h, trial);
    return trial;
}

}  // namespace elasto::flow
