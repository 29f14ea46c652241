// How long steps of a RigidSystem may be, and of which kind.

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "law/hybrid_law.h"
#include "numerics/elementary.h"
#include "rigid/rigid_system.h"
#include "rigid/tuning.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::flow {

double RigidSystem::errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double /*dt*/) const {
    double speed = m_settings.velocityFloor;
    double spin = m_settings.velocityFloor;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) {
            const FlowBody& body = m_network.bodies[i];
            const Eigen::Index at = 13 * m_slots[i];
            speed = std::max({speed, y.segment<3>(at + 7).norm(),
                              kPushedShare * m_h * linearResponse(body, body.force.constant).norm()});
            spin = std::max(spin, y.segment<3>(at + 10).norm());
        }
    }
    addPushedSpeeds(speed, spin);
    // The heat of elements and the work of all else are held against the energy at these speeds.
    const double energy = std::max(m_energy, (m_mass * speed * speed + m_inertia * spin * spin) / 2);
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
        largest = std::max({largest, std::fabs(error[zIndex(e)]) / (m_tolerance * speed * m_h),
                            std::fabs(error[heatIndex(e)]) / (m_tolerance * energy)});
    }
    largest = std::max(largest, std::fabs(error[workIndex()]) / (m_tolerance * energy));
    return std::isfinite(error.sum()) ? largest : std::numeric_limits<double>::quiet_NaN();
}

/// What motors that push with all they have would do in a part of the tick, as loads do: what they hold at rest against
/// stiff springs has no other scale.
void RigidSystem::addPushedSpeeds(double& speed, double& spin) const {
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        const double impulse = kPushedShare * m_h * std::abs(m_bounded.push(k, 0, 0));
        if (impulse == 0) continue;
        const BoundedRow& row = m_network.bounded[k];
        const bool isTurning = countsTurns(row.geometry);
        double& scale = isTurning ? spin : speed;
        for (const int index : {row.a, row.b}) {
            if (!isMovable(index)) continue;
            const FlowBody& body = m_network.bodies[static_cast<std::size_t>(index)];
            const double response = isTurning ? body.inverseInertia.maxCoeff() : body.inverseMass;
            scale = std::max(scale, std::min(impulse * response, std::abs(row.targetRate)));
        }
    }
}

double RigidSystem::ownInverseMass(std::size_t e, const Row& row, double t, const Eigen::VectorXd& y) const {
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

double RigidSystem::inverseMass(std::size_t e, const Row& row, double t, const Eigen::VectorXd& y) const {
    if (m_network.joints.empty()) return ownInverseMass(e, row, t, y);
    std::vector<Vector6>& response = m_responses;
    response.assign(m_slots.size(), Vector6::Zero());
    for (std::size_t i = 0; i < m_slots.size(); ++i) readBody(i, t, y, m_bodies);
    m_held.place(m_bodies);
    const auto forEachMovable = [&](const auto& visit) {
        forEachEnd(m_network.elements[e], row, [&](int index, const Eigen::Vector3d& linear, const auto& angular) {
            if (isMovable(index)) visit(static_cast<std::size_t>(index), linear, angular);
        });
    };
    forEachMovable([&](std::size_t i, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        response[i].head<3>() += linearResponse(m_network.bodies[i], linear);
        response[i].tail<3>() += m_bodies.inverses[i] * angular;
    });
    m_held.hold(response);
    double W = 0;
    forEachMovable([&](std::size_t i, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
        W += linear.dot(response[i].head<3>()) + angular.dot(response[i].tail<3>());
    });
    return std::max(W, 0.);
}

double RigidSystem::firstStep(double t, const Eigen::VectorXd& y) const {
    double fastest = 0;  // squared angular frequency
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (m_phases[e].inContact()) {
            const double W = inverseMass(e, rowOf(e, t, y), t, y);
            const double rate = m_laws[e].damping(m_phases[e].side) * W;
            fastest = std::max({fastest, m_laws[e].c * W, rate * rate});
        }
    }
    const bool isJointed = !m_network.joints.empty();
    const double phase = isJointed ? kLoosePhase : kRingingPhase;
    const double ringing = fastest > 0 ? phase / std::sqrt(fastest) : std::numeric_limits<double>::infinity();
    if (!isJointed || !m_steps.isExplicit()) return ringing;
    double turning = 0;  // squared angular acceleration
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        if (m_slots[i] >= 0) turning = std::max(turning, m_accelerations[i].tail<3>().squaredNorm());
    }
    const double reach = kSwing * elementary::pow(m_tolerance, 1. / 8) / std::sqrt(std::sqrt(turning));
    const double rest = m_h - t;
    return std::min(ringing, reach < rest ? rest / std::ceil(rest / reach) : rest);
}

