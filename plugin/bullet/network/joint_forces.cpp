// Newton and Euler for what hangs on a joint, from the momentum before and after the tick. How the tick was solved does
// not matter. The derivation is in MultiBodyReadout.

#include "network/joint_forces.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <algorithm>
#include <cmath>

#include "host/conversion.h"
#include "host/rotation_vector.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

struct Ends {
    BodyState start;
    BodyState end;
};

Ends endsOf(const SolvedNetwork& solved, int body) {
    if (body == kWorld) return {};
    const auto at = static_cast<std::size_t>(body);
    return {solved.network.bodies[at], solved.result.bodies[at]};
}

Vector3d pointOf(const BodyState& body, const Vector3d& point) {
    return body.position + body.orientation * point;
}

/// Of a contact at one time, from b to a; over a rounding it goes through the vertex.
Vector3d normalAt(const FlowContact& contact, const BodyState& a, const BodyState& b) {
    const BodyState& owner = contact.isVertexOnA ? b : a;
    if (contact.ownerRadius > 0) {
        const BodyState& vertexBody = contact.isVertexOnA ? a : b;
        const Vector3d vertex = owner.orientation.conjugate() * (pointOf(vertexBody, contact.vertex) - owner.position);
        const Vector3d way = contact.acrossOwner(vertex - contact.ownerCentre());
        if (way.norm() > 0) return owner.orientation * Vector3d((contact.isVertexOnA ? 1 : -1) * way.normalized());
    }
    return owner.orientation * contact.normal;
}

Vector3d placeAt(const FlowContact& contact, const BodyState& a, const BodyState& b) {
    const Vector3d vertex = pointOf(contact.isVertexOnA ? a : b, contact.vertex);
    return vertex - (contact.isVertexOnA ? contact.radius : -contact.radius) * normalAt(contact, a, b);
}

/// On a.
ContactReadout contactOf(const SolvedNetwork& solved, std::size_t index) {
    const FlowContact& contact = solved.network.contacts[index];
    const ContactTick& tick = solved.result.contacts[index];
    const Ends a = endsOf(solved, contact.a), b = endsOf(solved, contact.b);
    ContactReadout readout;
    readout.other = solved.contacts[index].bodyB;
    readout.place = (placeAt(contact, a.start, b.start) + placeAt(contact, a.end, b.end)) / 2;
    readout.normal = (normalAt(contact, a.start, b.start) + normalAt(contact, a.end, b.end)).normalized();
    readout.normalForce = tick.impulse / solved.h;
    readout.friction = tick.frictionImpulse / solved.h;
    readout.frictionTorque = tick.frictionTorque / solved.h;
    return readout;
}

ContactReadout reversed(ContactReadout readout, const btCollisionObject* other) {
    readout.other = other;
    readout.normal = -readout.normal;
    readout.friction = -readout.friction;
    readout.frictionTorque = -readout.frictionTorque;
    return readout;
}

bool hasBorne(const ContactTick& tick) {
    return tick.impulse != 0 || !tick.frictionImpulse.isZero(0) || !tick.frictionTorque.isZero(0);
}

/// Where a link's axes are at the start, the middle and the end of the tick.
class Turning {
public:
    Turning(const Quaterniond& start, const Quaterniond& end)
        : m_rotation(logarithm(start.conjugate() * end)),
          m_middle(start * exponential(m_rotation / 2)),
          m_start(start),
          m_end(end) {}

    /// Integral over the tick of dy/dt, in the link's axes: exact for y that is constant in the world or in the link.
    Vector3d change(const Vector3d& startInWorld, const Vector3d& endInWorld) const {
        const Vector3d y0 = m_start.conjugate() * startInWorld, y1 = m_end.conjugate() * endInWorld;
        const Vector3d difference = y1 - y0;
        const double angle = m_rotation.norm();
        const double share = angle > 0 ? angle / 2 / std::tan(angle / 2) : 1;
        const Vector3d axis = angle > 0 ? Vector3d(m_rotation / angle) : Vector3d(Vector3d::Zero());
        const Vector3d along = axis.dot(difference) * axis;
        return along + share * (difference - along) + m_rotation.cross(y0 + y1) / 2;
    }
    /// Mean in the link's axes, by Simpson's rule.
    Vector3d mean(const Vector3d& start, const Vector3d& middle, const Vector3d& end) const {
        return (m_start.conjugate() * start + 4 * (m_middle.conjugate() * middle) + m_end.conjugate() * end) / 6;
    }
    Vector3d mean(const Vector3d& constant) const { return mean(constant, constant, constant); }
    Vector3d inMiddle(const Vector3d& inWorld) const { return m_middle.conjugate() * inWorld; }

private:
    Vector3d m_rotation;  // over the tick, in the link's axes [rad]
    Quaterniond m_middle;
    Quaterniond m_start;
    Quaterniond m_end;
};

