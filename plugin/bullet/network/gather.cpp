#include "network/gather.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <cmath>

#include "host/conversion.h"
#include "network/body_cache.h"
#include "network/body_index.h"
#include "network/element_access.h"
#include "network/element_strength.h"
#include "network/joint_feedback.h"
#include "network/kinematic_path.h"
#include "network/load_table.h"
#include "network/network_builder.h"
#include "network/turning_loads.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr int kAnyGyroscopic = BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD |
                               BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY;

// Of all that the elements of a network remember of one of its bodies: of the first element whose cache is up to date,
// else of the first that has one.
void improve(SavedBody*& best, SavedBody& cache, const btRigidBody& body) {
    const bool isBetter = best == nullptr || (!isPoseRemembered(*best, body) && isPoseRemembered(cache, body)) ||
                          (!best->known && cache.known);
    if (isBetter) best = &cache;
}

// With the kinetic energy of the other, to the last bit.
bool isMotionOf(const BodyState& state, const BodyState& other) {
    return state.velocity == other.velocity && state.angularVelocity == other.angularVelocity &&
           (state.angularVelocity.isZero(0) || state.orientation.coeffs() == other.orientation.coeffs());
}

class Gatherer {
public:
    /// @param table of bodies that are only tied; null: there are none
    Gatherer(const TickTime& time, SolvedNetwork& target, BodyTable* table = nullptr)
        : m_time(time),
          m_table(table),
          m_target(target),
          m_first(target.bodies.size()),
          m_index(target.bodies, target.bodyPlaces) {}

    int index(btRigidBody& body, SavedBody& cache, bool isTied = false) {
        if (&body == &Placement::world()) {
            return kWorld;
        }
        int found = m_index.find(body);
        if (found < 0) {
            found = static_cast<int>(m_target.bodies.size());
            NetworkBody entry;
            entry.body = &body;
            entry.isMovable = isMovable(body);
            entry.isTied = isTied;
            entry.start = body.getWorldTransform();
            m_target.bodies.push_back(entry);
            m_target.network.bodies.push_back(entry.isMovable ? flowBody(body) : FlowBody());
            m_index.noteAdded();
        }
        improve(m_target.bodies[static_cast<std::size_t>(found)].cache, cache, body);
        return found;
    }

    // Of the bodies that are new; those before them have theirs.
    EnergyBetweenTicks setStates() {
        EnergyBetweenTicks between;
        for (std::size_t i = m_first; i < m_target.bodies.size(); ++i) {
            FlowBody& flow = m_target.network.bodies[i];
            NetworkBody& entry = m_target.bodies[i];
            SavedBody& cache = *entry.cache;
            if (entry.isMovable) {
                const TickStart start = tickStart(cache, *entry.body, m_time.bulletH);
                static_cast<BodyState&>(flow) = start.state;
                if (cache.known) {
                    const BodyState before = rememberedState(cache);
                    const double change = isMotionOf(start.state, before)
                                              ? 0
                                              : kineticEnergy(flow, start.state) - kineticEnergy(flow, before);
                    (start.isDamped ? between.damping : between.pushed) += start.isDamped ? -change : change;
                } else if (entry.isTied) {
                    between.tied += kineticEnergy(flow, start.state);
                }
            } else {
                const bool isOfTable = m_table != nullptr && &cache == &m_table->at(*entry.body);
                const KinematicStep step =
                    isOfTable ? m_table->step(*entry.body, m_time.h) : nextSubstep(cache, *entry.body, m_time.h);
                static_cast<BodyState&>(flow) = step.start;
                entry.pathEnd = step.end;
            }
        }
        return between;
    }

    // Of bodies that follow a path all elements know the same.
    void sharePath(ForceElement& element) const {
        ElementAccess::forEachBody(element, [&](const btRigidBody& body, SavedBody& cache) {
            if (isMovable(body)) return;
            for (const NetworkBody& entry : m_target.bodies) {
                if (entry.body == &body && entry.cache != &cache) cache = *entry.cache;
            }
        });
    }

