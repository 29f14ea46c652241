// What pulls at a multibody's links: Bullet's applied forces, joint torques and damping as loads of flow bodies.

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>

#include "host/conversion.h"
#include "host/rotation_vector.h"
#include "multibody/multibody_translation.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

struct Wrench {
    Vector3d force = Vector3d::Zero();
    Vector3d torque = Vector3d::Zero();  // about the flow body's centre of mass
};

/// Links and flow bodies at one instant.
class Instant {
public:
    Instant(const MovedMultiBody& moved, std::vector<BodyState> bodies, double t)
        : m_moved(moved), m_bodies(std::move(bodies)), m_time(t) {
        for (const LinkPlace& place : moved.places) {
            BodyState& link = m_links.emplace_back();
            if (place.body == kWorld) {
                link.position = place.origin;
                link.orientation = place.turn;
                continue;
            }
            const BodyState& body = m_bodies[static_cast<std::size_t>(place.body)];
            const Vector3d arm = body.orientation * place.origin;
            link.position = body.position + arm;
            link.orientation = body.orientation * place.turn;
            link.angularVelocity = body.angularVelocity;
            link.velocity = body.velocity + body.angularVelocity.cross(arm);
        }
    }

    std::vector<Wrench> wrenches() const {
        std::vector<Wrench> wrenches(m_bodies.size());
        for (int link = -1; link < m_moved.body->getNumLinks(); ++link) {
            addApplied(link, wrenches);
            addDamping(link, wrenches);
            if (link >= 0) addJoint(link, wrenches);
        }
        for (const ReflectedRotor& rotor : m_moved.rotors) addMotor(rotor, wrenches);
        return wrenches;
    }

private:
    const BodyState& at(int link) const { return m_links[static_cast<std::size_t>(link + 1)]; }

    void act(int link, const Vector3d& force, const Vector3d& torque, const Vector3d& point,
             std::vector<Wrench>& wrenches) const {
        const int body = m_moved.place(link).body;
        if (body == kWorld) return;
        const auto i = static_cast<std::size_t>(body);
        wrenches[i].force += force;
        wrenches[i].torque += torque + (point - m_bodies[i].position).cross(force);
    }

    void addApplied(int link, std::vector<Wrench>& wrenches) const {
        const auto i = static_cast<std::size_t>(link + 1);
        act(link, m_moved.loads.forces[i], m_moved.loads.torques[i], at(link).position, wrenches);
    }

    // As btMultiBody's own routine has it: linear and quadratic drag.
    void addDamping(int link, std::vector<Wrench>& wrenches) const {
        const btMultiBody& body = *m_moved.body;
        const auto linear = static_cast<double>(body.getLinearDamping());
        const auto angular = static_cast<double>(body.getAngularDamping());
        if (linear == 0 && angular == 0) return;
        const auto mass = static_cast<double>(link < 0 ? body.getBaseMass() : body.getLinkMass(link));
        const Vector3d inertia = toEigen(link < 0 ? body.getBaseInertia() : body.getLinkInertia(link));
        const BodyState& state = at(link);
        const Vector3d w = state.orientation.conjugate() * state.angularVelocity;
        const Vector3d force = -mass * linear * (1 + state.velocity.norm()) * state.velocity;
        const Vector3d torque = -angular * (1 + w.norm()) * inertia.cwiseProduct(w);
        act(link, force, state.orientation * torque, state.position, wrenches);
    }

    // A motor's torque on the link, and its reaction on the parent.
    void addJoint(int index, std::vector<Wrench>& wrenches) const {
        const btMultibodyLink& link = m_moved.body->getLink(index);
        std::vector<double> torques;
        for (int k = 0; k < link.m_dofCount; ++k) {
            torques.push_back(m_moved.loads.joints[static_cast<std::size_t>(link.m_dofOffset + k)].value(m_time));
        }
        if (std::all_of(torques.begin(), torques.end(), [](double t) { return t == 0; })) return;
        const BodyState& state = at(index);
        Vector3d force = Vector3d::Zero();
        Vector3d torque = Vector3d::Zero();
        for (int k = 0; k < link.m_dofCount; ++k) {
            torque += torques[static_cast<std::size_t>(k)] * toEigen(link.getAxisTop(k));
            if (link.m_jointType == btMultibodyLink::ePrismatic || link.m_jointType == btMultibodyLink::ePlanar) {
                force += torques[static_cast<std::size_t>(k)] * toEigen(link.getAxisBottom(k));
            }
        }
        force = state.orientation * force;
        torque = state.orientation * torque;
        act(index, force, torque, state.position, wrenches);
        act(link.m_parent, -force, -torque, state.position, wrenches);
    }