/// Force and moment, or momentum and its moment, about one point.
struct Wrench {
    Vector3d linear = Vector3d::Zero();
    Vector3d angular = Vector3d::Zero();

    Wrench& operator+=(const Wrench& other) {
        linear += other.linear;
        angular += other.angular;
        return *this;
    }
    /// @param way to the other point
    Vector3d angularAbout(const Vector3d& way) const { return angular - way.cross(linear); }
    static Wrench at(const Vector3d& arm, const Vector3d& linear, const Vector3d& angular) {
        return {linear, angular + arm.cross(linear)};
    }
};

/// All that hangs on a joint. Moments are about one point at rest.
struct HangingPart {
    Wrench momentum[2];  ///< at start and end, in the moving frame
    Wrench loads[3];     ///< constant forces at the centres of mass, at start, middle and end
    Wrench impulse;      ///< of contacts, elements and damping

    HangingPart& operator+=(const HangingPart& other) {
        for (int i = 0; i < 2; ++i) momentum[i] += other.momentum[i];
        for (int i = 0; i < 3; ++i) loads[i] += other.loads[i];
        impulse += other.impulse;
        return *this;
    }
};

class JointForces {
public:
    JointForces(const SolvedNetwork& solved, const MovedMultiBody& moved)
        : m_solved(solved),
          m_moved(moved),
          m_body(*moved.body),
          m_h(solved.h),
          m_start(linkStates(m_body, moved.start)),
          m_end(linkStates(m_body, moved.end)),
          m_point(m_start.front().position),
          m_parts(m_start.size()) {
        findMovingFrame();
        m_colliders.push_back(m_body.getBaseCollider());
        for (int link = 0; link < m_body.getNumLinks(); ++link) m_colliders.push_back(m_body.getLink(link).m_collider);
    }

    MultiBodyReadout find(const Vector3d& gravity) {
        MultiBodyReadout readout;
        readout.h = m_h;
        readout.links.resize(m_start.size());
        addContacts(readout);
        addElements();
        for (std::size_t i = 0; i < m_start.size(); ++i) addLink(i);
        addRotors();
        for (std::size_t i = m_start.size(); i-- > 0;) {
            findForce(i, gravity, readout.links[i]);
            if (i > 0) m_parts[parentOf(i)] += m_parts[i];
        }
        return readout;
    }

private:
    std::size_t parentOf(std::size_t i) const {
        return static_cast<std::size_t>(m_body.getLink(static_cast<int>(i) - 1).m_parent + 1);
    }
    double massOf(std::size_t i) const {
        return static_cast<double>(i == 0 ? m_body.getBaseMass() : m_body.getLinkMass(static_cast<int>(i) - 1));
    }
    Vector3d momentsOf(std::size_t i) const {
        return toEigen(i == 0 ? m_body.getBaseInertia() : m_body.getLinkInertia(static_cast<int>(i) - 1));
    }
    Vector3d middleOf(std::size_t i) const {  // of the parabola that has the velocities
        return (m_start[i].position + m_end[i].position) / 2 + m_h / 8 * (m_start[i].velocity - m_end[i].velocity);
    }
    Vector3d meanPlaceOf(std::size_t i) const { return (m_start[i].position + m_end[i].position) / 2; }

    void findMovingFrame() {
        if (m_body.hasFixedBase()) return;
        double mass = 0;
        for (std::size_t i = 0; i < m_start.size(); ++i) {
            mass += massOf(i);
            m_startVelocity += massOf(i) * m_start[i].velocity;
            m_endVelocity += massOf(i) * m_end[i].velocity;
        }
        m_startVelocity /= mass;
        m_endVelocity /= mass;
        m_acceleration = (m_endVelocity - m_startVelocity) / m_h;
    }

    /// Of one body in the moving frame.
    Wrench momentumOf(std::size_t i, const BodyState& state, const Vector3d& frameVelocity) const {
        const Vector3d spin = state.orientation.conjugate() * state.angularVelocity;
        return Wrench::at(state.position - m_point, massOf(i) * (state.velocity - frameVelocity),
                          state.orientation * momentsOf(i).cwiseProduct(spin));
    }

    void addLink(std::size_t i) {
        HangingPart& part = m_parts[i];
        const bool isHeld = i == 0 && m_body.hasFixedBase();
        if (!isHeld) {
            part.momentum[0] += momentumOf(i, m_start[i], m_startVelocity);
            part.momentum[1] += momentumOf(i, m_end[i], m_endVelocity);
            addDamping(i);
        }
        const Vector3d force = m_moved.loads.forces[i] - massOf(i) * m_acceleration;
        const Vector3d& torque = m_moved.loads.torques[i];
        const Vector3d places[3] = {m_start[i].position, middleOf(i), m_end[i].position};
        for (int k = 0; k < 3; ++k) part.loads[k] += Wrench::at(places[k] - m_point, force, torque);
    }

