#pragma once
// Members of Bullet 3.24 that a snapshot needs and that are not public. As in host/bullet_internals.h they are reached
// by pointers to members formed in a derived class, so that no object is taken for what it is not.
//
// A snapshot must hold everything that a tick depends on, so it is made for this version only: requireKnownVersion.

#include <elasto/precision.h>

#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCompoundCompoundCollisionAlgorithm.h>
#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <type_traits>

#include "snapshot/world_record.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Moves values between an object and its record: transfer(object's, record's) is called with each.
class ObjectInternals : private btCollisionObject {
public:
    template <class Object, class Record, class Transfer>
    static void transferAll(Object& object, Record& record, const Transfer& transfer) {
        transfer(object.*(&ObjectInternals::m_worldTransform), record.pose);
        transfer(object.*(&ObjectInternals::m_interpolationWorldTransform), record.interpolation);
        transfer(object.*(&ObjectInternals::m_interpolationLinearVelocity), record.interpolationVelocity);
        transfer(object.*(&ObjectInternals::m_interpolationAngularVelocity), record.interpolationAngularVelocity);
        transfer(object.*(&ObjectInternals::m_activationState1), record.activation);
        transfer(object.*(&ObjectInternals::m_deactivationTime), record.asleep);
        transfer(object.*(&ObjectInternals::m_hitFraction), record.hitFraction);
        transfer(object.*(&ObjectInternals::m_updateRevision), record.revision);
        transfer(object.*(&ObjectInternals::m_anisotropicFriction), record.anisotropicFriction);
        transfer(object.*(&ObjectInternals::m_hasAnisotropicFriction), record.anisotropicFrictionMode);
        transfer(object.*(&ObjectInternals::m_contactProcessingThreshold), record.contactProcessingThreshold);
        transfer(object.*(&ObjectInternals::m_collisionFlags), record.collisionFlags);
        transfer(object.*(&ObjectInternals::m_friction), record.friction);
        transfer(object.*(&ObjectInternals::m_restitution), record.restitution);
        transfer(object.*(&ObjectInternals::m_rollingFriction), record.rollingFriction);
        transfer(object.*(&ObjectInternals::m_spinningFriction), record.spinningFriction);
        transfer(object.*(&ObjectInternals::m_contactDamping), record.contactDamping);
        transfer(object.*(&ObjectInternals::m_contactStiffness), record.contactStiffness);
        transfer(object.*(&ObjectInternals::m_ccdSweptSphereRadius), record.sweptRadius);
        transfer(object.*(&ObjectInternals::m_ccdMotionThreshold), record.motionThreshold);
    }
    static int& activation(btCollisionObject& object) { return object.*(&ObjectInternals::m_activationState1); }
};

class RigidBodyInternals : private btRigidBody {
public:
    template <class Body, class Record, class Transfer>
    static void transferAll(Body& body, Record& record, const Transfer& transfer) {
        transfer(body.*(&RigidBodyInternals::m_deltaLinearVelocity), record.deltaVelocity);
        transfer(body.*(&RigidBodyInternals::m_deltaAngularVelocity), record.deltaAngularVelocity);
        transfer(body.*(&RigidBodyInternals::m_pushVelocity), record.pushVelocity);
        transfer(body.*(&RigidBodyInternals::m_turnVelocity), record.turnVelocity);
        transfer(body.*(&RigidBodyInternals::m_angularFactor), record.angularFactor);
        transfer(body.*(&RigidBodyInternals::m_invMass), record.inverseMassByAxis);
        // Private, with getters that return references to them.
        transfer(same<Body>(body.getLinearVelocity()), record.velocity);
        transfer(same<Body>(body.getAngularVelocity()), record.angularVelocity);
        transfer(same<Body>(body.getInvInertiaTensorWorld()), record.inverseInertiaInWorld);
        transfer(same<Body>(body.getTotalForce()), record.force);
        transfer(same<Body>(body.getTotalTorque()), record.torque);
        transfer(same<Body>(body.getLinearFactor()), record.linearFactor);
    }

private:
    // As constant as the body is: what a constant body's getter returns is a part of it.
    template <class Body, class Value>
    static auto& same(const Value& part) {
        if constexpr (std::is_const_v<Body>) {
            return part;
        } else {
            return const_cast<Value&>(part);
        }
    }
};

