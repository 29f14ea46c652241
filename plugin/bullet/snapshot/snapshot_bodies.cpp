// A snapshot's collision objects: bodies of every kind, and what stands still.

#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

void addShape(const btCollisionShape& shape, Fingerprint& fingerprint) {
    btVector3 lower;
    btVector3 upper;
    shape.getAabb(btTransform::getIdentity(), lower, upper);
    fingerprint.add(shape.getShapeType());
    fingerprint.add(shape.getMargin());
    fingerprint.add(valuesOf(lower));
    fingerprint.add(valuesOf(upper));
    if (shape.isCompound()) {
        const auto& compound = static_cast<const btCompoundShape&>(shape);
        fingerprint.add(compound.getNumChildShapes());
        for (int i = 0; i < compound.getNumChildShapes(); ++i) {
            addShape(*compound.getChildShape(i), fingerprint);
        }
    }
}

// What the record compares.
ObjectRecord kindOf(const SnapshotWorld& world, const btCollisionObject& object) {
    ObjectRecord kind;
    kind.type = object.getInternalType();
    kind.shape = shapeFingerprint(*object.getCollisionShape());
    if (const btRigidBody* body = btRigidBody::upcast(&object)) {
        kind.inverseMass = body->getInvMass();
        kind.inverseInertia = valuesOf(body->getInvInertiaDiagLocal());
    }
    if (const btMultiBodyLinkCollider* collider = btMultiBodyLinkCollider::upcast(&object)) {
        kind.multiBody = world.placeOf(collider->m_multiBody);
        kind.link = collider->m_link;
    }
    return kind;
}

// Bullet's own kinds of objects without a memory that we do not know.
const char* whyUnknown(const SnapshotWorld& world, const btCollisionObject& object) {
    const btMultiBodyLinkCollider* collider = btMultiBodyLinkCollider::upcast(&object);
    if (collider != nullptr && world.placeOf(collider->m_multiBody) >= 0) return nullptr;
    switch (object.getInternalType()) {
        case btCollisionObject::CO_COLLISION_OBJECT:
        case btCollisionObject::CO_RIGID_BODY:
            return nullptr;
        case btCollisionObject::CO_GHOST_OBJECT:
            return "a ghost object (btGhostObject)";
        case btCollisionObject::CO_SOFT_BODY:
            return "a soft body (btSoftBody)";
        case btCollisionObject::CO_FEATHERSTONE_LINK:
            return "a link of a btMultiBody that is not in the world";
        default:
            return "an object of a kind that a snapshot does not know";
    }
}

void saveRigidBody(const btRigidBody& body, RigidBodyRecord& record) {
    RigidBodyInternals::transferAll(body, record, Save());
    record.gravity = valuesOf(body.getGravity());
    record.linearDamping = body.getLinearDamping();
    record.angularDamping = body.getAngularDamping();
    record.linearSleepingThreshold = body.getLinearSleepingThreshold();
    record.angularSleepingThreshold = body.getAngularSleepingThreshold();
    record.flags = body.getFlags();
}

void restoreRigidBody(btRigidBody& body, const RigidBodyRecord& record) {
    RigidBodyInternals::transferAll(body, record, Restore());
    if (valuesOf(body.getGravity()) != record.gravity) {  // the force beside it may be rounded in another way
        body.setGravity(vectorOf(record.gravity));
    }
    body.setDamping(record.linearDamping, record.angularDamping);
    body.setSleepingThresholds(record.linearSleepingThreshold, record.angularSleepingThreshold);
    body.setFlags(record.flags);
}

}  // namespace

std::uint64_t shapeFingerprint(const btCollisionShape& shape) {
    Fingerprint fingerprint;
    addShape(shape, fingerprint);
    return fingerprint.value();
}

