#include "network/uncoupled.h"

#include <elasto/force_element.h>

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/conversion.h"
#include "network/element_access.h"
#include "network/gather.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// How far the spring of the law is stretched at s: from where it is unstretched, or from its free range.
double stretchOf(const ReducedLaw& law, double s, double z) {
    const double x = s - law.edgeHigh;
    switch (law.kind) {
        case ReducedLaw::Kind::SpringDamper:
        case ReducedLaw::Kind::Slip:
            return x;
        case ReducedLaw::Kind::Series:
            return x - z;
        case ReducedLaw::Kind::Friction:
            return 0;
        case ReducedLaw::Kind::Contact:
            break;
    }
    if (law.above && law.y_max < std::numeric_limits<double>::infinity()) return std::clamp(x - z, 0., law.y_max);
    if (law.above && x > 0) return x;
    return law.below ? std::min(0., s - law.edgeLow) : 0;
}

// The law whose spring holds this share of its energy at s: with its rest position moved.
Law withEnergyShare(const Law& law, double s, double z, double share) {
    const ReducedLaw form = reduced(law);
    const double stretch = stretchOf(form, s, z);
    if (form.table.isEmpty()) return moved(law, stretch * (1 - std::pow(share, 1 / (form.n + 1))));
    const double wanted = share * form.table.energy(stretch);
    double low = 0, high = 1;
    constexpr int kHalvings = 40;  // to a part in 10^12
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (low + high);
        (form.table.energy(middle * stretch) < wanted ? low : high) = middle;
    }
    return moved(law, stretch * (1 - low));
}

btSolverBody& solverBody(const NetworkBody& body, btAlignedObjectArray<btSolverBody>& solverBodies) {
    return solverBodies[body.body->getCompanionId()];
}

struct Momentum {
    Eigen::Vector3d linear;
    Eigen::Vector3d angular;

    double dot(const Eigen::Vector3d& v, const Eigen::Vector3d& w) const { return linear.dot(v) + angular.dot(w); }
};

// What the elements gave to a body.
Momentum momentumOf(const FlowBody& body, const BodyTick& end) {
    const Eigen::Matrix3d R = body.orientation.toRotationMatrix();
    Eigen::Vector3d inBody = R.transpose() * end.elementAngularVelocity;
    Momentum momentum;
    for (int i = 0; i < 3; ++i) {
        const double mobility = body.inverseMass * body.linearFactor[i];
        momentum.linear[i] = mobility > 0 ? end.elementVelocity[i] / mobility : 0;
        inBody[i] = body.inverseInertia[i] > 0 ? inBody[i] / body.inverseInertia[i] : 0;
    }
    momentum.angular = R * inBody;
    return momentum;
}

// Work of the elements on kinematic bodies: what their drive takes from (or, negative, gives to) the elements.
double workOnImmovables(const SolvedNetwork& solved) {
    double work = 0;
    const auto speedOf = [&](int body, const Eigen::Vector3d& point, const FlowElement& element,
                             const Eigen::Vector3d& direction) {
        if (body == kWorld || solved.bodies[static_cast<std::size_t>(body)].isMovable) {
            return 0.0;
        }
        const FlowBody& driven = solved.network.bodies[static_cast<std::size_t>(body)];
        return isRotational(element.geometry)
                   ? driven.angularVelocity.dot(direction)
                   : (driven.velocity + driven.angularVelocity.cross(point - driven.position)).dot(direction);
    };
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const FlowElement& element = solved.network.elements[e];
        const Measure start = measure(solved.network, element);
        const Eigen::Vector3d& onA = element.geometry == Geometry::AlongAxis ? start.pointB : start.pointA;
        work += solved.result.elements[e].impulse * (speedOf(element.a, onA, element, start.direction) -
                                                     speedOf(element.b, start.pointB, element, start.direction));
        if (!element.isGeared()) continue;
        work += element.geared.ratio * solved.result.elements[e].impulse *
                (speedOf(element.geared.b, start.pointB, element, start.gearedDirection) -
                 speedOf(element.geared.a, onA, element, start.gearedDirection));
    }
    return work;
}