class JointInternals : private btTypedConstraint {
public:
    /// Where the values of the derived classes begin: behind the last member of the base.
    static unsigned char* endOfBase(btTypedConstraint& joint) {
        static_assert(std::is_same_v<decltype(m_jointFeedback), btJointFeedback*>,
                      "btTypedConstraint::m_jointFeedback is not what Bullet 3.24 has");
        return reinterpret_cast<unsigned char*>(&(joint.*(&JointInternals::m_jointFeedback)) + 1);
    }
};

class DynamicsWorldInternals : private btDiscreteDynamicsWorld {
public:
    static btScalar& localTime(btDiscreteDynamicsWorld& world) { return world.*(&DynamicsWorldInternals::m_localTime); }
    static btScalar& fixedTimeStep(btDiscreteDynamicsWorld& world) {
        return world.*(&DynamicsWorldInternals::m_fixedTimeStep);
    }
    static btAlignedObjectArray<btRigidBody*>& moving(btDiscreteDynamicsWorld& world) {
        return world.*(&DynamicsWorldInternals::m_nonStaticRigidBodies);
    }
    static btAlignedObjectArray<btPersistentManifold*>& predictive(btDiscreteDynamicsWorld& world) {
        return world.*(&DynamicsWorldInternals::m_predictiveManifolds);
    }
    static btVector3& gravity(btDiscreteDynamicsWorld& world) { return world.*(&DynamicsWorldInternals::m_gravity); }
    /// Called when a tick begins, before anything else: the user's.
    static btInternalTickCallback& beforeTick(btDiscreteDynamicsWorld& world) {
        return world.*(&DynamicsWorldInternals::m_internalPreTickCallback);
    }
    /// One tick of h [s], without what stepSimulation does between ticks.
    static void tick(btDiscreteDynamicsWorld& world, btScalar h) {
        (world.*(&DynamicsWorldInternals::internalSingleStepSimulation))(h);
    }
};

class DispatcherInternals : private btCollisionDispatcher {
public:
    static const btCollisionAlgorithmCreateFunc& creator(const btCollisionDispatcher& dispatcher, int shapeA,
                                                         int shapeB) {
        return *(dispatcher.*(&DispatcherInternals::m_doubleDispatchContactPoints))[shapeA][shapeB];
    }
};

class PairCacheInternals : private btHashedOverlappingPairCache {
public:
    static btAlignedObjectArray<int>& hashTable(btHashedOverlappingPairCache& cache) {
        return cache.*(&PairCacheInternals::m_hashTable);
    }
    static btAlignedObjectArray<int>& next(btHashedOverlappingPairCache& cache) {
        return cache.*(&PairCacheInternals::m_next);
    }
    static btOverlappingPairCallback*& ghostCallback(btHashedOverlappingPairCache& cache) {
        return cache.*(&PairCacheInternals::m_ghostPairCallback);
    }
};

class CompoundInternals : private btCompoundCollisionAlgorithm {
public:
    /// By child of the compound; null where there is none.
    static btAlignedObjectArray<btCollisionAlgorithm*>& children(btCompoundCollisionAlgorithm& algorithm) {
        return algorithm.*(&CompoundInternals::m_childCollisionAlgorithms);
    }
    static bool isSwapped(const btCompoundCollisionAlgorithm& algorithm) {
        return algorithm.*(&CompoundInternals::m_isSwapped);
    }
};

/// The algorithms of two compounds' children. (A private member: see snapshot/snapshot_algorithms.cpp.)
btHashedSimplePairCache& childPairs(btCompoundCompoundCollisionAlgorithm& algorithm);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