    /// Bullet's: force -m k (1 + |v|) v and torque -I k (1 + |w|) w, at the tick's mean velocities.
    void addDamping(std::size_t i) {
        const auto linear = static_cast<double>(m_body.getLinearDamping());
        const auto angular = static_cast<double>(m_body.getAngularDamping());
        if (linear == 0 && angular == 0) return;
        const Vector3d v = (m_end[i].position - m_start[i].position) / m_h;
        const Vector3d w = logarithm(m_start[i].orientation.conjugate() * m_end[i].orientation) / m_h;
        const Vector3d force = -massOf(i) * linear * (1 + v.norm()) * v;
        const Vector3d torque = -angular * (1 + w.norm()) * momentsOf(i).cwiseProduct(w);
        const Quaterniond middle = m_start[i].orientation.slerp(0.5, m_end[i].orientation);
        m_parts[i].impulse += Wrench::at(meanPlaceOf(i) - m_point, m_h * force, m_h * (middle * torque));
    }

    void addContacts(MultiBodyReadout& readout) {
        for (std::size_t k = 0; k < m_solved.contacts.size(); ++k) {
            if (!hasBorne(m_solved.result.contacts[k])) continue;
            const ContactPoint& point = m_solved.contacts[k];
            const ContactReadout onA = contactOf(m_solved, k);
            addContact(point.bodyA, onA, readout);
            addContact(point.bodyB, reversed(onA, point.bodyA), readout);
        }
    }

    void addContact(const btCollisionObject* object, const ContactReadout& contact, MultiBodyReadout& readout) {
        const auto collider = std::find(m_colliders.begin(), m_colliders.end(), object);
        if (object == nullptr || collider == m_colliders.end()) return;
        const auto i = static_cast<std::size_t>(collider - m_colliders.begin());
        const Vector3d force = contact.force();
        readout.links[i].contactForce += force;
        readout.links[i].contactTorque += (contact.place - meanPlaceOf(i)).cross(force) + contact.frictionTorque;
        m_parts[i].impulse += Wrench::at(contact.place - m_point, m_h * force, m_h * contact.frictionTorque);
    }

    /// Those between links and other bodies, or links that no joint connects; those in joints are part of what joints
    /// do.
    void addElements() {
        FlowNetwork end;
        for (std::size_t e = 0; e < m_solved.multi.placings.size(); ++e) {
            const std::size_t at = m_solved.elements.size() + e;
            const auto* placement = std::get_if<LinkPlacement>(&m_solved.multi.placings[e]);
            if (placement == nullptr) continue;
            if (end.bodies.empty()) setEnd(m_solved, end);
            const Measure first = measure(m_solved.network, m_solved.network.elements[at]);
            const Measure last = measure(end, m_solved.network.elements[at]);
            const Vector3d impulse =
                m_solved.result.elements[at].impulse * (first.direction + last.direction).normalized();
            const bool turns = placement->geometry() == Geometry::AboutAxis;
            const auto add = [&](const Flange& flange, const Vector3d& place, const Vector3d& onIt) {
                if (flange.multiBody() != &m_body) return;
                m_parts[static_cast<std::size_t>(flange.link() + 1)].impulse +=
                    turns ? Wrench{Vector3d::Zero(), onIt} : Wrench::at(place - m_point, onIt, Vector3d::Zero());
            };
            add(placement->a(), (first.pointA + last.pointA) / 2, impulse);
            add(placement->b(), (first.pointB + last.pointB) / 2, -impulse);
        }
    }

    /// Rotors spin in the links that carry them.
    void addRotors() {
        if (m_solved.multi.isTree) {
            const auto tree = static_cast<std::size_t>(&m_moved - m_solved.multi.bodies.data());
            const std::vector<TreeRotor>& rotors = m_solved.multi.trees.trees[tree].rotors;
            for (std::size_t r = 0; r < rotors.size(); ++r) {
                const auto carrier = static_cast<std::size_t>(rotors[r].carrier + 1);
                const auto spinOf = [&](const BodyState& state, double w) {
                    return state.angularVelocity.dot(state.orientation * rotors[r].axis) + w;
                };
                addRotor(carrier, rotors[r].axis, rotors[r].inertia * spinOf(m_start[carrier], rotors[r].w),
                         rotors[r].inertia * spinOf(m_end[carrier], m_solved.multi.result.trees[tree].rotors[r].w));
            }
            return;
        }
        for (const ReflectedRotor& rotor : m_moved.rotors) {
            const Ends ends = endsOf(m_solved, rotor.body);
            const auto spinOf = [&](const BodyState& state) {
                return rotor.ratio * (rotor.slides ? state.velocity : state.angularVelocity).dot(rotor.axis());
            };
            const btMultibodyLink& link = m_body.getLink(rotor.link);
            addRotor(static_cast<std::size_t>(link.m_parent + 1), zeroTurn(link) * axisOf(link),
                     rotor.inertia * spinOf(ends.start), rotor.inertia * spinOf(ends.end));
        }
    }
    void addRotor(std::size_t carrier, const Vector3d& axis, double before, double after) {
        m_parts[carrier].momentum[0].angular += before * (m_start[carrier].orientation * axis);
        m_parts[carrier].momentum[1].angular += after * (m_end[carrier].orientation * axis);
    }