// Impulse of the loads.
Momentum loadOn(const FlowNetwork& network, std::size_t index, double h) {
    const FlowBody& body = network.bodies[index];
    const LoadValue impulse = network.loadImpulse(index, h);
    return {impulse.head<3>().cwiseProduct(body.linearFactor), impulse.tail<3>().cwiseProduct(body.angularFactor)};
}

// What a tick does to the bodies, as Bullet counts it: impulse times the mean of the velocities before and after.
struct Work {
    double elements = 0;        // on all bodies, of the share of their impulses that the velocities contain
    double joints = 0;          // of joints and contacts
    double lead = 0;            // gain by Bullet's pose: loads work along the end velocity, not the mean
    double ownOfImpulses = 0;   // of `elements`, what all of the impulses would do by their own change of velocity
    double leadOfImpulses = 0;  // of `lead`, the same
};

Work workOf(const SolvedNetwork& solved, double share, btAlignedObjectArray<btSolverBody>& solverBodies) {
    Work work;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (!solved.bodies[i].isMovable) {
            continue;
        }
        const btSolverBody& body = solverBody(solved.bodies[i], solverBodies);
        const FlowBody& flow = solved.network.bodies[i];
        const BodyTick& tick = solved.result.bodies[i];
        const Momentum elements = momentumOf(flow, tick);
        const Momentum load = loadOn(solved.network, i, solved.h);
        BodyState start = flow;
        start.velocity = toEigen(body.m_linearVelocity);
        start.angularVelocity = toEigen(body.m_angularVelocity);
        BodyState end = start;
        end.velocity += toEigen(body.getDeltaLinearVelocity()) + toEigen(body.m_externalForceImpulse);
        end.angularVelocity += toEigen(body.getDeltaAngularVelocity()) + toEigen(body.m_externalTorqueImpulse);
        const Eigen::Vector3d meanV = (start.velocity + end.velocity) / 2;
        const Eigen::Vector3d meanW = (start.angularVelocity + end.angularVelocity) / 2;
        const double byElements = share * elements.dot(meanV, meanW);
        work.elements += byElements;
        work.joints += kineticEnergy(flow, end) - kineticEnergy(flow, start) - byElements - load.dot(meanV, meanW);
        work.lead -= load.dot(end.velocity - start.velocity, end.angularVelocity - start.angularVelocity) / 2;
        work.ownOfImpulses += elements.dot(tick.elementVelocity, tick.elementAngularVelocity) / 2;
        work.leadOfImpulses -= load.dot(tick.elementVelocity, tick.elementAngularVelocity) / 2;
    }
    work.elements += workOnImmovables(solved);  // its impulses have the share in them
    return work;
}

void addShare(const SolvedNetwork& solved, double share, btAlignedObjectArray<btSolverBody>& solverBodies) {
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        if (solved.bodies[i].isMovable) {
            btSolverBody& body = solverBody(solved.bodies[i], solverBodies);
            const BodyTick& end = solved.result.bodies[i];
            body.internalGetDeltaLinearVelocity() += toBullet(Eigen::Vector3d(share * end.elementVelocity));
            body.internalGetDeltaAngularVelocity() += toBullet(Eigen::Vector3d(share * end.elementAngularVelocity));
        }
    }
}

// Largest x in [0, 1] with b x^2 + a x <= available, b >= 0; where there is none the x with the least work.
double shareFor(double a, double b, double available) {
    if (a + b <= available) {
        return 1;
    }
    if (b <= 0) {
        return a > 0 ? std::clamp(available / a, 0.0, 1.0) : 1;
    }
    const double discriminant = a * a + 4 * b * available;
    const double x = discriminant > 0 ? (std::sqrt(discriminant) - a) / (2 * b) : -a / (2 * b);
    return std::clamp(x, 0.0, 1.0);
}

BodyState bulletState(const btRigidBody& body) {
    BodyState state;
    state.position = toEigen(body.getWorldTransform().getOrigin());
    state.orientation = rotationOf(body.getWorldTransform().getBasis());
    state.velocity = toEigen(body.getLinearVelocity());
    state.angularVelocity = toEigen(body.getAngularVelocity());
    return state;
}

}  // namespace