void saveBodies(const SnapshotWorld& from, WorldRecord& record) {
    record.objects.reserve(static_cast<std::size_t>(from.objects.size()));
    for (int i = 0; i < from.objects.size(); ++i) {
        const btCollisionObject& object = *from.objects[i];
        if (const char* why = whyUnknown(from, object)) {
            from.refuse(from.nameOf(i) + " is " + why +
                        ", whose state a snapshot does not hold; run the world again from its start instead");
        }
        ObjectRecord& saved = record.objects.emplace_back(kindOf(from, object));
        ObjectInternals::transferAll(object, saved, Save());
        saved.filterGroup = object.getBroadphaseHandle()->m_collisionFilterGroup;
        saved.filterMask = object.getBroadphaseHandle()->m_collisionFilterMask;
        if (const btRigidBody* body = btRigidBody::upcast(&object)) {
            saved.rigid = static_cast<int>(record.rigidBodies.size());
            saveRigidBody(*body, record.rigidBodies.emplace_back());
        }
    }
    const btAlignedObjectArray<btRigidBody*>& moving = DynamicsWorldInternals::moving(from.world);
    for (int i = 0; i < moving.size(); ++i) {
        record.movingOrder.push_back(moving[i]->getWorldArrayIndex());
    }
}

void checkBodies(const SnapshotWorld& to, const WorldRecord& record) {
    const auto count = static_cast<int>(record.objects.size());
    if (to.objects.size() != count) {
        to.refuse("the world has " + std::to_string(to.objects.size()) + " bodies, the snapshot " +
                  std::to_string(count) + "; it can be restored only while the same bodies are in the world");
    }
    for (int i = 0; i < count; ++i) {
        const ObjectRecord& saved = record.objects[static_cast<std::size_t>(i)];
        const ObjectRecord present = kindOf(to, *to.objects[i]);
        if (present.type != saved.type) {
            to.refuse(to.nameOf(i) +
                      " is of another kind than in the snapshot; the world must have the same bodies "
                      "in the same order");
        }
        if (present.shape != saved.shape) {
            to.refuse(to.nameOf(i) +
                      " has another shape than in the snapshot; the world must have the same bodies in "
                      "the same order, with their shapes unchanged");
        }
        if (present.multiBody != saved.multiBody || present.link != saved.link) {
            to.refuse(to.nameOf(i) +
                      " belongs to another link than in the snapshot; the world must have the same multibodies in the "
                      "same order");
        }
        if (present.inverseMass != saved.inverseMass || present.inverseInertia != saved.inverseInertia) {
            to.refuse(to.nameOf(i) +
                      " has another mass or inertia than in the snapshot; the world must have the same "
                      "bodies in the same order, with their masses unchanged");
        }
    }
    const btAlignedObjectArray<btRigidBody*>& moving = DynamicsWorldInternals::moving(to.world);
    bool isSame = moving.size() == static_cast<int>(record.movingOrder.size());
    for (int i = 0; isSame && i < moving.size(); ++i) {
        isSame = moving[i]->getWorldArrayIndex() == record.movingOrder[static_cast<std::size_t>(i)];
    }
    if (!isSame) {
        to.refuse(
            "the world lists its moving bodies in another order than in the snapshot: bodies were removed and "
            "added since");
    }
}

void restoreBodies(const SnapshotWorld& to, const WorldRecord& record) {
    for (int i = 0; i < to.objects.size(); ++i) {
        btCollisionObject& object = *to.objects[i];
        const ObjectRecord& saved = record.objects[static_cast<std::size_t>(i)];
        if (btRigidBody* body = btRigidBody::upcast(&object)) {
            restoreRigidBody(*body, record.rigidBodies[static_cast<std::size_t>(saved.rigid)]);
        }
        ObjectInternals::transferAll(object, saved, Restore());  // last: setters above count as revisions
        object.getBroadphaseHandle()->m_collisionFilterGroup = saved.filterGroup;
        object.getBroadphaseHandle()->m_collisionFilterMask = saved.filterMask;
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
