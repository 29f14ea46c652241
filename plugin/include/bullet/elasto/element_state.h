#pragma once
/// @file element_state.h
/// Everything an element remembers from tick to tick.

#include <elasto/audit_settings.h>
#include <elasto/flow.h>
#include <elasto/precision.h>

#include <LinearMath/btScalar.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// What an element knows about one of its bodies: Bullet's values as they were after the last tick and the same
/// state in double precision, used as long as Bullet's values are unchanged bit for bit.
struct SavedBody {
    bool known = false;                   ///< false: nothing is known, and the rest has no meaning
    btScalar pose[12] = {};               ///< basis row by row, origin
    btScalar velocity[3] = {};            ///< [m/s]
    btScalar angularVelocity[3] = {};     ///< [rad/s]
    double position[3] = {};              ///< [m]
    double orientation[4] = {};           ///< quaternion x, y, z, w
    double exactVelocity[3] = {};         ///< [m/s]
    double exactAngularVelocity[3] = {};  ///< [rad/s]
    // Kinematic bodies: the frame's path through the substeps.
    double frameStartPosition[3] = {};     ///< [m]
    double frameStartOrientation[4] = {};  ///< quaternion x, y, z, w
    double substepLength = 0;              ///< [s]
    int substep = 0;                       ///< substeps of this frame that are done
    int substeps = 0;                      ///< substeps this frame has
};

/// Copy of an element's state (ForceElement::saveState). Plain data: it may be kept, copied and written as bytes,
/// and restored in the same precision.
///
/// To step a world of elements and free bodies back bit for bit, restore with it every body's world transform,
/// velocities, activation state and deactivation time, the Plugin's state and those of the heat ports (values).
struct ElementState {
    bool enabled = true;      ///< btTypedConstraint::isEnabled
    double s_damper = 0;      ///< [m]
    double phi = 0;           ///< last known angle [rad]; of a gear pair that of wheel 1
    double phi2 = 0;          ///< gear pairs: last known angle of wheel 2 [rad]
    double heat = 0;          ///< dissipated since the start [J]
    double storedEnergy = 0;  ///< at the end of the last tick [J]
    double impulse = 0;       ///< of the last tick [N.s, N.m.s]
    double tick = 0;          ///< length of the last tick [s]; 0 before the first
    int method = 0;           ///< FlowMethod of the last tick
    TickGrade grade;          ///< of the last tick
    AuditState audit;         ///< of its network
    bool uncoupled = false;   ///< the last tick was solved without the bodies' joints or contacts
    double debt = 0;          ///< energy that it must not give back while it is uncoupled [J]; < 0: may give beyond
    double rest = 0;          ///< how long its network has rested in contact, out of the element's reach [s]
    ImplicitPause pause;      ///< of its network
    SavedBody bodyA;          ///< unknown where it is the world
    SavedBody bodyB;          ///< unknown where it is the world
    SavedBody carrier;        ///< gear pairs
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
