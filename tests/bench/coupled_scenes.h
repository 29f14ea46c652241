#pragma once
// Scenes of jointed and stacked bodies with elements, and worlds that they are built in.

#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bare_world.h"

namespace elasto::bench {

constexpr double kTick = 1.0 / 60;

inline btVector3 vec(double x, double y, double z) {
    return {btScalar(x), btScalar(y), btScalar(z)};
}
/// A frame there whose x axis points upwards.
inline btTransform upwards(const btVector3& place) {
    return btTransform(btQuaternion(vec(0, 0, 1), SIMD_HALF_PI), place);
}

/// A world that owns what is in it. Elements are only added where there is a plugin.
class CoupledWorld : BareWorld {
public:
    explicit CoupledWorld(bool withElements, Accuracy accuracy = Accuracy::Exact);
    ~CoupledWorld();

    btRigidBody& box(double mass, const btVector3& half, const btVector3& at,
                     const btQuaternion& turn = btQuaternion::getIdentity());
    btRigidBody& ball(double mass, double radius, const btVector3& at);
    btRigidBody& ground(std::unique_ptr<btCollisionShape> shape);
    /// It turns about z.
    btRigidBody& wheel(double mass, double radius, double halfWidth, const btVector3& at);
    template <class Joint, class... Arguments>
    Joint& join(Arguments&&... arguments) {
        auto joint = std::make_unique<Joint>(std::forward<Arguments>(arguments)...);
        Joint& added = *joint;
        add(std::move(joint));
        return added;
    }
    template <class Element, class... Arguments>
    void element(Arguments&&... arguments) {
        if (m_withElements) join<Element>(std::forward<Arguments>(arguments)...);
    }

    void add(std::unique_ptr<btTypedConstraint> joint) {
        m_world.addConstraint(joint.get(), true);
        m_joints.push_back(std::move(joint));
    }

    /// Presses a body down with a force that is another one in every tick.
    void pressAnew(btRigidBody& body) { m_pressed = &body; }

    /// Called before each tick with the time [s].
    std::function<void(double t)> onTick;
    /// What may rest falls asleep, after the times and below the speeds of Bullet.
    void allowSleep();
    /// All bodies that can move sleep.
    bool isAsleep() const;
    /// Bullet's own sub-steps of a tick, >= 1.
    void setSubsteps(int substeps) { m_substeps = substeps; }
    bool hasElements() const { return m_withElements; }

    /// @return microseconds of the processor
    double step();
    bool hasRunOut() const { return m_plugin && m_plugin->statistics().fallbacks > 0; }
    double cost() const { return m_plugin ? m_plugin->statistics().cost : 0; }
    double mostCost() const { return m_plugin ? m_plugin->statistics().mostCost : 0; }
    bool isUncoupled() const { return m_plugin && m_plugin->totals().uncoupled > 0; }
    bool isImplicit() const { return m_plugin && m_plugin->statistics().implicit > 0; }
    /// How far the points are apart that hinges, balls and cones hold together, the worst of them [m].
    double jointGap() const;
    /// Mechanical energy beyond what loads, motors and the user brought in since the start [J]: it may only fall.
    double energy() const;
    double kineticEnergy() const { return m_plugin ? m_plugin->energy().kinetic : 0; }

private:
    btRigidBody& body(double mass, std::unique_ptr<btCollisionShape> shape, const btTransform& pose);

    bool m_withElements;
    btRigidBody* m_pressed = nullptr;
    int m_ticks = 0;
    int m_substeps = 1;
    std::unique_ptr<Plugin> m_plugin;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_joints;
};

struct CoupledScene {
    const char* name;
    std::function<void(CoupledWorld&, int variant)> build;
    int ticks;
    double target = 0;    ///< largest ratio wanted; 0: none is
    int variants = 1;     ///< of them the scene is: their ticks are counted as one run's
    bool isPile = false;  ///< ratio of means, and bounds on single ticks; else of medians
};

const std::vector<CoupledScene>& coupledScenes();

}  // namespace elasto::bench
