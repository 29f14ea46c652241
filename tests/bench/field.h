#pragma once
// Many bodies that have nothing to do with each other, each with something of its own that pushes it: an element of
// ours, or one of the ways in which Bullet's users do without.

#include <btBulletDynamicsCommon.h>
#include <elasto/elasto.h>

#include <memory>
#include <vector>

#include "bare_world.h"

namespace elasto::bench {

/// What pushes each body.
enum class Push {
    None,              ///< Bullet's bodies alone
    Empty,             ///< a constraint without rows: what Bullet takes for having one
    Elasto,            ///< our element
    ExplicitLaw,       ///< the law's force, as it is when the tick begins
    Spring2,           ///< btGeneric6DofSpring2Constraint whose limit has the softness (ERP, CFM) of c, d and the tick
    SubSteps,          ///< the one coordinate in 200 steps inside the tick; the mean of its force on the body
    SubStepsWithPose,  ///< the same, and the body is put where the coordinate ends
};

/// What happens to each body.
enum class Course {
    Flight,    ///< falls, its stop far away
    Rest,      ///< lies on its stop, awake
    Asleep,    ///< the same, fallen asleep
    Impact,    ///< hits its stop once in every tick of 1/240 s, without loss
    Hertz,     ///< the same with n = 1.5
    Bouncing,  ///< falls on its stop, without loss; the bodies from kDropHeight to twice that
    Series,    ///< swings on a spring and damper in series
    Backlash,  ///< turns to and fro in its play, about a hit in every tick of 1/240 s
};

struct FieldOptions {
    int bodies = 100;
    Push push = Push::Elasto;
    Course course = Course::Rest;
    bool splitsIslands = true;  ///< Bullet's own setting
    double h = 1.0 / 240;       ///< tick [s]
};

inline constexpr double kFieldMass = 0.2;       ///< [kg]
inline constexpr double kFieldStiffness = 1e6;  ///< [N/m]
inline constexpr double kDropHeight = 0.1;      ///< [m]

class Field : BareWorld {
public:
    explicit Field(const FieldOptions& options);
    ~Field();

    void step() { m_world.stepSimulation(static_cast<btScalar>(m_options.h), 0); }

    const FieldOptions& options() const { return m_options; }
    double height(int body) const;  ///< above its stop [m]
    const TickStatistics& statistics() const { return m_plugin->statistics(); }

private:
    struct Stop;
    static void beforeTick(btDynamicsWorld* world, btScalar h);
    static void afterTick(btDynamicsWorld* world, btScalar h);
    void addPush(btRigidBody& body, const btVector3& place);
    double startHeight(int body) const;

    FieldOptions m_options;
    btSphereShape m_shape;
    std::unique_ptr<Plugin> m_plugin;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_constraints;
    std::vector<double> m_heights;  // of SubStepsWithPose: at the tick's end
    double m_gravity = 0;
};

}  // namespace elasto::bench