    void addLoads(const LoadTable& loads) {
        for (std::size_t i = m_first; i < m_target.bodies.size() && !loads.bodies().empty(); ++i) {
            if (!m_target.bodies[i].isMovable) continue;
            if (const LoadTable::OfBody* load = loads.find(*m_target.bodies[i].body)) add(*load, i);
        }
    }

    double kinetic() const {
        double energy = 0;
        for (std::size_t i = m_first; i < m_target.bodies.size(); ++i) {
            energy += kineticEnergy(m_target.network.bodies[i], m_target.network.bodies[i]);
        }
        return energy;
    }

private:
    /// What Bullet knows of acts over the whole tick, and the load's pieces besides.
    void add(const LoadTable::OfBody& load, std::size_t index) {
        const FlowBody& body = m_target.network.bodies[index];
        if (load.turns()) {
            m_target.turningLoads.push_back({index, body.force, body.torque, load.fixed, load.attached});
        }
        addPieces(load.pieces, index, m_target.network);
    }

    const TickTime& m_time;
    BodyTable* m_table;
    SolvedNetwork& m_target;
    std::size_t m_first;  // of the bodies that are new
    BodyIndex m_index;
};

struct Pose {
    Eigen::Vector3d origin;
    Eigen::Quaterniond turn;

    explicit Pose(const btCollisionObject& body)
        : origin(toEigen(body.getWorldTransform().getOrigin())),
          turn(rotationOf(body.getWorldTransform().getBasis())) {}
};

// Bodies that stand still are the world to a joint.
void toWorldA(const Pose& pose, HeldRow& row) {
    row.pointA = pose.origin + pose.turn * row.pointA;
    row.axisA = pose.turn * row.axisA;
}

void toWorldB(const Pose& pose, HeldRow& row) {
    row.pointB = pose.origin + pose.turn * row.pointB;
    row.axisB = pose.turn * row.axisB;
}

template <class Coordinate>
void toWorldA(const Pose& pose, Coordinate& row) {
    row.pointA = pose.origin + pose.turn * row.pointA;
    row.axis = pose.turn * row.axis;
    row.frameA = pose.turn * row.frameA;
}

template <class Coordinate>
void toWorldB(const Pose& pose, Coordinate& row) {
    row.pointB = pose.origin + pose.turn * row.pointB;
    row.frameB = pose.turn * row.frameB;
}

void addJoint(const HeldJoint& held, BodyTable& table, Gatherer& gatherer, SolvedNetwork& target) {
    const auto end = [&](btRigidBody& body) {
        const bool moves = isMovable(body) || body.isKinematicObject();
        return moves ? gatherer.index(body, table.at(body), true) : kWorld;
    };
    const bool startAtB = held.rows.startAtB;
    btRigidBody& a = startAtB ? held.joint->getRigidBodyB() : held.joint->getRigidBodyA();
    btRigidBody& b = startAtB ? held.joint->getRigidBodyA() : held.joint->getRigidBodyB();
    const int indexA = end(a);
    const int indexB = end(b);
    int reaction = -1;
    if (isWatched(*held.joint)) {
        reaction = static_cast<int>(target.watched.size());
        WatchedJoint watched;
        watched.joint = held.joint;
        watched.startAtB = startAtB;
        watched.firstBounded = static_cast<int>(target.network.bounded.size());
        watched.boundedCount = static_cast<int>(held.rows.bounded.size());
        watched.firstSpring = target.network.elements.size();
        watched.springCount = held.rows.springs.size();
        target.watched.push_back(watched);
    }
    const auto add = [&](auto row, auto& to) {
        row.a = indexA;
        row.b = indexB;
        if constexpr (requires { row.reaction; }) row.reaction = reaction;
        if (indexA == kWorld) toWorldA(Pose(a), row);
        if (indexB == kWorld) toWorldB(Pose(b), row);
        to.push_back(row);
    };
    for (const HeldRow& row : held.rows.held) add(row, target.network.joints);
    for (const BoundedRow& row : held.rows.bounded) add(row, target.network.bounded);
    for (const FlowElement& spring : held.rows.springs) add(spring, target.network.elements);
}