    void addMotor(const ReflectedRotor& rotor, std::vector<Wrench>& wrenches) const {
        Wrench& wrench = wrenches[static_cast<std::size_t>(rotor.body)];
        const double torque = rotor.torque.value(m_time);
        (rotor.slides ? wrench.force : wrench.torque) += torque * rotor.axis();
        if (rotor.carrier == kWorld) return;
        const auto carrier = static_cast<std::size_t>(rotor.carrier);
        wrenches[carrier].torque -= torque / rotor.ratio * (m_bodies[carrier].orientation * rotor.axisOnCarrier);
    }

    const MovedMultiBody& m_moved;
    std::vector<BodyState> m_bodies;
    std::vector<BodyState> m_links;
    double m_time;  // [s] from the tick's start
};

// Half-way between two states of a motion of h [s]: the cubic through poses and velocities.
BodyState halfWay(const BodyState& start, const BodyState& end, double h) {
    BodyState middle;
    middle.position = (start.position + end.position) / 2 + h / 8 * (start.velocity - end.velocity);
    middle.velocity = 1.5 / h * (end.position - start.position) - (start.velocity + end.velocity) / 4;
    const Eigen::AngleAxisd turn(end.orientation * start.orientation.conjugate());
    const Vector3d displacement = turn.angle() * turn.axis();
    const Vector3d half = displacement / 2 + h / 8 * (start.angularVelocity - end.angularVelocity);
    middle.orientation = (exponential(half) * start.orientation).normalized();
    middle.angularVelocity = 1.5 / h * displacement - (start.angularVelocity + end.angularVelocity) / 4;
    return middle;
}

// Links of a multibody that turns with the joint: a torque about an axis that is fixed in the world is constant.
bool dependsOnMotion(const MovedMultiBody& moved) {
    const btMultiBody& body = *moved.body;
    if (body.getLinearDamping() != 0 || body.getAngularDamping() != 0) return true;
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        const bool isSteady = moved.place(link.m_parent).body == kWorld && link.m_dofCount == 1;
        for (int k = 0; k < link.m_dofCount; ++k) {
            const QuadraticTorque& torque = moved.loads.joints[static_cast<std::size_t>(link.m_dofOffset + k)];
            if (!torque.isConstant() || (!isSteady && torque.constant != 0)) return true;
        }
    }
    for (const ReflectedRotor& rotor : moved.rotors) {
        if (!rotor.torque.isConstant() || (rotor.carrier != kWorld && rotor.torque.constant != 0)) return true;
    }
    // Forces on parts of a body that is made of several links.
    for (std::size_t i = 0; i < moved.places.size(); ++i) {
        const LinkPlace& place = moved.places[i];
        if (place.body != kWorld && !place.origin.isZero(0) && !moved.loads.forces[i].isZero(0)) return true;
    }
    return false;
}

}  // namespace

bool setLoads(const MovedMultiBody& moved, double h, const std::vector<BodyTick>* ends, FlowNetwork& network) {
    const bool isMoving = dependsOnMotion(moved);
    std::vector<BodyState> start(network.bodies.begin(), network.bodies.end());
    std::vector<Wrench> middle;
    std::vector<Wrench> end;
    if (isMoving && ends != nullptr) {
        std::vector<BodyState> halfs;
        for (std::size_t i = 0; i < start.size(); ++i) halfs.push_back(halfWay(start[i], (*ends)[i], h));
        middle = Instant(moved, std::move(halfs), h / 2).wrenches();
        end = Instant(moved, {ends->begin(), ends->end()}, h).wrenches();
    }
    const std::vector<Wrench> first = Instant(moved, std::move(start), 0).wrenches();
    std::vector<int> own;
    for (const LinkPlace& place : moved.places) own.push_back(place.body);
    for (const ReflectedRotor& rotor : moved.rotors) own.push_back(rotor.body);
    std::vector<char> isSet(network.bodies.size(), 0);
    for (const int index : own) {
        if (index == kWorld || isSet[static_cast<std::size_t>(index)] != 0) continue;
        const auto i = static_cast<std::size_t>(index);
        isSet[i] = 1;
        FlowBody& body = network.bodies[i];
        body.force = {};
        body.torque = {};
        if (middle.empty()) {
            body.force.constant = first[i].force;
            body.torque.constant = first[i].torque;
        } else {
            body.force = QuadraticLoad::through(first[i].force, middle[i].force, end[i].force, h);
            body.torque = QuadraticLoad::through(first[i].torque, middle[i].torque, end[i].torque, h);
        }
    }
    return isMoving;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
