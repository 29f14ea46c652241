// A snapshot's multibodies: joints, base, sleep, and what Bullet keeps of them from tick to tick; the plugin's exact
// states of them.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>

#include <tuple>

#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

// Private members of a btMultiBody, in three groups: its motion, what Bullet derives from it, and the user's settings.
// Naming them in an explicit instantiation is the way the language offers.
struct OwnMotion {
    friend constexpr auto membersOf(OwnMotion);
};
struct Derived {
    friend constexpr auto membersOf(Derived);
};
struct Settings {
    friend constexpr auto membersOf(Settings);
};
template <class Group, auto... members>
struct ExposeMembers {
    friend constexpr auto membersOf(Group) { return std::tuple(members...); }
};
template struct ExposeMembers<OwnMotion, &btMultiBody::m_basePos, &btMultiBody::m_baseQuat, &btMultiBody::m_realBuf,
                              &btMultiBody::m_awake, &btMultiBody::m_sleepTimer, &btMultiBody::m_baseForce,
                              &btMultiBody::m_baseTorque>;
template struct ExposeMembers<
    Derived, &btMultiBody::m_basePos_interpolate, &btMultiBody::m_baseQuat_interpolate,
    &btMultiBody::m_baseConstraintForce, &btMultiBody::m_baseConstraintTorque, &btMultiBody::m_splitV,
    &btMultiBody::m_deltaV, &btMultiBody::m_vectorBuf, &btMultiBody::m_matrixBuf, &btMultiBody::m_cachedInertiaTopLeft,
    &btMultiBody::m_cachedInertiaTopRight, &btMultiBody::m_cachedInertiaLowerLeft,
    &btMultiBody::m_cachedInertiaLowerRight, &btMultiBody::m_cachedInertiaValid, &btMultiBody::m_companionId,
    &btMultiBody::__posUpdated, &btMultiBody::m_internalNeedsJointFeedback>;
template struct ExposeMembers<Settings, &btMultiBody::m_canSleep, &btMultiBody::m_canWakeup,
                              &btMultiBody::m_sleepEpsilon, &btMultiBody::m_sleepTimeout, &btMultiBody::m_linearDamping,
                              &btMultiBody::m_angularDamping, &btMultiBody::m_useGyroTerm,
                              &btMultiBody::m_maxAppliedImpulse, &btMultiBody::m_maxCoordinateVelocity,
                              &btMultiBody::m_hasSelfCollision, &btMultiBody::m_useRK4,
                              &btMultiBody::m_useGlobalVelocities, &btMultiBody::m_kinematic_calculate_velocity>;

// Takes every value there is, in an order of its own, as numbers.
class Writer {
public:
    explicit Writer(std::vector<btScalar>& values) : m_values(values) {}
    template <class Number>
    void number(const Number& value) {
        m_values.push_back(static_cast<btScalar>(value));
    }

private:
    std::vector<btScalar>& m_values;
};

class Reader {
public:
    explicit Reader(const std::vector<btScalar>& values) : m_next(values.data()) {}
    template <class Number>
    void number(Number& value) {
        value = static_cast<Number>(*m_next++);
    }
    void number(bool& value) { value = *m_next++ != 0; }

private:
    const btScalar* m_next;
};

template <class Transfer, class Number>
void pass(Transfer& transfer, Number& number) {
    transfer.number(number);
}
template <class Transfer>
void pass(Transfer& transfer, btVector3& v) {
    for (int i = 0; i < 3; ++i) transfer.number(v[i]);
}
template <class Transfer>
void pass(Transfer& transfer, btQuaternion& q) {
    for (int i = 0; i < 4; ++i) transfer.number(q[i]);
}
template <class Transfer>
void pass(Transfer& transfer, btMatrix3x3& matrix) {
    for (int i = 0; i < 3; ++i) pass(transfer, matrix[i]);
}
template <class Transfer>
void pass(Transfer& transfer, btTransform& pose) {
    pass(transfer, pose.getBasis());
    pass(transfer, pose.getOrigin());
}
template <class Transfer>
void pass(Transfer& transfer, btSpatialMotionVector& motion) {
    pass(transfer, motion.m_topVec);
    pass(transfer, motion.m_bottomVec);
}
template <class Transfer, class Value>
void pass(Transfer& transfer, btAlignedObjectArray<Value>& values) {
    for (int i = 0; i < values.size(); ++i) pass(transfer, values[i]);
}
template <class Transfer, std::size_t count>
void pass(Transfer& transfer, btScalar (&values)[count]) {
    for (btScalar& value : values) transfer.number(value);
}

template <class Group, class Transfer>
void passGroup(Group group, Transfer& transfer, btMultiBody& body) {
    std::apply([&](auto... members) { (pass(transfer, body.*members), ...); }, membersOf(group));
}

template <class Transfer>
void passMotion(Transfer& transfer, btMultiBody& body) {
    passGroup(OwnMotion(), transfer, body);
    for (int i = 0; i < body.getNumLinks(); ++i) {
        btMultibodyLink& link = body.getLink(i);
        for (int k = 0; k < link.m_posVarCount; ++k) transfer.number(link.m_jointPos[k]);
        pass(transfer, link.m_jointTorque);
        pass(transfer, link.m_appliedForce);
        pass(transfer, link.m_appliedTorque);
    }
}