bool isLimited(const ForceElement& element) {
    const double stored = ElementAccess::lastStoredEnergy(element);
    return ElementAccess::withheldEnergy(element, stored) > 1e-9 * stored;
}

UncoupledTick limitForces(SolvedNetwork& solved) {
    UncoupledTick tick;
    double stored = 0;
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const ForceElement& element = *solved.elements[e];
        const FlowElement& flow = solved.network.elements[e];
        const double now = storedEnergy(flow.law, measure(solved.network, flow).s, flow.s_damper);
        stored += now;
        tick.available += now - ElementAccess::debt(element);
        tick.reserve += std::max(0.0, -ElementAccess::debt(element));
        tick.withheld += ElementAccess::withheldEnergy(element, ElementAccess::lastStoredEnergy(element));
    }
    if (stored > 0 && tick.available < stored) {
        const double share = std::max(0.0, tick.available) / stored;
        for (std::size_t e = 0; e < solved.elements.size(); ++e) {
            FlowElement& flow = solved.network.elements[e];
            flow.law = withEnergyShare(flow.law, measure(solved.network, flow).s, flow.s_damper, share);
        }
    }
    return tick;
}

void addImpulses(SolvedNetwork& solved, UncoupledTick& tick, btAlignedObjectArray<btSolverBody>& solverBodies) {
    const Work without = workOf(solved, 1, solverBodies);  // the impulses are not in the velocities yet
    tick.share =
        shareFor(without.elements + without.leadOfImpulses, without.ownOfImpulses, tick.available - without.lead);
    addShare(solved, tick.share, solverBodies);
    for (ElementTick& element : solved.result.elements) {
        element.impulse *= tick.share;
    }
}

void takeWork(const SolvedNetwork& solved, UncoupledTick& tick, btAlignedObjectArray<btSolverBody>& solverBodies) {
    const Work work = workOf(solved, tick.share, solverBodies);
    const double lead = work.lead > 0 ? std::clamp(work.lead + work.joints, 0.0, work.lead) : work.lead;
    tick.available -= work.elements + lead;
    tick.reserve += std::max(0.0, -lead);
}

double settle(SolvedNetwork& solved, UncoupledTick& tick, FlowNetwork& now) {
    setEnd(solved, now);
    for (std::size_t i = 0; i < now.bodies.size(); ++i) {
        const NetworkBody& entry = solved.bodies[i];
        static_cast<BodyState&>(now.bodies[i]) = entry.isMovable ? bulletState(*entry.body) : entry.pathEnd;
        static_cast<BodyState&>(solved.result.bodies[i]) = now.bodies[i];
    }
    double stored = 0;
    double heat = 0;
    // What Bullet made of the coordinates tells how wrong the impulses were that did not know of it.
    TickGrade& grade = solved.result.grade = {};
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const Measure end = measure(now, now.elements[e]);
        ElementTick& element = solved.result.elements[e];
        grade.error = std::max({grade.error, std::abs(end.s - element.s), solved.h * std::abs(end.v - element.v)});
        const Law& law = solved.elements[e]->law();
        element.s = end.s;
        element.v = end.v;
        element.geared = end.geared;
        element.force = evaluate(law, end.s, end.v, element.s_damper);
        element.storedEnergy = storedEnergy(law, end.s, element.s_damper);
        stored += element.storedEnergy;
        heat += element.heat;
    }
    const auto count = static_cast<double>(solved.elements.size());
    const double debt = std::max(0.0, stored - tick.available);
    const double excess = std::max(0.0, tick.available - stored);
    const double reserve = std::min(tick.reserve, excess);
    const double dissipated = excess - reserve;
    for (std::size_t e = 0; e < solved.elements.size(); ++e) {
        const double share = stored > 0 ? solved.result.elements[e].storedEnergy / stored : 1 / count;
        ElementAccess::setDebt(*solved.elements[e], share * debt - reserve / count);
    }
    tick.newlyWithheld = std::min(stored, debt) - tick.withheld;
    // Split among the elements as the flow splits it.
    for (ElementTick& element : solved.result.elements) {
        element.heat = heat > 0 ? element.heat * dissipated / heat : dissipated / count;
    }
    return dissipated;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
