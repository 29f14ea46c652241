#include "turning_system.h"

#include "dop853.h"
#include "hybrid_integrator.h"
#include "solve_rows.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {
namespace {

// Share of the spring in the force of an element that has one of its own (not a series element), Modelica's sign.
double springShare(const RowLaw& law, Phase phase, double s) {
    if (law.kind == RowLaw::Kind::SpringDamper) {
        return law.c * (s - law.edgeHigh);
    }
    return phase.inContact() ? phase.side * law.springForce(law.penetration(s, phase.side)) : 0;
}

} // namespace

TurningSystem::TurningSystem(const FlowNetwork& network, double h, const FlowSettings& settings)
    : m_network(network), m_settings(settings), m_h(h), m_tolerance(settings.tolerance) {
    for (const FlowBody& body : network.bodies) {
        m_slots.push_back(body.isImmovable() ? -1 : m_movable++);
    }
    for (const FlowElement& element : network.elements) {
        m_laws.push_back(RowLaw::from(element.law));
        m_phi.push_back(element.phi);
    }
    m_phases.resize(elementCount());
    m_motions.resize(network.bodies.size());
    m_inverses.resize(network.bodies.size());
    const Eigen::VectorXd y = startState();
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const Row row = rowOf(e, 0, y);
        m_phi[e] = row.s;
        if (network.elements[e].geometry == Geometry::AlongLine) {
            // A difference must not reach across a short line, whose direction it would turn round.
            m_poseStep = std::clamp(1e-3 * row.s, 1e-13, m_poseStep);
        }
        // The acceleration only matters for contacts that touch at rest; the bodies' own decides there.
        double a = 0;
        const FlowElement& element = network.elements[e];
        const auto add = [&](int body, double sign, const Eigen::Vector3d& angular) {
            if (isMovable(body)) {
                const FlowBody& b = network.bodies[static_cast<std::size_t>(body)];
                a += sign * row.linear.dot(linearResponse(b, b.force.constant));
                a += angular.dot(loadResponse(b, b.orientation, b.torque.constant));
            }
        };
        add(element.a, -1, row.angularA);
        add(element.b, 1, row.angularB);
        m_phases[e] = classify(m_laws[e], row.s, row.v, a);
    }
    listExits();
}

Eigen::VectorXd TurningSystem::startState() const {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(size());
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
    return y;
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
    const Eigen::Index at = bodyIndex(body);
    Motion motion;
    motion.x = y.segment<3>(at);
    motion.q.coeffs() = y.segment<4>(at + 3).normalized();
    motion.v = y.segment<3>(at + 7);
    motion.w = y.segment<3>(at + 10);
    return motion;
}

Row TurningSystem::rowOf(std::size_t e, double t, const Eigen::VectorXd& y) const {
    const FlowElement& element = m_network.elements[e];
    return measureRow(element, motionOf(element.a, t, y), motionOf(element.b, t, y), m_phi[e]);
}

double TurningSystem::forceOf(std::size_t e, const Row& row, const Eigen::VectorXd& y) const {
    return forceInPhase(m_laws[e], m_phases[e], row.s, row.v, y[zIndex(e)]);
}