template <class Transfer>
void passRest(Transfer& transfer, btMultiBody& body) {
    passGroup(Derived(), transfer, body);
    passGroup(Settings(), transfer, body);
    for (int i = 0; i < body.getNumLinks(); ++i) {
        btMultibodyLink& link = body.getLink(i);
        pass(transfer, link.m_jointPos_interpolate);
        pass(transfer, link.m_absFrameTotVelocity);
        pass(transfer, link.m_absFrameLocVelocity);
        pass(transfer, link.m_cachedRotParentToThis);
        pass(transfer, link.m_cachedRVector);
        pass(transfer, link.m_cachedRotParentToThis_interpolate);
        pass(transfer, link.m_cachedRVector_interpolate);
        pass(transfer, link.m_cachedWorldTransform);
        pass(transfer, link.m_appliedConstraintForce);
        pass(transfer, link.m_appliedConstraintTorque);
        pass(transfer, link.m_flags);
    }
}

// What the record compares.
std::uint64_t fingerprintOf(const btMultiBody& body) {
    Fingerprint fingerprint;
    fingerprint.add(static_cast<int>(body.hasFixedBase()));
    fingerprint.add(body.getBaseMass());
    fingerprint.add(valuesOf(body.getBaseInertia()));
    for (int i = 0; i < body.getNumLinks(); ++i) {
        const btMultibodyLink& link = body.getLink(i);
        fingerprint.add(static_cast<int>(link.m_jointType));
        fingerprint.add(link.m_parent);
        fingerprint.add(link.m_mass);
        for (const btVector3* v : {&link.m_inertiaLocal, &link.m_dVector, &link.m_eVector}) {
            fingerprint.add(valuesOf(*v));
        }
        for (int k = 0; k < 4; ++k) fingerprint.add(link.m_zeroRotParentToThis[k]);
        for (int dof = 0; dof < link.m_dofCount; ++dof) {
            fingerprint.add(valuesOf(link.getAxisTop(dof)));
            fingerprint.add(valuesOf(link.getAxisBottom(dof)));
        }
    }
    return fingerprint.value();
}

}  // namespace

int SnapshotWorld::placeOf(const btMultiBody* body) const {
    for (int i = 0; body != nullptr && multiBodies != nullptr && i < multiBodies->getNumMultibodies(); ++i) {
        if (multiBodies->getMultiBody(i) == body) return i;
    }
    return -1;
}

void saveMultiBodies(const SnapshotWorld& from, WorldRecord& record) {
    for (int i = 0; i < from.multiBodyCount(); ++i) {
        btMultiBody& body = *from.multiBodies->getMultiBody(i);
        MultiBodyRecord& saved = record.multiBodies.emplace_back();
        saved.fingerprint = fingerprintOf(body);
        saved.links = body.getNumLinks();
        Writer writer(saved.values);
        passMotion(writer, body);
        saved.motion = saved.values.size();
        passRest(writer, body);
        for (int k = 0; k < body.getNumLinks(); ++k) {
            if (const btMultiBodyJointFeedback* feedback = body.getLink(k).m_jointFeedback) {
                saved.feedback.push_back({k, valuesOf(feedback->m_reactionForces.m_topVec),
                                          valuesOf(feedback->m_reactionForces.m_bottomVec)});
            }
        }
    }
}

void checkMultiBodies(const SnapshotWorld& to, const WorldRecord& record) {
    const int count = to.multiBodyCount();
    if (count != static_cast<int>(record.multiBodies.size())) {
        to.refuse("the world has " + std::to_string(count) + " multibodies, the snapshot " +
                  std::to_string(record.multiBodies.size()) +
                  "; it can be restored only while the same multibodies are in the world");
    }
    for (int i = 0; i < count; ++i) {
        const MultiBodyRecord& saved = record.multiBodies[static_cast<std::size_t>(i)];
        const btMultiBody& present = *to.multiBodies->getMultiBody(i);
        if (saved.links != present.getNumLinks() || saved.fingerprint != fingerprintOf(present)) {
            to.refuse("multibody " + std::to_string(i) +
                      " has other links, joints, masses or inertias than in the snapshot; the world must have the same "
                      "multibodies in the same order");
        }
    }
}

void restoreMultiBodies(const SnapshotWorld& to, const WorldRecord& record) {
    for (int i = 0; i < to.multiBodyCount(); ++i) {
        btMultiBody& body = *to.multiBodies->getMultiBody(i);
        const MultiBodyRecord& saved = record.multiBodies[static_cast<std::size_t>(i)];
        Reader reader(saved.values);
        passMotion(reader, body);
        passRest(reader, body);
        for (const MultiBodyRecord::Feedback& values : saved.feedback) {
            if (btMultiBodyJointFeedback* feedback = body.getLink(values.link).m_jointFeedback) {
                feedback->m_reactionForces.m_topVec = vectorOf(values.top);
                feedback->m_reactionForces.m_bottomVec = vectorOf(values.bottom);
            }
        }
    }
}

std::vector<MultiBodyTable::Kept> MultiBodyTable::save(const SnapshotWorld& world) const {
    std::vector<Kept> kept;
    for (const Entry& entry : m_entries) {
        kept.push_back(
            {world.placeOf(entry.body), entry.isKnown, entry.isMoved, entry.rounded, entry.exact, entry.kinetic});
    }
    return kept;
}

void MultiBodyTable::restore(const std::vector<Kept>& kept, const SnapshotWorld& world) {
    m_entries.clear();
    for (const Kept& saved : kept) {
        Entry& entry = m_entries.emplace_back();
        entry.body = saved.body < 0 ? nullptr : world.multiBodies->getMultiBody(saved.body);
        entry.isKnown = saved.isKnown;
        entry.isMoved = saved.isMoved;
        entry.rounded = saved.rounded;
        entry.exact = saved.exact;
        entry.kinetic = saved.kinetic;
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
