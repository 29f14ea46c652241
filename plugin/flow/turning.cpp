#include "turning.h"

#include "dop853.h"
#include "hybrid_integrator.h"
#include "rodas4.h"
#include "solve_rows.h"
#include "straight.h"
#include "turning_system.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {
namespace {

// Share of the energy in play that a tick may gain after its repair: rounding of large energies, no more.
constexpr double kLargestGain = 1e-9;

// Explicit steps as long as they can follow, RODAS4 from the moment on when a strongly damped element acts.
void advance(TurningSystem& system, double h, const FlowSettings& settings, double& t, Eigen::VectorXd& y,
             TickResult& result) {
    result.method = FlowMethod::Turning;
    Ended ended = Ended::AtEvent;
    while (t < h && ended == Ended::AtEvent) {
        if (system.isStronglyDamped(t, y)) {
            result.method = FlowMethod::TurningRodas4;
            system.returnAtStrongDamping(false);
            system.setTolerance(kRodas4Looseness * settings.tolerance);
            Rodas4 stepper;
            ended = integrate(system, stepper, t, h, y, settings.maxSteps, result.steps);
        } else {
            system.returnAtStrongDamping(true);
            system.setTolerance(kTurningShare * settings.tolerance);
            Dop853 stepper;
            ended = integrate(system, stepper, t, h, y, settings.maxSteps, result.steps);
        }
    }
}

FlowNetwork networkAt(const TurningSystem& system, double t, const Eigen::VectorXd& y) {
    FlowNetwork now = system.network();
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        FlowBody& body = now.bodies[i];
        const Motion motion = system.motionOf(static_cast<int>(i), t, y);
        body.position = motion.x;
        body.orientation = motion.q;
        body.velocity = motion.v;
        body.angularVelocity = motion.w;
        for (QuadraticLoad* load : {&body.force, &body.torque}) {
            *load = {load->value(t), load->linear + 2 * t * load->quadratic, load->quadratic};
        }
    }
    for (std::size_t e = 0; e < now.elements.size(); ++e) {
        now.elements[e].s_damper = system.damperLength(e, y);
        now.elements[e].phi = system.rowOf(e, t, y).s;
    }
    return now;
}

// Energy that the elements handed out by (t, y): gain of bodies and springs minus the work of everything else.
struct EnergyBook {
    double start;
    EnergyBook(const TurningSystem& system, const Eigen::VectorXd& y)
        : start(system.kineticEnergy(0, y) + system.storedEnergy(0, y)) {}
    double handedOut(const TurningSystem& system, double t, const Eigen::VectorXd& y) const {
        return system.kineticEnergy(t, y) + system.storedEnergy(t, y) - system.work(y) - start;
    }
};

// A tiny damping impulse on the elements that pushed takes an energy gain back; momentum is kept.
double repair(const TurningSystem& system, double gain, double h, Eigen::VectorXd& y) {
    const auto m = static_cast<Eigen::Index>(system.network().elements.size());
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(m);
    for (Eigen::Index e = 0; e < m; ++e) {
        if (system.impulse(static_cast<std::size_t>(e), y) != 0) {
            rates[e] = system.rowOf(static_cast<std::size_t>(e), h, y).v;
        }
    }
    const double before = system.kineticEnergy(h, y);
    Eigen::VectorXd damped = y;
    system.applyImpulses(h, rates, damped);
    // E(theta) = E - theta B + theta^2 A / 2 for the impulse theta times the rates.
    const double B = rates.squaredNorm();
    const double A = 2 * (system.kineticEnergy(h, damped) - before + B);
    if (B <= 0) {
        return 0;
    }
    const double root = B * B - 2 * A * gain;
    const double theta = root >= 0 ? 2 * gain / (B + std::sqrt(root)) : B / A;
    system.applyImpulses(h, theta * rates, y);
    for (Eigen::Index e = 0; e < m; ++e) {
        system.impulse(static_cast<std::size_t>(e), y) += theta * rates[e];
    }
    return before - system.kineticEnergy(h, y);
}

void read(const TurningSystem& system, double h, const Eigen::VectorXd& y, TickResult& result) {
    const FlowNetwork& network = system.network();
    for (std::size_t i = 0; i < network.bodies.size(); ++i) {
        const FlowBody& body = network.bodies[i];
        const Motion motion = system.motionOf(static_cast<int>(i), h, y);
        BodyTick end;
        end.position = motion.x;
        end.orientation = motion.q;
        end.velocity = motion.v;
        end.angularVelocity = motion.w;
        if (!body.isImmovable()) {
            const QuadraticLoad& f = body.force;
            const Eigen::Vector3d impulse = h * (f.constant + h * (f.linear / 2 + h / 3 * f.quadratic));
            end.elementVelocity = motion.v - body.velocity - linearResponse(body, impulse);
            end.elementAngularVelocity = motion.w - freeAngularVelocity(body, h);
        }
        result.bodies.push_back(end);
    }
    for (std::size_t e = 0; e < network.elements.size(); ++e) {
        const Row row = system.rowOf(e, h, y);
        const FlowElement& element = network.elements[e];
        Eigen::VectorXd copy = y;
        ElementTick tick;
        tick.s = row.s;
        tick.v = row.v;
        tick.s_damper = settledDamper(RowLaw::from(element.law), row.s, system.damperLength(e, y));
        tick.force = evaluate(element.law, row.s, row.v, tick.s_damper);
        tick.impulse = system.impulse(e, copy);
        tick.heat = system.heat(e, y);
        tick.storedEnergy = storedEnergy(element.law, row.s, tick.s_damper);
        result.elements.push_back(tick);
    }
    result.events = system.events();
}

