#pragma once
// A Bullet world made of a recipe, and what can be read off it.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "world_recipe.h"

namespace elasto::fuzz {

/// How a world is run, which must make no difference to what its plugin moves.
struct WorldOptions {
    bool withPlugin = true;
    int iterations = 10;
    int threads = 1;
};

/// Energy that the plugin answers for [J]: of the elements, and of the bodies that they act on.
struct WorldEnergy {
    double kinetic = 0;
    double potential = 0;  ///< of gravity, from the world's origin
    double stored = 0;     ///< in the elements' springs
    double heat = 0;       ///< of the elements, since the start
    double sum() const { return kinetic + potential + stored + heat; }
};

class RecipeWorld {
public:
    RecipeWorld(const WorldRecipe& recipe, const WorldOptions& options);
    ~RecipeWorld();
    RecipeWorld(const RecipeWorld&) = delete;
    RecipeWorld& operator=(const RecipeWorld&) = delete;

    void tick();
    /// Where kinematic bodies are depends on how many ticks there have been.
    void setTick(int tick) { m_tick = tick; }
    /// All bits of positions, velocities and elements.
    std::uint64_t hash() const;
    /// The first thing that is not finite, or nothing.
    std::string notFinite() const;
    WorldEnergy energy() const;
    /// Work that bodies moving on as they do could do against the elements within a tick, at most [J].
    double couldBePressed() const;
    /// True while all bodies are moved by the plugin: no element uncoupled, no network idle, nothing alone with Bullet.
    bool isAllCoupled() const;

    Plugin& plugin() { return *m_plugin; }
    const std::vector<std::unique_ptr<btRigidBody>>& bodies() const { return m_bodies; }

private:
    void addFloor();
    void addBody(const BodyRecipe& body);
    void addJoint(const JointRecipe& joint);
    void addElement(const ElementRecipe& element);
    void addMultiBody(const MultiBodyRecipe& recipe);
    btRigidBody& bodyOf(int index) {
        return index == kWorld ? Placement::world() : *m_bodies[static_cast<std::size_t>(index)];
    }

    const WorldRecipe& m_recipe;
    std::vector<bool> m_hasElements;  // by body
    int m_tick = 0;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{&m_configuration};
    btDbvtBroadphase m_broadphase;
    std::unique_ptr<btMultiBodyConstraintSolver> m_multiBodySolver;
    std::unique_ptr<btSequentialImpulseConstraintSolver> m_solver;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;  // the recipe's, and the floor
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
    std::vector<std::unique_ptr<btTypedConstraint>> m_elements;
    std::vector<std::unique_ptr<btMultiBody>> m_multiBodies;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> m_colliders;
    std::vector<std::unique_ptr<btMultiBodyConstraint>> m_constraints;
    std::vector<const MultiBodyElement*> m_jointElements;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    btMultiBodyDynamicsWorld* m_multiBodyWorld = nullptr;  // the same, where there are multibodies
    std::unique_ptr<Plugin> m_plugin;
};

}  // namespace elasto::fuzz
