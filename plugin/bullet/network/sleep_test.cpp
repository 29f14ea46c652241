#include "network/sleep_test.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <cmath>

#include "network/element_access.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

bool isSlow(const Eigen::Vector3d& v, const Eigen::Vector3d& w, double speed, double angularSpeed) {
    return v.norm() <= speed && w.norm() <= angularSpeed;
}

// Joints and contacts bear what they must; nobody is told how much at the tick's end.
bool isHeld(const SolvedNetwork& solved) {
    return !solved.network.joints.empty() || !solved.network.bounded.empty() || !solved.network.contacts.empty();
}

// What may move the bodies at the tick's end. (The gyroscopic term is nothing at the speeds of rest.) Free bodies are
// moved by all that acts. Where joints or contacts bear them, bodies that were at rest over the tick are moved by what
// has changed since: at its end loads and elements act with other forces than in the mean.
void setForcesAtEnd(const SolvedNetwork& solved, RestSpace& space) {
    const FlowNetwork& end = space.end;
    const bool isChange = isHeld(solved);
    std::vector<RestSpace::Forces>& forces = space.forces;
    forces.resize(end.bodies.size());
    for (std::size_t i = 0; i < end.bodies.size(); ++i) {
        LoadValue load = solved.network.load(i, solved.h);
        if (isChange) load -= solved.network.loadImpulse(i, solved.h) / solved.h;
        forces[i].force = load.head<3>();
        forces[i].torque = load.tail<3>();
    }
    for (std::size_t e = 0; e < end.elements.size(); ++e) {
        const FlowElement& element = end.elements[e];
        const Measure at = measure(end, element);
        const ElementTick& tick = solved.result.elements[e];
        const double f = isChange ? tick.force.f - tick.impulse / solved.h : tick.force.f;
        const Eigen::Vector3d pull = f * at.direction;
        const auto act = [&](Geometry geometry, int body, const Eigen::Vector3d& point, const Eigen::Vector3d& onBody) {
            if (body == kWorld) {
                return;
            }
            const auto i = static_cast<std::size_t>(body);
            if (isRotational(geometry)) {
                forces[i].torque += onBody;
            } else {
                forces[i].force += onBody;
                forces[i].torque += (point - end.bodies[i].position).cross(onBody);
            }
        };
        act(element.geometry, element.a, element.geometry == Geometry::AlongAxis ? at.pointB : at.pointA, pull);
        act(element.geometry, element.b, at.pointB, -pull);
        if (!element.isGeared()) continue;
        const Eigen::Vector3d second = element.geared.ratio * f * at.gearedDirection;
        Eigen::Vector3d point = element.geared.pointB;
        if (element.geared.b != kWorld) {
            const FlowBody& body = end.bodies[static_cast<std::size_t>(element.geared.b)];
            point = body.position + body.orientation * point;
        }
        act(element.geared.geometry, element.geared.a, point, -second);
        act(element.geared.geometry, element.geared.b, point, second);
        if (element.geared.carried == 0) continue;
        const FlowBody& carrier = end.bodies[static_cast<std::size_t>(element.a)];
        const double share = element.geared.ratio * element.geared.carried;
        forces[static_cast<std::size_t>(element.a)].torque -= share * f * (carrier.orientation * element.axis);
    }
}

