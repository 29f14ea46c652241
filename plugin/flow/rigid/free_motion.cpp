#include "rigid/free_motion.h"

#include "balance/network_energy.h"
#include "balance/network_state.h"
#include "numerics/dop853.h"
#include "numerics/hybrid_integrator.h"
#include "rigid/rigid_system.h"

#include <algorithm>
#include <cmath>

namespace elasto::flow {

/// Refers to its own network, so it stays where it is.
struct FreeMotion::Space {
    FlowNetwork free;
    FlowSettings settings;
    RigidSystem system{free, settings};
    Dop853 stepper;
    IntegrationSpace integration;
    Eigen::VectorXd y;
};

FreeMotion::FreeMotion() = default;
FreeMotion::~FreeMotion() = default;
FreeMotion::FreeMotion(FreeMotion&&) noexcept = default;
FreeMotion& FreeMotion::operator=(FreeMotion&&) noexcept = default;

Motion FreeMotion::rotation(const FlowBody& body, double h, int maxSteps) {
    if (!m_space) m_space = std::make_unique<Space>();
    FlowNetwork& free = m_space->free;
    free.bodies.assign(1, body);
    free.bodies[0].position.setZero();
    free.bodies[0].velocity.setZero();
    free.bodies[0].force = {};
    RigidSystem& system = m_space->system;
    system.begin(h);
    system.setTolerance(kRigidShare * m_space->settings.stepTolerance());
    Eigen::VectorXd& y = m_space->y;
    y = system.startState();
    double t = 0;
    int steps = 0;
    integrate(system, m_space->stepper, t, h, y, maxSteps, steps, m_space->integration);
    Motion end = system.motionOf(0, t, y);
    // A body that tumbles too fast to be followed: turning on about the present axis keeps its energy.
    if (t < h) end.q = turned(end.q, (h - t) * end.w);
    if (body.torque.constant.isZero(0) && body.torque.isConstant()) {
        // What nothing acts on keeps its energy to rounding.
        const double before = kineticEnergy(free.bodies[0], Motion::of(free.bodies[0]));
        const double after =
            kineticEnergy(free.bodies[0], {Eigen::Vector3d::Zero(), end.q, Eigen::Vector3d::Zero(), end.w});
        if (after > 0) end.w *= std::sqrt(std::max(before + system.work(y), 0.0) / after);
    }
    return end;
}

BodyState FreeMotion::motion(const FlowBody& body, double h, int maxSteps) {
    BodyState end = body;
    end.position += h * body.velocity + linearResponse(body, secondIntegralOf(body.force, h));
    end.velocity += linearResponse(body, body.force.impulse(h));
    const bool isTurned = !gyroscopicAcceleration(body, body.orientation, body.angularVelocity).isZero(0) ||
                          !(body.torque.constant.isZero(0) && body.torque.isConstant());
    if (isTurned) {
        const Motion motion = rotation(body, h, maxSteps);
        end.orientation = motion.q;
        end.angularVelocity = motion.w;
    } else {
        end.orientation = turned(body.orientation, h * body.angularVelocity);
    }
    return end;
}

}  // namespace elasto::flow
