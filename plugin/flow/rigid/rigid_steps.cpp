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

double RigidSystem::firstStep(double t, const Eigen::VectorXd& y) const {
    double fastest = 0;  // squared angular frequency
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (m_phases[e].inContact()) {
            const Row row = rowOf(e, t, y);
            const double W = ownInverseMass(e, row, t, y);
            const double rate = m_laws[e].d * W;
            fastest = std::max({fastest, m_laws[e].c * W, rate * rate});
        }
    }
    const double phase = m_rings ? kLoosePhase : kRingingPhase;
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

bool RigidSystem::isStiff(double t, const Eigen::VectorXd& y) const {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        const HybridLaw& law = m_laws[e];
        const double W = ownInverseMass(e, rowOf(e, t, y), t, y);
        if (isStronglyDamped(law, m_phases[e], W, m_h, m_settings.strongDamping)) return true;
        const double phase = m_phases[e].inContact() ? m_h * std::sqrt(law.c * W) : 0;
        if (phase > kExplicitReach * m_settings.maxSteps) return true;
        m_leastSteps = std::max(m_leastSteps, phase / kExplicitReach);
    }
    return false;
}

bool RigidSystem::isFast(double t, const Eigen::VectorXd& y) const {
    for (std::size_t e = 0; e < elementCount(); ++e) {
        if (!m_phases[e].inContact()) continue;
        if (flow::isFast(m_laws[e], m_phases[e], ownInverseMass(e, rowOf(e, t, y), t, y), m_h)) return true;
    }
    return false;
}

}  // namespace elasto::flow
