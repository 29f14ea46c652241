#include <elasto/world_snapshot.h>

#include "snapshot/snapshot_values.h"
#include "snapshot/world_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

template <class Value>
std::size_t bytesOf(const std::vector<Value>& values) {
    return values.size() * sizeof(Value);
}

void add(const ObjectRecord& object, Fingerprint& fingerprint) {
    fingerprint.add(object.pose);
    fingerprint.add(object.interpolation);
    fingerprint.add(object.interpolationVelocity);
    fingerprint.add(object.interpolationAngularVelocity);
    fingerprint.add(object.activation);
    fingerprint.add(object.asleep);
    fingerprint.add(object.collisionFlags);
}

void add(const RigidBodyRecord& body, Fingerprint& fingerprint) {
    fingerprint.add(body.velocity);
    fingerprint.add(body.angularVelocity);
    fingerprint.add(body.force);
    fingerprint.add(body.torque);
}

void add(const PointRecord& point, Fingerprint& fingerprint) {
    for (const Triple* triple : {&point.localA, &point.localB, &point.onA, &point.onB, &point.normalOnB}) {
        fingerprint.add(*triple);
    }
    for (const btScalar value : {point.distance, point.friction, point.restitution, point.appliedImpulse,
                                 point.lastRightSide, point.frictionImpulse1, point.frictionImpulse2}) {
        fingerprint.add(value);
    }
    for (const int value : {point.partA, point.partB, point.indexA, point.indexB, point.flags, point.lifeTime}) {
        fingerprint.add(value);
    }
}

void add(const SavedBody& body, Fingerprint& fingerprint) {
    for (const auto* triple : {&body.position, &body.exactVelocity, &body.exactAngularVelocity}) {
        fingerprint.add(std::to_array(*triple));
    }
    fingerprint.add(std::to_array(body.orientation));
}

// Those that have none are as before.
void add(const ImplicitPause& pause, Fingerprint& fingerprint) {
    if (pause.length == 0) return;
    fingerprint.add(pause.length);
    fingerprint.add(pause.left);
}

void add(const ElementState& element, Fingerprint& fingerprint) {
    fingerprint.add(static_cast<int>(element.enabled));
    for (const double value :
         {element.s_damper, element.phi, element.heat, element.storedEnergy, element.impulse, element.debt}) {
        fingerprint.add(value);
    }
    add(element.pause, fingerprint);
    add(element.bodyA, fingerprint);
    add(element.bodyB, fingerprint);
    if (element.phi2 == 0 && !element.carrier.known) return;
    fingerprint.add(element.phi2);
    add(element.carrier, fingerprint);
}

void add(const MultiBodyRecord& body, Fingerprint& fingerprint) {
    for (std::size_t i = 0; i < body.motion; ++i) {
        fingerprint.add(body.values[i]);
    }
}

void add(const MultiBodyElementState& element, Fingerprint& fingerprint) {
    fingerprint.add(static_cast<int>(element.enabled));
    for (const double value : {element.s_damper, element.phi, element.heat, element.storedEnergy, element.impulse,
                               element.motorAngle, element.motorSpeed}) {
        fingerprint.add(value);
    }
    add(element.pause, fingerprint);
}

}  // namespace

WorldSnapshot::WorldSnapshot() = default;
WorldSnapshot::WorldSnapshot(std::shared_ptr<const WorldRecord> record) : m_record(std::move(record)) {}

std::size_t WorldSnapshot::size() const {
    if (isEmpty()) {
        return sizeof *this;
    }
    const WorldRecord& record = *m_record;
    std::size_t bytes = sizeof *this + sizeof record + bytesOf(record.objects) + bytesOf(record.rigidBodies) +
                        bytesOf(record.movingOrder) + bytesOf(record.joints) + bytesOf(record.jointValues) +
                        bytesOf(record.pairs) + bytesOf(record.algorithms) + bytesOf(record.manifolds) +
                        bytesOf(record.points) + bytesOf(record.predictiveManifolds) +
                        bytesOf(record.broadphase.proxies) + bytesOf(record.own.elements) +
                        bytesOf(record.own.multiBodyElements) + bytesOf(record.own.tiedBodies);
    for (const MultiBodyRecord& body : record.multiBodies) {
        bytes += sizeof body + bytesOf(body.values) + bytesOf(body.feedback);
    }
    for (const MultiBodyJointRecord& joint : record.multiBodyJoints) {
        bytes += sizeof joint + bytesOf(joint.data) + joint.values.size();
    }
    for (const MultiBodyTable::Kept& kept : record.own.multiBodies) {
        bytes += sizeof kept + 2 * (bytesOf(kept.exact.q) + bytesOf(kept.exact.rates));
    }
    for (const TreeRecord& tree : record.broadphase.trees) {
        bytes += bytesOf(tree.nodes);
    }
    for (const std::vector<int>& stage : record.broadphase.stages) {
        bytes += bytesOf(stage);
    }
    return bytes;
}

int WorldSnapshot::bodies() const {
    return isEmpty() ? 0 : static_cast<int>(m_record->objects.size());
}

int WorldSnapshot::contactPoints() const {
    return isEmpty() ? 0 : static_cast<int>(m_record->points.size());
}

std::uint64_t WorldSnapshot::hash() const {
    if (isEmpty()) {
        return 0;
    }
    Fingerprint fingerprint;
    for (const ObjectRecord& object : m_record->objects) {
        add(object, fingerprint);
    }
    for (const RigidBodyRecord& body : m_record->rigidBodies) {
        add(body, fingerprint);
    }
    for (const ManifoldRecord& manifold : m_record->manifolds) {
        fingerprint.add(manifold.bodyA);
        fingerprint.add(manifold.bodyB);
        fingerprint.add(manifold.points);
    }
    for (const PointRecord& point : m_record->points) {
        add(point, fingerprint);
    }
    for (const JointRecord& joint : m_record->joints) {
        fingerprint.add(static_cast<int>(joint.isEnabled));
        fingerprint.add(joint.appliedImpulse);
    }
    for (const ElementRecord& element : m_record->own.elements) {
        add(element.state, fingerprint);
    }
    for (const MultiBodyRecord& body : m_record->multiBodies) {
        add(body, fingerprint);
    }
    for (const MultiBodyElementRecord& element : m_record->own.multiBodyElements) {
        add(element.state, fingerprint);
    }
    fingerprint.add(m_record->own.time);
    return fingerprint.value();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
