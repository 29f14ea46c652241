#include "uncoupled.h"

#include <elasto/force_element.h>

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>

#include "conversion.h"
#include "element_access.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// The law with its spring's share of the energy. A backlash needs a spring: null for a share of nothing.
Law scaled(const Law& law, double share) {
    return std::visit(
        [&]<class AnyLaw>(const AnyLaw& any) -> Law {
            auto parameters = any.parameters();
            parameters.c *= share;
            if constexpr (std::is_same_v<AnyLaw, ElastoBacklashLaw>) {
                parameters.c = std::max(parameters.c, 1e-300);
            }
            return AnyLaw(parameters);
        },
        law);
}

btSolverBody& solverBody(const NetworkBody& body, btAlignedObjectArray<btSolverBody>& solverBodies) {
    return solverBodies[body.body->getCompanionId()];
}

// Momentum that the elements gave to a body, and what its velocity is worth with it.
struct Push {
    Eigen::Vector3d momentum;
    Eigen::Vector3d angularMomentum;
};

Push pushOn(const FlowBody& body, const BodyTick& end) {
    const Eigen::Matrix3d R = body.orientation.toRotationMatrix();
    Eigen::Vector3d inBody = R.transpose() * end.elementAngularVelocity;
    Push push;
    for (int i = 0; i < 3; ++i) {
        const double mobility = body.inverseMass * body.linearFactor[i];
        push.momentum[i] = mobility > 0 ? end.elementVelocity[i] / mobility : 0;
        inBody[i] = body.inverseInertia[i] > 0 ? inBody[i] / body.inverseInertia[i] : 0;
    }
    push.angularMomentum = R * inBody;
    return push;
}

// Work of the elements on kinematic bodies: what their drive takes from (or, negative, gives to) the elements.
double workOnImmovables(const SolvedNetwork& solved) {
    double work = 0;
    const auto powerOn = [&](int body, const Eigen::Vector3d& point, const FlowElement& element,
                             const Eigen::Vector3d& direction) {
        if (body == kWorld || solved.bodies[static_cast<std::size_t>(body)].isMovable) {
            return 0.0;
        }
        const FlowBody& driven = solved.network.bodies[static_cast<std::size_t>(body)];
        return element.geometry == Geometry::AboutAxis
                   ? driven.angularVelocity.dot(direction)
                   : (driven.velocity + driven.angularVelocity.cross(point - driven.position)).dot(direction);
    };
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const FlowElement& element = solved.network.elements[e];
        const Measure start = measure(solved.network, element);
        const Eigen::Vector3d& onA = element.geometry == Geometry::AlongAxis ? start.pointB : start.pointA;
        work += solved.result.elements[e].impulse * (powerOn(element.a, onA, element, start.direction) -
                                                     powerOn(element.b, start.pointB, element, start.direction));
    }
    return work;
}

double storedNow(const SolvedNetwork& solved, const FlowNetwork& network, std::size_t e) {
    const FlowElement& element = network.elements[e];
    return storedEnergy(solved.elements[e]->law(), measure(network, element).s, element.s_damper);
}

}  // namespace

bool isLimited(const SolvedNetwork& solved) {
    return std::any_of(solved.elements.begin(), solved.elements.end(),
                       [](const ForceElement* element) { return ElementAccess::isLimited(*element); });
}

UncoupledTick limitForces(SolvedNetwork& solved) {
    UncoupledTick tick;
    double stored = 0;
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const ForceElement& element = *solved.elements[e];
        const double now = storedNow(solved, solved.network, e);
        stored += now;
        // What the user changed since the last tick is his.
        const double users = element.tickLength() > 0 ? now - ElementAccess::lastStoredEnergy(element) : 0;
        tick.available += std::max(
            0.0, ElementAccess::isLimited(element) ? ElementAccess::availableEnergy(element, now) + users : now);
    }
    if (tick.available >= stored) {
        return tick;
    }
    const double share = tick.available / stored;
    for (FlowElement& element : solved.network.elements) {
        const Measure start = measure(solved.network, element);
        if (evaluate(element.law, start.s, start.v, element.s_damper).f_c * start.v < 0) {
            element.law = scaled(element.law, share);
        }
    }
    return tick;
}

void addImpulses(const SolvedNetwork& solved, btAlignedObjectArray<btSolverBody>& solverBodies) {
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (solved.bodies[i].isMovable) {
            btSolverBody& target = solverBody(solved.bodies[i], solverBodies);
            target.internalGetDeltaLinearVelocity() += toBullet(solved.result.bodies[i].elementVelocity);
            target.internalGetDeltaAngularVelocity() += toBullet(solved.result.bodies[i].elementAngularVelocity);
        }
    }
}

