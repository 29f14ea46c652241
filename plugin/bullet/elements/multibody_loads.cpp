// What pulls at a multibody's links: Bullet's applied forces, joint torques and damping as loads of flow bodies.

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <algorithm>
#include <span>

#include "host/conversion.h"
#include "host/rotation_vector.h"
#include "multibody/multibody_translation.h"
#include "network/load_table.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

struct Wrench {
    Vector3d force = Vector3d::Zero();
    Vector3d torque = Vector3d::Zero();  // about the flow body's centre of mass
};

/// At a time of the tick [s], of the piece that holds from another one on: both ends of a jump are at the same time.
struct TimeInPiece {
    double t = 0;
    double from = 0;
};

double valueOf(std::span<const LoadPiece> pieces, TimeInPiece time) {
    std::size_t k = pieces.size() - 1;
    while (k > 0 && pieces[k].start > time.from) --k;
    return pieces[k].value(time.t)[0];
}

/// Links and flow bodies at one instant.
class Instant {
public:
    Instant(const MovedMultiBody& moved, std::vector<BodyState> bodies, TimeInPiece time)
        : m_moved(moved), m_bodies(std::move(bodies)), m_time(time) {
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

    double torqueOf(int index, int k) const {
        for (const MultiBodyLoads::JointTorque& torque : m_moved.loads.jointTorques) {
            if (torque.link == index) return valueOf(torque.pieces, m_time);
        }
        const auto dof = static_cast<std::size_t>(m_moved.body->getLink(index).m_dofOffset + k);
        return m_moved.loads.joints[dof].value(m_time.t);
    }

    // A motor's torque on the link, and its reaction on the parent.
    void addJoint(int index, std::vector<Wrench>& wrenches) const {
        const btMultibodyLink& link = m_moved.body->getLink(index);
        std::vector<double> torques;
        for (int k = 0; k < link.m_dofCount; ++k) {
            torques.push_back(torqueOf(index, k));
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
        const double torque = valueOf(rotor.torque, m_time);
        (rotor.slides ? wrench.force : wrench.torque) += torque * rotor.axis();
        if (rotor.carrier == kWorld) return;
        const auto carrier = static_cast<std::size_t>(rotor.carrier);
        wrenches[carrier].torque -= torque / rotor.ratio * (m_bodies[carrier].orientation * rotor.axisOnCarrier);
    }

    const MovedMultiBody& m_moved;
    std::vector<BodyState> m_bodies;
    std::vector<BodyState> m_links;
    TimeInPiece m_time;
};

/// A motion of h [s] at a share x of it: the cubic through poses and velocities.
BodyState between(const BodyState& start, const BodyState& end, double h, double x) {
    // What the way, and the velocities at both ends, count in place and velocity.
    const double way = x * x * (3 - 2 * x), first = x * (1 - x) * (1 - x), last = -x * x * (1 - x);
    const double wayRate = 6 * x * (1 - x), firstRate = (1 - x) * (1 - 3 * x), lastRate = x * (3 * x - 2);
    const Eigen::AngleAxisd turn(end.orientation * start.orientation.conjugate());
    const Vector3d angle = turn.angle() * turn.axis();
    const Vector3d displacement = end.position - start.position;
    BodyState state;
    state.position = start.position + way * displacement + h * (first * start.velocity + last * end.velocity);
    state.velocity = wayRate / h * displacement + firstRate * start.velocity + lastRate * end.velocity;
    const Vector3d turned = way * angle + h * (first * start.angularVelocity + last * end.angularVelocity);
    state.orientation = (exponential(turned) * start.orientation).normalized();
    state.angularVelocity = wayRate / h * angle + firstRate * start.angularVelocity + lastRate * end.angularVelocity;
    return state;
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
    if (!moved.loads.jointTorques.empty()) return true;
    for (const ReflectedRotor& rotor : moved.rotors) {
        const LoadPiece& first = rotor.torque.front();
        if (rotor.torque.size() > 1 || !first.isConstant()) return true;
        if (rotor.carrier != kWorld && first.constant[0] != 0) return true;
    }
    // Forces on parts of a body that is made of several links.
    for (std::size_t i = 0; i < moved.places.size(); ++i) {
        const LinkPlace& place = moved.places[i];
        if (place.body != kWorld && !place.origin.isZero(0) && !moved.loads.forces[i].isZero(0)) return true;
    }
    return false;
}

/// The times at which torques of joints and motors go over into another parabola; the first is 0.
std::vector<double> startsOfPieces(const MovedMultiBody& moved) {
    std::vector<double> starts = {0};
    const auto add = [&](const std::vector<LoadPiece>& pieces) {
        for (const LoadPiece& piece : pieces) starts.push_back(piece.start);
    };
    for (const MultiBodyLoads::JointTorque& torque : moved.loads.jointTorques) add(torque.pieces);
    for (const ReflectedRotor& rotor : moved.rotors) add(rotor.torque);
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    return starts;
}

/// The flow's bodies that the multibody is made of.
std::vector<int> bodiesOf(const MovedMultiBody& moved) {
    std::vector<int> bodies;
    for (const LinkPlace& place : moved.places) bodies.push_back(place.body);
    for (const ReflectedRotor& rotor : moved.rotors) bodies.push_back(rotor.body);
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    std::erase(bodies, kWorld);
    return bodies;
}

}  // namespace

bool setLoads(const MovedMultiBody& moved, double h, const std::vector<BodyTick>* ends, FlowNetwork& network) {
    const bool isMoving = dependsOnMotion(moved);
    const std::vector<BodyState> start(network.bodies.begin(), network.bodies.end());
    const auto wrenchesAt = [&](TimeInPiece time) {
        std::vector<BodyState> bodies = start;
        if (ends != nullptr && time.t > 0) {
            for (std::size_t i = 0; i < start.size(); ++i) bodies[i] = between(start[i], (*ends)[i], h, time.t / h);
        }
        return Instant(moved, std::move(bodies), time).wrenches();
    };
    const std::vector<int> own = bodiesOf(moved);
    std::erase_if(network.changes, [&](const LoadChange& change) {
        return change.element < 0 && std::binary_search(own.begin(), own.end(), change.body);
    });
    const std::vector<double> starts = startsOfPieces(moved);
    const bool isCurved = isMoving && (ends != nullptr || starts.size() > 1);
    for (std::size_t k = 0; k < starts.size(); ++k) {
        const double from = starts[k];
        const double to = k + 1 < starts.size() ? starts[k + 1] : h;
        const std::vector<Wrench> first = wrenchesAt({from, from});
        std::vector<Wrench> middle, end;
        if (isCurved) {
            middle = wrenchesAt({(from + to) / 2, from});
            end = wrenchesAt({to, from});
        }
        for (const int index : own) {
            const auto i = static_cast<std::size_t>(index);
            LoadChange load{.time = from, .body = index};
            if (isCurved) {
                load.force = QuadraticLoad::through(first[i].force, middle[i].force, end[i].force, to - from);
                load.torque = QuadraticLoad::through(first[i].torque, middle[i].torque, end[i].torque, to - from);
            } else {
                load.force.constant = first[i].force;
                load.torque.constant = first[i].torque;
            }
            if (k == 0) {
                network.bodies[i].force = load.force;
                network.bodies[i].torque = load.torque;
            } else {
                insertByTime(load, network.changes);
            }
        }
    }
    return isMoving;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
