#pragma once
/// @file scene_world.h
/// An ordinary Bullet world built from a scene.

#include <elasto/export.h>
#include <elasto/force_element.h>
#include <elasto/plugin.h>
#include <elasto/scene/description.h>
#include <elasto/scene/sample.h>
#include <elasto/scene/tick_grid.h>

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/CollisionShapes/btStridingMeshInterface.h>
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

class btMultiBodyDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What moves in a scene's world and has no words in the scene: a robot, say. Deterministic: what it does in a tick may
/// depend on time and on the state of its world only, which Plugin::restoreWorld brings back.
class ELASTO_API SceneGuest {
public:
    virtual ~SceneGuest() = default;
    /// Before each tick. @param t its start @param h its length [s]
    virtual void beginTick(double t, double h) = 0;
};

/// A btDiscreteDynamicsWorld with a Plugin, and the bodies, joints, elements, loads and heat ports of a
/// scene in it.
///
/// Nothing in it is special: a program that builds its world by hand gets the same bits. Bodies are placed by their
/// centres of mass, as Bullet wants them; joints and elements are added with collisions between their two bodies
/// switched off. A body without a shape collides with nothing. The world, its bodies, joints and elements may be
/// changed between ticks; those of the scene must stay in it. SceneWorld owns all of them.
class ELASTO_API SceneWorld {
public:
    /// @param rate ticks per second [Hz]; without it the scene's
    /// @throws InvalidParameter if the rate is not in (0, 1e6], or a value of the scene has no finite counterpart in
    ///         Bullet's precision
    /// @param takesMultiBodies it is a btMultiBodyDynamicsWorld: contacts have two directions of friction then, which
    ///        is not the same run to the bit
    explicit SceneWorld(Scene scene, std::optional<double> rate = std::nullopt, bool takesMultiBodies = false);
    ~SceneWorld();
    SceneWorld(const SceneWorld&) = delete;
    SceneWorld& operator=(const SceneWorld&) = delete;

    /// One tick of 1/rate: kinematic bodies go on along their paths, then stepSimulation with exactly one substep.
    void step();
    /// A part of a tick, for who makes ticks in parts: kinematic bodies go on to where they are at the part's end, then
    /// stepSimulation. Guests are not asked, and ticks() does not count it: setTicks does. @param end [s]
    /// @param length [s]
    void stepPart(double end, double length);

    const Scene& scene() const { return m_scene; }          ///< what it was built from
    double rate() const { return m_grid.rate(); }           ///< [Hz]
    double tickLength() const { return m_grid.length(); }   ///< [s], see TickGrid
    long ticks() const { return m_ticks; }                  ///< ticks done
    double time() const { return m_grid.timeOf(m_ticks); }  ///< simulated time [s]
    /// Says which tick the world is at, after Plugin::restoreWorld: time() and the paths of kinematic bodies go on from
    /// there. @param ticks done, >= 0
    void setTicks(long ticks) { m_ticks = ticks; }
    /// Ticks that the scene's duration has, rounded to whole ones.
    /// @throws InvalidParameter if the duration is shorter than one tick
    long ticksToEnd() const;

    btDiscreteDynamicsWorld& world() { return *m_world; }                    ///< Bullet's world
    const btDiscreteDynamicsWorld& world() const { return *m_world; }        ///< Bullet's world
    btMultiBodyDynamicsWorld* multiBodyWorld() { return m_multiBodyWorld; }  ///< null unless it takes multibodies
    /// Null unless it takes multibodies.
    const btMultiBodyDynamicsWorld* multiBodyWorld() const { return m_multiBodyWorld; }
    /// Takes a guest that is in the world already; it ends before the world does.
    void add(std::unique_ptr<SceneGuest> guest) { m_guests.push_back(std::move(guest)); }
    /// In the order in which they came.
    const std::vector<std::unique_ptr<SceneGuest>>& guests() const { return m_guests; }
    Plugin& plugin() { return *m_plugin; }              ///< that of the world
    const Plugin& plugin() const { return *m_plugin; }  ///< that of the world

    // Parts by index in the scene, or by name. All throw std::out_of_range, which names what is there.
    /// A body by its index in the scene. @throws std::out_of_range
    btRigidBody& body(std::size_t index) { return *m_bodies.at(index); }
    /// A body by its index in the scene. @throws std::out_of_range
    const btRigidBody& body(std::size_t index) const { return *m_bodies.at(index); }
    /// A body by its name. @throws std::out_of_range naming what is there
    btRigidBody& body(std::string_view name);
    /// A joint by its index in the scene. @throws std::out_of_range
    btTypedConstraint& joint(std::size_t index) { return *m_joints.at(index); }
    /// A joint by its name. @throws std::out_of_range naming what is there
    btTypedConstraint& joint(std::string_view name);
    /// An element by its index in the scene. @throws std::out_of_range
    ForceElement& element(std::size_t index) { return *m_elements.at(index); }
    /// An element by its index in the scene. @throws std::out_of_range
    const ForceElement& element(std::size_t index) const { return *m_elements.at(index); }
    /// An element by its name. @throws std::out_of_range naming what is there
    ForceElement& element(std::string_view name);
    /// A heat port by its index in the scene. @throws std::out_of_range
    const std::shared_ptr<HeatPort>& heatPort(std::size_t index) const { return m_heatPorts.at(index); }
    /// A heat port by its name. @throws std::out_of_range naming what is there
    const std::shared_ptr<HeatPort>& heatPort(std::string_view name) const;
    std::size_t bodies() const { return m_bodies.size(); }        ///< how many the scene has
    std::size_t joints() const { return m_joints.size(); }        ///< how many the scene has
    std::size_t elements() const { return m_elements.size(); }    ///< how many the scene has
    std::size_t heatPorts() const { return m_heatPorts.size(); }  ///< how many the scene has

    /// Everything that can be recorded, now.
    SceneSample sample() const;

private:
    class PathState;

    void addBody(const SceneBody& body);
    void addJoint(const SceneJoint& joint);
    void addElement(const SceneElement& element, const FlowElement& ends);
    void setExactStart(const SceneElement& element, ForceElement& made) const;
    void addLoad(const SceneLoad& load);
    btRigidBody& endOf(const SceneFrame& frame);

    Scene m_scene;
    TickGrid m_grid;
    long m_ticks = 0;
    std::vector<std::shared_ptr<HeatPort>> m_heatPorts;
    // In the order in which they may be destroyed, last first: the world before what is in it, elements and joints
    // before bodies.
    std::vector<std::unique_ptr<btStridingMeshInterface>> m_meshes;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<PathState>> m_paths;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
    std::vector<std::unique_ptr<ForceElement>> m_elements;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    std::unique_ptr<btSequentialImpulseConstraintSolver> m_solver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    btMultiBodyDynamicsWorld* m_multiBodyWorld = nullptr;  // the world, if it is one
    std::unique_ptr<Plugin> m_plugin;
    std::vector<std::unique_ptr<SceneGuest>> m_guests;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
