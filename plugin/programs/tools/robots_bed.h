#pragma once
/// @file robots_bed.h
/// A Bullet world made from a RobotModel.

#include <elasto/multibody_element.h>
#include <elasto/plugin.h>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <memory>
#include <utility>
#include <vector>

#include "host/conversion.h"
#include "robots_models.h"

namespace elasto::tools {

/// An empty world with a Plugin, which owns what is put in.
class RobotBed {
public:
    explicit RobotBed(const Eigen::Vector3d& gravity);
    ~RobotBed();
    RobotBed(const RobotBed&) = delete;
    RobotBed& operator=(const RobotBed&) = delete;

    /// Without Bullet's damping and its limit of 100 rad/s.
    btMultiBody& add(const FlowTree& tree);
    /// A collider on a link, before the first tick.
    btMultiBodyLinkCollider& addCollider(btMultiBody& body, int link, std::unique_ptr<btCollisionShape> shape);
    /// @param mass [kg]; 0: it stands still
    btRigidBody& addBody(double mass, std::unique_ptr<btCollisionShape> shape, const btVector3& position);
    template <class Constraint, class... Arguments>
    Constraint& constrain(Arguments&&... arguments) {
        auto owned = std::make_unique<Constraint>(std::forward<Arguments>(arguments)...);
        Constraint& added = *owned;
        m_constraints.push_back(std::move(owned));
        added.finalizeMultiDof();
        m_world.addMultiBodyConstraint(&added);
        return added;
    }

    void tick(double rate) { m_world.stepSimulation(btScalar(1 / rate), 0); }
    btMultiBodyDynamicsWorld& world() { return m_world; }
    Plugin& plugin() { return *m_plugin; }

private:
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    btMultiBodyConstraintSolver m_solver;
    btMultiBodyDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_solver, &m_configuration};
    std::unique_ptr<Plugin> m_plugin;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<btMultiBody>> m_multiBodies;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> m_colliders;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> m_constraints;
};

/// A model in a world of its own.
class RobotInBullet {
public:
    explicit RobotInBullet(const RobotModel& model);

    RobotBed world;

    /// Trees as they are now.
    std::vector<TreeTick> trees() const;
    btMultiBody& multiBody(std::size_t tree) { return *m_multiBodies[tree]; }
    const MultiBodyElement& element(std::size_t k) const { return *m_elements[k]; }
    std::size_t elementCount() const { return m_elements.size(); }

private:
    void addElement(const RobotModel& model, const TreeElement& element);

    const TreeNetwork m_network;
    std::vector<btMultiBody*> m_multiBodies;
    std::vector<MultiBodyElement*> m_elements;
    std::vector<std::vector<const MultiBodyElement*>> m_drives;  // by tree and rotor
};

}  // namespace elasto::tools