// All coordinates alike, whatever they move: a rotor in its play too, on the joint's side of its gear. In play a rotor
// slows down with the inverse of time only, since each crossing takes the longer.
bool areTreesAtRest(const SolvedNetwork& solved, const RestThresholds& thresholds) {
    const auto isSteady = [&](double start, double end) {
        return std::abs(end) <= thresholds.angularSpeed &&
               std::abs(end - start) <= thresholds.angularAcceleration * solved.h;
    };
    for (std::size_t i = 0; i < solved.multi.bodies.size(); ++i) {
        const MultiBodyState& start = solved.multi.bodies[i].start;
        const MultiBodyState& end = solved.multi.bodies[i].end;
        for (std::size_t k = 0; k < start.rates.size(); ++k) {
            if (!isSteady(start.rates[k], end.rates[k])) return false;
        }
        for (int k = 0; k < 3; ++k) {
            if (!isSteady(start.base.velocity[k], end.base.velocity[k])) return false;
            if (!isSteady(start.base.angularVelocity[k], end.base.angularVelocity[k])) return false;
        }
    }
    for (const TreeElement& element : solved.multi.trees.elements) {
        for (const TreeTerm& term : element.terms) {
            if (term.kind != TreeTerm::Kind::Rotor) continue;
            const auto tree = static_cast<std::size_t>(term.tree);
            const auto r = static_cast<std::size_t>(term.index);
            const double start = solved.multi.trees.trees[tree].rotors[r].w;
            const double end = solved.multi.result.trees[tree].rotors[r].w;
            if (!isSteady(term.coefficient * start, term.coefficient * end)) return false;
        }
    }
    return true;
}

}  // namespace

bool isAtRest(const SolvedNetwork& solved, const RestThresholds& thresholds, RestSpace& space) {
    // What holds now may let go later.
    const auto mayChange = [](const ElementCommon* element) {
        return static_cast<bool>(ElementAccess::f_normalized(*element));
    };
    if (std::any_of(solved.elements.begin(), solved.elements.end(), mayChange) ||
        std::any_of(solved.multi.elements.begin(), solved.multi.elements.end(), mayChange)) {
        return false;
    }
    if (solved.multi.isTree && !areTreesAtRest(solved, thresholds)) return false;
    for (std::size_t i = 0; i < solved.bodies.size(); ++i) {
        const BodyState& start = solved.network.bodies[i];
        const bool isMoved = solved.bodies[i].isMovable || solved.bodies[i].isLink;
        const BodyState& end = isMoved ? solved.result.bodies[i] : solved.bodies[i].pathEnd;
        const bool isSteady =
            isSlow((end.velocity - start.velocity) / solved.h, (end.angularVelocity - start.angularVelocity) / solved.h,
                   thresholds.acceleration, thresholds.angularAcceleration);
        if (!isSteady || !isSlow(end.velocity, end.angularVelocity, thresholds.speed, thresholds.angularSpeed)) {
            return false;
        }
        const Eigen::Vector3d displacement = end.position - start.position;
        const double angle = end.orientation.angularDistance(start.orientation);
        if (isHeld(solved) &&
            !(displacement.norm() <= thresholds.speed * solved.h && angle <= thresholds.angularSpeed * solved.h)) {
            return false;  // there and back
        }
    }
    if (solved.isUncoupled) {
        return true;  // what joints and contacts do at the end is not known
    }
    setEnd(solved, space.end);
    setForcesAtEnd(solved, space);
    const std::vector<RestSpace::Forces>& forces = space.forces;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const FlowBody& body = space.end.bodies[i];
        const Eigen::Matrix3d R = body.orientation.toRotationMatrix();
        const Eigen::Vector3d acceleration = body.inverseMass * body.linearFactor.cwiseProduct(forces[i].force);
        const Eigen::Vector3d angular = R * body.inverseInertia.cwiseProduct(R.transpose() * forces[i].torque);
        if (!isSlow(acceleration, body.angularFactor.cwiseProduct(angular), thresholds.acceleration,
                    thresholds.angularAcceleration)) {
            return false;
        }
    }
    return true;
}

void keepAwake(const SolvedNetwork& solved) {
    for (const NetworkBody& entry : solved.bodies) {
        if (entry.isMovable && entry.body->getActivationState() != DISABLE_DEACTIVATION) {
            entry.body->activate();
        }
    }
    for (const MovedMultiBody& moved : solved.multi.bodies) keepAwake(*moved.body);
}

void keepAwake(btMultiBody& body) {
    const auto activate = [](btMultiBodyLinkCollider* collider) {
        if (collider != nullptr && collider->getActivationState() != DISABLE_DEACTIVATION) collider->activate();
    };
    body.wakeUp();
    activate(body.getBaseCollider());
    for (int i = 0; i < body.getNumLinks(); ++i) activate(body.getLink(i).m_collider);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