void turn(ContactBox& box, const LinkPlace& place) {
    if (!box.isKnown()) return;
    box.centre = place.point(box.centre);
    box.half = place.turn * box.half;
}

/// @param indexOf gives the place of a body that moves
template <class IndexOf>
void addContacts(const std::vector<ContactPoint>& contacts, SolvedNetwork& target, const IndexOf& indexOf) {
    // The object's place, whose frame has the contact's points.
    const auto placeOf = [&](btCollisionObject& object) {
        LinkPlace place;
        int link = -1;
        if (const btMultiBody* multiBody = multiBodyOf(object, link)) {
            for (const MovedMultiBody& moved : target.multi.bodies) {
                if (moved.body == multiBody) return moved.place(link);
            }
        }
        btRigidBody* body = btRigidBody::upcast(&object);
        if (body != nullptr && (isMovable(*body) || body->isKinematicObject())) {
            place.body = indexOf(*body);
        } else {
            const Pose pose(object);
            place.origin = pose.origin;
            place.turn = pose.turn;
        }
        return place;
    };
    LinkPlace a, b;  // of the last point: those of a pair follow each other
    const btCollisionObject *lastA = nullptr, *lastB = nullptr;
    for (const ContactPoint& point : contacts) {
        if (point.bodyA != lastA || point.bodyB != lastB) {
            a = placeOf(*point.bodyA);
            b = placeOf(*point.bodyB);
            lastA = point.bodyA;
            lastB = point.bodyB;
        }
        if (a.body == b.body) continue;  // parts of one body
        FlowContact contact = point.contact;
        contact.a = a.body;
        contact.b = b.body;
        const LinkPlace& vertex = contact.isVertexOnA ? a : b;
        const LinkPlace& owner = contact.isVertexOnA ? b : a;
        if (!vertex.isWhole()) {
            contact.vertex = vertex.point(contact.vertex);
            turn(contact.vertexBox, vertex);
        }
        if (!owner.isWhole()) {
            contact.planePoint = owner.point(contact.planePoint);
            contact.normal = owner.turn * contact.normal;
            contact.ownerAxis = owner.turn * contact.ownerAxis;
            turn(contact.ownerBox, owner);
        }
        contact.impulse = std::max(point.impulse, 0.);
        target.network.contacts.push_back(contact);
        target.contacts.push_back(point);
    }
}

void clear(SolvedNetwork& target) {
    target.network.bodies.clear();
    target.network.elements.clear();
    target.network.joints.clear();
    target.network.contacts.clear();
    target.network.bounded.clear();
    target.network.changes.clear();
    target.turningLoads.clear();
    target.watched.clear();
    target.bodies.clear();
    target.contacts.clear();
    target.unwatched.clear();
    target.elements.clear();
    target.multi.elements.clear();
    target.multi.placings.clear();
    target.multi.bodies.clear();
    target.multi.bounds.clear();
    target.multi.isTree = false;
    target.multi.trees = {};
}

}  // namespace

FlowBody massOf(const btRigidBody& body) {
    FlowBody flow;
    flow.inverseMass = static_cast<double>(body.getInvMass());
    flow.inverseInertia = toEigen(body.getInvInertiaDiagLocal());
    flow.linearFactor = toEigen(body.getLinearFactor());
    flow.angularFactor = toEigen(body.getAngularFactor());
    return flow;
}

Eigen::Vector3d withoutFactor(const btVector3& total, const btVector3& factor) {
    Eigen::Vector3d result = toEigen(total);
    for (int i = 0; i < 3; ++i) {
        const double f = static_cast<double>(factor[i]);
        result[i] = f > 0 ? result[i] / f : 0;
    }
    return result;
}