    void findForce(std::size_t i, const Vector3d& gravity, LinkReadout& link) const {
        const HangingPart& part = m_parts[i];
        link.h = m_h;
        link.start = m_start[i];
        link.end = m_end[i];
        const Turning turning(m_start[i].orientation, m_end[i].orientation);
        const Vector3d startVelocity = m_start[i].velocity - m_startVelocity;
        const Vector3d endVelocity = m_end[i].velocity - m_endVelocity;
        link.centralForce = turning.change(startVelocity, endVelocity) / m_h + turning.mean(m_acceleration - gravity);
        link.force =
            (turning.change(part.momentum[0].linear, part.momentum[1].linear) - turning.inMiddle(part.impulse.linear)) /
                m_h -
            turning.mean(part.loads[0].linear);
        if (i > 0) link.pivot = -toEigen(m_body.getLink(static_cast<int>(i) - 1).m_dVector);
        const Vector3d startArm = m_start[i].orientation * link.pivot, endArm = m_end[i].orientation * link.pivot;
        const Vector3d startWay = m_start[i].position + startArm - m_point;
        const Vector3d endWay = m_end[i].position + endArm - m_point;
        const Vector3d startPivots = startVelocity + m_start[i].angularVelocity.cross(startArm);
        const Vector3d endPivots = endVelocity + m_end[i].angularVelocity.cross(endArm);
        // Of the parabola that has the velocities.
        const Vector3d middleWay =
            (startWay + endWay) / 2 + m_h / 8 * (startPivots + m_startVelocity - endPivots - m_endVelocity);
        // The pivot moves: what goes past it takes its moment along.
        const Vector3d carried = (m_start[i].orientation.conjugate() * startPivots.cross(part.momentum[0].linear) +
                                  m_end[i].orientation.conjugate() * endPivots.cross(part.momentum[1].linear)) /
                                 2;
        link.torque = (turning.change(part.momentum[0].angularAbout(startWay), part.momentum[1].angularAbout(endWay)) -
                       turning.inMiddle(part.impulse.angularAbout((startWay + endWay) / 2))) /
                          m_h +
                      carried -
                      turning.mean(part.loads[0].angularAbout(startWay), part.loads[1].angularAbout(middleWay),
                                   part.loads[2].angularAbout(endWay));
    }

    const SolvedNetwork& m_solved;
    const MovedMultiBody& m_moved;
    const btMultiBody& m_body;
    double m_h;
    std::vector<BodyState> m_start;  // of base and links
    std::vector<BodyState> m_end;
    std::vector<const btCollisionObject*> m_colliders;  // as m_start; what touched them may be gone
    Vector3d m_point;                                   // of moments
    Vector3d m_startVelocity = Vector3d::Zero();        // of the moving frame
    Vector3d m_endVelocity = Vector3d::Zero();
    Vector3d m_acceleration = Vector3d::Zero();
    std::vector<HangingPart> m_parts;  // as m_start
};

}  // namespace

Vector3d LinkReadout::specificForce(const Vector3d& point) const {
    const Turning turning(start.orientation, end.orientation);
    const auto beyond = [&](const BodyState& state) -> Vector3d {
        return state.angularVelocity.cross(state.orientation * point);
    };
    return centralForce + turning.change(beyond(start), beyond(end)) / h;
}

void addContactReadouts(const SolvedNetwork& solved, const btCollisionObject& object,
                        std::vector<ContactReadout>& readouts) {
    for (std::size_t k = 0; k < solved.contacts.size(); ++k) {
        const ContactPoint& point = solved.contacts[k];
        const bool isA = point.bodyA == &object;
        if ((!isA && point.bodyB != &object) || !hasBorne(solved.result.contacts[k])) continue;
        const ContactReadout onA = contactOf(solved, k);
        readouts.push_back(isA ? onA : reversed(onA, point.bodyA));
    }
}

MultiBodyReadout readoutOf(const SolvedNetwork& solved, const MovedMultiBody& moved, const Vector3d& gravity) {
    return JointForces(solved, moved).find(gravity);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