void TurningSystem::derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) {
    dydt.setZero(size());
    double& work = dydt[workIndex()];
    const std::size_t n = m_network.bodies.size();
    std::vector<Motion>& motions = m_motions;
    std::vector<Eigen::Matrix3d>& inverses = m_inverses;
    for (std::size_t i = 0; i < n; ++i) {
        motions[i] = motionOf(static_cast<int>(i), t, y);
        if (m_slots[i] < 0) {
            continue;
        }
        const FlowBody& body = m_network.bodies[i];
        const Motion& motion = motions[i];
        const Eigen::Index at = 13 * m_slots[i];
        inverses[i] = inverseInertiaWorld(body, motion.q);
        const Eigen::Vector3d force = body.force.value(t);
        const Eigen::Vector3d torque = body.torque.value(t);
        const Eigen::Quaterniond rate = Eigen::Quaterniond(0, motion.w[0], motion.w[1], motion.w[2]) * motion.q;
        dydt.segment<3>(at) = motion.v;
        dydt.segment<4>(at + 3) = 0.5 * rate.coeffs();
        dydt.segment<3>(at + 7) = linearResponse(body, force);
        dydt.segment<3>(at + 10) = inverses[i] * torque + gyroscopicAcceleration(body, motion.q, motion.w);
        // A force along an axis that cannot move (factor 0) does no work.
        for (int k = 0; k < 3; ++k) {
            work += body.inverseMass * body.linearFactor[k] > 0 ? force[k] * motion.v[k] : 0;
            work += body.angularFactor[k] > 0 ? torque[k] * motion.w[k] : 0;
        }
    }
    const Motion world;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const FlowElement& element = m_network.elements[e];
        const Motion& a = element.a == kWorld ? world : motions[static_cast<std::size_t>(element.a)];
        const Motion& b = element.b == kWorld ? world : motions[static_cast<std::size_t>(element.b)];
        const Row row = measureRow(element, a, b, m_phi[e]);
        const double f = forceOf(e, row, y);
        const auto push = [&](int index, const Motion& motion, double sign, const Eigen::Vector3d& angular) {
            if (isMovable(index)) {
                const auto i = static_cast<std::size_t>(index);
                dydt.segment<3>(bodyIndex(index) + 7) -=
                    f * sign * linearResponse(m_network.bodies[i], row.linear);
                dydt.segment<3>(bodyIndex(index) + 10) -= f * (inverses[i] * angular);
            } else {
                // A driven body works on the element.
                work += f * (sign * row.linear.dot(motion.v) + angular.dot(motion.w));
            }
        };
        push(element.a, a, -1, row.angularA);
        push(element.b, b, 1, row.angularB);
        dydt[pIndex(e)] = f;
        const RowLaw& law = m_laws[e];
        if (law.kind == RowLaw::Kind::Series) {
            dydt[zIndex(e)] = damperRate(law, f);
            dydt[heatIndex(e)] = f * damperRate(law, f);
        } else {
            dydt[heatIndex(e)] = (f - springShare(law, m_phases[e], row.s)) * row.v;
        }
    }
}

double TurningSystem::perturbation(Eigen::Index i, const Eigen::VectorXd& y) const {
    const bool isPose = i < 13 * m_movable ? i % 13 < 7 : true;
    return (isPose ? m_poseStep : 1e-7) * std::max(1.0, std::fabs(y[i]));
}

double TurningSystem::errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double /*dt*/) const {
    double speed = m_settings.velocityFloor;
    double spin = m_settings.velocityFloor;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) {
            const FlowBody& body = m_network.bodies[i];
            const Eigen::Index at = 13 * m_slots[i];
            speed = std::max({speed, y.segment<3>(at + 7).norm(),
                              0.1 * m_h * linearResponse(body, body.force.constant).norm()});
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

double TurningSystem::ownInverseMass(std::size_t e, const Row& row, double t, const Eigen::VectorXd& y) const {
    const FlowElement& element = m_network.elements[e];
    double W = 0;
    const auto add = [&](int body, const Eigen::Vector3d& angular) {
        if (isMovable(body)) {
            const FlowBody& b = m_network.bodies[static_cast<std::size_t>(body)];
            W += row.linear.dot(linearResponse(b, row.linear));
            W += angular.dot(inverseInertiaWorld(b, motionOf(body, t, y).q) * angular);
        }
    };
    add(element.a, row.angularA);
    add(element.b, row.angularB);
    return W;
}

double TurningSystem::firstStep(double t, const Eigen::VectorXd& y) const {
    double fastest = 0; // squared angular frequency
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (m_phases[e].inContact()) {
            const Row row = rowOf(e, t, y);
            const double W = ownInverseMass(e, row, t, y);
            const double rate = m_laws[e].d * W;
            fastest = std::max({fastest, m_laws[e].c * W, rate * rate});
        }
    }
    return fastest > 0 ? 0.1 / std::sqrt(fastest) : std::numeric_limits<double>::infinity();
}