// Directions frozen over a tick know nothing of a stiff line that turns or has no length: where the true end pose would
// hold more energy than there was, the bodies rest where the integration stopped. Nothing explodes, all motion is lost.
void restIfGaining(const FlowNetwork& now, TickResult& result) {
    double before = 0;
    double after = 0;
    FlowNetwork end = now;
    end.adopt(result);
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        const FlowBody& body = now.bodies[i];
        before += kineticEnergy(body, Motion::of(body));
        before += std::fabs(body.force.constant.dot(end.bodies[i].position - body.position));
        after += kineticEnergy(body, Motion::of(end.bodies[i]));
    }
    for (std::size_t e = 0; e < now.elements.size(); ++e) {
        const FlowElement& element = now.elements[e];
        before += storedEnergy(element.law, measure(now, element).s, element.s_damper);
        after += storedEnergy(element.law, measure(end, element).s, result.elements[e].s_damper);
    }
    if (!(after > before * (1 + 1e-6))) {
        return;
    }
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        if (!now.bodies[i].isImmovable()) {
            static_cast<BodyState&>(result.bodies[i]) = now.bodies[i];
            result.bodies[i].velocity.setZero();
            result.bodies[i].angularVelocity.setZero();
        }
    }
    for (std::size_t e = 0; e < now.elements.size(); ++e) {
        const FlowElement& element = now.elements[e];
        ElementTick& tick = result.elements[e];
        tick.s = measure(now, element).s;
        tick.v = 0;
        tick.s_damper = element.s_damper;
        tick.force = evaluate(element.law, tick.s, 0, element.s_damper);
        tick.storedEnergy = storedEnergy(element.law, tick.s, element.s_damper);
    }
}

// The rest of the tick with directions frozen where the integration stopped.
void finishPassively(TurningSystem& system, double h, double t, const Eigen::VectorXd& y, TickResult& result) {
    const FlowNetwork now = networkAt(system, t, y);
    const RowFrame frame(now);
    const RowNetwork rows = frame.rowNetwork();
    RowState state = frame.startState(rows);
    RowLog log;
    solvePassive(rows, state, h - t, log);
    read(system, t, y, result);
    for (std::size_t i = 0; i < result.bodies.size(); ++i) {
        const Eigen::Vector3d velocity = result.bodies[i].elementVelocity;
        const Eigen::Vector3d spin = result.bodies[i].elementAngularVelocity;
        result.bodies[i] = frame.endOf(static_cast<int>(i), h - t, state.P, state.sigma);
        result.bodies[i].elementVelocity += velocity;
        result.bodies[i].elementAngularVelocity += spin;
    }
    for (std::size_t e = 0; e < result.elements.size(); ++e) {
        const auto k = static_cast<Eigen::Index>(e);
        ElementTick& tick = result.elements[e];
        tick.s = state.s[k];
        tick.v = state.v[k];
        tick.s_damper = state.z[k];
        tick.force = evaluate(now.elements[e].law, tick.s, tick.v, tick.s_damper);
        tick.impulse += state.P[k];
        tick.heat += state.heat[k];
        tick.storedEnergy = storedEnergy(now.elements[e].law, tick.s, tick.s_damper);
    }
    for (ContactEvent event : log.events) {
        event.time += t;
        result.events.push_back(event);
    }
    result.steps += log.steps;
    result.method = FlowMethod::Passive;
    result.overBudget = true;
    restIfGaining(now, result);
}

// The whole tick with directions frozen at its start.
TickResult solvePassively(const FlowNetwork& network, double h, const FlowSettings& settings, int stepsSpent) {
    TurningSystem system(network, h, settings);
    TickResult result;
    result.steps = stepsSpent;
    finishPassively(system, h, 0, system.startState(), result);
    return result;
}

} // namespace

Eigen::Vector3d freeAngularVelocity(const FlowBody& body, double h) {
    const bool turnedByItself = !gyroscopicAcceleration(body, body.orientation, body.angularVelocity).isZero(0) ||
                                !(body.torque.constant.isZero(0) && body.torque.isConstant());
    return turnedByItself ? freeRotation(body, h).w : body.angularVelocity;
}

TickResult solveTurning(const FlowNetwork& network, double h, const FlowSettings& settings) {
    TurningSystem system(network, h, settings);
    TickResult result;
    Eigen::VectorXd y = system.startState();
    const EnergyBook book(system, y);
    double t = 0;
    advance(system, h, settings, t, y, result);
    result.energyHandedOut = book.handedOut(system, t, y);
    if (result.energyHandedOut > 0 && !network.elements.empty()) {
        result.energyRepaired = repair(system, result.energyHandedOut, t, y);
        // What a damping impulse cannot take back is in the springs: such a solution is not to be trusted.
        const double scale = book.start + std::fabs(system.work(y));
        if (result.energyHandedOut - result.energyRepaired > kLargestGain * scale) {
            return solvePassively(network, h, settings, result.steps);
        }
    }
    if (t < h) {
        finishPassively(system, h, t, y, result);
    } else {
        read(system, h, y, result);
    }
    return result;
}

} // namespace elasto::flow
