#pragma once
/// @file load.h
/// Forces and torques on bodies as functions of time.

#include <elasto/precision.h>

#include <LinearMath/btVector3.h>

#include <functional>
#include <utility>
#include <vector>

class btRigidBody;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Parameters of Load::sine.
struct SineParameters {
    double amplitude = 1;  ///< amplitude [N, N.m]
    double f = 1;          ///< f [Hz], >= 0
    double phase = 0;      ///< phase [rad]
    double offset = 0;     ///< offset [N, N.m]
    double startTime = 0;  ///< startTime [s]
};

/// A force at a body's centre of mass, or a torque, in world axes, as a function of the Plugin's time.
///
/// Inside a tick it acts on elements as the parabola through its values at the three points of Gauss's rule, which lie
/// within the tick (a force applied with btRigidBody::applyForce is constant over it). On a body that no element moves
/// in this tick it acts with its mean. A load that changes keeps its body awake.
///
/// The body is referred to, not owned: take the load out (Plugin::removeLoad) before the body is deleted.
class Load {
public:
    enum class Kind { Force, Torque };
    /// Value at time t [s]: [N] or [N.m], world axes.
    using Function = std::function<btVector3(double t)>;

    /// Any function of time; it must return finite values.
    Load(btRigidBody& body, Kind kind, Function value);

    /// value [N, N.m] at all times. @throws InvalidParameter unless finite
    static Load constant(btRigidBody& body, Kind kind, const btVector3& value);
    /// offset + amplitude sin(2 pi f (t - startTime) + phase) along `direction`; only the offset before startTime.
    /// As Modelica.Blocks.Sources.Sine.
    /// @param direction vector that the value multiplies (a unit vector, or one that carries the amplitude)
    /// @throws InvalidParameter unless all are finite and f >= 0
    static Load sine(btRigidBody& body, Kind kind, const btVector3& direction, const SineParameters& parameters);
    /// Linear interpolation in (time [s], value [N, N.m]) points along `direction`; the first and last value hold
    /// outside. @throws InvalidParameter if there is no point, a number is not finite or times do not increase
    static Load table(btRigidBody& body, Kind kind, const btVector3& direction,
                      std::vector<std::pair<double, double>> points);

    btRigidBody& body() const { return *m_body; }
    Kind kind() const { return m_kind; }
    btVector3 value(double t) const { return m_value(t); }

private:
    btRigidBody* m_body;
    Kind m_kind;
    Function m_value;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