/// Of what spins steadily steps can be long. Whether an element or a limit begins to act within one is looked for at a
/// few places: where their coordinate swings as bodies turn, these must not be far apart.
void RigidSystem::findLongestStep(double t, const Eigen::VectorXd& y) {
    m_longestStep = std::numeric_limits<double>::infinity();
    const auto look = [&](int body, const Eigen::Vector3d& point, const Eigen::Vector3d& turning) {
        if (body == kWorld) return;
        const Motion motion = motionOf(body, t, y);
        const double spin = motion.w.norm();
        const double swing = std::max(motion.w.cross(point - motion.x).norm(), motion.w.cross(turning).norm());
        if (spin * m_h > kEventTurn && swing > kNoSwing * spin)
            m_longestStep = std::min(m_longestStep, kEventTurn / spin);
    };
    const auto lookAt = [&](const auto& link, const Row& row) {
        const bool isTurning = link.geometry != Geometry::AlongAxis && link.geometry != Geometry::AlongLine;
        const bool isAxis = link.geometry == Geometry::AlongAxis;
        // About axes the place does not matter, along lines no direction is a body's own.
        const auto placeOr = [&](int body, const Eigen::Vector3d& point) {
            return isTurning && body != kWorld ? motionOf(body, t, y).x : point;
        };
        const Eigen::Vector3d none = Eigen::Vector3d::Zero();
        look(link.a, placeOr(link.a, row.pointA), isTurning || isAxis ? row.direction : none);
        look(link.b, placeOr(link.b, row.pointB), isTurning ? row.direction : none);
    };
    std::size_t last = elementCount();
    for (const PendingExit& exit : m_exits) {
        const FlowElement& element = m_network.elements[exit.element];
        if (exit.element != last) lookAt(element, rowOf(exit.element, t, y));
        last = exit.element;
    }
    for (std::size_t k = 0; k < m_network.bounded.size(); ++k) {
        if (m_network.bounded[k].kind == BoundedRow::Kind::Limit) lookAt(m_network.bounded[k], boundedRow(k, t, y));
    }
}

int RigidSystem::implicitWeight() const {
    const auto bodies = static_cast<double>(m_network.bodies.size());
    const bool isJointed = !m_network.joints.empty();
    const double cubic = isJointed ? kJointedCubic : kCubic;
    return 1 + (isJointed ? kJointedColumns : 0) +
           static_cast<int>(cubic * bodies * bodies * bodies / (bodies + static_cast<double>(elementCount())));
}

bool RigidSystem::isStiff(double t, const Eigen::VectorXd& y) const {
    // What costs implicit steps more is left to explicit ones for longer, as far as the budget bears it.
    const double strong = m_settings.strongDamping;
    const double reach = kExplicitReach * m_settings.maxSteps;
    const double strongHere = std::max(strong, std::min(strong * implicitWeight(), reach));
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const HybridLaw& law = m_laws[e];
        const auto phaseOf = [&](double W) { return m_phases[e].inContact() ? m_h * std::sqrt(law.c * W) : 0; };
        const auto decayWith = [&](double W) { return decayOf(law, m_phases[e], W, m_h); };
        const auto isStiffWith = [&](double W) { return decayWith(W) > strongHere || phaseOf(W) > reach; };
        const Row row = rowOf(e, t, y);
        double W = ownInverseMass(e, row, t, y);
        if (!isStiffWith(W)) {
            const double decay = decayWith(W) > strong ? decayWith(W) : 0;
            m_leastSteps = std::max(m_leastSteps, std::max(phaseOf(W), decay) / kExplicitReach);
            continue;
        }
        // What holds the bodies may leave the element little to move: a light link under a heavy load is as slow.
        W = inverseMass(e, row, t, y);
        if (isStiffWith(W)) return true;
        m_leastSteps = m_settings.maxSteps;
    }
    return false;
}

}  // namespace elasto::flow
