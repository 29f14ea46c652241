#pragma once
// A world with btMultiBody for tests: builds multibodies in one line, owns everything, ticks.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include "test_world.h"

namespace elasto::test {

class MultiBodyWorld {
public:
    explicit MultiBodyWorld(bool withPlugin = true)
        : world(std::make_unique<btMultiBodyDynamicsWorld>(&dispatcher, &broadphase, &solver, &configuration)) {
        world->setGravity(vec(0, -kGravity, 0));
        if (withPlugin) {
            plugin = std::make_unique<Plugin>(world.get());
            plugin->setMessageHandler([this](const std::string& message) { messages.push_back(message); });
        }
    }

    ~MultiBodyWorld() {
        for (const auto& constraint : constraints) world->removeMultiBodyConstraint(constraint.get());
        for (const auto& body : multiBodies) world->removeMultiBody(body.get());
        for (const auto& collider : colliders) world->removeCollisionObject(collider.get());
        for (const auto& body : bodies) world->removeRigidBody(body.get());
    }

    /// Without Bullet's damping, and without its limit of 100 rad/s. Its base is at the origin.
    btMultiBody& multiBody(int links, bool isFixed = true, double baseMass = 1,
                           const btVector3& baseInertia = vec(0.1, 0.1, 0.1)) {
        multiBodies.push_back(
            std::make_unique<btMultiBody>(links, btScalar(isFixed ? 0 : baseMass), baseInertia, isFixed, false));
        btMultiBody& added = *multiBodies.back();
        added.setLinearDamping(0);
        added.setAngularDamping(0);
        added.setMaxCoordinateVelocity(btScalar(1e30));
        return added;
    }

    /// A bar along x of its own frame, turning about z at its left end, which is at `pivot` in the parent's frame.
    static void bar(btMultiBody& body, int link, int parent, double mass, double length, const btVector3& pivot,
                    const btVector3& axis = btVector3(0, 0, 1)) {
        const double across = mass * 0.02 * 0.02 / 6;
        const double along = mass * (length * length + 0.02 * 0.02) / 12;
        body.setupRevolute(link, btScalar(mass), vec(across, along, along), parent, btQuaternion::getIdentity(), axis,
                           pivot, vec(length / 2, 0, 0), true);
    }

    /// Call it when all links are set up.
    void add(btMultiBody& body) {
        body.finalizeMultiDof();
        world->addMultiBody(&body);
        place(body);
    }

    /// Before add.
    btMultiBodyLinkCollider& collider(btMultiBody& body, int link, btCollisionShape* shape) {
        shapes.emplace_back(shape);
        colliders.push_back(std::make_unique<btMultiBodyLinkCollider>(&body, link));
        btMultiBodyLinkCollider& added = *colliders.back();
        added.setCollisionShape(shape);
        added.setActivationState(DISABLE_DEACTIVATION);
        if (link < 0) {
            body.setBaseCollider(&added);
            if (body.hasFixedBase()) added.setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
        } else {
            body.getLink(link).m_collider = &added;
        }
        const bool isStatic = link < 0 && body.hasFixedBase();
        world->addCollisionObject(
            &added, isStatic ? int(btBroadphaseProxy::StaticFilter) : int(btBroadphaseProxy::DefaultFilter),
            isStatic ? int(btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter)
                     : int(btBroadphaseProxy::AllFilter));
        return added;
    }

    /// Colliders to where the links are.
    void place(btMultiBody& body) {
        btAlignedObjectArray<btQuaternion> turns;
        btAlignedObjectArray<btVector3> origins;
        body.forwardKinematics(turns, origins);
        body.updateCollisionObjectWorldTransforms(turns, origins);
    }

    btRigidBody& rigid(double mass, btCollisionShape* shape, const btTransform& pose) {
        shapes.emplace_back(shape);
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
        bodies.push_back(std::make_unique<btRigidBody>(btScalar(mass), nullptr, shape, inertia));
        btRigidBody& added = *bodies.back();
        added.setCenterOfMassTransform(pose);
        added.setInterpolationWorldTransform(pose);
        added.setActivationState(DISABLE_DEACTIVATION);
        world->addRigidBody(&added);
        return added;
    }

    template <class Constraint, class... Arguments>
    Constraint& constrain(Arguments&&... arguments) {
        auto constraint = std::make_unique<Constraint>(std::forward<Arguments>(arguments)...);
        Constraint& added = *constraint;
        world->addMultiBodyConstraint(constraint.get());
        constraints.push_back(std::move(constraint));
        return added;
    }

    template <class Placing>
    MultiBodyElement& element(const Placing& placing, const Law& law) {
        return constrain<MultiBodyElement>(placing, law);
    }

    void tick(int count = 1, double hz = 60) {
        for (int i = 0; i < count; ++i) world->stepSimulation(btScalar(1 / hz), 0);
    }

    static constexpr double kGravity = 9.81;

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMultiBody>> multiBodies;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> constraints;
    std::unique_ptr<btMultiBodyDynamicsWorld> world;
    std::unique_ptr<Plugin> plugin;
    std::vector<std::string> messages;
};

}  // namespace elasto::test
