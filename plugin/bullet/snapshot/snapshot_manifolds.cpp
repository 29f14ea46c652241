// A snapshot's contact points, with their impulses (for warm starting), ages and combined materials.

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

template <class Point, class Record, class Transfer>
void transferPoint(Point& point, Record& record, const Transfer& transfer) {
    transfer(point.m_localPointA, record.localA);
    transfer(point.m_localPointB, record.localB);
    transfer(point.m_positionWorldOnA, record.onA);
    transfer(point.m_positionWorldOnB, record.onB);
    transfer(point.m_normalWorldOnB, record.normalOnB);
    transfer(point.m_lateralFrictionDir1, record.frictionDirection1);
    transfer(point.m_lateralFrictionDir2, record.frictionDirection2);
    transfer(point.m_distance1, record.distance);
    transfer(point.m_combinedFriction, record.friction);
    transfer(point.m_combinedRollingFriction, record.rollingFriction);
    transfer(point.m_combinedSpinningFriction, record.spinningFriction);
    transfer(point.m_combinedRestitution, record.restitution);
    transfer(point.m_appliedImpulse, record.appliedImpulse);
    transfer(point.m_prevRHS, record.lastRightSide);
    transfer(point.m_appliedImpulseLateral1, record.frictionImpulse1);
    transfer(point.m_appliedImpulseLateral2, record.frictionImpulse2);
    transfer(point.m_contactMotion1, record.motion1);
    transfer(point.m_contactMotion2, record.motion2);
    transfer(point.m_contactCFM, record.cfmOrStiffness);  // a union of both
    transfer(point.m_contactERP, record.erpOrDamping);
    transfer(point.m_frictionCFM, record.frictionCfm);
    transfer(point.m_partId0, record.partA);
    transfer(point.m_partId1, record.partB);
    transfer(point.m_index0, record.indexA);
    transfer(point.m_index1, record.indexB);
    transfer(point.m_contactPointFlags, record.flags);
    transfer(point.m_lifeTime, record.lifeTime);
}

}  // namespace

ManifoldRecord recordOf(const SnapshotWorld& from, const btPersistentManifold& manifold,
                        std::vector<PointRecord>& points) {
    ManifoldRecord record;
    record.bodyA = manifold.getBody0()->getWorldArrayIndex();
    record.bodyB = manifold.getBody1()->getWorldArrayIndex();
    record.breakingThreshold = manifold.getContactBreakingThreshold();
    record.processingThreshold = manifold.getContactProcessingThreshold();
    record.firstPoint = static_cast<int>(points.size());
    record.points = manifold.getNumContacts();
    for (int i = 0; i < record.points; ++i) {
        const btManifoldPoint& point = manifold.getContactPoint(i);
        if (point.m_userPersistentData != nullptr) {
            from.refuse("a contact point of " + from.nameOf(record.bodyA) + " and " + from.nameOf(record.bodyB) +
                        " carries m_userPersistentData, which a snapshot cannot copy; set it to null before");
        }
        transferPoint(point, points.emplace_back(), Save());
    }
    return record;
}

void restoreManifold(const SnapshotWorld& to, const WorldRecord& record, const ManifoldRecord& from,
                     btPersistentManifold& manifold) {
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        manifold.clearUserCache(manifold.getContactPoint(i));  // the user's data of points that go
    }
    manifold.setBodies(to.objects[from.bodyA], to.objects[from.bodyB]);
    manifold.setContactBreakingThreshold(from.breakingThreshold);
    manifold.setContactProcessingThreshold(from.processingThreshold);
    manifold.setNumContacts(from.points);
    for (int i = 0; i < from.points; ++i) {
        btManifoldPoint& point = manifold.getContactPoint(i);
        transferPoint(point, record.points[static_cast<std::size_t>(from.firstPoint + i)], Restore());
        point.m_userPersistentData = nullptr;
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
