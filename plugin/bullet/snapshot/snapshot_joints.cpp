// A snapshot's joints: limits, motors with their targets, accumulated angles, what is enabled or broken.

#include <BulletDynamics/ConstraintSolver/btConeTwistConstraint.h>
#include <BulletDynamics/ConstraintSolver/btFixedConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGearConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpringConstraint.h>
#include <BulletDynamics/ConstraintSolver/btHinge2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>
#include <BulletDynamics/ConstraintSolver/btUniversalConstraint.h>

#include <typeinfo>

#include "host/class_of.h"
#include "host/element_of.h"
#include "snapshot/snapshot_parts.h"
#include "snapshot/snapshot_values.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

template <class Joint>
std::size_t sizeIf(const btTypedConstraint& joint) {
    return classOf(joint) == typeid(Joint) ? sizeof(Joint) : 0;
}

template <class... Joints>
std::size_t sizeAmong(const btTypedConstraint& joint) {
    return (sizeIf<Joints>(joint) + ...);
}

// Memory of a joint whose class has nothing but values beyond its base: read in Bullet 3.24, class by class. 0:
// another.
std::size_t sizeOf(const btTypedConstraint& joint) {
    return sizeAmong<btPoint2PointConstraint, btHingeConstraint, btHingeAccumulatedAngleConstraint, btSliderConstraint,
                     btConeTwistConstraint, btGearConstraint, btFixedConstraint, btGeneric6DofConstraint,
                     btGeneric6DofSpringConstraint, btGeneric6DofSpring2Constraint, btHinge2Constraint,
                     btUniversalConstraint>(joint);
}

struct Bytes {
    unsigned char* begin;
    std::size_t count;
};

// Many of these values are private, have no setter, or one that also does something else: they are copied as they lie.
Bytes bytesOf(btTypedConstraint& joint) {
    unsigned char* begin = JointInternals::endOfBase(joint);
    const auto* end = static_cast<unsigned char*>(dynamic_cast<void*>(&joint)) + sizeOf(joint);
    return {begin, static_cast<std::size_t>(end - begin)};
}

// What the record compares.
JointRecord kindOf(const btTypedConstraint& joint) {
    JointRecord kind;
    kind.type = classOf(joint);
    kind.bodyA = joint.getRigidBodyA().getWorldArrayIndex();
    kind.bodyB = joint.getRigidBodyB().getWorldArrayIndex();
    return kind;
}

void saveJoint(btTypedConstraint& joint, JointRecord& saved, std::vector<unsigned char>& values) {
    saved.isEnabled = joint.isEnabled();
    saved.iterations = joint.getOverrideNumSolverIterations();
    saved.breakingImpulse = joint.getBreakingImpulseThreshold();
    saved.appliedImpulse = joint.internalGetAppliedImpulse();
    if (const btJointFeedback* feedback = joint.getJointFeedback()) {
        saved.feedback = {valuesOf(feedback->m_appliedForceBodyA), valuesOf(feedback->m_appliedTorqueBodyA),
                          valuesOf(feedback->m_appliedForceBodyB), valuesOf(feedback->m_appliedTorqueBodyB)};
    }
    const Bytes bytes = bytesOf(joint);
    saved.firstValue = values.size();
    saved.values = bytes.count;
    values.insert(values.end(), bytes.begin, bytes.begin + bytes.count);
}

void restoreJoint(btTypedConstraint& joint, const JointRecord& saved, const std::vector<unsigned char>& values) {
    joint.setEnabled(saved.isEnabled);
    joint.setOverrideNumSolverIterations(saved.iterations);
    joint.setBreakingImpulseThreshold(saved.breakingImpulse);
    joint.internalSetAppliedImpulse(saved.appliedImpulse);
    if (btJointFeedback* feedback = joint.getJointFeedback(); feedback != nullptr && saved.feedback) {
        feedback->m_appliedForceBodyA = vectorOf((*saved.feedback)[0]);
        feedback->m_appliedTorqueBodyA = vectorOf((*saved.feedback)[1]);
        feedback->m_appliedForceBodyB = vectorOf((*saved.feedback)[2]);
        feedback->m_appliedTorqueBodyB = vectorOf((*saved.feedback)[3]);
    }
    std::memcpy(bytesOf(joint).begin, values.data() + saved.firstValue, saved.values);
}

}  // namespace

void saveJoints(const SnapshotWorld& from, WorldRecord& record) {
    for (int i = 0; i < from.world.getNumConstraints(); ++i) {
        btTypedConstraint& joint = *from.world.getConstraint(i);
        JointRecord& saved = record.joints.emplace_back(kindOf(joint));
        if (elementOf(&joint) != nullptr) {
            continue;  // see saveOwn
        }
        if (sizeOf(joint) == 0) {
            from.refuse("joint " + std::to_string(i) + " is of a class (" + classOf(joint).name() +
                        ") whose state a snapshot does not know; run the world again from its start instead");
        }
        saveJoint(joint, saved, record.jointValues);
    }
}

void checkJoints(const SnapshotWorld& to, const WorldRecord& record) {
    const auto count = static_cast<int>(record.joints.size());
    if (to.world.getNumConstraints() != count) {
        to.refuse("the world has " + std::to_string(to.world.getNumConstraints()) +
                  " joints and elements, the snapshot " + std::to_string(count) +
                  "; it can be restored only while the same joints and elements are in the world");
    }
    for (int i = 0; i < count; ++i) {
        const JointRecord& saved = record.joints[static_cast<std::size_t>(i)];
        const JointRecord present = kindOf(*to.world.getConstraint(i));
        if (present.type != saved.type || present.bodyA != saved.bodyA || present.bodyB != saved.bodyB) {
            to.refuse("joint or element " + std::to_string(i) +
                      " is of another class or joins other bodies than in the snapshot; the world must have the same "
                      "joints and elements in the same order");
        }
        const bool isElement = elementOf(to.world.getConstraint(i)) != nullptr;
        if (!isElement && bytesOf(*to.world.getConstraint(i)).count != saved.values) {
            to.refuse("joint " + std::to_string(i) + " has other values than in the snapshot");
        }
    }
}

void restoreJoints(const SnapshotWorld& to, const WorldRecord& record) {
    for (int i = 0; i < to.world.getNumConstraints(); ++i) {
        btTypedConstraint& joint = *to.world.getConstraint(i);
        if (elementOf(&joint) == nullptr) {
            restoreJoint(joint, record.joints[static_cast<std::size_t>(i)], record.jointValues);
        }
    }
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
