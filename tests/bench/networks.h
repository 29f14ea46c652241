#pragma once
// Worlds whose bodies have to do with each other.

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <memory>
#include <utility>
#include <vector>

#include "bare_world.h"

namespace elasto::bench {

/// A world that owns what is in it. Elements are only added where there is a plugin.
class Workshop : BareWorld {
public:
    explicit Workshop(bool withElements, double gravity = 9.80665);
    ~Workshop();

    /// Never falls asleep. @param isTurning false: it keeps its orientation
    btRigidBody& box(double mass, const btVector3& half, const btVector3& at, bool isTurning = true,
                     bool isTouching = true);
    /// The ground: y = 0.
    void plane();
    template <class Joint, class... Arguments>
    void join(Arguments&&... arguments) {
        m_joints.push_back(std::make_unique<Joint>(std::forward<Arguments>(arguments)...));
        m_world.addConstraint(m_joints.back().get(), true);
    }
    template <class Element, class... Arguments>
    void element(Arguments&&... arguments) {
        if (m_plugin) join<Element>(std::forward<Arguments>(arguments)...);
    }
    /// Only where there is a plugin.
    void load(Load load) {
        if (m_plugin) m_plugin->addLoad(std::move(load));
    }
    void step(double h) { m_world.stepSimulation(static_cast<btScalar>(h), 0); }

    /// Not each island by itself.
    void solveIslandsTogether() { m_world.getSimulationIslandManager()->setSplitIslands(false); }

    Plugin& plugin() { return *m_plugin; }
    int elements() const { return m_world.getNumConstraints(); }

private:
    std::unique_ptr<Plugin> m_plugin;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
};

/// An upright frame: x is up.
btTransform upwards(const btVector3& at);

inline constexpr double kNetworkTick = 1.0 / 60;  ///< [s], for h * omega = 11 in the chain

/// Masses above each other, a gap below each, let fall on the ground. h * omega = 11 of its fastest mode.
void chain(Workshop& workshop, int links, double x = 0);
/// Masses in a plane whose neighbours are held by springs across it: a membrane that swings.
void grid(Workshop& workshop, int side);
/// Doors on hinges against a stop each.
void doors(Workshop& workshop, int count);
/// Columns of boxes on the ground, the top of each pressed down through a gap.
void stacks(Workshop& workshop, int count, int boxes);
/// Modelica's example, as assets/scenes/preload.json has it: a spool that a force presses against two spring plates
/// between stops. Without gravity. @param onSliders as preload_sliders.json: sliders guide what else cannot turn
void preLoad(Workshop& workshop, bool onSliders);
/// Boxes in flight over the ground, which is a plane or a box, each with an element far out of reach.
void bumpers(Workshop& workshop, int count, bool isPlane);
/// Boxes heaped on the ground; one of them has an element far out of reach.
void pile(Workshop& workshop, int boxes);

}  // namespace elasto::bench