FlowBody flowBody(const btRigidBody& body) {
    FlowBody flow = massOf(body);
    flow.gyroscopic = (body.getFlags() & kAnyGyroscopic) != 0;
    flow.force.constant = withoutFactor(body.getTotalForce(), body.getLinearFactor());
    flow.torque.constant = withoutFactor(body.getTotalTorque(), body.getAngularFactor());
    return flow;
}

double kineticEnergy(const FlowBody& body, const BodyState& state) {
    double energy = 0;
    const Eigen::Vector3d w = state.angularVelocity.isZero(0) ? Eigen::Vector3d::Zero().eval()
                                                              : state.orientation.conjugate() * state.angularVelocity;
    for (int i = 0; i < 3; ++i) {
        if (body.inverseMass > 0 && body.linearFactor[i] > 0) {
            energy += state.velocity[i] * state.velocity[i] / (2 * body.inverseMass * body.linearFactor[i]);
        }
        if (body.inverseInertia[i] > 0) {
            energy += w[i] * w[i] / (2 * body.inverseInertia[i]);
        }
    }
    return energy;
}

EnergyBetweenTicks gather(const std::vector<ForceElement*>& elements, const LoadTable& loads, const TickTime& time,
                          SolvedNetwork& target) {
    clear(target);
    target.elements = elements;
    target.jointSprings = 0;
    Gatherer gatherer(time, target);
    for (ForceElement* element : elements) {
        target.network.elements.push_back(ElementAccess::flowElement(*element));
        ElementAccess::placeOn(*element, target.network.elements.back(),
                               [&](btRigidBody& body, SavedBody& cache) { return gatherer.index(body, cache); });
    }
    EnergyBetweenTicks between = gatherer.setStates();
    for (ForceElement* element : elements) gatherer.sharePath(*element);
    gatherer.addLoads(loads);
    for (std::size_t e = 0; e < elements.size(); ++e) addStrength(*elements[e], time, e, target.network);
    target.startEnergy = gatherer.kinetic();
    for (std::size_t e = 0; e < elements.size(); ++e) {
        const FlowElement& flow = target.network.elements[e];
        const double stored = storedEnergy(flow.law, measure(target.network, flow).s, flow.s_damper);
        target.startEnergy += stored;
        if (elements[e]->tickLength() > 0) {
            between.pushed += stored - ElementAccess::lastStoredEnergy(*elements[e]);
        }
    }
    return between;
}

void addContacts(const std::vector<ContactPoint>& contacts, SolvedNetwork& target) {
    const BodyIndex index(target.bodies, target.bodyPlaces);
    addContacts(contacts, target, [&](const btRigidBody& body) { return index.find(body); });
}

EnergyBetweenTicks gatherTies(const std::vector<const HeldJoint*>& joints, const std::vector<ContactPoint>& contacts,
                              const std::vector<btRigidBody*>& others, BodyTable& table, const LoadTable& loads,
                              const TickTime& time, SolvedNetwork& target) {
    Gatherer gatherer(time, target, &table);
    for (btRigidBody* body : others) gatherer.index(*body, table.at(*body), true);
    for (const HeldJoint* held : joints) addJoint(*held, table, gatherer, target);
    addContacts(contacts, target, [&](btRigidBody& body) { return gatherer.index(body, table.at(body), true); });
    const EnergyBetweenTicks between = gatherer.setStates();
    gatherer.addLoads(loads);
    target.startEnergy += gatherer.kinetic();
    for (std::size_t e = target.elementCount(); e < target.network.elements.size(); ++e) {
        const FlowElement& spring = target.network.elements[e];
        target.jointSprings += storedEnergy(spring.law, measure(target.network, spring).s, 0);
    }
    target.startEnergy += target.jointSprings;
    return between;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
