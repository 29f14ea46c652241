#include "contact_tick.h"

#include "contact_coarse.h"
#include "contact_course.h"
#include "network_state.h"
#include "turning_system.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

namespace {

/// Rotation over the tick up to which directions count as fixed [rad].
constexpr double kTurn = 1e-6;
/// Gain of energy, as a share of the energy in play, that is taken from the motion; one that is larger is not to be
/// trusted.
constexpr double kLargestGain = 1e-3;
constexpr double kRounding = 1e-12;

/// A tick that was tried.
struct Trial {
    ContactState state;
    FlowNetwork end;
    double gain = 0;  ///< of bodies, springs and heat beyond the work of everything else [J]
    int steps = 0;
    int setChanges = 0;
    bool isCoarse = false;
    std::vector<char> bears;
};

FlowNetwork endOf(const FlowNetwork& start, const ContactState& state) {
    FlowNetwork end = start;
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        FlowBody& body = end.bodies[i];
        body.position += state.way[i].head<3>();
        body.orientation = turned(body.orientation, state.way[i].tail<3>());
        body.velocity = state.u[i].head<3>();
        body.angularVelocity = state.u[i].tail<3>();
    }
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        end.elements[e].s_damper = state.z[k];
        if (end.elements[e].geometry == Geometry::AboutAxis) end.elements[e].phi = state.s[k];
    }
    return end;
}

double largestTurn(const FlowNetwork& network, const ContactState& state) {
    double turn = 0;
    for (std::size_t i = 0; i < state.way.size(); ++i) {
        if (!network.bodies[i].isImmovable()) turn = std::max(turn, state.way[i].tail<3>().norm());
    }
    return turn;
}

/// Half way between the start and an end that was found.
BodiesNow middleOf(const FlowNetwork& start, const ContactState& state) {
    FlowNetwork middle = start;
    for (std::size_t i = 0; i < middle.bodies.size(); ++i) {
        FlowBody& body = middle.bodies[i];
        body.position += state.way[i].head<3>() / 2;
        body.orientation = turned(body.orientation, state.way[i].tail<3>() / 2);
        body.angularVelocity = (body.angularVelocity + state.u[i].tail<3>()) / 2;
    }
    return BodiesNow::of(middle);
}

Trial attempt(const FlowNetwork& network, const BodiesNow& middle, double h, const FlowSettings& settings,
              bool isCoarse) {
    Trial trial;
    ContactProblem problem(network, middle);
    trial.state = problem.start();
    trial.isCoarse = isCoarse;
    if (!isCoarse) {
        ContactCourse course(problem, h, settings, trial.state);
        trial.isCoarse = !course.run();
        trial.steps = course.steps();
        trial.setChanges = course.setChanges();
    }
    if (trial.state.t < h) trial.steps += finishCoarsely(problem, h, trial.state);
    trial.end = endOf(network, trial.state);
    for (std::size_t i = 0; i < network.contacts.size(); ++i) {
        trial.state.contacts[i].gap = problem.gap(i, trial.state.way);
        trial.state.contacts[i].isClosed = trial.state.contacts[i].gap <= 1e-9;
    }
    trial.gain = energy(trial.end) - energy(network) + trial.state.heat.sum() - trial.state.work;
    return trial;
}

/// Mechanical energy, and what loads could bring into resting bodies within the tick.
double energyInPlay(const FlowNetwork& network, double h, const ContactState& state) {
    double energy = flow::energy(network) + std::abs(state.work);
    for (const FlowBody& body : network.bodies) {
        energy += 0.5 * h * h * body.inverseMass * body.force.constant.squaredNorm();
    }
    return energy;
}

/// Slows all bodies down alike.
double slowDown(FlowNetwork& network, double energy) {
    const double kinetic = kineticEnergy(network);
    if (!(kinetic > 0)) return 0;
    const double share = std::sqrt(std::max(0., 1 - energy / kinetic));
    for (FlowBody& body : network.bodies) {
        if (body.isImmovable()) continue;
        body.velocity *= share;
        body.angularVelocity *= share;
    }
    return kinetic - kineticEnergy(network);
}

void read(const FlowNetwork& start, double h, const Trial& trial, TickResult& result) {
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        BodyTick tick;
        static_cast<BodyState&>(tick) = trial.end.bodies[i];
        if (!start.bodies[i].isImmovable()) {
            const BodyState free = freeMotion(start.bodies[i], h);
            tick.elementVelocity = tick.velocity - free.velocity;
            tick.elementAngularVelocity = tick.angularVelocity - free.angularVelocity;
        }
        result.bodies.push_back(tick);
    }
    for (std::size_t e = 0; e < start.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        const FlowElement& element = trial.end.elements[e];
        const Row row = rowOf(trial.end, e);
        ElementTick tick;
        tick.s = row.s;
        tick.v = row.v;
        tick.s_damper = element.s_damper;
        tick.force = evaluate(element.law, row.s, row.v, tick.s_damper);
        tick.impulse = trial.state.P[k];
        tick.heat = trial.state.heat[k];
        tick.storedEnergy = elasto::storedEnergy(element.law, row.s, tick.s_damper);
        result.elements.push_back(tick);
    }
    result.contacts = trial.state.contacts;
    result.events = trial.state.events;
    result.steps = trial.steps;
    result.setChanges = trial.setChanges;
    result.overBudget = trial.isCoarse;
    result.method = trial.isCoarse ? FlowMethod::Passive : FlowMethod::Contacts;
}

}  // namespace

TickResult solveContacts(const FlowNetwork& network, double h, const FlowSettings& settings) {
    BodiesNow middle = BodiesNow::of(network);
    Trial trial = attempt(network, middle, h, settings, false);
    // Where bodies turn, once more with the directions of the tick's middle.
    if (!trial.isCoarse && largestTurn(network, trial.state) > kTurn) {
        middle = middleOf(network, trial.state);
        trial = attempt(network, middle, h, settings, false);
    }
    const double inPlay = energyInPlay(network, h, trial.state);
    const auto isTrusted = [&] { return std::isfinite(trial.gain) && trial.gain <= kLargestGain * inPlay; };
    if (!isTrusted()) trial = attempt(network, middle, h, settings, true);
    TickResult result;
    if (trial.gain > kRounding * inPlay) {
        result.energyRepaired = slowDown(trial.end, trial.gain);
        trial.gain -= result.energyRepaired;
    }
    result.contactLoss = -trial.gain;
    result.energyHandedOut = -trial.state.heat.sum();
    read(network, h, trial, result);
    return result;
}

}  // namespace elasto::flow