void limitWork(SolvedNetwork& solved, UncoupledTick& tick, btAlignedObjectArray<btSolverBody>& solverBodies) {
    // Work of a share x of the impulses: x a - x (1 - x) b; a counts with the velocities as they came out.
    double a = workOnImmovables(solved);
    double b = 0;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (!solved.bodies[i].isMovable) {
            continue;
        }
        btSolverBody& target = solverBody(solved.bodies[i], solverBodies);
        const BodyTick& end = solved.result.bodies[i];
        const Push push = pushOn(solved.network.bodies[i], end);
        const Eigen::Vector3d v0 = toEigen(target.m_linearVelocity);
        const Eigen::Vector3d w0 = toEigen(target.m_angularVelocity);
        const Eigen::Vector3d v1 =
            v0 + toEigen(target.internalGetDeltaLinearVelocity()) + toEigen(target.m_externalForceImpulse);
        const Eigen::Vector3d w1 =
            w0 + toEigen(target.internalGetDeltaAngularVelocity()) + toEigen(target.m_externalTorqueImpulse);
        a += (push.momentum.dot(v0 + v1) + push.angularMomentum.dot(w0 + w1)) / 2;
        b += (push.momentum.dot(end.elementVelocity) + push.angularMomentum.dot(end.elementAngularVelocity)) / 2;
    }
    tick.work = a;
    tick.share = 1;
    if (a > tick.available) {
        // b x^2 + (a - b) x = available, 0 <= x < 1
        const double p = a - b;
        const double root = std::sqrt(p * p + 4 * b * tick.available);
        tick.share = b > 0 ? std::clamp(p > 0 ? 2 * tick.available / (p + root) : (root - p) / (2 * b), 0.0, 1.0)
                           : tick.available / a;
        tick.work = tick.share * (a - (1 - tick.share) * b);
        const auto excess = static_cast<btScalar>(1 - tick.share);
        for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
            if (solved.bodies[i].isMovable) {
                btSolverBody& target = solverBody(solved.bodies[i], solverBodies);
                const BodyTick& end = solved.result.bodies[i];
                target.internalGetDeltaLinearVelocity() -= excess * toBullet(end.elementVelocity);
                target.internalGetDeltaAngularVelocity() -= excess * toBullet(end.elementAngularVelocity);
            }
        }
        for (ElementTick& element : solved.result.elements) {
            element.impulse *= tick.share;
        }
    }
}

double settle(SolvedNetwork& solved, const UncoupledTick& tick) {
    FlowNetwork now = solved.network;
    now.adopt(solved.result);
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        static_cast<BodyState&>(now.bodies[i]) = solved.bodies[i].isMovable ? [&] {
            const btRigidBody& body = *solved.bodies[i].body;
            BodyState state;
            state.position = toEigen(body.getWorldTransform().getOrigin());
            state.orientation = rotationOf(body.getWorldTransform().getBasis());
            state.velocity = toEigen(body.getLinearVelocity());
            state.angularVelocity = toEigen(body.getAngularVelocity());
            return state;
        }() : solved.bodies[i].pathEnd;
        static_cast<BodyState&>(solved.result.bodies[i]) = now.bodies[i];
    }
    double stored = 0;
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const Measure end = measure(now, now.elements[e]);
        ElementTick& element = solved.result.elements[e];
        const Law& law = solved.elements[e]->law();
        element.s = end.s;
        element.v = end.v;
        element.force = evaluate(law, end.s, end.v, element.s_damper);
        element.storedEnergy = storedEnergy(law, end.s, element.s_damper);
        stored += element.storedEnergy;
    }
    const double left = std::max(0.0, tick.available - tick.work);
    const double share = stored > 0 ? std::min(1.0, left / stored) : 1;
    const bool limited = share < 1 - 1e-9;
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        ElementAccess::limitEnergy(*solved.elements[e], limited, share * solved.result.elements[e].storedEnergy);
    }
    const double dissipated = std::max(0.0, left - stored);
    double heat = 0;
    for (const ElementTick& element : solved.result.elements) {
        heat += element.heat;
    }
    // The flow's own split among the elements, scaled to what was really lost.
    for (ElementTick& element : solved.result.elements) {
        element.heat =
            heat > 0 ? element.heat * dissipated / heat : dissipated / static_cast<double>(solved.elements.size());
    }
    return dissipated;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