bool TurningSystem::isStronglyDamped(double t, const Eigen::VectorXd& y) const {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const double W = ownInverseMass(e, rowOf(e, t, y), t, y);
        if (flow::isStronglyDamped(m_laws[e], m_phases[e], W, m_h, m_settings.strongDamping)) {
            return true;
        }
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
    const PendingExit& pending = m_exits[static_cast<std::size_t>(i)];
    const Row row = rowOf(pending.element, t, y);
    return exitValue(m_laws[pending.element], m_phases[pending.element], pending.exit.kind, row.s, row.v);
}

void TurningSystem::crossEvent(int i, double t, Eigen::VectorXd& y) {
    const PendingExit pending = m_exits[static_cast<std::size_t>(i)];
    Phase& phase = m_phases[pending.element];
    const bool was = phase.inContact();
    phase = pending.exit.next;
    if (phase.inContact() != was) {
        const double speed = std::fabs(rowOf(pending.element, t, y).v);
        m_events.push_back({static_cast<int>(pending.element), phase.inContact(), t, speed});
        m_strongContactBegan = m_returnAtStrongDamping && phase.inContact() && isStronglyDamped(t, y);
    }
    listExits();
}

// Quaternions are normalised where they are read, so that the state itself stays as integrated.
bool TurningSystem::stepAccepted(double t, Eigen::VectorXd& y) {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (m_network.elements[e].geometry == Geometry::AboutAxis) {
            m_phi[e] = rowOf(e, t, y).s;
        }
    }
    return false;
}

double TurningSystem::storedEnergy(double t, const Eigen::VectorXd& y) const {
    double energy = 0;
    for (std::size_t e = 0; e < elementCount(); ++e) {
        energy += energyInPhase(m_laws[e], m_phases[e], rowOf(e, t, y).s, y[zIndex(e)]);
    }
    return energy;
}

double TurningSystem::kineticEnergy(double t, const Eigen::VectorXd& y) const {
    double energy = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) {
            energy += flow::kineticEnergy(m_network.bodies[i], motionOf(static_cast<int>(i), t, y));
        }
    }
    return energy;
}

void TurningSystem::applyImpulses(double t, const Eigen::VectorXd& impulses, Eigen::VectorXd& y) const {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const double p = impulses[static_cast<Eigen::Index>(e)];
        if (p == 0) {
            continue;
        }
        const FlowElement& element = m_network.elements[e];
        const Row row = rowOf(e, t, y);
        const auto push = [&](int body, double sign, const Eigen::Vector3d& angular) {
            if (isMovable(body)) {
                const FlowBody& b = m_network.bodies[static_cast<std::size_t>(body)];
                const Eigen::Matrix3d inverse = inverseInertiaWorld(b, motionOf(body, t, y).q);
                y.segment<3>(bodyIndex(body) + 7) -= p * sign * linearResponse(b, row.linear);
                y.segment<3>(bodyIndex(body) + 10) -= p * (inverse * angular);
            }
        };
        push(element.a, -1, row.angularA);
        push(element.b, 1, row.angularB);
    }
}

Motion freeRotation(const FlowBody& body, double h) {
    FlowNetwork alone;
    alone.bodies.push_back(body);
    alone.bodies[0].position.setZero();
    alone.bodies[0].velocity.setZero();
    alone.bodies[0].force = {};
    const FlowSettings settings;
    TurningSystem system(alone, h, settings);
    system.setTolerance(kTurningShare * settings.tolerance);
    Eigen::VectorXd y = system.startState();
    Dop853 stepper;
    double t = 0;
    int steps = 0;
    integrate(system, stepper, t, h, y, 100000, steps);
    return system.motionOf(0, t, y);
}

} // namespace elasto::flow
